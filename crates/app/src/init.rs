//! `init`: a rule file of your own to begin with, commented, or translated from the permission settings of another
//! agent. How those are written is the business of the hooks.

use crate::cli::{Agent, InitArgs};
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{self, Ink, Layout, Page, Piece, Target};
use crate::settings;
use countersign_gate::durable::{Guarded, NotWritten};
use countersign_gate::world::environment::Environment;
use countersign_hooks::import::file::written;
use countersign_hooks::import::imported::{Imported, Remark};
use countersign_hooks::import::source::{ImportError, Settings, Source};
use std::path::{Path, PathBuf};

/// The rule file to begin with: every key is explained, and none of its examples is in force.
const STARTING: &str = include_str!("init/starting.toml");

/// The most remarks that are shown of one kind; the file holds all of them.
const MOST_SHOWN: usize = 20;

/// Writes the user's rule file where there is none, or prints it.
pub(crate) fn run(args: &InitArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    if args.print {
        let (text, imported) = text(args, &environment)?;
        let written = page::write(Target::Output, text.as_bytes());
        written.map_err(|error| CommandError::output(&error))?;
        report(imported.as_ref());
        return Ok(Exit::Done);
    }
    let lost = || {
        CommandError::new(ErrorKind::User, "it is not known where your rules are")
            .hint("set `HOME`")
    };
    let directory = environment.config_dir().ok_or_else(lost)?;
    let path = PathBuf::from(directory.join("rules.toml").as_str());
    vacant(&path)?;
    let (text, imported) = text(args, &environment)?;
    let guarded = Guarded::lock(&path).map_err(|error| failed(&error))?;
    // Somebody may have made it while we waited, and a link that leads nowhere would be replaced.
    vacant(&path)?;
    guarded
        .replace(None, &text)
        .map_err(|error| failed(&error))?;
    report(imported.as_ref());
    let shown = done(&path, imported.as_ref()).write(Target::Output);
    shown.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}

/// The text of the file, and what it was translated from.
fn text(
    args: &InitArgs,
    environment: &Environment,
) -> Result<(String, Option<Imported>), CommandError> {
    let Some(agent) = args.from else {
        return Ok((STARTING.to_owned(), None));
    };
    let source = match agent {
        Agent::ClaudeCode => Source::ClaudeCode,
        Agent::Codex => Source::Codex,
        Agent::Gemini => Source::Gemini,
        Agent::Opencode => Source::OpenCode,
    };
    let named: Result<Vec<PathBuf>, CommandError> = args
        .settings
        .iter()
        .map(|path| settings::absolute(path))
        .collect();
    let files = source.read(&named?, environment)?;
    let imported = source.translate(&files)?;
    let origin = format!("{}: {}", source.name(), listed(&files));
    Ok((written(&imported, &origin), Some(imported)))
}

fn listed(files: &[Settings]) -> String {
    let files = files.iter().map(|file| file.path.display().to_string());
    files.collect::<Vec<String>>().join(", ")
}

/// Fails where there is anything in the place of the file.
fn vacant(path: &Path) -> Result<(), CommandError> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let words = format!(
        "`{}` is there already, and nothing was written",
        path.display()
    );
    let hint = "print one with `--print`, and take from it what you want";
    Err(CommandError::new(ErrorKind::User, words).hint(hint))
}

fn failed(error: &NotWritten) -> CommandError {
    let hint = "see that your configuration directory is yours and the disk has space";
    CommandError::new(ErrorKind::Internal, error.to_string()).hint(hint)
}

/// Shows on standard error what was not translated, or otherwise. That it cannot be shown changes nothing.
fn report(imported: Option<&Imported>) {
    let Some(imported) = imported else { return };
    let mut page = Page::new(Layout::prose(Target::Messages));
    remarks(&mut page, "not translated", &imported.untranslated);
    remarks(&mut page, "translated otherwise", &imported.warnings);
    // Whoever closed standard error does not want to know.
    let _ = page.write(Target::Messages);
}

fn remarks(page: &mut Page, name: &str, remarks: &[Remark]) {
    for Remark { what, why } in remarks.iter().take(MOST_SHOWN) {
        let words = Piece::plain(&format!(": `{what}`: {why}"));
        page.line((0, 2), &[Piece::new(Ink::Careful, name), words]);
    }
    if let Some(more) = remarks
        .len()
        .checked_sub(MOST_SHOWN)
        .filter(|more| *more > 0)
    {
        let words = format!("{more} more: the file lists all of them");
        page.line((0, 2), &[Piece::plain(&words)]);
    }
}

/// What was written, and what to do next.
fn done(path: &Path, imported: Option<&Imported>) -> Page {
    let mut page = Page::new(Layout::prose(Target::Output));
    let words = Piece::plain(&format!(": `{}`", path.display()));
    page.line((0, 2), &[Piece::new(Ink::Good, "written"), words]);
    let next = match imported {
        None => {
            "Nothing in it is in force but what holds without it; take the `#` from what you want."
                .to_owned()
        }
        Some(imported) => format!(
            "It holds {} rules, each with what it was before. Read it: from now on they are in force.",
            imported.rules.len()
        ),
    };
    page.line((0, 2), &[Piece::plain(&next)]);
    page
}

impl From<ImportError> for CommandError {
    fn from(error: ImportError) -> Self {
        let (kind, hint) = match &error {
            ImportError::NoHome => (
                ErrorKind::User,
                "set `HOME`, or name a file with `--settings`",
            ),
            ImportError::Absent { .. } => (ErrorKind::User, "name a file with `--settings`"),
            ImportError::Io { .. } => (ErrorKind::Internal, "see that you can read it"),
            ImportError::Unreadable { .. } => (
                ErrorKind::Config,
                "mend it first: what cannot be read may forbid something",
            ),
        };
        Self::new(kind, error.to_string()).hint(hint)
    }
}
