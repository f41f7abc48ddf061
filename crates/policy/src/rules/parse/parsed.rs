//! What became of a rule file that was read, and whether its examples hold; the reading itself is done elsewhere.

use super::diagnostic::{Diagnostic, Severity};
use crate::action::Action;
use crate::request::Request;
use crate::rules::layer::Layer;
use crate::rules::pattern::matching::Match;
use crate::rules::rule::Rule;
use crate::session::Session;
use std::ops::Range;

/// A rule file that was read.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// What is in force of it; marked broken where there is an error.
    pub layer: Layer,
    /// Everything that is wrong with it, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What its rules claim to match.
    pub(super) examples: Vec<Example>,
}

/// One entry of `matches` or `not_matches`.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// The rules of the entry, as places in the layer.
    pub(super) rules: Range<usize>,
    /// The text.
    pub(super) text: String,
    /// Whether it should match.
    pub(super) expected: bool,
    /// Its line and column.
    pub(super) place: (usize, usize),
}

impl Parsed {
    /// Checks `matches` and `not_matches` of every rule. `read` says what requests a shell text makes in `session`.
    pub fn check_examples(&mut self, session: &Session, read: &dyn Fn(&str) -> Vec<Request>) {
        for example in &self.examples {
            let requests = read(&example.text);
            let rules = self
                .layer
                .rules
                .get(example.rules.clone())
                .unwrap_or_default();
            let holds = rules.iter().any(|rule| {
                requests
                    .iter()
                    .any(|request| applies(rule, request, session))
            });
            if holds != example.expected {
                self.diagnostics.push(failed(example));
            }
        }
        self.diagnostics
            .sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        self.layer.broken = broken(&self.layer.origin, &self.diagnostics);
    }
}

/// Whether a rule would speak on a request, its working directory aside: an example has none of its own.
fn applies(rule: &Rule, request: &Request, session: &Session) -> bool {
    let mut rule = rule.clone();
    std::sync::Arc::make_mut(&mut rule.terms).directory = None;
    let found = rule.matches(request, session);
    let exempt = rule.exempts(request, session);
    match rule.action {
        Action::Allow => found == Match::Yes && exempt == Match::No,
        Action::Ask | Action::Deny => found != Match::No && exempt != Match::Yes,
    }
}

/// What is said of an example that does not hold.
fn failed(example: &Example) -> Diagnostic {
    let (line, column) = example.place;
    let (message, hint) = if example.expected {
        (
            "is not matched by the rule",
            "change the rule, or move the example to `not_matches`",
        )
    } else {
        (
            "is matched by the rule",
            "change the rule, or move the example to `matches`",
        )
    };
    Diagnostic {
        severity: Severity::Error,
        line,
        column,
        message: format!("the example `{}` {message}", example.text),
        hint: Some(hint.to_owned()),
    }
}

/// What is told of a file with errors.
pub(super) fn broken(origin: &str, diagnostics: &[Diagnostic]) -> Option<String> {
    let mut errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    let first = errors.next()?;
    let more = match errors.count() {
        0 => String::new(),
        1 => ", and one more error".to_owned(),
        count => format!(", and {count} more errors"),
    };
    Some(format!(
        "{origin}:{}:{}: {}{more}",
        first.line, first.column, first.message
    ))
}
