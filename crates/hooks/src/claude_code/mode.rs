//! Claude Code's permission modes, by what the host asks its user in them by itself.

use super::tool::Tool;
use crate::asked::Prompting;

/// A permission mode of the host; not one of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostMode {
    /// Asks for whatever is not known to be harmless.
    Default,
    /// Explores and plans. Whether it asks depends on what the session was started with, which no hook is told.
    Plan,
    /// Waves edits and simple work on files through.
    AcceptEdits,
    /// Asks nothing.
    BypassPermissions,
    /// Asks nothing and refuses instead.
    DontAsk,
    /// Lets a model decide.
    Auto,
    /// One that is not known, or none.
    Unknown,
}

impl HostMode {
    /// The mode of that name.
    pub(super) fn of(name: Option<&str>) -> Self {
        match name {
            Some("default") => Self::Default,
            Some("plan") => Self::Plan,
            Some("acceptEdits") => Self::AcceptEdits,
            Some("bypassPermissions") => Self::BypassPermissions,
            Some("dontAsk") => Self::DontAsk,
            Some("auto") => Self::Auto,
            Some(_) | None => Self::Unknown,
        }
    }

    /// Whether the host asks about a tool in this mode. Where that is not certain, it does not.
    pub(super) const fn prompting(self, tool: &Tool) -> Prompting {
        match (self, tool) {
            (Self::Default, Tool::Bash) => Prompting::Commands,
            (Self::AcceptEdits, Tool::Bash) => Prompting::CommandsBeyondFiles,
            (Self::Default, Tool::Write | Tool::Edit | Tool::MultiEdit | Tool::NotebookEdit)
            | (
                Self::Default | Self::AcceptEdits,
                Tool::WebFetch | Tool::WebSearch | Tool::Mcp { .. },
            ) => Prompting::Always,
            (
                Self::AcceptEdits,
                Tool::Write | Tool::Edit | Tool::MultiEdit | Tool::NotebookEdit,
            )
            | (
                Self::Default | Self::AcceptEdits,
                Tool::PowerShell
                | Tool::Monitor
                | Tool::Read
                | Tool::NotebookRead
                | Tool::Glob
                | Tool::Grep
                | Tool::List
                | Tool::Agent
                | Tool::Skill
                | Tool::ListMcpResources
                | Tool::ReadMcpResource
                | Tool::Control
                | Tool::Unknown,
            )
            | (
                Self::Plan | Self::BypassPermissions | Self::DontAsk | Self::Auto | Self::Unknown,
                _,
            ) => Prompting::Never,
        }
    }
}
