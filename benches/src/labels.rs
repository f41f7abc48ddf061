//! Commands that other projects' tests label, beside our verdicts: counts for each label, and what ours rest on where
//! they differ. A label is somebody's answer for one purpose, not the truth; nothing is run.

use crate::rows::text;
use countersign_gate::imagined::{session, shell, verdict};
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::verdict::{Source, Verdict};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Modes that are shown.
const MODES: [Mode; 2] = [Mode::Default, Mode::AcceptEdits];

/// The whole report: a table of labels, and two lists of kinds.
pub fn report(data: &[Value]) -> String {
    let rules = RuleSet::new(vec![builtin()]);
    let mut counts: BTreeMap<String, [[usize; 3]; 2]> = BTreeMap::new();
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    let mut allowed = String::new();
    for row in data {
        let command = text(row, "cmd");
        let verdicts = MODES.map(|mode| ours(command, &rules, mode));
        let labels = row.get("labels").and_then(Value::as_array);
        for label in labels.into_iter().flatten() {
            let (name, source) = (text(label, "label"), text(label, "source"));
            let entry = counts.entry(format!("{name} | {source}")).or_default();
            for (own, counts) in verdicts.iter().zip(entry) {
                count(counts, own.action);
            }
            let safe = matches!(name, "auto-ok" | "not-blocked");
            let [plain, edits] = &verdicts;
            if safe && plain.action != Action::Allow {
                *asked
                    .entry(format!("{name} | {}", rests_on(plain)))
                    .or_default() += 1;
            }
            if !safe && edits.action == Action::Allow {
                let mode = if plain.action == Action::Allow {
                    "default"
                } else {
                    "accept-edits"
                };
                let _ = writeln!(allowed, "{} | {name} | {source} | {mode}", text(row, "id"));
            }
        }
    }
    let mut out =
        String::from("label | source | default: allow ask deny | accept-edits: allow ask deny\n");
    for (name, count) in &counts {
        let shown: Vec<String> = count.iter().flatten().map(usize::to_string).collect();
        let _ = writeln!(out, "{name} | {}", shown.join(" | "));
    }
    let mut kinds: Vec<_> = asked.into_iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    out.push_str("\nlabelled harmless, not allowed in default, by what ours rests on\n");
    for (kind, count) in kinds {
        let _ = writeln!(out, "{count:5} | {kind}");
    }
    let _ = write!(out, "\nlabelled otherwise and allowed\n{allowed}");
    out
}

/// Counts a verdict among those that allow, ask and deny.
const fn count([allow, ask, deny]: &mut [usize; 3], action: Action) {
    let own = match action {
        Action::Allow => allow,
        Action::Ask => ask,
        Action::Deny => deny,
    };
    *own += 1;
}

/// Our verdict on a command without any rules of the user's.
fn ours(command: &str, rules: &RuleSet, mode: Mode) -> Verdict {
    let cwd = AbsPath::root().join("repo");
    verdict(&shell(command, &cwd), &session(&cwd), rules, mode)
}

/// What a verdict rests on: the rule's name, the category of the mode, or why it cannot be told.
fn rests_on(verdict: &Verdict) -> String {
    let Some(finding) = explain::decisive(verdict) else {
        return "the input".to_owned();
    };
    match &finding.source {
        Source::Floor(floor) => format!("floor: {}", floor.words()),
        Source::Rule(rule) | Source::PerhapsRule(rule) | Source::Confinement(rule) => {
            let name = rule
                .id
                .as_deref()
                .unwrap_or_else(|| finding.request.kind.name());
            format!("rule: {name}")
        }
        Source::Opacity(why) => format!("opaque: {}", why.words()),
        Source::Mode(category) | Source::CategoryChoice(category) => {
            format!("mode: {}", category.name())
        }
        Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => "other".to_owned(),
    }
}
