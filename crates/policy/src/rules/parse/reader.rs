//! The state of reading one rule file: what was read so far and what is wrong; it knows values, not the grammar.

use super::diagnostic::{Diagnostic, Places, Severity};
use super::nearest::nearest;
use super::parsed::{Example, Parsed, broken};
use crate::action::Action;
use crate::request::Kind;
use crate::rules::layer::Layer;
use crate::rules::pattern::Pattern;
use crate::rules::pattern::words::PatternError;
use crate::rules::rule::{Authority, Rule, Terms};
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::DeValue;

/// Where something stands in the text, in bytes.
pub(super) type Place = Range<usize>;

/// The state of reading one rule file.
pub(super) struct Reader<'t> {
    /// What was read.
    pub(super) layer: Layer,
    /// What its rules claim.
    pub(super) examples: Vec<Example>,
    /// The ids so far, with their lines.
    pub(super) ids: Vec<(String, usize)>,
    diagnostics: Vec<Diagnostic>,
    places: Places<'t>,
    origin: Arc<str>,
}

impl<'t> Reader<'t> {
    /// A reader of this text.
    pub(super) fn new(text: &'t str, origin: &str, authority: Authority) -> Self {
        Self {
            layer: Layer::empty(authority, origin),
            examples: Vec::new(),
            ids: Vec::new(),
            diagnostics: Vec::new(),
            places: Places::new(text),
            origin: Arc::from(origin),
        }
    }

    /// What was read, with what is wrong in the order of the text.
    pub(super) fn finish(mut self) -> Parsed {
        self.diagnostics
            .sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        self.layer.broken = broken(&self.layer.origin, &self.diagnostics);
        Parsed {
            layer: self.layer,
            diagnostics: self.diagnostics,
            examples: self.examples,
        }
    }

    /// How many errors there are so far.
    pub(super) fn errors(&self) -> usize {
        let errors = self
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error);
        errors.count()
    }

    /// Line and column of a byte offset.
    pub(super) fn place(&self, offset: usize) -> (usize, usize) {
        self.places.place(offset)
    }

    /// Adds a rule.
    pub(super) fn push(
        &mut self,
        action: Action,
        kind: Kind,
        pattern: Pattern,
        terms: &Arc<Terms>,
        offset: usize,
    ) {
        self.layer.rules.push(Rule {
            authority: self.layer.authority,
            action,
            kind,
            pattern,
            terms: Arc::clone(terms),
            origin: Arc::clone(&self.origin),
            line: self.places.line(offset),
        });
    }

    /// Notes an error.
    pub(super) fn error(
        &mut self,
        span: Place,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.note(Severity::Error, &span, message.into(), Some(hint.into()));
    }

    /// Notes a warning.
    pub(super) fn warning(
        &mut self,
        span: Place,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.note(Severity::Warning, &span, message.into(), Some(hint.into()));
    }

    /// Notes an error of the TOML parser.
    pub(super) fn syntax_error(&mut self, error: &toml::de::Error) {
        let span = error.span().unwrap_or(0..0);
        let mut message = error.message().trim().replace('\n', ", ");
        // Our messages begin in lower case; the parser's may begin otherwise.
        if let Some(first) = message.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        self.note(
            Severity::Error,
            &span,
            format!("not valid toml: {message}"),
            None,
        );
    }

    /// Notes a word that is none of the known ones.
    pub(super) fn unknown(&mut self, span: Place, what: &str, text: &str, known: &[&str]) {
        let hint = match nearest(text, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are {}", listed(known)),
        };
        self.error(span, format!("unknown {what} `{text}`"), hint);
    }

    /// Notes a value of the wrong type.
    pub(super) fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, what: &str, wanted: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(
            value.span(),
            format!("{what} is {found}"),
            format!("write {wanted}"),
        );
    }

    /// Notes what is wrong with a pattern.
    pub(super) fn pattern_error(&mut self, span: Place, error: PatternError) {
        self.note(Severity::Error, &span, error.message, error.hint);
    }

    /// A string that is one of the known names.
    pub(super) fn name<'v>(
        &mut self,
        value: &'v Spanned<DeValue<'_>>,
        what: &str,
        known: &[&str],
    ) -> Option<&'v str> {
        let text = self.string(value, what)?;
        if known.contains(&text) {
            return Some(text);
        }
        self.unknown(value.span(), what, text, known);
        None
    }

    /// A string.
    pub(super) fn string<'v>(
        &mut self,
        value: &'v Spanned<DeValue<'_>>,
        what: &str,
    ) -> Option<&'v str> {
        if let DeValue::String(text) = value.get_ref() {
            return Some(text);
        }
        self.wrong_type(value, &format!("the {what}"), "a string");
        None
    }

    /// A string, or a list of strings.
    pub(super) fn strings<'v>(
        &mut self,
        value: &'v Spanned<DeValue<'_>>,
        what: &str,
    ) -> Vec<(Place, &'v str)> {
        match value.get_ref() {
            DeValue::String(text) => vec![(value.span(), text.as_ref())],
            DeValue::Array(items) => {
                if items.is_empty() {
                    self.warning(
                        value.span(),
                        format!("the list of {what}s is empty"),
                        "add one, or remove the key",
                    );
                }
                let strings = items
                    .iter()
                    .filter_map(|item| Some((item.span(), self.string(item, what)?)));
                strings.collect()
            }
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_) => {
                self.wrong_type(
                    value,
                    &format!("the {what}"),
                    "a string, or a list of strings",
                );
                Vec::new()
            }
        }
    }

    /// The patterns of a kind; those that cannot be read are noted and left out.
    pub(super) fn patterns(
        &mut self,
        kind: Kind,
        value: &Spanned<DeValue<'_>>,
    ) -> Vec<(Place, Pattern)> {
        let mut out = Vec::new();
        for (span, text) in self.strings(value, "pattern") {
            match Pattern::parse(kind, text) {
                Ok(pattern) => {
                    self.doubt(span.clone(), kind, text, &pattern);
                    out.push((span, pattern));
                }
                Err(error) => self.pattern_error(span, error),
            }
        }
        out
    }

    /// Warns of patterns that can be read but never match, or hardly mean what they say.
    fn doubt(&mut self, span: Place, kind: Kind, text: &str, pattern: &Pattern) {
        match pattern {
            Pattern::Command(command) => {
                let program = command.program_name().unwrap_or_default();
                if let Some((_, name)) = program.rsplit_once('/') {
                    self.warning(
                        span,
                        format!(
                            "`{text}` can never match: a program is named without its directory"
                        ),
                        format!("write `{name}`"),
                    );
                } else if is_assignment(program) {
                    self.warning(
                        span,
                        format!("`{text}` can never match: assignments are set aside"),
                        "begin with the program",
                    );
                } else if let Some(word) = command.control_word() {
                    self.warning(
                        span,
                        format!("`{text}` can never match: `{word}` parts two commands"),
                        "write one pattern for each command",
                    );
                }
            }
            Pattern::Path(_) => {
                let first = text
                    .strip_prefix('/')
                    .and_then(|rest| rest.split('/').next());
                if first.is_some_and(|first| TOP_DIRECTORIES.contains(&first)) {
                    self.warning(
                        span,
                        format!("`{text}` lies in the project: `/` is the project root"),
                        format!("write `/{text}` for a path from the root of the disk"),
                    );
                }
            }
            Pattern::Name(name) if kind == Kind::Task => {
                if !TASKS.iter().any(|task| name.matches(task)) {
                    self.warning(
                        span,
                        format!("`{text}` can never match: a task is `readonly` or `mutating`"),
                        "write one of the two, or `*`",
                    );
                }
            }
            Pattern::Host(_) | Pattern::Name(_) => {}
        }
    }

    /// Notes something.
    fn note(&mut self, severity: Severity, span: &Place, message: String, hint: Option<String>) {
        let (line, column) = self.places.place(span.start);
        self.diagnostics.push(Diagnostic {
            severity,
            line,
            column,
            message,
            hint,
        });
    }
}

/// What `task` is asked for.
const TASKS: [&str; 2] = ["readonly", "mutating"];

/// Directories at the root of the disk that a project hardly has.
const TOP_DIRECTORIES: [&str; 11] = [
    "home", "Users", "etc", "usr", "var", "tmp", "root", "proc", "sys", "dev", "opt",
];

/// Whether a word would be an assignment in front of a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    })
}

/// Words in backticks with commas.
fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
