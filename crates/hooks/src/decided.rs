//! Calls judged, recorded together, and answered: what was recorded is what is said.

use crate::agent::Agent;
use crate::answer::Answer;
use crate::asked::{Asked, Hearing};
use crate::deadline::Deadline;
use crate::granted::granted;
use countersign_gate::decide::Setting;
use countersign_gate::journal::clip::Clip;
use countersign_gate::journal::closed::{CallClosed, Decider, Refusal};
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::event::{Event, SessionOpened, Turn};
use countersign_gate::journal::name::short_identity;
use countersign_gate::journal::recorded::Recorded;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::world::environment::Environment;
use countersign_policy::action::Action;
use countersign_policy::call::{Call, CallId};
use countersign_policy::outcome::{self, Outcome, Review};
use countersign_policy::path::AbsPath;
use countersign_policy::rules::approvals::Approvals;
use std::path::Path;
use std::time::{Duration, Instant};

/// The most bytes of a foreign identity that a line keeps.
const WORDS_BYTES: usize = 1024;

/// Judges the calls of one message, records them together, and says what follows from each.
pub(crate) fn decided(
    agent: Agent,
    calls: &[Asked],
    environment: Environment,
    deadline: Deadline,
) -> Result<Vec<Answer>, Failure> {
    let Some(first) = calls.first() else {
        return Err(Failure::NoPermit);
    };
    environment.state_dir().ok_or(Failure::NoPlace)?;
    let project = project(agent, Some(&first.call.cwd));
    let project = project.unwrap_or_else(|| first.call.cwd.clone());
    let setting = Setting::load(environment, &project, None, None);

    let mut answers = Vec::with_capacity(calls.len());
    let mut events = Vec::with_capacity(4 * calls.len());
    for asked in calls {
        let before = match asked.hearing {
            Hearing::First => None,
            Hearing::Again => {
                let journal = journal(&asked.session, &setting.environment, deadline)?;
                earlier(&asked.call, &journal).map_err(Failure::Journal)?
            }
        };
        let (answer, used, [judged, closed]) = weighed(&setting, asked, before.as_ref())?;
        let turn = Turn {
            turn: short_identity(&asked.call.id.0),
        };
        answers.push(answer);
        events.extend([Event::TurnOpened(turn.clone()), judged]);
        events.extend(used);
        events.extend([closed, Event::TurnClosed(turn)]);
    }
    let journal = journal(&first.session, &setting.environment, deadline)?;
    let opening = opened(agent, &first.session, &project, &setting);
    let recorded = journal
        .record_after(Some(&opening), &events)
        .map_err(Failure::Journal)?;
    // The process ends with the answer; taking its rules apart would only keep the host waiting.
    std::mem::forget(setting);
    let outcomes = recorded.iter().filter_map(Recorded::outcome);
    let pairs = answers.iter().zip(outcomes);
    if pairs.clone().count() == calls.len()
        && pairs
            .into_iter()
            .all(|(answer, outcome)| fits(answer, outcome))
    {
        Ok(answers)
    } else {
        Err(Failure::NoPermit)
    }
}

/// Why a call could not be decided.
pub(crate) enum Failure {
    /// There is nowhere to keep the journal.
    NoPlace,
    /// The journal did not take it.
    Journal(JournalError),
    /// There was no time left.
    Late(Duration),
    /// An allowed call came back without a permit.
    NoPermit,
}

impl Failure {
    /// In words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::NoPlace => NO_PLACE.to_owned(),
            Self::Journal(error) => error.to_string(),
            Self::Late(limit) => too_late(*limit),
            Self::NoPermit => "the record holds no permit".to_owned(),
        }
    }

    /// The refusal that follows.
    pub(crate) fn answer(&self) -> Answer {
        match self {
            Self::NoPlace => {
                Answer::failure(NO_PLACE, Some("set `HOME` for the host that runs the hook"))
            }
            Self::Journal(error) => Answer::failure(&error.to_string(), error.hint()),
            Self::Late(limit) => late(*limit),
            Self::NoPermit => Answer::failure(&self.words(), None),
        }
    }
}

const NO_PLACE: &str =
    "there is no place for the journal, as neither `HOME` nor `XDG_STATE_HOME` is an absolute path";

fn too_late(limit: Duration) -> String {
    format!("no decision in time ({} ms)", limit.as_millis())
}

/// The refusal when the time is over. Nobody said no.
pub(crate) fn late(limit: Duration) -> Answer {
    Answer::failure(
        &too_late(limit),
        Some("try again; where it stays so, run `countersign doctor`"),
    )
}

/// The directory in which a session began: what the host says of it, or else where the message comes from.
pub(crate) fn project(agent: Agent, cwd: Option<&AbsPath>) -> Option<AbsPath> {
    let named = std::env::var(agent.project_variable()).ok();
    named
        .as_deref()
        .and_then(AbsPath::parse)
        .or_else(|| cwd.cloned())
}

/// The journal of a session, with as much patience as there is time.
pub(crate) fn journal(
    session: &str,
    environment: &Environment,
    deadline: Deadline,
) -> Result<Journal, Failure> {
    let state = environment.state_dir().ok_or(Failure::NoPlace)?;
    let lock_wait = deadline.left_to_begin();
    if lock_wait.is_zero() {
        return Err(Failure::Late(deadline.limit()));
    }
    let options = Options {
        lock_wait,
        ..Options::default()
    };
    Journal::at(Path::new(state.as_str()), session, options).map_err(Failure::Journal)
}

/// Whether an answer says what was recorded.
const fn fits(answer: &Answer, outcome: Outcome) -> bool {
    match (answer, outcome) {
        (Answer::Allow(_), Outcome::Allowed)
        | (Answer::Ask(_) | Answer::Nothing, Outcome::Deferred)
        | (Answer::Deny(_), Outcome::Rejected | Outcome::Unavailable) => true,
        (
            Answer::Allow(_) | Answer::Ask(_) | Answer::Nothing | Answer::Deny(_) | Answer::Tell(_),
            Outcome::Allowed
            | Outcome::Deferred
            | Outcome::Rejected
            | Outcome::Unavailable
            | Outcome::Cancelled,
        ) => false,
    }
}

/// A call as it was judged before in its session.
struct Earlier {
    call: String,
    outcome: Outcome,
}

/// How the same call (tool, directory and input) was closed last: a host does not name it when it asks once more.
fn earlier(call: &Call, journal: &Journal) -> Result<Option<Earlier>, JournalError> {
    let digest = call.digest().to_string();
    let mut found = None;
    journal.record_seeing(|back| {
        for entry in back {
            if let Event::CallClosed(closed) = entry?.event
                && closed.digest() == digest
            {
                found = Some(Earlier {
                    call: closed.call().to_owned(),
                    outcome: closed.outcome(),
                });
                break;
            }
        }
        Ok(Vec::new())
    })?;
    Ok(found)
}

/// Judges one call, no laxer than it was judged before, with the record of each kept answer that was used.
fn weighed(
    setting: &Setting,
    asked: &Asked,
    before: Option<&Earlier>,
) -> Result<(Answer, Vec<Event>, [Event; 2]), Failure> {
    let mut call = asked.call.clone();
    if let Some(before) = before {
        call.id = CallId(before.call.clone());
    }
    let began = Instant::now();
    let mut answer = None;
    let (verdict, [judged, closed]) = setting.weigh(&call, |verdict| {
        let granted = granted(setting, asked, verdict);
        let (said, settles) = Answer::with(verdict, asked, &granted);
        let (said, settles) = match setting.rules.set.approvals(None) {
            Approvals::Never => said.without_asking(verdict, settles),
            // A reviewer does not stand in yet: the person is asked.
            Approvals::Ask | Approvals::Review => (said, settles),
        };
        let (said, settles) = match before {
            Some(before) => said.settled_not_laxer_than(before.outcome, settles),
            None => (said, settles),
        };
        let used = match settles {
            Some(outcome::Answer::Granted) => granted.events(&call),
            Some(
                outcome::Answer::Allow
                | outcome::Answer::Deny
                | outcome::Answer::Cancelled
                | outcome::Answer::Unavailable
                | outcome::Answer::HostAsks,
            )
            | None => Vec::new(),
        };
        answer = Some((said, used));
        (settles, Review::Pass)
    });
    let (answer, used) = answer.ok_or(Failure::NoPermit)?;
    let stricter = match (&answer, verdict.action, before) {
        // The rules would not refuse it now, but what was said before does.
        (Answer::Deny(_), Action::Allow | Action::Ask, Some(_)) => {
            Some((Refusal::Rejected, Decider::Hook))
        }
        // The rules would allow it, but a person has to be asked, and there is none.
        (Answer::Deny(_), Action::Allow, None) => Some((Refusal::Unavailable, Decider::Nobody)),
        (Answer::Deny(_), Action::Ask, None)
        | (Answer::Deny(_), Action::Deny, _)
        | (Answer::Allow(_) | Answer::Ask(_) | Answer::Nothing | Answer::Tell(_), _, _) => None,
    };
    let closed = match stricter {
        Some((refusal, by)) => {
            let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            Event::CallClosed(CallClosed::refused(&call, refusal, by, micros))
        }
        None => closed,
    };
    Ok((answer, used, [judged, closed]))
}

/// The first line of a session.
pub(crate) fn opened(agent: Agent, session: &str, first: &AbsPath, setting: &Setting) -> Event {
    let workspace = setting.session.workspace.as_ref();
    Event::SessionOpened(SessionOpened {
        session: Clip::of(session, WORDS_BYTES),
        host: agent.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cwd: Clip::of(first.as_str(), WORDS_BYTES),
        workspace: workspace.map(|path| Clip::of(path.as_str(), WORDS_BYTES)),
        mode: setting.mode,
    })
}
