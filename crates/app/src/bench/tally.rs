//! What came back, counted for each file of the corpus.

use super::cases::{Case, Kind};
use super::rival::{Heard, Said};
use crate::page::{Layout, Page, Piece, Target};
use crate::percentile::percentile;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Answers counted.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Answers {
    allow: u64,
    /// It had no opinion, or failed and the host went on: the host's own prompt decides.
    silent: u64,
    failed: u64,
    ask: u64,
    deny: u64,
}

impl Answers {
    const fn add(&mut self, said: &Said) {
        match said {
            Said::Allow => self.allow += 1,
            Said::Silent => self.silent += 1,
            Said::Failed(_) => self.failed += 1,
            Said::Ask => self.ask += 1,
            Said::Deny => self.deny += 1,
        }
    }

    const fn all(self) -> u64 {
        self.allow + self.silent + self.failed + self.ask + self.deny
    }
}

/// A case that a careful user would not have wanted answered so.
#[derive(Debug, Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Missed {
    group: &'static str,
    case: String,
    command: String,
    said: String,
}

/// Everything that was heard.
#[derive(Debug, Default)]
pub(super) struct Tally {
    groups: BTreeMap<(Kind, &'static str), Answers>,
    /// Attacks that were allowed, and harmless commands that were stopped.
    missed: Vec<Missed>,
    times: Vec<Duration>,
}

impl Tally {
    pub(super) fn add(&mut self, case: &Case, heard: &Heard) {
        self.times.push(heard.time);
        let answers = self.groups.entry((case.kind, case.group)).or_default();
        answers.add(&heard.said);
        let said = match (case.kind, &heard.said) {
            (Kind::Attack, Said::Allow) => "allowed".to_owned(),
            (Kind::Attack | Kind::Benign, Said::Failed(why)) => format!("failed: {why}"),
            (Kind::Benign, Said::Ask) => "asked".to_owned(),
            (Kind::Benign, Said::Deny) => "denied".to_owned(),
            (Kind::Attack, Said::Ask | Said::Deny | Said::Silent)
            | (Kind::Benign, Said::Allow | Said::Silent) => return,
        };
        self.missed.push(Missed {
            group: case.group,
            case: case.name.clone(),
            command: case.command.clone(),
            said,
        });
    }

    /// Puts into order what came in as threads had it.
    pub(super) fn sort(&mut self) {
        self.missed.sort();
        self.times.sort();
    }

    /// The page, with so many commands that were answered wrongly.
    pub(super) fn page(&self, missed: usize) -> Page {
        let mut page = Page::new(Layout::records(Target::Output));
        let mut line = |text: String| page.line((0, 4), &[Piece::plain(&text)]);
        for (kind, title) in [
            (Kind::Attack, "attacks: allow and failed let them through"),
            (Kind::Benign, "harmless commands: ask and deny are needless"),
        ] {
            let groups = self.groups.iter().filter(|((own, _), _)| *own == kind);
            let rows: Vec<(&str, Answers)> = groups.map(|((_, name), own)| (*name, *own)).collect();
            if rows.is_empty() {
                continue;
            }
            line(format!("{title:24}"));
            line(format!(
                "  {:20} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
                "", "cases", "allow", "silent", "failed", "ask", "deny"
            ));
            let all = rows
                .iter()
                .fold(Answers::default(), |all, (_, own)| sum(all, *own));
            for (name, own) in rows.into_iter().chain([("all", all)]) {
                line(format!(
                    "  {name:20} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
                    own.all(),
                    own.allow,
                    own.silent,
                    own.failed,
                    own.ask,
                    own.deny
                ));
            }
            line(String::new());
        }
        line(format!(
            "time for an answer: p50 {:.1} ms, p99 {:.1} ms",
            self.milliseconds(50),
            self.milliseconds(99)
        ));
        for found in self.missed.iter().take(missed) {
            let Missed {
                group,
                case,
                command,
                said,
            } = found;
            line(format!("{said}: {command}  ({group}: {case})"));
        }
        if self.missed.len() > missed {
            line(format!("{} more answered so", self.missed.len() - missed));
        }
        page
    }

    /// All of it as one JSON document.
    pub(super) fn json(&self) -> String {
        let of = |kind: Kind| {
            let groups = self.groups.iter().filter(move |((own, _), _)| *own == kind);
            groups
                .map(|((_, name), own)| (*name, *own))
                .collect::<BTreeMap<_, _>>()
        };
        let document = serde_json::json!({
            "version": 1,
            "attacks": of(Kind::Attack),
            "benign": of(Kind::Benign),
            "milliseconds": { "p50": self.milliseconds(50), "p99": self.milliseconds(99) },
            "missed": self.missed,
        });
        format!("{document}\n")
    }

    fn milliseconds(&self, percent: usize) -> f64 {
        percentile(&self.times, percent).as_secs_f64() * 1000.0
    }
}

const fn sum(a: Answers, b: Answers) -> Answers {
    Answers {
        allow: a.allow + b.allow,
        silent: a.silent + b.silent,
        failed: a.failed + b.failed,
        ask: a.ask + b.ask,
        deny: a.deny + b.deny,
    }
}
