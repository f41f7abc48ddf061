//! `rules`: what is in force, layer by layer, with the place of each rule; and files checked before they are in place.
//! Rules that do nothing are warned of.

mod answers;
mod listing;
mod record;
mod terms;

use crate::cli::RulesArgs;
use crate::configuration;
use crate::counted::counted;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::judged::{existing, in_force, now};
use crate::page::{self, Ink, Layout, Page, Piece, Target};
use countersign_gate::rules::{Rules, alone, load};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session::session;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::layer::Layer;
use countersign_policy::rules::overlap::{Remark, remarks};
use countersign_policy::rules::parse::diagnostic::Severity;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use std::path::{Path, PathBuf};

/// Shows what is in force, or checks files.
pub(crate) fn run(args: &RulesArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let named = match &args.cwd {
        Some(directory) => Some(existing(directory)?),
        None => None,
    };
    let cwd: AbsPath = in_force(named)?;
    let session = session(&cwd, &environment);
    if !args.check.is_empty() {
        return check(&args.check, &session);
    }
    let rules = load(None, &session, &environment);
    let remarks = remarks(&rules.set, now());
    let written = if args.json {
        let text = record::record(&rules, &remarks, args.all);
        page::write(Target::Output, text.as_bytes())
    } else {
        configuration::report_all(&rules, &remarks);
        listing::page(&rules, args.all).write(Target::Output)
    };
    written.map_err(|error| CommandError::output(&error))?;
    Ok(if rules.set.broken().next().is_some() {
        Exit::Usage
    } else {
        Exit::Done
    })
}

/// Reads files as a user's own, one by one, and says what is wrong with them.
fn check(files: &[PathBuf], session: &Session) -> Result<Exit, CommandError> {
    let mut exit = Exit::Done;
    let mut page = Page::new(Layout::records(Target::Output));
    for path in files {
        let rules = alone(Some(path), session);
        let remarks = remarks(&rules.set, now());
        configuration::report_all(&rules, &remarks);
        if rules.set.broken().next().is_some() {
            exit = Exit::Usage;
        }
        checked(&mut page, path, &rules, &remarks);
    }
    let written = page.write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(exit)
}

/// What a file holds and what is wrong with it, in numbers.
fn checked(page: &mut Page, path: &Path, rules: &Rules, remarks: &[Remark<'_>]) {
    let layers = rules.set.layers().iter();
    let own = layers.filter(|layer| layer.authority == Authority::User);
    let count: usize = own.map(|layer: &Layer| layer.rules.len()).sum();
    let all = || rules.files.iter().flat_map(|file| &file.diagnostics);
    let of = |severity| all().filter(|found| found.severity == severity).count();
    let broken = rules.set.broken().count();
    let errors = of(Severity::Error).max(broken);
    let warnings = of(Severity::Warning) + remarks.len();
    let (ink, word) = match (errors, warnings) {
        (0, 0) => (Ink::Good, "in order"),
        (0, _) => (Ink::Careful, "in order, with warnings"),
        (_, _) => (Ink::Bad, "broken"),
    };
    let words = format!(
        ": {}, {}, {}",
        counted(count, "rule"),
        counted(errors, "error"),
        counted(warnings, "warning")
    );
    let place = format!("{}: ", path.display());
    let pieces = [
        Piece::plain(&place),
        Piece::new(ink, word),
        Piece::plain(&words),
    ];
    page.line((0, 2), &pieces);
}
