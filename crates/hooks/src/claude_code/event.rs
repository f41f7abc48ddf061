//! Claude Code's events by what a hook can do about them.

use super::mode::HostMode;
use super::tool::Tool;
use crate::asked::{Hearing, Prompting};
use countersign_gate::journal::event::Ran;

/// The event of a call that waits.
pub(super) const PRE_TOOL_USE: &str = "PreToolUse";
/// The event of a call about which the host is going to ask its user.
pub(super) const PERMISSION_REQUEST: &str = "PermissionRequest";
/// The event of a command that a skill would run.
pub(super) const PRE_SKILL_SHELL_COMMAND: &str = "PreSkillShellCommand";
/// The event of a typed command that becomes a prompt.
pub(super) const USER_PROMPT_EXPANSION: &str = "UserPromptExpansion";
/// The event of settings that were changed.
pub(super) const CONFIG_CHANGE: &str = "ConfigChange";
/// The event of a call that ran.
pub(super) const POST_TOOL_USE: &str = "PostToolUse";
/// The event of a call that ran and failed.
pub(super) const POST_TOOL_USE_FAILURE: &str = "PostToolUseFailure";
/// The event of a session that begins.
pub(super) const SESSION_START: &str = "SessionStart";

/// The events that are about no waiting call, or on which a hook must have no say.
const IDLE: [&str; 26] = [
    "PostToolBatch",
    "PermissionDenied",
    "UserPromptSubmit",
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
    /// A call waits.
    Call,
    /// The host is about to ask its user about a call.
    Question,
    /// A command that a skill typed by the user would run. Whatever is neither silence nor `allow` blocks it.
    SkillShell,
    /// A typed command becomes a prompt.
    Expansion,
    /// A call is over.
    Report(Ran),
    /// A session begins.
    Start,
    /// Settings were changed.
    Change,
    /// Nothing waits for us.
    Idle,
    /// It is not known, and it is about a tool: it may be one on which a call waits.
    UnknownOfTool,
}

impl Event {
    /// The event of that name; `of_tool` says whether the message speaks of a tool.
    pub(super) fn of(name: &str, of_tool: bool) -> Self {
        match name {
            PRE_TOOL_USE => Self::Call,
            PERMISSION_REQUEST => Self::Question,
            PRE_SKILL_SHELL_COMMAND => Self::SkillShell,
            USER_PROMPT_EXPANSION => Self::Expansion,
            POST_TOOL_USE => Self::Report(Ran::Done),
            POST_TOOL_USE_FAILURE => Self::Report(Ran::Failed),
            SESSION_START => Self::Start,
            CONFIG_CHANGE => Self::Change,
            other if IDLE.contains(&other) || !of_tool => Self::Idle,
            _ => Self::UnknownOfTool,
        }
    }

    /// What the host does where we say nothing.
    pub(super) const fn prompting(self, tool: &Tool, mode: HostMode) -> Prompting {
        match self {
            Self::SkillShell | Self::Expansion => Prompting::Impossible,
            Self::Question => Prompting::Always,
            Self::Call
            | Self::Report(_)
            | Self::Start
            | Self::Change
            | Self::Idle
            | Self::UnknownOfTool => mode.prompting(tool),
        }
    }

    /// How often a call of this event was put to us.
    pub(super) const fn hearing(self) -> Hearing {
        match self {
            Self::Question => Hearing::Again,
            Self::Call
            | Self::SkillShell
            | Self::Expansion
            | Self::Report(_)
            | Self::Start
            | Self::Change
            | Self::Idle
            | Self::UnknownOfTool => Hearing::First,
        }
    }
}
