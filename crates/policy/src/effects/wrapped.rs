//! The command that a wrapper runs: its words, with what standard input adds to them.

use crate::effects::command::{Field, Why};
use crate::effects::invocation::Invocation;
use crate::effects::programs::{Program, Stdin};
use crate::effects::stream::Stream;
use crate::effects::value::literal_pattern;

/// The words of the wrapped command, with what standard input adds to them.
pub(crate) fn wrapped(
    inner: &'static Program,
    wrapped: &[Field],
    run: &Invocation<'_>,
) -> Option<Vec<Field>> {
    if inner.stdin != Stdin::Arguments {
        return (!wrapped.is_empty()).then(|| wrapped.to_vec());
    }
    let mut words = wrapped.to_vec();
    if words.is_empty() {
        words.push(Field::Known("echo".to_owned()));
    }
    let more = match &run.input {
        _ if ["-a", "-d", "-0", "-E", "-L"]
            .iter()
            .any(|name| run.argv.uses(name))
            && !matches!(run.input, Stream::Listed(_)) =>
        {
            vec![input_field()]
        }
        _ if run.argv.uses("-a") => vec![input_field()],
        Stream::Known(text) => text
            .split_whitespace()
            .map(|word| Field::Known(word.to_owned()))
            .collect(),
        Stream::Listed(pattern) => vec![Field::Listed(pattern.clone())],
        Stream::Names(pattern) => vec![Field::Names(pattern.clone())],
        Stream::Number | Stream::Outside | Stream::Download | Stream::Unknown => {
            vec![input_field()]
        }
    };
    let mark = run.argv.option("-I").or(run.argv.option("-i")).map(|used| {
        used.value
            .as_ref()
            .and_then(Field::known)
            .unwrap_or("{}")
            .to_owned()
    });
    let Some(mark) = mark else {
        words.extend(more);
        return Some(words);
    };
    let one = match <[Field; 1]>::try_from(more) {
        Ok([only]) => only,
        Err(_) => input_field(),
    };
    Some(
        words
            .into_iter()
            .map(|word| replaced(word, &mark, &one))
            .collect(),
    )
}

/// A word that comes from standard input.
const fn input_field() -> Field {
    Field::Unknown {
        why: Why::Input,
        prefix: String::new(),
        single: false,
    }
}

/// A word with every mark in it replaced by what comes in.
fn replaced(word: Field, mark: &str, with: &Field) -> Field {
    let Field::Known(text) = &word else {
        return word;
    };
    let Some((front, back)) = text.split_once(mark) else {
        return word;
    };
    let literal = literal_pattern;
    match with {
        Field::Known(value) => Field::Known(text.replace(mark, value)),
        Field::Names(pattern) => Field::Names(literal(front) + pattern + &literal(back)),
        Field::Listed(pattern) => Field::Listed(literal(front) + pattern + &literal(back)),
        // `xargs -I` puts a whole line into one word.
        Field::Unknown { why, .. } => Field::Unknown {
            why: *why,
            prefix: front.to_owned(),
            single: true,
        },
    }
}
