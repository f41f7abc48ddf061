//! A file of ours, opened so that nobody but those who may can have written it: its text, or in words why it is
//! refused. What is in it is read elsewhere.

use countersign_policy::path::AbsPath;
use rustix::fs::OFlags;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// A rule file larger than this, in bytes, is refused as a whole.
pub const MOST_BYTES: u64 = 4 << 20;

/// Who keeps a file, and so who may have written it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// The administrator: the file and its directory belong to this user, and nobody else may write to them.
    Administrator(u32),
    /// The user, who may keep it elsewhere behind a link; others may not write to it.
    User,
    /// countersign in the user's name: no link, and others may not write to it.
    Countersign,
    /// The project: whoever wrote the repository. It is a file of the repository and no link.
    Project,
    /// Whoever typed its name.
    Caller,
}

/// The text of a file; nothing where there is none, words where it is refused or cannot be read.
pub(crate) fn read(path: &Path, keeper: Keeper) -> Result<Option<String>, String> {
    let file = match open(path, keeper) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(words(&error)),
    };
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    kept(path, &metadata, keeper)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is larger than {MOST_BYTES} bytes"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let line = error
                .as_bytes()
                .iter()
                .take(error.utf8_error().valid_up_to());
            let line = line.filter(|byte| **byte == b'\n').count() + 1;
            Err(format!("it is not UTF-8 (line {line})"))
        }
    }
}

/// Opens it, without waiting for whoever is at the other end of a pipe.
fn open(path: &Path, keeper: Keeper) -> io::Result<File> {
    let link = match keeper {
        Keeper::User | Keeper::Caller => OFlags::empty(),
        Keeper::Administrator(_) | Keeper::Countersign | Keeper::Project => OFlags::NOFOLLOW,
    };
    let flags = (link | OFlags::NONBLOCK | OFlags::NOCTTY)
        .bits()
        .cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn words(error: &io::Error) -> String {
    // What the kernel says of a link where none may be.
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return "it is a link; put the file itself there".to_owned();
    }
    error.to_string()
}

/// Whether only those can have written it who may.
fn kept(path: &Path, metadata: &Metadata, keeper: Keeper) -> Result<(), String> {
    match keeper {
        Keeper::Caller => Ok(()),
        Keeper::User | Keeper::Countersign => {
            let own = rustix::process::geteuid().as_raw();
            if metadata.uid() != own && metadata.uid() != 0 {
                return Err(format!("it belongs to user {}, not to you", metadata.uid()));
            }
            // A user's own group is theirs alone on many machines; what we write ourselves is for nobody else.
            let (others, who) = match keeper {
                Keeper::Countersign => (0o022, "others"),
                Keeper::User | Keeper::Administrator(_) | Keeper::Project | Keeper::Caller => {
                    (0o002, "everybody")
                }
            };
            if metadata.mode() & others != 0 {
                return Err(format!("{who} may write to it; run `chmod go-w` on it"));
            }
            Ok(())
        }
        Keeper::Administrator(owner) => {
            let directory = path.parent().unwrap_or(Path::new("/"));
            let around = fs::symlink_metadata(directory).map_err(|error| error.to_string())?;
            administered("its directory", &around, owner)?;
            administered("it", metadata, owner)
        }
        Keeper::Project => project(path),
    }
}

fn administered(what: &str, metadata: &Metadata, owner: u32) -> Result<(), String> {
    if metadata.uid() != owner {
        let uid = metadata.uid();
        return Err(format!("{what} belongs to user {uid}, not to {owner}"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(format!("others than its owner may write to {what}"));
    }
    Ok(())
}

/// A project's file lies in the project: a link to elsewhere would show, and trust, what is not the project's.
fn project(path: &Path) -> Result<(), String> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let metadata = fs::symlink_metadata(directory).map_err(|error| error.to_string())?;
    if metadata.is_symlink() {
        return Err("its directory is a link; put the directory itself there".to_owned());
    }
    Ok(())
}

/// A path for the file system.
pub(crate) fn file(path: &AbsPath) -> &Path {
    Path::new(path.as_str())
}
