//! `log`: what was decided, from the journals, entry by entry; and whether they hold together. It changes nothing.

pub(crate) mod sessions;
mod filter;
mod summary;
mod follow;
mod verify;
mod why;
mod listing;
mod recorded;
mod say;

use crate::cli::{LogArgs, LogCommand};
use crate::error::CommandError;
use crate::exit::Exit;
use filter::Filter;
use listing::{Health, Listing};
use sessions::Which;

/// Lists, checks or explains.
pub(crate) fn run(args: &LogArgs) -> Result<Exit, CommandError> {
    if let Some(LogCommand::Why { call, session }) = &args.about {
        let which = Which::of(session.as_deref()).unwrap_or(Which::All);
        return why::run(call, &sessions::find(&which)?);
    }
    let which = Which::of(args.session.as_deref());
    if args.verify {
        let journals = sessions::find(&which.unwrap_or(Which::All))?;
        return verify::run(&journals, args.json);
    }
    let which = which.unwrap_or(Which::Newest);
    let mut listing = Listing::new(Filter::of(args)?, args.json);
    let journals = sessions::find(&which)?;
    if args.follow {
        return follow::run(&mut listing, &which, journals);
    }
    if journals.is_empty() {
        say::note("nothing is recorded yet")?;
    }
    let mut exit = Exit::Done;
    for journal in &journals {
        if journals.len() > 1 {
            listing.session(journal)?;
        }
        // A journal that is damaged is shown as far as it can be read.
        if listing.show(journal)? == Health::Damaged {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}
