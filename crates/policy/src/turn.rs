//! What a host lays over the rules for one turn (row P7): commands that need no question in it, and a turn that only
//! reads. It is applied to a verdict and never outlives the turn; the rules themselves know nothing of it.

use crate::action::Action;
use crate::call::{self, Call};
use crate::effects::command::{CommandLine, Field, OptionUse};
use crate::request::{Category, Kind, Request, Target};
use crate::rules::rule::Authority;
use crate::verdict::{Finding, Source, Verdict};

/// What holds for one turn beside the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// Commands that are allowed by their first words, each as its words: `gh pr view`. They answer what a mode or a
    /// built-in rule would ask about the command itself, never an ask or deny of a person's rules.
    pub scoped: Vec<Vec<String>>,
    /// Whether only reading is done: whatever else the rules allow is denied.
    pub read_only: bool,
}

impl Turn {
    /// The verdict as it stands in this turn.
    #[must_use]
    pub fn over(&self, verdict: Verdict, call: &Call) -> Verdict {
        let verdict = self.scoped(verdict, call);
        if self.read_only && verdict.action == Action::Allow && !only_reads(&verdict) {
            read_only_denied(verdict)
        } else {
            verdict
        }
    }

    /// Lifts the mild asks of a command with one of the prefixes; all of them, or none.
    fn scoped(&self, verdict: Verdict, call: &Call) -> Verdict {
        let Some(prefix) = self.prefix(&verdict, call) else {
            return verdict;
        };
        let asks = |finding: &&Finding| finding.action == Action::Ask;
        if verdict.action != Action::Ask || !verdict.findings.iter().filter(asks).all(is_mild) {
            return verdict;
        }
        let mut findings = verdict.findings;
        for finding in findings
            .iter_mut()
            .filter(|finding| finding.action == Action::Ask)
        {
            finding.action = Action::Allow;
            finding.source = Source::ScopedAllow(prefix.join(" "));
        }
        Verdict {
            action: Action::Allow,
            findings,
            ..verdict
        }
    }

    /// The prefix that the call's only command has, where its words can all be told and nothing changes what runs.
    fn prefix(&self, verdict: &Verdict, call: &Call) -> Option<&Vec<String>> {
        let call::Action::Shell(text) = &call.action else {
            return None;
        };
        if text.chars().any(char::is_control) || !verdict.broken.is_empty() {
            return None;
        }
        let line = only_command(verdict)?;
        let words: Option<Vec<&str>> = line.words.iter().map(Field::known).collect();
        let words = words.filter(|_| line.changed_by.is_empty())?;
        if words.starts_with(&["gh", "pr"]) && !is_plain_view(line, words.get(2).copied()) {
            return None;
        }
        let mut prefixes = self.scoped.iter();
        prefixes.find(|prefix| {
            let front = words.get(..prefix.len());
            !prefix.is_empty() && front.is_some_and(|front| front.iter().eq(prefix.iter()))
        })
    }
}

/// Whether every request of a call only reads, whatever allowed it.
pub fn only_reads(verdict: &Verdict) -> bool {
    verdict
        .findings
        .iter()
        .all(|finding| reads(&finding.request))
}

fn reads(request: &Request) -> bool {
    let kind = match request.kind {
        Kind::Read | Kind::Shell | Kind::Task | Kind::ExternalDirectory => true,
        Kind::Edit
        | Kind::Delete
        | Kind::Terminal
        | Kind::Net
        | Kind::WebSearch
        | Kind::Mcp
        | Kind::Memory
        | Kind::Tool => false,
    };
    kind && request.category == Category::Reads
}

/// The verdict of a turn that only reads on what the rules allowed and does more.
fn read_only_denied(verdict: Verdict) -> Verdict {
    let mut findings = verdict.findings;
    for finding in &mut findings {
        if !reads(&finding.request) {
            finding.action = Action::Deny;
            finding.source = Source::ReadOnlyTurn;
        }
    }
    Verdict {
        action: Action::Deny,
        findings,
        ..verdict
    }
}

/// The command of a call that has one only.
fn only_command(verdict: &Verdict) -> Option<&CommandLine> {
    let mut commands = verdict
        .findings
        .iter()
        .filter(|finding| finding.request.within.is_none())
        .filter_map(|finding| match &finding.request.target {
            Target::Command(line) => Some(line),
            Target::Path(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => None,
        });
    let first = commands.next()?;
    commands.next().is_none().then_some(first)
}

/// Whether an ask is one that a scoped prefix answers: the mode's, or a built-in rule's about the command itself.
fn is_mild(finding: &Finding) -> bool {
    let kind = match finding.request.kind {
        Kind::Shell | Kind::Net => true,
        Kind::Read
        | Kind::Edit
        | Kind::Delete
        | Kind::Terminal
        | Kind::WebSearch
        | Kind::Mcp
        | Kind::Memory
        | Kind::Task
        | Kind::ExternalDirectory
        | Kind::Tool => false,
    };
    let source = match &finding.source {
        Source::Mode(_) => true,
        Source::Rule(rule) => rule.authority == Authority::Builtin,
        Source::Floor(_)
        | Source::PerhapsRule(_)
        | Source::Confinement(_)
        | Source::Opacity(_)
        | Source::CategoryChoice(_)
        | Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => false,
    };
    kind && source && !finding.person_only
}

/// Options of `gh pr list` that only choose what is listed; each takes a value.
const LIST: [&str; 8] = [
    "--limit", "--json", "--state", "--author", "--base", "--head", "--label", "--search",
];

/// Whether `gh pr …` only shows pull requests of the repository: every argument is looked at.
fn is_plain_view(line: &CommandLine, subcommand: Option<&str>) -> bool {
    let only = |allowed: &[(&str, bool)]| {
        line.options.iter().all(|option| {
            let named = |(name, valued): &(&str, bool)| {
                has_name(option, name) && option.value.is_some() == *valued
            };
            allowed.iter().any(named)
        })
    };
    let one = line.operands.len() == 1;
    match subcommand {
        Some("view") => one && only(&[("--comments", false), ("--json", true)]),
        Some("diff") => {
            one && only(&[
                ("--patch", false),
                ("--name-only", false),
                ("--color", true),
            ])
        }
        Some("list") => line.operands.is_empty() && only(&LIST.map(|name| (name, true))),
        _ => false,
    }
}

fn has_name(option: &OptionUse, name: &str) -> bool {
    option.names.iter().any(|own| own == name)
}
