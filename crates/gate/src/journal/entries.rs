//! Reading a journal line by line, in little memory, while others may append to it; the head record is not looked at.

use super::broken::Flaw;
use super::chain::End;
use super::error::{JournalError, Step};
use super::held::{Place, open_regular};
use super::line::{self, Entry, LINE_BYTES};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Opens a journal for reading. A last line that is not whole yet is not returned: somebody is writing it.
pub fn entries(path: &Path) -> Result<Entries, JournalError> {
    let file = open_regular(path, OpenOptions::new().read(true))?;
    Ok(Entries::new(&Place::of_file(path), file, u64::MAX))
}

/// The lines of a journal from the first on.
///
/// The chain is checked on the way. After a line that does not fit come the rest, so that what is left of a damaged
/// journal can be read; whoever needs to rely on it stops at the first error.
#[derive(Debug)]
pub struct Entries {
    path: PathBuf,
    lines: BufReader<std::io::Take<File>>,
    end: End,
    torn: u64,
    over: bool,
}

impl Entries {
    /// The lines within the first `length` bytes.
    pub(super) fn new(place: &Place, file: File, length: u64) -> Self {
        Self {
            path: place.log.clone(),
            lines: BufReader::new(file.take(length)),
            end: End::genesis(&place.session),
            torn: 0,
            over: false,
        }
    }

    /// How far the reading has come.
    pub(super) const fn end(&self) -> End {
        self.end
    }

    /// The length of the last line, where it is not whole.
    pub(super) const fn torn(&self) -> u64 {
        self.torn
    }

    fn read(&mut self) -> Result<Option<Entry>, JournalError> {
        let mut text = Vec::new();
        let limit = LINE_BYTES as u64;
        let read = self.lines.by_ref().take(limit).read_until(b'\n', &mut text);
        read.map_err(JournalError::io(Step::Read, &self.path))?;
        if text.last() != Some(&b'\n') {
            self.over = true;
            self.torn = text.len() as u64;
            let number = self.end.lines + 1;
            return if text.len() == LINE_BYTES {
                Err(JournalError::broken(
                    &self.path,
                    Some(number),
                    Flaw::TooLong,
                ))
            } else {
                Ok(None)
            };
        }
        let before = self.end;
        self.end = before.after(&text);
        let number = self.end.lines;
        let fits = line::read(&text).and_then(|entry| {
            if entry.seq != number {
                let (due, found) = (number, entry.seq);
                Err(Flaw::Number { due, found })
            } else if entry.prev != before.last {
                Err(Flaw::Chain)
            } else {
                Ok(entry)
            }
        });
        match fits {
            Ok(entry) => Ok(Some(entry)),
            Err(flaw) => Err(JournalError::broken(&self.path, Some(number), flaw)),
        }
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let read = self.read();
        if let Err(JournalError::Io { .. }) = read {
            self.over = true;
        }
        read.transpose()
    }
}
