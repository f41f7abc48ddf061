//! The closed list of agents whose hooks are answered, each by the three functions of its own module.

use crate::answer::Answer;
use crate::asked::{Asked, Expansion, Message};
use crate::claude_code;
use crate::said::Said;

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Agent {
    /// Claude Code.
    #[default]
    ClaudeCode,
}

impl Agent {
    /// All agents.
    pub const ALL: [Self; 1] = [Self::ClaudeCode];

    /// Its name on the command line and in the journal.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }

    /// The agent of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == text)
    }

    /// What a message of its host says.
    pub fn read(self, text: &str) -> Message {
        match self {
            Self::ClaudeCode => claude_code::read(text),
        }
    }

    /// What its host is told.
    pub fn reply(self, event: &str, answer: &Answer) -> Said {
        match self {
            Self::ClaudeCode => Said {
                stdout: claude_code::reply(event, answer),
                stderr: answer.aloud(),
                code: claude_code::exit_code(event, answer),
            },
        }
    }

    /// The commands that its host would run while it makes a prompt of a text, as calls.
    pub fn embedded(self, expansion: &Expansion, text: &str) -> Result<Vec<Asked>, String> {
        match self {
            Self::ClaudeCode => claude_code::embedded(expansion, text),
        }
    }

    /// The variable in which its host says where the session began.
    pub const fn project_variable(self) -> &'static str {
        match self {
            Self::ClaudeCode => "CLAUDE_PROJECT_DIR",
        }
    }

    /// The event that a message is taken to be about where that cannot be read: the one that must never pass
    /// unanswered.
    pub const fn gate_event(self) -> &'static str {
        match self {
            Self::ClaudeCode => claude_code::GATE_EVENT,
        }
    }
}
