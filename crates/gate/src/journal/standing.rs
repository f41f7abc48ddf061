//! What a journal leaves open: the state of a session rebuilt from its events. It changes nothing.

use super::entries::entries;
use super::error::JournalError;
use super::event::{Answered, Answerer, ApprovalDecided, Event, Policy};
use countersign_policy::outcome::Outcome;
use std::path::Path;

/// The state of a session after the last event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// The questions that were asked and not decided, in the order in which they were asked.
    pub open: Vec<OpenAsk>,
    /// The turns that were opened and not closed.
    pub turns: Vec<String>,
    /// The approval policy that was chosen last; nothing where the configuration's holds.
    pub policy: Option<Policy>,
}

/// A question that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAsk {
    /// The question's identity.
    pub approval: String,
    /// The call that it is about.
    pub call: String,
    /// The line on which it was asked.
    pub seq: u64,
}

impl Standing {
    /// Reads a whole journal; a journal that does not hold together is an error.
    ///
    /// Whoever opens a session again, and knows that no other process still waits for an answer in it, decides what
    /// is open as cancelled ([`OpenAsk::cancelled`], row S3).
    pub fn of(path: &Path) -> Result<Self, JournalError> {
        let mut standing = Self::default();
        for entry in entries(path)? {
            let entry = entry?;
            standing.take(&entry.event, entry.seq);
        }
        Ok(standing)
    }

    /// Takes in the next event.
    pub fn take(&mut self, event: &Event, seq: u64) {
        match event {
            Event::ApprovalAsked(asked) => self.open.push(OpenAsk {
                approval: asked.approval.clone(),
                call: asked.call.clone(),
                seq,
            }),
            Event::ApprovalDecided(decided) => {
                self.open.retain(|open| open.approval != decided.approval);
            }
            Event::TurnOpened(turn) => self.turns.push(turn.turn.clone()),
            Event::TurnClosed(closed) => self.turns.retain(|turn| *turn != closed.turn),
            Event::ApprovalPolicy(chosen) => self.policy = Some(chosen.policy),
            Event::SessionOpened(_)
            | Event::CallJudged(_)
            | Event::CallClosed(_)
            | Event::CallReported(_)
            | Event::GrantSaved(_)
            | Event::GrantUsed(_)
            | Event::GrantRevoked(_)
            | Event::ReviewDone(_)
            | Event::HookFailed(_)
            | Event::Notice(_) => {}
        }
    }
}

impl OpenAsk {
    /// The event that settles it without an answer.
    pub fn cancelled(&self) -> Event {
        Event::ApprovalDecided(ApprovalDecided {
            approval: self.approval.clone(),
            call: self.call.clone(),
            outcome: Outcome::Cancelled,
            answer: Answered::Cancelled,
            by: Answerer::Nobody,
            words: None,
            micros: 0,
        })
    }
}
