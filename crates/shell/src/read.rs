//! Reads a text into the tree, or says why not; it never skips what it does not understand.

mod arithmetic;
mod brace;
mod builder;
mod command;
mod compound;
mod cursor;
mod expansion;
mod here;
mod parameter;
mod pattern;
mod pending;
mod quote;
mod redirect;
mod simple;
mod test;
mod word;

use crate::read::cursor::{Place, Reader};
use crate::span::Span;
use crate::tree::Script;
use crate::unread::{Unread, UnreadKind};

/// How much the reader takes on before it gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub length: usize,
    /// The deepest nesting of constructs.
    pub depth: usize,
    /// The most steps for each byte of the text. A step is a byte looked at or a node begun.
    pub steps_per_byte: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            length: 1 << 20,
            depth: 64,
            steps_per_byte: 256,
        }
    }
}

/// Reads a text with the default limits.
pub fn read(source: &str) -> Result<Script, Unread> {
    read_with(source, Limits::default())
}

/// Reads a text with the given limits.
pub fn read_with(source: &str, limits: Limits) -> Result<Script, Unread> {
    read_counted(source, limits).0
}

/// Reads a text and says how many steps it took, which grows with the length of the text and with nothing else.
pub fn read_counted(source: &str, limits: Limits) -> (Result<Script, Unread>, u64) {
    let whole = Span::new(0, source.len());
    if source.len() > limits.length {
        return (
            Err(Unread {
                kind: UnreadKind::TooLong,
                span: whole,
            }),
            0,
        );
    }
    let refused = |byte| matches!(byte, 0 | 1 | 0x7f);
    if let Some(at) = source.bytes().position(refused) {
        let nul = source.as_bytes().get(at) == Some(&0);
        return (
            Err(Unread {
                kind: if nul {
                    UnreadKind::Nul
                } else {
                    UnreadKind::Control
                },
                span: Span::new(at, at + 1),
            }),
            0,
        );
    }
    let length = u64::try_from(source.len()).unwrap_or(u64::MAX);
    let fuel = length
        .saturating_mul(limits.steps_per_byte)
        .saturating_add(1024);
    // Only where the text speaks of extended patterns can it have turned them on.
    let extended = source.contains("extglob");
    let mut reader = Reader::new(source, Place::From(0), limits.depth, fuel, extended);
    let script = reader.script();
    (script, fuel - reader.fuel)
}
