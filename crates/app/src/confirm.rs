//! Asking the person at the terminal once more. Whoever is not at a terminal cannot say yes.

use crate::error::{CommandError, ErrorKind};
use crate::page::{Layout, Page, Piece, Target};
use std::io::{BufRead as _, IsTerminal as _};

/// The longest answer that is read, in bytes.
const ANSWER_BYTES: u64 = 64;

/// Whether the person types `yes`.
pub(crate) fn yes(question: &str) -> Result<bool, CommandError> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        let words = "this needs a person at a terminal, and there is none";
        return Err(CommandError::new(ErrorKind::User, words)
            .hint("run it yourself, in a terminal of your own"));
    }
    let mut page = Page::new(Layout::prose(Target::Messages));
    page.line(
        (0, 2),
        &[Piece::plain(&format!("{question} Type `yes` to do so:"))],
    );
    page.write(Target::Messages)
        .map_err(|error| CommandError::output(&error))?;
    let mut answer = String::new();
    let mut input = std::io::Read::take(std::io::stdin().lock(), ANSWER_BYTES);
    let read = input.read_line(&mut answer);
    read.map_err(|error| {
        CommandError::new(
            ErrorKind::Internal,
            format!("cannot read the answer: {error}"),
        )
    })?;
    Ok(answer.trim() == "yes")
}
