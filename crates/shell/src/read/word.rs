//! Unquoted words, up to the byte that ends them.

use crate::read::brace::expand_braces;
use crate::read::builder::{Builder, Parentheses, Style};
use crate::read::cursor::{Read, Reader};
use crate::read::pattern::mark_brackets;
use crate::read::quote::Quoting;
use crate::token::{is_meta, is_plain};
use crate::tree::{ExtendedGlob, Part, ProcessSubstitution, Word};
use crate::unread::UnreadKind;

impl Reader<'_> {
    /// Reads a word if one stands next.
    pub(super) fn word(&mut self, style: Style) -> Read<Option<Word>> {
        let start = self.at;
        self.word_from(Builder::new(style), start)
    }

    /// Reads a word or fails.
    pub(super) fn required_word(&mut self, style: Style) -> Read<Word> {
        match self.word(style)? {
            Some(word) => Ok(word),
            None => Err(self.stop(UnreadKind::MissingWord)),
        }
    }

    /// Reads the rest of a word whose beginning is read already.
    pub(super) fn word_from(&mut self, mut builder: Builder, start: usize) -> Read<Option<Word>> {
        self.spend(0)?;
        self.pieces(&mut builder)?;
        if builder.is_empty() {
            return Ok(None);
        }
        self.command_start = false;
        let span = self.span(start);
        let parts = self.finish_parts(builder)?;
        Ok(Some(Word { parts, span }))
    }

    /// Finds bracket expressions and braces among the pieces of a word.
    pub(super) fn finish_parts(&mut self, builder: Builder) -> Read<Vec<Part>> {
        let style = builder.style;
        let brackets = style.globs && builder.bracket;
        let braces = style.braces && builder.brace;
        let mut parts = builder.finish();
        if braces {
            self.spend(parts.len())?;
            parts = match expand_braces(parts, self.depth) {
                Ok(parts) => parts,
                Err(kind) => return Err(self.stop(kind)),
            };
        }
        if brackets {
            parts = mark_brackets(parts);
        }
        Ok(parts)
    }

    fn pieces(&mut self, builder: &mut Builder) -> Read<()> {
        loop {
            let text = self.run(is_plain)?;
            builder.literal(text);
            match self.peek() {
                b'|' if builder.style.parentheses == Parentheses::Regex => {
                    self.bump();
                    builder.literal("|");
                }
                b'(' if builder.style.parentheses == Parentheses::Regex => {
                    self.regex_group(builder)?;
                }
                b'(' => {
                    if !self.extended_pattern(builder)? {
                        return Ok(());
                    }
                }
                byte if is_meta(byte) => {
                    if !matches!(byte, b'<' | b'>') || self.peek_second() != b'(' {
                        return Ok(());
                    }
                    self.process_substitution(builder)?;
                }
                _ if self.at_end() => return Ok(()),
                _ => self.piece(builder)?,
            }
        }
    }

    /// Reads one piece that begins with a special byte.
    pub(super) fn piece(&mut self, builder: &mut Builder) -> Read<()> {
        match self.peek() {
            b'\\' => self.escape(builder),
            b'\'' => {
                let text = self.single_quoted()?;
                builder.quoted(text);
            }
            b'"' => {
                let parts = self.double_quoted()?;
                builder.push(Part::DoubleQuoted(parts));
            }
            b'$' => self.dollar(builder, Quoting::None)?,
            b'`' => {
                let substitution = self.backquoted(Quoting::None)?;
                builder.push(Part::CommandSubstitution(substitution));
            }
            b'~' if builder.tilde_counts() => self.tilde(builder)?,
            byte @ (b'*' | b'?') if builder.style.globs => {
                self.bump();
                builder.push(Part::Glob(char::from(byte).to_string()));
            }
            byte => {
                builder.brace |= byte == b'{';
                builder.bracket |= byte == b'[';
                let text = self.character();
                builder.literal(text);
            }
        }
        Ok(())
    }

    /// Reads `<(…)` or `>(…)`.
    pub(super) fn process_substitution(&mut self, builder: &mut Builder) -> Read<()> {
        let start = self.at;
        let reads = self.peek() == b'<';
        self.bump();
        self.bump();
        let body = self.substituted()?;
        let span = self.span(start);
        builder.push(Part::ProcessSubstitution(ProcessSubstitution {
            reads,
            body,
            span,
        }));
        Ok(())
    }

    fn escape(&mut self, builder: &mut Builder) {
        self.at += 1;
        if self.at >= self.source.len() {
            // A backslash at the very end of the text stands for itself.
            builder.quoted("\\");
            return;
        }
        let text = self.character();
        builder.quoted(text);
    }

    fn tilde(&mut self, builder: &mut Builder) -> Read<()> {
        self.bump();
        let user = self.run(|byte| byte.is_ascii_alphanumeric() || b"_.-+".contains(&byte))?;
        let next = self.peek();
        let colon = next == b':' && builder.style.tilde != crate::read::builder::TildePlace::Never;
        if next == 0 || next == b'/' || colon || is_meta(next) {
            builder.push(Part::Tilde(user.to_owned()));
        } else {
            builder.literal("~");
            builder.literal(user);
        }
        Ok(())
    }

    /// Reads `?(…)` and its kin where they are on; the operator is the last piece read.
    fn extended_pattern(&mut self, builder: &mut Builder) -> Read<bool> {
        if !self.extended && builder.style.parentheses != Parentheses::Pattern {
            return Ok(false);
        }
        let start = self.at.saturating_sub(1);
        let Some(operator) = builder.take_pattern_operator() else {
            return Ok(false);
        };
        self.enter()?;
        self.bump();
        let mut alternatives = Vec::new();
        loop {
            let from = self.at;
            let mut inner = Builder::new(Style {
                braces: false,
                ..builder.style
            });
            inner.style.parentheses = Parentheses::Pattern;
            self.alternative(&mut inner)?;
            let span = self.span(from);
            let parts = self.finish_parts(inner)?;
            alternatives.push(Word { parts, span });
            if self.take(b')') {
                break;
            }
            self.expect(b'|', UnreadKind::UnclosedExpansion)?;
        }
        self.leave();
        let span = self.span(start);
        builder.push(Part::ExtendedGlob(ExtendedGlob {
            operator,
            alternatives,
            span,
        }));
        Ok(true)
    }

    /// Reads one alternative of an extended pattern, where blanks and operators are text.
    fn alternative(&mut self, builder: &mut Builder) -> Read<()> {
        loop {
            let text = self.run(|byte| is_plain(byte) || b" \t\n;&".contains(&byte))?;
            builder.literal(text);
            match self.peek() {
                b')' | b'|' => return Ok(()),
                b'(' => {
                    if !self.extended_pattern(builder)? {
                        return Err(self.stop(UnreadKind::ExtendedPattern));
                    }
                }
                b'<' | b'>' if self.peek_second() == b'(' => self.process_substitution(builder)?,
                _ if self.at_end() => return Err(self.stop(UnreadKind::UnclosedExpansion)),
                b'<' | b'>' => {
                    let text = self.character();
                    builder.literal(text);
                }
                _ => self.piece(builder)?,
            }
        }
    }

    /// Reads a parenthesised group of a regular expression, where everything up to the matching one is text.
    fn regex_group(&mut self, builder: &mut Builder) -> Read<()> {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                b'(' => {
                    open += 1;
                    self.bump();
                    builder.literal("(");
                }
                b')' => {
                    open -= 1;
                    self.bump();
                    builder.literal(")");
                    if open == 0 {
                        return Ok(());
                    }
                }
                b'<' | b'>' if self.peek_second() == b'(' => {
                    return Err(self.stop(UnreadKind::MisplacedProcessSubstitution));
                }
                _ if self.at_end() => return Err(self.stop(UnreadKind::UnclosedExpansion)),
                byte if is_meta(byte) => {
                    let text = self.character();
                    builder.literal(text);
                }
                byte if is_plain(byte) => {
                    let text = self.run(is_plain)?;
                    builder.literal(text);
                }
                _ => self.piece(builder)?,
            }
            self.spend(0)?;
        }
    }
}
