//! Patterns over plain names: tools, servers' tools (`server/tool`), the kinds of agents.

use super::glob::{Barrier, Glob, Token};
use super::words::PatternError;
use std::borrow::Cow;
use std::fmt;

/// A pattern over names. A name with a slash is matched part by part, so that a wildcard does not leave its server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamePattern {
    /// The server, where the pattern names one.
    server: Option<Glob>,
    /// The name.
    name: Glob,
}

impl NamePattern {
    /// Reads a pattern over names without parts.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        if text.is_empty() {
            return Err(PatternError::new(
                "the pattern is empty",
                "write a name, or `*` for all",
            ));
        }
        Ok(Self {
            server: None,
            name: glob(text)?,
        })
    }

    /// Reads a pattern over `server/tool`.
    pub fn parse_qualified(text: &str) -> Result<Self, PatternError> {
        match text.split_once('/') {
            None if text == "*" => Ok(Self {
                server: Some(Glob::Any),
                name: Glob::Any,
            }),
            None => Err(PatternError::new(
                format!("`{text}` can never match: a tool is named `server/tool`"),
                format!("write `{text}/*` for every tool of the server"),
            )),
            Some((server, name)) if server.is_empty() || name.is_empty() => Err(PatternError::new(
                format!("`{text}` can never match: server and tool have names"),
                "write `server/tool`, with `*` for any",
            )),
            Some((server, name)) => Ok(Self {
                server: Some(glob(server)?),
                name: glob(name)?,
            }),
        }
    }

    /// The pattern for exactly this name.
    pub fn literal(name: &str) -> Self {
        Self {
            server: None,
            name: Glob::literal(name),
        }
    }

    /// The pattern for exactly this tool of this server.
    pub fn literal_qualified(server: &str, tool: &str) -> Self {
        Self {
            server: Some(Glob::literal(server)),
            name: Glob::literal(tool),
        }
    }

    /// Whether it matches a name.
    pub fn matches(&self, target: &str) -> bool {
        match &self.server {
            None => self.name.matches(target, Barrier::None),
            Some(server) => target.split_once('/').is_some_and(|(own, tool)| {
                server.matches(own, Barrier::None) && self.name.matches(tool, Barrier::None)
            }),
        }
    }

    /// Whether everything that it matches is matched by `wide`; false where not provable.
    pub fn is_within(&self, wide: &Self) -> bool {
        let server = match (&self.server, &wide.server) {
            (None, None) => true,
            (Some(narrow), Some(wide)) => narrow.is_within(wide, Barrier::None),
            (None, Some(_)) | (Some(_), None) => false,
        };
        server && self.name.is_within(&wide.name, Barrier::None)
    }

    /// Whether it matches every name of its kind.
    pub fn is_universal(&self) -> bool {
        self.name == Glob::Any
            && self
                .server
                .as_ref()
                .is_none_or(|server| *server == Glob::Any)
    }

    /// The text by which targets are found: all of the name where it is plain, else its server, else its tool.
    pub fn key(&self) -> Option<Cow<'_, str>> {
        let name = self.name.as_literal();
        match (self.server.as_ref().map(Glob::as_literal), name) {
            (Some(Some(server)), Some(name)) => Some(Cow::Owned(format!("{server}/{name}"))),
            (Some(Some(text)), None) | (Some(None) | None, Some(text)) => Some(Cow::Borrowed(text)),
            (Some(None) | None, None) => None,
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        if let Some(server) = &self.server {
            server.write(&mut out, |_| false);
            out.push('/');
        }
        self.name.write(&mut out, |_| false);
        f.write_str(&out)
    }
}

/// Reads text with `*`, `?` and backslash escapes.
pub(super) fn glob(text: &str) -> Result<Glob, PatternError> {
    if !text.contains('\\') {
        return Ok(Glob::of_text(text));
    }
    let mut tokens = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '*' => Token::Run,
            '?' => Token::One,
            '\\' => Token::Char(chars.next().ok_or_else(|| {
                PatternError::new(
                    "the pattern ends in a backslash",
                    "write `\\\\` for a backslash",
                )
            })?),
            other => Token::Char(other),
        });
    }
    Ok(Glob::new(&tokens))
}
