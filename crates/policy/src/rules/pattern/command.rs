//! Patterns over the canonical words of a command (kind `shell`).

use super::argument::{Argument, OptionPattern, field_matches, terminated};
use super::glob::{Barrier, Glob};
use super::matching::{Match, Sense};
use super::words::{self, PatternError};
use crate::effects::command::{CommandLine, Field, OptionUse};
use std::fmt;

/// A pattern over a command's words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommandPattern {
    /// One per word of the command.
    words: Vec<Word>,
    /// Whether any more words may follow, or none: a final ` *`.
    tail: bool,
}

/// One word of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Word {
    /// The text.
    glob: Glob,
    /// The option that it names, where it does.
    option: Option<OptionPattern>,
}

impl CommandPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let mut globs = words::read(text)?;
        let tail = globs.last() == Some(&Glob::Any);
        if tail {
            globs.pop();
        }
        if globs.is_empty() && !tail {
            return Err(PatternError::new(
                "the pattern is empty",
                "write a program and its words, or `*` for every command",
            ));
        }
        Ok(Self::of(globs, tail))
    }

    /// The pattern that matches exactly these words.
    pub fn literal<T: AsRef<str>>(words: &[T]) -> Self {
        Self::of(
            words
                .iter()
                .map(|word| Glob::literal(word.as_ref()))
                .collect(),
            false,
        )
    }

    /// The pattern that matches these words and whatever follows.
    pub fn family<T: AsRef<str>>(words: &[T]) -> Self {
        Self::of(
            words
                .iter()
                .map(|word| Glob::literal(word.as_ref()))
                .collect(),
            true,
        )
    }

    /// Whether it matches a command.
    pub fn matches(&self, command: &CommandLine, sense: Sense) -> Match {
        match sense {
            Sense::Grant if command.changed_by.is_empty() => self.as_written(command),
            Sense::Grant => Match::No,
            Sense::Forbid | Sense::Caution => match self.program(command) {
                Match::No => Match::No,
                program => program.and(self.in_order(command).or(self.by_meaning(command))),
            },
        }
    }

    /// Whether everything that it matches is matched by `wide` as an allow is read; false where not provable.
    pub fn is_within(&self, wide: &Self) -> bool {
        if self.words.len() < wide.words.len() || (!wide.tail && self.tail) {
            return false;
        }
        let covered = self
            .words
            .iter()
            .zip(&wide.words)
            .all(|(narrow, wide)| narrow.glob.is_within(&wide.glob, Barrier::Refspec));
        covered && (wide.tail || self.words.len() == wide.words.len())
    }

    /// Whether everything that it matches as an allow is matched by `wide` as an ask or deny, whose options match in
    /// any order; false where not provable.
    pub fn is_within_meaning(&self, wide: &Self) -> bool {
        if self.is_within(wide) {
            return true;
        }
        let options = |pattern: &Self| -> Vec<Glob> {
            let named = pattern.words.iter().filter(|word| word.option.is_some());
            named.map(|word| word.glob.clone()).collect()
        };
        let own = options(self);
        wide.tail
            && options(wide).iter().all(|option| own.contains(option))
            && self.without_options().is_within(&wide.without_options())
    }

    /// Whether its first words are those of `wide`, behind which anything may follow: then it matches no more than
    /// `wide` does, in whatever order options stand. False where not provable.
    pub fn begins_with(&self, wide: &Self) -> bool {
        let same = |(own, other): (&Word, &Word)| {
            let plain = own.option.is_none() && other.option.is_none();
            own == other || plain && own.glob.is_within(&other.glob, Barrier::None)
        };
        wide.tail
            && self.words.len() >= wide.words.len()
            && self.words.iter().zip(&wide.words).all(same)
    }

    /// Whether it matches every command.
    pub fn is_universal(&self) -> bool {
        self.words.is_empty() && self.tail
    }

    /// The program where it is named by text.
    pub fn program_name(&self) -> Option<&str> {
        self.words.first()?.glob.as_literal()
    }

    /// A word that would part two commands in a shell, so that no command has it.
    pub fn control_word(&self) -> Option<&str> {
        let mut words = self.words.iter().filter_map(|word| word.glob.as_literal());
        words.find(|word| matches!(*word, "&&" | "||" | "|" | ";" | "&"))
    }

    /// Whether some word of it certainly is this argument.
    pub fn has_argument(&self, argument: &Argument) -> bool {
        // A word without a dash may be a subcommand or an option's value, and so proves no operand.
        let mut options = self.words.iter().filter_map(|word| word.option.clone());
        options.any(|option| Argument::Option(option).is_within(argument))
    }

    /// A pattern of these words.
    fn of(globs: Vec<Glob>, tail: bool) -> Self {
        let mut options = true;
        let words = globs
            .into_iter()
            .enumerate()
            .map(|(place, glob)| {
                // After `--` every word is an operand.
                options &= glob.as_literal() != Some("--");
                let option = (options && place > 0)
                    .then(|| OptionPattern::of(&glob))
                    .flatten();
                Word { glob, option }
            })
            .collect();
        Self { words, tail }
    }

    /// The same without the words that name options.
    fn without_options(&self) -> Self {
        let words = self.words.iter().filter(|word| word.option.is_none());
        Self {
            words: words.cloned().collect(),
            tail: self.tail,
        }
    }

    /// Word by word, as an allow is read.
    fn as_written(&self, command: &CommandLine) -> Match {
        let git = command.words.first().and_then(Field::known) == Some("git");
        let barrier = if git { Barrier::Refspec } else { Barrier::None };
        follow(&self.words, self.tail, command.words.iter(), barrier)
    }

    /// Word by word behind the program, as an ask or deny is read.
    fn in_order(&self, command: &CommandLine) -> Match {
        let rest = self.words.split_first().map_or(&[][..], |(_, rest)| rest);
        follow(rest, self.tail, command.words.iter().skip(1), Barrier::None)
    }

    /// Whether the program is meant, under any name by which it is known.
    fn program(&self, command: &CommandLine) -> Match {
        let Some(Word { glob, .. }) = self.words.first() else {
            return Match::Yes;
        };
        let others = command.other_names.iter();
        let known = others.map(|name| Match::sure(glob.matches(name, Barrier::None)));
        let first = command
            .words
            .first()
            .map(|field| field_matches(glob, field, Barrier::None));
        known.chain(first).fold(Match::No, Match::or)
    }

    /// Options by meaning and in any order, the other words in theirs.
    fn by_meaning(&self, command: &CommandLine) -> Match {
        let mut left: Vec<&OptionUse> = command.options.iter().collect();
        let mut result = Match::Yes;
        let mut positional = Vec::new();
        let mut words = self.words.iter().skip(1).peekable();
        while let Some(word) = words.next() {
            let Some(option) = &word.option else {
                if word.glob.as_literal() == Some("--") {
                    result = result.and(terminated(command));
                } else {
                    positional.push(word.clone());
                }
                continue;
            };
            result = result.and(option.matches(command));
            if result == Match::No {
                return result;
            }
            let used = command
                .options
                .iter()
                .find(|used| option.names(used) == Match::Yes);
            left.retain(|used| option.names(used) == Match::No);
            // Where the option takes a value, the word behind it in the pattern is that value.
            let value = used.and_then(|used| used.value.as_ref());
            if let (Some(value), false) = (value, option.has_value())
                && let Some(next) = words.next_if(|next| next.option.is_none())
            {
                result = result.and(field_matches(&next.glob, value, Barrier::None));
            }
        }
        if !self.tail && !left.is_empty() {
            return Match::No;
        }
        let fields = positional_fields(command);
        result.and(follow(
            &positional,
            self.tail,
            fields.into_iter(),
            Barrier::None,
        ))
    }
}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        for word in &self.words {
            if !out.is_empty() {
                out.push(' ');
            }
            words::write(&word.glob, &mut out);
        }
        // A word that is any text would read as a tail where it stands last.
        let last_is_any = self.words.last().is_some_and(|word| word.glob == Glob::Any);
        debug_assert!(self.tail || !last_is_any, "parse leaves no such pattern");
        if self.tail {
            out.push_str(if out.is_empty() { "*" } else { " *" });
        }
        f.write_str(&out)
    }
}

/// Follows the words of a pattern along the words of a command.
fn follow<'a>(
    pattern: &[Word],
    tail: bool,
    mut fields: impl Iterator<Item = &'a Field>,
    barrier: Barrier,
) -> Match {
    let mut result = Match::Yes;
    for word in pattern {
        let Some(field) = fields.next() else {
            return Match::No;
        };
        result = result.and(field_matches(&word.glob, field, barrier));
        let several = match field {
            Field::Known(_) | Field::Unknown { single: true, .. } => false,
            Field::Names(_) | Field::Listed(_) | Field::Unknown { single: false, .. } => true,
        };
        // Where one word may be several, or none, what follows cannot be told.
        if result == Match::No || several {
            return result.and(Match::Perhaps);
        }
    }
    if tail {
        return result;
    }
    let empty = |field: &Field| match field {
        Field::Known(_) | Field::Names(_) | Field::Unknown { single: true, .. } => false,
        Field::Listed(_) | Field::Unknown { single: false, .. } => true,
    };
    match fields.next() {
        None => result,
        // A variable without quotes may be empty, and then is no word at all.
        Some(field) if empty(field) && fields.all(empty) => result.and(Match::Perhaps),
        Some(_) => Match::No,
    }
}

/// The words behind the program that are neither options nor their values.
fn positional_fields(command: &CommandLine) -> Vec<&Field> {
    let mut out = Vec::new();
    let mut operands = command.operands.iter().peekable();
    let mut options_seen = false;
    let mut options_over = false;
    for field in command.words.iter().skip(1) {
        let dashed = field
            .known()
            .is_some_and(|text| text.starts_with('-') && text != "-");
        if dashed && !options_over {
            options_seen = true;
            options_over = field.known() == Some("--");
        } else if operands.next_if(|operand| *operand == field).is_some() || !options_seen {
            out.push(field);
        }
    }
    out
}
