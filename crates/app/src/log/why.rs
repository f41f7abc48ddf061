//! `log why`: everything that the journals know of one call: input, findings, rules, outcome, by whom, when.

use super::recorded::{clip, source, subject};
use super::say::{damaged, missing, print};
use super::sessions::Journal;
use super::summary::{Calls, call_of, ink_of_outcome, parts, wire};
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::ink;
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_gate::journal::closed::CallClosed;
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::event::{ApprovalAsked, ApprovalDecided, Event};
use countersign_gate::journal::judged::{CallJudged, FindingLine};
use countersign_gate::journal::line::Entry;
use countersign_gate::journal::time::Timestamp;
use std::collections::BTreeMap;

/// The entries of one call in one session.
#[derive(Debug, Default)]
struct Story {
    entries: Vec<Entry>,
}

/// Shows the call of that identity, or of the only one that begins so.
pub(super) fn run(wanted: &str, journals: &[Journal]) -> Result<Exit, CommandError> {
    let mut stories: BTreeMap<String, Vec<(&Journal, Story)>> = BTreeMap::new();
    for journal in journals {
        for (call, story) in stories_of(wanted, journal)? {
            stories.entry(call).or_default().push((journal, story));
        }
    }
    let chosen = if stories.contains_key(wanted) {
        stories.remove_entry(wanted)
    } else if stories.len() > 1 {
        return Err(ambiguous(wanted, &stories));
    } else {
        stories.pop_first()
    };
    let Some((call, told)) = chosen else {
        let words = format!("there is no call whose identity begins with `{wanted}`");
        return Err(missing(
            words,
            "`countersign log --session all` shows the identities",
        ));
    };
    for (journal, story) in &told {
        let mut page = Page::new(Layout::prose(Target::Output));
        let words = format!("call {call} in session {}", journal.name);
        page.line((0, 2), &[Piece::new(Ink::Strong, &words)]);
        tell(&mut page, story);
        print(&page)?;
    }
    Ok(Exit::Done)
}

/// The calls of a session whose identity begins so.
fn stories_of(wanted: &str, journal: &Journal) -> Result<BTreeMap<String, Story>, CommandError> {
    let mut stories: BTreeMap<String, Story> = BTreeMap::new();
    for entry in entries(&journal.path)? {
        match entry {
            Ok(entry) => {
                let call = call_of(&entry.event).map(str::to_owned);
                if let Some(call) = call.filter(|call| call.starts_with(wanted)) {
                    stories.entry(call).or_default().entries.push(entry);
                }
            }
            Err(error) => damaged(&error)?,
        }
    }
    Ok(stories)
}

fn ambiguous(wanted: &str, stories: &BTreeMap<String, Vec<(&Journal, Story)>>) -> CommandError {
    let words = format!("{} calls begin with `{wanted}`", stories.len());
    let names: Vec<&str> = stories.keys().take(5).map(String::as_str).collect();
    let more = if stories.len() > names.len() {
        ", …"
    } else {
        ""
    };
    CommandError::new(ErrorKind::User, words).hint(format!("they are {}{more}", names.join(", ")))
}

/// Everything about a call, in the order in which it happened.
fn tell(page: &mut Page, story: &Story) {
    let calls = Calls::default();
    let mut shown = false;
    for entry in &story.entries {
        match &entry.event {
            Event::CallJudged(judged) => {
                if !shown {
                    call(page, judged);
                    shown = true;
                }
                verdict(page, entry.time, judged);
            }
            Event::ApprovalAsked(asked) => question(page, entry.time, asked),
            Event::ApprovalDecided(decided) => answer(page, entry.time, decided),
            Event::CallClosed(closed) => outcome(page, entry.time, closed),
            Event::CallReported(_)
            | Event::GrantUsed(_)
            | Event::ReviewDone(_)
            | Event::HookFailed(_)
            | Event::SessionOpened(_)
            | Event::TurnOpened(_)
            | Event::TurnClosed(_)
            | Event::ApprovalPolicy(_)
            | Event::GrantSaved(_)
            | Event::GrantRevoked(_)
            | Event::Notice(_) => {
                let (ink, name, words) = parts(&entry.event, &calls);
                let what = format!("{} ", entry.event.name());
                line(
                    page,
                    entry.time,
                    &[
                        Piece::plain(&what),
                        Piece::new(ink, &name),
                        Piece::plain(&format!(" {words}")),
                    ],
                );
            }
        }
    }
}

/// The call itself.
fn call(page: &mut Page, judged: &CallJudged) {
    for (name, text) in [
        ("tool", clip(&judged.tool)),
        ("directory", clip(&judged.cwd)),
        ("input", clip(&judged.input)),
        ("digest", judged.digest.clone()),
    ] {
        let name = Piece::new(Ink::Faint, &format!("{name:<10}"));
        page.line((2, 12), &[name, Piece::plain(&text)]);
    }
}

/// The verdict with its findings.
fn verdict(page: &mut Page, time: Timestamp, judged: &CallJudged) {
    let words = format!(
        " ({}, {}), mode {}, in {}",
        wire(&judged.code),
        wire(&judged.phase),
        judged.mode.name(),
        duration(judged.micros)
    );
    let action = Piece::new(ink::of(judged.action), judged.action.name());
    line(
        page,
        time,
        &[Piece::plain("judged "), action, Piece::plain(&words)],
    );
    if let Some(words) = &judged.malformed {
        page.line(
            (6, 8),
            &[Piece::plain(&format!(
                "the input does not have the tool's form: {}",
                clip(words)
            ))],
        );
    }
    for finding in &judged.findings {
        finding_line(page, finding);
    }
    if judged.findings_left_out > 0 {
        let words = format!("{} more findings were not kept", judged.findings_left_out);
        page.line((6, 8), &[Piece::plain(&words)]);
    }
    for file in &judged.broken {
        page.line(
            (6, 8),
            &[Piece::plain(&format!("broken rule file: {}", clip(file)))],
        );
    }
}

fn finding_line(page: &mut Page, finding: &FindingLine) {
    let person = if finding.person_only {
        "; only a person may answer"
    } else {
        ""
    };
    let words = format!(" {}: {}{person}", subject(finding), source(finding));
    let action = format!("{:<6}", finding.action.name());
    page.line(
        (6, 13),
        &[
            Piece::new(ink::of(finding.action), &action),
            Piece::plain(&words),
        ],
    );
    let places: Vec<String> = finding.places.iter().map(clip).collect();
    if !places.is_empty() {
        page.line(
            (13, 15),
            &[Piece::new(Ink::Faint, &format!("at {}", places.join(", ")))],
        );
    }
}

fn question(page: &mut Page, time: Timestamp, asked: &ApprovalAsked) {
    let words = format!("asked {}: {}", wire(&asked.of), clip(&asked.summary));
    line(page, time, &[Piece::plain(&words)]);
    for rule in &asked.offered {
        page.line((6, 8), &[Piece::plain(&format!("offered: {rule}"))]);
    }
}

fn answer(page: &mut Page, time: Timestamp, decided: &ApprovalDecided) {
    let outcome = Piece::new(ink_of_outcome(decided.outcome), decided.outcome.name());
    let words = format!(
        " ({}) by {} after {}",
        wire(&decided.answer),
        wire(&decided.by),
        duration(decided.micros)
    );
    line(
        page,
        time,
        &[Piece::plain("answered "), outcome, Piece::plain(&words)],
    );
    if let Some(words) = &decided.words {
        page.line(
            (6, 8),
            &[Piece::plain(&format!("with the words: {}", clip(words)))],
        );
    }
}

fn outcome(page: &mut Page, time: Timestamp, closed: &CallClosed) {
    let outcome = Piece::new(ink_of_outcome(closed.outcome()), closed.outcome().name());
    let words = format!(
        " by {} after {}",
        wire(&closed.by()),
        duration(closed.micros())
    );
    line(
        page,
        time,
        &[Piece::plain("closed "), outcome, Piece::plain(&words)],
    );
}

fn line(page: &mut Page, time: Timestamp, pieces: &[Piece]) {
    let mut all = vec![Piece::new(Ink::Faint, &format!("{time}  "))];
    all.extend_from_slice(pieces);
    page.line((2, 6), &all);
}

/// A time span for a person.
fn duration(micros: u64) -> String {
    let (millis, seconds) = (micros / 1000, micros / 1_000_000);
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{millis} ms"),
        1_000_000..60_000_000 => format!("{seconds}.{} s", millis % 1000 / 100),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}
