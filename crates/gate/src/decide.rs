//! The spine: one call in, one recorded decision out. It reads as the whole path of a call; each step lives elsewhere.

use crate::ground::requests_of;
use crate::journal::Journal;
use crate::journal::closed::{CallClosed, Decider};
use crate::journal::error::JournalError;
use crate::journal::event::Event;
use crate::journal::judged::{CallJudged, Code, Phase};
use crate::journal::recorded::Recorded;
use crate::rules::{self, Rules};
use crate::world::environment::Environment;
use crate::world::look;
use crate::world::session::session;
use countersign_policy::action::Action as Verb;
use countersign_policy::call::Call;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::outcome::{Answer, Review};
use countersign_policy::path::AbsPath;
use countersign_policy::session::Session;
use countersign_policy::turn::Turn;
use countersign_policy::verdict::{Source, Verdict};
use countersign_policy::world::{Found, Lookup};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Everything that a call is judged by, loaded once.
#[derive(Debug)]
pub struct Setting {
    /// Facts about the machine.
    pub environment: Environment,
    /// Facts about the session.
    pub session: Session,
    /// The rules in force.
    pub rules: Rules,
    /// The mode in force.
    pub mode: Mode,
    /// What the host lays over the rules for this turn; nothing, unless it says so.
    pub turn: Turn,
}

impl Setting {
    /// Loads what holds for a session that began in `cwd`. `rules` stands in for the user's file; `mode` for its mode.
    pub fn load(
        environment: Environment,
        cwd: &AbsPath,
        rules: Option<&Path>,
        mode: Option<Mode>,
    ) -> Self {
        let session = session(cwd, &environment);
        let rules = rules::load(rules, &session, &environment);
        let mode = rules.set.mode(mode);
        Self {
            environment,
            session,
            rules,
            mode,
            turn: Turn::default(),
        }
    }

    /// What the rules say of a call. Nothing is recorded and nobody is asked.
    pub fn verdict(&self, call: &Call) -> Verdict {
        let circumstances = Circumstances {
            mode: self.mode,
            session: &self.session,
            now: now(),
            enforceable: &[],
            malformed: call.action.malformed().map(str::to_owned),
        };
        // A directory that was entered through a link is judged by where it is.
        let cwd = match look(&Lookup::Path(call.cwd.clone()), &self.environment) {
            Found::Path { resolved, .. } => resolved,
            Found::Program(_)
            | Found::Text(_)
            | Found::Script(_)
            | Found::Names(_)
            | Found::Failed(_) => call.cwd.clone(),
        };
        let call = Call {
            cwd,
            ..call.clone()
        };
        let requests = requests_of(&call, &self.session, &self.environment);
        let verdict = judge(&self.rules.set, &requests, &circumstances);
        self.turn.over(verdict, &call)
    }

    /// Judges a call, lets `answer` settle it, and records both. On an error nothing was recorded: the call is refused.
    pub fn decide(
        &self,
        call: &Call,
        journal: &Journal,
        answer: impl FnOnce(&Verdict) -> (Option<Answer>, Review),
    ) -> Result<Decision, JournalError> {
        let (verdict, events) = self.weigh(call, answer);
        let mut recorded = journal.record(&events)?;
        let recorded = recorded.pop();
        Ok(Decision { verdict, recorded })
    }

    /// Judges a call and lets `answer` settle it. Returns the two events that have to be recorded before anything may
    /// follow from it: for a caller that records more at once.
    pub fn weigh(
        &self,
        call: &Call,
        answer: impl FnOnce(&Verdict) -> (Option<Answer>, Review),
    ) -> (Verdict, [Event; 2]) {
        let began = Instant::now();
        let verdict = self.verdict(call);
        let judged = CallJudged::of(
            call,
            &verdict,
            (Code::of(&verdict), Phase::PreCheck),
            micros(began),
        );
        let (answer, review) = answer(&verdict);
        let by = decider(&verdict, answer, review);
        let closed = CallClosed::settled(call, &verdict, (answer, review), by, micros(began));
        let events = [
            Event::CallJudged(Box::new(judged)),
            Event::CallClosed(closed),
        ];
        (verdict, events)
    }
}

/// A verdict with the proof that it was recorded.
#[derive(Debug)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The record of the outcome; an allowed one holds the permit.
    pub recorded: Option<Recorded>,
}

/// Who decided, for the record.
fn decider(verdict: &Verdict, answer: Option<Answer>, review: Review) -> Decider {
    match (verdict.action, review, answer) {
        (Verb::Deny, _, _) if verdict.malformed.is_some() => Decider::Error,
        (Verb::Deny, _, _) => decisive(verdict),
        (Verb::Allow | Verb::Ask, Review::Block, _) => Decider::Reviewer,
        (Verb::Allow | Verb::Ask, Review::Pass, Some(Answer::HostAsks)) => Decider::Host,
        (Verb::Allow, Review::Pass, _) => decisive(verdict),
        (Verb::Ask, Review::Pass, Some(Answer::Granted)) => Decider::Grant,
        (Verb::Ask, Review::Pass, Some(Answer::Allow | Answer::Deny)) => Decider::Person,
        (Verb::Ask, Review::Pass, None | Some(Answer::Cancelled | Answer::Unavailable)) => {
            Decider::Nobody
        }
    }
}

/// What decided the strictest finding.
fn decisive(verdict: &Verdict) -> Decider {
    let strictest = verdict
        .findings
        .iter()
        .find(|finding| finding.action == verdict.action);
    match strictest.map(|finding| &finding.source) {
        Some(Source::Floor(_)) => Decider::Floor,
        Some(
            Source::Rule(_)
            | Source::PerhapsRule(_)
            | Source::Confinement(_)
            | Source::SettledByCommand(_)
            | Source::ScopedAllow(_)
            | Source::BrokenRules,
        ) => Decider::Rule,
        Some(
            Source::ReadOnlyTurn
            | Source::Opacity(_)
            | Source::Mode(_)
            | Source::CategoryChoice(_)
            | Source::ItsEffects
            | Source::ItsStarter,
        )
        | None => Decider::Mode,
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    i64::try_from(since).unwrap_or(i64::MAX)
}
