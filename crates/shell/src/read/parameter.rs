//! `${…}`: the parameter, what is done with it, and the operands with their own rules for quotes.

use crate::read::arithmetic::Ends;
use crate::read::builder::{Builder, Style};
use crate::read::cursor::{Read, Reader};
use crate::read::quote::{Quoting, TEXT};
use crate::token::{continues_name, is_meta, is_plain, is_special_parameter, starts_name};
use crate::tree::{
    Arithmetic, FallbackKind, Parameter, ParameterOperation, Part, ReplaceScope, Word,
};
use crate::unread::UnreadKind;

/// What stands in front of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    Length,
    Indirect,
}

const PATTERN: Style = Style {
    braces: false,
    ..Style::ARGUMENT
};

impl Reader<'_> {
    /// Reads `${…}`. The place is at the brace.
    pub(super) fn braced_parameter(&mut self, start: usize, quoting: Quoting) -> Read<Parameter> {
        self.enter()?;
        self.spend(0)?;
        self.bump();
        let prefix = self.parameter_prefix();
        let name = self.parameter_name()?;
        let mut subscript = None;
        if name.bytes().next().is_some_and(starts_name) && self.take(b'[') {
            let inside = self.inside_brackets()?;
            // Bash ends the expansion at a brace that stands bare in a subscript, and runs what follows.
            let bare = |part: &Part| matches!(part, Part::Literal(text) if text.contains('}'));
            if inside.parts.iter().any(bare) {
                return Err(self.stop(UnreadKind::BadSubstitution));
            }
            subscript = Some(inside);
            self.expect(b']', UnreadKind::UnclosedExpansion)?;
        }
        let operation = match prefix {
            Prefix::Length => ParameterOperation::Length,
            Prefix::Indirect if self.indices(subscript.as_ref()) => ParameterOperation::Indices,
            Prefix::Indirect if subscript.is_none() && self.prefix_names() => {
                self.bump();
                ParameterOperation::Names
            }
            Prefix::Indirect | Prefix::None => self.operation(quoting)?,
        };
        self.expect(b'}', UnreadKind::BadSubstitution)?;
        self.leave();
        let indirect = prefix == Prefix::Indirect;
        Ok(Parameter {
            name,
            indirect,
            subscript,
            operation,
            span: self.span(start),
        })
    }

    fn parameter_prefix(&mut self) -> Prefix {
        let first = self.peek();
        if !matches!(first, b'#' | b'!') {
            return Prefix::None;
        }
        let at = self.skip_continuations(self.at + 1);
        let second = self.raw(at);
        let third = self.raw(self.skip_continuations(at + 1));
        let named = starts_name(second) || second.is_ascii_digit();
        let found = match first {
            b'#' if named || (is_special_parameter(second) && third == b'}') => Prefix::Length,
            b'!' if named || (matches!(second, b'#' | b'@' | b'*' | b'?') && third == b'}') => {
                Prefix::Indirect
            }
            _ => return Prefix::None,
        };
        self.bump();
        found
    }

    fn parameter_name(&mut self) -> Read<String> {
        let first = self.peek();
        let mut name = String::new();
        if is_special_parameter(first) {
            self.bump();
            name.push(char::from(first));
            return Ok(name);
        }
        let number = first.is_ascii_digit();
        loop {
            let byte = self.peek();
            if !(if number {
                byte.is_ascii_digit()
            } else {
                continues_name(byte)
            }) {
                break;
            }
            name.push(char::from(byte));
            self.bump();
        }
        self.spend(name.len())?;
        if name.is_empty() {
            Err(self.stop(UnreadKind::BadSubstitution))
        } else {
            Ok(name)
        }
    }

    fn indices(&mut self, subscript: Option<&Arithmetic>) -> bool {
        let all = subscript.is_some_and(|subscript| match subscript.parts.as_slice() {
            [Part::Literal(text)] => text == "@" || text == "*",
            _ => false,
        });
        all && self.peek() == b'}'
    }

    fn prefix_names(&mut self) -> bool {
        matches!(self.peek(), b'@' | b'*') && self.peek_second() == b'}'
    }

    fn operation(&mut self, quoting: Quoting) -> Read<ParameterOperation> {
        let operator = self.peek();
        match operator {
            b'}' => Ok(ParameterOperation::Plain),
            b':' => {
                self.bump();
                match fallback_kind(self.peek()) {
                    Some(kind) => self.fallback(kind, true, quoting),
                    None => self.slice(),
                }
            }
            b'#' | b'%' => {
                self.bump();
                let longest = self.take(operator);
                let pattern = self.pattern_operand(0, quoting)?;
                Ok(ParameterOperation::Trim {
                    suffix: operator == b'%',
                    longest,
                    pattern,
                })
            }
            b'/' => self.replacement(quoting),
            b'^' | b',' | b'~' => {
                self.bump();
                let mut written = char::from(operator).to_string();
                if self.take(operator) {
                    written.push(char::from(operator));
                }
                let pattern = self.pattern_operand(0, quoting)?;
                Ok(ParameterOperation::Case {
                    operator: written,
                    pattern,
                })
            }
            b'@' => {
                self.bump();
                let transformation = self.peek();
                if !b"UuLQEPAKak".contains(&transformation) {
                    return Err(self.stop(UnreadKind::BadSubstitution));
                }
                self.bump();
                Ok(ParameterOperation::Transform(char::from(transformation)))
            }
            byte => match fallback_kind(byte) {
                Some(kind) => self.fallback(kind, false, quoting),
                None if self.at_end() => Err(self.stop(UnreadKind::UnclosedExpansion)),
                None => Err(self.stop(UnreadKind::BadSubstitution)),
            },
        }
    }

    fn fallback(
        &mut self,
        kind: FallbackKind,
        or_empty: bool,
        quoting: Quoting,
    ) -> Read<ParameterOperation> {
        self.bump();
        let start = self.at;
        let word = match quoting {
            Quoting::None => self.operand_until(0, Quoting::None)?,
            Quoting::Double | Quoting::Nested | Quoting::Here | Quoting::Mixed => {
                let word = self.quoted_operand(quoting)?;
                let text = self.text(start, self.at);
                if kind == FallbackKind::Fail && (text.contains("<(") || text.contains(">(")) {
                    // Bash expands its message as if there were no quotes around it.
                    return Err(self.stop(UnreadKind::MisplacedProcessSubstitution));
                }
                word
            }
        };
        Ok(ParameterOperation::Fallback {
            kind,
            or_empty,
            word,
        })
    }

    fn slice(&mut self) -> Read<ParameterOperation> {
        let offset = self.expression(Ends::SLICE)?;
        if offset.parts.is_empty() && self.peek() == b'}' {
            return Err(self.stop(UnreadKind::BadSubstitution));
        }
        let length = if self.take(b':') {
            Some(self.expression(Ends::SLICE)?)
        } else {
            None
        };
        Ok(ParameterOperation::Slice { offset, length })
    }

    fn replacement(&mut self, quoting: Quoting) -> Read<ParameterOperation> {
        self.bump();
        let scope = match self.peek() {
            b'/' => ReplaceScope::All,
            b'#' => ReplaceScope::Prefix,
            b'%' => ReplaceScope::Suffix,
            _ => ReplaceScope::First,
        };
        if scope != ReplaceScope::First {
            self.bump();
        }
        let pattern = self.pattern_operand(b'/', quoting)?;
        let replacement = if self.take(b'/') {
            Some(self.pattern_operand(0, quoting)?)
        } else {
            None
        };
        Ok(ParameterOperation::Replace {
            scope,
            pattern,
            replacement,
        })
    }

    /// Patterns and replacements keep their own quotes even inside double quotes.
    fn pattern_operand(&mut self, stop: u8, quoting: Quoting) -> Read<Word> {
        let nested = if quoting == Quoting::None {
            Quoting::None
        } else {
            Quoting::Mixed
        };
        self.operand_until(stop, nested)
    }

    /// Reads an operand up to the closing brace, or up to `stop` where it is not zero.
    fn operand_until(&mut self, stop: u8, nested: Quoting) -> Read<Word> {
        let start = self.at;
        let mut builder = Builder::new(PATTERN);
        loop {
            let text = self.run(|byte| is_plain(byte) && byte != b'}' && byte != stop)?;
            builder.literal(text);
            match self.peek() {
                0 => return Err(self.stop(UnreadKind::UnclosedExpansion)),
                b'}' => break,
                byte if byte == stop => break,
                b'<' | b'>' if self.peek_second() == b'(' => {
                    self.braced_process_substitution(&mut builder)?;
                }
                b'$' if self.peek_second() == b'\'' => {
                    self.bump();
                    let text = self.ansi_quoted()?;
                    builder.quoted(&text);
                }
                b'$' if nested == Quoting::Mixed && self.peek_second() != b'"' => {
                    self.dollar(&mut builder, nested)?;
                }
                b'`' if nested == Quoting::Mixed => {
                    let substitution = self.backquoted(nested)?;
                    builder.push(Part::CommandSubstitution(substitution));
                }
                byte if is_meta(byte) => {
                    let text = self.character();
                    builder.literal(text);
                }
                _ => self.piece(&mut builder)?,
            }
        }
        let span = self.span(start);
        Ok(Word {
            parts: self.finish_parts(builder)?,
            span,
        })
    }

    /// Bash looks for the closing brace without regard to a process substitution, and then expands it.
    fn braced_process_substitution(&mut self, builder: &mut Builder) -> Read<()> {
        let start = self.at;
        self.process_substitution(builder)?;
        if self
            .text(start, self.at)
            .contains(['}', '\'', '"', '`', '\\'])
        {
            return Err(self.stop(UnreadKind::MisplacedProcessSubstitution));
        }
        Ok(())
    }

    /// Reads the operand of a fallback inside double quotes, where it is quoted text with quotes of its own.
    fn quoted_operand(&mut self, quoting: Quoting) -> Read<Word> {
        let start = self.at;
        let mut builder = Builder::new(TEXT);
        loop {
            let text =
                self.run(|byte| !matches!(byte, b'}' | b'"' | b'\'' | b'\\' | b'$' | b'`'))?;
            builder.literal(text);
            match self.peek() {
                b'}' => break,
                b'\\' if self.raw(self.at + 1) == b'\'' => {
                    return Err(self.stop(UnreadKind::NestedQuotes));
                }
                b'"' | b'\'' if quoting == Quoting::Mixed => {
                    return Err(self.stop(UnreadKind::NestedQuotes));
                }
                b'"' => {
                    let parts = self.double_quoted_in(Quoting::Nested)?;
                    builder.push(Part::DoubleQuoted(parts));
                }
                b'\'' => self.quoted_region(&mut builder)?,
                b'\\' if self.raw(self.at + 1) == b'}' => {
                    self.at += 2;
                    builder.literal("}");
                }
                _ if self.at_end() => return Err(self.stop(UnreadKind::UnclosedExpansion)),
                _ => self.quoted_piece(&mut builder, Quoting::Mixed)?,
            }
        }
        Ok(Word {
            parts: builder.finish(),
            span: self.span(start),
        })
    }

    /// Reads `'…'` where bash takes it for a quote when it looks for the end, and for text when it expands.
    pub(super) fn quoted_region(&mut self, builder: &mut Builder) -> Read<()> {
        self.bump();
        let start = self.at;
        let text = self.run(|byte| byte != b'\'')?;
        let end = self.at;
        if end >= self.source.len() {
            return Err(self.stop(UnreadKind::UnclosedQuote));
        }
        self.at = end + 1;
        if text.contains(['"', '`', '\\']) {
            return Err(self.stop(UnreadKind::NestedQuotes));
        }
        self.at = start;
        builder.literal("'");
        while self.at < end {
            let text = self.run(|byte| !matches!(byte, b'$' | b'\''))?;
            builder.literal(text);
            if self.at < end {
                self.dollar(builder, Quoting::Mixed)?;
            }
        }
        if self.at != end {
            return Err(self.stop(UnreadKind::NestedQuotes));
        }
        self.at = end + 1;
        builder.literal("'");
        Ok(())
    }
}

fn fallback_kind(byte: u8) -> Option<FallbackKind> {
    match byte {
        b'-' => Some(FallbackKind::Use),
        b'=' => Some(FallbackKind::Assign),
        b'?' => Some(FallbackKind::Fail),
        b'+' => Some(FallbackKind::Alternative),
        _ => None,
    }
}
