//! `uninstall`: takes out of an agent's settings what `install` put in, and says what became of the file.

use crate::cli::{Host, UninstallArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::page::{Ink, Layout, Page, Piece, Target};
use crate::settings;
use countersign_gate::world::environment::Environment;
use countersign_hooks::install::{Uninstalled, uninstall};
use std::path::Path;

/// The most entries, put in one over the other, that are taken out.
const MOST_ENTRIES: usize = 8;

/// Uninstalls the hook.
pub(crate) fn run(args: &UninstallArgs) -> Result<Exit, CommandError> {
    match args.host {
        Host::ClaudeCode => claude_code(args),
    }
}

fn claude_code(args: &UninstallArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let settings = settings::file(args.settings.as_deref(), &environment)?;
    let mut uninstalled = uninstall(&settings)?;
    // What the file was before may hold an entry too: that of another program, which was installed first.
    for _ in 0..MOST_ENTRIES {
        match uninstall(&settings)? {
            Uninstalled::NotThere => break,
            again => uninstalled = again,
        }
    }
    let written = page(&uninstalled, &settings).write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}

fn page(uninstalled: &Uninstalled, settings: &Path) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    let mut lines = vec![match uninstalled {
        Uninstalled::Restored { settings } => {
            let place = settings.display();
            format!("`{place}` is byte for byte what it was before")
        }
        Uninstalled::Deleted { settings } => {
            let place = settings.display();
            format!("`{place}` held nothing but the hook and was deleted")
        }
        Uninstalled::TakenOut { settings, .. } => {
            let place = settings.display();
            format!("`{place}` was changed since, and only the hook was taken out")
        }
        Uninstalled::NotThere => {
            let place = settings.display();
            format!("`{place}` holds no hook of countersign's, and nothing was written")
        }
    }];
    match uninstalled {
        Uninstalled::TakenOut { backup, .. } => {
            lines.push(format!("What it held lies in `{}`.", backup.display()));
        }
        Uninstalled::Restored { .. } | Uninstalled::Deleted { .. } | Uninstalled::NotThere => {}
    }
    lines.push("Sessions that start from now on are not guarded by it.".to_owned());
    let mut lines = lines.iter();
    if let Some(first) = lines.next() {
        let name = match uninstalled {
            Uninstalled::NotThere => Piece::new(Ink::Good, "not installed"),
            Uninstalled::Restored { .. }
            | Uninstalled::Deleted { .. }
            | Uninstalled::TakenOut { .. } => Piece::new(Ink::Good, "uninstalled"),
        };
        page.line((0, 2), &[name, Piece::plain(&format!(": {first}"))]);
    }
    for line in lines {
        page.line((0, 2), &[Piece::plain(line)]);
    }
    page
}
