//! Why something could not be recorded or read; each of these refuses the call that was to be recorded.

use super::broken::{Break, Flaw};
use super::line::LINE_BYTES;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A failure of the journal. Nothing was recorded.
#[derive(Debug)]
pub enum JournalError {
    /// The operating system refused one of the journal's own steps.
    Io {
        /// What was being done.
        step: Step,
        /// To what.
        path: PathBuf,
        /// Why it was refused.
        source: io::Error,
    },
    /// There is something else than a regular file.
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// Another process kept the journal locked for the whole wait.
    Locked {
        /// The journal.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
    },
    /// The file was moved or deleted between opening and locking it.
    Moved {
        /// The journal.
        path: PathBuf,
    },
    /// Only a part could be written; it was taken back.
    Short {
        /// The journal.
        path: PathBuf,
        /// The bytes that were written.
        wrote: u64,
        /// The bytes that were to be written.
        due: u64,
    },
    /// An event whose line would be longer than any that is read.
    TooLong {
        /// The event's name.
        event: &'static str,
    },
    /// An event that could not be put into JSON.
    Encode {
        /// The event's name.
        event: &'static str,
        /// Why not.
        source: serde_json::Error,
    },
    /// The journal does not hold together.
    Broken(Break),
}

/// The steps that the operating system can refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Making the directory.
    MakeDirectory,
    /// Opening a file.
    Open,
    /// Locking it.
    Lock,
    /// Reading it.
    Read,
    /// Writing to it.
    Write,
    /// Cutting off what a dead process left.
    Truncate,
    /// Having it reach the disk.
    Sync,
}

impl JournalError {
    /// Attaches step and path to an error of the operating system.
    pub(super) fn io(step: Step, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            step,
            path: path.to_owned(),
            source,
        }
    }

    /// A flaw at a place.
    pub(super) fn broken(path: &Path, line: Option<u64>, flaw: Flaw) -> Self {
        Self::Broken(Break {
            path: path.to_owned(),
            line,
            flaw,
        })
    }

    /// What a person can do about it, in one sentence; nothing where the message says it all.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Io { step, .. } => Some(match step {
                Step::MakeDirectory | Step::Open | Step::Lock | Step::Read => {
                    "the state directory must belong to you and be readable and writable"
                }
                Step::Write | Step::Truncate | Step::Sync => {
                    "free space on the disk, then try again"
                }
            }),
            Self::NotAFile { .. } => Some("move it away, the journal needs a regular file there"),
            Self::Locked { .. } => Some("find the process that holds it with `fuser` and end it"),
            Self::Moved { .. } => Some("try again"),
            Self::Short { .. } => Some("free space on the disk, or raise the limit on file sizes"),
            Self::TooLong { .. } | Self::Encode { .. } => None,
            Self::Broken(_) => Some(
                "keep journal and head record for whoever looks into it, and move both away to begin anew",
            ),
        }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { step, path, source } => {
                write!(f, "cannot {step} `{}`: {source}", path.display())
            }
            Self::NotAFile { path } => write!(f, "`{}` is not a regular file", path.display()),
            Self::Locked { path, waited } => write!(
                f,
                "`{}` was kept locked by another process for {} ms",
                path.display(),
                waited.as_millis()
            ),
            Self::Moved { path } => {
                write!(
                    f,
                    "`{}` was moved while it was being opened",
                    path.display()
                )
            }
            Self::Short { path, wrote, due } => write!(
                f,
                "only {wrote} of {due} bytes could be written to `{}`, and were taken back",
                path.display()
            ),
            Self::TooLong { event } => {
                write!(f, "event `{event}` is longer than {LINE_BYTES} bytes")
            }
            Self::Encode { event, source } => {
                write!(f, "event `{event}` cannot be written: {source}")
            }
            Self::Broken(broken) => write!(f, "the journal does not hold together: {broken}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MakeDirectory => "make the directory",
            Self::Open => "open",
            Self::Lock => "lock",
            Self::Read => "read",
            Self::Write => "write to",
            Self::Truncate => "shorten",
            Self::Sync => "write to the disk",
        })
    }
}

impl Error for JournalError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Encode { source, .. } => Some(source),
            Self::Broken(broken) => Some(broken),
            Self::NotAFile { .. }
            | Self::Locked { .. }
            | Self::Moved { .. }
            | Self::Short { .. }
            | Self::TooLong { .. } => None,
        }
    }
}
