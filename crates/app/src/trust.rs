//! `trust` and `untrust`: whether a project's rule file may allow something, by what it holds now.

use crate::cli::TrustArgs;
use crate::configuration;
use crate::confirm;
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_gate::rules::trust::{Fingerprint, Trust, TrustError};
use countersign_gate::rules::{PROJECT, RuleFile, Standing, load};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session::session;
use countersign_policy::action::Action;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use std::path::Path;

/// Trusts the file of a project as it is, once a person has seen what it allows.
pub(crate) fn trust(args: &TrustArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let (session, path) = project(args, &environment)?;
    let rules = load(None, &session, &environment);
    let mut files = rules.files.iter();
    let Some(file) = files.find(|file| file.authority == Authority::Project) else {
        return Err(CommandError::new(
            ErrorKind::User,
            format!("there is no `{path}`"),
        ));
    };
    let fingerprint = match &file.standing {
        Standing::Untrusted { fingerprint, .. } => *fingerprint,
        Standing::InForce => return said(&format!("`{path}` is trusted already, as it is")),
        Standing::Broken(why) => {
            configuration::report(&rules);
            let words = format!("`{path}` cannot be read whole, and is not trusted: {why}");
            return Err(CommandError::new(ErrorKind::Config, words));
        }
    };
    if let Standing::Untrusted { allows: 0, .. } = file.standing {
        return said(&format!(
            "`{path}` allows nothing, and holds without being trusted"
        ));
    }
    show(file, fingerprint)?;
    if !confirm::yes("Trust this file as it is now?")? {
        return Err(CommandError::new(ErrorKind::User, "nothing was trusted"));
    }
    Trust::add(&environment, &path, fingerprint).map_err(|error| failed(&error))?;
    said(&format!("`{path}` is trusted until it changes"))
}

/// Trusts the file of a project no more.
pub(crate) fn untrust(args: &TrustArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let (_, path) = project(args, &environment)?;
    if Trust::remove(&environment, &path).map_err(|error| failed(&error))? {
        said(&format!(
            "`{path}` is trusted no more; what it asks and denies still holds"
        ))
    } else {
        said(&format!("`{path}` was not trusted"))
    }
}

/// The session of a project, and its rule file.
fn project(
    args: &TrustArgs,
    environment: &Environment,
) -> Result<(Session, AbsPath), CommandError> {
    let named = args.directory.as_deref().unwrap_or(Path::new("."));
    let found = std::fs::canonicalize(named).map_err(|error| {
        CommandError::new(ErrorKind::User, format!("`{}`: {error}", named.display()))
    })?;
    let cwd = found.to_str().and_then(AbsPath::parse);
    let session = cwd.map(|cwd| session(&cwd, environment));
    let root = session
        .as_ref()
        .and_then(|session| session.workspace.clone());
    let lost = || {
        let words = format!("`{}` lies in no project", named.display());
        CommandError::new(ErrorKind::User, words)
    };
    let root = root.ok_or_else(lost)?;
    Ok((session.ok_or_else(lost)?, root.join(PROJECT)))
}

/// Shows what the file would allow, on standard error: that is where the question stands too.
fn show(file: &RuleFile, fingerprint: Fingerprint) -> Result<(), CommandError> {
    let text = configuration::source(&file.path).unwrap_or_default();
    if Fingerprint::of(&text) != fingerprint {
        return Err(CommandError::new(
            ErrorKind::User,
            "the file changes as it is read; try again",
        ));
    }
    let layer = parse(&text, &file.path.display().to_string(), Authority::Project).layer;
    let mut page = Page::new(Layout::prose(Target::Messages));
    let title = format!("`{}` would allow:", file.path.display());
    page.line((0, 2), &[Piece::plain(&title)]);
    let allows = layer
        .rules
        .iter()
        .filter(|rule| rule.action == Action::Allow);
    for rule in allows {
        let reference = rule.reference();
        let place = format!("{:>5}  ", reference.line);
        let more = match &reference.reason {
            Some(reason) => format!("  ({reason})"),
            None => String::new(),
        };
        page.line(
            (0, 9),
            &[
                Piece::new(Ink::Faint, &place),
                Piece::plain(&reference.label),
                Piece::new(Ink::Faint, &more),
            ],
        );
    }
    page.line(
        (0, 2),
        &[Piece::new(Ink::Faint, &format!("sha256 {fingerprint}"))],
    );
    page.write(Target::Messages)
        .map_err(|error| CommandError::output(&error))
}

fn said(words: &str) -> Result<Exit, CommandError> {
    let mut page = Page::new(Layout::prose(Target::Output));
    page.line((0, 2), &[Piece::plain(words)]);
    let written = page.write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}

fn failed(error: &TrustError) -> CommandError {
    let hint = match error {
        TrustError::NoPlace => "set `HOME`",
        TrustError::Unreadable { .. } => "mend or delete it; nothing is trusted until then",
        TrustError::Unwritten(_) => "see that the state directory is yours and the disk has space",
    };
    CommandError::new(ErrorKind::Internal, error.to_string()).hint(hint)
}
