//! A glob over the text of one word, one path component or one name: `*` is any text, `?` one character, all else
//! itself.

use super::sequence;
use std::borrow::Cow;

/// A glob. Build it with [`Glob::new`], which keeps equal globs in one form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Glob {
    /// Exactly this text.
    Literal(String),
    /// Any text: `*` alone.
    Any,
    /// Text with wildcards.
    Mixed(Vec<Token>),
}

/// One piece of a glob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// This character.
    Char(char),
    /// Any one hexadecimal digit in lower case, as in the names of git's objects; no pattern of a rule has it.
    Hex,
    /// Any one character: `?`.
    One,
    /// Any text, also none: `*`.
    Run,
}

/// Whether a character is a hexadecimal digit in lower case.
const fn is_hex(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, 'a'..='f')
}

/// What a wildcard may not match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Barrier {
    /// Nothing is out of bounds.
    None,
    /// The colon that parts the two sides of a git refspec; `*` alone, which means any word, is not bound by it.
    Refspec,
}

impl Glob {
    /// A glob of these tokens.
    pub fn new(tokens: &[Token]) -> Self {
        let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
        // `*?`, `?*` and `**` are brought into one form, so that equal globs are equal values.
        let mut run = false;
        for token in tokens {
            match token {
                Token::Run => run = true,
                Token::One => out.push(Token::One),
                Token::Char(_) | Token::Hex => {
                    if run {
                        out.push(Token::Run);
                        run = false;
                    }
                    out.push(*token);
                }
            }
        }
        if run {
            out.push(Token::Run);
        }
        if out == [Token::Run] {
            return Self::Any;
        }
        let literal: Option<String> = out
            .iter()
            .map(|token| match token {
                Token::Char(c) => Some(*c),
                Token::Hex | Token::One | Token::Run => None,
            })
            .collect();
        literal.map_or(Self::Mixed(out), Self::Literal)
    }

    /// A glob of text in which only `*` and `?` are special.
    pub fn of_text(text: &str) -> Self {
        if text == "*" {
            return Self::Any;
        }
        if !text.contains(['*', '?']) {
            return Self::literal(text);
        }
        let mut tokens = Vec::with_capacity(text.len());
        tokens.extend(text.chars().map(|c| match c {
            '*' => Token::Run,
            '?' => Token::One,
            other => Token::Char(other),
        }));
        Self::new(&tokens)
    }

    /// The glob that matches this text only.
    pub fn literal(text: &str) -> Self {
        Self::Literal(text.to_owned())
    }

    /// The text where it has no wildcard.
    pub fn as_literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Any | Self::Mixed(_) => None,
        }
    }

    /// Whether it matches `text`.
    pub fn matches(&self, text: &str, barrier: Barrier) -> bool {
        let tokens = match self {
            Self::Literal(literal) => return literal == text,
            Self::Any => return true,
            Self::Mixed(tokens) => tokens,
        };
        let free = |c: &char| match barrier {
            Barrier::None => true,
            Barrier::Refspec => *c != ':',
        };
        sequence::matches(
            tokens,
            text.chars(),
            false,
            |token| *token == Token::Run,
            |token, c| match token {
                Token::Char(own) => own == c,
                Token::Hex => is_hex(*c),
                Token::One => free(c),
                Token::Run => false,
            },
            free,
        )
    }

    /// Whether every text that it matches is matched by `wide`; false where that cannot be proved.
    pub fn is_within(&self, wide: &Self, barrier: Barrier) -> bool {
        match (self, wide) {
            (_, Self::Any) => true,
            (Self::Literal(text), _) => wide.matches(text, barrier),
            // A glob in front of a barrier may be empty of texts, but nothing is proved from that.
            (Self::Any | Self::Mixed(_), Self::Literal(_)) | (Self::Any, Self::Mixed(_)) => false,
            (Self::Mixed(narrow), Self::Mixed(wide)) => {
                let free = |token: &Token| match barrier {
                    Barrier::None => true,
                    Barrier::Refspec => *token != Token::Char(':'),
                };
                sequence::included(
                    narrow,
                    wide,
                    |token| *token == Token::Run,
                    |item, other| match other {
                        Token::Char(_) => item == other,
                        Token::Hex => match item {
                            Token::Char(c) => is_hex(*c),
                            Token::Hex => true,
                            Token::One | Token::Run => false,
                        },
                        Token::One => free(item),
                        Token::Run => false,
                    },
                    free,
                )
            }
        }
    }

    /// Whether some text is matched by both.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::Literal(text), glob) | (glob, Self::Literal(text)) => {
                glob.matches(text, Barrier::None)
            }
            (Self::Mixed(left), Self::Mixed(right)) => sequence::overlap(
                left,
                right,
                |token| *token == Token::Run,
                |item, other| match (item, other) {
                    (Token::Char(c), Token::Hex) | (Token::Hex, Token::Char(c)) => is_hex(*c),
                    (Token::Char(_), Token::Char(_)) => item == other,
                    (Token::Hex, Token::Hex) | (Token::One | Token::Run, _) | (_, Token::One) => {
                        true
                    }
                    (Token::Char(_) | Token::Hex, Token::Run) => false,
                },
            ),
        }
    }

    /// Whether it matches some text that begins with `prefix`.
    pub fn may_begin_with(&self, prefix: &str) -> bool {
        if prefix.is_empty() {
            return true;
        }
        let tokens: Vec<Token> = prefix
            .chars()
            .map(Token::Char)
            .chain([Token::Run])
            .collect();
        self.overlaps(&Self::Mixed(tokens))
    }

    /// The glob with every wildcard replaced by `filling`: a plain name that it stands for.
    #[must_use]
    pub fn instance(&self, filling: &str) -> Self {
        match self {
            Self::Literal(_) => self.clone(),
            Self::Any => Self::Any,
            Self::Mixed(tokens) => {
                let mut text = String::new();
                for token in tokens {
                    match token {
                        Token::Char(c) => text.push(*c),
                        Token::Hex => text.push('0'),
                        Token::One => text.push('x'),
                        Token::Run => text.push_str(filling),
                    }
                }
                Self::Literal(text)
            }
        }
    }

    /// Its tokens.
    pub fn tokens(&self) -> Cow<'_, [Token]> {
        match self {
            Self::Literal(text) => text.chars().map(Token::Char).collect(),
            Self::Any => Cow::Borrowed(&[Token::Run]),
            Self::Mixed(tokens) => Cow::Borrowed(tokens),
        }
    }

    /// Whether every text begins with this character.
    pub fn begins_with(&self, first: char) -> bool {
        match self {
            Self::Literal(text) => text.starts_with(first),
            Self::Any => false,
            Self::Mixed(tokens) => tokens.first() == Some(&Token::Char(first)),
        }
    }

    /// Writes it with a backslash before every character that `special` names and every wildcard that is meant as text.
    pub fn write(&self, out: &mut String, special: impl Fn(char) -> bool) {
        for token in self.tokens().iter() {
            match token {
                Token::Char(c) => {
                    if matches!(c, '*' | '?' | '\\') || special(*c) {
                        out.push('\\');
                    }
                    out.push(*c);
                }
                Token::Hex => out.push_str("[0-9a-f]"),
                Token::One => out.push('?'),
                Token::Run => out.push('*'),
            }
        }
    }
}
