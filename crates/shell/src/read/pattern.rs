//! Finds the bracket expressions of a pattern among the unquoted text of a word.

use crate::tree::Part;

/// Puts [`Part::Glob`] where a bracket expression stands. One that holds quotes or expansions is marked at its opening
/// bracket only.
pub(super) fn mark_brackets(parts: Vec<Part>) -> Vec<Part> {
    let last = parts.iter().rposition(closes);
    let mut marked = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        match part {
            Part::Literal(text) if text.contains('[') => {
                mark_text(&text, last.is_some_and(|last| last > at), &mut marked);
            }
            Part::Brace(brace) => marked.push(Part::Brace(mark_brace(brace))),
            other => marked.push(other),
        }
    }
    marked
}

fn mark_brace(brace: crate::tree::Brace) -> crate::tree::Brace {
    match brace {
        crate::tree::Brace::Alternatives(words) => crate::tree::Brace::Alternatives(
            words
                .into_iter()
                .map(|word| crate::tree::Word {
                    parts: mark_brackets(word.parts),
                    ..word
                })
                .collect(),
        ),
        range @ crate::tree::Brace::Range { .. } => range,
    }
}

fn closes(part: &Part) -> bool {
    match part {
        Part::Literal(text) => text.contains(']'),
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
        | Part::CompoundAssignment(_) => false,
    }
}

fn mark_text(text: &str, closed_later: bool, marked: &mut Vec<Part>) {
    let mut plain = String::new();
    let mut rest = text;
    let mut open_ended = false;
    while let Some((before, after)) = rest.split_once('[') {
        let length = if open_ended {
            None
        } else {
            bracket_length(after)
        };
        // What is not closed from here is not closed from further on, so it is not looked for again.
        open_ended = length.is_none();
        if open_ended && !closed_later {
            break;
        }
        let inside = after.get(..length.unwrap_or(0)).unwrap_or("");
        plain.push_str(before);
        if !plain.is_empty() {
            marked.push(Part::Literal(std::mem::take(&mut plain)));
        }
        marked.push(Part::Glob(format!("[{inside}")));
        rest = after.get(inside.len()..).unwrap_or("");
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        marked.push(Part::Literal(plain));
    }
}

/// The length of a bracket expression behind its opening bracket, with its closing one.
fn bracket_length(after: &str) -> Option<usize> {
    let bytes = after.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'!' | b'^')));
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match bytes.get(at)? {
            b']' => return Some(at + 1),
            b'[' if matches!(bytes.get(at + 1), Some(b':' | b'.' | b'=')) => {
                at += class_length(bytes.get(at..)?);
            }
            _ => at += 1,
        }
    }
}

/// The length of `[:class:]`, or one where it is none. Class names are short.
fn class_length(bytes: &[u8]) -> usize {
    let Some(&kind) = bytes.get(1) else {
        return 1;
    };
    let name = bytes.iter().skip(2).take(16);
    let mut windows = name.clone().zip(name.skip(1));
    windows
        .position(|(&mark, &end)| mark == kind && end == b']')
        .map_or(1, |at| at + 4)
}
