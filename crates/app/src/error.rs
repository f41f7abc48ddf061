//! What a command fails with: a kind, which decides the exit code, a message, and hints on lines of their own.

use crate::exit::Exit;
use countersign_gate::journal::error::JournalError;
use countersign_hooks::install::InstallError;
use std::io;

/// A failure of a command.
#[derive(Debug)]
pub(crate) struct CommandError {
    /// What kind of failure.
    pub(crate) kind: ErrorKind,
    /// What failed: lower case, no full stop.
    pub(crate) error: String,
    /// What can be done about it, one line each.
    pub(crate) hints: Vec<String>,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// What was asked for cannot be done: there is no such thing.
    User,
    /// The configuration is broken.
    Config,
    /// The command line, or the call on standard input, is wrong.
    Cli,
    /// Whoever read the output has stopped reading.
    BrokenPipe,
    /// The operating system refused something.
    Internal,
}

impl CommandError {
    /// A failure without hints.
    pub(crate) fn new(kind: ErrorKind, error: impl Into<String>) -> Self {
        Self {
            kind,
            error: error.into(),
            hints: Vec::new(),
        }
    }

    /// The same with one hint more.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// A failure to write output.
    pub(crate) fn output(error: &io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe {
            ErrorKind::BrokenPipe
        } else {
            ErrorKind::Internal
        };
        Self::new(kind, format!("cannot write the output: {error}"))
    }

    /// Whether the reader of the output went away.
    pub(crate) const fn is_broken_pipe(&self) -> bool {
        match self.kind {
            ErrorKind::BrokenPipe => true,
            ErrorKind::User | ErrorKind::Config | ErrorKind::Cli | ErrorKind::Internal => false,
        }
    }

    /// How the program ends because of it.
    pub(crate) const fn exit(&self) -> Exit {
        match self.kind {
            ErrorKind::Config | ErrorKind::Cli => Exit::Usage,
            ErrorKind::User | ErrorKind::Internal => Exit::Failed,
            // The reader had enough; that is no failure.
            ErrorKind::BrokenPipe => Exit::Done,
        }
    }
}

impl From<JournalError> for CommandError {
    fn from(error: JournalError) -> Self {
        let hint = error.hint();
        let out = Self::new(ErrorKind::Internal, error.to_string());
        match hint {
            Some(hint) => out.hint(hint),
            None => out,
        }
    }
}

impl From<InstallError> for CommandError {
    fn from(error: InstallError) -> Self {
        let kind = match error {
            InstallError::Program { .. } => ErrorKind::Cli,
            InstallError::Settings { .. } => ErrorKind::Config,
            InstallError::NoHome | InstallError::Strange { .. } | InstallError::Changed { .. } => {
                ErrorKind::User
            }
            InstallError::Io { .. } => ErrorKind::Internal,
        };
        Self::new(kind, error.to_string()).hint(error.hint())
    }
}
