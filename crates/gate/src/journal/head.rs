//! The head record: how far a journal has come, kept beside it so that a cut tail shows; it is text, not a file.

use super::chain::End;
use super::hash::Hash;
use super::name::SessionName;
use serde::{Deserialize, Serialize};

/// The length of a head record in bytes. It is always written whole and in place: one small write within one page is
/// never seen half done after the death of a process, and a full disk cannot refuse it.
pub(super) const HEAD_BYTES: usize = 512;

/// A head record.
///
/// Before lines are appended, `pending` says where the journal will end; once they are written, that becomes `settled`
/// and `pending` is empty. So every state in which a process can die is told from tampering: only while something is
/// pending may the journal's length differ from the settled one, and then only up to the pending one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Where the journal ends.
    pub(super) settled: End,
    /// Where it ends once the write that was begun is done.
    pub(super) pending: Option<End>,
}

/// A head record as it is written, but for the spaces that fill it up.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    v: u64,
    settled: End,
    pending: Option<End>,
    /// Over session, settled and pending, so that any changed bit shows, also in a record that is pending.
    sum: Hash,
}

#[derive(Deserialize)]
struct Probe {
    v: u64,
}

/// Why a head record cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Its version is not known.
    Version(u64),
    /// It is not one that we write.
    Form,
}

const VERSION: u64 = 1;

impl Head {
    /// The record of a journal that ends there.
    pub(super) const fn settled(end: End) -> Self {
        Self {
            settled: end,
            pending: None,
        }
    }

    /// The bytes of the record.
    pub(super) fn encode(self, session: &SessionName) -> Vec<u8> {
        let text = Text {
            v: VERSION,
            settled: self.settled,
            pending: self.pending,
            sum: self.sum(session),
        };
        // These types always serialise; an empty record would not be read, which refuses.
        let mut bytes = serde_json::to_vec(&text).unwrap_or_default();
        bytes.resize(HEAD_BYTES - 1, b' ');
        bytes.push(b'\n');
        bytes
    }

    /// Reads exactly what is written: the slightest other form is refused.
    pub(super) fn decode(bytes: &[u8], session: &SessionName) -> Result<Self, Unreadable> {
        let Ok(text) = serde_json::from_slice::<Text>(bytes) else {
            return match serde_json::from_slice::<Probe>(bytes) {
                Ok(probe) if probe.v != VERSION => Err(Unreadable::Version(probe.v)),
                Ok(_) | Err(_) => Err(Unreadable::Form),
            };
        };
        let head = Self {
            settled: text.settled,
            pending: text.pending,
        };
        match head.encode(session) == bytes {
            true => Ok(head),
            false if text.v != VERSION => Err(Unreadable::Version(text.v)),
            false => Err(Unreadable::Form),
        }
    }

    fn sum(self, session: &SessionName) -> Hash {
        let end = |end: &End| format!("{} {} {}", end.lines, end.bytes, end.last);
        let pending = self.pending.as_ref().map_or_else(String::new, end);
        let settled = end(&self.settled);
        Hash::of(format!("countersign head 1\n{session}\n{settled}\n{pending}\n").as_bytes())
    }
}
