//! A change of the host's settings while a session runs: refused where it loosens what held when the session began.

use crate::answer::{Answer, Denial};
use crate::asked::{Change, Whose};
use crate::baseline::{Baseline, Places, surface};
use crate::printable::printable;
use crate::surface::{Surface, in_a_line};
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
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

/// Looks at a change in a project.
pub fn changed(change: &Change, environment: &Environment, project: &AbsPath) -> Changed {
    let nothing = Changed {
        answer: Answer::Nothing,
        notice: None,
    };
    let places = Places::of(environment, project);
    let file = change
        .file
        .as_ref()
        .map(|file| PathBuf::from(file.as_str()));
    let file = match change.of {
        // A skill is judged where its commands run.
        Whose::Skill => return nothing,
        Whose::User => file.or(places.user.clone()),
        Whose::Project => file.or(Some(places.project.clone())),
        Whose::Local => file.or(Some(places.local.clone())),
        Whose::Managed | Whose::Unknown => file,
    };
    let Some(file) = file else {
        return match change.of {
            // No hook can hold it back, and there is nothing to look at.
            Whose::Managed => nothing,
            Whose::User | Whose::Project | Whose::Local | Whose::Skill | Whose::Unknown => refused(
                change.of,
                "the host's settings",
                "does not say which file it is in",
            ),
        };
    };
    let state = environment.state_dir();
    let state = state.as_ref().map(|state| Path::new(state.as_str()));
    let kept = state.and_then(|state| Baseline::kept(state, &change.session));
    let shown = format!("`{}`", file.display());
    let after = match surface(&file) {
        Ok(after) => after.unwrap_or_default(),
        Err(why) => return refused(change.of, &shown, &format!("cannot be understood: {why}")),
    };
    let before = kept
        .as_ref()
        .map(|kept| kept.file(&file))
        .unwrap_or_default();
    let mut reasons = before.loosened_by(&after);
    if kept.is_none() {
        if !Baseline::now(&places).surfaces().any(Surface::has_gate) {
            reasons.push("leaves no entry of ours in the settings that are known here".to_owned());
        }
        if !reasons.is_empty() {
            reasons.push("what held when the session began is not known".to_owned());
        }
    }
    if !reasons.is_empty() {
        return refused(change.of, &shown, &in_a_line(&reasons));
    }
    if let (Some(state), Some(kept)) = (state, kept) {
        // Where this fails, what held before still stands there, and a later change is compared with that.
        let _ = kept.take_in((&file, after), state, &change.session);
    }
    nothing
}

/// A change that loosens. That of the administrator cannot be held back, and is told.
fn refused(of: Whose, file: &str, why: &str) -> Changed {
    let (file, why) = (printable(file), printable(why));
    match of {
        Whose::Managed => {
            let words = format!("countersign: the administrator's change of {file} {why}");
            Changed {
                notice: Some(words.clone()),
                answer: Answer::Tell(words),
            }
        }
        Whose::User | Whose::Project | Whose::Local | Whose::Skill | Whose::Unknown => {
            let reason =
                format!("countersign: refused for this session: the change of {file} {why}");
            Changed {
                notice: Some(format!("a change was refused: that of {file} {why}")),
                answer: Answer::Deny(Denial {
                    person: Some(format!("{reason}\nhint: {REMEDY}")),
                    hint: Some(REMEDY.to_owned()),
                    reason,
                }),
            }
        }
    }
}
