//! `grants`: what was allowed for longer than once in this project; shown, traced to its question, withdrawn.

use crate::cli::{GrantsArgs, GrantsCommand};
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_gate::grants::{GrantError, Store};
use countersign_gate::journal::event::{Answerer, Event, GrantRevoked};
use countersign_gate::journal::time::Timestamp;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session::session;
use countersign_policy::grant::{Allowed, Grant};
use countersign_policy::path::AbsPath;
use countersign_policy::session::Session;
use std::path::Path;

/// The session under which it is recorded what a person does outside of any.
const TERMINAL: &str = "terminal";

/// Lists, shows or withdraws.
pub(crate) fn run(args: &GrantsArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let (_, session) = project(&environment)?;
    let store = Store::of(&session, &environment).ok_or_else(no_project)?;
    let grants = store.load().map_err(|why| {
        let words = format!("`{}`: {why}", store.file().display());
        CommandError::new(ErrorKind::Config, words)
            .hint("mend it by hand; nothing is granted until then")
    })?;
    match args.command.as_ref().unwrap_or(&GrantsCommand::List) {
        GrantsCommand::List => list(&store, &grants),
        GrantsCommand::Show { id } => show(found(&grants, id)?),
        GrantsCommand::Revoke { id } => revoke(&environment, &store, found(&grants, id)?),
    }
}

fn list(store: &Store, grants: &[Grant]) -> Result<Exit, CommandError> {
    let mut page = Page::new(Layout::records(Target::Output));
    if grants.is_empty() {
        page.line(
            (0, 2),
            &[Piece::plain("nothing is granted in this project")],
        );
    }
    for grant in grants {
        let over = is_over(grant);
        let ink = if over { Ink::Faint } else { Ink::Strong };
        let scope = format!("  {}", scope(grant));
        page.line(
            (0, 12),
            &[
                Piece::new(Ink::Faint, &format!("{}  ", grant.id)),
                Piece::new(ink, &grant.rule()),
                Piece::new(Ink::Faint, &scope),
            ],
        );
    }
    if !grants.is_empty() {
        let words = format!("in {}", store.file().display());
        page.line((0, 2), &[Piece::new(Ink::Faint, &words)]);
    }
    written(&page)
}

fn show(grant: &Grant) -> Result<Exit, CommandError> {
    let mut page = Page::new(Layout::prose(Target::Output));
    let mut line = |name: &str, value: &str| {
        let name = format!("{name:<10}");
        page.line(
            (0, 10),
            &[Piece::new(Ink::Faint, &name), Piece::plain(value)],
        );
    };
    line("grant", &grant.id);
    line("allows", &grant.rule());
    line("holds", &scope(grant));
    line("saved", &format!("{} by {}", grant.saved, grant.by));
    line("question", &grant.question);
    line("asked", &grant.asked);
    if let Allowed::Exactly(exactly) = &grant.allows {
        for ask in &exactly.asks {
            line("answers", ask);
        }
        for (file, digest) in &exactly.files {
            line("bound to", &format!("{file} (sha256 {digest})"));
        }
    }
    page.line(
        (0, 2),
        &[Piece::new(
            Ink::Faint,
            "`countersign log why QUESTION` shows the question",
        )],
    );
    written(&page)
}

fn revoke(environment: &Environment, store: &Store, grant: &Grant) -> Result<Exit, CommandError> {
    let revoked = store.revoke(&grant.id).map_err(|error| unkept(&error))?;
    if revoked.is_some() {
        let event = Event::GrantRevoked(GrantRevoked {
            grant: grant.id.clone(),
            by: Answerer::Person,
        });
        record(
            environment,
            grant.session.as_deref().unwrap_or(TERMINAL),
            &[event],
        )?;
    }
    let mut page = Page::new(Layout::prose(Target::Output));
    let words = format!("revoked {}: {}", grant.id, grant.rule());
    page.line((0, 2), &[Piece::plain(&words)]);
    written(&page)
}

/// The grant of that name, or of the only one that begins so.
fn found<'g>(grants: &'g [Grant], id: &str) -> Result<&'g Grant, CommandError> {
    let mut begin = grants
        .iter()
        .filter(|grant| grant.id.starts_with(id) && !id.is_empty());
    match (begin.next(), begin.next()) {
        (Some(grant), None) => Ok(grant),
        (Some(_), Some(_)) => Err(unknown(&format!("more than one grant begins with `{id}`"))),
        (None, _) => Err(unknown(&format!(
            "there is no grant `{id}` in this project"
        ))),
    }
}

fn unknown(words: &str) -> CommandError {
    CommandError::new(ErrorKind::User, words).hint("`countersign grants` lists them")
}

fn is_over(grant: &Grant) -> bool {
    grant.until.is_some_and(|until| until < now())
}

/// How long a grant holds, in words.
fn scope(grant: &Grant) -> String {
    let left = grant.until.map(|until| until.saturating_sub(now()));
    let time = match left {
        None => String::new(),
        Some(left) if left < 0 => ", over".to_owned(),
        Some(left) => format!(", for {} more", lasting(u64::try_from(left).unwrap_or(0))),
    };
    match &grant.session {
        Some(session) => format!("session {session}{time}"),
        None => format!("project{time}"),
    }
}

/// A span of seconds in the widest unit that it fills, rounded up.
pub(crate) fn lasting(seconds: u64) -> String {
    let (size, name) = match seconds {
        0..=7_200 => (60, "minutes"),
        7_201..=172_800 => (3_600, "hours"),
        _ => (86_400, "days"),
    };
    format!("{} {name}", seconds.div_ceil(size))
}

/// Why there are no grants here.
pub(crate) fn no_project() -> CommandError {
    let words = "this directory lies in no project, or there is no place for what is kept of it";
    CommandError::new(ErrorKind::User, words)
        .hint("run it in the project where the agent works, with `HOME` set")
}

/// This directory, and the session that would begin in it.
pub(crate) fn project(environment: &Environment) -> Result<(AbsPath, Session), CommandError> {
    let found = std::env::current_dir().and_then(std::fs::canonicalize);
    let found = found.map_err(|error| {
        CommandError::new(
            ErrorKind::User,
            format!("this directory cannot be told: {error}"),
        )
    })?;
    let cwd = found.to_str().and_then(AbsPath::parse).ok_or_else(|| {
        CommandError::new(
            ErrorKind::User,
            format!("`{}` is not UTF-8", found.display()),
        )
    })?;
    let session = session(&cwd, environment);
    Ok((cwd, session))
}

/// Records what a person did.
pub(crate) fn record(
    environment: &Environment,
    session: &str,
    events: &[Event],
) -> Result<(), CommandError> {
    let state = environment.state_dir().ok_or_else(|| {
        CommandError::new(ErrorKind::Config, "there is no place for the journal").hint("set `HOME`")
    })?;
    let journal = Journal::at(Path::new(state.as_str()), session, Options::default());
    let recorded = journal.and_then(|journal| journal.record(events));
    recorded.map(|_| ()).map_err(|error| {
        CommandError::new(
            ErrorKind::Internal,
            format!("it is done, but not recorded: {error}"),
        )
    })
}

/// The second now, by the Unix clock.
pub(crate) fn now() -> i64 {
    i64::try_from(Timestamp::now().millis() / 1000).unwrap_or(i64::MAX)
}

/// The login name of whoever decides.
pub(crate) fn kept_by() -> String {
    let user = Environment::of_process().user;
    user.unwrap_or_else(|| "unknown".to_owned())
}

/// Why grants were not changed.
pub(crate) fn unkept(error: &GrantError) -> CommandError {
    let (kind, hint) = match error {
        GrantError::Unreadable { .. } => (ErrorKind::Config, "mend it by hand, then try again"),
        GrantError::Unfaithful { .. } => (ErrorKind::User, "change it by hand"),
        GrantError::Unwritten(_) => (
            ErrorKind::Internal,
            "see that the directory is yours and the disk has space",
        ),
    };
    CommandError::new(kind, error.to_string()).hint(hint)
}

fn written(page: &Page) -> Result<Exit, CommandError> {
    let written = page.write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}
