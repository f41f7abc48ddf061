//! What was read from another agent's settings, as a plain value; how each agent writes it is not known here.

use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::{Category, Kind};
use countersign_policy::rules::approvals::Approvals;
use std::fmt;

/// Everything that settings say about permissions, in our terms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// The rules, in the order of the settings.
    pub rules: Vec<ImportedRule>,
    /// Rules behind them: whatever is allowed is an exception to them.
    pub(super) behind: Vec<ImportedRule>,
    /// The mode, where they name one.
    pub mode: Option<Mode>,
    /// Who answers asks, where they say so.
    pub approvals: Option<Approvals>,
    /// Their answers where no rule decides.
    pub category: Vec<(Category, Action)>,
    /// What they say and we do not.
    pub untranslated: Vec<Remark>,
    /// What they say and we say otherwise.
    pub warnings: Vec<Remark>,
}

/// A rule in our language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRule {
    /// What follows.
    pub action: Action,
    /// The requests to which it applies.
    pub kind: Kind,
    /// What it matches, in our language.
    pub pattern: String,
    /// One of these arguments is present.
    pub with: Vec<String>,
    /// To the person.
    pub reason: Option<String>,
    /// From what it was translated, as it stands there.
    pub from: String,
}

/// A part of the settings and what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The part, as it stands there.
    pub what: String,
    /// Why it is not, or otherwise, translated.
    pub why: String,
}

/// Why settings cannot be read at all. Nothing of them is translated then: what cannot be read may deny something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Unreadable {}

impl ImportedRule {
    /// A rule without conditions.
    pub(super) fn plain(
        action: Action,
        kind: Kind,
        pattern: impl Into<String>,
        from: &str,
    ) -> Self {
        Self {
            action,
            kind,
            pattern: pattern.into(),
            with: Vec::new(),
            reason: None,
            from: from.to_owned(),
        }
    }
}

impl Imported {
    /// What several files of one agent say: all rules, and the stricter mode.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.rules.extend(other.rules);
        self.behind.extend(other.behind);
        // Both are ordered from the strictest.
        self.mode = self.mode.into_iter().chain(other.mode).min();
        self.approvals = self.approvals.into_iter().chain(other.approvals).min();
        let news = other.category.into_iter();
        let news: Vec<_> = news
            .filter(|choice| !self.category.contains(choice))
            .collect();
        self.category.extend(news);
        self.untranslated.extend(other.untranslated);
        self.warnings.extend(other.warnings);
        self
    }

    /// Adds a rule without conditions.
    pub(super) fn rule(
        &mut self,
        action: Action,
        kind: Kind,
        pattern: impl Into<String>,
        from: &str,
    ) {
        self.rules
            .push(ImportedRule::plain(action, kind, pattern, from));
    }

    /// Adds a rule to which what is allowed is an exception.
    pub(super) fn behind(&mut self, action: Action, kind: Kind, pattern: &str, from: &str) {
        self.behind
            .push(ImportedRule::plain(action, kind, pattern, from));
    }

    /// Refuses whatever changes something, as a session that only plans does.
    pub(super) fn keep_to_reading(&mut self) {
        self.mode = Some(Mode::Default);
        for category in [
            Category::Writes,
            Category::Builds,
            Category::Installs,
            Category::Unknown,
            Category::Removes,
            Category::Remote,
            Category::Privilege,
        ] {
            let choice = (category, Action::Deny);
            if !self.category.contains(&choice) {
                self.category.push(choice);
            }
        }
    }

    /// Notes what is not translated.
    pub(super) fn leave(&mut self, what: &str, why: impl Into<String>) {
        self.untranslated.push(Remark {
            what: what.to_owned(),
            why: why.into(),
        });
    }

    /// Notes what is translated otherwise.
    pub(super) fn warn(&mut self, what: &str, why: impl Into<String>) {
        self.warnings.push(Remark {
            what: what.to_owned(),
            why: why.into(),
        });
    }
}
