//! A call's outcome as it is recorded, and the permit that an allowed one becomes; the outcome is settled in policy.

use super::name::short_identity;
use super::named;
use countersign_policy::call::{Call, Digest};
use countersign_policy::outcome::{Answer, Outcome, Review};
use countersign_policy::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The event of a call that got its outcome.
///
/// An allowed one can be made only from a verdict, by the one function that settles verdicts; one that was read from a
/// file holds no call, so that reading a journal never permits anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallClosed {
    call: String,
    digest: String,
    #[serde(with = "named::outcome")]
    outcome: Outcome,
    by: Decider,
    micros: u64,
    /// What was judged. It stays in this process: an allowed one moves into the permit.
    #[serde(skip)]
    judged: Option<Box<Call>>,
}

/// Who or what decided a call in the end (a closed list, row A8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decider {
    /// The floor.
    Floor,
    /// A rule.
    Rule,
    /// The permission mode, or the user's own answer for a category.
    Mode,
    /// A kept answer.
    Grant,
    /// A person.
    Person,
    /// The approval policy `never`.
    Policy,
    /// The reviewing model.
    Reviewer,
    /// The host, which asks by itself.
    Host,
    /// The turn mode or a skill's list of tools.
    TurnMode,
    /// A hook.
    Hook,
    /// Nobody: there was nobody to ask, or the question was withdrawn.
    Nobody,
    /// The input did not have its tool's form, or something failed on our side.
    Error,
}

/// The outcomes that need no verdict, as they permit nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// It was refused.
    Rejected,
    /// It was withdrawn.
    Cancelled,
    /// Nobody could answer.
    Unavailable,
}

impl CallClosed {
    /// The outcome of a verdict with what was answered and reviewed; `micros` is the time since the call came in.
    pub fn settled(
        call: &Call,
        verdict: &Verdict,
        (answer, review): (Option<Answer>, Review),
        by: Decider,
        micros: u64,
    ) -> Self {
        Self::new(call, verdict.settle(answer, review), by, micros)
    }

    /// An outcome that permits nothing, for whatever reason.
    pub fn refused(call: &Call, refusal: Refusal, by: Decider, micros: u64) -> Self {
        let outcome = match refusal {
            Refusal::Rejected => Outcome::Rejected,
            Refusal::Cancelled => Outcome::Cancelled,
            Refusal::Unavailable => Outcome::Unavailable,
        };
        Self::new(call, outcome, by, micros)
    }

    fn new(call: &Call, outcome: Outcome, by: Decider, micros: u64) -> Self {
        let judged = match outcome {
            Outcome::Allowed => Some(Box::new(call.clone())),
            Outcome::Rejected | Outcome::Cancelled | Outcome::Unavailable | Outcome::Deferred => {
                None
            }
        };
        Self {
            call: short_identity(&call.id.0),
            digest: call.digest().to_string(),
            outcome,
            by,
            micros,
            judged,
        }
    }

    /// The call's identity as written.
    pub fn call(&self) -> &str {
        &self.call
    }

    /// The call's digest in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The outcome.
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Who or what decided.
    pub const fn by(&self) -> Decider {
        self.by
    }

    /// The time from the call to its outcome, in microseconds.
    pub const fn micros(&self) -> u64 {
        self.micros
    }

    /// The permit, to be made only once the event is written.
    pub(super) fn permit(&self) -> Option<Permit> {
        let call = self.judged.as_deref()?;
        Some(Permit {
            digest: call.digest(),
            call: call.clone(),
        })
    }
}

/// The right to run one call, held only by what the journal returns after the outcome was written.
///
/// It owns what was judged: whoever runs something takes tool, input and working directory from here and from nowhere
/// else. It cannot be copied: each stands for one line of the journal, and is used up by the run that it permits.
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    call: Call,
    digest: Digest,
}

impl Permit {
    /// The very call that was judged: identity, tool, input, working directory and what it does.
    pub const fn call(&self) -> &Call {
        &self.call
    }

    /// The call's digest, as recorded.
    pub const fn digest(&self) -> Digest {
        self.digest
    }
}
