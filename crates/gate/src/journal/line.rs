//! One line of a journal: an event with its number, time and place in the chain; written and read here, kept elsewhere.

use super::broken::Flaw;
use super::chain::End;
use super::event::Event;
use super::hash::Hash;
use super::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The version of the lines that this program writes.
pub const VERSION: u64 = 1;

/// The longest line in bytes, newline included. Nothing longer is written, and reading stops at it.
pub const LINE_BYTES: usize = 4 * 1024 * 1024;

/// A line as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of the line, counted from 1.
    pub seq: u64,
    /// When it was written, by the clock of whoever wrote it.
    pub time: Timestamp,
    /// The hash of the line before.
    pub prev: Hash,
    /// The hash of the line itself.
    pub hash: Hash,
    /// What happened.
    pub event: Event,
}

#[derive(Serialize)]
struct Written<'a> {
    v: u64,
    seq: u64,
    time: Timestamp,
    prev: Hash,
    #[serde(flatten)]
    event: &'a Event,
}

#[derive(Deserialize)]
struct Read {
    v: u64,
    seq: u64,
    time: Timestamp,
    prev: Hash,
    #[serde(flatten)]
    event: Event,
}

/// What says why a line could not be read.
#[derive(Deserialize)]
struct Probe {
    v: u64,
    event: Option<String>,
}

/// Appends the line of `event` to `out` and returns the end of the chain after it.
pub(super) fn write(
    out: &mut Vec<u8>,
    end: End,
    time: Timestamp,
    event: &Event,
) -> Result<End, serde_json::Error> {
    let start = out.len();
    let line = Written {
        v: VERSION,
        seq: end.lines + 1,
        time,
        prev: end.last,
        event,
    };
    serde_json::to_writer(&mut *out, &line)?;
    out.push(b'\n');
    Ok(end.after(out.get(start..).unwrap_or_default()))
}

/// Reads one line, given with its newline.
pub(super) fn read(bytes: &[u8]) -> Result<Entry, Flaw> {
    // The version is read first: what is right in a newer one must not be called wrong here.
    match serde_json::from_slice::<Read>(bytes) {
        Ok(line) if line.v == VERSION => Ok(Entry {
            seq: line.seq,
            time: line.time,
            prev: line.prev,
            hash: Hash::of(bytes),
            event: line.event,
        }),
        Ok(line) => Err(Flaw::Version(line.v)),
        Err(error) => Err(why(bytes, &error)),
    }
}

/// Why a line cannot be read, as exactly as can be told.
fn why(bytes: &[u8], error: &serde_json::Error) -> Flaw {
    let Ok(probe) = serde_json::from_slice::<Probe>(bytes) else {
        return Flaw::Form(error.to_string());
    };
    match probe.event {
        _ if probe.v != VERSION => Flaw::Version(probe.v),
        Some(event) if !Event::NAMES.contains(&event.as_str()) => Flaw::UnknownEvent(event),
        Some(_) | None => Flaw::Form(error.to_string()),
    }
}
