//! What a call would do, as written: the closed list of effects. Nothing has been looked up and nothing is judged.

use crate::effects::command::{CommandLine, Field};
use crate::effects::opacity::Opacity;
use crate::path::AbsPath;
use crate::project::ProjectScript;
use crate::request::{Category, Floor, PathTarget};
use countersign_shell::span::Span;

/// One thing that a call would do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The command from which it comes, counted through the call.
    pub command: usize,
    /// Whether it is an effect of the command itself, not of a redirection or of the way in which it is run.
    pub own: bool,
    /// The name of the program that causes it, where one does; `mcp__SERVER` where a server is named a path.
    pub program: Option<String>,
    /// The working directories in which it may happen; empty where they cannot be told.
    pub cwd: Vec<AbsPath>,
    /// The file of the project in whose text it stands, where a script of the project does it; else the call does.
    pub within: Option<AbsPath>,
    /// The part of the command text that causes it.
    pub span: Option<Span>,
    /// What would happen.
    pub act: Act,
}

/// What would happen (a closed list).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Act {
    /// A command runs.
    Run(Run),
    /// A path is read or listed.
    Read(PathTarget),
    /// A path is created or changed.
    Write(PathTarget),
    /// A path is moved away from where it is.
    Move(PathTarget),
    /// A path is deleted.
    Delete(PathTarget),
    /// What lies below one path comes to lie below another under the same names; where the two are one, all that lies
    /// below is changed where it is.
    Spread {
        /// Where it comes from.
        from: PathTarget,
        /// Where it arrives.
        to: PathTarget,
    },
    /// Changes to a path that were not committed are thrown away, if there is such a path: the word may be a branch.
    Discard(PathTarget),
    /// A host is reached.
    Net(String),
    /// A search engine is asked.
    WebSearch(String),
    /// A tool of an MCP server is asked: `server/tool`.
    Mcp(String),
    /// What the agent remembers is changed.
    Memory(String),
    /// Another agent is started.
    Task {
        /// True where it can only read.
        read_only: bool,
    },
    /// Input goes to something that runs already.
    Terminal(String),
    /// Another tool runs.
    Tool(String),
    /// `git name words…` where `name` is no subcommand: an alias or a program of that name.
    GitAlias {
        /// The name.
        name: String,
        /// The words after it.
        words: Vec<Field>,
    },
    /// A script of the project starts: what it says may be looked at. The command that starts it is an effect of its
    /// own, so that this adds nothing where nothing is found.
    Script(ProjectScript),
    /// The floor is broken by the shape of the text itself.
    Breaks(Floor),
    /// It cannot be told.
    Opaque(Opacity),
}

impl Act {
    /// The path that it is about, where it is about one.
    pub fn target(&self) -> Option<&PathTarget> {
        match self {
            Self::Read(target)
            | Self::Write(target)
            | Self::Move(target)
            | Self::Delete(target)
            | Self::Discard(target) => Some(target),
            Self::Run(_)
            | Self::Net(_)
            | Self::WebSearch(_)
            | Self::Mcp(_)
            | Self::Memory(_)
            | Self::Task { .. }
            | Self::Terminal(_)
            | Self::Tool(_)
            | Self::Spread { .. }
            | Self::GitAlias { .. }
            | Self::Script(_)
            | Self::Breaks(_)
            | Self::Opaque(_) => None,
        }
    }
}

/// A command that runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Run {
    /// Its canonical words.
    pub line: CommandLine,
    /// What it is in itself.
    pub category: Category,
    /// Whether its other effects say all that it does, so that they are asked in its stead.
    pub by_effects: bool,
    /// The file that runs, where the command names one by a path.
    pub path: Option<PathTarget>,
    /// Files which, where there is one in the working directory or above it, settle which program runs.
    pub obeys: Vec<&'static str>,
}
