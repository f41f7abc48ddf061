//! The events that a journal knows: a closed list, each with its fields as they stand on the line. Nothing is judged
//! here.

use super::clip::{Clip, WORDS_BYTES};
use super::closed::CallClosed;
use super::judged::CallJudged;
use super::name::short_identity;
use super::named;
use countersign_policy::mode::Mode;
use countersign_policy::outcome::Outcome;
use serde::{Deserialize, Serialize};

/// One thing that happened in a session.
///
/// A journal is read by a program at least as new as the one that wrote it: a new event, or a new field of an old one,
/// raises the version of the lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum Event {
    /// The session began, or was taken up again.
    #[serde(rename = "session/opened")]
    SessionOpened(SessionOpened),
    /// A turn began; a hook process opens one for each call.
    #[serde(rename = "turn/opened")]
    TurnOpened(Turn),
    /// A turn ended.
    #[serde(rename = "turn/closed")]
    TurnClosed(Turn),
    /// The rules were asked about a call.
    #[serde(rename = "call/judged")]
    CallJudged(Box<CallJudged>),
    /// A question was put.
    #[serde(rename = "approval/asked")]
    ApprovalAsked(ApprovalAsked),
    /// The question was settled; the second half of the pair.
    #[serde(rename = "approval/decided")]
    ApprovalDecided(ApprovalDecided),
    /// The session's approval policy was chosen; the last one counts.
    #[serde(rename = "approval/policy")]
    ApprovalPolicy(ApprovalPolicy),
    /// A call got its outcome.
    #[serde(rename = "call/closed")]
    CallClosed(CallClosed),
    /// The host said what became of a call.
    #[serde(rename = "call/reported")]
    CallReported(CallReported),
    /// An answer wider than "once" was kept.
    #[serde(rename = "grant/saved")]
    GrantSaved(GrantSaved),
    /// A kept answer answered again.
    #[serde(rename = "grant/used")]
    GrantUsed(GrantUsed),
    /// A kept answer was withdrawn.
    #[serde(rename = "grant/revoked")]
    GrantRevoked(GrantRevoked),
    /// The reviewing model gave its opinion, or could not.
    #[serde(rename = "review/done")]
    ReviewDone(ReviewDone),
    /// A hook failed, which blocks.
    #[serde(rename = "hook/failed")]
    HookFailed(HookFailed),
    /// Something worth knowing that decides nothing.
    #[serde(rename = "notice")]
    Notice(Notice),
}

impl Event {
    /// The names of all events.
    pub const NAMES: [&'static str; 15] = [
        "session/opened",
        "turn/opened",
        "turn/closed",
        "call/judged",
        "approval/asked",
        "approval/decided",
        "approval/policy",
        "call/closed",
        "call/reported",
        "grant/saved",
        "grant/used",
        "grant/revoked",
        "review/done",
        "hook/failed",
        "notice",
    ];

    /// Its name on the line.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SessionOpened(_) => "session/opened",
            Self::TurnOpened(_) => "turn/opened",
            Self::TurnClosed(_) => "turn/closed",
            Self::CallJudged(_) => "call/judged",
            Self::ApprovalAsked(_) => "approval/asked",
            Self::ApprovalDecided(_) => "approval/decided",
            Self::ApprovalPolicy(_) => "approval/policy",
            Self::CallClosed(_) => "call/closed",
            Self::CallReported(_) => "call/reported",
            Self::GrantSaved(_) => "grant/saved",
            Self::GrantUsed(_) => "grant/used",
            Self::GrantRevoked(_) => "grant/revoked",
            Self::ReviewDone(_) => "review/done",
            Self::HookFailed(_) => "hook/failed",
            Self::Notice(_) => "notice",
        }
    }

    /// Whether it must survive the death of the machine, not only of the process: what people said, and what was kept.
    pub const fn is_a_persons_word(&self) -> bool {
        match self {
            Self::ApprovalDecided(decided) => match decided.by {
                Answerer::Person => true,
                Answerer::Host | Answerer::Reviewer | Answerer::Policy | Answerer::Nobody => false,
            },
            Self::ApprovalPolicy(_) | Self::GrantSaved(_) | Self::GrantRevoked(_) => true,
            Self::SessionOpened(_)
            | Self::TurnOpened(_)
            | Self::TurnClosed(_)
            | Self::CallJudged(_)
            | Self::ApprovalAsked(_)
            | Self::CallClosed(_)
            | Self::CallReported(_)
            | Self::GrantUsed(_)
            | Self::ReviewDone(_)
            | Self::HookFailed(_)
            | Self::Notice(_) => false,
        }
    }

    /// A notice.
    pub fn notice(code: NoticeCode, text: &str) -> Self {
        Self::Notice(Notice {
            code,
            text: Clip::of(text, WORDS_BYTES),
        })
    }
}

/// The session began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionOpened {
    /// The session's identity as the host gave it.
    pub session: Clip,
    /// The host by name (`claude-code`), from our own list.
    pub host: String,
    /// Our version.
    pub version: String,
    /// The working directory with which it began.
    pub cwd: Clip,
    /// The workspace, where one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Clip>,
    /// The permission mode in force.
    #[serde(with = "named::mode")]
    pub mode: Mode,
}

/// A turn began or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The turn's identity in its session.
    pub turn: String,
}

/// A question was put.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalAsked {
    /// The question's own identity.
    pub approval: String,
    /// The call that it is about.
    pub call: String,
    /// The digest of the call, to which the answer is bound.
    pub digest: String,
    /// The question in a line.
    pub summary: Clip,
    /// Who was asked first.
    pub of: Answerer,
    /// The rules that wider answers would keep, exactly as shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<String>,
}

/// Who can answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answerer {
    /// A person, at one of our own front ends.
    Person,
    /// The host, which asks by itself.
    Host,
    /// The reviewing model in a person's stead.
    Reviewer,
    /// The policy `never`, without asking anybody.
    Policy,
    /// Nobody: it was withdrawn, timed out, or found open when the session was opened again.
    Nobody,
}

/// A question was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalDecided {
    /// The question's own identity.
    pub approval: String,
    /// The call that it was about.
    pub call: String,
    /// What follows.
    #[serde(with = "named::outcome")]
    pub outcome: Outcome,
    /// What was answered.
    pub answer: Answered,
    /// Who answered.
    pub by: Answerer,
    /// The words for the model, where any were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Clip>,
    /// The time from the question to the answer, in microseconds.
    pub micros: u64,
}

/// The answers (row A7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answered {
    /// This once.
    AllowOnce,
    /// For this session.
    AllowSession,
    /// Always in this project.
    AllowAlways,
    /// Not this time.
    DenyOnce,
    /// Never.
    DenyAlways,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked, or nobody answered in time.
    Unavailable,
    /// The host was told to ask by itself.
    HostAsks,
}

/// The session's approval policy was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalPolicy {
    /// The policy.
    pub policy: Policy,
    /// Who chose it.
    pub by: Answerer,
}

/// The approval policies (row S4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// A person is asked.
    Ask,
    /// Nobody is asked; an ask is refused.
    Never,
    /// The reviewing model may stand in for the person.
    Review,
}

/// The host said what became of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallReported {
    /// The call.
    pub call: String,
    /// What became of it.
    pub ran: Ran,
}

/// What became of a call at the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ran {
    /// It ran and reported success.
    Done,
    /// It ran and reported failure.
    Failed,
    /// It did not run.
    Not,
}

/// An answer wider than "once" was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantSaved {
    /// The grant's identity.
    pub grant: String,
    /// The question from which it comes.
    pub approval: String,
    /// The rule that was kept, exactly as shown.
    pub rule: Clip,
    /// How long it holds.
    pub scope: Scope,
}

/// How long a grant holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// For this session.
    Session,
    /// For this project, on disk.
    Project,
}

/// A kept answer answered again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantUsed {
    /// The grant's identity.
    pub grant: String,
    /// The call that it answered.
    pub call: String,
    /// The rule that was kept.
    pub rule: Clip,
}

/// A kept answer was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantRevoked {
    /// The grant's identity.
    pub grant: String,
    /// Who withdrew it.
    pub by: Answerer,
}

/// The reviewing model gave its opinion (row R9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewDone {
    /// The call that was reviewed.
    pub call: String,
    /// The opinion.
    pub decision: Opinion,
    /// The reviewer's reason.
    pub reason: Clip,
    /// How much is at stake.
    pub risk: Risk,
    /// The model that was asked; nothing where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether the tool passes without a review.
    pub from_allowlist: bool,
    /// The duration in microseconds.
    pub micros: u64,
}

/// A reviewer's opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opinion {
    /// Nothing against it.
    Allow,
    /// It may run, with a warning.
    Warn,
    /// It may not run.
    Block,
}

/// How much is at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// Little.
    Low,
    /// Something.
    Medium,
    /// Much.
    High,
}

/// A hook failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookFailed {
    /// The hook.
    pub hook: Clip,
    /// The call that it was run for, where it was run for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What went wrong.
    pub error: Clip,
}

/// Something worth knowing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// What kind of thing.
    pub code: NoticeCode,
    /// In words.
    pub text: Clip,
}

/// The kinds of notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeCode {
    /// A process died while it wrote to this journal, and what it left was put in order.
    JournalRepaired,
    /// A file of rules, grants or trust could not be read whole.
    FileBroken,
    /// The same refusal came several times in a turn (row P11).
    Repeated,
    /// Anything else.
    Other,
}

impl ApprovalAsked {
    /// A question about a call.
    pub fn new(
        approval: &str,
        call: &countersign_policy::call::Call,
        summary: &str,
        of: Answerer,
    ) -> Self {
        Self {
            approval: short_identity(approval),
            call: short_identity(&call.id.0),
            digest: call.digest().to_string(),
            summary: Clip::of(summary, WORDS_BYTES),
            of,
            offered: Vec::new(),
        }
    }
}
