//! A finding as it was recorded, in words; and the texts in it that were clipped.

use countersign_gate::journal::clip::Clip;
use countersign_gate::journal::judged::{FindingLine, RuleLine, SourceLine};

/// What decided a recorded finding.
pub(super) fn source(finding: &FindingLine) -> String {
    match &finding.source {
        SourceLine::Floor { floor } => format!("the floor, {floor}"),
        SourceLine::Rule { rule } => rule_words(rule),
        SourceLine::PerhapsRule { rule } => format!("{}, which may match", rule_words(rule)),
        SourceLine::Confinement { rule } => {
            format!("{}, whose confinement cannot be enforced", rule_words(rule))
        }
        SourceLine::Opacity { why } => format!("cannot be told, {why}"),
        SourceLine::Mode { category } => format!("the mode, for {}", category.name()),
        SourceLine::CategoryChoice { category } => {
            format!("the choice for {}", category.name())
        }
        SourceLine::SettledByCommand { rule } => {
            format!("{}, which covers the command", rule_words(rule))
        }
        SourceLine::ItsStarter {} => "only through the command that starts it".to_owned(),
        SourceLine::ItsEffects {} => "only through its effects".to_owned(),
        SourceLine::ScopedAllow { prefix } => {
            format!("the turn, which allows `{prefix}`")
        }
        SourceLine::ReadOnlyTurn {} => "the turn, which only reads".to_owned(),
        SourceLine::BrokenRules {} => "a rule file is broken".to_owned(),
    }
}

fn rule_words(rule: &RuleLine) -> String {
    let name = clip(rule.id.as_ref().unwrap_or(&rule.label));
    let origin = clip(&rule.origin);
    // The file of the built-in layer is named like the layer.
    if origin == rule.layer {
        format!("rule `{name}` ({origin}:{})", rule.line)
    } else {
        format!("rule `{name}` ({}, {origin}:{})", rule.layer, rule.line)
    }
}

/// What a recorded finding is about.
pub(super) fn subject(finding: &FindingLine) -> String {
    let kind = finding.kind.name();
    match &finding.source {
        // There is no target, only why there is none.
        SourceLine::Opacity { .. } => kind.to_owned(),
        SourceLine::Floor { .. }
        | SourceLine::Rule { .. }
        | SourceLine::PerhapsRule { .. }
        | SourceLine::Confinement { .. }
        | SourceLine::Mode { .. }
        | SourceLine::CategoryChoice { .. }
        | SourceLine::SettledByCommand { .. }
        | SourceLine::ItsEffects {}
        | SourceLine::ItsStarter {}
        | SourceLine::ScopedAllow { .. }
        | SourceLine::ReadOnlyTurn {}
        | SourceLine::BrokenRules {} => format!("{kind} `{}`", clip(&finding.target)),
    }
}

/// A clipped text in one piece; that its middle is missing is said.
pub(super) fn clip(clip: &Clip) -> String {
    match &clip.tail {
        None => clip.head.clone(),
        Some(tail) => {
            let kept = (clip.head.len() + tail.len()) as u64;
            let missing = clip.bytes.saturating_sub(kept);
            format!("{} [… {missing} bytes not kept …] {tail}", clip.head)
        }
    }
}
