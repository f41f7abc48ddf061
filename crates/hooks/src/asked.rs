//! What a host's message comes to, whatever the agent: a call to be judged, a report, or nothing to answer.

use countersign_gate::journal::event::Ran;
use countersign_policy::call::Call;

/// What a host's message comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// A call that waits to be judged.
    Call(Box<Asked>),
    /// What became of a call.
    Report(Report),
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
    /// The call's identity.
    pub call: String,
    /// What became of it.
    pub ran: Ran,
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
