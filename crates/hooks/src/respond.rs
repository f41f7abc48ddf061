//! The way of one message: understood, judged, recorded, answered. Nothing is answered that was not recorded before.

use crate::agent::Agent;
use crate::answer::Answer;
use crate::asked::{Change, Expansion, Message, Report, Start, Unclear};
use crate::changed::{Changed, changed};
use crate::deadline::Deadline;
use crate::decided::{Failure, decided, journal, opened, project};
use crate::expanded::expanded;
use crate::reported::reported;
use crate::started::{Problem, started};
use countersign_gate::decide::Setting;
use countersign_gate::journal::clip::Clip;
use countersign_gate::journal::event::{Event, HookFailed, NoticeCode};
use countersign_gate::journal::name::short_identity;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::world::environment::Environment;
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
        Message::Call(asked) => {
            let answers = decided(agent, std::slice::from_ref(&*asked), environment, deadline);
            Response {
                answer: settled(answers),
                event: asked.event,
            }
        }
        Message::Expansion(expansion) => typed(agent, expansion, environment, deadline),
        Message::Report(report) => over(report, &environment, deadline),
        Message::Start(start) => begun(agent, start, environment, deadline),
        Message::Change(change) => held(agent, change, &environment),
        Message::Idle => Response {
            event: String::new(),
            answer: Answer::Nothing,
        },
        Message::Unclear(Unclear {
            event,
            session,
            why,
        }) => unclear(agent, (event, &session), &why, &environment),
    }
}

/// Refuses what cannot be understood.
fn unclear(
    agent: Agent,
    (event, session): (String, &str),
    why: &str,
    environment: &Environment,
) -> Response {
    note(agent, session, None, why, environment);
    let remedy = "update countersign, or see whether the host's hook entry still fits it";
    Response {
        event,
        answer: Answer::failure(why, Some(remedy)),
    }
}

/// Judges the commands that a typed command would run.
fn typed(
    agent: Agent,
    expansion: Expansion,
    environment: Environment,
    deadline: Deadline,
) -> Response {
    let project = project(agent, expansion.cwd.as_ref());
    let project = project.unwrap_or_else(AbsPath::root);
    let calls = match expanded(agent, &expansion, &environment, &project) {
        Ok(calls) => calls,
        Err(why) => {
            let event = (expansion.event, expansion.session.as_str());
            return unclear(agent, event, &why, &environment);
        }
    };
    let answer = if calls.is_empty() {
        Answer::Nothing
    } else {
        settled(decided(agent, &calls, environment, deadline))
    };
    Response {
        event: expansion.event,
        answer,
    }
}

/// What follows from the answers to all calls of a message.
fn settled(answers: Result<Vec<Answer>, Failure>) -> Answer {
    match answers {
        Ok(mut answers) if answers.len() == 1 => answers.pop().unwrap_or(Answer::Nothing),
        Ok(answers) => Answer::of_all(answers),
        Err(failure) => failure.answer(),
    }
}

/// Records what became of a call. It is over: where this fails nothing is held back for it, and the person is told.
fn over(report: Report, environment: &Environment, deadline: Deadline) -> Response {
    let told = journal(&report.session, environment, deadline)
        .and_then(|journal| reported(&report, &journal).map_err(Failure::Journal));
    let answer = match told {
        Ok(None) => Answer::Nothing,
        Ok(Some(words)) => Answer::tell(&words),
        Err(failure) => {
            let why = failure.words();
            Answer::tell(&format!("what became of a call was not recorded: {why}"))
        }
    };
    Response {
        event: report.event,
        answer,
    }
}

/// Looks into what has to hold when a session begins.
fn begun(agent: Agent, start: Start, environment: Environment, deadline: Deadline) -> Response {
    let project = project(agent, start.cwd.as_ref()).unwrap_or_else(AbsPath::root);
    let mut problems = started(&start, &environment, &project);
    let setting = Setting::load(environment, &project, None, None);
    let notices: Vec<Event> = problems
        .iter()
        .map(|problem| Event::notice(problem.code, &problem.words))
        .collect();
    let first = opened(agent, &start.session, &project, &setting);
    let written = journal(&start.session, &setting.environment, deadline).and_then(|journal| {
        let written = journal.record_after(Some(&first), &notices);
        written.map_err(Failure::Journal)
    });
    if let Err(failure) = written {
        let why = failure.words();
        let words =
            format!("no decision can be recorded, so every call is going to be refused: {why}");
        problems.push(Problem {
            code: NoticeCode::Other,
            words,
        });
    }
    let words: Vec<&str> = problems
        .iter()
        .map(|problem| problem.words.as_str())
        .collect();
    let answer = if words.is_empty() {
        Answer::Nothing
    } else {
        Answer::tell(&words.join("\n"))
    };
    Response {
        event: start.event,
        answer,
    }
}

/// Looks at a change of the host's settings.
fn held(agent: Agent, change: Change, environment: &Environment) -> Response {
    let project = project(agent, change.cwd.as_ref()).unwrap_or_else(AbsPath::root);
    let Changed { answer, notice } = changed(&change, environment, &project);
    if let Some(notice) = notice {
        let notice = Event::notice(NoticeCode::Other, &notice);
        append(&change.session, &notice, environment);
    }
    Response {
        event: change.event,
        answer,
    }
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
