//! One permission question drawn from an effect: a kind, a target, and the category by which a mode answers it.

use crate::effects::command::CommandLine;
use crate::effects::opacity::Opacity;
use crate::path::AbsPath;
use countersign_shell::span::Span;

/// One permission question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The kind, which says what rules apply to it.
    pub kind: Kind,
    /// What is asked for.
    pub target: Target,
    /// By what a mode answers it where no rule decides.
    pub category: Category,
    /// Whether a mode's answer to `category` counts. False for a command whose own effects say all that it does: they
    /// are asked in its stead, so that allowing the host settles `curl` and allowing the path settles `cp`.
    pub mode_applies: bool,
    /// The command from which it comes, counted through the call; requests of one command belong together.
    pub command: usize,
    /// Whether it is an effect of the command itself. False for redirections, `external_directory` and the command.
    pub own: bool,
    /// The name of the program that causes it, where one does; `mcp__SERVER` where a server is named a path.
    pub program: Option<String>,
    /// The working directories in which it may happen: one, or several where a `cd` may have failed; none where
    /// unknown.
    pub cwd: Vec<AbsPath>,
    /// The file of the project in whose text it stands, where a script of the project does it; else the call does. Of
    /// such a request only that counts which is certain, and only what makes a verdict stricter.
    pub within: Option<AbsPath>,
    /// The floor that it would break (row P14), which no rule or answer lifts.
    pub floor: Option<Floor>,
    /// The part of the command text that causes it.
    pub span: Option<Span>,
}

/// The kinds of requests (row P2); the keys of the rule tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Reading a file or listing a directory.
    Read,
    /// Creating or changing a file.
    Edit,
    /// Deleting a file or directory.
    Delete,
    /// Running a command.
    Shell,
    /// Sending input to something that runs.
    Terminal,
    /// Reaching a host.
    Net,
    /// Asking a search engine.
    WebSearch,
    /// Asking a tool of an MCP server; the target is `server/tool`.
    Mcp,
    /// Changing what the agent remembers.
    Memory,
    /// Starting another agent; the target is `readonly` or `mutating`.
    Task,
    /// Reaching outside the workspace.
    ExternalDirectory,
    /// Any other tool, by name.
    Tool,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Read,
        Self::Edit,
        Self::Delete,
        Self::Shell,
        Self::Terminal,
        Self::Net,
        Self::WebSearch,
        Self::Mcp,
        Self::Memory,
        Self::Task,
        Self::ExternalDirectory,
        Self::Tool,
    ];

    /// Its place among [`Kind::ALL`], which are in the order of their declaration.
    pub(crate) const fn position(self) -> usize {
        self as usize
    }

    /// Its name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Shell => "shell",
            Self::Terminal => "terminal",
            Self::Net => "net",
            Self::WebSearch => "web_search",
            Self::Mcp => "mcp",
            Self::Memory => "memory",
            Self::Task => "task",
            Self::ExternalDirectory => "external_directory",
            Self::Tool => "tool",
        }
    }

    /// The kind of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A command, for `shell`.
    Command(CommandLine),
    /// Paths, for `read`, `edit`, `delete` and `external_directory`.
    Path(PathTarget),
    /// A host in lower case, for `net`; with a port only where it is not the scheme's own.
    Host(String),
    /// A name, for the other kinds.
    Name(String),
    /// Something that cannot be told.
    Opaque(Opacity),
}

/// A path as it was written and every place at which it may stand. Rules are judged against all of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathTarget {
    /// The words of the call.
    pub written: String,
    /// Where it may lie, as written and with links resolved. Empty where it cannot be told, which no allow matches.
    /// Where `pattern` is set these are the directories from which the pattern starts.
    pub places: Vec<AbsPath>,
    /// A bash pathname pattern below each of `places` (a backslash makes a character literal), or nothing.
    pub pattern: Option<String>,
    /// Whether everything below is meant too: a recursive read, write or delete.
    pub recursive: bool,
}

/// The categories by which a mode answers (design table), from the mildest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Only reads, in workspace, temporary or system places.
    Reads,
    /// Changes files inside workspace or temporary places, recoverably.
    Writes,
    /// Runs the project's own code.
    Builds,
    /// Reads from the network.
    Fetches,
    /// Brings foreign code onto the machine.
    Installs,
    /// A program that nobody described, or a use of one that its description does not cover.
    Unknown,
    /// Deletes, or overwrites what git cannot bring back.
    Removes,
    /// Changes something elsewhere.
    Remote,
    /// Needs privilege, or changes services, accounts or permissions outside the workspace.
    Privilege,
    /// Cannot be told.
    Opaque,
}

impl Category {
    /// All categories, from the mildest.
    pub const ALL: [Self; 10] = [
        Self::Reads,
        Self::Writes,
        Self::Builds,
        Self::Fetches,
        Self::Installs,
        Self::Unknown,
        Self::Removes,
        Self::Remote,
        Self::Privilege,
        Self::Opaque,
    ];

    /// Its name in rule files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Builds => "builds",
            Self::Fetches => "fetches",
            Self::Installs => "installs",
            Self::Unknown => "unknown",
            Self::Removes => "removes",
            Self::Remote => "remote",
            Self::Privilege => "privilege",
            Self::Opaque => "opaque",
        }
    }

    /// The category of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|category| category.name() == text)
    }
}

/// What the floor forbids (row P14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Floor {
    /// Deleting or overwriting the root directory, or everything in it.
    WipesRoot,
    /// Deleting the home directory, or everything in it.
    WipesHome,
    /// Writing over a block device or formatting one.
    WipesDevice,
    /// Deleting a repository's `.git`.
    WipesRepository,
    /// A function that starts itself without end.
    ForkBomb,
    /// Writing to countersign's own rules, grants, trust, journal, binary or hook entries.
    TouchesCountersign,
    /// Running a command of countersign's own that changes what is in force or runs what it is given, or reaching its
    /// socket.
    CommandsCountersign,
}

impl Floor {
    /// Its name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WipesRoot => "wipes-root",
            Self::WipesHome => "wipes-home",
            Self::WipesDevice => "wipes-device",
            Self::WipesRepository => "wipes-repository",
            Self::ForkBomb => "fork-bomb",
            Self::TouchesCountersign => "touches-countersign",
            Self::CommandsCountersign => "commands-countersign",
        }
    }

    /// What it would do, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::WipesRoot => "it would delete everything from the root directory on",
            Self::WipesHome => "it would delete the home directory",
            Self::WipesDevice => "it would write over a device",
            Self::WipesRepository => "it would delete the repository's history",
            Self::ForkBomb => "it would start itself without end",
            Self::TouchesCountersign => "it would change countersign's own files",
            Self::CommandsCountersign => {
                "it would change what countersign has in force, or have it run what it is given"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn p2_kinds_stand_in_the_order_of_their_declaration() {
        for (position, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind.position(), position);
        }
    }
}
