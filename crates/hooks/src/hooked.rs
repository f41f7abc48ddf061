//! The events for which the host runs our hook: a closed list, with what each entry has to say.

/// An event of the host's for which an entry of ours is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hooked {
    /// A call waits.
    PreToolUse,
    /// The host is about to ask its user about a call.
    PermissionRequest,
    /// A skill would run a command.
    PreSkillShellCommand,
    /// A typed command becomes a prompt.
    UserPromptExpansion,
    /// Settings were changed.
    ConfigChange,
    /// A call ran.
    PostToolUse,
    /// A call ran and failed.
    PostToolUseFailure,
    /// A session begins.
    SessionStart,
}

impl Hooked {
    /// All of them, in the order in which they are written; the first is the one that no call gets around.
    pub const ALL: [Self; 8] = [
        Self::PreToolUse,
        Self::PermissionRequest,
        Self::PreSkillShellCommand,
        Self::UserPromptExpansion,
        Self::ConfigChange,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::SessionStart,
    ];

    /// The host's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PermissionRequest => "PermissionRequest",
            Self::PreSkillShellCommand => "PreSkillShellCommand",
            Self::UserPromptExpansion => "UserPromptExpansion",
            Self::ConfigChange => "ConfigChange",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::SessionStart => "SessionStart",
        }
    }

    /// Where its entries stand in the settings, as a path of names.
    pub const fn place(self) -> &'static str {
        match self {
            Self::PreToolUse => "hooks.PreToolUse",
            Self::PermissionRequest => "hooks.PermissionRequest",
            Self::PreSkillShellCommand => "hooks.PreSkillShellCommand",
            Self::UserPromptExpansion => "hooks.UserPromptExpansion",
            Self::ConfigChange => "hooks.ConfigChange",
            Self::PostToolUse => "hooks.PostToolUse",
            Self::PostToolUseFailure => "hooks.PostToolUseFailure",
            Self::SessionStart => "hooks.SessionStart",
        }
    }

    /// Whether something waits for the answer, so that the host has to refuse where the hook fails. A session and what
    /// ran already are not held back.
    pub const fn waits(self) -> bool {
        match self {
            Self::PreToolUse
            | Self::PermissionRequest
            | Self::PreSkillShellCommand
            | Self::UserPromptExpansion
            | Self::ConfigChange => true,
            Self::PostToolUse | Self::PostToolUseFailure | Self::SessionStart => false,
        }
    }

    /// Whether the host tells tools apart by the entry's `matcher`.
    pub const fn of_tools(self) -> bool {
        match self {
            Self::PreToolUse
            | Self::PermissionRequest
            | Self::PreSkillShellCommand
            | Self::PostToolUse
            | Self::PostToolUseFailure => true,
            Self::UserPromptExpansion | Self::ConfigChange | Self::SessionStart => false,
        }
    }
}
