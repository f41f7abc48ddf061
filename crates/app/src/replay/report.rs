//! What a replay counts: verdicts for each tool, questions in each session, and why they would have been asked.

use crate::always::{self, Kept};
use crate::percentile::percentile;
use countersign_policy::action::Action;
use countersign_policy::call::Call;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::request::Target;
use countersign_policy::verdict::{Finding, Source, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How many skipped lines are named.
const NAMED: usize = 5;

/// The counts of one replay.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) mode: Mode,
    pub(super) tools: BTreeMap<String, Verdicts>,
    sessions: BTreeMap<String, Questions>,
    reasons: BTreeMap<String, Reason>,
    skipped: u64,
    /// The first of them.
    named: Vec<String>,
}

/// Verdicts counted.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Verdicts {
    pub(super) allow: u64,
    pub(super) ask: u64,
    pub(super) deny: u64,
}

impl Verdicts {
    pub(super) const fn all(self) -> u64 {
        self.allow + self.ask + self.deny
    }
}

/// The questions of one session.
#[derive(Debug, Default)]
struct Questions {
    /// Every one.
    all: u64,
    /// One for each family: what an "always" to an earlier one would have settled is not asked again.
    families: u64,
    settled: BTreeSet<String>,
}

/// Why calls would have been asked about.
#[derive(Debug, Clone, Default)]
struct Reason {
    calls: u64,
    families: u64,
    sessions: BTreeSet<String>,
    example: String,
}

/// A reason as it is told.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    pub(super) why: String,
    /// Questions that a family answered before are left out.
    pub(super) families: u64,
    pub(super) calls: u64,
    pub(super) sessions: usize,
    pub(super) example: String,
}

/// Questions in a session, over all sessions.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Spread {
    pub(super) p50: u64,
    pub(super) p75: u64,
    pub(super) p90: u64,
    pub(super) most: u64,
}

impl Report {
    pub(super) const fn new(mode: Mode) -> Self {
        Self {
            mode,
            tools: BTreeMap::new(),
            sessions: BTreeMap::new(),
            reasons: BTreeMap::new(),
            skipped: 0,
            named: Vec::new(),
        }
    }

    /// Counts a call.
    pub(super) fn add(&mut self, session: &str, call: &Call, verdict: &Verdict) {
        let counts = self.tools.entry(call.tool.clone()).or_default();
        let questions = self.sessions.entry(session.to_owned()).or_default();
        match verdict.action {
            Action::Allow => counts.allow += 1,
            Action::Deny => counts.deny += 1,
            Action::Ask => {
                counts.ask += 1;
                questions.all += 1;
                let new = questions.is_new(call, verdict);
                questions.families += u64::from(new);
                let why = explain::decisive(verdict).map_or_else(String::new, why);
                let reason = self.reasons.entry(why).or_default();
                reason.calls += 1;
                reason.families += u64::from(new);
                reason.sessions.insert(session.to_owned());
                if reason.example.is_empty() {
                    reason.example = subject(call, verdict);
                }
            }
        }
    }

    /// Notes a line that could not be read.
    pub(super) fn skipped(&mut self, place: &str, why: &str) {
        self.skipped += 1;
        if self.named.len() < NAMED {
            self.named.push(format!("{place}: {why}"));
        }
    }

    pub(super) fn calls(&self) -> u64 {
        self.tools.values().map(|counts| counts.all()).sum()
    }

    pub(super) fn sessions(&self) -> usize {
        self.sessions.len()
    }

    pub(super) fn lines_skipped(&self) -> (u64, &[String]) {
        (self.skipped, &self.named)
    }

    /// Every question, and one for each family.
    pub(super) fn spreads(&self) -> (Spread, Spread) {
        let of = |count: fn(&Questions) -> u64| spread(self.sessions.values().map(count).collect());
        (
            of(|questions| questions.all),
            of(|questions| questions.families),
        )
    }

    /// The reasons, the commonest first.
    pub(super) fn reasons(&self) -> Vec<Told> {
        let mut told: Vec<Told> = self
            .reasons
            .iter()
            .map(|(why, reason)| Told {
                why: why.clone(),
                families: reason.families,
                calls: reason.calls,
                sessions: reason.sessions.len(),
                example: reason.example.clone(),
            })
            .collect();
        told.sort_by(|a, b| (b.families, b.calls, &a.why).cmp(&(a.families, a.calls, &b.why)));
        told
    }

    /// All of it as one JSON document.
    pub(super) fn json(&self) -> String {
        let (all, families) = self.spreads();
        let document = serde_json::json!({
            "version": 1,
            "mode": self.mode.name(),
            "calls": self.calls(),
            "sessions": self.sessions(),
            "lines_skipped": self.skipped,
            "tools": self.tools,
            "questions_per_session": { "all": all, "families": families },
            "reasons": self.reasons(),
        });
        format!("{document}\n")
    }
}

impl Questions {
    /// Whether nothing that was answered before settles the question.
    fn is_new(&mut self, call: &Call, verdict: &Verdict) -> bool {
        let keys = match always::kept(verdict) {
            Kept::Nothing(_) => return true,
            Kept::Exact(_) => vec![format!("{} {} {}", call.tool, call.cwd, call.input)],
            Kept::Rules(rules) => rules,
        };
        let mut new = false;
        for key in keys {
            new |= self.settled.insert(key);
        }
        new
    }
}

/// The kind of question: what decided, without the particular path, host or command.
fn why(finding: &Finding) -> String {
    let kind = finding.request.kind.name();
    let by = match &finding.source {
        Source::Rule(rule) | Source::PerhapsRule(rule) | Source::Confinement(rule) => {
            rule.id.clone().unwrap_or_else(|| rule.label.clone())
        }
        Source::Mode(category) | Source::CategoryChoice(category) => category.name().to_owned(),
        Source::Opacity(why) => why.name().to_owned(),
        Source::Floor(floor) => floor.name().to_owned(),
        Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => explain::because(finding),
    };
    let program = match &finding.request.target {
        Target::Command(line) => line.words.first().and_then(|word| word.known()),
        Target::Path(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => {
            finding.request.program.as_deref()
        }
    };
    match program {
        Some(program) => format!("{kind} {by}: {program}"),
        None => format!("{kind} {by}"),
    }
}

/// What a question was about, in one line.
fn subject(call: &Call, verdict: &Verdict) -> String {
    match explain::decisive(verdict) {
        Some(finding) => explain::subject(&finding.request),
        None => call.tool.clone(),
    }
}

fn spread(mut counts: Vec<u64>) -> Spread {
    counts.sort_unstable();
    Spread {
        p50: percentile(&counts, 50),
        p75: percentile(&counts, 75),
        p90: percentile(&counts, 90),
        most: percentile(&counts, 100),
    }
}
