//! One entry of `with` or `without`, or an option word of a shell pattern: an option by its meaning, or an operand.

use super::bash;
use super::glob::{Barrier, Glob};
use super::matching::Match;
use super::words::{self, PatternError};
use crate::effects::command::{CommandLine, Field, OptionUse};
use std::fmt;

/// One entry of `with` or `without`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument {
    /// An option by meaning: all its names, clusters taken apart.
    Option(OptionPattern),
    /// An operand.
    Operand(Glob),
    /// The `--` behind which every word is an operand.
    Terminator,
}

/// An option in a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OptionPattern {
    /// The name with its dashes.
    name: Glob,
    /// What the value must be, where the pattern says so with `=`.
    value: Option<Glob>,
    /// The single letters, where the name may be a cluster of them.
    cluster: Vec<String>,
}

impl Argument {
    /// Reads one entry, which is one word.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let mut globs = words::read(text)?;
        let (Some(glob), true) = (globs.pop(), globs.is_empty()) else {
            return Err(PatternError::new(
                format!("`{text}` is not one word"),
                "write each option or operand as a string of its own",
            ));
        };
        if glob.as_literal() == Some("--") {
            return Ok(Self::Terminator);
        }
        Ok(OptionPattern::of(&glob).map_or(Self::Operand(glob), Self::Option))
    }

    /// Whether the command has this argument. `barrier` bounds operands.
    pub fn matches(&self, command: &CommandLine, barrier: Barrier) -> Match {
        match self {
            Self::Option(option) => option.matches(command),
            Self::Operand(glob) => command
                .operands
                .iter()
                .map(|field| field_matches(glob, field, barrier))
                .fold(Match::No, Match::or),
            Self::Terminator => terminated(command),
        }
    }

    /// Whether whatever has this argument certainly has `wide` too.
    pub fn is_within(&self, wide: &Self) -> bool {
        match (self, wide) {
            (Self::Option(narrow), Self::Option(wide)) => narrow.is_within(wide),
            (Self::Operand(narrow), Self::Operand(wide)) => {
                narrow.is_within(wide, Barrier::Refspec)
            }
            (Self::Terminator, Self::Terminator) => true,
            (
                Self::Option(_) | Self::Operand(_) | Self::Terminator,
                Self::Option(_) | Self::Operand(_) | Self::Terminator,
            ) => false,
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        match self {
            Self::Option(OptionPattern { name, value, .. }) => {
                words::write(name, &mut out);
                if let Some(value) = value {
                    out.push('=');
                    words::write(value, &mut out);
                }
            }
            Self::Operand(glob) => words::write(glob, &mut out),
            Self::Terminator => out.push_str("--"),
        }
        f.write_str(&out)
    }
}

impl OptionPattern {
    /// The option that a word of a pattern names, where it names one.
    pub fn of(word: &Glob) -> Option<Self> {
        if !word.begins_with('-') || matches!(word.as_literal(), Some("-" | "--")) {
            return None;
        }
        let tokens = word.tokens();
        let mut parts = tokens.splitn(2, |token| *token == super::glob::Token::Char('='));
        let name = Glob::new(parts.next()?);
        let value = parts.next().map(Glob::new);
        let cluster = name
            .as_literal()
            .and_then(|name| name.strip_prefix('-'))
            .filter(|letters| letters.len() > 1 && letters.chars().all(char::is_alphanumeric))
            .map(|letters| letters.chars().map(|letter| format!("-{letter}")).collect())
            .unwrap_or_default();
        Some(Self {
            name,
            value,
            cluster,
        })
    }

    /// Whether the command has this option, or may have it in a word that cannot be told.
    pub fn matches(&self, command: &CommandLine) -> Match {
        let found = self.found(&command.options);
        if found == Match::Yes {
            return found;
        }
        found.or(Match::possible(self.may_hide(&command.words)))
    }

    /// Whether this use of an option is one that the pattern names.
    pub fn names(&self, used: &OptionUse) -> Match {
        let whole = self.names_whole(used);
        let letters = used.names.iter().any(|name| self.cluster.contains(name));
        whole.or(Match::sure(letters))
    }

    /// Whether the pattern says what the value must be.
    pub fn has_value(&self) -> bool {
        self.value.is_some()
    }

    /// Whether whatever has this option has `wide`.
    fn is_within(&self, wide: &Self) -> bool {
        let value = match (&self.value, &wide.value) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(narrow), Some(wide)) => narrow.is_within(wide, Barrier::None),
        };
        value && self.name.is_within(&wide.name, Barrier::None)
    }

    /// Whether the options that were told apart hold it, as a whole or letter by letter.
    fn found(&self, options: &[OptionUse]) -> Match {
        let whole = options
            .iter()
            .map(|used| self.names_whole(used))
            .fold(Match::No, Match::or);
        if self.cluster.is_empty() || whole == Match::Yes {
            return whole;
        }
        let letters = self
            .cluster
            .iter()
            .map(|letter| {
                options
                    .iter()
                    .map(|used| letter_in(letter, used))
                    .fold(Match::No, Match::or)
            })
            .fold(Match::Yes, Match::and);
        whole.or(letters)
    }

    /// Whether a use is this option under one of its names, with the value that the pattern wants.
    fn names_whole(&self, used: &OptionUse) -> Match {
        used.names
            .iter()
            .map(|name| self.name_matches(name, used))
            .fold(Match::No, Match::or)
    }

    /// Whether one name of a use is meant.
    fn name_matches(&self, name: &str, used: &OptionUse) -> Match {
        // An option that nobody described stands as written, its value included.
        let (bare, attached) = match name.split_once('=') {
            Some((bare, attached)) if used.value.is_none() => (bare, Some(attached)),
            Some(_) | None => (name, None),
        };
        if self.name.matches(bare, Barrier::None) {
            return match (&self.value, attached, &used.value) {
                (None, _, _) => Match::Yes,
                (Some(glob), Some(text), _) => Match::sure(glob.matches(text, Barrier::None)),
                (Some(glob), None, Some(field)) => field_matches(glob, field, Barrier::None),
                (Some(_), None, None) => Match::No,
            };
        }
        let Some(own) = self.name.as_literal() else {
            return Match::No;
        };
        // Where nobody described the option it may be an abbreviation, or a cluster that holds the letter.
        let undescribed = used.names.len() == 1;
        let abbreviated = bare.len() > 3 && bare.starts_with("--") && own.starts_with(bare);
        Match::possible(undescribed && (abbreviated || letter_of(own, bare)))
    }

    /// Whether a word that cannot be told may be this option.
    fn may_hide(&self, words: &[Field]) -> bool {
        words
            .iter()
            .skip(1)
            .take_while(|field| field.known() != Some("--"))
            .any(|field| match field {
                Field::Known(_) => false,
                Field::Unknown { prefix, .. } => self.name.may_begin_with(prefix),
                Field::Names(pattern) => bash::word(pattern).overlaps(&self.name),
                // A listed name may be any text.
                Field::Listed(_) => true,
            })
    }
}

/// Whether the command has a `--`, or a word that may be one.
pub(super) fn terminated(command: &CommandLine) -> Match {
    let dashes = Glob::literal("--");
    let words = command.words.iter().skip(1);
    words
        .map(|field| field_matches(&dashes, field, Barrier::None))
        .fold(Match::No, Match::or)
}

/// Whether a word of a command matches a word of a pattern.
pub(super) fn field_matches(glob: &Glob, field: &Field, barrier: Barrier) -> Match {
    match field {
        Field::Known(text) => Match::sure(glob.matches(text, barrier)),
        Field::Names(pattern) if *glob == Glob::Any => Match::sure(!pattern.is_empty()),
        Field::Names(pattern) => Match::possible(bash::word(pattern).overlaps(glob)),
        Field::Unknown { single: true, .. } if *glob == Glob::Any => Match::Yes,
        Field::Unknown { prefix, .. } => Match::possible(glob.may_begin_with(prefix)),
        // A listed name may be any text, and several words.
        Field::Listed(_) => Match::Perhaps,
    }
}

/// Whether a use is the option of one letter, or an undescribed cluster that holds it.
fn letter_in(letter: &str, used: &OptionUse) -> Match {
    if used.names.iter().any(|name| name == letter) {
        return Match::Yes;
    }
    let cluster = match used.names.as_slice() {
        [only] => letter_of(letter, only),
        [] | [_, _, ..] => false,
    };
    Match::possible(cluster)
}

/// Whether `letter` (`-f`) is one of the letters of `cluster` (`-rf`).
fn letter_of(letter: &str, cluster: &str) -> bool {
    let (Some(letter), Some(letters)) = (letter.strip_prefix('-'), cluster.strip_prefix('-'))
    else {
        return false;
    };
    letter.chars().count() == 1
        && letter != "-"
        && !letters.starts_with('-')
        && letters.contains(letter)
}
