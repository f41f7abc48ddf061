//! What a call would do, as written: the closed list of effects. Nothing has been looked up and nothing is judged.

use crate::effects::command::{CommandLine, Field};
use crate::path::AbsPath;
use crate::request::{Category, Floor, PathTarget};
use countersign_shell::span::Span;

/// Why it cannot be told what happens (a closed list; each asks in every mode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opacity {
    /// The text is not understood by the reader.
    Syntax,
    /// The name of the command is computed.
    ComputedCommand,
    /// A text is run as commands that cannot be told (`eval "$x"`, `bash -c "$x"`, `. "$file"`).
    ComputedScript,
    /// A download is run as commands.
    DownloadedScript,
    /// A program text in a language that is not read (`python -c`, `perl -e`).
    ForeignCode,
    /// Arguments that decide what the program does cannot be told.
    ComputedArguments,
    /// A path that is written to, deleted or read cannot be told.
    ComputedPath,
    /// A host that is reached cannot be told.
    ComputedHost,
    /// The working directory cannot be told.
    UnknownDirectory,
    /// The shell's own behaviour is changed in a way that is not followed (`alias`, `trap`, `enable -f`, `shopt` …).
    ShellChanged,
    /// Arithmetic on a value that may hold a subscript, which bash would evaluate.
    Arithmetic,
    /// A raw connection that the shell itself opens (`/dev/tcp`), over which anything may go.
    RawConnection,
    /// Input to something that is not a shell of ours.
    TerminalInput,
    /// A tool that nobody described.
    UnknownTool,
    /// Not UTF-8.
    NotUtf8,
    /// More nesting, commands or bytes than are read.
    TooLarge,
    /// More lookups than are made for one call.
    LookupsExhausted,
}

impl Opacity {
    /// Its name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::ComputedCommand => "computed-command",
            Self::ComputedScript => "computed-script",
            Self::DownloadedScript => "downloaded-script",
            Self::ForeignCode => "foreign-code",
            Self::ComputedArguments => "computed-arguments",
            Self::ComputedPath => "computed-path",
            Self::ComputedHost => "computed-host",
            Self::UnknownDirectory => "unknown-directory",
            Self::ShellChanged => "shell-changed",
            Self::Arithmetic => "arithmetic",
            Self::RawConnection => "raw-connection",
            Self::TerminalInput => "terminal-input",
            Self::UnknownTool => "unknown-tool",
            Self::NotUtf8 => "not-utf8",
            Self::TooLarge => "too-large",
            Self::LookupsExhausted => "lookups-exhausted",
        }
    }

    /// It in words, to be read after "because".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Syntax => "the text is not understood as shell",
            Self::ComputedCommand => "the name of the command is computed",
            Self::ComputedScript => "a text that cannot be told is run as commands",
            Self::DownloadedScript => "a download is run as commands",
            Self::ForeignCode => "a program text in a language that is not read is run",
            Self::ComputedArguments => "arguments that decide what the program does cannot be told",
            Self::ComputedPath => "a path cannot be told",
            Self::ComputedHost => "a host cannot be told",
            Self::UnknownDirectory => "the working directory cannot be told",
            Self::ShellChanged => "the behaviour of the shell itself is changed",
            Self::Arithmetic => "a value that may hold a command is evaluated as arithmetic",
            Self::RawConnection => "the shell opens a connection over which anything may go",
            Self::TerminalInput => "input goes to a program that is running already",
            Self::UnknownTool => "nobody described the tool",
            Self::NotUtf8 => "the text is not UTF-8",
            Self::TooLarge => "there is more to read than is read for one call",
            Self::LookupsExhausted => {
                "more would have to be looked up than is looked up for one call"
            }
        }
    }
}

/// One thing that a call would do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The command from which it comes, counted through the call.
    pub command: usize,
    /// Whether it is an effect of the command itself, not of a redirection or of the way in which it is run.
    pub own: bool,
    /// The name of the program that causes it, where one does.
    pub program: Option<String>,
    /// The working directories in which it may happen; empty where they cannot be told.
    pub cwd: Vec<AbsPath>,
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
    /// The floor is broken by the shape of the text itself.
    Breaks(Floor),
    /// It cannot be told.
    Opaque(Opacity),
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
}
