//! One tool call as it was asked for: a tool's name, its input, and what that input says it wants; nothing is judged
//! here.

use crate::path::AbsPath;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// A call that a model asks for, parsed at the door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The host's identity for the call; not necessarily unique across subagents.
    pub id: CallId,
    /// The tool's name as the host spells it.
    pub tool: String,
    /// The input as JSON text, exactly as it is hashed and journalled.
    pub input: String,
    /// The working directory in which the call would run.
    pub cwd: AbsPath,
    /// What the input says, by the tool's meaning.
    pub action: Action,
}

impl Call {
    /// The SHA-256 of tool name, working directory and input, by which an answer is bound to exactly this call.
    pub fn digest(&self) -> Digest {
        let mut hasher = Sha256::new();
        for part in [self.tool.as_str(), self.cwd.as_str(), self.input.as_str()] {
            // The length in front keeps two different splits of one text apart.
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
        Digest(hasher.finalize().into())
    }
}

/// The host's identity of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId(pub String);

/// A SHA-256 digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a call wants, by the meaning of its tool (row P2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Run a text in bash.
    Shell(String),
    /// Run one program with its arguments, without a shell (row P8).
    Exec(Exec),
    /// Read a file.
    Read(String),
    /// List a directory or find names below it; the working directory where none is named.
    List(Option<String>),
    /// Search contents below a path; the working directory where none is named.
    Search(Option<String>),
    /// Search the contents of files of certain names only.
    SearchNames {
        /// Where; the working directory where nothing is named.
        path: Option<String>,
        /// The pattern of their names.
        names: String,
    },
    /// Change or create a file by an edit tool.
    Edit(Vec<String>),
    /// Fetch a page.
    Fetch(String),
    /// Ask a search engine.
    WebSearch(String),
    /// Ask a tool of an MCP server.
    Mcp {
        /// The server's name.
        server: String,
        /// The tool's name there.
        tool: String,
        /// The paths that its input names; nothing where they cannot be told.
        paths: Option<Vec<String>>,
    },
    /// Change what the agent remembers.
    Memory,
    /// Start another agent.
    Task {
        /// True where the agent can only read.
        read_only: bool,
    },
    /// Send input to something that runs already; empty input only polls.
    Terminal {
        /// The characters that are sent.
        input: String,
    },
    /// A tool of the host's own control plane that touches nothing (plan, to-do list, question to the user).
    Control,
    /// A tool that nobody described.
    Unknown,
    /// A known tool whose input does not have the tool's form; the words say what is wrong.
    Malformed(String),
}

impl Action {
    /// What is wrong with the input, where it does not have its tool's form.
    pub fn malformed(&self) -> Option<&str> {
        match self {
            Self::Malformed(words) => Some(words),
            Self::Shell(_)
            | Self::Exec(_)
            | Self::Read(_)
            | Self::List(_)
            | Self::Search(_)
            | Self::SearchNames { .. }
            | Self::Edit(_)
            | Self::Fetch(_)
            | Self::WebSearch(_)
            | Self::Mcp { .. }
            | Self::Memory
            | Self::Task { .. }
            | Self::Terminal { .. }
            | Self::Control
            | Self::Unknown => None,
        }
    }
}

/// A program to be run without a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exec {
    /// The program as a path or a name.
    pub program: String,
    /// The arguments, beginning with the name under which it is called.
    pub argv: Vec<String>,
    /// Changes to the environment.
    pub environment: Vec<(String, String)>,
}
