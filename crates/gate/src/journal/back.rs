//! Reading a journal from its last line to its first, for whoever looks for what happened lately. The chain is not
//! checked: what is found may only make an answer stricter, or a record more exact.

use super::broken::Flaw;
use super::error::{JournalError, Step};
use super::line::{self, Entry, LINE_BYTES};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// How much is read at once to begin with; it doubles while a line goes on.
const BLOCK_BYTES: usize = 64 << 10;

/// The lines of a journal, the last one first.
#[derive(Debug)]
pub struct Back<'a> {
    path: &'a Path,
    log: &'a File,
    /// How many bytes were not read yet.
    left: u64,
    /// What was read and not returned yet; it ends with the end of a line.
    read: Vec<u8>,
    over: bool,
}

impl<'a> Back<'a> {
    /// The lines within the first `length` bytes.
    pub(super) const fn new(path: &'a Path, log: &'a File, length: u64) -> Self {
        Self {
            path,
            log,
            left: length,
            read: Vec::new(),
            over: false,
        }
    }

    /// The last line that was not returned yet, with its newline.
    fn line(&mut self) -> Result<Option<Vec<u8>>, JournalError> {
        loop {
            let body = self.read.len().saturating_sub(1);
            let ends = self.read.iter().take(body);
            if let Some(at) = ends.into_iter().rposition(|&byte| byte == b'\n') {
                return Ok(Some(self.read.split_off(at + 1)));
            }
            if self.left == 0 {
                let first = std::mem::take(&mut self.read);
                return Ok(Some(first).filter(|line| !line.is_empty()));
            }
            if self.read.len() > LINE_BYTES {
                return Err(JournalError::broken(self.path, None, Flaw::TooLong));
            }
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> Result<(), JournalError> {
        let wanted = self.read.len().max(BLOCK_BYTES);
        let size = usize::try_from(self.left).map_or(wanted, |left| left.min(wanted));
        let from = self.left.saturating_sub(size as u64);
        let mut block = vec![0; size];
        let read = self.log.read_exact_at(&mut block, from);
        read.map_err(JournalError::io(Step::Read, self.path))?;
        block.append(&mut self.read);
        self.read = block;
        self.left = from;
        Ok(())
    }
}

impl Iterator for Back<'_> {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let line = self.line().transpose()?;
        let entry = line.and_then(|text| {
            line::read(&text).map_err(|flaw| JournalError::broken(self.path, None, flaw))
        });
        self.over = entry.is_err();
        Some(entry)
    }
}
