//! Where a path leads once every link is followed, step by step as the kernel would; it opens nothing.

use countersign_policy::path::AbsPath;
use countersign_policy::world::{FileKind, Found};
use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt as _;

/// The most links that are followed on one path, as in the Linux kernel.
const LINKS: usize = 40;

/// Answers the question where a path leads.
pub(super) fn look(path: &AbsPath) -> Found {
    Walked::default().look(path)
}

/// The path with links followed and what stands there, or in words why that cannot be told.
pub(super) fn resolve(path: &AbsPath) -> Result<(AbsPath, FileKind), String> {
    Walked::default().resolve(path)
}

/// The directories through which paths have led so far. The paths of one call share most of theirs, and all of them
/// are judged in one world.
#[derive(Debug, Default)]
pub(super) struct Walked {
    directories: BTreeSet<AbsPath>,
}

impl Walked {
    /// Answers the question where a path leads.
    pub(super) fn look(&mut self, path: &AbsPath) -> Found {
        match self.resolve(path) {
            Ok((resolved, kind)) => Found::Path { resolved, kind },
            Err(why) => Found::Failed(why),
        }
    }

    /// The path with links followed and what stands there, or in words why that cannot be told.
    pub(super) fn resolve(&mut self, path: &AbsPath) -> Result<(AbsPath, FileKind), String> {
        resolve_past(path, &mut self.directories)
    }
}

fn resolve_past(
    path: &AbsPath,
    directories: &mut BTreeSet<AbsPath>,
) -> Result<(AbsPath, FileKind), String> {
    let mut at = AbsPath::root();
    let mut kind = FileKind::Directory;
    let mut links = 0;
    // The components that are still to be walked, the next one last.
    let mut ahead: Vec<String> = reversed(path.as_str());
    while let Some(name) = ahead.pop() {
        if name == ".." {
            at = at.parent();
            kind = FileKind::Directory;
            continue;
        }
        let next = at.join(&name);
        if directories.contains(&next) {
            at = next;
            kind = FileKind::Directory;
            continue;
        }
        let found = match fs::symlink_metadata(next.as_str()) {
            Ok(metadata) => metadata.file_type(),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory if !is_of_a_process(&next) => {
                    let rest = ahead.iter().rev();
                    return Ok((rest.fold(next, |at, name| at.join(name)), FileKind::Missing));
                }
                _ => return Err(format!("`{next}`: {error}")),
            },
        };
        if !found.is_symlink() || is_process_directory(&next) {
            if found.is_dir() {
                directories.insert(next.clone());
            }
            at = next;
            kind = if found.is_symlink() {
                FileKind::Directory
            } else {
                kind_of(found)
            };
            continue;
        }
        links += 1;
        if links > LINKS {
            return Err(format!("`{path}`: more than {LINKS} links"));
        }
        let target = target(&next)?;
        if target.starts_with('/') {
            at = AbsPath::root();
            kind = FileKind::Directory;
        }
        ahead.extend(reversed(&target));
    }
    Ok((at, kind))
}

/// Where a link points, as text.
fn target(link: &AbsPath) -> Result<String, String> {
    if is_of_a_process(link) {
        return Err(format!("`{link}` depends on the process that follows it"));
    }
    let target = fs::read_link(link.as_str()).map_err(|error| format!("`{link}`: {error}"))?;
    let target = target.into_os_string().into_string();
    target.map_err(|_| format!("`{link}` points to a name that is not UTF-8"))
}

/// `/proc/self` and its like are links to the directory of whoever looks; they are left as they are.
fn is_process_directory(path: &AbsPath) -> bool {
    matches!(path.as_str(), "/proc/self" | "/proc/thread-self")
}

/// Whether a path lies in a process's directory in `/proc`. What is there, and where links lead from there, differs for
/// every process, and the one that will use the path does not exist yet.
fn is_of_a_process(path: &AbsPath) -> bool {
    path.components().next() == Some("proc") && path.components().count() > 2
}

/// The components of a path or a link's target that mean something, the first one last.
fn reversed(text: &str) -> Vec<String> {
    let named = text
        .rsplit('/')
        .filter(|name| !name.is_empty() && *name != ".");
    named.map(str::to_owned).collect()
}

fn kind_of(found: FileType) -> FileKind {
    if found.is_file() {
        FileKind::File
    } else if found.is_dir() {
        FileKind::Directory
    } else if found.is_block_device() || found.is_char_device() {
        FileKind::Device
    } else {
        FileKind::Other
    }
}
