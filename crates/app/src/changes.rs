//! What would change a verdict. Everything that is said here was tried: the call was judged again with it.

use crate::judged::Judged;
use crate::suggestion;
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::request::Target;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::rule::{Authority, RuleRef};
use countersign_policy::verdict::{Finding, Source, Verdict};

/// One thing that would change a verdict, or why nothing would.
#[derive(Debug)]
pub(crate) enum Change {
    /// In words.
    Words(String),
    /// Lines to be added to a rule file.
    Rules {
        /// Where, and what follows.
        words: String,
        /// The lines.
        lines: Vec<String>,
    },
}

/// What would change the verdict, in the order in which a person would consider it.
pub(crate) fn changes(judged: &Judged) -> Vec<Change> {
    let verdict = &judged.verdict;
    let words = |words: &str| vec![Change::Words(words.to_owned())];
    if verdict.malformed.is_some() {
        return words("input in the form of the tool");
    }
    if !verdict.broken.is_empty() && verdict.action != Action::Deny {
        return words("a rule file without errors: until then nothing is allowed without a person");
    }
    if let Some(floor) = verdict.findings.iter().find_map(floor) {
        return words(&format!(
            "nothing: no rule, no mode and no person lifts the floor ({floor})"
        ));
    }
    let mut out = modes(judged);
    if verdict.action == Action::Allow {
        out.push(Change::Words(
            "any ask or deny rule that matches it".to_owned(),
        ));
        return out;
    }
    out.extend(without_rules(judged));
    if let Some(suggestion) = suggestion::suggest(judged) {
        let place = judged.rules.as_ref().map_or_else(
            || "a rule file".to_owned(),
            |path| format!("`{}`", path.display()),
        );
        out.push(Change::Rules {
            words: format!("added to {place}, so that it is allowed:"),
            lines: suggestion,
        });
    }
    if out.is_empty() {
        out.push(Change::Words(unanswerable(verdict)));
    }
    out
}

fn floor(finding: &Finding) -> Option<&'static str> {
    match &finding.source {
        Source::Floor(floor) => Some(floor.name()),
        Source::Rule(_)
        | Source::PerhapsRule(_)
        | Source::Confinement(_)
        | Source::Opacity(_)
        | Source::Mode(_)
        | Source::CategoryChoice(_)
        | Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => None,
    }
}

/// The modes in which the verdict would be another.
fn modes(judged: &Judged) -> Vec<Change> {
    let Judged {
        setting, verdict, ..
    } = judged;
    let mut out = Vec::new();
    for action in Action::ALL {
        let names: Vec<&str> = Mode::ALL
            .into_iter()
            .filter(|mode| *mode != verdict.mode && action != verdict.action)
            .filter(|mode| judged.again(&setting.rules.set, *mode).action == action)
            .map(Mode::name)
            .collect();
        if !names.is_empty() {
            out.push(Change::Words(format!(
                "mode {} would {}",
                names.join(" or "),
                explain::action_predicate(action)
            )));
        }
    }
    out
}

/// The rules of the user's own without which the verdict would be milder.
fn without_rules(judged: &Judged) -> Vec<Change> {
    let Judged {
        setting, verdict, ..
    } = judged;
    let mut tried: Vec<&RuleRef> = Vec::new();
    let mut out = Vec::new();
    let sources = explain::deciding(verdict).filter_map(|finding| explain::rule(&finding.source));
    for rule in sources.filter(|rule| rule.authority == Authority::User) {
        if tried.contains(&rule) {
            continue;
        }
        tried.push(rule);
        let layers: Vec<Layer> = setting
            .rules
            .set
            .layers()
            .iter()
            .map(|layer| without(layer, rule))
            .collect();
        let action = judged.again(&RuleSet::new(layers), setting.mode).action;
        if action < verdict.action {
            let words = format!(
                "without {} the rest would {}",
                explain::rule_words(rule),
                explain::action_predicate(action)
            );
            out.push(Change::Words(words));
        }
    }
    out
}

/// A layer without one rule.
fn without(layer: &Layer, rule: &RuleRef) -> Layer {
    let mut layer = layer.clone();
    layer.rules.retain(|other| other.reference() != *rule);
    layer
}

/// Why nothing would change it.
fn unanswerable(verdict: &Verdict) -> String {
    let opaque = explain::deciding(verdict)
        .any(|finding| matches!(finding.request.target, Target::Opaque(_)));
    let person = explain::deciding(verdict).any(|finding| finding.person_only);
    match (verdict.action, opaque, person) {
        (Action::Ask, _, true) => {
            "no rule and no mode: its rule keeps the answer for a person".to_owned()
        }
        (Action::Ask, true, false) => {
            "no rule and no mode: what cannot be told is asked, so that only a person can answer"
                .to_owned()
        }
        (Action::Ask, false, false) => {
            "no rule that could be found; a person can answer".to_owned()
        }
        (Action::Allow | Action::Deny, _, _) => {
            "no mode, and no rule of yours that could be found".to_owned()
        }
    }
}
