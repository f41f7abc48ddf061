//! What is looked into when a session begins: a small part of what the doctor looks into, fast, and never a reason for
//! the session not to begin.

use crate::asked::Start;
use crate::baseline::{Baseline, Places};
use crate::doctor::rule_files;
use crate::hooked::Hooked;
use crate::surface::Surface;
use countersign_gate::journal::event::NoticeCode;
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use std::path::Path;

/// Something that is not as it has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// As what it is recorded.
    pub code: NoticeCode,
    /// In words, with what to do.
    pub words: String,
}

/// Looks into rules and entries, and keeps what the settings let happen, if the host has just started: with what they
/// say later it would be too late. The journal is looked into by writing to it.
pub fn started(start: &Start, environment: &Environment, project: &AbsPath) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut problem = |code, words: String| problems.push(Problem { code, words });
    let rules = rule_files(environment, project);
    if let Some(remedy) = rules.remedy {
        problem(NoticeCode::FileBroken, format!("{}: {remedy}", rules.words));
    }
    let places = Places::of(environment, project);
    let now = Baseline::now(&places);
    let hooked: Vec<Hooked> = now.surfaces().flat_map(Surface::hooked).collect();
    let missing: Vec<&str> = Hooked::ALL
        .into_iter()
        .filter(|event| !hooked.contains(event))
        .map(Hooked::name)
        .collect();
    if !missing.is_empty() {
        let events = missing.join(", ");
        let words = format!(
            "no whole entry of ours for {events} is in the settings known here: run `countersign install claude-code`"
        );
        problem(NoticeCode::Other, words);
    }
    let Some(state) = environment.state_dir() else {
        return problems;
    };
    if start.fresh
        && let Err(error) = now.keep(Path::new(state.as_str()), &start.session)
    {
        let words = format!(
            "what the host's settings allow now is not kept, so later changes are refused: {error}"
        );
        problem(NoticeCode::Other, words);
    }
    problems
}
