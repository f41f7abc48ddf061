//! The texts that a typed command becomes: what the host tells of it, and the files in which it may lie.

use crate::agent::Agent;
use crate::asked::{Asked, Expansion};
use crate::baseline::read;
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The directory below which a host keeps such files, in a project and at home.
const BELOW: &str = ".claude";

/// How many files are looked at in search of one.
const MOST_FILES: usize = 4096;

/// How many directories deep.
const MOST_LEVELS: usize = 8;

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
        let root = Path::new(root.as_str());
        let named = expansion.files.iter().map(|file| root.join(file));
        let mut files: Vec<PathBuf> = named.collect();
        if let Some((directory, name)) = &expansion.somewhere {
            files.extend(found(root.join(directory), name)?);
        }
        for file in files {
            let text = read(&file).map_err(|error| format!("`{}`: {error}", file.display()))?;
            texts.extend(text);
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

/// The files of a name at any depth below a directory. Where there are too many to look at that is an error, as one of
/// them may be it.
fn found(directory: PathBuf, name: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![(directory, 0)];
    let mut seen = 0;
    while let Some((directory, level)) = open.pop() {
        let failed = |error| format!("`{}`: {error}", directory.display());
        let files = match fs::read_dir(&directory) {
            Ok(files) => files,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                continue;
            }
            Err(error) => return Err(failed(error)),
        };
        for file in files {
            let path = file.map_err(failed)?.path();
            seen += 1;
            if seen > MOST_FILES || level > MOST_LEVELS {
                return Err(format!(
                    "`{}` holds too much to look through",
                    directory.display()
                ));
            }
            if path.is_dir() {
                open.push((path, level + 1));
            } else if path.file_name() == Some(name.as_ref()) {
                found.push(path);
            }
        }
    }
    Ok(found)
}
