//! The permission modes: what is answered where no rule decides (row P15); not the turn modes chat, plan and do.

use crate::action::Action;
use crate::request::Category;

/// A permission mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Mode {
    /// Everything asks.
    Strict,
    /// Reads are allowed.
    #[default]
    Default,
    /// Recoverable changes inside the workspace are allowed too.
    AcceptEdits,
    /// Most is allowed; what cannot be told, removes, acts elsewhere or needs privilege asks.
    Open,
}

impl Mode {
    /// All modes, from the strictest.
    pub const ALL: [Self; 4] = [Self::Strict, Self::Default, Self::AcceptEdits, Self::Open];

    /// Its name in rule files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Default => "default",
            Self::AcceptEdits => "accept-edits",
            Self::Open => "open",
        }
    }

    /// The mode of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == text)
    }

    /// What the mode answers for a category (design table, "Where no rule decides"). A mode never denies.
    ///
    /// `builds` in `accept-edits` are allowed only where they run confined, which `confined` says.
    pub const fn answer(self, category: Category, confined: bool) -> Action {
        match (category, self) {
            (Category::Reads, Self::Default | Self::AcceptEdits | Self::Open)
            | (Category::Writes, Self::AcceptEdits | Self::Open)
            | (
                Category::Builds | Category::Fetches | Category::Installs | Category::Unknown,
                Self::Open,
            ) => Action::Allow,
            (Category::Builds, Self::AcceptEdits) if confined => Action::Allow,
            (
                Category::Reads
                | Category::Writes
                | Category::Builds
                | Category::Fetches
                | Category::Installs
                | Category::Unknown
                | Category::Removes
                | Category::Remote
                | Category::Privilege
                | Category::Opaque,
                Self::Strict | Self::Default | Self::AcceptEdits | Self::Open,
            ) => Action::Ask,
        }
    }
}
