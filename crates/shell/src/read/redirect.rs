//! Redirections, with what may stand in front of them.

use crate::read::builder::Style;
use crate::read::cursor::{Read, Reader};
use crate::token::{continues_name, starts_name};
use crate::tree::{Descriptor, Part, Redirect, RedirectKind, Word};
use crate::unread::UnreadKind;

impl Reader<'_> {
    /// Reads a redirection if one stands next.
    pub(super) fn redirect(&mut self) -> Read<Option<Redirect>> {
        let start = self.at;
        let descriptor = match self.peek() {
            b'<' | b'>' if self.peek_second() != b'(' => Descriptor::Default,
            b'&' if self.peek_second() == b'>' => Descriptor::Default,
            b'0'..=b'9' | b'{' => match self.descriptor()? {
                Some(descriptor) => descriptor,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.spend(0)?;
        self.command_start = false;
        let kind = self.redirect_kind(&descriptor)?;
        self.command_start = false;
        Ok(Some(Redirect {
            descriptor,
            kind,
            span: self.span(start),
        }))
    }

    /// Reads a number or `{name}` if it stands directly in front of an operator.
    fn descriptor(&mut self) -> Read<Option<Descriptor>> {
        let start = self.at;
        let braced = self.take(b'{');
        let mut text = String::new();
        loop {
            let byte = self.peek();
            if byte.is_ascii_digit() || (braced && continues_name(byte)) {
                text.push(char::from(byte));
                self.bump();
            } else {
                break;
            }
        }
        self.spend(text.len())?;
        let plain = !braced || (text.bytes().next().is_some_and(starts_name) && self.take(b'}'));
        if braced && self.peek() == b'[' {
            return self.subscripted_descriptor(start);
        }
        let operator = matches!(self.peek(), b'<' | b'>') && self.peek_second() != b'(';
        let found = match (plain && operator, braced) {
            (false, _) => None,
            (true, true) => Some(Descriptor::Variable(text)),
            (true, false) => text
                .parse()
                .ok()
                .filter(|&number| number <= 0x7fff_ffff)
                .map(Descriptor::Number),
        };
        if found.is_none() {
            self.at = start;
        }
        Ok(found)
    }

    /// `{name[…]}` in front of an operator would run what the subscript holds, so it is not taken for a plain word.
    fn subscripted_descriptor(&mut self, start: usize) -> Read<Option<Descriptor>> {
        let rest = self.source.as_bytes().get(self.at..).unwrap_or(&[]);
        let line = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
        self.spend(line)?;
        let redirects = rest
            .get(..line)
            .unwrap_or(&[])
            .windows(3)
            .any(|window| matches!(window, [b']', b'}', b'<' | b'>'] | [_, b'\\', _]));
        if redirects {
            return Err(self.stop(UnreadKind::BadName));
        }
        self.at = start;
        Ok(None)
    }

    fn redirect_kind(&mut self, descriptor: &Descriptor) -> Read<RedirectKind> {
        let operator = self.at;
        if self.take(b'&') {
            self.bump();
            return Ok(if self.take(b'>') {
                RedirectKind::AppendBoth(self.operand(Style::ARGUMENT)?)
            } else {
                RedirectKind::WriteBoth(self.operand(Style::ARGUMENT)?)
            });
        }
        if self.take(b'>') {
            return Ok(match self.peek() {
                b'>' => RedirectKind::Append(self.operand_after()?),
                b'|' => RedirectKind::Clobber(self.operand_after()?),
                b'&' => {
                    self.bump();
                    let word = self.descriptor_operand()?;
                    duplicate_output(word, descriptor)
                }
                _ => RedirectKind::Write(self.operand(Style::ARGUMENT)?),
            });
        }
        self.bump();
        Ok(match self.peek() {
            b'>' => RedirectKind::ReadWrite(self.operand_after()?),
            b'&' => {
                self.bump();
                RedirectKind::DuplicateInput(self.descriptor_operand()?)
            }
            b'<' => {
                self.bump();
                if self.take(b'<') {
                    return Ok(RedirectKind::HereString(self.operand(Style::SINGLE)?));
                }
                let strip_tabs = self.take(b'-');
                self.skip_blanks()?;
                RedirectKind::HereDocument(self.here_document(operator, strip_tabs)?)
            }
            _ => RedirectKind::Read(self.operand(Style::ARGUMENT)?),
        })
    }

    fn operand_after(&mut self) -> Read<Word> {
        self.bump();
        self.operand(Style::ARGUMENT)
    }

    fn operand(&mut self, style: Style) -> Read<Word> {
        self.skip_blanks()?;
        let start = self.at;
        let word = self.required_word(style)?;
        let digits = self
            .text(start, self.at)
            .bytes()
            .all(|byte| byte.is_ascii_digit());
        if digits && matches!(self.peek(), b'<' | b'>') {
            // Bash takes the number for the descriptor of the next redirection.
            return Err(self.stop(UnreadKind::MissingWord));
        }
        Ok(word)
    }

    /// The operand of `<&` and `>&`; a leading `-` is a token by itself and ends it.
    fn descriptor_operand(&mut self) -> Read<Word> {
        self.skip_blanks()?;
        let start = self.at;
        if self.take(b'-') {
            let parts = vec![Part::Literal("-".to_owned())];
            return Ok(Word {
                parts,
                span: self.span(start),
            });
        }
        let word = self.required_word(Style::ARGUMENT)?;
        if expanded_again(&word.parts) {
            return Err(self.stop(UnreadKind::Garbled));
        }
        Ok(word)
    }
}

/// True where quoted text would not stay what it is: bash expands the operand of `>&` a second time once it has found
/// that it is a file's name and no number, so that `>&'$(a)'` runs `a`.
fn expanded_again(parts: &[Part]) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || b"_-./,:@%+=".contains(&byte) || byte > 127;
    parts.iter().any(|part| match part {
        Part::Quoted(text) => !text.bytes().all(plain),
        Part::DoubleQuoted(inner) => inner.iter().any(|part| match part {
            Part::Literal(text) => !text.bytes().all(plain),
            other => expanded_again(std::slice::from_ref(other)),
        }),
        Part::Literal(text) => text.contains('$'),
        Part::Brace(_) | Part::ExtendedGlob(_) | Part::CompoundAssignment(_) => true,
        Part::Tilde(_)
        | Part::Parameter(_)
        | Part::CommandSubstitution(_)
        | Part::Arithmetic(_)
        | Part::ProcessSubstitution(_)
        | Part::Glob(_) => false,
    })
}

/// `>&` is a copy of a descriptor where its operand is a number, and the old form of `&>` where it is another word.
fn duplicate_output(word: Word, descriptor: &Descriptor) -> RedirectKind {
    let names_file = plain_text(&word.parts).is_some_and(|text| {
        let number = text.strip_suffix('-').unwrap_or(&text);
        !number.bytes().all(|byte| byte.is_ascii_digit())
    });
    if names_file && matches!(descriptor, Descriptor::Default | Descriptor::Number(1)) {
        RedirectKind::WriteBoth(word)
    } else {
        RedirectKind::DuplicateOutput(word)
    }
}

/// The text of a word that is known without expanding anything but a tilde or a pattern.
fn plain_text(parts: &[Part]) -> Option<String> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Literal(piece) | Part::Quoted(piece) | Part::Glob(piece) => text.push_str(piece),
            Part::DoubleQuoted(inner) => text.push_str(&plain_text(inner)?),
            Part::Tilde(user) => {
                text.push('~');
                text.push_str(user);
            }
            Part::Parameter(_)
            | Part::CommandSubstitution(_)
            | Part::Arithmetic(_)
            | Part::ProcessSubstitution(_)
            | Part::ExtendedGlob(_)
            | Part::Brace(_)
            | Part::CompoundAssignment(_) => return None,
        }
    }
    Some(text)
}
