//! A session's two files, opened and locked: the one place that appends, settles and repairs. What a line says is not
//! known here.

use super::back::Back;
use super::broken::Flaw;
use super::chain::End;
use super::error::{JournalError, Step};
use super::head::{HEAD_BYTES, Head, Unreadable};
use super::line;
use super::name::SessionName;
use crate::fault::{Point, is_wanted, reach};
use rustix::fs::OFlags;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where a session's journal is kept.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) session: SessionName,
    pub(super) log: PathBuf,
    pub(super) head: PathBuf,
}

impl Place {
    /// The place of a session's journal in a directory.
    pub(super) fn new(directory: &Path, session: SessionName) -> Self {
        Self {
            log: directory.join(format!("{session}.jsonl")),
            head: directory.join(format!("{session}.head")),
            session,
        }
    }

    /// The place of an existing journal; its name in the chain is its file name.
    pub(super) fn of_file(log: &Path) -> Self {
        let stem = log.file_stem().unwrap_or_default().to_string_lossy();
        Self {
            session: SessionName::of_file_stem(&stem),
            log: log.to_owned(),
            head: log.with_extension("head"),
        }
    }
}

/// The exclusive right to append to a journal, until it is dropped.
#[derive(Debug)]
pub(super) struct Held<'a> {
    place: &'a Place,
    log: File,
    head: File,
    end: End,
    repair: Option<Repair>,
}

/// What a dead process had left, and was put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repair {
    /// Its lines were all there and now count.
    Kept {
        /// How many.
        lines: u64,
    },
    /// They were not all there, and what was there is cut off.
    Dropped {
        /// How many bytes.
        bytes: u64,
    },
}

impl<'a> Held<'a> {
    /// Opens both files, making them where the session is new, locks the journal, and puts in order what a process left
    /// that died while it wrote. Anything else that does not fit is an error.
    pub(super) fn take(place: &'a Place, wait: Duration) -> Result<Self, JournalError> {
        let log = open(&place.log, OpenOptions::new().append(true))?;
        lock(&log, &place.log, wait, File::try_lock)?;
        reach(Point::JournalMade);
        let record = open(&place.head, OpenOptions::new().write(true))?;
        reach(Point::HeadMade);
        let length = length(&log, &place.log)?;
        let mut held = Self {
            place,
            log,
            head: record,
            end: End::genesis(&place.session),
            repair: None,
        };
        let text = read_head(&held.head, &place.head)?;
        // A journal without a line and without a whole head record was being made by a process that died or had no
        // space.
        if length == 0 && text.len() < HEAD_BYTES {
            held.write_head(Head::settled(held.end))?;
        } else {
            held.take_up(decode_head(place, &text)?, length)?;
        }
        Ok(held)
    }

    /// Where the journal ends.
    pub(super) const fn end(&self) -> End {
        self.end
    }

    /// What was recorded so far, from the last line back.
    pub(super) fn back(&self) -> Back<'_> {
        Back::new(&self.place.log, &self.log, self.end.bytes)
    }

    /// What was put in order.
    pub(super) const fn repair(&self) -> Option<Repair> {
        self.repair
    }

    /// Appends `lines`, which lead to `end`, in one write. After an error the journal is as it was before, as far as
    /// the operating system lets us; where it does not, the next process finds the write announced and takes it back.
    pub(super) fn append(
        &mut self,
        lines: &[u8],
        end: End,
        to_disk: bool,
    ) -> Result<(), JournalError> {
        self.write_head(Head {
            settled: self.end,
            pending: Some(end),
        })?;
        reach(Point::Announced);
        let written = self.write_lines(lines).and_then(|()| {
            reach(Point::Appended);
            sync(to_disk, &self.log, &self.place.log)?;
            self.write_head(Head::settled(end))
        });
        if let Err(error) = written {
            // Where this fails too the write stays announced, and the next process takes it back.
            drop(self.take_back(self.end));
            return Err(error);
        }
        reach(Point::Settled);
        self.end = end;
        // From here on an error cannot take the lines back: they are recorded, and the answer is still refused.
        sync(to_disk, &self.head, &self.place.head)?;
        self.sync_directory(to_disk)
    }

    fn write_lines(&self, lines: &[u8]) -> Result<(), JournalError> {
        let path = &self.place.log;
        let mut log = &self.log;
        if is_wanted(Point::HalfAppended) {
            let half = lines.get(..lines.len() / 2).unwrap_or_default();
            log.write_all(half)
                .map_err(JournalError::io(Step::Write, path))?;
            reach(Point::HalfAppended);
        }
        let wrote = loop {
            match log.write(lines) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(JournalError::io(Step::Write, path))?,
            }
        };
        if wrote == lines.len() {
            return Ok(());
        }
        // A regular file takes less only where it can take no more: the disk or a limit is full.
        Err(JournalError::Short {
            path: path.clone(),
            wrote: wrote as u64,
            due: lines.len() as u64,
        })
    }

    /// Takes up where the head record says the journal ends.
    fn take_up(&mut self, head: Head, length: u64) -> Result<(), JournalError> {
        let flaw = match span(head, length) {
            Span::Settled => {
                self.end = head.settled;
                return Ok(());
            }
            Span::Nothing(end) => return self.repair_by_dropping(end, 0),
            Span::Part(end, bytes) => return self.repair_by_dropping(end, bytes),
            Span::All(end) if self.leads_to(head.settled, end)? => {
                self.write_head(Head::settled(end))?;
                let lines = end.lines.saturating_sub(head.settled.lines);
                self.end = end;
                self.repair = Some(Repair::Kept { lines });
                return Ok(());
            }
            Span::All(_) => Flaw::Chain,
            Span::Wrong(flaw) => flaw,
        };
        let line = head.settled.lines + 1;
        Err(JournalError::broken(&self.place.log, Some(line), flaw))
    }

    fn repair_by_dropping(&mut self, end: End, bytes: u64) -> Result<(), JournalError> {
        self.take_back(end)?;
        self.end = end;
        self.repair = Some(Repair::Dropped { bytes });
        Ok(())
    }

    /// Makes the journal end at `end` again.
    fn take_back(&self, end: End) -> Result<(), JournalError> {
        let cut = self.log.set_len(end.bytes);
        cut.map_err(JournalError::io(Step::Truncate, &self.place.log))?;
        self.write_head(Head::settled(end))
    }

    /// Whether the lines after `from` are well formed, chained, and end exactly at `to`.
    fn leads_to(&self, from: End, to: End) -> Result<bool, JournalError> {
        let length = to.bytes.saturating_sub(from.bytes);
        let mut bytes = vec![
            0;
            usize::try_from(length)
                .unwrap_or(usize::MAX)
                .min(BATCH_BYTES)
        ];
        let read = self.log.read_exact_at(&mut bytes, from.bytes);
        read.map_err(JournalError::io(Step::Read, &self.place.log))?;
        let mut end = from;
        for text in bytes.split_inclusive(|&byte| byte == b'\n') {
            match line::read(text) {
                Ok(entry) if entry.seq == end.lines + 1 && entry.prev == end.last => {
                    end = end.after(text);
                }
                Ok(_) | Err(_) => return Ok(false),
            }
        }
        Ok(end == to)
    }

    fn write_head(&self, head: Head) -> Result<(), JournalError> {
        let bytes = head.encode(&self.place.session);
        let written = self.head.write_all_at(&bytes, 0);
        written.map_err(JournalError::io(Step::Write, &self.place.head))
    }

    /// A file that was just made reaches the disk only with its directory.
    fn sync_directory(&self, to_disk: bool) -> Result<(), JournalError> {
        let directory = self.place.log.parent().unwrap_or(Path::new("."));
        if to_disk {
            let synced = File::open(directory).and_then(|directory| directory.sync_all());
            synced.map_err(JournalError::io(Step::Sync, directory))?;
        }
        Ok(())
    }
}

/// The most bytes that are appended at once; what a dead process left is read back in one piece.
pub(super) const BATCH_BYTES: usize = 2 * line::LINE_BYTES;

/// How a journal's length stands to its head record.
pub(super) enum Span {
    /// It ends where the record says.
    Settled,
    /// A write was announced and nothing of it is there; it ends there.
    Nothing(End),
    /// A write was announced and so many bytes of it are there; it ended there before.
    Part(End, u64),
    /// A write was announced and is there; it ends there if the lines are right.
    All(End),
    /// No process that died leaves it like this.
    Wrong(Flaw),
}

/// Tells how a journal's length stands to its head record.
pub(super) fn span(head: Head, length: u64) -> Span {
    let from = head.settled;
    let to = head.pending.unwrap_or(from);
    if length < from.bytes {
        let recorded = from.bytes;
        return Span::Wrong(Flaw::Cut {
            recorded,
            found: length,
        });
    }
    if length > to.bytes {
        let recorded = to.bytes;
        return Span::Wrong(Flaw::Grown {
            recorded,
            found: length,
        });
    }
    match head.pending {
        None => Span::Settled,
        Some(_) if length == from.bytes => Span::Nothing(from),
        Some(to) if length == to.bytes => Span::All(to),
        Some(_) => Span::Part(from, length - from.bytes),
    }
}

/// Reads a head record's bytes, and one more than it may have.
pub(super) fn read_head(head: &File, path: &Path) -> Result<Vec<u8>, JournalError> {
    let mut text = Vec::with_capacity(HEAD_BYTES + 1);
    let read = head.take(HEAD_BYTES as u64 + 1).read_to_end(&mut text);
    read.map_err(JournalError::io(Step::Read, path))?;
    Ok(text)
}

/// Reads a head record, or says what is wrong with it.
pub(super) fn decode_head(place: &Place, text: &[u8]) -> Result<Head, JournalError> {
    Head::decode(text, &place.session).map_err(|unreadable| {
        let flaw = match unreadable {
            Unreadable::Version(version) => Flaw::Version(version),
            Unreadable::Form if text.is_empty() => Flaw::HeadMissing,
            Unreadable::Form => Flaw::HeadForm,
        };
        JournalError::broken(&place.head, None, flaw)
    })
}

/// The length of an open file in bytes.
pub(super) fn length(file: &File, path: &Path) -> Result<u64, JournalError> {
    let metadata = file
        .metadata()
        .map_err(JournalError::io(Step::Read, path))?;
    Ok(metadata.len())
}

/// Has a file's content reach the disk, where that is wanted.
fn sync(to_disk: bool, file: &File, path: &Path) -> Result<(), JournalError> {
    if to_disk {
        file.sync_data()
            .map_err(JournalError::io(Step::Sync, path))?;
    }
    Ok(())
}

/// Opens a file of ours, readable by nobody else, following no link and hanging at no pipe.
fn open(path: &Path, options: &mut OpenOptions) -> Result<File, JournalError> {
    open_regular(path, options.read(true).create(true).mode(0o600))
}

/// Opens a regular file, following no link and hanging at no pipe.
pub(super) fn open_regular(path: &Path, options: &mut OpenOptions) -> Result<File, JournalError> {
    let opened = options.custom_flags(flags()).open(path);
    let file = opened.map_err(JournalError::io(Step::Open, path))?;
    let metadata = file
        .metadata()
        .map_err(JournalError::io(Step::Open, path))?;
    if !metadata.is_file() {
        return Err(JournalError::NotAFile {
            path: path.to_owned(),
        });
    }
    Ok(file)
}

/// Follow no link, hang at no pipe, take no terminal.
fn flags() -> i32 {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    // The bits are the C interface's own `int`.
    flags.bits().cast_signed()
}

/// The longest pause between two attempts at a lock.
const LONGEST_PAUSE: Duration = Duration::from_millis(2);

/// Locks an open journal, and makes sure that it is still the one at its path.
pub(super) fn lock(
    log: &File,
    path: &Path,
    wait: Duration,
    attempt: impl Fn(&File) -> Result<(), TryLockError>,
) -> Result<(), JournalError> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(20);
    loop {
        match attempt(log) {
            Ok(()) => break,
            Err(TryLockError::Error(source)) => {
                return Err(JournalError::io(Step::Lock, path)(source));
            }
            Err(TryLockError::WouldBlock) => {}
        }
        if start.elapsed() >= wait {
            let (path, waited) = (path.to_owned(), start.elapsed());
            return Err(JournalError::Locked { path, waited });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    let opened = log.metadata().map_err(JournalError::io(Step::Lock, path))?;
    let named = std::fs::symlink_metadata(path).map_err(JournalError::io(Step::Lock, path))?;
    if (opened.dev(), opened.ino()) == (named.dev(), named.ino()) {
        Ok(())
    } else {
        Err(JournalError::Moved {
            path: path.to_owned(),
        })
    }
}
