//! Expansions that may fail. Bash then drops the command and whatever stands behind it on its line, and goes on with
//! the next line as if nothing had happened: no assignment is made, and no `exit` is reached. Errors that end the shell
//! are not followed, as nothing runs after them.

use crate::effects::env::{Env, join_options};
use crate::effects::value::Value;
use countersign_shell::tree::{Arithmetic, Part};

/// The states in which lines may have been dropped, one for each text that is open.
#[derive(Debug, Default)]
pub(crate) struct Discards(Vec<Option<Env>>);

impl Discards {
    /// Opens a text.
    pub(crate) fn open(&mut self) {
        self.0.push(None);
    }

    /// Closes the innermost text; the state in which its last line may have been dropped.
    pub(crate) fn close(&mut self) -> Option<Env> {
        self.0.pop().flatten()
    }

    /// The state in which a line of the innermost text may have been dropped, which is none from now on.
    pub(crate) fn take(&mut self) -> Option<Env> {
        self.0.last_mut().and_then(Option::take)
    }

    /// Notes that an expansion may fail in this state.
    pub(crate) fn note(&mut self, env: &Env) {
        for level in &mut self.0 {
            *level = join_options(level.take(), Some(env.clone()));
        }
    }

    /// As many texts, in which nothing was dropped.
    pub(crate) fn fresh(&self) -> Self {
        Self(vec![None; self.0.len()])
    }

    /// Adds what was dropped since, as it is once `undo` has undone what bash undoes.
    pub(crate) fn add(&mut self, since: Self, undo: impl Fn(&mut Env)) {
        for (level, mut dropped) in self.0.iter_mut().zip(since.0) {
            dropped.iter_mut().for_each(&undo);
            *level = join_options(level.take(), dropped);
        }
    }
}

/// Whether arithmetic certainly gives a number: integers and variables that hold some, with signs between them that
/// cannot fail. `values` are those of the parts that are no literal text, in order.
pub(crate) fn is_certain(expression: &Arithmetic, values: &[Value], env: &Env) -> bool {
    let mut values = values.iter();
    let mut text = String::new();
    for part in &expression.parts {
        match part {
            Part::Literal(literal) => text.push_str(literal),
            Part::Quoted(_)
            | Part::DoubleQuoted(_)
            | Part::Tilde(_)
            | Part::Parameter(_)
            | Part::CommandSubstitution(_)
            | Part::Arithmetic(_)
            | Part::ProcessSubstitution(_)
            | Part::Glob(_)
            | Part::ExtendedGlob(_)
            | Part::Brace(_)
            | Part::CompoundAssignment(_) => match values.next() {
                // It stands alone, so that it joins no digits or names beside it.
                Some(value) if is_decimal(value) => text.push_str(" 1 "),
                Some(_) | None => return false,
            },
        }
    }
    is_sum(&text, env)
}

/// Whether a value is an integer that bash does not take for an octal one.
fn is_decimal(value: &Value) -> bool {
    match value {
        Value::Number => true,
        Value::Known(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let plain = digits == "0" || !digits.starts_with('0');
            plain
                && digits.len() <= 18
                && !digits.is_empty()
                && digits.bytes().all(|b| b.is_ascii_digit())
        }
        Value::Names(_) | Value::Listed(_) | Value::Array(_) | Value::Unknown(_) => false,
    }
}

/// Whether a text is a row of numbers with `+`, `-`, `*` and comparisons between them, perhaps assigned to a variable.
fn is_sum(text: &str, env: &Env) -> bool {
    let text = text.trim();
    let changes = text.contains("++") || text.contains("--") || text.contains('=');
    if changes && !env.readonly.is_empty() {
        return false;
    }
    let assigned = text.split_once('=').filter(|(front, back)| {
        let name = front.trim_end_matches(['+', '-', '*']).trim();
        is_name(name) && !back.starts_with('=')
    });
    let sum = assigned.map_or(text, |(_, back)| back).trim();
    let bare = ["++", "--"].iter().find_map(|sign| {
        let inside = sum.strip_suffix(sign).or_else(|| sum.strip_prefix(sign))?;
        is_name(inside).then_some(inside)
    });
    let operand = |word: &str| {
        let word = word.trim();
        is_decimal(&Value::Known(word.to_owned())) && !word.starts_with('-')
            || is_name(word) && env.variables.get(word).is_some_and(is_decimal)
    };
    bare.unwrap_or(sum)
        .replace("==", "+")
        .replace("!=", "+")
        .replace("<=", "+")
        .replace(">=", "+")
        .split(['+', '-', '*', '<', '>'])
        .all(operand)
}

/// Whether a text is the name of a variable.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
