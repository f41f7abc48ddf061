//! Claude Code's events by what a hook can do about them.

use super::mode::HostMode;
use super::tool::Tool;
use crate::asked::Prompting;
use countersign_gate::journal::event::Ran;

/// The event of a call that waits.
pub(super) const PRE_TOOL_USE: &str = "PreToolUse";

/// The events that are about no waiting call, or on which a hook must have no say.
const IDLE: [&str; 30] = [
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "Notification",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "WorktreeCreate",
    "WorktreeRemove",
    "MessageDisplay",
];

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A call waits to be judged.
    Call,
    /// A command that a skill typed by the user would run. Whatever is neither silence nor `allow` blocks it.
    SkillShell,
    /// A call is over.
    Report(Ran),
    /// Nothing waits for us: `PermissionRequest` comes after the call was judged, and its question is the person's.
    Idle,
    /// It is not known, and it is about a tool: it may be one on which a call waits.
    UnknownOfTool,
}

impl Event {
    /// The event of that name; `of_tool` says whether the message speaks of a tool.
    pub(super) fn of(name: &str, of_tool: bool) -> Self {
        match name {
            PRE_TOOL_USE => Self::Call,
            "PreSkillShellCommand" => Self::SkillShell,
            "PostToolUse" => Self::Report(Ran::Done),
            "PostToolUseFailure" => Self::Report(Ran::Failed),
            other if IDLE.contains(&other) || !of_tool => Self::Idle,
            _ => Self::UnknownOfTool,
        }
    }

    /// What the host does where we say nothing.
    pub(super) const fn prompting(self, tool: &Tool, mode: HostMode) -> Prompting {
        match self {
            Self::SkillShell => Prompting::Impossible,
            Self::Call | Self::Report(_) | Self::Idle | Self::UnknownOfTool => mode.prompting(tool),
        }
    }
}
