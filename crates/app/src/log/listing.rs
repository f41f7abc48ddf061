//! The entries of journals, one after the other, each journal from where it was left.

use super::filter::Filter;
use super::say::{damaged, print, raw_line};
use super::sessions::Journal;
use super::summary::{self, Calls};
use crate::error::CommandError;
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_gate::journal::entries::entries;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};

/// Whether everything in a journal could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// It could.
    Whole,
    /// Something did not fit; that was said.
    Damaged,
}

/// The entries of journals as they are listed, each journal from where it was left.
#[derive(Debug)]
pub(crate) struct Listing {
    filter: Filter,
    json: bool,
    seen: HashMap<PathBuf, u64>,
    calls: HashMap<PathBuf, Calls>,
}

impl Listing {
    pub(super) fn new(filter: Filter, json: bool) -> Self {
        Self {
            filter,
            json,
            seen: HashMap::new(),
            calls: HashMap::new(),
        }
    }

    /// The heading of a session, where there are several.
    pub(super) fn session(&self, journal: &Journal) -> Result<(), CommandError> {
        if self.json {
            return Ok(());
        }
        let mut page = Page::new(Layout::records(Target::Output));
        let words = format!("session {}", journal.name);
        page.line((0, 2), &[Piece::new(Ink::Strong, &words)]);
        print(&page)
    }

    /// Shows the entries of a journal that were not shown yet.
    pub(super) fn show(&mut self, journal: &Journal) -> Result<Health, CommandError> {
        let path = &journal.path;
        let mut raw = Raw::open(path);
        let seen = self.seen.entry(path.clone()).or_default();
        let calls = self.calls.entry(path.clone()).or_default();
        let mut health = Health::Whole;
        let mut number = 0;
        for entry in entries(path)? {
            let line = raw.next();
            number += 1;
            if number <= *seen {
                continue;
            }
            *seen = number;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    health = Health::Damaged;
                    damaged(&error)?;
                    continue;
                }
            };
            calls.take(&entry.event);
            if !self.filter.admits(&entry, calls, &line) {
                continue;
            }
            if self.json {
                raw_line(&line)?;
            } else {
                print(&summary::page(&entry, calls))?;
            }
        }
        Ok(health)
    }
}

/// The lines of a journal as they stand, beside the entries that are read from them.
struct Raw(Option<Lines<BufReader<File>>>);

impl Raw {
    fn open(path: &Path) -> Self {
        let file = File::open(path).ok();
        Self(file.map(|file| BufReader::new(file).lines()))
    }

    fn next(&mut self) -> String {
        let next = self.0.as_mut().and_then(Iterator::next);
        next.and_then(Result::ok).unwrap_or_default()
    }
}
