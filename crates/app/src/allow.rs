//! `allow`: what was asked last is kept as a grant, once the person at the terminal has seen exactly what it allows.

use crate::cli::AllowArgs;
use crate::confirm;
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::grants::{kept_by, lasting, no_project, now, project, record, unkept};
use crate::last::{Last, last};
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_gate::decide::Setting;
use countersign_gate::grants::{Store, name};
use countersign_gate::journal::clip::{Clip, WORDS_BYTES};
use countersign_gate::journal::event::{Event, GrantSaved, Scope};
use countersign_gate::journal::time::Timestamp;
use countersign_gate::world::environment::Environment;
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::grant::{Allowed, Grant, answering, askers, text_of};
use std::time::Duration;

/// How long a grant for a session holds at most, in seconds: a session that is never closed must not keep it for ever.
const SESSION: i64 = 24 * 60 * 60;

/// Keeps what was asked last.
pub(crate) fn run(args: &AllowArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let (_, session) = project(&environment)?;
    let store = Store::of(&session, &environment).ok_or_else(no_project)?;
    let last = last(&environment, &session)?;
    let setting = Setting::load(environment.clone(), &last.first, None, None);
    let verdict = setting.verdict(&last.call);
    if verdict.action != Action::Ask {
        let words = format!(
            "it is not asked about any more: {}",
            explain::reason(&verdict)
        );
        return Err(CommandError::new(ErrorKind::User, words));
    }
    let wider = setting.wider(&last.call, &verdict);
    let wider = wider.map_err(|why| CommandError::new(ErrorKind::User, why.to_string()))?;
    let grants = grants(args, &last, wider, &askers(&verdict));
    // What would not answer the very call from which it comes is not what was meant.
    let holds = |grant: &Grant| setting.holds(grant, &last.session, now());
    if answering(&grants, &verdict, &last.call, &setting.session, &holds).is_none() {
        let words = "these grants would not answer the call that was asked about";
        return Err(CommandError::new(ErrorKind::User, words));
    }
    show(args, &last, &grants)?;
    if !confirm::yes("Allow this?")? {
        return Err(CommandError::new(ErrorKind::User, "nothing was allowed"));
    }
    store.add(&grants).map_err(|error| unkept(&error))?;
    let events: Vec<Event> = grants
        .iter()
        .map(|grant| saved(args, &last, grant))
        .collect();
    record(&environment, &last.session, &events)?;
    let mut page = Page::new(Layout::prose(Target::Output));
    for grant in &grants {
        let words = format!("grant {}: {}", grant.id, grant.rule());
        page.line((0, 2), &[Piece::plain(&words)]);
    }
    let written = page.write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}

/// The grants that would be kept.
fn grants(args: &AllowArgs, last: &Last, wider: Vec<Allowed>, askers: &[String]) -> Vec<Grant> {
    let saved = Timestamp::now().to_string();
    let seconds = |span: Duration| i64::try_from(span.as_secs()).unwrap_or(i64::MAX);
    let until = match (args.always, args.span) {
        (true, _) => None,
        (false, Some(span)) => Some(now().saturating_add(seconds(span))),
        (false, None) => Some(now().saturating_add(SESSION)),
    };
    let session = (!args.always && args.span.is_none()).then(|| last.session.clone());
    let grant = |allows: Allowed| Grant {
        id: name(&allows.to_string(), &saved, &last.call.id.0),
        allows,
        until,
        session: session.clone(),
        saved: saved.clone(),
        by: kept_by(),
        question: last.call.id.0.clone(),
        asked: text_of(&last.call).to_owned(),
        askers: askers.to_vec(),
    };
    wider.into_iter().map(grant).collect()
}

/// The scope in words.
fn scope(args: &AllowArgs) -> String {
    match (args.always, args.span) {
        (true, _) => "in this project, until you revoke it".to_owned(),
        (false, Some(span)) => format!("in this project, for {}", lasting(span.as_secs())),
        (false, None) => "in this session".to_owned(),
    }
}

/// Shows what would be allowed, on standard error: that is where the question stands too.
fn show(args: &AllowArgs, last: &Last, grants: &[Grant]) -> Result<(), CommandError> {
    let mut page = Page::new(Layout::prose(Target::Messages));
    let asked = format!("asked by {} in {}:", last.call.tool, last.call.cwd);
    page.line((0, 2), &[Piece::plain(&asked)]);
    for line in text_of(&last.call).lines() {
        page.line((4, 4), &[Piece::new(Ink::Strong, line)]);
    }
    page.gap();
    page.line(
        (0, 2),
        &[Piece::plain(&format!("{}, this would hold:", scope(args)))],
    );
    for grant in grants {
        page.line((4, 6), &[Piece::new(Ink::Strong, &grant.rule())]);
        for line in bounds(&grant.allows) {
            page.line((6, 8), &[Piece::new(Ink::Faint, &line)]);
        }
    }
    page.gap();
    let written = page.write(Target::Messages);
    written.map_err(|error| CommandError::output(&error))
}

/// To what a grant is bound, line by line.
fn bounds(allows: &Allowed) -> Vec<String> {
    match allows {
        Allowed::Form(form) => match form {
            countersign_policy::grant::Form::Command {
                program: Some(program),
                ..
            } => vec![format!("as long as {program} is what runs")],
            countersign_policy::grant::Form::Command { program: None, .. }
            | countersign_policy::grant::Form::Path { .. }
            | countersign_policy::grant::Form::Directory { .. }
            | countersign_policy::grant::Form::Host(_)
            | countersign_policy::grant::Form::Name { .. } => Vec::new(),
        },
        Allowed::Exactly(exactly) if exactly.files.is_empty() => {
            vec!["bound to no file: whatever it leads to by itself may change".to_owned()]
        }
        Allowed::Exactly(exactly) => {
            let files = exactly.files.iter();
            files
                .map(|(file, _)| format!("as long as {file} holds what it holds"))
                .collect()
        }
    }
}

fn saved(args: &AllowArgs, last: &Last, grant: &Grant) -> Event {
    Event::GrantSaved(GrantSaved {
        grant: grant.id.clone(),
        approval: last.call.id.0.clone(),
        rule: Clip::of(&grant.rule(), WORDS_BYTES),
        scope: if args.always || args.span.is_some() {
            Scope::Project
        } else {
            Scope::Session
        },
    })
}
