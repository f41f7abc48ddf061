//! A command pattern as it stands in settings, taken apart into commands and words; what becomes of them is not known
//! here.

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

/// How an agent writes its patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) struct Dialect {
    /// Whether `?` is any one character.
    pub(in crate::import) question: bool,
    /// Whether a final `:*` is any more words.
    pub(in crate::import) colon: bool,
}

/// One command of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Segment {
    /// Its words, quotes undone.
    pub(super) words: Vec<Word>,
    /// Whether it reads or writes a file by a redirection.
    pub(super) redirects: bool,
}

/// One word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Word {
    /// Its text.
    pub(super) pieces: Vec<Piece>,
    /// Whether a shell would put something else in its place.
    pub(super) expands: bool,
}

/// A part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// This character.
    Char(char),
    /// Any one character.
    One,
    /// Any text.
    Star,
}

impl Word {
    /// Any one word.
    pub(super) fn any() -> Self {
        Self {
            pieces: vec![Piece::Star],
            expands: false,
        }
    }

    /// Whether nothing of it is text.
    pub(super) fn is_any(&self) -> bool {
        self.literals() == 0
    }

    /// How many characters of it are text.
    pub(super) fn literals(&self) -> usize {
        let text = |piece: &&Piece| matches!(piece, Piece::Char(_));
        self.pieces.iter().filter(text).count()
    }

    /// Whether it would set a variable in front of a command.
    pub(super) fn is_assignment(&self) -> bool {
        let equals = self
            .pieces
            .iter()
            .position(|piece| *piece == Piece::Char('='));
        let name = equals.and_then(|at| self.pieces.get(..at)).unwrap_or(&[]);
        let plain = |piece: &Piece| matches!(piece, Piece::Char(c) if *c == '_' || c.is_ascii_alphanumeric());
        !name.is_empty() && name.iter().all(plain)
    }

    /// Takes the directory of a program off.
    pub(super) fn without_directory(&mut self) {
        let slash = self
            .pieces
            .iter()
            .rposition(|piece| *piece == Piece::Char('/'));
        if let Some(at) = slash {
            self.pieces.drain(..=at);
        }
    }

    /// Takes a star in front of text off: a program is found behind whatever else a line holds.
    pub(super) fn without_leading_star(&mut self) {
        if self.pieces.first() == Some(&Piece::Star) && self.pieces.len() > 1 {
            self.pieces.remove(0);
        }
    }
}

impl fmt::Display for Word {
    /// As a word of our patterns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pieces.is_empty() {
            return f.write_str("''");
        }
        for piece in &self.pieces {
            match piece {
                Piece::Star => f.write_str("*")?,
                Piece::One => f.write_str("?")?,
                Piece::Char(c)
                    if matches!(c, '*' | '?' | '\\' | '\'' | '"') || c.is_whitespace() =>
                {
                    write!(f, "\\{c}")?;
                }
                Piece::Char(c) => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// Takes a pattern apart. Commands without words are left out.
pub(super) fn segments(text: &str, dialect: Dialect) -> Result<Vec<Segment>, String> {
    let mut reader = Reader {
        chars: text.trim().chars().peekable(),
        dialect,
        segments: Vec::new(),
        segment: Segment::default(),
        word: None,
    };
    reader.read()?;
    Ok(reader.segments)
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
    dialect: Dialect,
    segments: Vec<Segment>,
    segment: Segment,
    word: Option<Word>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), String> {
        while let Some(c) = self.chars.next() {
            match c {
                ' ' | '\t' => self.end_word(),
                '\n' | ';' | '|' => self.end_segment(),
                '&' if self.chars.next_if_eq(&'>').is_some() => self.redirection(),
                '&' | '(' | ')' => self.end_segment(),
                '>' | '<' => self.redirection(),
                '#' if self.word.is_none() => {
                    return Err("it begins a comment, which no command has".to_owned());
                }
                '\'' | '"' => self.quoted(c)?,
                '\\' => match self.chars.next() {
                    Some(next) => self.push(Piece::Char(next)),
                    None => return Err("it ends in a backslash".to_owned()),
                },
                '*' => self.push(Piece::Star),
                '?' if self.dialect.question => self.push(Piece::One),
                '$' | '`' | '?' => self.expanding(c),
                '~' if self.word.is_none() => self.expanding(c),
                '{' | '['
                    if self
                        .chars
                        .peek()
                        .is_some_and(|next| !matches!(next, ' ' | '}')) =>
                {
                    self.expanding(c);
                }
                '!' if self.word.is_none() => {}
                other => self.push(Piece::Char(other)),
            }
        }
        self.end_segment();
        Ok(())
    }

    /// Text in quotes; a star is one for the agent all the same.
    fn quoted(&mut self, quote: char) -> Result<(), String> {
        self.word.get_or_insert_default();
        loop {
            match self.chars.next() {
                None => return Err(format!("the quote `{quote}` is not closed")),
                Some(end) if end == quote => return Ok(()),
                Some('\\') if quote == '"' => {
                    let escaped = self
                        .chars
                        .next_if(|next| matches!(next, '"' | '\\' | '$' | '`' | '*'));
                    self.push(Piece::Char(escaped.unwrap_or('\\')));
                }
                Some('*') => self.push(Piece::Star),
                Some('?') if self.dialect.question => self.push(Piece::One),
                Some(c @ ('$' | '`')) if quote == '"' => self.expanding(c),
                Some(other) => self.push(Piece::Char(other)),
            }
        }
    }

    /// A redirection with its target. Copying a descriptor, and throwing away, touch no file.
    fn redirection(&mut self) {
        let number = |piece: &Piece| matches!(piece, Piece::Char(c) if c.is_ascii_digit());
        match self.word.take() {
            Some(word) if word.pieces.iter().all(number) => {}
            Some(word) => self.segment.words.push(word),
            None => {}
        }
        while self
            .chars
            .next_if(|c| matches!(c, '>' | '<' | '|'))
            .is_some()
        {}
        let copies = self.chars.next_if_eq(&'&').is_some();
        while self.chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        let mut target = String::new();
        let ends = |c: &char| {
            matches!(
                c,
                ' ' | '\t' | '\n' | ';' | '|' | '&' | '>' | '<' | '(' | ')'
            )
        };
        while let Some(c) = self.chars.next_if(|c| !ends(c)) {
            target.push(c);
        }
        let descriptor = target.chars().all(|c| c.is_ascii_digit()) && !target.is_empty();
        let harmless = target == "/dev/null" || (copies && descriptor);
        self.segment.redirects |= !harmless;
    }

    fn push(&mut self, piece: Piece) {
        let word = self.word.get_or_insert_default();
        // Two stars say no more than one.
        if piece != Piece::Star || word.pieces.last() != Some(&Piece::Star) {
            word.pieces.push(piece);
        }
    }

    fn expanding(&mut self, c: char) {
        let word = self.word.get_or_insert_default();
        word.pieces.push(Piece::Char(c));
        word.expands = true;
    }

    fn end_word(&mut self) {
        self.segment.words.extend(self.word.take());
    }

    fn end_segment(&mut self) {
        self.end_word();
        let segment = std::mem::take(&mut self.segment);
        if !segment.words.is_empty() || segment.redirects {
            self.segments.push(segment);
        }
    }
}
