//! Arithmetic, subscripts and offsets: where they end and what is expanded in them, not what they compute.

use crate::read::builder::Builder;
use crate::read::cursor::{Read, Reader};
use crate::read::quote::{Quoting, TEXT};
use crate::tree::{Arithmetic, CommandKind, Part};
use crate::unread::{Unread, UnreadKind};
use crate::walk::{self, Visit};

/// What ends an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ends {
    /// Balanced against `close`; zero where nothing is.
    open: u8,
    close: u8,
    /// Ends the expression too, outside of balanced pairs.
    also: u8,
}

impl Ends {
    /// `:` or the closing brace of `${name:offset:length}`.
    pub(super) const SLICE: Self = Self {
        open: 0,
        close: b'}',
        also: b':',
    };
    const PARENTHESES: Self = Self {
        open: b'(',
        close: b')',
        also: 0,
    };
    const BRACKETS: Self = Self {
        open: b'[',
        close: b']',
        also: 0,
    };
    const FOR: Self = Self {
        open: b'(',
        close: b')',
        also: b';',
    };
}

impl Reader<'_> {
    /// Reads up to the closing bracket, which stays. Where its inside misleads a simpler reader, bash takes an
    /// assignment for a command, or `$[…]`, which is printed as `$((…))`, for commands.
    pub(super) fn inside_brackets(&mut self) -> Read<Arithmetic> {
        let start = self.at;
        let arithmetic = self.expression(Ends::BRACKETS)?;
        self.check_parentheses(start, self.at, &arithmetic)?;
        Ok(arithmetic)
    }

    /// Reads an expression up to what ends it, which stays.
    pub(super) fn expression(&mut self, ends: Ends) -> Read<Arithmetic> {
        let mut doubt = None;
        let arithmetic = self.doubtful_expression(ends, &mut doubt)?;
        match doubt {
            None => Ok(arithmetic),
            Some(unread) => Err(unread),
        }
    }

    /// Reads the inside of `((…))` and its end, or finds that these are two subshells. The place is behind `((`.
    pub(super) fn try_arithmetic(&mut self, start: usize) -> Read<Option<Arithmetic>> {
        if self.not_arithmetic.contains_key(&start) {
            return Ok(None);
        }
        let pending = self.pending.clone();
        let comments = self.comments.len();
        let mut doubt = None;
        let begins = self.at;
        let arithmetic = self.doubtful_expression(Ends::PARENTHESES, &mut doubt)?;
        let ends = self.at;
        if !pending.is_empty() && self.text(start, self.at).contains('\n') {
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        self.at += 1;
        if self.raw(self.at) == b')' {
            self.at += 1;
            // Bash counts the parentheses in the operand of an expansion with those of the expression.
            if self.text(begins, ends).contains("${") || holds_case(&arithmetic) {
                self.check_parentheses(begins, ends, &arithmetic)?;
            }
            return match doubt {
                None => Ok(Some(arithmetic)),
                Some(unread) => Err(unread),
            };
        }
        self.refuse_here_documents(start)?;
        self.pending = pending;
        self.comments.truncate(comments);
        self.not_arithmetic.insert(start, self.at);
        Ok(None)
    }

    /// Reads `$((…))`, or `$(…)` whose first command is a subshell. The place is at the first parenthesis.
    ///
    /// Bash first finds the parenthesis that closes the outer one, then decides by what is between.
    pub(super) fn dollar_parentheses(&mut self, start: usize) -> Read<Part> {
        self.enter()?;
        self.spend(0)?;
        self.bump();
        let inner = self.at;
        let end = if let Some(&end) = self.not_arithmetic.get(&inner) {
            end
        } else {
            let pending = self.pending.clone();
            let comments = self.comments.len();
            let mut doubt = None;
            self.bump();
            let begins = self.at;
            let arithmetic = self.doubtful_expression(Ends::PARENTHESES, &mut doubt)?;
            let ends = self.at;
            self.bump();
            if self.take(b')') {
                self.leave();
                self.check_parentheses(begins, ends, &arithmetic)?;
                return match doubt {
                    None => Ok(Part::Arithmetic(arithmetic)),
                    Some(unread) => Err(unread),
                };
            }
            self.doubtful_expression(Ends::PARENTHESES, &mut doubt)?;
            self.refuse_here_documents(inner)?;
            self.pending = pending;
            self.comments.truncate(comments);
            self.not_arithmetic.insert(inner, self.at);
            self.at
        };
        self.at = inner;
        let part = self.substitution(start)?;
        if self.at != end + 1 {
            return Err(self.stop(UnreadKind::AmbiguousParentheses));
        }
        self.leave();
        Ok(part)
    }

    /// Stops where bash could take the expression between two offsets for commands.
    pub(super) fn check_parentheses(
        &mut self,
        start: usize,
        end: usize,
        arithmetic: &Arithmetic,
    ) -> Read<()> {
        let text = self.text(start, end);
        if text.contains("<<") && (text.contains("$(") || text.contains('`')) {
            // It may be a here-document of a command inside, whose body is anything.
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        if has_plain_parentheses(text) && !holds_case(arithmetic) {
            return Ok(());
        }
        Err(self.stop(UnreadKind::AmbiguousParentheses))
    }

    /// Stops where a here-document was passed since `start`: bash tries such text as arithmetic, reads it again as
    /// commands, and then takes the bodies from elsewhere.
    fn refuse_here_documents(&mut self, start: usize) -> Read<()> {
        if self.text(start, self.at).contains("<<") {
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        Ok(())
    }

    /// Reads the three expressions of `for ((…))` and its end. The place is behind `((`.
    pub(super) fn arithmetic_for(&mut self) -> Read<[Arithmetic; 3]> {
        let first = self.expression(Ends::FOR)?;
        self.expect(b';', UnreadKind::BadArithmeticFor)?;
        let second = self.expression(Ends::FOR)?;
        self.expect(b';', UnreadKind::BadArithmeticFor)?;
        let third = self.expression(Ends::FOR)?;
        self.expect(b')', UnreadKind::BadArithmeticFor)?;
        self.expect(b')', UnreadKind::BadArithmeticFor)?;
        Ok([first, second, third])
    }

    /// Reads an expression and notes what cannot be told without stopping, so that its end is found all the same.
    fn doubtful_expression(&mut self, ends: Ends, doubt: &mut Option<Unread>) -> Read<Arithmetic> {
        let start = self.at;
        let mut builder = Builder::new(TEXT);
        let mut open = 0_usize;
        let mut conditionals = 0_usize;
        loop {
            let text = self.run(|byte| {
                !matches!(byte, b'"' | b'\'' | b'\\' | b'$' | b'`' | b'?')
                    && byte != ends.open
                    && byte != ends.close
                    && byte != ends.also
                    && !(matches!(byte, b'<' | b'>') && ends.close != b')')
            })?;
            builder.literal(text);
            let byte = self.peek();
            if self.at_end() {
                return Err(self.stop(UnreadKind::UnclosedExpansion));
            }
            if matches!(byte, b'<' | b'>') && self.peek_second() == b'(' && ends.close != b')' {
                // Bash runs it in the subscript of an element of an array, and not in that of a variable.
                doubt.get_or_insert(self.stop(UnreadKind::MisplacedProcessSubstitution));
            }
            if open == 0
                && (byte == ends.close
                    || (byte == ends.also && (byte != b':' || conditionals == 0)))
            {
                break;
            }
            if byte == ends.also && open > 0 {
                // Bash splits here without regard to the parentheses.
                return Err(self.stop(UnreadKind::BadArithmeticFor));
            }
            // The colon of a conditional separates nothing.
            conditionals += usize::from(byte == b'?');
            conditionals = conditionals.saturating_sub(usize::from(byte == b':'));
            open = if byte == ends.open {
                open + 1
            } else if byte == ends.close {
                open - 1
            } else {
                self.expression_piece(&mut builder, doubt)?;
                continue;
            };
            self.bump();
            builder.literal(char::from(byte).encode_utf8(&mut [0; 4]));
        }
        let span = self.span(start);
        Ok(Arithmetic {
            parts: builder.finish(),
            span,
        })
    }

    fn expression_piece(&mut self, builder: &mut Builder, doubt: &mut Option<Unread>) -> Read<()> {
        match self.peek() {
            b'"' => self.expression_quotes(builder, doubt)?,
            b'\'' => {
                let before = self.at;
                if let Err(unread) = self.quoted_region(builder) {
                    doubt.get_or_insert(unread);
                    self.at = before;
                    self.single_quoted()?;
                }
            }
            b'\\' => {
                if !self.raw(self.at + 1).is_ascii_alphanumeric() {
                    doubt.get_or_insert(self.stop(UnreadKind::ArithmeticEscape));
                }
                self.at += 1;
                builder.literal("\\");
                let text = self.character();
                builder.literal(text);
            }
            b'$' if self.peek_second() == b'"' => {
                self.bump();
                self.expression_quotes(builder, doubt)?;
            }
            b'$' if self.peek_second() == b'\'' => {
                doubt.get_or_insert(self.stop(UnreadKind::NestedQuotes));
                self.bump();
                self.ansi_quoted()?;
            }
            b'$' => self.dollar(builder, Quoting::Mixed)?,
            b'`' => {
                let substitution = self.backquoted(Quoting::Mixed)?;
                builder.push(Part::CommandSubstitution(substitution));
            }
            _ => {
                let text = self.character();
                builder.literal(text);
            }
        }
        Ok(())
    }

    fn expression_quotes(&mut self, builder: &mut Builder, doubt: &mut Option<Unread>) -> Read<()> {
        let parts = self.double_quoted()?;
        if evaluated_again(&parts) {
            doubt.get_or_insert(self.stop(UnreadKind::ArithmeticEscape));
        }
        builder.push(Part::DoubleQuoted(parts));
        Ok(())
    }
}

/// True where the parentheses of an expression balance for a reader that knows no grammar as well.
///
/// When bash expands `$((…))` it counts parentheses again, without regard to what the commands inside mean, and runs
/// the text as commands where they do not balance: a pattern of `case` is enough. What stands in quotes is not
/// counted, so nothing may make it unclear where quotes end. A `#` begins a comment behind a blank or a newline only;
/// the first byte stands behind a parenthesis.
fn has_plain_parentheses(text: &str) -> bool {
    let mut open = 0_usize;
    let mut quote = None;
    let mut before = b'(';
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', None | Some(b'"')) => {
                let escaped = bytes.next();
                if escaped == Some(b'\n') {
                    // It is gone by then, so that what is behind it follows what is in front of it.
                    continue;
                }
            }
            (b'(', Some(b'"')) | (b'\'', None) if before == b'$' => return false,
            (b'\'' | b'"', None) => quote = Some(byte),
            (b'\'' | b'"', Some(opened)) if byte == opened => quote = None,
            (b'`', Some(b'"')) => return false,
            (b'{', Some(b'"')) if before == b'$' => {
                // Quotes inside `${…}` inside of quotes begin anew.
                let inside = bytes.by_ref().take_while(|byte| *byte != b'}');
                if inside.into_iter().any(|byte| b"\"'\\$`".contains(&byte)) {
                    return false;
                }
            }
            (b'#', None) if before.is_ascii_whitespace() => return false,
            (b'(', None) => open += 1,
            (b')', None) => match open.checked_sub(1) {
                Some(left) => open = left,
                None => return false,
            },
            _ => {}
        }
        before = byte;
    }
    open == 0 && quote.is_none()
}

/// True where a command inside is a `case`. Bash prints it anew before it counts, without the parentheses in front of
/// its patterns.
fn holds_case(arithmetic: &Arithmetic) -> bool {
    let mut found = false;
    walk::parts(&arithmetic.parts, &mut |visit| {
        if let Visit::Command(command) = visit {
            found |= matches!(command.kind, CommandKind::Case(_));
        }
    });
    found
}

/// True where text that is quoted once holds what would be expanded if bash evaluates it again, as it does with
/// subscripts and with the operands of some tests.
pub(super) fn evaluated_again(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(text) | Part::Quoted(text) => text.contains(['$', '`']),
        Part::DoubleQuoted(inner) => evaluated_again(inner),
        Part::Tilde(_)
        | Part::Parameter(_)
        | Part::CommandSubstitution(_)
        | Part::Arithmetic(_)
        | Part::ProcessSubstitution(_)
        | Part::Glob(_)
        | Part::ExtendedGlob(_)
        | Part::Brace(_)
        | Part::CompoundAssignment(_) => false,
    })
}
