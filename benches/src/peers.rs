//! Cases from other agents' own tests, beside our verdicts: their policies in our rule language, where it can say them.
//! Which kind a difference is of is `differences`' matter; nothing is run.

mod case;
pub mod differences;
pub mod language;
mod seen;
mod systems;

use crate::rows;
use case::{Case, Expected};
use countersign_policy::action::Action;
use serde_json::Value;
use std::fmt;

/// One row and what became of it.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The row's identity.
    pub id: String,
    /// The system.
    pub system: String,
    /// How ours stands to theirs.
    pub outcome: Outcome,
    /// Both in words.
    pub words: String,
}

/// How our answer stands to theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The same.
    Agrees,
    /// Both stop it: one asks a person, the other denies.
    BothStop,
    /// We stop what they let run.
    Stricter,
    /// We let run what they stop.
    Laxer,
    /// We see other programs in the text.
    OtherPrograms,
    /// No question of ours.
    Elsewhere(&'static str),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
            Self::BothStop => "both stop",
            Self::Stricter => "stricter",
            Self::Laxer => "laxer",
            Self::OtherPrograms => "other programs",
            Self::Elsewhere(_) => "no question of ours",
        })
    }
}

/// Compares all rows. A row that cannot be read, or a policy that was translated wrongly, is an error.
pub fn compare(data: &[Value]) -> Result<Vec<Compared>, String> {
    data.iter().map(one).collect()
}

fn one(row: &Value) -> Result<Compared, String> {
    let (id, system) = (rows::text(row, "id"), rows::text(row, "system"));
    let (outcome, words) = match systems::case(row) {
        Case::Elsewhere(why) => (Outcome::Elsewhere(why), String::new()),
        Case::Programs(theirs, ours) => {
            let words = format!("theirs {theirs:?} ours {ours:?}");
            let same = theirs == ours;
            (
                if same {
                    Outcome::Agrees
                } else {
                    Outcome::OtherPrograms
                },
                words,
            )
        }
        Case::Verdict(situation, expected) => {
            let ours = situation.verdict().map_err(|why| format!("{id}: {why}"))?;
            let words = format!("theirs {expected:?} ours {}", ours.name());
            (outcome(ours, expected), words)
        }
    };
    Ok(Compared {
        id: id.to_owned(),
        system: system.to_owned(),
        outcome,
        words,
    })
}

fn outcome(ours: Action, expected: Expected) -> Outcome {
    let stops = ours != Action::Allow;
    match expected {
        Expected::Exactly(theirs) if ours == theirs => Outcome::Agrees,
        Expected::Exactly(theirs) if stops && theirs != Action::Allow => Outcome::BothStop,
        Expected::Exactly(_) if stops => Outcome::Stricter,
        Expected::Exactly(_) => Outcome::Laxer,
        Expected::Stopped(theirs) if stops == theirs => Outcome::Agrees,
        Expected::Stopped(_) if stops => Outcome::Stricter,
        Expected::Stopped(_) => Outcome::Laxer,
        Expected::NotDenied if ours == Action::Deny => Outcome::Stricter,
        Expected::NotDenied => Outcome::Agrees,
    }
}
