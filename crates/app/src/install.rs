//! `install`: has an agent's host ask countersign about every call, and says what was written where. How settings are
//! edited is the business of the hooks.

mod place;
mod program;

use crate::cli::{Host, InstallArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::page::{Ink, Layout, Page, Piece, Target};
use crate::settings;
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session::session;
use countersign_hooks::install::{Installed, install, pins};
use countersign_policy::path::AbsPath;
use std::path::Path;

/// Installs the hook.
pub(crate) fn run(args: &InstallArgs) -> Result<Exit, CommandError> {
    match args.host {
        Host::ClaudeCode => claude_code(args),
    }
}

fn claude_code(args: &InstallArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let settings = settings::file(args.settings.as_deref(), &environment)?;
    let program = program::chosen(args.program.as_deref())?;
    let installed = install(&settings, &program, &pins(&environment))?;
    let cwd = environment.cwd.clone().unwrap_or_else(AbsPath::root);
    warn(&place::doubts(&program, &session(&cwd, &environment)));
    // The settings lie elsewhere than the doctor looks by itself.
    let doctor = match &args.settings {
        Some(_) => format!("countersign doctor --settings {}", settings.display()),
        None => "countersign doctor".to_owned(),
    };
    let written = page(&installed, &program, &doctor).write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}

/// What was done, and what follows.
fn page(installed: &Installed, program: &Path, doctor: &str) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    let mut headline = |words: &str| {
        let words = Piece::plain(&format!(": {words}"));
        page.line((0, 2), &[Piece::new(Ink::Good, "installed"), words]);
    };
    let (settings, before) = match installed {
        Installed::Written { settings, backup } => {
            headline("Claude Code asks countersign about every call");
            let before = match backup {
                Some(backup) => format!("kept in {}", backup.display()),
                None => "there was no such file".to_owned(),
            };
            (settings, before)
        }
        Installed::Already { settings } => {
            headline("it was already, and nothing was written");
            (settings, "the same".to_owned())
        }
    };
    for (name, value) in [
        ("settings", settings.display().to_string()),
        ("before", before),
        ("hook", program.display().to_string()),
    ] {
        let name = Piece::new(Ink::Faint, &format!("{name:<10}"));
        page.line((2, 12), &[name, Piece::plain(&value)]);
    }
    let sessions = "Sessions that start from now on are guarded; end those that run already.";
    page.line((0, 2), &[Piece::plain(sessions)]);
    let next = format!("Run `{doctor}` now: it tries the hook and says whether all of this holds.");
    page.line((0, 2), &[Piece::plain(&next)]);
    page
}

/// Shows on standard error why the hook may not stay what it is where it lies.
fn warn(doubts: &[String]) {
    if doubts.is_empty() {
        return;
    }
    let mut page = Page::new(Layout::prose(Target::Messages));
    for doubt in doubts {
        let doubt = Piece::plain(&format!(": {doubt}"));
        page.line((0, 2), &[Piece::new(Ink::Careful, "warning"), doubt]);
    }
    let hint = "hint: copy it to where only you write, such as `~/.local/bin`, and install again with `--program`";
    page.line((2, 4), &[Piece::plain(hint)]);
    // Whoever closed standard error does not want to know.
    let _ = page.write(Target::Messages);
}
