//! One entry of a journal as one line for a person, and what has to be remembered of earlier entries to write it.

use super::recorded::{self, clip, source};
use crate::ink;
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_gate::journal::event::Event;
use countersign_gate::journal::judged::{CallJudged, FindingLine};
use countersign_gate::journal::line::Entry;
use countersign_policy::action::Action;
use countersign_policy::outcome::Outcome;
use std::collections::HashMap;

/// The most calls that are remembered; of more, later entries are shown by the call's identity alone.
const MOST_CALLS: usize = 100_000;

/// What is known of the calls of a session.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// By call: its tool, and what it is about.
    known: HashMap<String, (String, String)>,
}

impl Calls {
    /// Takes in the next entry.
    pub(super) fn take(&mut self, event: &Event) {
        if let Event::CallJudged(judged) = event
            && self.known.len() < MOST_CALLS
        {
            let about = (clip(&judged.tool), subject(judged));
            self.known.insert(judged.call.clone(), about);
        }
    }

    /// The tool of a call.
    pub(super) fn tool(&self, call: &str) -> Option<&str> {
        self.known.get(call).map(|(tool, _)| tool.as_str())
    }

    /// A call in words.
    fn words(&self, call: &str) -> String {
        match self.known.get(call) {
            Some((tool, about)) => format!("{tool} {about} ({call})"),
            None => call.to_owned(),
        }
    }
}

/// The call that an event is about.
pub(super) fn call_of(event: &Event) -> Option<&str> {
    match event {
        Event::CallJudged(judged) => Some(&judged.call),
        Event::ApprovalAsked(asked) => Some(&asked.call),
        Event::ApprovalDecided(decided) => Some(&decided.call),
        Event::CallClosed(closed) => Some(closed.call()),
        Event::CallReported(reported) => Some(&reported.call),
        Event::GrantUsed(used) => Some(&used.call),
        Event::ReviewDone(review) => Some(&review.call),
        Event::HookFailed(failed) => failed.call.as_deref(),
        Event::SessionOpened(_)
        | Event::TurnOpened(_)
        | Event::TurnClosed(_)
        | Event::ApprovalPolicy(_)
        | Event::GrantSaved(_)
        | Event::GrantRevoked(_)
        | Event::Notice(_) => None,
    }
}

/// An entry as one line.
pub(super) fn page(entry: &Entry, calls: &Calls) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    let (ink, name, words) = parts(&entry.event, calls);
    page.line(
        (0, 4),
        &[
            Piece::new(Ink::Faint, &format!("{} ", entry.time)),
            Piece::plain(&format!("{:<17}", entry.event.name())),
            Piece::new(ink, &name),
            Piece::plain(&format!(" {words}")),
        ],
    );
    page
}

/// What an event says: the word that counts in its ink, and the rest.
pub(super) fn parts(event: &Event, calls: &Calls) -> (Ink, String, String) {
    let plain = |name: &str, words: String| (Ink::Plain, name.to_owned(), words);
    match event {
        Event::CallJudged(judged) => {
            let about = calls.words(&judged.call);
            let words = format!("{about}, mode {}{}", judged.mode.name(), because(judged));
            (
                ink::of(judged.action),
                judged.action.name().to_owned(),
                words,
            )
        }
        Event::CallClosed(closed) => {
            let words = format!("by {}: {}", wire(&closed.by()), calls.words(closed.call()));
            (
                ink_of_outcome(closed.outcome()),
                closed.outcome().name().to_owned(),
                words,
            )
        }
        Event::ApprovalAsked(asked) => plain(
            &wire(&asked.of),
            format!("is asked: {}", clip(&asked.summary)),
        ),
        Event::ApprovalDecided(decided) => {
            let answer = format!("{} by {}", wire(&decided.answer), wire(&decided.by));
            let words = format!("{answer}: {}", calls.words(&decided.call));
            (
                ink_of_outcome(decided.outcome),
                decided.outcome.name().to_owned(),
                words,
            )
        }
        Event::SessionOpened(opened) => plain(
            &opened.host,
            format!("in {}, mode {}", clip(&opened.cwd), opened.mode.name()),
        ),
        Event::TurnOpened(turn) | Event::TurnClosed(turn) => plain(&turn.turn, String::new()),
        Event::ApprovalPolicy(chosen) => {
            plain(&wire(&chosen.policy), format!("by {}", wire(&chosen.by)))
        }
        Event::CallReported(reported) => plain(&wire(&reported.ran), calls.words(&reported.call)),
        Event::GrantSaved(saved) => plain(
            &saved.grant,
            format!("for the {}: {}", wire(&saved.scope), clip(&saved.rule)),
        ),
        Event::GrantUsed(used) => plain(
            &used.grant,
            format!("{} for {}", clip(&used.rule), calls.words(&used.call)),
        ),
        Event::GrantRevoked(revoked) => plain(&revoked.grant, format!("by {}", wire(&revoked.by))),
        Event::ReviewDone(review) => plain(
            &wire(&review.decision),
            format!("{}: {}", clip(&review.reason), calls.words(&review.call)),
        ),
        Event::HookFailed(failed) => (Ink::Bad, clip(&failed.hook), clip(&failed.error)),
        Event::Notice(notice) => (Ink::Careful, wire(&notice.code), clip(&notice.text)),
    }
}

/// The word by which a value stands in the journal.
pub(super) fn wire(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        // Our closed lists are written as words.
        Ok(_) | Err(_) => String::new(),
    }
}

/// The ink of an outcome.
pub(super) const fn ink_of_outcome(outcome: Outcome) -> Ink {
    match outcome {
        Outcome::Allowed => Ink::Good,
        Outcome::Rejected => Ink::Bad,
        Outcome::Cancelled | Outcome::Unavailable | Outcome::Deferred => Ink::Careful,
    }
}

/// The findings that made a verdict what it is.
fn deciding(judged: &CallJudged) -> impl Iterator<Item = &FindingLine> {
    let action = judged.action;
    judged
        .findings
        .iter()
        .filter(move |finding| finding.action == action)
}

/// What a call is about: the command of a shell, else what decided.
fn subject(judged: &CallJudged) -> String {
    let input = clip(&judged.input);
    let value: Option<serde_json::Value> = serde_json::from_str(&input).ok();
    let command = value
        .as_ref()
        .and_then(|value| value.get("command")?.as_str());
    match command {
        Some(command) => format!("`{command}`"),
        None => deciding(judged)
            .next()
            .or(judged.findings.first())
            .map_or(input, recorded::subject),
    }
}

/// What decided, where it was not plainly allowed.
fn because(judged: &CallJudged) -> String {
    match (judged.action, deciding(judged).next(), &judged.malformed) {
        (Action::Deny, _, Some(words)) => format!(": {}", clip(words)),
        (Action::Ask | Action::Deny, Some(finding), _) => {
            format!(": {}, {}", recorded::subject(finding), source(finding))
        }
        (Action::Allow | Action::Ask | Action::Deny, _, _) => String::new(),
    }
}
