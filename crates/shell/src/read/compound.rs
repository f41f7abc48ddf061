//! Compound commands, functions and coprocesses.

use crate::read::builder::Style;
use crate::read::cursor::{Read, Reader};
use crate::token::{Keyword, is_name};
use crate::tree::{
    ArithmeticFor, Case, CaseArm, CaseEnd, Command, CommandKind, Coprocess, For, Function, If,
    List, Loop, Part, Word,
};
use crate::unread::UnreadKind;

impl Reader<'_> {
    /// Reads the compound command that a reserved word begins.
    pub(super) fn compound(&mut self, keyword: Keyword, end: usize) -> Read<CommandKind> {
        self.enter()?;
        self.spend(0)?;
        self.at = end;
        self.command_start = true;
        let kind = match keyword {
            Keyword::OpenBrace => self.group()?,
            Keyword::If => self.conditional()?,
            Keyword::While => self.repeat(false)?,
            Keyword::Until => self.repeat(true)?,
            Keyword::For => self.for_loop()?,
            Keyword::Select => CommandKind::Select(self.for_words()?),
            Keyword::Case => self.case()?,
            Keyword::OpenTest => CommandKind::Test(self.test()?),
            Keyword::Bang
            | Keyword::CloseBrace
            | Keyword::CloseTest
            | Keyword::Coproc
            | Keyword::Do
            | Keyword::Done
            | Keyword::Elif
            | Keyword::Else
            | Keyword::Esac
            | Keyword::Fi
            | Keyword::Function
            | Keyword::In
            | Keyword::Then
            | Keyword::Time => return Err(self.stop(UnreadKind::UnexpectedToken)),
        };
        self.command_start = true;
        self.leave();
        Ok(kind)
    }

    /// Reads `((expression))` or `( list )`.
    pub(super) fn parenthesis(&mut self) -> Read<CommandKind> {
        self.enter()?;
        self.spend(0)?;
        self.bump();
        let start = self.at;
        // Only two parentheses without anything between them can be arithmetic, continuations aside.
        let kind = if self.take(b'(') {
            match self.try_arithmetic(start)? {
                Some(arithmetic) => CommandKind::Arithmetic(arithmetic),
                None => self.subshell(start)?,
            }
        } else {
            self.subshell(start)?
        };
        self.command_start = true;
        self.leave();
        Ok(kind)
    }

    /// Reads the rest of a function definition whose name and parentheses are read.
    pub(super) fn function(&mut self, name: &str) -> Read<CommandKind> {
        if name.is_empty() || name.contains(['$', '`', '\'', '"', '\\', '<', '>', '(']) {
            return Err(self.stop(UnreadKind::BadName));
        }
        self.enter()?;
        self.command_start = true;
        self.skip_newlines()?;
        let start = self.at;
        if !self.at_compound() {
            return Err(self.stop(UnreadKind::UnexpectedToken));
        }
        let body = Box::new(self.compound_command(start)?);
        self.leave();
        Ok(CommandKind::Function(Function {
            name: name.to_owned(),
            body,
        }))
    }

    /// Reads `function name [()] body`.
    pub(super) fn function_keyword(&mut self, end: usize) -> Read<CommandKind> {
        self.at = end;
        self.skip_blanks()?;
        let start = self.at;
        self.required_word(Style::SINGLE)?;
        let name = self.written(start, self.at);
        self.skip_blanks()?;
        if self.peek() == b'(' {
            let before = self.at;
            self.bump();
            self.skip_blanks()?;
            if !self.take(b')') {
                self.at = before;
            }
        }
        self.function(&name)
    }

    /// Reads `coproc [name] command`.
    pub(super) fn coprocess(&mut self, end: usize) -> Read<CommandKind> {
        self.enter()?;
        self.at = end;
        self.command_start = true;
        self.skip_blanks()?;
        let start = self.at;
        let (name, command) = if self.at_compound() {
            (None, self.compound_command(start)?)
        } else {
            if self
                .keyword()
                .is_some_and(|(keyword, _)| keyword != Keyword::Time)
            {
                return Err(self.stop(UnreadKind::UnexpectedToken));
            }
            self.named_coprocess(start)?
        };
        if self.substitutions > 0 && matches!(command.kind, CommandKind::Simple(_)) {
            // Bash prints its default name in front and then takes that for the command.
            return Err(self.stop(UnreadKind::Garbled));
        }
        self.leave();
        Ok(CommandKind::Coprocess(Coprocess {
            name,
            command: Box::new(command),
        }))
    }

    /// Reads a compound command, which is known to stand next, with its redirections.
    pub(super) fn compound_command(&mut self, start: usize) -> Read<Command> {
        let kind = match self.keyword() {
            Some((keyword, end)) => self.compound(keyword, end)?,
            None => self.parenthesis()?,
        };
        self.finish_compound(kind, start)
    }

    /// The text between two places, line continuations removed.
    pub(super) fn written(&self, start: usize, end: usize) -> String {
        self.text(start, end).replace("\\\n", "")
    }

    fn subshell(&mut self, start: usize) -> Read<CommandKind> {
        self.at = start;
        let list = self.body()?;
        self.expect(b')', UnreadKind::UnexpectedToken)?;
        Ok(CommandKind::Subshell(list))
    }

    fn group(&mut self) -> Read<CommandKind> {
        let list = self.body()?;
        self.expect_keyword(Keyword::CloseBrace)?;
        Ok(CommandKind::Group(list))
    }

    fn conditional(&mut self) -> Read<CommandKind> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.body()?;
            self.expect_keyword(Keyword::Then)?;
            branches.push((condition, self.body()?));
            if self.take_keyword(Keyword::Elif)? {
                continue;
            }
            if self.take_keyword(Keyword::Else)? {
                otherwise = Some(self.body()?);
            }
            self.expect_keyword(Keyword::Fi)?;
            return Ok(CommandKind::If(If {
                branches,
                otherwise,
            }));
        }
    }

    fn repeat(&mut self, until: bool) -> Read<CommandKind> {
        let condition = self.body()?;
        let body = self.do_body()?;
        Ok(CommandKind::Loop(Loop {
            until,
            condition,
            body,
        }))
    }

    fn do_body(&mut self) -> Read<List> {
        self.expect_keyword(Keyword::Do)?;
        let body = self.body()?;
        self.expect_keyword(Keyword::Done)?;
        Ok(body)
    }

    /// Reads `do … done`, or the braces that bash takes in its place.
    fn loop_body(&mut self) -> Read<List> {
        if self.take_keyword(Keyword::OpenBrace)? {
            let body = self.body()?;
            self.expect_keyword(Keyword::CloseBrace)?;
            return Ok(body);
        }
        self.do_body()
    }

    fn for_loop(&mut self) -> Read<CommandKind> {
        self.skip_blanks()?;
        if self.peek() != b'(' || self.peek_second() != b'(' {
            return Ok(CommandKind::For(self.for_words()?));
        }
        self.bump();
        self.bump();
        let expressions = self.arithmetic_for()?;
        self.command_start = true;
        self.skip_blanks()?;
        if self.peek() == b';' && self.peek_second() != b';' {
            self.bump();
        }
        self.skip_newlines()?;
        let body = self.loop_body()?;
        Ok(CommandKind::ArithmeticFor(ArithmeticFor {
            expressions,
            body,
        }))
    }

    /// Reads what follows `for` or `select`.
    fn for_words(&mut self) -> Read<For> {
        self.skip_blanks()?;
        let word = self.required_word(Style::SINGLE)?;
        let name = match word.parts.as_slice() {
            [Part::Literal(name)] if is_name(name) => name.clone(),
            _ => return Err(self.stop(UnreadKind::BadName)),
        };
        self.command_start = true;
        self.skip_blanks()?;
        if self.peek() == b';' && self.peek_second() != b';' {
            self.bump();
            self.skip_newlines()?;
            return Ok(For {
                name,
                words: None,
                body: self.loop_body()?,
            });
        }
        self.skip_newlines()?;
        if !self.take_keyword(Keyword::In)? {
            return Ok(For {
                name,
                words: None,
                body: self.loop_body()?,
            });
        }
        let mut words = Vec::new();
        loop {
            self.skip_blanks()?;
            match self.word(Style::ARGUMENT)? {
                Some(word) => words.push(word),
                None => break,
            }
        }
        match self.peek() {
            b';' if self.peek_second() != b';' => self.bump(),
            b'\n' => {}
            _ => return Err(self.stop(UnreadKind::UnexpectedToken)),
        }
        self.command_start = true;
        self.skip_newlines()?;
        Ok(For {
            name,
            words: Some(words),
            body: self.loop_body()?,
        })
    }

    fn case(&mut self) -> Read<CommandKind> {
        self.skip_blanks()?;
        let word = self.required_word(Style::SINGLE)?;
        self.command_start = true;
        self.skip_newlines()?;
        self.expect_keyword(Keyword::In)?;
        let mut arms = Vec::new();
        loop {
            self.command_start = true;
            self.skip_newlines()?;
            if self.take_keyword(Keyword::Esac)? {
                break;
            }
            let (arm, ended) = self.case_arm()?;
            arms.push(arm);
            if !ended {
                self.expect_keyword(Keyword::Esac)?;
                break;
            }
        }
        Ok(CommandKind::Case(Case { word, arms }))
    }

    /// Reads one arm, and tells whether it was ended by an operator.
    fn case_arm(&mut self) -> Read<(CaseArm, bool)> {
        self.spend(0)?;
        if self.take(b'(') {
            self.skip_blanks()?;
        }
        let patterns = self.case_patterns()?;
        let body = self.list()?;
        self.skip_blanks()?;
        let end = if self.take_pair(b';', b';') {
            Some(if self.take(b'&') {
                CaseEnd::Continue
            } else {
                CaseEnd::Break
            })
        } else if self.take_pair(b';', b'&') {
            Some(CaseEnd::FallThrough)
        } else {
            None
        };
        let ended = end.is_some();
        Ok((
            CaseArm {
                patterns,
                body,
                end: end.unwrap_or(CaseEnd::Break),
            },
            ended,
        ))
    }

    fn case_patterns(&mut self) -> Read<Vec<Word>> {
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks()?;
            patterns.push(self.required_word(Style::PATTERN)?);
            self.skip_blanks()?;
            if self.take(b'|') {
                continue;
            }
            self.expect(b')', UnreadKind::UnexpectedToken)?;
            return Ok(patterns);
        }
    }
}
