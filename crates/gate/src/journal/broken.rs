//! What is wrong with a journal that does not hold together; it says where and what, never by whom.

use std::fmt;
use std::path::PathBuf;

/// The place at which a journal does not hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The file.
    pub path: PathBuf,
    /// The line at which it shows, counted from 1; nothing where it is the head record.
    pub line: Option<u64>,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What can be wrong (a closed list).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The line is not one that we write.
    Form(String),
    /// The line or the head record has a version that this program does not know.
    Version(u64),
    /// The event is not on the list of its version.
    UnknownEvent(String),
    /// The line is longer than any that we write.
    TooLong,
    /// The last line has no newline.
    Torn,
    /// Another number was due: lines were removed, doubled, swapped or put in.
    Number {
        /// The number that was due.
        due: u64,
        /// The number that stands there.
        found: u64,
    },
    /// The line does not continue the one before: one of the two was changed.
    Chain,
    /// There is no head record beside the journal.
    HeadMissing,
    /// The head record is not one that we write: it was changed or cut.
    HeadForm,
    /// There is a head record but no journal.
    JournalMissing,
    /// The journal ends before the place that the head record names.
    Cut {
        /// The length in bytes that is recorded.
        recorded: u64,
        /// The length that was found.
        found: u64,
    },
    /// The journal goes on after the place that the head record names.
    Grown {
        /// The length in bytes that is recorded.
        recorded: u64,
        /// The length that was found.
        found: u64,
    },
    /// The journal has the recorded length, but its last line is not the recorded one.
    Last,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(why) => write!(f, "not a line of a journal: {why}"),
            Self::Version(version) => {
                write!(
                    f,
                    "version {version} is not known to this program, a newer one reads it"
                )
            }
            Self::UnknownEvent(event) => write!(f, "event `{}` is not known", event.escape_debug()),
            Self::TooLong => f.write_str("longer than any line that is written"),
            Self::Torn => f.write_str("the last line is not whole"),
            Self::Number { due, found } => write!(
                f,
                "number {found} stands where {due} is due, lines were removed, doubled, moved or put in"
            ),
            Self::Chain => {
                f.write_str("it does not continue the line before, one of the two was changed")
            }
            Self::HeadMissing => f.write_str("the head record beside the journal is missing"),
            Self::HeadForm => f.write_str("the head record was changed or cut"),
            Self::JournalMissing => f.write_str("there is a head record but no journal"),
            Self::Cut { recorded, found } => {
                write!(
                    f,
                    "the journal was cut, {found} of {recorded} recorded bytes are there"
                )
            }
            Self::Grown { recorded, found } => write!(
                f,
                "the journal was continued by something else, {found} bytes are there and {recorded} are recorded"
            ),
            Self::Last => f.write_str("the last line is not the recorded one"),
        }
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.flaw)
    }
}

impl std::error::Error for Break {}
