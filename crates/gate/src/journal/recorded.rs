//! The proof that an event was written; only the journal makes one.

use super::closed::{CallClosed, Permit};
use super::event::Event;
use super::hash::Hash;
use super::time::Timestamp;
use countersign_policy::outcome::Outcome;

/// An event that stands in the journal and survives the death of this process.
#[derive(Debug, PartialEq, Eq)]
pub struct Recorded {
    seq: u64,
    time: Timestamp,
    hash: Hash,
    outcome: Option<Outcome>,
    permit: Option<Permit>,
}

impl Recorded {
    /// What `event` becomes once its line is written.
    pub(super) fn new(event: &Event, seq: u64, time: Timestamp, hash: Hash) -> Self {
        let closed = match event {
            Event::CallClosed(closed) => Some(closed),
            Event::SessionOpened(_)
            | Event::TurnOpened(_)
            | Event::TurnClosed(_)
            | Event::CallJudged(_)
            | Event::ApprovalAsked(_)
            | Event::ApprovalDecided(_)
            | Event::ApprovalPolicy(_)
            | Event::CallReported(_)
            | Event::GrantSaved(_)
            | Event::GrantUsed(_)
            | Event::GrantRevoked(_)
            | Event::ReviewDone(_)
            | Event::HookFailed(_)
            | Event::Notice(_) => None,
        };
        Self {
            seq,
            time,
            hash,
            outcome: closed.map(CallClosed::outcome),
            permit: closed.and_then(CallClosed::permit),
        }
    }

    /// The number of its line, counted from 1.
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// When it was written.
    pub const fn time(&self) -> Timestamp {
        self.time
    }

    /// The hash of its line; kept elsewhere, it proves later that nothing up to here was rewritten.
    pub const fn hash(&self) -> Hash {
        self.hash
    }

    /// The outcome, where the event is that of a call that got one.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The permit of an allowed call.
    pub fn permit(self) -> Option<Permit> {
        self.permit
    }
}
