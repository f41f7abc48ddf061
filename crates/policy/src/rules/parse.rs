//! Reads a rule file: everything that is wrong with it is collected, and what can be read of it holds all the same.

pub mod diagnostic;
mod entry;
mod nearest;
mod reader;
mod timestamp;

use self::diagnostic::{Diagnostic, Severity};
use self::reader::Reader;
use super::approvals::Approvals;
use super::layer::Layer;
use super::pattern::matching::Match;
use super::rule::{Authority, Rule};
use crate::mode::Mode;
use crate::request::{Category, Kind, Request};
use crate::session::Session;
use crate::verdict::Action;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The version of the language.
const VERSION: &str = "1";

/// The keys of a file.
const KEYS: [&str; 8] = [
    "version",
    "mode",
    "approvals",
    "category",
    "allow",
    "ask",
    "deny",
    "rule",
];

/// A rule file that was read.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// What is in force of it; marked broken where there is an error.
    pub layer: Layer,
    /// Everything that is wrong with it, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What its rules claim to match.
    examples: Vec<Example>,
}

/// One entry of `matches` or `not_matches`.
#[derive(Debug, Clone)]
struct Example {
    /// The rules of the entry, as places in the layer.
    rules: Range<usize>,
    /// The text.
    text: String,
    /// Whether it should match.
    expected: bool,
    /// Its line and column.
    place: (usize, usize),
}

/// Reads a rule file. `origin` is the file as the user knows it. Examples are checked by [`Parsed::check_examples`].
pub fn parse(text: &str, origin: &str, authority: Authority) -> Parsed {
    let mut reader = Reader::new(text, origin, authority);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        reader.syntax_error(&error);
    }
    let document = document.get_ref();
    for (key, value) in document {
        let name = key.get_ref().as_ref();
        match name {
            "version" => version(&mut reader, value),
            "mode" => {
                let names = Mode::ALL.map(Mode::name);
                reader.layer.mode = reader.name(value, "mode", &names).and_then(Mode::parse);
            }
            "approvals" => {
                let names = Approvals::ALL.map(Approvals::name);
                reader.layer.approvals = reader
                    .name(value, "answer to `approvals`", &names)
                    .and_then(Approvals::parse);
            }
            "category" => categories(&mut reader, value),
            "rule" => entry::entries(&mut reader, value),
            _ => match Action::parse(name) {
                Some(action) => table(&mut reader, action, value),
                None => reader.unknown(key.span(), "key", name, &KEYS),
            },
        }
    }
    reader.finish()
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
fn broken(origin: &str, diagnostics: &[Diagnostic]) -> Option<String> {
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

/// Reads `version`.
fn version(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) {
    match value.get_ref() {
        DeValue::Integer(number) if number.as_str() == VERSION && number.radix() == 10 => {}
        DeValue::Integer(number) => reader.error(
            value.span(),
            format!("version `{number}` is not known"),
            format!("write `version = {VERSION}`, or update countersign"),
        ),
        DeValue::String(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => reader.wrong_type(value, "`version`", "a number"),
    }
}

/// Reads `category`.
fn categories(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong_type(value, "`category`", "a table like `{ builds = \"allow\" }`");
        return;
    };
    let names = Category::ALL.map(Category::name);
    for (key, value) in table {
        let Some(category) = Category::parse(key.get_ref()) else {
            reader.unknown(key.span(), "category", key.get_ref(), &names);
            continue;
        };
        let action = reader.name(value, "action", &Action::ALL.map(Action::name));
        match action.and_then(Action::parse) {
            Some(Action::Allow) if category == Category::Opaque => reader.error(
                value.span(),
                "what cannot be told is never allowed",
                "write `ask` or `deny` for `opaque`",
            ),
            Some(action) => reader.layer.category.push((category, action)),
            None => {}
        }
    }
}

/// Reads `[allow]`, `[ask]` or `[deny]`.
fn table(reader: &mut Reader<'_>, action: Action, value: &Spanned<DeValue<'_>>) {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong_type(
            value,
            &format!("`{}`", action.name()),
            "a table of kinds, like `shell = [\"git fetch *\"]`",
        );
        return;
    };
    let terms = std::sync::Arc::default();
    for (key, value) in table {
        let Some(kind) = Kind::parse(key.get_ref()) else {
            reader.unknown(
                key.span(),
                "kind",
                key.get_ref(),
                &Kind::ALL.map(Kind::name),
            );
            continue;
        };
        for (span, pattern) in reader.patterns(kind, value) {
            reader.push(action, kind, pattern, &terms, span.start);
        }
    }
}
