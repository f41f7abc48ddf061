//! What flows into or out of a command, as far as it can be told.

use crate::effects::command::Why;
use crate::effects::value::Value;

/// A stream of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Nothing of the script's own: the terminal, or nothing at all.
    Outside,
    /// Exactly this text, without the final newline.
    Known(String),
    /// Names below a directory, one a line, as a bash pattern in which `**` crosses slashes.
    Listed(String),
    /// One text that matches a pattern.
    Names(String),
    /// An integer.
    Number,
    /// What was fetched from the network.
    Download,
    /// It cannot be told.
    Unknown,
}

impl Stream {
    /// The value of a command substitution with this output.
    pub(crate) fn value(self) -> Value {
        match self {
            Self::Known(text) => Value::Known(text.trim_end_matches('\n').to_owned()),
            Self::Listed(pattern) => Value::Listed(pattern),
            Self::Names(pattern) => Value::Names(pattern),
            Self::Number => Value::Number,
            Self::Outside | Self::Download | Self::Unknown => Value::Unknown(Why::Output),
        }
    }

    /// The stream of a here-document or here-string with this value.
    pub(crate) fn of(value: &Value) -> Self {
        match value.scalar() {
            Value::Known(text) => Self::Known(text),
            Value::Number => Self::Number,
            Value::Names(pattern) => Self::Names(pattern),
            Value::Listed(pattern) => Self::Listed(pattern),
            Value::Array(_) | Value::Unknown(_) => Self::Unknown,
        }
    }
}
