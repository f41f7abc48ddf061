//! Patterns over hosts (kind `net`): a name or address with wildcards, and a port where one is meant.

use super::glob::{Barrier, Glob, Token};
use super::matching::Sense;
use super::words::PatternError;
use std::borrow::Cow;
use std::fmt;

/// A pattern over hosts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostPattern {
    /// The host in lower case.
    host: Glob,
    /// The port, where the pattern names one.
    port: Option<Glob>,
}

impl HostPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        if let Some((_, rest)) = text.split_once("://") {
            let host = rest.split('/').next().unwrap_or(rest);
            return Err(PatternError::new(
                format!("`{text}` is a url, not a host"),
                format!("write `{host}`"),
            ));
        }
        if text.contains('/') {
            return Err(PatternError::new(
                format!("`{text}` can never match: a host has no `/`"),
                "write the host alone; rules do not reach into paths of a site",
            ));
        }
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err(PatternError::new(
                format!("`{text}` is not a host"),
                "write a host like `example.org` or `*.example.org`",
            ));
        }
        let (host, port) = split(text);
        Ok(Self {
            host: super::name::glob(&host.to_lowercase())?,
            port: port.map(super::name::glob).transpose()?,
        })
    }

    /// The pattern for exactly this host.
    pub fn literal(host: &str) -> Self {
        let (host, port) = split(host);
        Self {
            host: Glob::Literal(host.to_lowercase()),
            port: port.map(Glob::literal),
        }
    }

    /// Whether it matches a host. Without a port an allow holds for the scheme's own port only, an ask or deny for all.
    pub fn matches(&self, target: &str, sense: Sense) -> bool {
        let (host, port) = split(target);
        let host = self.host.matches(host.trim_end_matches('.'), Barrier::None);
        let port = match (&self.port, port) {
            (None, None) => true,
            (None, Some(_)) => match sense {
                Sense::Grant => self.host == Glob::Any,
                Sense::Forbid | Sense::Caution => true,
            },
            (Some(glob), Some(port)) => glob.matches(port, Barrier::None),
            (Some(glob), None) => *glob == Glob::Any,
        };
        host && port
    }

    /// Whether everything that it matches is matched by `wide` in that sense; false where not provable.
    pub fn is_within(&self, wide: &Self, sense: Sense) -> bool {
        let port = match (&self.port, &wide.port) {
            (_, None) => match sense {
                Sense::Grant => self.port == wide.port && self.host != Glob::Any,
                Sense::Forbid | Sense::Caution => true,
            },
            (None, Some(wide)) => *wide == Glob::Any,
            (Some(narrow), Some(wide)) => narrow.is_within(wide, Barrier::None),
        };
        (port || wide.is_universal()) && self.host.is_within(&wide.host, Barrier::None)
    }

    /// Whether it matches every host.
    pub fn is_universal(&self) -> bool {
        self.host == Glob::Any && self.port.as_ref().is_none_or(|port| *port == Glob::Any)
    }

    /// The host where it is named by text, else the domain that every match lies in; one of the host's own domains.
    pub fn key(&self) -> Option<Cow<'_, str>> {
        if let Some(host) = self.host.as_literal() {
            return Some(Cow::Borrowed(host));
        }
        let tokens = self.host.tokens();
        let tail = tokens.iter().rev().map_while(|token| match token {
            Token::Char(c) => Some(*c),
            Token::Hex | Token::One | Token::Run => None,
        });
        let tail: Vec<char> = tail.collect();
        // What stands in front of the first dot may be the rest of a longer name.
        let domain = tail.iter().rev().skip_while(|c| **c != '.').skip(1);
        let domain: String = domain.collect();
        (!domain.is_empty()).then_some(Cow::Owned(domain))
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.host.write(&mut out, |_| false);
        if let Some(port) = &self.port {
            out.push(':');
            port.write(&mut out, |_| false);
        }
        f.write_str(&out)
    }
}

/// Parts a port from a host; the colons of a bare IPv6 address are its own.
pub(super) fn split(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once(':') {
        Some((host, port)) if host.ends_with(']') || !host.contains(':') => (host, Some(port)),
        Some(_) | None => (text, None),
    }
}

/// The host without its port.
pub fn bare(text: &str) -> &str {
    split(text).0.trim_end_matches('.')
}
