//! The promises of an installed hook and what was found about each; the looking is done elsewhere.

/// What an installed hook promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promise {
    /// The host's settings name our hook for every tool, and refuse where it fails.
    Entry,
    /// The settings do not switch hooks off.
    SwitchedOn,
    /// The program that they name is there, runs, and nobody else can change it.
    Program,
    /// The host's version knows `onFailure`.
    Version,
    /// A call that must never run is refused, by JSON and by exit code.
    Refuses,
    /// A harmless call is allowed.
    Allows,
    /// The rule files can be read whole.
    Rules,
    /// The journal takes records and holds together.
    Journal,
}

impl Promise {
    /// All promises, in the order in which they are looked into.
    pub const ALL: [Self; 8] = [
        Self::Entry,
        Self::SwitchedOn,
        Self::Program,
        Self::Version,
        Self::Refuses,
        Self::Allows,
        Self::Rules,
        Self::Journal,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::SwitchedOn => "switched-on",
            Self::Program => "program",
            Self::Version => "version",
            Self::Refuses => "refuses",
            Self::Allows => "allows",
            Self::Rules => "rules",
            Self::Journal => "journal",
        }
    }

    /// What is promised, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Entry => "the host asks countersign about every call, and refuses where it fails",
            Self::SwitchedOn => "hooks are not switched off",
            Self::Program => "the hook's program is there, and only you can change it",
            Self::Version => "the host's version refuses calls whose hook fails",
            Self::Refuses => "a call that must never run is refused",
            Self::Allows => "a harmless call is allowed",
            Self::Rules => "the rule files can be read whole",
            Self::Journal => "decisions are recorded, and the record holds together",
        }
    }
}

/// Whether a promise holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It holds.
    Holds,
    /// It does not.
    Broken,
    /// That cannot be told.
    Unknown,
}

/// What was found about one promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The promise.
    pub promise: Promise,
    /// Whether it holds.
    pub standing: Standing,
    /// What was seen.
    pub words: String,
    /// What to do, where it does not hold or cannot be told.
    pub remedy: Option<&'static str>,
}

impl Finding {
    pub(super) fn holds(promise: Promise, words: impl Into<String>) -> Self {
        Self {
            promise,
            standing: Standing::Holds,
            words: words.into(),
            remedy: None,
        }
    }

    pub(super) fn broken(promise: Promise, words: impl Into<String>, remedy: &'static str) -> Self {
        Self {
            promise,
            standing: Standing::Broken,
            words: words.into(),
            remedy: Some(remedy),
        }
    }

    pub(super) fn unknown(
        promise: Promise,
        words: impl Into<String>,
        remedy: &'static str,
    ) -> Self {
        Self {
            promise,
            standing: Standing::Unknown,
            words: words.into(),
            remedy: Some(remedy),
        }
    }
}
