//! The repository that git would find from a directory, by git's own test; git is not run and no object is read.

use super::path::{Walked, resolve};
use super::regular;
use countersign_policy::path::AbsPath;
use countersign_policy::world::{FileKind, Found};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;

/// The most bytes of a file of one line that are read.
const LINE_BYTES: u64 = 64 * 1024;

/// Answers the question for a repository that is not called `.git`. What is not there yet would lie where the nearest
/// directory above it is.
pub(super) fn look(path: &AbsPath) -> Found {
    Repositories::default().look(path, &mut Walked::default())
}

/// What was found so far, by the directory from which it was looked for.
#[derive(Debug, Default)]
pub(super) struct Repositories {
    found: BTreeMap<AbsPath, Result<Option<Repository>, String>>,
}

impl Repositories {
    /// Answers the question for a repository that is not called `.git`.
    pub(super) fn look(&mut self, path: &AbsPath, walked: &mut Walked) -> Found {
        looked_for(path, walked, |start| {
            let known = self.found.entry(start.clone());
            known.or_insert_with(|| Repository::above(start)).clone()
        })
    }
}

fn looked_for(
    path: &AbsPath,
    walked: &mut Walked,
    find: impl FnOnce(&AbsPath) -> Result<Option<Repository>, String>,
) -> Found {
    let mut at = path.clone();
    let found = loop {
        match walked.resolve(&at) {
            Ok((start, FileKind::Directory)) => break find(&start),
            Ok((_, FileKind::Missing | FileKind::File | FileKind::Device | FileKind::Other)) => {
                at = at.parent();
            }
            Err(why) => break Err(why),
        }
    };
    match found {
        Ok(Some(repository)) if repository.is_plain() => Found::Path {
            resolved: repository.own,
            kind: FileKind::Directory,
        },
        Ok(found) => Found::Path {
            resolved: found.map_or_else(|| path.clone(), |repository| repository.top),
            kind: FileKind::Missing,
        },
        Err(why) => Found::Failed(why),
    }
}

/// A repository's directories.
#[derive(Debug, Clone)]
pub(super) struct Repository {
    /// That of the worktree.
    pub(super) own: AbsPath,
    /// That which all worktrees share.
    pub(super) common: AbsPath,
    /// The directory in which it was found.
    top: AbsPath,
    /// Whether it was found as a directory itself, without a `.git` that is one or leads there.
    bare: bool,
}

impl Repository {
    /// Whether it is a directory like any other, which its name does not keep from being changed.
    fn is_plain(&self) -> bool {
        self.bare && self.own.components().all(|name| name != ".git")
    }

    /// The repository that git would find from a directory.
    pub(super) fn find(directory: &AbsPath) -> Result<Option<Self>, String> {
        let (start, kind) = resolve(directory)?;
        if kind != FileKind::Directory {
            return Err(format!("`{directory}` is not a directory"));
        }
        Self::above(&start)
    }

    /// The same from a directory to which no link leads.
    fn above(start: &AbsPath) -> Result<Option<Self>, String> {
        let mut at = start.clone();
        let device = device(&at)?;
        // Git does not look beyond the file system in which it starts.
        while self::device(&at)? == device {
            if let Some(found) = Self::at(&at)? {
                return Ok(Some(Self { top: at, ..found }));
            }
            if at == AbsPath::root() {
                break;
            }
            at = at.parent();
        }
        Ok(None)
    }

    /// The repository that lies in a directory, as `.git` or as the directory itself.
    fn at(directory: &AbsPath) -> Result<Option<Self>, String> {
        let dot = directory.join(".git");
        match fs::metadata(dot.as_str()) {
            Ok(metadata) if metadata.is_file() => {
                let wrong = || format!("`{dot}` does not lead to a repository");
                let text = line(&dot)?;
                let path = text.strip_prefix("gitdir:").ok_or_else(wrong)?;
                let own = walk(directory, path.trim_start_matches(' '))?;
                return Self::of(own)?.map(Some).ok_or_else(wrong);
            }
            Ok(_) => {
                if let Some(found) = Self::of(dot)? {
                    return Ok(Some(found));
                }
            }
            Err(error) if regular::is_missing(&error) => {}
            Err(error) => return Err(format!("`{dot}`: {error}")),
        }
        let found = Self::of(directory.clone())?;
        Ok(found.map(|found| Self {
            bare: true,
            ..found
        }))
    }

    /// The repository whose directory this is, where it is one by git's own test.
    fn of(own: AbsPath) -> Result<Option<Self>, String> {
        let pointer = own.join("commondir");
        let common = match fs::metadata(pointer.as_str()) {
            Ok(_) => walk(&own, &line(&pointer)?)?,
            Err(_) => own.clone(),
        };
        // Git asks whether these two can be entered or executed, not whether they are directories.
        let is_there = |name: &str| fs::metadata(common.join(name).as_str()).is_ok();
        let has_head = fs::symlink_metadata(own.join("HEAD").as_str()).is_ok();
        let is_one = has_head && is_there("objects") && is_there("refs");
        Ok(is_one.then_some(Self {
            top: own.clone(),
            own,
            common,
            bare: false,
        }))
    }
}

/// Follows a written path from a directory. `..` behind a link leads elsewhere than it seems, so that links are
/// followed before each step.
pub(super) fn walk(from: &AbsPath, text: &str) -> Result<AbsPath, String> {
    let mut at = if text.starts_with('/') {
        AbsPath::root()
    } else {
        from.clone()
    };
    for step in text.split('/') {
        at = resolve(&at)?.0.join(step);
    }
    Ok(at)
}

/// The text of a file of one line.
fn line(file: &AbsPath) -> Result<String, String> {
    let bytes = regular::read(file, LINE_BYTES).map_err(|error| format!("`{file}`: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("`{file}` is not UTF-8"))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

/// The file system on which a directory lies.
fn device(directory: &AbsPath) -> Result<u64, String> {
    let metadata = fs::metadata(directory.as_str());
    metadata
        .map(|metadata| metadata.dev())
        .map_err(|error| format!("`{directory}`: {error}"))
}
