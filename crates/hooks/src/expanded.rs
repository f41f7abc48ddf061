//! The texts that a typed command becomes: what the host tells of it, and the files in which it may lie.

use crate::agent::Agent;
use crate::asked::{Asked, Expansion};
use crate::baseline::read;
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use std::path::Path;

/// The directory below which a host keeps such files, in a project and at home.
const BELOW: &str = ".claude";

/// The commands that would run, as calls, each once; or why that cannot be told.
pub fn expanded(
    agent: Agent,
    expansion: &Expansion,
    environment: &Environment,
    project: &AbsPath,
) -> Result<Vec<Asked>, String> {
    let mut texts = vec![expansion.prompt.clone()];
    let user = environment.claude_settings();
    let user =
        user.and_then(|settings| AbsPath::parse(Path::new(settings.as_str()).parent()?.to_str()?));
    let roots = [
        Some(project.join(BELOW)),
        expansion.cwd.as_ref().map(|cwd| cwd.join(BELOW)),
        user,
    ];
    for root in roots.iter().flatten() {
        for file in &expansion.files {
            let file = root.join(file);
            let text = read(Path::new(file.as_str()));
            texts.extend(text.map_err(|error| format!("`{file}`: {error}"))?);
        }
    }
    let mut calls: Vec<Asked> = Vec::new();
    for text in &texts {
        for asked in agent.embedded(expansion, text)? {
            if !calls.iter().any(|call| call.call.input == asked.call.input) {
                calls.push(asked);
            }
        }
    }
    Ok(calls)
}
