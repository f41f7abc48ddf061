//! Git's configuration format: text into settings, exactly as git reads it; files and includes are not its business.

use std::iter::Peekable;
use std::str::Chars;

/// One setting, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// The section in small letters.
    pub(super) section: String,
    /// The subsection as written.
    pub(super) subsection: Option<String>,
    /// The key in small letters.
    pub(super) key: String,
    /// The value with quotes undone; nothing where there is no `=`.
    pub(super) value: Option<String>,
}

/// Reads a whole file; a line that git would refuse is an error, as git then does nothing at all.
pub(super) fn parse(text: &str) -> Result<Vec<Setting>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader {
        chars: text.chars().peekable(),
        line: 1,
    };
    let read = reader.settings();
    read.map_err(|()| format!("line {} is not git configuration", reader.line))
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn settings(&mut self) -> Result<Vec<Setting>, ()> {
        let mut settings = Vec::new();
        let (mut section, mut subsection) = (String::new(), None);
        while self.chars.peek().is_some() {
            match self.next() {
                '#' | ';' => while self.next() != '\n' {},
                '[' => (section, subsection) = self.section()?,
                c if is_space(c) => {}
                c if c.is_ascii_alphabetic() => {
                    let (key, value) = self.setting(c)?;
                    settings.push(Setting {
                        section: section.clone(),
                        subsection: subsection.clone(),
                        key,
                        value,
                    });
                }
                _ => return Err(()),
            }
        }
        Ok(settings)
    }

    /// The next character; the end of the text reads as a newline.
    fn next(&mut self) -> char {
        let c = match self.chars.next() {
            Some('\r') if self.chars.next_if_eq(&'\n').is_some() => '\n',
            other => other.unwrap_or('\n'),
        };
        if c == '\n' {
            self.line += 1;
        }
        c
    }

    /// A section's header after its `[`.
    fn section(&mut self) -> Result<(String, Option<String>), ()> {
        let mut name = String::new();
        loop {
            match self.next() {
                ']' => {
                    // The old form `[section.subsection]` knows no capitals.
                    return Ok(match name.split_once('.') {
                        Some((section, rest)) => (section.to_owned(), Some(rest.to_owned())),
                        None => (name, None),
                    });
                }
                '\n' => return Err(()),
                c if is_space(c) => return Ok((name, Some(self.subsection()?))),
                c if is_key(c) || c == '.' => name.push(c.to_ascii_lowercase()),
                _ => return Err(()),
            }
        }
    }

    /// A quoted subsection after the space in front of it, with the `]` behind it.
    fn subsection(&mut self) -> Result<String, ()> {
        let mut opening = ' ';
        while opening != '\n' && is_space(opening) {
            opening = self.next();
        }
        if opening != '"' {
            return Err(());
        }
        let mut name = String::new();
        loop {
            match self.next() {
                '\n' => return Err(()),
                '"' => break,
                '\\' => match self.next() {
                    '\n' => return Err(()),
                    c => name.push(c),
                },
                c => name.push(c),
            }
        }
        if self.next() == ']' {
            Ok(name)
        } else {
            Err(())
        }
    }

    /// A key from its first letter on, with its value.
    fn setting(&mut self, first: char) -> Result<(String, Option<String>), ()> {
        let mut key = String::from(first.to_ascii_lowercase());
        let mut c = self.next();
        while is_key(c) {
            key.push(c.to_ascii_lowercase());
            c = self.next();
        }
        while c == ' ' || c == '\t' {
            c = self.next();
        }
        match c {
            '\n' => Ok((key, None)),
            '=' => Ok((key, Some(self.value()?))),
            _ => Err(()),
        }
    }

    /// A value after its `=`, up to the end of the line.
    fn value(&mut self) -> Result<String, ()> {
        let mut value = String::new();
        let mut quoted = false;
        // Where the value ends if nothing but space follows.
        let mut ends = None;
        loop {
            match self.next() {
                '\n' if quoted => return Err(()),
                '\n' => break,
                c if is_space(c) && !quoted => {
                    if !value.is_empty() {
                        ends.get_or_insert(value.len());
                        value.push(c);
                    }
                    continue;
                }
                '#' | ';' if !quoted => {
                    while self.next() != '\n' {}
                    break;
                }
                '"' => quoted = !quoted,
                '\\' => match self.next() {
                    '\n' => {}
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    'n' => value.push('\n'),
                    c @ ('\\' | '"') => value.push(c),
                    _ => return Err(()),
                },
                c => value.push(c),
            }
            ends = None;
        }
        value.truncate(ends.unwrap_or(value.len()));
        Ok(value)
    }
}

/// What git takes for space.
const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

const fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}
