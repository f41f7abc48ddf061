//! Whether journals hold together; where one does not, at which line.

use super::say::{note, print};
use super::sessions::Journal;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::page::{self, Ink, Layout, Page, Piece, Target};
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::verify::{Summary, verify};
use serde::Serialize;

/// The result for one journal, made for the wire.
#[derive(Debug, Serialize)]
struct Record<'a> {
    session: &'a str,
    ok: bool,
    lines: Option<u64>,
    bytes: Option<u64>,
    last: Option<String>,
    unsettled: Option<u64>,
    broken_line: Option<u64>,
    error: Option<String>,
}

/// Checks every journal.
pub(super) fn run(journals: &[Journal], json: bool) -> Result<Exit, CommandError> {
    let mut exit = Exit::Done;
    for journal in journals {
        let found = verify(&journal.path);
        if found.is_err() {
            exit = Exit::Failed;
        }
        if json {
            let text = record(journal, &found);
            let written = page::write(Target::Output, text.as_bytes());
            written.map_err(|error| CommandError::output(&error))?;
        } else {
            print(&shown(journal, &found))?;
        }
    }
    if journals.is_empty() {
        note("nothing is recorded yet")?;
    }
    Ok(exit)
}

fn shown(journal: &Journal, found: &Result<Summary, JournalError>) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    let name = &journal.name;
    match found {
        Ok(summary) => {
            let unsettled = summary.unsettled.map_or_else(String::new, |bytes| {
                format!("; {bytes} bytes of a process that died await the next write")
            });
            let words = format!(
                " {name}: {} lines, last {}{unsettled}",
                summary.lines, summary.last
            );
            page.line(
                (0, 4),
                &[Piece::new(Ink::Good, "whole"), Piece::plain(&words)],
            );
        }
        Err(error) => {
            let words = format!(" {name}: {error}");
            page.line(
                (0, 4),
                &[Piece::new(Ink::Bad, "broken"), Piece::plain(&words)],
            );
            if let Some(hint) = error.hint() {
                page.line((2, 4), &[Piece::plain(&format!("hint: {hint}"))]);
            }
        }
    }
    page
}

fn record(journal: &Journal, found: &Result<Summary, JournalError>) -> String {
    let record = match found {
        Ok(summary) => Record {
            session: &journal.name,
            ok: true,
            lines: Some(summary.lines),
            bytes: Some(summary.bytes),
            last: Some(summary.last.to_string()),
            unsettled: summary.unsettled,
            broken_line: None,
            error: None,
        },
        Err(error) => Record {
            session: &journal.name,
            ok: false,
            lines: None,
            bytes: None,
            last: None,
            unsettled: None,
            broken_line: line(error),
            error: Some(error.to_string()),
        },
    };
    // These types always serialise.
    let text = serde_json::to_string(&record).unwrap_or_default();
    format!("{}\n", crate::record::visible(&text))
}

/// The line at which a journal breaks.
fn line(error: &JournalError) -> Option<u64> {
    match error {
        JournalError::Broken(broken) => broken.line,
        JournalError::Io { .. }
        | JournalError::NotAFile { .. }
        | JournalError::Locked { .. }
        | JournalError::Moved { .. }
        | JournalError::Short { .. }
        | JournalError::TooLong { .. }
        | JournalError::Encode { .. } => None,
    }
}
