//! What a tree says could run: for each simple command a pattern for its words, computed parts left open.

use countersign_shell::tree::{Parameter, ParameterOperation, Part, Script, Simple, Word};
use countersign_shell::walk;

/// What one word of a command may become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Exactly one word; `None` is any text.
    One(Vec<Option<String>>),
    /// Any number of words, perhaps none.
    Many,
}

/// The words of one command.
pub type Shapes = Vec<Shape>;

/// Names whose arguments bash reads or evaluates again, so that a command in them is data of the text.
const AGAIN: &[&str] = &[
    "eval",
    "trap",
    ".",
    "source",
    "command",
    "builtin",
    "exec",
    "alias",
    "mapfile",
    "readarray",
    "complete",
    "compgen",
    "let",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "test",
    "[",
    "printf",
    "read",
    "unset",
    "wait",
    "getopts",
    "set",
    "shopt",
    "coproc",
    "hash",
    "time",
];

/// The commands of a tree.
pub fn shown(script: &Script) -> Vec<Shapes> {
    walk::commands(script).into_iter().map(shapes).collect()
}

/// Whether the tree has a command that reads or evaluates text again.
pub fn reads_again(shown: &[Shapes]) -> bool {
    shown.iter().any(|shapes| {
        AGAIN
            .iter()
            .any(|name| is_run_by(&[(*name).to_owned()], shapes.get(..1).unwrap_or(&[])))
    })
}

/// Whether one of the commands can be the one that bash ran.
pub fn explains(shown: &[Shapes], argv: &[String]) -> bool {
    shown.iter().any(|shapes| is_run_by(argv, shapes))
}

/// Whether one of the commands can have the name that bash looked up.
pub fn explains_name(shown: &[Shapes], name: &str) -> bool {
    // Only the name is compared: whatever follows it may be missing or more.
    shown.iter().any(|shapes| {
        (1..=shapes.len())
            .any(|length| is_run_by(&[name.to_owned()], shapes.get(..length).unwrap_or(&[])))
    })
}

/// Whether a command shows this name without any open part.
pub fn shows_exactly(shown: &[Shapes], name: &str) -> bool {
    let exact = Shape::One(vec![Some(name.to_owned())]);
    shown.iter().any(|shapes| shapes.first() == Some(&exact))
}

fn shapes(simple: &Simple) -> Shapes {
    simple.words.iter().map(shape).collect()
}

fn shape(word: &Word) -> Shape {
    let mut pieces = Vec::new();
    if fill(&word.parts, false, &mut pieces) {
        Shape::One(merged(pieces))
    } else {
        Shape::Many
    }
}

/// Adds what the parts become; false where they may become several words or none.
fn fill(parts: &[Part], quoted: bool, pieces: &mut Vec<Option<String>>) -> bool {
    parts.iter().all(|part| match part {
        Part::Literal(text) | Part::Quoted(text) => {
            pieces.push(Some(text.clone()));
            true
        }
        Part::DoubleQuoted(inner) => {
            pieces.push(Some(String::new()));
            fill(inner, true, pieces)
        }
        Part::Parameter(parameter) => {
            pieces.push(None);
            quoted && !is_list(parameter)
        }
        Part::CommandSubstitution(_) | Part::Arithmetic(_) => {
            pieces.push(None);
            quoted
        }
        Part::Glob(_) | Part::ExtendedGlob(_) | Part::Brace(_) => false,
        Part::ProcessSubstitution(_) | Part::Tilde(_) | Part::CompoundAssignment(_) => {
            pieces.push(None);
            true
        }
    })
}

/// Whether a parameter in double quotes may become several words.
fn is_list(parameter: &Parameter) -> bool {
    let whole = parameter.name == "@" || parameter.indirect || parameter.subscript.is_some();
    whole
        || matches!(
            parameter.operation,
            ParameterOperation::Names | ParameterOperation::Fallback { .. }
        )
}

fn merged(pieces: Vec<Option<String>>) -> Vec<Option<String>> {
    let mut out: Vec<Option<String>> = Vec::new();
    for piece in pieces {
        match (out.last_mut(), piece) {
            (Some(Some(before)), Some(text)) => before.push_str(&text),
            (Some(None), None) => {}
            (_, piece) => out.push(piece),
        }
    }
    if out.len() > 1 {
        out.retain(|piece| piece.as_ref().is_none_or(|text| !text.is_empty()));
    }
    out
}

fn is_run_by(argv: &[String], shapes: &[Shape]) -> bool {
    match (shapes.split_first(), argv.split_first()) {
        (None, None) => true,
        (Some((Shape::Many, rest)), _) => {
            (0..=argv.len()).any(|taken| is_run_by(argv.get(taken..).unwrap_or(&[]), rest))
        }
        (None, Some(_)) | (Some((Shape::One(_), _)), None) => false,
        (Some((Shape::One(pieces), rest)), Some((word, others))) => {
            fits(pieces, word) && is_run_by(others, rest)
        }
    }
}

fn fits(pieces: &[Option<String>], word: &str) -> bool {
    match pieces.split_first() {
        None => word.is_empty(),
        Some((Some(text), rest)) => word
            .strip_prefix(text.as_str())
            .is_some_and(|tail| fits(rest, tail)),
        Some((None, rest)) => {
            let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]);
            ends.into_iter()
                .any(|at| word.get(at..).is_some_and(|tail| fits(rest, tail)))
        }
    }
}
