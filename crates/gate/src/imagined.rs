//! A machine that exists in memory only, for calls that were recorded elsewhere: no path leads elsewhere, no file is
//! there, every program is in `/usr/bin`. Nothing of this machine is looked at.

use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::effects::effect::Effect;
use countersign_policy::effects::ground::{Grounded, Step, step};
use countersign_policy::effects::read::read;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::requests::requests;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::session::Session;
use countersign_policy::verdict::Verdict;
use countersign_policy::world::{FileKind, Found, Lookup, World};

/// A shell call in a working directory.
pub fn shell(text: &str, cwd: &AbsPath) -> Call {
    Call {
        id: CallId(String::new()),
        tool: "Bash".to_owned(),
        input: String::new(),
        cwd: cwd.clone(),
        action: Action::Shell(text.to_owned()),
    }
}

/// The session that a working directory suggests: below `/home/<name>` or `/Users/<name>` that is the home directory.
pub fn session(cwd: &AbsPath) -> Session {
    let mut session = Session::example(cwd.as_str());
    let mut parts = cwd.components();
    if let (Some(homes @ ("home" | "Users")), Some(name)) = (parts.next(), parts.next()) {
        session.home = Some(AbsPath::root().join(homes).join(name));
    }
    session
}

/// The whole way of a call, from its text to its verdict.
pub fn verdict(call: &Call, session: &Session, rules: &RuleSet, mode: Mode) -> Verdict {
    let effects = read(call, session);
    let requests = requests(&ground(&effects, session), session);
    let circumstances = Circumstances {
        mode,
        session,
        now: 0,
        enforceable: &[],
        malformed: call.action.malformed().map(str::to_owned),
    };
    judge(rules, &requests, &circumstances)
}

/// Effects as they stand on this machine.
pub fn ground(effects: &[Effect], session: &Session) -> Grounded {
    let mut world = World::new();
    loop {
        match step(effects, session, &world) {
            Step::Ready(grounded) => return grounded,
            // A question that was answered is not asked again, and each step asks of fewer things: this ends.
            Step::Need(lookups) => lookups.into_iter().for_each(|lookup| {
                let found = found(&lookup);
                world.insert(lookup, found);
            }),
        }
    }
}

fn found(lookup: &Lookup) -> Found {
    match lookup {
        Lookup::Path(path) => Found::Path {
            resolved: path.clone(),
            kind: FileKind::Missing,
        },
        Lookup::BareRepository(path) => Found::Path {
            resolved: path.clone(),
            kind: FileKind::Missing,
        },
        Lookup::Protected(_) | Lookup::NamedByGit(_) => Found::Names(Vec::new()),
        Lookup::Program(name) => Found::Program(AbsPath::parse(&format!("/usr/bin/{name}"))),
        Lookup::GitAlias { .. } => Found::Text(None),
        Lookup::Script { .. } => Found::Script(None),
    }
}
