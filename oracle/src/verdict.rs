//! What the judge says of a command line under a rule that denies the marker, in a world made up in memory.

use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::effects::effect::Effect;
use countersign_policy::effects::ground::{Grounded, Step, step};
use countersign_policy::effects::read::read;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::requests::requests;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use countersign_policy::verdict::Verdict;
use countersign_policy::world::{FileKind, Found, Lookup, World};

/// Rounds of questions for one call.
const MOST_ROUNDS: usize = 12;

/// A judge with the built-in rules and one file of the user's.
#[derive(Debug)]
pub struct Judge {
    session: Session,
    rules: RuleSet,
    mode: Mode,
}

impl Judge {
    /// A judge in mode `open`, in which most is allowed.
    pub fn new(rules: &str) -> Self {
        Self::with(rules, Mode::Open)
    }

    /// A judge in any mode.
    pub fn with(rules: &str, mode: Mode) -> Self {
        let session = Session::example("/home/u/work");
        let user = parse(rules, "rules.toml", Authority::User).layer;
        Self {
            session,
            rules: RuleSet::new(vec![builtin(), user]),
            mode,
        }
    }

    /// What is said of a text that bash would run.
    pub fn of_shell(&self, text: &str) -> Verdict {
        self.of(&call(Action::Shell(text.to_owned())))
    }

    /// What is said of a call.
    pub fn of(&self, call: &Call) -> Verdict {
        let effects = read(call, &self.session);
        let grounded = ground(&effects, &self.session);
        let circumstances = Circumstances {
            mode: self.mode,
            session: &self.session,
            now: 0,
            enforceable: &[],
            malformed: None,
        };
        judge(
            &self.rules,
            &requests(&grounded, &self.session),
            &circumstances,
        )
    }
}

/// A call in the workspace.
pub fn call(action: Action) -> Call {
    Call {
        id: CallId(String::new()),
        tool: "Bash".to_owned(),
        input: String::new(),
        cwd: AbsPath::root().join("home/u/work"),
        action,
    }
}

/// Grounds effects in a world where every path leads to itself and every program is in `/usr/bin`.
fn ground(effects: &[Effect], session: &Session) -> Grounded {
    let mut world = World::new();
    for _ in 0..MOST_ROUNDS {
        match step(effects, session, &world) {
            Step::Ready(grounded) => return grounded,
            Step::Need(lookups) => {
                for lookup in lookups {
                    let found = found(&lookup);
                    world.insert(lookup, found);
                }
            }
        }
    }
    Grounded {
        effects: effects.to_vec(),
    }
}

fn found(lookup: &Lookup) -> Found {
    match lookup {
        Lookup::Path(path) => Found::Path {
            resolved: path.clone(),
            kind: FileKind::File,
        },
        Lookup::BareRepository(path) => Found::Path {
            resolved: path.clone(),
            kind: FileKind::Missing,
        },
        Lookup::Protected(_) | Lookup::NamedByGit(_) => Found::Names(Vec::new()),
        Lookup::Program(name) => Found::Program(Some(AbsPath::root().join("usr/bin").join(name))),
        Lookup::GitAlias { .. } => Found::Text(None),
        Lookup::Script { .. } => Found::Script(None),
    }
}
