//! What a host's message comes to, whatever the agent: calls to be judged, something to look into, or nothing to
//! answer.

use countersign_gate::journal::event::Ran;
use countersign_policy::call::Call;
use countersign_policy::path::AbsPath;

/// What a host's message comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// A call that waits to be judged.
    Call(Box<Asked>),
    /// A text is about to be put in a prompt's place, and commands within it would run.
    Expansion(Expansion),
    /// What became of a call.
    Report(Report),
    /// A session begins.
    Start(Start),
    /// The host's settings were changed while a session runs.
    Change(Change),
    /// Something on which a hook has no say.
    Idle,
    /// A message that cannot be understood, and that may be about a call: it is refused.
    Unclear(Unclear),
}

/// A call that waits to be judged, with what the host does by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The host's event, which the reply names.
    pub event: String,
    /// The session's identity at the host.
    pub session: String,
    /// The call.
    pub call: Call,
    /// Whether the host is in a mode in which only what reads is waved through.
    pub reads_only: bool,
    /// What the host does about this call where we say nothing.
    pub prompting: Prompting,
    /// Why a person has to be asked whatever the rules say.
    pub caution: Option<&'static str>,
    /// Whether this is the first that we hear of the call.
    pub hearing: Hearing,
}

/// How often a call is put to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hearing {
    /// For the first time.
    First,
    /// Once more, as the host is about to ask its user; what was answered before is not loosened.
    Again,
}

/// Whether the host asks its user about a call by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Prompting {
    /// It does.
    Always,
    /// It asks about commands, but not about those that it takes for harmless reading.
    Commands,
    /// It asks about commands, but neither about reading nor about simple work on files.
    CommandsBeyondFiles,
    /// It does not, or that is not known.
    Never,
    /// It cannot ask, nor can it be made to.
    Impossible,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The session's identity at the host.
    pub session: String,
    /// The host's event.
    pub event: String,
    /// The call's identity; empty where the host names none.
    pub call: String,
    /// The tool's name, as far as it can be told.
    pub tool: String,
    /// What became of it.
    pub ran: Ran,
}

/// A text that is about to be put in a prompt's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// The host's event, which the reply names.
    pub event: String,
    /// The session's identity at the host.
    pub session: String,
    /// What the commands within it are called in the record.
    pub name: String,
    /// The prompt as the host tells it: what was typed, or what it became.
    pub prompt: String,
    /// What was typed behind the name.
    pub arguments: String,
    /// Where the text may lie, below the host's directory of a project or a user.
    pub files: Vec<String>,
    /// And the directory below which it may lie at any depth, with the file's name.
    pub somewhere: Option<(String, String)>,
    /// The working directory, where the host names one.
    pub cwd: Option<AbsPath>,
}

/// A session begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The host's event, which the reply names.
    pub event: String,
    /// The session's identity at the host.
    pub session: String,
    /// The working directory, where the host names one.
    pub cwd: Option<AbsPath>,
    /// Whether the host itself has just started, so that its settings hold as they stand in their files.
    pub fresh: bool,
}

/// The host's settings were changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The host's event, which the reply names.
    pub event: String,
    /// The session's identity at the host.
    pub session: String,
    /// The working directory, where the host names one.
    pub cwd: Option<AbsPath>,
    /// Whose settings.
    pub of: Whose,
    /// The file, where the host names one.
    pub file: Option<AbsPath>,
}

/// Whose settings of a host they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The user's.
    User,
    /// The project's.
    Project,
    /// The user's for one project.
    Local,
    /// The administrator's, which no hook can hold back.
    Managed,
    /// A skill's, which is no file of settings.
    Skill,
    /// That is not known.
    Unknown,
}

/// A message that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclear {
    /// The event that the reply names.
    pub event: String,
    /// The session's identity, as far as it can be told.
    pub session: String,
    /// What is wrong.
    pub why: String,
}
