//! The hash chain: what a line's `prev` is, and the end to which a chain of lines has come; it reads no file.

use super::name::SessionName;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// A SHA-256, written as 64 small hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads exactly the form that is written.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Self(bytes))
    }
}

/// The value of a small hexadecimal digit; large ones are not what is written.
const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0_u8; 64];
        let digit = |value: u8| {
            if value < 10 {
                b'0' + value
            } else {
                b'a' + value - 10
            }
        };
        for (pair, byte) in text.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("a hash that is not 64 small hex digits"))
    }
}

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
