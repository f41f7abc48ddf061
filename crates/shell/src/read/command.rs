//! Lists, chains, pipelines and the choice of a command; what is inside each command is read elsewhere.

use crate::read::cursor::{Pass, Read, Reader};
use crate::span::Span;
use crate::token::Keyword;
use crate::tree::{
    AndOr, AndOrOperator, Command, CommandKind, Entry, List, PipeOperator, Pipeline, Script, Timed,
};
use crate::unread::UnreadKind;

impl Reader<'_> {
    /// Reads the whole text.
    ///
    /// The bodies of here-documents stand after the line that asks for them, so a first pass only finds where they are
    /// and a second one reads them where they belong in the tree.
    pub(super) fn script(&mut self) -> Read<Script> {
        let comments_before = self.comments.len();
        let mut body = self.whole()?;
        if !self.bodies.is_empty() {
            self.start_again(comments_before);
            body = self.whole()?;
        }
        Ok(Script {
            body,
            comments: std::mem::take(&mut self.comments),
        })
    }

    /// Begins the second pass, now that the places of all bodies are known.
    pub(super) fn start_again(&mut self, comments: usize) {
        self.at = 0;
        self.command_start = true;
        self.pass = Pass::Reading;
        self.pending.clear();
        self.drops_separators = false;
        self.comments.truncate(comments);
    }

    /// Reads a list that may be empty, up to what cannot begin a command.
    pub(super) fn list(&mut self) -> Read<List> {
        let mut entries: Vec<Entry> = Vec::new();
        self.command_start = true;
        self.skip_newlines()?;
        loop {
            if self.at_list_end()? {
                break;
            }
            let start = self.at;
            let chain = self.and_or()?;
            let mut end = self.at;
            self.skip_blanks()?;
            let (background, ended) = match self.peek() {
                b';' if matches!(self.peek_second(), b';' | b'&') => (false, true),
                b';' => (false, false),
                b'&' => (true, false),
                b'\n' => {
                    self.skip_newlines()?;
                    entries.push(Entry {
                        chain,
                        background: false,
                        span: self.between(start, end),
                    });
                    continue;
                }
                _ => (false, true),
            };
            if !ended {
                if self.drops_separators && !background {
                    return Err(self.stop(UnreadKind::Garbled));
                }
                self.bump();
                end = self.at;
                self.command_start = true;
            }
            entries.push(Entry {
                chain,
                background,
                span: self.between(start, end),
            });
            if ended {
                break;
            }
            self.skip_newlines()?;
        }
        let span = match (entries.first(), entries.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.span(self.at),
        };
        Ok(List { entries, span })
    }

    /// Reads a list that must hold a command.
    pub(super) fn body(&mut self) -> Read<List> {
        let list = self.list()?;
        if list.entries.is_empty() {
            let kind = if self.at_end() {
                UnreadKind::UnexpectedEnd
            } else {
                UnreadKind::EmptyBody
            };
            return Err(self.stop(kind));
        }
        Ok(list)
    }

    /// Passes over blanks, comments and newlines, and over the here-documents that begin after a newline.
    pub(super) fn skip_newlines(&mut self) -> Read<()> {
        loop {
            self.skip_blanks()?;
            if self.peek() != b'\n' || self.at_end() {
                return Ok(());
            }
            self.newline()?;
        }
    }

    /// Reads one command with its redirections.
    pub(super) fn command(&mut self) -> Read<Command> {
        self.skip_blanks()?;
        let start = self.at;
        let byte = self.peek();
        let kind = if byte == b'(' {
            self.parenthesis()?
        } else {
            match self.keyword() {
                Some((Keyword::Function, end)) => self.function_keyword(end)?,
                Some((Keyword::Coproc, end)) => self.coprocess(end)?,
                Some((keyword, end)) if keyword.opens_compound() => self.compound(keyword, end)?,
                Some((Keyword::Time, _)) | None => return self.simple(start),
                Some(_) => return Err(self.stop(UnreadKind::UnexpectedToken)),
            }
        };
        self.finish_compound(kind, start)
    }

    /// Adds the redirections behind a compound command.
    pub(super) fn finish_compound(&mut self, kind: CommandKind, start: usize) -> Read<Command> {
        let mut end = self.at;
        let mut redirects = Vec::new();
        // The redirections behind a function belong to its body, and those of a coprocess to its command.
        let borrowed = matches!(kind, CommandKind::Function(_) | CommandKind::Coprocess(_));
        if borrowed {
            return Ok(Command {
                kind,
                redirects,
                span: self.between(start, end),
            });
        }
        loop {
            self.skip_blanks()?;
            let Some(redirect) = self.redirect()? else {
                break;
            };
            redirects.push(redirect);
            end = self.at;
        }
        Ok(Command {
            kind,
            redirects,
            span: self.between(start, end),
        })
    }

    /// True where a compound command begins, reserved words being recognised.
    pub(super) fn at_compound(&mut self) -> bool {
        self.peek() == b'('
            || self
                .keyword()
                .is_some_and(|(keyword, _)| keyword.opens_compound())
    }

    pub(super) fn between(&self, start: usize, end: usize) -> Span {
        self.outer(Span::new(start, end))
    }

    fn whole(&mut self) -> Read<List> {
        let body = self.list()?;
        if !self.at_end() {
            return Err(self.stop(UnreadKind::UnexpectedToken));
        }
        self.locate_bodies()?;
        Ok(body)
    }

    fn at_list_end(&mut self) -> Read<bool> {
        self.skip_blanks()?;
        if self.at_end() {
            return Ok(true);
        }
        Ok(match self.peek() {
            b')' => true,
            b';' => matches!(self.peek_second(), b';' | b'&'),
            _ => self.keyword().is_some_and(|(keyword, _)| keyword.closes()),
        })
    }

    fn and_or(&mut self) -> Read<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks()?;
            let operator = if self.take_pair(b'&', b'&') {
                AndOrOperator::And
            } else if self.take_pair(b'|', b'|') {
                AndOrOperator::Or
            } else {
                return Ok(AndOr { first, rest });
            };
            self.command_start = true;
            self.skip_newlines()?;
            rest.push((operator, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Read<Pipeline> {
        self.spend(0)?;
        self.skip_blanks()?;
        let start = self.at;
        let (negations, timed) = self.pipeline_prefix()?;
        let mut pipeline = Pipeline {
            negations,
            timed,
            commands: Vec::new(),
            operators: Vec::new(),
            span: self.span(start),
        };
        if (negations > 0 || timed.is_some()) && self.at_bare_end() {
            return Ok(pipeline);
        }
        let mut end;
        loop {
            pipeline.commands.push(self.command()?);
            end = self.at;
            self.skip_blanks()?;
            if self.peek() != b'|' || self.peek_second() == b'|' {
                break;
            }
            self.bump();
            let operator = if self.take(b'&') {
                PipeOperator::OutputAndError
            } else {
                PipeOperator::Output
            };
            pipeline.operators.push(operator);
            self.command_start = true;
            self.skip_newlines()?;
        }
        pipeline.span = self.between(start, end);
        Ok(pipeline)
    }

    fn pipeline_prefix(&mut self) -> Read<(usize, Option<Timed>)> {
        let mut negations = 0;
        let mut timed: Option<Timed> = None;
        loop {
            match self.keyword() {
                Some((Keyword::Bang, end)) => {
                    if self.extended && self.raw(end) == b'(' {
                        // With extended patterns on, this would be a pattern and not a negated subshell.
                        return Err(self.stop(UnreadKind::ExtendedPattern));
                    }
                    self.at = end;
                    negations += 1;
                }
                Some((Keyword::Time, end)) => {
                    self.at = end;
                    let posix = self.take_option(*b"-p")?;
                    self.take_option(*b"--")?;
                    let before = timed.is_some_and(|timed| timed.posix);
                    timed = Some(Timed {
                        posix: posix || before,
                    });
                }
                Some(_) | None => return Ok((negations, timed)),
            }
            self.skip_blanks()?;
        }
    }

    /// Passes over an option of `time` that stands as a word of its own.
    fn take_option(&mut self, option: [u8; 2]) -> Read<bool> {
        self.skip_blanks()?;
        let start = self.at;
        let [first, second] = option;
        if self.take_pair(first, second) {
            let next = self.peek();
            if next == 0 || crate::token::is_meta(next) {
                return Ok(true);
            }
        }
        self.at = start;
        Ok(false)
    }

    /// True where bash lets `time` or `!` stand alone.
    fn at_bare_end(&mut self) -> bool {
        match self.peek() {
            b'\n' => true,
            b';' => !matches!(self.peek_second(), b';' | b'&'),
            _ => self.at_end(),
        }
    }
}
