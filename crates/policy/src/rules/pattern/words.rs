//! The words of a shell pattern: quoting in pattern text, undone and put back; not bash's quoting.

use super::glob::{Glob, Token};

/// What is wrong with a pattern, for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl PatternError {
    /// An error with a hint.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: Some(hint.into()),
        }
    }
}

/// Splits pattern text at blanks into globs. A backslash makes the next character literal, quotes everything inside;
/// in double quotes a backslash still escapes `"` and `\`.
pub fn read(text: &str) -> Result<Vec<Glob>, PatternError> {
    if !text.contains(['\\', '\'', '"']) {
        let words = text.split(is_blank).filter(|word| !word.is_empty());
        return Ok(words.map(Glob::of_text).collect());
    }
    let mut words = Vec::new();
    let mut word: Option<Vec<Token>> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_blank(c) {
            words.extend(word.take().map(|tokens| Glob::new(&tokens)));
            continue;
        }
        let tokens = word.get_or_insert_with(Vec::new);
        match c {
            '*' => tokens.push(Token::Run),
            '?' => tokens.push(Token::One),
            '\\' => tokens.push(Token::Char(chars.next().ok_or_else(open_escape)?)),
            '\'' | '"' => loop {
                match chars.next().ok_or_else(|| open_quote(c))? {
                    end if end == c => break,
                    '\\' if c == '"' && matches!(chars.peek(), Some('"' | '\\')) => {
                        tokens.extend(chars.next().map(Token::Char));
                    }
                    other => tokens.push(Token::Char(other)),
                }
            },
            other => tokens.push(Token::Char(other)),
        }
    }
    words.extend(word.map(|tokens| Glob::new(&tokens)));
    Ok(words)
}

/// Writes a word so that it reads back as the same glob.
pub fn write(glob: &Glob, out: &mut String) {
    if glob.as_literal() == Some("") {
        out.push_str("''");
        return;
    }
    glob.write(out, |c| is_blank(c) || matches!(c, '\'' | '"'));
}

/// What parts words. Other Unicode blanks are characters of a word, as in a shell.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn open_escape() -> PatternError {
    PatternError::new(
        "the pattern ends in a backslash",
        "write `\\\\` for a backslash",
    )
}

fn open_quote(quote: char) -> PatternError {
    PatternError::new(
        format!("the quote `{quote}` is not closed"),
        format!("close it, or write `\\{quote}` for the character"),
    )
}
