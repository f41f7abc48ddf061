//! A session's journal: an append-only log of a closed set of events from which all state is rebuilt. It judges
//! nothing.
//!
//! # Form
//!
//! `<session>.jsonl` holds one JSON object per line, and each line holds the SHA-256 of the line before. Beside it,
//! `<session>.head` holds the number of lines, their length and the hash of the last. Many processes append to one
//! session: a file lock orders them, and each takes up the chain at the head record without reading the log.
//!
//! # A write
//!
//! Under the lock the head record first announces where the log will end, then all lines are appended in one write,
//! then the head record is settled. So whatever process dies, and wherever, the next one can tell what happened:
//! lines that are all there are kept, others are cut off, and a notice of it is the next line. No call is answered
//! before its record is settled, so what is cut off was never acted upon. What lies in the page cache survives the
//! death of the process; what a person said is synced to the disk too ([`Sync`]).
//!
//! # What the chain holds against
//!
//! Anything that changes a journal without knowing its form shows: a changed bit, a line removed, doubled, moved or
//! put in, a tail or a file cut off, a head record lost. It does not hold against somebody who can write to the files
//! and computes the chain and the head record anew, or removes both: no key is involved that the same user could not
//! read. Whoever needs that keeps [`verify::Summary::last`] somewhere else, out of reach, and compares. A power cut
//! may leave log and head record apart where the last writes were not synced; that shows as a break.

pub mod event;
pub mod judged;
pub mod closed;
pub mod recorded;
pub mod entries;
pub mod back;
pub mod standing;
pub mod verify;
pub mod name;
pub mod clip;
pub mod time;
pub mod hash;
pub mod chain;
pub mod line;
pub mod broken;
pub mod error;
mod head;
mod held;
mod named;

use back::Back;
use error::{JournalError, Step};
use event::{Event, NoticeCode};
use held::{BATCH_BYTES, Held, Place, Repair};
use line::LINE_BYTES;
use name::SessionName;
use recorded::Recorded;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use time::Timestamp;

/// A session's journal. It keeps no file open and no lock between two records, so it can be shared and copied freely.
#[derive(Debug, Clone)]
pub struct Journal {
    place: Place,
    options: Options,
}

/// How a journal is written.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// What is synced to the disk.
    pub sync: Sync,
    /// How long to wait for other processes that write to the same session.
    pub lock_wait: Duration,
    /// The clock.
    pub clock: fn() -> Timestamp,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sync: Sync::Answers,
            lock_wait: Duration::from_secs(2),
            clock: Timestamp::now,
        }
    }
}

/// What reaches the disk before it counts as recorded, and so survives a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sync {
    /// What people answered, and what is kept or withdrawn for good.
    #[default]
    Answers,
    /// Everything.
    All,
}

impl Journal {
    /// Opens the journal of a session in the state directory, whatever the session's foreign identity holds. Makes
    /// what is not there yet, and puts in order what a process left that died while it wrote.
    pub fn open(state: &Path, session: &str, options: Options) -> Result<Self, JournalError> {
        let journal = Self::at(state, session, options)?;
        journal.record(&[])?;
        Ok(journal)
    }

    /// The journal of a session, with its directory made but its files not yet looked at: the first record does that.
    /// For a process that records once and ends.
    pub fn at(state: &Path, session: &str, options: Options) -> Result<Self, JournalError> {
        let directory = state.join("journal");
        let made = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&directory);
        made.map_err(JournalError::io(Step::MakeDirectory, &directory))?;
        let place = Place::new(&directory, SessionName::of(session));
        Ok(Self { place, options })
    }

    /// Writes events, all of them or none, and returns one proof for each. After an error nothing counts as recorded,
    /// and the call must be refused.
    pub fn record(&self, events: &[Event]) -> Result<Vec<Recorded>, JournalError> {
        self.record_after(None, events)
    }

    /// Like [`Self::record`], with `opening` in front where nothing was recorded in the session before. Of several
    /// processes that begin a session at once, one writes it. There is no proof for the opening.
    pub fn record_after(
        &self,
        opening: Option<&Event>,
        events: &[Event],
    ) -> Result<Vec<Recorded>, JournalError> {
        let held = Held::take(&self.place, self.options.lock_wait)?;
        self.write(held, opening, events)
    }

    /// Like [`Self::record`], with events that depend on what was recorded before: `events` looks at it, from the last
    /// line back, and no other process writes between the look and the record. For a journal that may be read whole
    /// in the worst case, it is called where that rarely happens.
    ///
    /// # Errors
    ///
    /// Those of [`Self::record`], and those of `events`; then nothing was recorded.
    pub fn record_seeing(
        &self,
        events: impl FnOnce(Back<'_>) -> Result<Vec<Event>, JournalError>,
    ) -> Result<Vec<Recorded>, JournalError> {
        let held = Held::take(&self.place, self.options.lock_wait)?;
        let events = events(held.back())?;
        self.write(held, None, &events)
    }

    /// Writes events to a journal that is held, with `opening` in front where it is new.
    fn write(
        &self,
        mut held: Held<'_>,
        opening: Option<&Event>,
        events: &[Event],
    ) -> Result<Vec<Recorded>, JournalError> {
        let notice = held.repair().map(repaired);
        let opening = opening.filter(|_| held.end().lines == 0);
        let all = || notice.iter().chain(opening).chain(events);
        let time = (self.options.clock)();
        let mut end = held.end();
        let mut lines = Vec::with_capacity(1024 * (events.len() + 1));
        let mut recorded = Vec::with_capacity(events.len() + 2);
        for event in all() {
            let before = lines.len();
            let name = event.name();
            end = line::write(&mut lines, end, time, event).map_err(|source| {
                JournalError::Encode {
                    event: name,
                    source,
                }
            })?;
            if lines.len() - before > LINE_BYTES || lines.len() > BATCH_BYTES {
                return Err(JournalError::TooLong { event: name });
            }
            recorded.push(Recorded::new(event, end.lines, time, end.last));
        }
        if lines.is_empty() {
            return Ok(recorded);
        }
        let to_disk = match self.options.sync {
            Sync::All => true,
            Sync::Answers => all().any(Event::is_a_persons_word),
        };
        held.append(&lines, end, to_disk)?;
        recorded.drain(..usize::from(notice.is_some()) + usize::from(opening.is_some()));
        Ok(recorded)
    }

    /// The file of the lines.
    pub fn path(&self) -> &Path {
        &self.place.log
    }

    /// The file of the head record.
    pub fn head_path(&self) -> PathBuf {
        self.place.head.clone()
    }

    /// The name under which the session is kept.
    pub const fn session(&self) -> &SessionName {
        &self.place.session
    }
}

/// The notice of a repair.
fn repaired(repair: Repair) -> Event {
    let text = match repair {
        Repair::Kept { lines } => {
            format!(
                "a process died before its record was settled, its {lines} lines were whole and count"
            )
        }
        Repair::Dropped { bytes } => {
            format!(
                "a process died while it wrote, {bytes} bytes that were never acted upon were cut off"
            )
        }
    };
    Event::notice(NoticeCode::JournalRepaired, &text)
}
