//! Checking a whole journal against its chain and its head record; it repairs nothing.

use super::broken::Flaw;
use super::entries::Entries;
use super::error::{JournalError, Step};
use super::hash::Hash;
use super::held::{Place, Span, decode_head, length, lock, open_regular, read_head, span};
use super::time::Timestamp;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

/// How long to wait for a process that is writing.
const WAIT: Duration = Duration::from_secs(5);

/// What a journal that holds together amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The number of lines.
    pub lines: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// The hash of the last line. Kept out of reach, it proves later that nothing up to here was rewritten.
    pub last: Hash,
    /// The times of the first and the last line.
    pub times: Option<(Timestamp, Timestamp)>,
    /// The bytes after the last settled line that a process left when it died; the next one that writes takes them up
    /// or cuts them off.
    pub unsettled: Option<u64>,
}

/// Checks every line of a journal and its head record, in little memory. While it runs others may append: it checks
/// what was there when it began.
///
/// What does not fit is [`JournalError::Broken`], with the line at which it shows first.
pub fn verify(path: &Path) -> Result<Summary, JournalError> {
    let place = Place::of_file(path);
    let log = open_log(&place)?;
    lock(&log, path, WAIT, File::try_lock_shared)?;
    let bytes = length(&log, path)?;
    let head = open_head(&place)?;
    let text = read_head(&head, &place.head)?;
    // What was there stays as it is, so that nobody needs to wait for the rest.
    log.unlock().map_err(JournalError::io(Step::Lock, path))?;

    let mut lines = Entries::new(&place, log, bytes);
    let mut times: Option<(Timestamp, Timestamp)> = None;
    let head = decode_head(&place, &text);
    let mut settled = head.as_ref().map_or(0, |head| head.settled.lines) == 0;
    for entry in &mut lines {
        let entry = entry?;
        let first = times.map_or(entry.time, |(first, _)| first);
        times = Some((first, entry.time));
        if let Ok(head) = &head
            && entry.seq == head.settled.lines
        {
            settled = entry.hash == head.settled.last;
        }
    }
    let head = head?;
    let end = lines.end();
    let last = end.lines + u64::from(lines.torn() > 0);
    let broken = |flaw| Err(JournalError::broken(path, Some(last), flaw));
    let unsettled = match span(head, bytes) {
        Span::Settled if lines.torn() > 0 => return broken(Flaw::Torn),
        Span::Settled if end != head.settled => return broken(Flaw::Last),
        Span::All(to) if end != to => return broken(Flaw::Last),
        Span::Wrong(flaw) => return broken(flaw),
        Span::Settled => None,
        Span::Nothing(_) => Some(0),
        Span::Part(_, bytes) => Some(bytes),
        Span::All(to) => Some(to.bytes - head.settled.bytes),
    };
    if !settled {
        return broken(Flaw::Last);
    }
    Ok(Summary {
        lines: end.lines,
        bytes: end.bytes,
        last: end.last,
        times,
        unsettled,
    })
}

/// Opens the log; where only its head record is left, that is said.
fn open_log(place: &Place) -> Result<File, JournalError> {
    match open_regular(&place.log, OpenOptions::new().read(true)) {
        Err(JournalError::Io { source, .. })
            if source.kind() == io::ErrorKind::NotFound && place.head.exists() =>
        {
            Err(JournalError::broken(&place.log, None, Flaw::JournalMissing))
        }
        other => other,
    }
}

/// Opens the head record; where it is gone, that is said.
fn open_head(place: &Place) -> Result<File, JournalError> {
    match open_regular(&place.head, OpenOptions::new().read(true)) {
        Err(JournalError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Err(JournalError::broken(&place.head, None, Flaw::HeadMissing))
        }
        other => other,
    }
}
