//! The part of Starlark in which rule files are written: calls with named arguments that are strings and lists of
//! them. Anything else is an error, as it might forbid something.

use crate::import::imported::Unreadable;
use std::iter::Peekable;
use std::str::Chars;

/// Deeper lists than this are not read.
const MOST_DEPTH: usize = 8;

/// A call at the top of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// What is called.
    pub(super) name: String,
    /// Where it begins.
    pub(super) line: usize,
    arguments: Vec<(String, Value)>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A string.
    Text(String),
    /// A list, or a tuple.
    List(Vec<Value>),
    /// `None`, `True` and the like.
    Name(String),
}

impl Value {
    /// The text of a string.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Name(_) => None,
        }
    }
}

impl Call {
    /// The argument of that name.
    pub(super) fn argument(&self, name: &str) -> Option<&Value> {
        let mut named = self.arguments.iter().filter(|(own, _)| own == name);
        named.next().map(|(_, value)| value)
    }

    /// The text of the argument of that name.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.argument(name)?.text()
    }
}

/// The calls of a file.
pub(super) fn calls(text: &str) -> Result<Vec<Call>, Unreadable> {
    let mut reader = Reader {
        chars: text.chars().peekable(),
        line: 1,
    };
    let mut out = Vec::new();
    loop {
        reader.blanks();
        if reader.chars.next_if_eq(&';').is_some() {
            continue;
        }
        if reader.chars.peek().is_none() {
            return Ok(out);
        }
        out.push(reader.call()?);
    }
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
    line: usize,
}

impl Reader<'_> {
    fn call(&mut self) -> Result<Call, Unreadable> {
        let line = self.line;
        let name = self.name();
        if name.is_empty() {
            return Err(self.error("something else than a call"));
        }
        self.expect('(')?;
        let mut arguments = Vec::new();
        loop {
            self.blanks();
            if self.chars.next_if_eq(&')').is_some() {
                break;
            }
            let key = self.name();
            self.expect('=')?;
            arguments.push((key, self.value(0)?));
            self.blanks();
            if self.chars.next_if_eq(&',').is_none() && self.chars.peek() != Some(&')') {
                return Err(self.error("an argument that does not end"));
            }
        }
        Ok(Call {
            name,
            line,
            arguments,
        })
    }

    fn value(&mut self, depth: usize) -> Result<Value, Unreadable> {
        self.blanks();
        match self.chars.peek() {
            Some('"' | '\'') => self.string().map(Value::Text),
            Some('[' | '(') if depth < MOST_DEPTH => {
                self.chars.next();
                let mut out = Vec::new();
                loop {
                    self.blanks();
                    if self.chars.next_if(|c| matches!(c, ']' | ')')).is_some() {
                        return Ok(Value::List(out));
                    }
                    out.push(self.value(depth + 1)?);
                    self.blanks();
                    if self.chars.next_if_eq(&',').is_none()
                        && !matches!(self.chars.peek(), Some(']' | ')'))
                    {
                        return Err(self.error("a list that does not end"));
                    }
                }
            }
            Some(c) if c.is_ascii_alphanumeric() => Ok(Value::Name(self.name())),
            Some(_) | None => Err(self.error("something else than a string or a list")),
        }
    }

    fn string(&mut self) -> Result<String, Unreadable> {
        let Some(quote) = self.chars.next() else {
            return Err(self.error("a string that is missing"));
        };
        let mut out = String::new();
        loop {
            match self.chars.next() {
                Some(c) if c == quote => {
                    // Two strings side by side, or one in three quotes, are read by nobody here.
                    self.blanks();
                    if matches!(self.chars.peek(), Some('"' | '\'' | '+' | '%' | '.')) {
                        return Err(self.error("a string that is put together"));
                    }
                    return Ok(out);
                }
                Some('\\') => match self.chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(c @ ('\\' | '"' | '\'')) => out.push(c),
                    Some(_) | None => return Err(self.error("an escape that is not known")),
                },
                Some('\n') | None => return Err(self.error("a string that is not closed")),
                Some(c) => out.push(c),
            }
        }
    }

    fn name(&mut self) -> String {
        let mut out = String::new();
        while let Some(c) = self
            .chars
            .next_if(|c| *c == '_' || c.is_ascii_alphanumeric())
        {
            out.push(c);
        }
        out
    }

    /// Passes blanks and comments.
    fn blanks(&mut self) {
        loop {
            match self.chars.next_if(|c| c.is_whitespace() || *c == '#') {
                Some('\n') => self.line += 1,
                Some('#') => while self.chars.next_if(|c| *c != '\n').is_some() {},
                Some(_) => {}
                None => return,
            }
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), Unreadable> {
        self.blanks();
        match self.chars.next_if_eq(&wanted) {
            Some(_) => Ok(()),
            None => Err(self.error(&format!("`{wanted}` is missing"))),
        }
    }

    fn error(&self, why: &str) -> Unreadable {
        Unreadable {
            line: self.line,
            why: why.to_owned(),
        }
    }
}
