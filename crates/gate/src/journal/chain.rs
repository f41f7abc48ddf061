//! The end to which a chain of lines has come, and how one more line moves it; it reads no file.

use super::hash::Hash;
use super::name::SessionName;
use serde::{Deserialize, Serialize};

/// How far a chain has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The number of lines.
    pub lines: u64,
    /// Their length in bytes, newlines included.
    pub bytes: u64,
    /// The hash of the last line with its newline; of the session's genesis text where there is no line.
    pub last: Hash,
}

impl End {
    /// The end of a journal without lines. It binds the chain to the session's name, so that one session's journal
    /// cannot be put in the place of another's.
    pub fn genesis(session: &SessionName) -> Self {
        let text = format!("countersign journal 1\n{session}\n");
        Self {
            lines: 0,
            bytes: 0,
            last: Hash::of(text.as_bytes()),
        }
    }

    /// The end after one more line, given with its newline.
    #[must_use]
    pub fn after(self, line: &[u8]) -> Self {
        Self {
            lines: self.lines + 1,
            bytes: self.bytes + line.len() as u64,
            last: Hash::of(line),
        }
    }
}
