//! A question for a script, and the files in which its runner looks: found, and read whole or not at all.

use super::super::regular;
use countersign_policy::path::AbsPath;
use countersign_policy::project::Runner;

/// The most bytes of one file that are read.
const FILE_BYTES: u64 = 256 * 1024;
/// The most directories upwards in which a file is looked for.
pub(super) const UPWARDS: usize = 24;
/// The most texts of one script.
pub(super) const TEXTS: usize = 64;

/// A question for a script.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// By what it is started.
    pub(crate) runner: Runner,
    /// The directory in which the runner looks for its file.
    pub(crate) directory: &'a AbsPath,
    /// The file, where the command names one.
    pub(crate) file: Option<&'a AbsPath>,
    /// The name of the script; nothing for the one that runs where none is named.
    pub(crate) name: Option<&'a str>,
}

/// A file and the whole text in it.
pub(super) struct Source {
    pub(super) file: AbsPath,
    pub(super) text: String,
}

/// The first of some files that is there, in a directory or above it.
pub(super) fn nearest(directory: &AbsPath, names: &[&str]) -> Result<Option<Source>, String> {
    let mut at = directory.clone();
    for _ in 0..UPWARDS {
        if let Some(found) = first(&at, names)? {
            return Ok(Some(found));
        }
        if at == AbsPath::root() {
            break;
        }
        at = at.parent();
    }
    Ok(None)
}

/// The first of some files that is there in one directory.
pub(super) fn first(directory: &AbsPath, names: &[&str]) -> Result<Option<Source>, String> {
    for name in names {
        let file = directory.join(name);
        if let Some(text) = text(&file)? {
            return Ok(Some(Source { file, text }));
        }
    }
    Ok(None)
}

/// The text of a file, or nothing where there is none.
pub(super) fn text(file: &AbsPath) -> Result<Option<String>, String> {
    let bytes = match regular::read(file, FILE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if regular::is_missing(&error) => return Ok(None),
        Err(error) => return Err(format!("`{file}`: {error}")),
    };
    if bytes.len() as u64 == FILE_BYTES {
        return Err(format!("`{file}` has more than {FILE_BYTES} bytes"));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| format!("`{file}` is not UTF-8"))
}
