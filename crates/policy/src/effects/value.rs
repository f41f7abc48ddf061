//! What is known of a variable's value or of a command's output while a script is read; a small abstract domain.

use crate::effects::command::{Field, Why};

/// A value, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// Exactly this text.
    Known(String),
    /// Some integer.
    Number,
    /// One text that matches this bash pattern; no `*` or `?` of it stands for a slash, a `**` may.
    Names(String),
    /// As `Names`, but the text comes from a listing, so that a strange file name may have been split into several
    /// words.
    Listed(String),
    /// An indexed array.
    Array(Vec<Value>),
    /// It cannot be told.
    Unknown(Why),
}

impl Value {
    /// The empty text, which an unset variable of the shell's own gives.
    pub(crate) fn empty() -> Self {
        Self::Known(String::new())
    }

    /// What holds where it is not known which of two values a variable has.
    pub(crate) fn join(self, other: &Self) -> Self {
        if self == *other {
            return self;
        }
        match (&self, other) {
            (Self::Known(a), Self::Number) | (Self::Number, Self::Known(a)) if is_integer(a) => {
                Self::Number
            }
            (Self::Known(a), Self::Known(b)) if is_integer(a) && is_integer(b) => Self::Number,
            _ => Self::Unknown(Why::TooMany),
        }
    }

    /// What is made of several values in a way that is not followed. Where none of them was written by the script, but
    /// for numbers, it is no worse than what comes from outside.
    pub(crate) fn made_of<'v>(parts: impl IntoIterator<Item = &'v Self>) -> Self {
        let why = if parts.into_iter().all(Self::is_no_code) {
            Why::Variable
        } else {
            Why::Transformation
        };
        Self::Unknown(why)
    }

    /// Whether arithmetic finds nothing in it that the script wrote for it to run.
    fn is_no_code(&self) -> bool {
        match self {
            Self::Number | Self::Unknown(Why::Variable | Why::Arithmetic) => true,
            Self::Known(text) => text.is_empty() || is_integer(text),
            Self::Array(items) => items.iter().all(Self::is_no_code),
            Self::Names(_) | Self::Listed(_) | Self::Unknown(_) => false,
        }
    }

    /// Whether it is certainly the text of an integer.
    pub(crate) fn is_integer(&self) -> bool {
        *self == Self::Number || self.known().is_some_and(is_integer)
    }

    /// The value as it stands in a word that is not split: the first element of an array.
    pub(crate) fn scalar(&self) -> Self {
        match self {
            Self::Array(items) => items.first().map_or_else(Self::empty, Self::scalar),
            Self::Known(_) | Self::Number | Self::Names(_) | Self::Listed(_) | Self::Unknown(_) => {
                self.clone()
            }
        }
    }

    /// The text where it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Number | Self::Names(_) | Self::Listed(_) | Self::Array(_) | Self::Unknown(_) => {
                None
            }
        }
    }

    /// The value of one field, for a loop variable or a positional parameter.
    pub(crate) fn of(field: Field) -> Self {
        match field {
            Field::Known(text) => Self::Known(text),
            // No name of a file has just this pattern: what the text itself writes like it has another.
            Field::Names(pattern) if pattern == NUMBER => Self::Number,
            Field::Names(pattern) => Self::Names(pattern),
            Field::Listed(pattern) => Self::Listed(pattern),
            Field::Unknown { why, .. } => Self::Unknown(why),
        }
    }

    /// The value as one quoted field.
    pub(crate) fn field(self) -> Field {
        match self.scalar() {
            Self::Known(text) => Field::Known(text),
            Self::Number => Field::Names(NUMBER.to_owned()),
            Self::Names(pattern) => Field::Names(pattern),
            Self::Listed(pattern) => Field::Listed(pattern),
            Self::Unknown(why) => Field::Unknown {
                why,
                prefix: String::new(),
                single: true,
            },
            Self::Array(_) => Field::Known(String::new()),
        }
    }
}

/// The pattern of an integer.
pub(crate) const NUMBER: &str = "[0-9]*";

/// The pattern of a character in the name of a temporary file that `mktemp` has just made.
pub(crate) const MADE: &str = "[0-9A-Za-z]";

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Text as a bash pattern that matches just it.
pub(crate) fn literal_pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_literal(&mut out, text);
    out
}

/// Appends text to a pattern so that it matches literally.
pub(crate) fn push_literal(pattern: &mut String, text: &str) {
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
}

/// The literal text with which every match of a pattern begins.
pub(crate) fn literal_prefix(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '*' | '?' | '[' => break,
            other => out.push(other),
        }
    }
    out
}

/// Whether a text that a pattern matches may begin with a dash, as an option does. Of a class in front only what needs
/// no locale is told: characters and ranges in ASCII.
pub(crate) fn may_begin_with_dash(pattern: &str) -> bool {
    let Some(class) = pattern.strip_prefix('[') else {
        return pattern.starts_with(['-', '*', '?', '+', '@', '!']) || pattern.is_empty();
    };
    let Some((inside, _)) = class.split_once(']') else {
        return false;
    };
    match inside.strip_prefix('!') {
        Some(excluded) => !excluded.starts_with('-'),
        // A dash between two characters is a range, and digits and letters do not span it.
        None => !inside
            .split('-')
            .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric())),
    }
}

/// A pattern divided into the literal directory from which it starts and the rest: `src/*.rs` is `src/` and `*.rs`.
pub(crate) fn split_pattern(pattern: &str) -> (String, String) {
    let mut literal = String::new();
    let mut directory = 0;
    let mut rest_at = 0;
    let mut chars = pattern.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => literal.extend(chars.next().map(|(_, escaped)| escaped)),
            '*' | '?' | '[' => break,
            other => literal.push(other),
        }
        if c == '/' {
            directory = literal.len();
            rest_at = at + 1;
        }
    }
    literal.truncate(directory);
    (literal, pattern.get(rest_at..).unwrap_or("").to_owned())
}
