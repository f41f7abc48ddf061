//! A change of the host's settings while a session runs: refused where it loosens what held when the session began.

use crate::answer::{Answer, Denial};
use crate::asked::{Change, Whose};
use crate::baseline::{Baseline, Places, surface};
use crate::printable::printable;
use crate::surface::{Surface, in_a_line};
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use std::fs;
use std::path::{Path, PathBuf};

/// What is said of a change, and what is to be recorded of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// What the host is told.
    pub answer: Answer,
    /// The notice for the record, where there is something to record.
    pub notice: Option<String>,
}

const REMEDY: &str = "it holds for sessions that start from now on, if you leave it; if it was not you who changed it, \
                      change it back";

/// Looks at a change in a project. The host reads all its files again once it takes a change in, so all are looked at,
/// whichever is named.
pub fn changed(change: &Change, environment: &Environment, project: &AbsPath) -> Changed {
    let places = Places::of(environment, project);
    let named = change
        .file
        .as_ref()
        .map(|file| PathBuf::from(file.as_str()));
    let named = match change.of {
        // A skill is judged where its commands run.
        Whose::Skill => return passes(),
        Whose::User => named.or(places.user.clone()),
        Whose::Project => named.or(Some(places.project.clone())),
        Whose::Local => named.or(Some(places.local.clone())),
        Whose::Managed => match named {
            Some(file) => Some(file),
            // No hook can hold it back, and there is nothing to look at.
            None => return passes(),
        },
        Whose::Unknown => named,
    };
    let Some(named) = named else {
        let why = "the change of the host's settings does not say which file it is in";
        return refused(change.of, why);
    };
    let of = match change.of {
        // A file that anybody here can change is not the administrator's, whatever the message says.
        Whose::Managed if places.own().any(|own| is_same(&own, &named)) => Whose::Unknown,
        of @ (Whose::User
        | Whose::Project
        | Whose::Local
        | Whose::Managed
        | Whose::Skill
        | Whose::Unknown) => of,
    };
    let state = environment.state_dir();
    let state = state.as_ref().map(|state| Path::new(state.as_str()));
    let kept = state.and_then(|state| Baseline::kept(state, &change.session));
    let compared = compared(kept.as_ref(), &named, &files(of, &places, &named));
    let (mut reasons, after) = match compared {
        Ok(compared) => compared,
        Err(why) => {
            return refused(
                of,
                &format!("the host's settings cannot be understood: {why}"),
            );
        }
    };
    if kept.is_none() {
        let now = Baseline::now(&places);
        if !now.surfaces().any(Surface::has_gate) {
            reasons.push("no entry of ours is left in the settings that are known here".to_owned());
        }
        if !reasons.is_empty() {
            reasons.push("what held when the session began is not known".to_owned());
        }
    }
    let pass = reasons.is_empty() || of == Whose::Managed;
    if let (true, Some(state), Some(kept)) = (pass, state, kept) {
        // Where this fails, what held before still stands there, and a later change is compared with that.
        let _ = kept.take_in(after, state, &change.session);
    }
    if reasons.is_empty() {
        return passes();
    }
    refused(of, &in_a_line(&reasons))
}

/// The files to look at: all that can be changed here, and the one that the host names.
fn files(of: Whose, places: &Places, named: &Path) -> Vec<PathBuf> {
    let own: Vec<PathBuf> = match of {
        // The others wait for changes of their own.
        Whose::Managed => Vec::new(),
        Whose::User | Whose::Project | Whose::Local | Whose::Skill | Whose::Unknown => {
            places.own().collect()
        }
    };
    let known = own.iter().any(|own| is_same(own, named));
    let extra = Some(named.to_owned()).filter(|_| !known);
    own.into_iter().chain(extra).collect()
}

/// Whether two names lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    one == other || (canonical(one).is_some() && canonical(one) == canonical(other))
}

/// In what the files are looser than they were, and what they let happen now.
type Compared = (Vec<String>, Vec<(PathBuf, Surface)>);

fn compared(kept: Option<&Baseline>, named: &Path, files: &[PathBuf]) -> Result<Compared, String> {
    let mut reasons = Vec::new();
    let mut now = Vec::new();
    for file in files {
        let before = kept.and_then(|kept| kept.file(file));
        let after = match surface(file) {
            Ok(after) => after.unwrap_or_default(),
            // What could not be understood at the beginning either was not taken in by the host.
            Err(_) if before.is_none() && file != named => continue,
            Err(why) => return Err(why),
        };
        let loosened = before.unwrap_or(&Surface::default()).loosened_by(&after);
        let place = file.display();
        reasons.extend(loosened.into_iter().map(|why| format!("`{place}` {why}")));
        now.push((file.clone(), after));
    }
    Ok((reasons, now))
}

/// A change that loosens nothing.
const fn passes() -> Changed {
    Changed {
        answer: Answer::Nothing,
        notice: None,
    }
}

/// A change that loosens. That of the administrator cannot be held back, and is told.
fn refused(of: Whose, why: &str) -> Changed {
    let why = printable(why);
    match of {
        Whose::Managed => {
            let words = format!("the administrator changed the host's settings: {why}");
            Changed {
                answer: Answer::tell(&words),
                notice: Some(words),
            }
        }
        Whose::User | Whose::Project | Whose::Local | Whose::Skill | Whose::Unknown => {
            let reason =
                format!("countersign: a change of settings is refused for this session: {why}");
            Changed {
                notice: Some(format!(
                    "a change of the host's settings was refused: {why}"
                )),
                answer: Answer::Deny(Denial {
                    person: Some(format!("{reason}\nhint: {REMEDY}")),
                    hint: Some(REMEDY.to_owned()),
                    reason,
                }),
            }
        }
    }
}
