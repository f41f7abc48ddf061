//! Bash's own pathname patterns, as they stand in commands that are judged, read into globs that match at least as
//! much.

use super::glob::{Glob, Token};
use std::iter::Peekable;
use std::str::Chars;

/// The components of a bash pattern; nothing where a component goes up (`..`) and so could lead anywhere.
///
/// A class (`[a-z]`) becomes any one character and an extended pattern (`@(a|b)`) any text: more than bash matches.
pub(super) fn components(pattern: &str) -> Option<Vec<Component>> {
    let mut out = Vec::new();
    let mut tokens = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '/' {
            finish(&mut tokens, &mut out)?;
        } else {
            tokens.push(token(c, &mut chars));
        }
    }
    finish(&mut tokens, &mut out)?;
    Some(out)
}

/// One component of a bash pattern.
pub(super) struct Component {
    /// What one name matches.
    pub(super) glob: Glob,
    /// Whether it is `**`, which takes any number of directories that are not hidden.
    pub(super) deep: bool,
}

/// A bash pattern as one glob in which a wildcard may also match a slash.
pub(super) fn word(pattern: &str) -> Glob {
    let mut tokens = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        tokens.push(token(c, &mut chars));
    }
    Glob::new(&tokens)
}

/// Ends a component.
fn finish(tokens: &mut Vec<Token>, out: &mut Vec<Component>) -> Option<()> {
    let glob = Glob::new(tokens);
    let deep = tokens.as_slice() == [Token::Run, Token::Run];
    tokens.clear();
    match glob.as_literal() {
        Some("" | ".") => {}
        Some("..") => return None,
        Some(_) | None => out.push(Component { glob, deep }),
    }
    Some(())
}

/// Reads what begins with `c`.
fn token(c: char, chars: &mut Peekable<Chars<'_>>) -> Token {
    match c {
        '\\' => Token::Char(chars.next().unwrap_or('\\')),
        '[' => class(chars),
        '?' | '*' | '+' | '@' | '!' if chars.peek() == Some(&'(') => {
            extended(chars);
            Token::Run
        }
        '*' => Token::Run,
        '?' => Token::One,
        _ => Token::Char(c),
    }
}

/// Reads the class of hexadecimal digits and skips every other; a bracket that is never closed is itself.
fn class(chars: &mut Peekable<Chars<'_>>) -> Token {
    const HEX: &str = "0-9a-f]";
    let mut ahead = chars.clone();
    if ahead.by_ref().take(HEX.len()).eq(HEX.chars()) {
        *chars = ahead;
        return Token::Hex;
    }
    ahead = chars.clone();
    if matches!(ahead.peek(), Some('!' | '^')) {
        ahead.next();
    }
    if ahead.peek() == Some(&']') {
        ahead.next();
    }
    while let Some(c) = ahead.next() {
        match c {
            '\\' => {
                ahead.next();
            }
            '/' => return Token::Char('['),
            // `[[:alpha:]]` holds a bracket of its own.
            '[' if matches!(ahead.peek(), Some(':' | '.' | '=')) => {
                for inner in ahead.by_ref() {
                    if inner == ']' {
                        break;
                    }
                }
            }
            ']' => {
                *chars = ahead;
                return Token::One;
            }
            _ => {}
        }
    }
    Token::Char('[')
}

/// Skips an extended pattern to its closing parenthesis, or to the end.
fn extended(chars: &mut Peekable<Chars<'_>>) {
    let mut depth = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            _ => {}
        }
    }
}
