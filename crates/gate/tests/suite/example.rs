//! Example values for the tests; nothing here tests anything.

use countersign_gate::journal::event::{Event, Turn};
use countersign_gate::journal::{Journal, Options};
use countersign_policy::action::Action;
use countersign_policy::call::{Action as CallAction, Call, CallId};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Category, Kind, Request, Target};
use countersign_policy::rules::rule::{Authority, RuleRef};
use countersign_policy::verdict::{Finding, Source, Verdict};
use std::path::Path;

pub(crate) fn path(text: impl AsRef<Path>) -> AbsPath {
    AbsPath::parse(text.as_ref().to_str().unwrap()).unwrap()
}

/// A temporary directory by the name that no link leads to.
pub(crate) fn directory() -> (tempfile::TempDir, AbsPath) {
    let directory = tempfile::tempdir().unwrap();
    let real = path(directory.path().canonicalize().unwrap());
    (directory, real)
}

/// Whether the long form of a test was asked for.
pub(crate) fn is_full() -> bool {
    std::env::var_os("COUNTERSIGN_FULL").is_some_and(|value| value == "1")
}

pub(crate) fn turn(name: &str) -> Event {
    Event::TurnOpened(Turn {
        turn: name.to_owned(),
    })
}

pub(crate) fn journal(state: &Path) -> Journal {
    Journal::open(state, "s", Options::default()).unwrap()
}

pub(crate) fn call(input: &str) -> Call {
    Call {
        id: CallId("toolu_1".to_owned()),
        tool: "Bash".to_owned(),
        input: input.to_owned(),
        cwd: path("/work"),
        action: CallAction::Shell("git push".to_owned()),
    }
}

pub(crate) fn rule() -> RuleRef {
    RuleRef {
        authority: Authority::User,
        id: Some("no-force".to_owned()),
        label: "deny shell git push *".to_owned(),
        origin: "~/.config/countersign/rules.toml".to_owned(),
        line: 7,
        reason: None,
        hint: None,
    }
}

pub(crate) fn finding(target: Target, action: Action, source: Source) -> Finding {
    Finding {
        request: Request {
            kind: Kind::Shell,
            target,
            category: Category::Remote,
            mode_applies: true,
            command: 0,
            own: true,
            program: Some("git".to_owned()),
            cwd: vec![path("/work")],
            within: None,
            floor: None,
            span: None,
        },
        action,
        source,
        matched: Vec::new(),
        lifted: Vec::new(),
        person_only: false,
        confine: Vec::new(),
    }
}

pub(crate) fn verdict(action: Action, findings: Vec<Finding>) -> Verdict {
    Verdict {
        action,
        findings,
        mode: Mode::Default,
        malformed: None,
        broken: Vec::new(),
    }
}
