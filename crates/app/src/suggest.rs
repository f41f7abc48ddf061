//! `suggest`: the rules that would have saved the most questions, from the journals or from recorded sessions. Each was
//! tried: the recorded calls were judged again with it. What it prints is a rule file; nothing is written or run.

mod asked;
mod found;
mod key;
mod shown;

use self::asked::Asked;
use self::found::found;
use crate::cli::SuggestArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::log::sessions::Which;
use crate::page::{self, Target};

/// Looks for rules and prints them.
pub(crate) fn run(args: &SuggestArgs) -> Result<Exit, CommandError> {
    let mut asked = Asked::default();
    let which = Which::of(args.session.as_deref());
    if which.is_some() || args.files.is_empty() {
        asked.journals(&which.unwrap_or(Which::All))?;
    }
    for file in &args.files {
        asked.recording(file)?;
    }
    let suggestions = found(&asked, args.most);
    let written = if args.json {
        page::write(Target::Output, shown::json(&asked, &suggestions).as_bytes())
    } else {
        shown::page(&asked, &suggestions).write(Target::Output)
    };
    written.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}
