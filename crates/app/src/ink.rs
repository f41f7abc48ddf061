//! The ink of each action and severity; a word always says the same without it.

use crate::page::Ink;
use countersign_policy::action::Action;
use countersign_policy::rules::parse::diagnostic::Severity;

/// The ink of an action.
pub(crate) const fn of(action: Action) -> Ink {
    match action {
        Action::Allow => Ink::Good,
        Action::Ask => Ink::Careful,
        Action::Deny => Ink::Bad,
    }
}

/// The ink of a severity.
pub(crate) const fn of_severity(severity: Severity) -> Ink {
    match severity {
        Severity::Warning => Ink::Careful,
        Severity::Error => Ink::Bad,
    }
}
