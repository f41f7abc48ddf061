//! The reader's position in a text, with its limits; it knows bytes and blanks but no grammar.

use std::collections::HashMap;

use crate::read::pending::{BodyPlace, Pending};
use crate::span::Span;
use crate::token::{Keyword, is_blank, is_meta};
use crate::unread::{Unread, UnreadKind};

/// What every reading function returns.
pub(super) type Read<T> = Result<T, Unread>;

/// How offsets of the text at hand relate to the outermost text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// The text is the slice that starts there.
    From(usize),
    /// The text was rewritten (escapes undone), so every node lies somewhere in this range.
    Within(Span),
}

/// Here-documents are read in two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// The first one only finds where their bodies are.
    Locating,
    /// The second one reads the bodies where they belong in the tree.
    Reading,
}

/// Reads one text. Backquoted bodies and here-documents get readers of their own.
pub(super) struct Reader<'a> {
    pub(super) source: &'a str,
    pub(super) at: usize,
    pub(super) place: Place,
    /// Levels of nesting that are left.
    pub(super) depth: usize,
    /// Steps that are left.
    pub(super) fuel: u64,
    /// True where the text may have turned extended patterns on.
    pub(super) extended: bool,
    /// True where bash would recognise a reserved word.
    pub(super) command_start: bool,
    /// How many `$(` and `<(` of this very text are open.
    pub(super) substitutions: usize,
    /// True behind a here-document in the innermost of them: bash then drops a `;` when it prints the commands.
    pub(super) drops_separators: bool,
    /// Here-documents whose bodies have not begun.
    pub(super) pending: Vec<Pending>,
    /// Where the bodies are, by the place of their operator.
    pub(super) bodies: HashMap<usize, BodyPlace>,
    pub(super) pass: Pass,
    /// Where `((` or `$((` was found not to be arithmetic, and where the outer parenthesis closes.
    pub(super) not_arithmetic: HashMap<usize, usize>,
    pub(super) comments: Vec<Span>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        source: &'a str,
        place: Place,
        depth: usize,
        fuel: u64,
        extended: bool,
    ) -> Self {
        Self {
            source,
            at: 0,
            place,
            depth,
            fuel,
            extended,
            command_start: true,
            substitutions: 0,
            drops_separators: false,
            pending: Vec::new(),
            bodies: HashMap::new(),
            pass: Pass::Locating,
            not_arithmetic: HashMap::new(),
            comments: Vec::new(),
        }
    }

    /// The next byte after any line continuation, or zero at the end.
    pub(super) fn peek(&mut self) -> u8 {
        loop {
            match self.raw(self.at) {
                b'\\' if self.raw(self.at + 1) == b'\n' => self.at += 2,
                byte => return byte,
            }
        }
    }

    /// The byte after the next one, continuations set aside, or zero.
    pub(super) fn peek_second(&mut self) -> u8 {
        self.peek();
        self.raw(self.skip_continuations(self.at + 1))
    }

    /// The place at or after `at` that is not a line continuation.
    pub(super) fn skip_continuations(&self, mut at: usize) -> usize {
        while self.raw(at) == b'\\' && self.raw(at + 1) == b'\n' {
            at += 2;
        }
        at
    }

    /// The byte at an offset, or zero past the end.
    pub(super) fn raw(&self, at: usize) -> u8 {
        self.source.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Passes over one byte.
    pub(super) fn bump(&mut self) {
        self.peek();
        self.at = (self.at + 1).min(self.source.len());
    }

    /// Passes over the byte if it is next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        if found {
            self.bump();
        }
        found
    }

    /// Passes over two bytes if they are next.
    pub(super) fn take_pair(&mut self, first: u8, second: u8) -> bool {
        let found = self.peek() == first && self.peek_second() == second;
        if found {
            self.bump();
            self.bump();
        }
        found
    }

    /// Passes over the byte or fails.
    pub(super) fn expect(&mut self, byte: u8, otherwise: UnreadKind) -> Read<()> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(self.stop(otherwise))
        }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.peek();
        self.at >= self.source.len()
    }

    /// The text between two offsets, empty where they do not fit.
    pub(super) fn text(&self, start: usize, end: usize) -> &'a str {
        self.source.get(start..end).unwrap_or("")
    }

    /// Passes over the longest run of bytes of one class and returns it.
    pub(super) fn run(&mut self, class: impl Fn(u8) -> bool) -> Read<&'a str> {
        let start = self.at;
        let rest = self.source.as_bytes().get(start..).unwrap_or(&[]);
        let length = rest
            .iter()
            .position(|&byte| !class(byte))
            .unwrap_or(rest.len());
        self.at = start + length;
        self.spend(length)?;
        Ok(self.text(start, self.at))
    }

    /// Passes over one character and returns it as text.
    pub(super) fn character(&mut self) -> &'a str {
        let start = self.at;
        let length = self
            .source
            .get(start..)
            .and_then(|rest| rest.chars().next());
        self.at = start + length.map_or(0, char::len_utf8);
        self.text(start, self.at)
    }

    /// Passes over blanks and a comment, which start only where a token could.
    pub(super) fn skip_blanks(&mut self) -> Read<()> {
        let start = self.at;
        while is_blank(self.peek()) {
            self.at += 1;
        }
        if self.peek() == b'#' {
            let from = self.at;
            let rest = self.source.as_bytes().get(from..).unwrap_or(&[]);
            let length = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len());
            self.at = from + length;
            let span = self.span(from);
            self.comments.push(span);
        }
        self.spend(self.at - start)
    }

    /// The span in the outermost text from an offset of this text to the present place.
    pub(super) fn span(&self, start: usize) -> Span {
        self.outer(Span::new(start, self.at.max(start)))
    }

    /// A span of this text as a span of the outermost text.
    pub(super) fn outer(&self, span: Span) -> Span {
        match self.place {
            Place::From(base) => Span::new(base + span.start, base + span.end),
            Place::Within(whole) => whole,
        }
    }

    /// A failure at the present place.
    pub(super) fn stop(&mut self, kind: UnreadKind) -> Unread {
        let wants_more = matches!(
            kind,
            UnreadKind::UnexpectedToken | UnreadKind::MissingKeyword | UnreadKind::MissingWord
        );
        let kind = if wants_more && self.at_end() {
            UnreadKind::UnexpectedEnd
        } else {
            kind
        };
        let end = (self.at + 1).min(self.source.len()).max(self.at);
        Unread {
            kind,
            span: self.outer(Span::new(self.at, end)),
        }
    }

    /// Pays for a node and some bytes.
    pub(super) fn spend(&mut self, bytes: usize) -> Read<()> {
        let steps = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_add(1);
        match self.fuel.checked_sub(steps) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(self.stop(UnreadKind::OutOfFuel)),
        }
    }

    /// Goes one level deeper.
    pub(super) fn enter(&mut self) -> Read<()> {
        match self.depth.checked_sub(1) {
            Some(left) => {
                self.depth = left;
                Ok(())
            }
            None => Err(self.stop(UnreadKind::TooDeep)),
        }
    }

    /// Comes back from one level.
    pub(super) fn leave(&mut self) {
        self.depth += 1;
    }

    /// The reserved word that stands next, and where it ends. Whether it is recognised here is another question.
    pub(super) fn keyword(&mut self) -> Option<(Keyword, usize)> {
        let first = self.peek();
        if !matches!(first, b'!' | b'{' | b'}' | b'[' | b']' | b'c'..=b'f' | b'i' | b's'..=b'w') {
            return None;
        }
        let mut spelling = [0_u8; Keyword::LONGEST];
        let mut length = 0;
        let mut at = self.at;
        loop {
            at = self.skip_continuations(at);
            let byte = self.raw(at);
            if byte == 0 || is_meta(byte) {
                break;
            }
            *spelling.get_mut(length)? = byte;
            length += 1;
            at += 1;
        }
        let redirects = matches!(self.raw(at), b'<' | b'>');
        if redirects && self.raw(self.skip_continuations(at + 1)) == b'(' {
            // A process substitution goes on with the word.
            return None;
        }
        Keyword::spelt(spelling.get(..length)?).map(|keyword| (keyword, at))
    }

    /// Passes over the reserved word if it stands next and is recognised.
    pub(super) fn take_keyword(&mut self, wanted: Keyword) -> Read<bool> {
        self.skip_blanks()?;
        match self.keyword() {
            Some((found, end)) if found == wanted && self.command_start => {
                self.at = end;
                Ok(true)
            }
            Some(_) | None => Ok(false),
        }
    }

    /// Passes over the reserved word or fails.
    pub(super) fn expect_keyword(&mut self, wanted: Keyword) -> Read<()> {
        if self.take_keyword(wanted)? {
            Ok(())
        } else {
            Err(self.stop(UnreadKind::MissingKeyword))
        }
    }
}
