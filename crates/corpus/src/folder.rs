//! The folders of the corpus and what each demands of its cases beyond what the case says itself; and what is asked of
//! cases that lie in none of them.

use countersign_policy::action::Action;
use countersign_policy::mode::Mode;

/// A folder of case files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Folder {
    /// What the reader of shell text sees.
    Shell,
    /// What a call would do.
    Effects,
    /// What each described program can do.
    Programs,
    /// Rules, layers, modes and verdicts.
    Verdicts,
    /// What must never be allowed without a person.
    Attacks,
    /// What must be allowed without any rules.
    Benign,
    /// No folder of the corpus: somebody's tests of their own rules. Headings without blocks are prose.
    Own,
}

impl Folder {
    /// The folders of the corpus.
    pub const ALL: [Self; 6] = [
        Self::Shell,
        Self::Effects,
        Self::Programs,
        Self::Verdicts,
        Self::Attacks,
        Self::Benign,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Effects => "effects",
            Self::Programs => "programs",
            Self::Verdicts => "verdicts",
            Self::Attacks => "attacks",
            Self::Benign => "benign",
            Self::Own => "own",
        }
    }

    /// The modes in which a case holds that names none; nothing where its rules name the mode.
    pub const fn modes(self) -> &'static [Mode] {
        match self {
            Self::Shell | Self::Effects | Self::Programs | Self::Verdicts => &[Mode::Default],
            Self::Attacks => &[Mode::Default, Mode::AcceptEdits],
            Self::Benign => &[Mode::AcceptEdits],
            Self::Own => &[],
        }
    }

    /// Whether a case of this folder may expect that action.
    pub const fn permits(self, action: Action) -> bool {
        match (self, action) {
            (Self::Shell | Self::Effects | Self::Programs | Self::Verdicts | Self::Own, _)
            | (Self::Attacks, Action::Ask | Action::Deny)
            | (Self::Benign, Action::Allow) => true,
            (Self::Attacks, Action::Allow) | (Self::Benign, Action::Ask | Action::Deny) => false,
        }
    }
}
