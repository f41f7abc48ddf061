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

/// Whether extended patterns such as `@(a|b)` are on, outside of `[[ … ]]` where they always are.
///
/// Bash needs to know before it reads a line, and a text that means one thing with them can mean another without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extended {
    /// They are off, as bash begins: `!(a)` is a negated subshell where a command may stand, and nothing elsewhere.
    Off,
    /// They are on, as with `bash -O extglob`.
    On,
    /// They are taken for on where the text speaks of `extglob`, for only then can it have turned them on.
    #[default]
    ByText,
}

impl Extended {
    fn for_text(self, source: &str) -> bool {
        match self {
            Self::Off => false,
            Self::On => true,
            Self::ByText => source.contains("extglob"),
        }
    }
}

/// How much the reader takes on before it gives up, and what it takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub length: usize,
    /// The deepest nesting of constructs.
    pub depth: usize,
    /// The most steps for each byte of the text. A step is a byte looked at or a node begun.
    pub steps_per_byte: u64,
    /// Whether extended patterns are on.
    pub extended: Extended,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            length: 1 << 20,
            depth: 64,
            steps_per_byte: 256,
            extended: Extended::ByText,
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
    let extended = limits.extended.for_text(source);
    let mut reader = Reader::new(source, Place::From(0), limits.depth, fuel, extended);
    let script = reader.script();
    (script, fuel - reader.fuel)
}
