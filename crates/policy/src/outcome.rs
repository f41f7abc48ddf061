//! How a call ended: the closed list of outcomes, and the one place where verdict, answer and review become one of
//! them.

use crate::action::Action;
use crate::verdict::Verdict;

/// How a call ended (row S1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It may run.
    Allowed,
    /// A rule, the floor, a policy or a person refused it.
    Rejected,
    /// It was withdrawn before it was decided.
    Cancelled,
    /// Nobody could answer; this is never worded as a refusal by the user.
    Unavailable,
    /// A host that asks by itself decides; closed when the host reports what ran.
    Deferred,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 5] = [
        Self::Allowed,
        Self::Rejected,
        Self::Cancelled,
        Self::Unavailable,
        Self::Deferred,
    ];

    /// Its name in the journal.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
            Self::Deferred => "deferred",
        }
    }
}

/// What came back for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Yes, in whatever width.
    Allow,
    /// Yes, by an answer that was kept from before.
    Granted,
    /// No.
    Deny,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked, or nobody answered in time.
    Unavailable,
    /// The host was told to ask by itself.
    HostAsks,
}

/// What the second gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Review {
    /// Nothing against it, or switched off.
    Pass,
    /// It may not run.
    Block,
}

impl Verdict {
    /// The outcome of this verdict with an answer and a review. An answer settles an ask and nothing else: a deny stays
    /// rejected whatever was answered, and a block closes the second gate whatever the first says.
    pub fn settle(&self, answer: Option<Answer>, review: Review) -> Outcome {
        let unanswered = match (self.action, review) {
            (Action::Deny, _) | (_, Review::Block) => return Outcome::Rejected,
            (Action::Allow, Review::Pass) => Outcome::Allowed,
            (Action::Ask, Review::Pass) => Outcome::Unavailable,
        };
        match answer {
            None | Some(Answer::Unavailable) => unanswered,
            Some(Answer::Allow | Answer::Granted) => Outcome::Allowed,
            Some(Answer::Deny) => Outcome::Rejected,
            Some(Answer::Cancelled) => Outcome::Cancelled,
            Some(Answer::HostAsks) => Outcome::Deferred,
        }
    }
}
