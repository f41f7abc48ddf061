//! How surely a pattern meets a request, and for whose benefit it is read; not the patterns themselves.

/// Whether something matches, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Match {
    /// It certainly does not.
    No,
    /// It may: a part of the request cannot be told.
    Perhaps,
    /// It certainly does.
    Yes,
}

impl Match {
    /// Certainty of a plain fact.
    pub const fn sure(fact: bool) -> Self {
        if fact { Self::Yes } else { Self::No }
    }

    /// A fact that is certain, else one that is possible.
    pub const fn possible(fact: bool) -> Self {
        if fact { Self::Perhaps } else { Self::No }
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// One holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// It does not hold.
    #[must_use]
    pub const fn negate(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Perhaps => Self::Perhaps,
            Self::Yes => Self::No,
        }
    }
}

/// For whose benefit a pattern is read. Where a pattern could be read wider or narrower, an allow is read narrowly and
/// an ask or deny widely, so that whatever `Grant` matches the other two match as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sense {
    /// For an allow, or an exception to an ask or deny.
    Grant,
    /// For an ask or deny that somebody wrote.
    Forbid,
    /// For an ask or deny of the built-in table, which does not interrupt for what is merely conceivable.
    Caution,
}
