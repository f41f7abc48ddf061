//! Who answers an ask; what the answer is worth is settled elsewhere.

/// Who answers an ask, from the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Approvals {
    /// Nobody: an ask is refused.
    Never,
    /// A person.
    #[default]
    Ask,
    /// The reviewing model may answer beside a person.
    Review,
}

impl Approvals {
    /// All of them, from the strictest.
    pub const ALL: [Self; 3] = [Self::Never, Self::Ask, Self::Review];

    /// Its name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Ask => "ask",
            Self::Review => "review",
        }
    }

    /// The value of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|approvals| approvals.name() == text)
    }
}
