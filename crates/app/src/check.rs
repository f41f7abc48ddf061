//! `check`: whether a call may run, in one line or as a record; its exit code says the same.

use crate::cli::CheckArgs;
use crate::configuration;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::judged::Judged;
use crate::page::{Layout, Page, Piece, Target, is_terminal, write};
use crate::{ink, record};
use countersign_policy::explain;

/// Judges a call and prints the verdict.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit, CommandError> {
    let judged = Judged::of(&args.judge)?;
    let exit = configuration::exit(&judged);
    configuration::report(&judged.setting.rules);
    let written = if args.json {
        let text = record::text(&judged, is_terminal(Target::Output));
        write(Target::Output, text.as_bytes())
    } else {
        line(&judged).write(Target::Output)
    };
    match written.map_err(|error| CommandError::output(&error)) {
        Ok(()) => Ok(exit),
        // Whoever reads only a part of the verdict still gets its exit code.
        Err(error) if error.is_broken_pipe() => Ok(exit),
        Err(error) => Err(error),
    }
}

/// The verdict in one line, and what the model would be told to do instead.
fn line(judged: &Judged) -> Page {
    let verdict = &judged.verdict;
    let mut page = Page::new(Layout::records(Target::Output));
    let name = verdict.action.name();
    page.line(
        (0, 4),
        &[
            Piece::new(ink::of(verdict.action), name),
            Piece::plain(&format!(": {}", headline(judged))),
        ],
    );
    if let Some(hint) = explain::hint(verdict) {
        page.line((0, 4), &[Piece::plain(&format!("hint: {hint}"))]);
    }
    page
}

/// The reason, without repeating the action.
fn headline(judged: &Judged) -> String {
    let reason = explain::reason(&judged.verdict);
    match reason.strip_prefix("allowed: ") {
        Some(rest) => rest.to_owned(),
        None => reason,
    }
}
