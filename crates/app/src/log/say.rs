//! What the commands on journals say, and where: results on standard output, the rest on standard error.

use crate::error::{CommandError, ErrorKind};
use crate::page::{self, Ink, Layout, Page, Piece, Target, is_terminal};
use crate::record::visible;
use countersign_gate::journal::error::JournalError;

/// Prints a page as a result.
pub(super) fn print(page: &Page) -> Result<(), CommandError> {
    page.write(Target::Output)
        .map_err(|error| CommandError::output(&error))
}

/// Prints a line of a journal exactly as it stands; for a terminal, with what cannot be seen escaped.
pub(super) fn raw_line(line: &str) -> Result<(), CommandError> {
    let mut text = if is_terminal(Target::Output) {
        visible(line)
    } else {
        line.to_owned()
    };
    text.push('\n');
    page::write(Target::Output, text.as_bytes()).map_err(|error| CommandError::output(&error))
}

/// Says on standard error what does not fit.
pub(super) fn damaged(error: &JournalError) -> Result<(), CommandError> {
    let mut page = Page::new(Layout::prose(Target::Messages));
    let message = Piece::plain(&format!(": {error}"));
    page.line((0, 2), &[Piece::new(Ink::Bad, "error"), message]);
    page.write(Target::Messages)
        .map_err(|error| CommandError::output(&error))
}

/// Says something on standard error that is no result.
pub(super) fn note(words: &str) -> Result<(), CommandError> {
    let mut page = Page::new(Layout::prose(Target::Messages));
    page.line((0, 2), &[Piece::plain(words)]);
    page.write(Target::Messages)
        .map_err(|error| CommandError::output(&error))
}

/// There is no such thing.
pub(super) fn missing(words: String, hint: &str) -> CommandError {
    CommandError::new(ErrorKind::User, words).hint(hint)
}
