//! What lies below a directory where a rule of the built-in table asks about changes; links are not followed, and no
//! file is opened.

use countersign_policy::path::AbsPath;
use countersign_policy::rules::protected::Protected;
use countersign_policy::world::Found;
use std::fs;
use std::io;

/// The most files and directories that are looked at for one question.
const ENTRIES: usize = 20_000;
/// The most names that are told.
const NAMES: usize = 256;

/// Answers the question for a directory. What is none has nothing below it.
pub(super) fn look(directory: &AbsPath) -> Found {
    match names(directory) {
        Ok(names) => Found::Names(names),
        Err(why) => Found::Failed(why),
    }
}

fn names(root: &AbsPath) -> Result<Vec<String>, String> {
    let protected = Protected::builtin();
    let mut names = Vec::new();
    let mut entries = 0;
    let mut ahead = vec![root.clone()];
    while let Some(directory) = ahead.pop() {
        let found = match fs::read_dir(directory.as_str()) {
            Ok(found) => found,
            Err(error) if is_none(&error) => continue,
            Err(error) => return Err(format!("`{directory}`: {error}")),
        };
        for entry in found {
            let entry = entry.map_err(|error| format!("`{directory}`: {error}"))?;
            entries += 1;
            if entries > ENTRIES || names.len() > NAMES {
                return Err(format!("`{root}` holds more than is looked at"));
            }
            // No rule protects a name that is not UTF-8, but what lies below it may have one.
            let name = entry.file_name();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let Some(name) = name.to_str() else {
                if is_directory {
                    return Err(format!(
                        "`{directory}` has a directory whose name is not UTF-8"
                    ));
                }
                continue;
            };
            let path = directory.join(name);
            if protected.holds(&path) {
                names.extend(path.below(root).map(str::to_owned));
            } else if is_directory {
                ahead.push(path);
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Whether an error says that there is no such directory.
fn is_none(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
