//! The way of one message: understood, judged, recorded, answered. Nothing is answered that was not recorded before.

use crate::agent::Agent;
use crate::answer::Answer;
use crate::asked::{Asked, Message, Report, Unclear};
use crate::deadline::Deadline;
use crate::granted::granted;
use countersign_gate::decide::Setting;
use countersign_gate::journal::clip::Clip;
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::event::{CallReported, Event, HookFailed, SessionOpened, Turn};
use countersign_gate::journal::name::short_identity;
use countersign_gate::journal::recorded::Recorded;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::world::environment::Environment;
use countersign_policy::outcome::{Outcome, Review};
use countersign_policy::path::AbsPath;
use std::path::Path;
use std::time::Duration;

/// The most bytes of a foreign identity or sentence that a line keeps.
const WORDS_BYTES: usize = 1024;

/// How long a note about a failure may wait for the journal; the host is waiting too.
const NOTE_WAIT: Duration = Duration::from_millis(100);

/// What a host is told, and of which event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The event that the reply names.
    pub event: String,
    /// What the host is told.
    pub answer: Answer,
}

/// Answers one message.
pub fn respond(
    agent: Agent,
    message: Message,
    environment: Environment,
    deadline: Deadline,
) -> Response {
    match message {
        Message::Call(asked) => judged(agent, &asked, environment, deadline),
        Message::Report(report) => {
            reported(&report, &environment);
            Response {
                event: String::new(),
                answer: Answer::Nothing,
            }
        }
        Message::Idle => Response {
            event: String::new(),
            answer: Answer::Nothing,
        },
        Message::Unclear(Unclear {
            event,
            session,
            why,
        }) => {
            note(agent, &session, None, &why, &environment);
            let remedy = "update countersign, or see whether the host's hook entry still fits it";
            Response {
                event,
                answer: Answer::failure(&why, Some(remedy)),
            }
        }
    }
}

/// Why a call could not be decided.
enum Failure {
    /// There is nowhere to keep the journal.
    NoPlace,
    /// The journal did not take it.
    Journal(JournalError),
    /// There was no time left.
    Late(Duration),
    /// An allowed call came back without a permit.
    NoPermit,
}

/// Judges a call, records it and says what follows.
fn judged(agent: Agent, asked: &Asked, environment: Environment, deadline: Deadline) -> Response {
    let event = asked.event.clone();
    let answer = decide(agent, asked, environment, deadline).unwrap_or_else(|failure| match failure
    {
        Failure::NoPlace => Answer::failure(
            "there is no place for the journal, as neither `HOME` nor `XDG_STATE_HOME` is an absolute path",
            Some("set `HOME` for the host that runs the hook"),
        ),
        Failure::Journal(error) => Answer::failure(&error.to_string(), error.hint()),
        Failure::Late(limit) => late(limit),
        Failure::NoPermit => Answer::failure("the record holds no permit", None),
    });
    Response { event, answer }
}

/// The refusal when the time is over. Nobody said no.
pub fn late(limit: Duration) -> Answer {
    let why = format!("no decision in time ({} ms)", limit.as_millis());
    Answer::failure(
        &why,
        Some("try again; where it stays so, run `countersign doctor`"),
    )
}

fn decide(
    agent: Agent,
    asked: &Asked,
    environment: Environment,
    deadline: Deadline,
) -> Result<Answer, Failure> {
    let state = environment.state_dir().ok_or(Failure::NoPlace)?;
    let project = std::env::var(agent.project_variable()).ok();
    let project = project.as_deref().and_then(AbsPath::parse);
    let first = project.unwrap_or_else(|| asked.call.cwd.clone());
    let setting = Setting::load(environment, &first, None, None);

    let mut answer = None;
    let (_, [judged, closed]) = setting.weigh(&asked.call, |verdict| {
        let granted = granted(&setting, asked, verdict);
        let (said, settles) = Answer::with(verdict, asked, &granted);
        answer = Some((said, granted.events(asked)));
        (settles, Review::Pass)
    });
    let (answer, used) = answer.ok_or(Failure::NoPermit)?;

    let turn = Turn {
        turn: short_identity(&asked.call.id.0),
    };
    let lock_wait = deadline.left_to_begin();
    if lock_wait.is_zero() {
        return Err(Failure::Late(deadline.limit()));
    }
    let options = Options {
        lock_wait,
        ..Options::default()
    };
    let state = Path::new(state.as_str());
    let journal = Journal::at(state, &asked.session, options).map_err(Failure::Journal)?;
    let mut events = vec![Event::TurnOpened(turn.clone()), judged];
    events.extend(used);
    events.extend([closed, Event::TurnClosed(turn)]);
    let recorded = journal
        .record_after(Some(&opened(agent, asked, &first, &setting)), &events)
        .map_err(Failure::Journal)?;
    // The process ends with the answer; taking its rules apart would only keep the host waiting.
    std::mem::forget(setting);
    let outcome = recorded.iter().find_map(Recorded::outcome);
    match (&answer, outcome) {
        (Answer::Allow(_), Some(Outcome::Allowed))
        | (Answer::Ask(_) | Answer::Nothing, Some(Outcome::Deferred))
        | (Answer::Deny(_), Some(Outcome::Rejected | Outcome::Unavailable)) => Ok(answer),
        (Answer::Allow(_) | Answer::Ask(_) | Answer::Nothing | Answer::Deny(_), _) => {
            Err(Failure::NoPermit)
        }
    }
}

/// The first line of a session.
fn opened(agent: Agent, asked: &Asked, first: &AbsPath, setting: &Setting) -> Event {
    let workspace = setting.session.workspace.as_ref();
    Event::SessionOpened(SessionOpened {
        session: Clip::of(&asked.session, WORDS_BYTES),
        host: agent.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cwd: Clip::of(first.as_str(), WORDS_BYTES),
        workspace: workspace.map(|path| Clip::of(path.as_str(), WORDS_BYTES)),
        mode: setting.mode,
    })
}

/// Records what became of a call. It is over: where this fails nothing is held back for it.
fn reported(report: &Report, environment: &Environment) {
    let event = Event::CallReported(CallReported {
        call: short_identity(&report.call),
        ran: report.ran,
    });
    append(&report.session, &event, environment);
}

/// Records that a message was refused without being judged, if that can be done; the refusal stands either way.
pub fn note(agent: Agent, session: &str, call: Option<&str>, why: &str, environment: &Environment) {
    let event = Event::HookFailed(HookFailed {
        hook: Clip::of(&format!("countersign-hook {}", agent.name()), WORDS_BYTES),
        call: call.map(short_identity),
        error: Clip::of(why, WORDS_BYTES),
    });
    append(session, &event, environment);
}

fn append(session: &str, event: &Event, environment: &Environment) {
    let options = Options {
        lock_wait: NOTE_WAIT,
        ..Options::default()
    };
    let Some(state) = environment.state_dir() else {
        return;
    };
    let journal = Journal::at(Path::new(state.as_str()), session, options);
    // There is nobody left to tell.
    let _ = journal.and_then(|journal| journal.record(std::slice::from_ref(event)));
}
