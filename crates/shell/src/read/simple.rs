//! Simple commands: assignments, words and redirections, and the function definitions that begin like one.

use crate::read::builder::{Builder, Style};
use crate::read::cursor::{Read, Reader};
use crate::token::{Keyword, continues_name, is_meta, starts_name};
use crate::tree::{
    Arithmetic, ArrayElement, AssignedValue, Assignment, Command, CommandKind, Part, Redirect,
    Simple, Word,
};
use crate::unread::UnreadKind;

/// What stands at the start of a word where an assignment is allowed.
enum Head {
    Assignment(Assignment),
    /// `name[…]` without a `=` behind it, which bash reads as part of a word up to the bracket.
    Word(Builder),
    Other,
}

impl Reader<'_> {
    /// Reads a simple command or a function definition of the form `name() body`.
    pub(super) fn simple(&mut self, start: usize) -> Read<Command> {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        self.simple_from(start, &mut simple, &mut redirects)
    }

    /// Reads `coproc name compound`, or `coproc` with a simple command.
    pub(super) fn named_coprocess(&mut self, start: usize) -> Read<(Option<Word>, Command)> {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        if !self.element(&mut simple, &mut redirects)? {
            return Err(self.stop(UnreadKind::MissingWord));
        }
        self.skip_blanks()?;
        if redirects.is_empty() && simple.assignments.is_empty() && self.at_compound() {
            let body = self.at;
            let command = self.compound_command(body)?;
            return Ok((simple.words.pop(), command));
        }
        let command = self.simple_rest(start, simple, redirects)?;
        Ok((None, command))
    }

    fn simple_from(
        &mut self,
        start: usize,
        simple: &mut Simple,
        redirects: &mut Vec<Redirect>,
    ) -> Read<Command> {
        if !self.element(simple, redirects)? {
            return Err(self.stop(UnreadKind::UnexpectedToken));
        }
        let first_end = self.at;
        self.skip_blanks()?;
        let only_word = redirects.is_empty() && simple.assignments.is_empty();
        if only_word && self.peek() == b'(' {
            self.bump();
            self.skip_blanks()?;
            self.expect(b')', UnreadKind::UnexpectedToken)?;
            let name = self.written(start, first_end);
            if self.extended && name.ends_with(['?', '*', '+', '@', '!']) {
                return Err(self.stop(UnreadKind::ExtendedPattern));
            }
            let kind = self.function(&name)?;
            return Ok(Command {
                kind,
                redirects: Vec::new(),
                span: self.span(start),
            });
        }
        self.at = first_end;
        self.simple_rest(start, std::mem::take(simple), std::mem::take(redirects))
    }

    fn simple_rest(
        &mut self,
        start: usize,
        mut simple: Simple,
        mut redirects: Vec<Redirect>,
    ) -> Read<Command> {
        let mut end = self.at;
        loop {
            self.skip_blanks()?;
            if !self.element(&mut simple, &mut redirects)? {
                break;
            }
            end = self.at;
        }
        if self.peek() == b'(' {
            return Err(self.stop(UnreadKind::UnexpectedToken));
        }
        self.command_start = false;
        Ok(Command {
            kind: CommandKind::Simple(simple),
            redirects,
            span: self.between(start, end),
        })
    }

    /// Reads one assignment, word or redirection, if there is one.
    fn element(&mut self, simple: &mut Simple, redirects: &mut Vec<Redirect>) -> Read<bool> {
        if let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            return Ok(true);
        }
        let start = self.at;
        let mut builder = Builder::new(Style::ARGUMENT);
        if simple.words.is_empty() {
            match self.head(true)? {
                Head::Assignment(assignment) => {
                    simple.assignments.push(assignment);
                    return Ok(true);
                }
                Head::Word(head) => builder = head,
                Head::Other => {}
            }
        } else if declares(&simple.words)
            && let Some(word) = self.compound_argument()?
        {
            simple.words.push(word);
            return Ok(true);
        }
        let Some(word) = self.word_from(builder, start)? else {
            return Ok(false);
        };
        let guarded = self.substitutions > 0 && !redirects.is_empty();
        if guarded && simple.words.is_empty() && simple.assignments.is_empty() && reserved(&word) {
            // Bash prints the redirections behind the word, which is a reserved word then.
            return Err(self.stop(UnreadKind::Garbled));
        }
        simple.words.push(word);
        Ok(true)
    }

    /// Reads an assignment, or as much of a word as bash reads when it looks for one.
    fn head(&mut self, compound: bool) -> Read<Head> {
        let start = self.at;
        let Some(name) = self.name() else {
            return Ok(Head::Other);
        };
        self.spend(name.len())?;
        let mut subscript = None;
        if self.take(b'[') {
            subscript = Some(self.inside_brackets()?);
            self.expect(b']', UnreadKind::UnclosedExpansion)?;
        }
        let append = self.take_pair(b'+', b'=');
        if !append && !self.take(b'=') {
            return match subscript {
                None => {
                    self.at = start;
                    Ok(Head::Other)
                }
                Some(subscript) => {
                    let mut builder = Builder::new(Style::ARGUMENT);
                    builder.literal(&name);
                    self.bracketed(&mut builder, subscript)?;
                    Ok(Head::Word(builder))
                }
            };
        }
        let value = if compound && self.peek() == b'(' {
            if subscript.is_some() {
                return Err(self.stop(UnreadKind::BadArray));
            }
            AssignedValue::Array(self.array()?)
        } else {
            AssignedValue::Scalar(self.value()?)
        };
        let span = self.span(start);
        Ok(Head::Assignment(Assignment {
            name,
            subscript,
            append,
            value,
            span,
        }))
    }

    /// The value of an assignment, which may be empty.
    fn value(&mut self) -> Read<Word> {
        let start = self.at;
        let empty = Word {
            parts: Vec::new(),
            span: self.span(start),
        };
        Ok(self.word(Style::VALUE)?.unwrap_or(empty))
    }

    /// Puts what was read as a subscript into a word after all.
    fn bracketed(&mut self, builder: &mut Builder, inside: Arithmetic) -> Read<()> {
        builder.literal("[");
        builder.bracket = true;
        for part in inside.parts {
            match part {
                Part::Literal(text)
                    if !text
                        .bytes()
                        .any(|byte| is_meta(byte) || b"'\"\\{}*?[]~".contains(&byte)) =>
                {
                    builder.literal(&text);
                }
                Part::Parameter(_) | Part::CommandSubstitution(_) => builder.push(part),
                Part::Literal(_)
                | Part::Quoted(_)
                | Part::DoubleQuoted(_)
                | Part::Tilde(_)
                | Part::Arithmetic(_)
                | Part::ProcessSubstitution(_)
                | Part::Glob(_)
                | Part::ExtendedGlob(_)
                | Part::Brace(_)
                | Part::CompoundAssignment(_) => return Err(self.stop(UnreadKind::BadArray)),
            }
        }
        builder.literal("]");
        Ok(())
    }

    /// Reads `name=(…)` as an argument, if it stands next.
    fn compound_argument(&mut self) -> Read<Option<Word>> {
        let start = self.at;
        let Some(name) = self.name() else {
            return Ok(None);
        };
        let append = self.take_pair(b'+', b'=');
        if (!append && !self.take(b'=')) || self.peek() != b'(' {
            self.at = start;
            return Ok(None);
        }
        let value = AssignedValue::Array(self.array()?);
        let span = self.span(start);
        let assignment = Assignment {
            name,
            subscript: None,
            append,
            value,
            span,
        };
        let parts = vec![Part::CompoundAssignment(Box::new(assignment))];
        Ok(Some(Word { parts, span }))
    }

    /// Reads the elements between parentheses.
    fn array(&mut self) -> Read<Vec<ArrayElement>> {
        self.enter()?;
        self.bump();
        let mut elements = Vec::new();
        loop {
            self.skip_blanks()?;
            if self.peek() == b'\n' && !self.at_end() {
                if !self.pending.is_empty() {
                    return Err(self.stop(UnreadKind::BadHereDocument));
                }
                self.newline()?;
                continue;
            }
            if self.take(b')') {
                break;
            }
            elements.push(self.array_element()?);
        }
        self.leave();
        let next = self.peek();
        let substitution = matches!(next, b'<' | b'>') && self.peek_second() == b'(';
        if (next != 0 && !is_meta(next)) || substitution {
            // Bash goes on with the same word, which is no array then.
            return Err(self.stop(UnreadKind::BadArray));
        }
        Ok(elements)
    }

    fn array_element(&mut self) -> Read<ArrayElement> {
        let start = self.at;
        let mut builder = Builder::new(Style::ARGUMENT);
        if self.take(b'[') {
            let subscript = self.inside_brackets()?;
            self.expect(b']', UnreadKind::UnclosedExpansion)?;
            let append = self.take_pair(b'+', b'=');
            if append || self.take(b'=') {
                let value = self.value()?;
                return Ok(ArrayElement {
                    subscript: Some(subscript),
                    append,
                    value,
                });
            }
            self.bracketed(&mut builder, subscript)?;
        }
        match self.word_from(builder, start)? {
            Some(value) => Ok(ArrayElement {
                subscript: None,
                append: false,
                value,
            }),
            None => Err(self.stop(UnreadKind::BadArray)),
        }
    }

    /// Passes over a variable name, if one stands next.
    pub(super) fn name(&mut self) -> Option<String> {
        if !starts_name(self.peek()) {
            return None;
        }
        let start = self.at;
        let bytes = self.source.as_bytes().get(start..).unwrap_or(&[]);
        let length = bytes
            .iter()
            .position(|&byte| !continues_name(byte))
            .unwrap_or(bytes.len());
        if !matches!(self.raw(start + length), b'=' | b'+' | b'[' | b'\\') {
            // The common case: a plain word, for which no name needs to be kept.
            return None;
        }
        let mut name = String::new();
        while continues_name(self.peek()) {
            name.push(char::from(self.raw(self.at)));
            self.bump();
        }
        Some(name)
    }
}

fn reserved(word: &Word) -> bool {
    match word.parts.as_slice() {
        [Part::Literal(text)] => Keyword::spelt(text.as_bytes()).is_some(),
        _ => false,
    }
}

/// True where bash takes `name=(…)` as an argument.
fn declares(words: &[Word]) -> bool {
    let Some([Part::Literal(name)]) = words.first().map(|word| word.parts.as_slice()) else {
        return false;
    };
    matches!(
        name.as_str(),
        "alias" | "declare" | "eval" | "export" | "let" | "local" | "readonly" | "typeset"
    )
}
