//! The blocks that say what is expected, and what the product makes of a case in their place; nothing is compared here.

use crate::document::Block;
use crate::shown;
use crate::situation::Situation;
use countersign_policy::call::{Action as Meaning, Call};
use countersign_policy::mode::Mode;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::verdict::Verdict;

/// What a block expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The simple commands that the reader sees.
    Commands,
    /// What would happen.
    Effects,
    /// The action, and perhaps every finding.
    Verdict,
    /// What becomes of the call for each answer.
    Outcome,
    /// What is wrong with the rule files.
    Diagnostics,
    /// One action for each of many commands.
    Cases,
    /// What each of many programs can do.
    Programs,
}

impl Expected {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Commands,
        Self::Effects,
        Self::Verdict,
        Self::Outcome,
        Self::Diagnostics,
        Self::Cases,
        Self::Programs,
    ];

    /// The word that begins such a block.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Commands => "commands",
            Self::Effects => "effects",
            Self::Verdict => "verdict",
            Self::Outcome => "outcome",
            Self::Diagnostics => "diagnostics",
            Self::Cases => "cases",
            Self::Programs => "programs",
        }
    }

    /// What a block expects; nothing where it belongs to the situation.
    pub fn of(block: &Block) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|expected| expected.name() == block.kind())
    }
}

/// A situation with its rules ready.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The situation.
    pub situation: Situation,
    /// The rules in force.
    pub rules: RuleSet,
}

impl Scene {
    /// What stands in place of a block's lines; nothing where a call is needed and none is told. A list has no lines of
    /// its own.
    pub fn lines(&self, expected: Expected, block: &Block, mode: Mode) -> Option<Vec<String>> {
        let call = self.situation.told.call();
        match expected {
            Expected::Diagnostics => Some(self.diagnostics()),
            Expected::Commands => call.as_ref().and_then(text).map(shown::commands),
            Expected::Effects => call.map(|call| shown::effects(&self.situation.effects(&call))),
            Expected::Verdict => call.map(|call| {
                let mut lines = shown::verdict(&self.verdict(&call, mode));
                if block.body.len() == 1 {
                    // A block of one line asks for the action alone.
                    lines.truncate(1);
                }
                lines
            }),
            Expected::Outcome => call.map(|call| shown::outcomes(&self.verdict(&call, mode))),
            Expected::Cases | Expected::Programs => None,
        }
    }

    /// The verdict on a call.
    pub fn verdict(&self, call: &Call, mode: Mode) -> Verdict {
        self.situation.verdict(call, &self.rules, mode)
    }

    fn diagnostics(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (file, found) in &self.situation.diagnostics {
            out.push(shown::diagnostic(file, found));
        }
        out
    }
}

/// The text of a shell call.
fn text(call: &Call) -> Option<&str> {
    if let Meaning::Shell(text) = &call.action {
        Some(text)
    } else {
        None
    }
}
