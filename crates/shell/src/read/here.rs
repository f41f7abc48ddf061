//! Here-documents: where their bodies are, and the bodies as trees.

use std::borrow::Cow;

use crate::read::builder::Style;
use crate::read::cursor::{Pass, Place, Read, Reader};
use crate::read::pending::{BodyPlace, Pending};
use crate::span::Span;
use crate::tree::{CommandKind, HereDocument, ParameterOperation, Part, Substitution};
use crate::unread::UnreadKind;

impl<'a> Reader<'a> {
    /// Reads the delimiter behind `<<` or `<<-`, and the body where its place is known already.
    pub(super) fn here_document(
        &mut self,
        operator: usize,
        strip_tabs: bool,
    ) -> Read<HereDocument> {
        let start = self.at;
        let word = self.required_word(Style::SINGLE)?;
        let written = self.written(start, self.at);
        if !word.parts.iter().all(plain_in_delimiter)
            || written.contains("$'")
            || written.contains("$\"")
        {
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        let (delimiter, quoted) = self.delimiter(&written)?;
        if strip_tabs && delimiter.starts_with('\t') {
            // Bash compares a line with it before the line's tabs are gone, and again afterwards.
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        let pending = Pending {
            operator,
            delimiter: delimiter.clone(),
            quoted,
            strip_tabs,
        };
        let mut here = HereDocument {
            strip_tabs,
            quoted,
            delimiter,
            body: Vec::new(),
            body_span: self.outer(Span::new(self.source.len(), self.source.len())),
        };
        if let Some(place) = self
            .bodies
            .get(&operator)
            .copied()
            .filter(|_| self.pass == Pass::Reading)
        {
            here.body_span = self.outer(Span::new(place.body.start, place.end));
            here.body = self.here_body(place, &pending)?;
        }
        self.pending.push(pending);
        self.drops_separators = self.substitutions > 0;
        Ok(here)
    }

    /// Passes over a newline and over the bodies that begin after it.
    pub(super) fn newline(&mut self) -> Read<()> {
        self.bump();
        self.command_start = true;
        self.locate_bodies()
    }

    /// Passes over the bodies of the pending here-documents, which begin here, and notes where they are.
    pub(super) fn locate_bodies(&mut self) -> Read<()> {
        for pending in std::mem::take(&mut self.pending) {
            let place = self.locate_body(&pending)?;
            self.at = place.end;
            self.bodies.insert(pending.operator, place);
        }
        Ok(())
    }

    fn locate_body(&mut self, pending: &Pending) -> Read<BodyPlace> {
        let start = self.at;
        let mut at = start;
        while at < self.source.len() {
            let (line, next) = self.logical_line(at, pending.quoted);
            self.spend(next - at)?;
            let text = line.strip_suffix('\n').unwrap_or(&line);
            let text = if pending.strip_tabs {
                text.trim_start_matches('\t')
            } else {
                text
            };
            if text == pending.delimiter {
                return Ok(BodyPlace {
                    body: Span::new(start, at),
                    end: next,
                });
            }
            if self.substitutions > 0
                && text
                    .strip_prefix(&*pending.delimiter)
                    .is_some_and(|rest| rest.contains(')'))
            {
                return self.delimiter_before_parenthesis(start, at, pending);
            }
            at = next;
        }
        Ok(BodyPlace {
            body: Span::new(start, at),
            end: at,
        })
    }

    /// Inside a substitution bash takes a delimiter with the closing parenthesis behind it.
    fn delimiter_before_parenthesis(
        &mut self,
        start: usize,
        at: usize,
        pending: &Pending,
    ) -> Read<BodyPlace> {
        let mut end = at;
        while pending.strip_tabs && self.raw(end) == b'\t' {
            end += 1;
        }
        let delimiter_end = end + pending.delimiter.len();
        let plain = self.text(end, delimiter_end) == pending.delimiter;
        if plain && !pending.delimiter.is_empty() && self.raw(delimiter_end) == b')' {
            return Ok(BodyPlace {
                body: Span::new(start, at),
                end: delimiter_end,
            });
        }
        Err(self.stop(UnreadKind::BadHereDocument))
    }

    /// One line with its newline, joined with the next where bash joins them, and the place behind it.
    fn logical_line(&self, start: usize, quoted: bool) -> (Cow<'a, str>, usize) {
        let mut at = start;
        let mut joined = false;
        loop {
            match self.raw(at) {
                b'\\' if !quoted => {
                    joined |= self.raw(at + 1) == b'\n';
                    at += 2;
                }
                b'\n' => {
                    at += 1;
                    break;
                }
                0 => break,
                _ => at += 1,
            }
        }
        let at = at.min(self.source.len());
        let text = self.text(start, at);
        (
            if joined {
                Cow::Owned(join_lines(text))
            } else {
                Cow::Borrowed(text)
            },
            at,
        )
    }

    /// The delimiter with its quotes undone, and whether it had any.
    fn delimiter(&mut self, written: &str) -> Read<(String, bool)> {
        if written.contains('\n') {
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        let mut text = String::with_capacity(written.len());
        let mut quote = None;
        let mut quoted = false;
        let mut characters = written.chars();
        while let Some(character) = characters.next() {
            match (character, quote) {
                ('\'' | '"', None) => {
                    quote = Some(character);
                    quoted = true;
                }
                (end, Some(open)) if end == open => quote = None,
                ('\\', None) => {
                    quoted = true;
                    text.extend(characters.next());
                }
                ('\\', Some('"')) => match characters.next() {
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => text.push(escaped),
                    other => {
                        text.push('\\');
                        text.extend(other);
                    }
                },
                (other, _) => text.push(other),
            }
        }
        Ok((text, quoted))
    }

    fn here_body(&mut self, place: BodyPlace, pending: &Pending) -> Read<Vec<Part>> {
        let raw = self.text(place.body.start, place.body.end);
        self.spend(raw.len())?;
        let mut text = rewritten(raw, pending);
        if !raw.is_empty() && !raw.ends_with('\n') {
            // The text ended first; bash adds the newline that is missing.
            if raw.ends_with('\\') && !pending.quoted {
                return Err(self.stop(UnreadKind::BadHereDocument));
            }
            text.to_mut().push('\n');
        }
        if pending.quoted {
            let text = text.into_owned();
            return Ok(if text.is_empty() {
                Vec::new()
            } else {
                vec![Part::Literal(text)]
            });
        }
        let inner = match (&text, self.place) {
            (Cow::Borrowed(_), Place::From(base)) => Place::From(base + place.body.start),
            (Cow::Owned(_), Place::From(_))
            | (Cow::Borrowed(_) | Cow::Owned(_), Place::Within(_)) => {
                Place::Within(self.outer(place.body))
            }
        };
        self.enter()?;
        let mut reader = Reader::new(&text, inner, self.depth, self.fuel, self.extended);
        let body = reader.here_text();
        self.fuel = reader.fuel;
        self.comments.append(&mut reader.comments);
        self.leave();
        body
    }
}

/// True for the pieces that bash takes as they are written in a delimiter, which it never expands.
fn plain_in_delimiter(part: &Part) -> bool {
    match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Tilde(_) | Part::Glob(_) => true,
        Part::DoubleQuoted(parts) => parts.iter().all(plain_in_delimiter),
        Part::Parameter(parameter) => {
            let length = parameter.span.end - parameter.span.start;
            let written = [parameter.name.len() + 1, parameter.name.len() + 3];
            parameter.operation == ParameterOperation::Plain && written.contains(&length)
        }
        Part::CommandSubstitution(inner) => one_plain_word(inner),
        Part::Arithmetic(_)
        | Part::ProcessSubstitution(_)
        | Part::ExtendedGlob(_)
        | Part::Brace(_)
        | Part::CompoundAssignment(_) => false,
    }
}

/// True for `$(name)` and `` `name` ``. Bash prints what it read between parentheses, and compares the lines of the
/// body with that; only a lone word is sure to be printed as it is written.
fn one_plain_word(substitution: &Substitution) -> bool {
    let [entry] = substitution.body.entries.as_slice() else {
        return false;
    };
    let [command] = entry.chain.first.commands.as_slice() else {
        return false;
    };
    let CommandKind::Simple(simple) = &command.kind else {
        return false;
    };
    let [word] = simple.words.as_slice() else {
        return false;
    };
    let [Part::Literal(name)] = word.parts.as_slice() else {
        return false;
    };
    let around = if substitution.backquoted { 2 } else { 3 };
    let length = substitution.span.end - substitution.span.start;
    name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && length == name.len() + around
}

/// The body as bash keeps it: tabs stripped and lines joined.
fn rewritten<'a>(raw: &'a str, pending: &Pending) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(raw);
    if !pending.quoted && raw.contains("\\\n") {
        text = Cow::Owned(join_lines(raw));
    }
    if pending.strip_tabs && (text.starts_with('\t') || text.contains("\n\t")) {
        let lines = text
            .split_inclusive('\n')
            .map(|line| line.trim_start_matches('\t'));
        text = Cow::Owned(lines.collect());
    }
    text
}

/// Removes the line continuations of a text that has no other quoting than backslashes.
pub(super) fn join_lines(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\\' {
            match characters.next() {
                Some('\n') => {}
                other => {
                    joined.push('\\');
                    joined.extend(other);
                }
            }
        } else {
            joined.push(character);
        }
    }
    joined
}
