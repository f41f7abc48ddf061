//! The numbers with which the program ends; it owns them, and nothing else names one.

use countersign_policy::action::Action;
use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked for was done; a call is allowed.
    Done,
    /// Something failed: a journal or an installation does not hold, or nothing was found.
    Failed,
    /// The command line is wrong, or the configuration is broken.
    Usage,
    /// A person decides: about a call, or about what could not be told.
    Ask,
    /// The call is denied.
    Deny,
}

impl Exit {
    /// The number.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Ask => 10,
            Self::Deny => 20,
        }
    }
}

impl From<Action> for Exit {
    fn from(action: Action) -> Self {
        match action {
            Action::Allow => Self::Done,
            Action::Ask => Self::Ask,
            Action::Deny => Self::Deny,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}
