//! The calls that somebody was, or would have been, asked about: those of journals as this machine stands now, those of
//! recordings on a made-up machine. No rule is looked for here.

use super::key::{Key, key};
use crate::configuration;
use crate::error::{CommandError, ErrorKind};
use crate::judged::now;
use crate::log::sessions::{self, Which};
use crate::replay::recording::{Recording, each_line};
use countersign_gate::decide::Setting;
use countersign_gate::imagined;
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::event::{Event, Ran};
use countersign_gate::journal::judged::CallJudged;
use countersign_gate::rules::{Rules, alone};
use countersign_gate::world::environment::Environment;
use countersign_hooks::recorded;
use countersign_policy::action::Action;
use countersign_policy::call::{Action as Meaning, Call};
use countersign_policy::explain;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::outcome::Outcome;
use countersign_policy::path::AbsPath;
use countersign_policy::request::Request;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::session::Session;
use countersign_policy::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Everything that was asked about.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// The rules by which calls were judged.
    pub(super) bases: Vec<RuleSet>,
    /// The calls that rules could answer.
    pub(super) asks: Vec<Ask>,
    /// Calls that a person should see each time.
    pub(super) for_persons: usize,
    /// Calls that somebody refused, or that did not run.
    pub(super) refused: usize,
    /// Calls that are not asked about by the rules of today.
    pub(super) settled: usize,
    /// Lines and calls that cannot be read whole.
    pub(super) unread: usize,
}

/// One call that is asked about.
#[derive(Debug)]
pub(super) struct Ask {
    /// The call in words.
    pub(super) text: String,
    /// What it asks for.
    requests: Vec<Request>,
    session: Session,
    mode: Mode,
    /// Its place among the bases.
    pub(super) base: usize,
    /// What rules would have to say.
    pub(super) keys: Vec<Key>,
}

impl Ask {
    /// Whether it is allowed by these rules.
    pub(super) fn is_allowed(&self, rules: &RuleSet) -> bool {
        let circumstances = Circumstances {
            mode: self.mode,
            session: &self.session,
            now: now(),
            enforceable: &[],
            malformed: None,
        };
        judge(rules, &self.requests, &circumstances).action == Action::Allow
    }
}

impl Asked {
    /// Takes in the calls of journals.
    pub(super) fn journals(&mut self, which: &Which) -> Result<(), CommandError> {
        let mut settings = Settings::default();
        for journal in sessions::find(which)? {
            let mut judged: Vec<(Box<CallJudged>, Option<String>)> = Vec::new();
            let mut refused = BTreeSet::new();
            let mut start = None;
            for entry in entries(&journal.path)? {
                let Ok(entry) = entry else {
                    self.unread += 1;
                    continue;
                };
                match entry.event {
                    Event::SessionOpened(opened) if !opened.cwd.is_cut() => {
                        start = Some(opened.cwd.head);
                    }
                    Event::CallJudged(call) if call.action == Action::Ask => {
                        judged.push((call, start.clone()));
                    }
                    Event::CallClosed(closed) if closed.outcome() == Outcome::Rejected => {
                        refused.insert(closed.call().to_owned());
                    }
                    Event::CallReported(reported) if reported.ran == Ran::Not => {
                        refused.insert(reported.call);
                    }
                    Event::SessionOpened(_)
                    | Event::TurnOpened(_)
                    | Event::TurnClosed(_)
                    | Event::CallJudged(_)
                    | Event::ApprovalAsked(_)
                    | Event::ApprovalDecided(_)
                    | Event::ApprovalPolicy(_)
                    | Event::CallClosed(_)
                    | Event::CallReported(_)
                    | Event::GrantSaved(_)
                    | Event::GrantUsed(_)
                    | Event::GrantRevoked(_)
                    | Event::ReviewDone(_)
                    | Event::HookFailed(_)
                    | Event::Notice(_) => {}
                }
            }
            for (call, start) in judged {
                if refused.contains(&call.call) {
                    self.refused += 1;
                } else {
                    self.judged(&call, start.as_deref(), &mut settings)?;
                }
            }
        }
        Ok(())
    }

    /// Takes in a call of a journal, judged as of today.
    fn judged(
        &mut self,
        judged: &CallJudged,
        start: Option<&str>,
        settings: &mut Settings,
    ) -> Result<(), CommandError> {
        let whole = !judged.input.is_cut() && !judged.cwd.is_cut() && !judged.tool.is_cut();
        let input = serde_json::from_str(&judged.input.head).ok();
        let cwd = AbsPath::parse(&judged.cwd.head);
        let (true, Some(input), Some(cwd)) = (whole, input, cwd) else {
            self.unread += 1;
            return Ok(());
        };
        let call = recorded::call(&judged.tool.head, &input, &judged.call, &cwd);
        let start = start.and_then(AbsPath::parse).unwrap_or(cwd);
        let (base, setting) = settings.of(&start, &mut self.bases)?;
        setting.mode = setting.rules.set.mode(Some(judged.mode));
        let verdict = setting.verdict(&call);
        self.add(&call, &verdict, &setting.session, base);
        Ok(())
    }

    /// Takes in the calls of a recording.
    pub(super) fn recording(&mut self, file: &Path) -> Result<(), CommandError> {
        let rules = own_rules()?;
        let base = self.bases.len();
        let mode = rules.mode(None);
        self.bases.push(rules.clone());
        let mut places: BTreeMap<String, Session> = BTreeMap::new();
        each_line(file, |_, _, recording| match recording {
            Err(_) => self.unread += 1,
            Ok(Recording { session, calls }) => {
                for call in calls {
                    let known = places.entry(session.clone());
                    let places = known.or_insert_with(|| imagined::session(&call.cwd));
                    let verdict = imagined::verdict(&call, places, &rules, mode);
                    if verdict.action == Action::Ask {
                        self.add(&call, &verdict, places, base);
                    }
                }
            }
        })
    }

    fn add(&mut self, call: &Call, verdict: &Verdict, session: &Session, base: usize) {
        match verdict.action {
            Action::Ask if verdict.malformed.is_none() => {}
            Action::Allow | Action::Ask | Action::Deny => {
                self.settled += 1;
                return;
            }
        }
        let keys = explain::deciding(verdict).map(|finding| key(finding, session));
        let Some(keys) = keys.collect::<Option<Vec<Key>>>() else {
            self.for_persons += 1;
            return;
        };
        let findings = verdict.findings.iter();
        self.asks.push(Ask {
            text: words(call, verdict),
            requests: findings.map(|finding| finding.request.clone()).collect(),
            session: session.clone(),
            mode: verdict.mode,
            base,
            keys,
        });
    }
}

/// What is in force where sessions began, each loaded once.
#[derive(Default)]
struct Settings {
    loaded: BTreeMap<String, (usize, Setting)>,
}

impl Settings {
    fn of(
        &mut self,
        start: &AbsPath,
        bases: &mut Vec<RuleSet>,
    ) -> Result<(usize, &mut Setting), CommandError> {
        let known = self.loaded.entry(start.to_string());
        let (base, setting) = known.or_insert_with(|| {
            let setting = Setting::load(Environment::of_process(), start, None, None);
            bases.push(setting.rules.set.clone());
            (bases.len() - 1, setting)
        });
        whole(&setting.rules)?;
        Ok((*base, setting))
    }
}

/// The built-in rules and the user's own, for calls of another machine.
fn own_rules() -> Result<RuleSet, CommandError> {
    let directory = Environment::of_process().config_dir();
    let path = directory.map(|own| PathBuf::from(own.join("rules.toml").as_str()));
    let path = path.filter(|path| path.exists());
    let rules = alone(path.as_deref(), &imagined::session(&AbsPath::root()));
    whole(&rules)?;
    Ok(rules.set)
}

/// While a file is broken everything asks, and nothing would follow from it.
fn whole(rules: &Rules) -> Result<(), CommandError> {
    if rules.set.broken().next().is_none() {
        return Ok(());
    }
    configuration::report(rules);
    let words = "the rules cannot be read whole, and nothing is suggested on them";
    Err(CommandError::new(ErrorKind::Config, words))
}

/// A call in words: a command as it is, else what is asked for.
fn words(call: &Call, verdict: &Verdict) -> String {
    if let Meaning::Shell(text) = &call.action {
        return text.clone();
    }
    match explain::decisive(verdict) {
        Some(finding) => format!("{}: {}", call.tool, explain::subject(&finding.request)),
        None => call.tool.clone(),
    }
}
