//! Collects the pieces of a word and keeps neighbouring text together; it reads nothing.

use crate::token::is_name;
use crate::tree::Part;

/// What is special in a word besides quotes and `$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// `*`, `?` and `[…]` are patterns.
    pub(super) globs: bool,
    /// `{a,b}` is expanded.
    pub(super) braces: bool,
    /// Where `~` is expanded.
    pub(super) tilde: TildePlace,
    /// Extended patterns and parentheses.
    pub(super) parentheses: Parentheses,
}

/// Where a tilde is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TildePlace {
    /// Nowhere.
    Never,
    /// At the start of the word; also after `=` and `:` where the word looks like an assignment.
    Argument,
    /// At the start of a value and after each `:`.
    Value,
}

/// What a parenthesis in a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parentheses {
    /// It ends the word, except in an extended pattern where those are on.
    End,
    /// It belongs to an extended pattern whether or not those are on elsewhere.
    Pattern,
    /// It belongs to a regular expression, as does `|`.
    Regex,
}

impl Style {
    /// A word of a simple command.
    pub(super) const ARGUMENT: Self = Self {
        globs: true,
        braces: true,
        tilde: TildePlace::Argument,
        parentheses: Parentheses::End,
    };
    /// The value of an assignment.
    pub(super) const VALUE: Self = Self {
        globs: false,
        braces: false,
        tilde: TildePlace::Value,
        ..Self::ARGUMENT
    };
    /// A word that is neither split nor matched against files.
    pub(super) const SINGLE: Self = Self {
        globs: false,
        braces: false,
        ..Self::ARGUMENT
    };
    /// A pattern of `case`.
    pub(super) const PATTERN: Self = Self {
        braces: false,
        ..Self::ARGUMENT
    };
    /// The pattern of a test.
    pub(super) const TEST_PATTERN: Self = Self {
        parentheses: Parentheses::Pattern,
        ..Self::PATTERN
    };
    /// The regular expression of a test.
    pub(super) const REGEX: Self = Self {
        parentheses: Parentheses::Regex,
        ..Self::SINGLE
    };
}

/// The pieces of a word so far.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) style: Style,
    pub(super) parts: Vec<Part>,
    literal: String,
    quoted: Option<String>,
    /// Whether the word looks like an assignment, once that was asked.
    assignment: Option<bool>,
    /// An unquoted `{` was seen.
    pub(super) brace: bool,
    /// An unquoted `[` was seen.
    pub(super) bracket: bool,
}

impl Builder {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            parts: Vec::new(),
            literal: String::new(),
            quoted: None,
            assignment: None,
            brace: false,
            bracket: false,
        }
    }

    /// Adds unquoted text.
    pub(super) fn literal(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.flush_quoted();
        self.literal.push_str(text);
    }

    /// Adds quoted text, which counts even where it is empty.
    pub(super) fn quoted(&mut self, text: &str) {
        self.flush_literal();
        self.quoted.get_or_insert_default().push_str(text);
    }

    /// Adds any other piece.
    pub(super) fn push(&mut self, part: Part) {
        self.flush_literal();
        self.flush_quoted();
        self.parts.push(part);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.literal.is_empty() && self.quoted.is_none()
    }

    pub(super) fn finish(mut self) -> Vec<Part> {
        self.flush_literal();
        self.flush_quoted();
        self.parts
    }

    /// True where a tilde that stands next would be expanded.
    pub(super) fn tilde_counts(&mut self) -> bool {
        match self.style.tilde {
            TildePlace::Never => false,
            TildePlace::Value => self.is_empty() || self.literal.ends_with(':'),
            TildePlace::Argument => {
                self.is_empty() || (self.after_sign() && self.looks_like_assignment())
            }
        }
    }

    /// True behind a colon, and behind the first `=`.
    fn after_sign(&self) -> bool {
        let first_sign = self.parts.is_empty() && self.literal.ends_with('=');
        self.literal.ends_with(':')
            || (first_sign && self.literal.find('=') == Some(self.literal.len() - 1))
    }

    /// Takes back the operator of an extended pattern if the last piece is one.
    pub(super) fn take_pattern_operator(&mut self) -> Option<char> {
        if let Some(operator) = self.literal.chars().next_back() {
            if matches!(operator, '+' | '@' | '!' | '*' | '?') {
                self.literal.pop();
                return Some(operator);
            }
            return None;
        }
        if self.quoted.is_some() {
            return None;
        }
        let operator = match self.parts.last() {
            Some(Part::Glob(glob)) if glob == "*" => '*',
            Some(Part::Glob(glob)) if glob == "?" => '?',
            Some(_) | None => return None,
        };
        self.parts.pop();
        Some(operator)
    }

    /// True where the word begins with `name=` or `name+=`. The answer is kept, as the beginning does not change.
    fn looks_like_assignment(&mut self) -> bool {
        if let Some(known) = self.assignment {
            return known;
        }
        let first = match self.parts.first() {
            None => self.literal.as_str(),
            Some(Part::Literal(text)) => text.as_str(),
            Some(_) => "",
        };
        let name = first.split_once('=').map_or("", |(name, _)| name);
        let found = is_name(name.strip_suffix('+').unwrap_or(name));
        self.assignment = Some(found);
        found
    }

    fn flush_literal(&mut self) {
        if !self.literal.is_empty() {
            self.parts
                .push(Part::Literal(std::mem::take(&mut self.literal)));
        }
    }

    fn flush_quoted(&mut self) {
        if let Some(text) = self.quoted.take() {
            self.parts.push(Part::Quoted(text));
        }
    }
}
