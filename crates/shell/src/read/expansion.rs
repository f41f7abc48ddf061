//! What a `$` begins: parameters, command substitutions and arithmetic.

use crate::read::builder::Builder;
use crate::read::cursor::{Read, Reader};
use crate::read::quote::Quoting;
use crate::token::{continues_name, is_special_parameter, starts_name};
use crate::tree::{List, Parameter, ParameterOperation, Part, Substitution};
use crate::unread::UnreadKind;

impl Reader<'_> {
    /// Reads what a `$` begins, which may be nothing but itself.
    pub(super) fn dollar(&mut self, builder: &mut Builder, quoting: Quoting) -> Read<()> {
        let start = self.at;
        self.bump();
        match self.peek() {
            b'(' if self.peek_second() == b'(' => {
                let part = self.dollar_parentheses(start)?;
                builder.push(part);
            }
            b'(' => {
                self.bump();
                let part = self.substitution(start)?;
                builder.push(part);
            }
            b'{' => {
                let parameter = self.braced_parameter(start, quoting)?;
                builder.push(Part::Parameter(Box::new(parameter)));
            }
            b'[' => {
                self.enter()?;
                self.bump();
                let arithmetic = self.inside_brackets()?;
                self.expect(b']', UnreadKind::UnclosedExpansion)?;
                self.leave();
                builder.push(Part::Arithmetic(arithmetic));
            }
            b'\'' if quoting == Quoting::None => {
                let text = self.ansi_quoted()?;
                builder.quoted(&text);
            }
            b'"' if quoting == Quoting::None => {
                let parts = self.double_quoted()?;
                builder.push(Part::DoubleQuoted(parts));
            }
            b'\'' | b'"' if quoting == Quoting::Mixed => {
                return Err(self.stop(UnreadKind::NestedQuotes));
            }
            byte if starts_name(byte) => {
                let mut name = String::new();
                while continues_name(self.peek()) {
                    name.push(char::from(self.raw(self.at)));
                    self.bump();
                }
                self.plain_parameter(builder, name, start)?;
            }
            byte if byte.is_ascii_digit() || is_special_parameter(byte) => {
                self.bump();
                if byte == b'$' && matches!(self.peek(), b'(' | b'{' | b'[') {
                    // Bash takes the second `$` for the beginning of an expansion when it looks for the end of quotes.
                    return Err(self.stop(UnreadKind::Garbled));
                }
                self.plain_parameter(builder, char::from(byte).to_string(), start)?;
            }
            // Bash takes quotes and backslashes from what follows, and then reads on from this very `$`.
            _ if quoting == Quoting::Nested => return Err(self.stop(UnreadKind::NestedQuotes)),
            _ => builder.literal("$"),
        }
        Ok(())
    }

    /// Reads the rest of `$(…)`, whose opening is read.
    pub(super) fn substitution(&mut self, start: usize) -> Read<Part> {
        let body = self.substituted()?;
        let span = self.span(start);
        Ok(Part::CommandSubstitution(Substitution {
            body,
            backquoted: false,
            span,
        }))
    }

    /// Reads commands up to the closing parenthesis and passes over it.
    ///
    /// Bash reads them with a parser of their own: a newline inside does not begin the here-documents outside. One that
    /// is asked for inside and does not begin there would take its body from behind the line outside, and bash is at
    /// odds with itself about the order.
    pub(super) fn substituted(&mut self) -> Read<List> {
        self.enter()?;
        self.spend(0)?;
        let outer = std::mem::take(&mut self.pending);
        let drops_separators = std::mem::replace(&mut self.drops_separators, false);
        self.substitutions += 1;
        let body = self.list()?;
        self.expect(b')', UnreadKind::UnclosedExpansion)?;
        self.substitutions -= 1;
        self.drops_separators = drops_separators;
        self.command_start = false;
        if !self.pending.is_empty() {
            return Err(self.stop(UnreadKind::BadHereDocument));
        }
        self.pending = outer;
        self.leave();
        Ok(body)
    }

    fn plain_parameter(&mut self, builder: &mut Builder, name: String, start: usize) -> Read<()> {
        self.spend(name.len())?;
        builder.push(Part::Parameter(Box::new(Parameter {
            name,
            indirect: false,
            subscript: None,
            operation: ParameterOperation::Plain,
            span: self.span(start),
        })));
        Ok(())
    }
}
