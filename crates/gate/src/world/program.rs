//! Which file runs for a program's name, by the search path; the file is not looked into.

use super::environment::Environment;
use countersign_policy::path::AbsPath;
use countersign_policy::world::Found;
use rustix::fs::{Access, access};
use std::fs;

/// Answers the question which file runs for a name without a slash.
///
/// An empty or relative entry of the search path means the working directory, and that of the command may be another
/// than ours. A file that is found there is reported; but where the search has to go on past such an entry, what it
/// finds later may be hidden by a file that we do not see, so that it cannot be told.
pub(super) fn look(name: &str, environment: &Environment) -> Found {
    if name.is_empty() || name.contains(['/', '\0']) {
        return Found::Failed(format!("`{}` is not a program's name", name.escape_debug()));
    }
    let Some(path) = &environment.path else {
        return Found::Failed("`PATH` is not set".to_owned());
    };
    let mut passed = None;
    for entry in path.split(':') {
        let directory = AbsPath::parse(entry);
        if directory.is_none() {
            passed = Some(entry);
        }
        // A shell takes `~` for the home directory here, anything else for a name: that is left untold too.
        let directory = directory.or_else(|| Some(environment.cwd.as_ref()?.join(entry)));
        let Some(file) = directory.map(|directory| directory.join(name)) else {
            continue;
        };
        if runs(&file) {
            return match passed {
                Some(passed) if AbsPath::parse(entry).is_some() => untold(passed),
                Some(_) | None => Found::Program(Some(file)),
            };
        }
    }
    match passed {
        Some(passed) => untold(passed),
        None => Found::Program(None),
    }
}

fn untold(entry: &str) -> Found {
    let entry = entry.escape_debug();
    Found::Failed(format!(
        "`PATH` has the entry `{entry}`, which depends on the working directory"
    ))
}

/// Whether the search takes this file: a regular one that we may execute.
fn runs(file: &AbsPath) -> bool {
    let regular = fs::metadata(file.as_str()).is_ok_and(|metadata| metadata.is_file());
    regular && access(file.as_str(), Access::EXEC_OK).is_ok()
}
