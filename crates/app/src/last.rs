//! The call that a host was last told to ask about in a project, from the journals; it judges nothing.

use crate::error::{CommandError, ErrorKind};
use crate::log::sessions::{self, Which};
use crate::wire::CallJson;
use countersign_gate::journal::clip::Clip;
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::event::Event;
use countersign_gate::journal::judged::CallJudged;
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session;
use countersign_policy::action::Action;
use countersign_policy::call::Call;
use countersign_policy::path::AbsPath;
use countersign_policy::session::Session;
use std::path::Path;

/// A call that was asked about.
#[derive(Debug)]
pub(crate) struct Last {
    /// The call as it was judged.
    pub(crate) call: Call,
    /// The host's identity of its session.
    pub(crate) session: String,
    /// The directory with which the session began.
    pub(crate) first: AbsPath,
}

/// The last call that was asked about in the project of a session.
pub(crate) fn last(environment: &Environment, here: &Session) -> Result<Last, CommandError> {
    let mut journals = sessions::find(&Which::All)?;
    while let Some(journal) = journals.pop() {
        let Some((host, first, judged)) = of_journal(&journal.path) else {
            continue;
        };
        let theirs = session::session(&first, environment);
        if theirs.workspace == here.workspace {
            return rebuilt(&judged, host, first);
        }
    }
    Err(
        CommandError::new(ErrorKind::User, "nothing was asked in this project")
            .hint("run it where the agent works; `countersign log` shows what was decided"),
    )
}

/// The session of a journal and the last call in it that was asked about, where it can be read and there is one.
fn of_journal(path: &Path) -> Option<(String, AbsPath, CallJudged)> {
    let mut opened = None;
    let mut asked = None;
    for entry in entries(path).ok()? {
        // What stands behind a damaged line is not relied on.
        match entry.ok()?.event {
            Event::SessionOpened(session) => {
                let first = whole(&session.cwd).and_then(AbsPath::parse);
                opened = whole(&session.session).map(str::to_owned).zip(first);
            }
            Event::CallJudged(judged) if judged.action == Action::Ask => asked = Some(*judged),
            _ => {}
        }
    }
    let (host, first) = opened?;
    Some((host, first, asked?))
}

fn whole(clip: &Clip) -> Option<&str> {
    (!clip.is_cut()).then_some(clip.head.as_str())
}

/// The call as it was, which its digest must say too.
fn rebuilt(judged: &CallJudged, session: String, first: AbsPath) -> Result<Last, CommandError> {
    let lost = |why: &str| {
        let words = format!("the call that was asked about last cannot be kept: {why}");
        CommandError::new(ErrorKind::User, words)
    };
    let (Some(tool), Some(input), Some(cwd)) = (
        whole(&judged.tool),
        whole(&judged.input),
        whole(&judged.cwd),
    ) else {
        return Err(lost("it is longer than the journal keeps"));
    };
    let cwd = AbsPath::parse(cwd).ok_or_else(|| lost("its directory is not known"))?;
    let call = CallJson::recorded(tool, input, &judged.call).map_err(|why| lost(&why))?;
    let call = call.call(&cwd);
    if call.digest().to_string() != judged.digest {
        return Err(lost("it is not what its digest says"));
    }
    Ok(Last {
        call,
        session,
        first,
    })
}
