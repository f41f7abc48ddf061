//! Patterns of all kinds under one roof: reading, matching, containment and printing; which rule decides is `judge`'s.

pub mod argument;
mod bash;
pub mod command;
pub mod glob;
pub mod host;
pub mod matching;
pub mod name;
pub mod path;
mod sequence;
pub mod words;

use self::command::CommandPattern;
use self::host::HostPattern;
use self::matching::{Match, Sense};
use self::name::NamePattern;
use self::path::{PathPattern, Touch};
use self::words::PatternError;
use crate::request::{Kind, Request, Target};
use crate::session::Session;
use std::borrow::Cow;
use std::fmt;

/// The pattern of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// For `shell`.
    Command(CommandPattern),
    /// For `read`, `edit`, `delete` and `external_directory`.
    Path(PathPattern),
    /// For `net`.
    Host(HostPattern),
    /// For the other kinds.
    Name(NamePattern),
}

impl Pattern {
    /// Reads the pattern of a rule for this kind.
    pub fn parse(kind: Kind, text: &str) -> Result<Self, PatternError> {
        match kind {
            Kind::Shell => CommandPattern::parse(text).map(Self::Command),
            Kind::Read | Kind::Edit | Kind::Delete | Kind::ExternalDirectory => {
                PathPattern::parse(text).map(Self::Path)
            }
            Kind::Net => HostPattern::parse(text).map(Self::Host),
            Kind::Mcp => NamePattern::parse_qualified(text).map(Self::Name),
            Kind::Terminal | Kind::WebSearch | Kind::Memory | Kind::Task | Kind::Tool => {
                NamePattern::parse(text).map(Self::Name)
            }
        }
    }

    /// Whether it matches what a request of its kind asks for.
    pub fn matches(&self, request: &Request, session: &Session, sense: Sense) -> Match {
        match (self, &request.target) {
            (Self::Command(pattern), Target::Command(command)) => pattern.matches(command, sense),
            (Self::Path(pattern), Target::Path(target)) => {
                pattern.matches(target, Touch::of(request.kind), session, sense)
            }
            (Self::Host(pattern), Target::Host(host)) => Match::sure(pattern.matches(host, sense)),
            (Self::Name(pattern), Target::Name(name)) => Match::sure(pattern.matches(name)),
            // What cannot be told, or is told in a form that the pattern does not know.
            (
                Self::Command(_) | Self::Path(_) | Self::Host(_) | Self::Name(_),
                Target::Command(_)
                | Target::Path(_)
                | Target::Host(_)
                | Target::Name(_)
                | Target::Opaque(_),
            ) => match sense {
                Sense::Grant => Match::No,
                Sense::Forbid | Sense::Caution if self.is_universal() => Match::Yes,
                Sense::Forbid | Sense::Caution => Match::Perhaps,
            },
        }
    }

    /// Whether it matches everything of its kind.
    pub fn is_universal(&self) -> bool {
        match self {
            Self::Command(pattern) => pattern.is_universal(),
            Self::Path(pattern) => pattern.is_universal(),
            Self::Host(pattern) => pattern.is_universal(),
            Self::Name(pattern) => pattern.is_universal(),
        }
    }

    /// A text that every matched target has, by which rules are found: program, path component, host or domain, name.
    pub fn key(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Command(pattern) => pattern.program_name().map(Cow::Borrowed),
            Self::Path(pattern) => pattern.key().map(Cow::Borrowed),
            Self::Host(pattern) => pattern.key(),
            Self::Name(pattern) => pattern.key(),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(pattern) => pattern.fmt(f),
            Self::Path(pattern) => pattern.fmt(f),
            Self::Host(pattern) => pattern.fmt(f),
            Self::Name(pattern) => pattern.fmt(f),
        }
    }
}

/// Whether everything that `narrow` matches is certainly matched by `wide`, both read as allows are.
pub fn contained(narrow: &Pattern, wide: &Pattern) -> bool {
    within(narrow, wide, Sense::Grant)
}

/// Whether everything that `narrow` matches as an allow is certainly matched by `wide` as an ask or deny, which is read
/// more widely than an allow.
pub fn covered(narrow: &Pattern, wide: &Pattern) -> bool {
    within(narrow, wide, Sense::Forbid)
}

/// Whether everything that `narrow` matches as an ask or deny is certainly matched by `wide` as one. Options match in
/// any order then, and paths by what lies around them, so that less is provable.
pub fn contained_strictly(narrow: &Pattern, wide: &Pattern) -> bool {
    match (narrow, wide) {
        _ if narrow == wide => true,
        (Pattern::Command(narrow), Pattern::Command(wide)) => narrow.begins_with(wide),
        (Pattern::Path(narrow), Pattern::Path(wide)) => narrow.lies_in(wide),
        (
            Pattern::Command(_) | Pattern::Path(_) | Pattern::Host(_) | Pattern::Name(_),
            Pattern::Command(_) | Pattern::Path(_) | Pattern::Host(_) | Pattern::Name(_),
        ) => covered(narrow, wide),
    }
}

/// Containment in a `wide` read in this sense; patterns of different kinds have nothing in common.
fn within(narrow: &Pattern, wide: &Pattern, sense: Sense) -> bool {
    match (narrow, wide) {
        (Pattern::Command(narrow), Pattern::Command(wide)) => match sense {
            Sense::Grant => narrow.is_within(wide),
            Sense::Forbid | Sense::Caution => narrow.is_within_meaning(wide),
        },
        (Pattern::Path(narrow), Pattern::Path(wide)) => match sense {
            Sense::Grant => narrow.is_within(wide),
            Sense::Forbid | Sense::Caution => narrow.is_within_meaning(wide),
        },
        (Pattern::Host(narrow), Pattern::Host(wide)) => narrow.is_within(wide, sense),
        (Pattern::Name(narrow), Pattern::Name(wide)) => narrow.is_within(wide),
        (
            Pattern::Command(_) | Pattern::Path(_) | Pattern::Host(_) | Pattern::Name(_),
            Pattern::Command(_) | Pattern::Path(_) | Pattern::Host(_) | Pattern::Name(_),
        ) => false,
    }
}
