//! Quotes, and the text between them.

use crate::read::builder::{Builder, Parentheses, Style, TildePlace};
use crate::read::cursor::{Place, Read, Reader};
use crate::read::here::join_lines;
use crate::tree::{Part, Substitution};
use crate::unread::UnreadKind;

/// What surrounds an expansion, which decides what quotes and escapes inside it mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Nothing.
    None,
    /// Double quotes.
    Double,
    /// Double quotes in the operand of an expansion that itself stands in double quotes.
    Nested,
    /// The body of a here-document.
    Here,
    /// Something inside double quotes, a here-document or arithmetic that changes the rules again.
    Mixed,
}

/// A builder for text in which only expansions are special.
pub(super) const TEXT: Style = Style {
    globs: false,
    braces: false,
    tilde: TildePlace::Never,
    parentheses: Parentheses::End,
};

impl<'a> Reader<'a> {
    /// Reads `'…'`.
    pub(super) fn single_quoted(&mut self) -> Read<&'a str> {
        let open = self.at;
        self.bump();
        let text = self.run(|byte| byte != b'\'')?;
        if self.raw(self.at) != b'\'' {
            self.at = open;
            return Err(self.stop(UnreadKind::UnclosedQuote));
        }
        self.at += 1;
        Ok(text)
    }

    /// Reads `"…"`.
    pub(super) fn double_quoted(&mut self) -> Read<Vec<Part>> {
        self.double_quoted_in(Quoting::Double)
    }

    /// Reads `"…"`, whose inside is [`Quoting::Double`] or [`Quoting::Nested`].
    pub(super) fn double_quoted_in(&mut self, quoting: Quoting) -> Read<Vec<Part>> {
        let open = self.at;
        self.bump();
        let mut builder = Builder::new(TEXT);
        loop {
            let text = self.run(|byte| !matches!(byte, b'"' | b'\\' | b'$' | b'`' | 0))?;
            builder.literal(text);
            match self.peek() {
                b'"' => {
                    self.bump();
                    return Ok(builder.finish());
                }
                0 => {
                    self.at = open;
                    return Err(self.stop(UnreadKind::UnclosedQuote));
                }
                _ => self.quoted_piece(&mut builder, quoting)?,
            }
        }
    }

    /// Reads the body of a here-document, which is the whole text, in two passes as a script is read.
    pub(super) fn here_text(&mut self) -> Read<Vec<Part>> {
        let parts = self.here_pieces()?;
        if self.bodies.is_empty() {
            return Ok(parts);
        }
        self.start_again(0);
        self.here_pieces()
    }

    fn here_pieces(&mut self) -> Read<Vec<Part>> {
        let mut builder = Builder::new(TEXT);
        loop {
            let text = self.run(|byte| !matches!(byte, b'\\' | b'$' | b'`'))?;
            builder.literal(text);
            if self.at_end() {
                return Ok(builder.finish());
            }
            self.quoted_piece(&mut builder, Quoting::Here)?;
        }
    }

    /// Reads one piece of text in which only escapes and expansions are special.
    pub(super) fn quoted_piece(&mut self, builder: &mut Builder, quoting: Quoting) -> Read<()> {
        match self.peek() {
            b'\\' => {
                let next = self.raw(self.at + 1);
                let removed = match next {
                    b'$' | b'`' | b'\\' => true,
                    b'"' => quoting != Quoting::Here,
                    _ => false,
                };
                self.at += 1;
                if !removed {
                    builder.literal("\\");
                }
                if next != 0 {
                    let text = self.character();
                    builder.literal(text);
                }
            }
            b'$' => self.dollar(builder, quoting)?,
            b'`' => {
                let substitution = self.backquoted(quoting)?;
                builder.push(Part::CommandSubstitution(substitution));
            }
            _ => {
                let text = self.character();
                builder.literal(text);
            }
        }
        Ok(())
    }

    /// Reads `` `…` ``: the body is unescaped and read as a text of its own.
    pub(super) fn backquoted(&mut self, quoting: Quoting) -> Read<Substitution> {
        let open = self.at;
        self.bump();
        let start = self.at;
        let end = self.backquote_end(open)?;
        let raw = self.text(start, end);
        let in_quotes = match quoting {
            Quoting::Double | Quoting::Nested | Quoting::Mixed => true,
            Quoting::None | Quoting::Here => false,
        };
        if in_quotes && raw.contains('"') && raw.contains(['{', ',']) {
            // Bash looks for braces before it looks for backquotes, and takes each of these quotes for one of the word.
            return Err(self.stop(UnreadKind::NestedQuotes));
        }
        self.at = end + 1;
        let span = self.span(open);
        self.enter()?;
        let body = if raw.contains('\\') {
            let Some(text) = unescaped(raw, quoting) else {
                return Err(self.stop(UnreadKind::NestedQuotes));
            };
            self.inner_list(&text, Place::Within(span))?
        } else {
            let place = match self.place {
                Place::From(base) => Place::From(base + start),
                Place::Within(whole) => Place::Within(whole),
            };
            self.inner_list(raw, place)?
        };
        self.leave();
        Ok(Substitution {
            body,
            backquoted: true,
            span,
        })
    }

    /// The text of `$'…'`, escapes decoded. The place is at the quote.
    pub(super) fn ansi_quoted(&mut self) -> Read<String> {
        let open = self.at;
        self.bump();
        let start = self.at;
        loop {
            self.run(|byte| !matches!(byte, b'\'' | b'\\'))?;
            match self.raw(self.at) {
                b'\'' => break,
                b'\\' => self.at = (self.at + 2).min(self.source.len()),
                _ => {
                    self.at = open;
                    return Err(self.stop(UnreadKind::UnclosedQuote));
                }
            }
        }
        let raw = self.text(start, self.at);
        self.at += 1;
        match decoded(raw) {
            Some(text) => Ok(text),
            None => Err(self.stop(UnreadKind::BadEscape)),
        }
    }

    fn backquote_end(&mut self, open: usize) -> Read<usize> {
        let mut at = self.at;
        loop {
            match self.raw(at) {
                b'`' => break,
                b'\\' => at += 2,
                0 => {
                    self.at = open;
                    return Err(self.stop(UnreadKind::UnclosedQuote));
                }
                _ => at += 1,
            }
        }
        self.spend(at - open)?;
        Ok(at)
    }

    fn inner_list(&mut self, text: &str, place: Place) -> Read<crate::tree::List> {
        let mut reader = Reader::new(text, place, self.depth, self.fuel, self.extended);
        let script = reader.script();
        self.fuel = reader.fuel;
        let mut script = script?;
        if matches!(place, Place::From(_)) {
            self.comments.append(&mut script.comments);
        }
        Ok(script.body)
    }
}

/// Undoes the escapes of a backquoted body.
fn unescaped(raw: &str, quoting: Quoting) -> Option<String> {
    let joined = join_lines(raw);
    let mut text = String::with_capacity(joined.len());
    let mut characters = joined.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some(escaped @ ('$' | '`' | '\\')) => text.push(escaped),
            Some('"') => match quoting {
                Quoting::None | Quoting::Here => text.push_str("\\\""),
                Quoting::Double | Quoting::Nested => text.push('"'),
                Quoting::Mixed => return None,
            },
            other => {
                text.push('\\');
                text.extend(other);
            }
        }
    }
    Some(text)
}

/// Decodes the escapes of `$'…'`. Nothing where the result is not text.
fn decoded(raw: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at_checked(at)?;
        bytes.extend_from_slice(before.as_bytes());
        let escape = escape.strip_prefix('\\')?;
        let Some(kind) = escape.chars().next() else {
            bytes.push(b'\\');
            rest = escape;
            continue;
        };
        let after = escape.get(kind.len_utf8()..)?;
        rest = decode_escape(kind, escape, after, &mut bytes)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    // A NUL ends the string, as it does in bash.
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    bytes.truncate(end);
    String::from_utf8(bytes).ok()
}

/// Decodes one escape and returns the text behind it.
fn decode_escape<'t>(
    kind: char,
    escape: &'t str,
    after: &'t str,
    bytes: &mut Vec<u8>,
) -> Option<&'t str> {
    let plain = match kind {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '\'' => b'\'',
        '"' => b'"',
        '?' => b'?',
        '0'..='7' => {
            let (value, rest) = digits(escape, 8, 3);
            bytes.push(u8::try_from(value & 0xff).ok()?);
            return Some(rest);
        }
        'x' => return decode_hexadecimal(after, bytes),
        'u' | 'U' => {
            let (value, rest) = digits(after, 16, if kind == 'u' { 4 } else { 8 });
            if rest.len() == after.len() {
                bytes.extend_from_slice(&[b'\\', u8::try_from(kind).ok()?]);
            } else {
                let character = char::from_u32(value)?;
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            return Some(rest);
        }
        'c' => {
            let control = after.chars().next().filter(char::is_ascii)?;
            let rest = after.get(1..)?;
            // Bash passes over the second backslash of `\c\\`.
            let rest = if control == '\\' {
                rest.strip_prefix('\\')?
            } else {
                rest
            };
            let code = u8::try_from(control).ok()?;
            bytes.push(if control == '?' {
                127
            } else {
                code.to_ascii_uppercase() & 31
            });
            return Some(rest);
        }
        other => {
            bytes.push(b'\\');
            bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(after);
        }
    };
    bytes.push(plain);
    Some(after)
}

fn decode_hexadecimal<'t>(after: &'t str, bytes: &mut Vec<u8>) -> Option<&'t str> {
    if let Some(braced) = after.strip_prefix('{') {
        // Bash takes all digits there are, keeps the last byte and does not insist on the closing brace.
        let rest = braced.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
        let number = braced.get(..braced.len() - rest.len())?;
        let last = number.get(number.len().saturating_sub(2)..)?;
        bytes.push(u8::from_str_radix(last, 16).unwrap_or(0));
        return Some(rest.strip_prefix('}').unwrap_or(rest));
    }
    let (value, rest) = digits(after, 16, 2);
    if rest.len() == after.len() {
        bytes.extend_from_slice(b"\\x");
    } else {
        bytes.push(u8::try_from(value & 0xff).ok()?);
    }
    Some(rest)
}

/// The value of the leading digits, at most `most` of them, and the text behind.
fn digits(text: &str, radix: u32, most: usize) -> (u32, &str) {
    let count = text
        .chars()
        .take(most)
        .take_while(|digit| digit.is_digit(radix))
        .count();
    let (number, rest) = text.split_at_checked(count).unwrap_or(("", text));
    (u32::from_str_radix(number, radix).unwrap_or(0), rest)
}
