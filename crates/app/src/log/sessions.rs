//! Which journals are meant: the newest, all, or one by its session; it opens none.

use super::say::missing;
use crate::error::{CommandError, ErrorKind};
use countersign_gate::journal::name::SessionName;
use countersign_gate::world::environment::Environment;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Which journals are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Which {
    /// The one that was written to last.
    Newest,
    /// All of them.
    All,
    /// The one of this session: its identity at the host, or its name here.
    Named(String),
}

impl Which {
    /// What was typed, where anything was.
    pub(crate) fn of(text: Option<&str>) -> Option<Self> {
        text.map(|text| match text {
            "all" => Self::All,
            name => Self::Named(name.to_owned()),
        })
    }
}

/// A journal on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journal {
    /// The session's name.
    pub(crate) name: String,
    /// The file of its lines, which may be gone while its head record is left.
    pub(crate) path: PathBuf,
    /// When it was last written to.
    pub(super) changed: SystemTime,
}

/// The journals that are meant, the oldest first.
pub(crate) fn find(which: &Which) -> Result<Vec<Journal>, CommandError> {
    let directory = directory()?;
    let mut all = all(&directory)?;
    match which {
        Which::All => Ok(all),
        Which::Newest => Ok(all.pop().into_iter().collect()),
        Which::Named(text) => {
            let name = SessionName::of(text);
            let meant = |journal: &Journal| journal.name == name.as_str() || journal.name == *text;
            match all.into_iter().find(meant) {
                Some(journal) => Ok(vec![journal]),
                None => Err(missing(
                    format!("there is no session `{text}`"),
                    "`countersign log --session all` lists every session",
                )),
            }
        }
    }
}

/// Where journals lie.
fn directory() -> Result<PathBuf, CommandError> {
    let state = Environment::of_process().state_dir();
    let state = state.ok_or_else(|| {
        CommandError::new(ErrorKind::Config, "it cannot be told where journals lie")
            .hint("set `HOME` or `XDG_STATE_HOME` to an absolute path")
    })?;
    Ok(PathBuf::from(state.join("journal").as_str()))
}

/// Every journal, the oldest first. A head record without a journal counts: that its journal is gone must show.
fn all(directory: &Path) -> Result<Vec<Journal>, CommandError> {
    let failed = |error: &io::Error| {
        let words = format!("cannot read `{}`: {error}", directory.display());
        CommandError::new(ErrorKind::Internal, words)
    };
    let listing = match std::fs::read_dir(directory) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(&error)),
    };
    let mut found: BTreeMap<String, Journal> = BTreeMap::new();
    for item in listing {
        let path = item.map_err(|error| failed(&error))?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let (Some("jsonl" | "head"), Some(name)) = (extension, name) else {
            continue;
        };
        let changed = std::fs::metadata(&path).and_then(|metadata| metadata.modified());
        let changed = changed.unwrap_or(SystemTime::UNIX_EPOCH);
        let journal = Journal {
            name: name.to_owned(),
            path: path.with_extension("jsonl"),
            changed,
        };
        let known = found.entry(name.to_owned()).or_insert(journal);
        known.changed = known.changed.max(changed);
    }
    let mut journals: Vec<Journal> = found.into_values().collect();
    journals.sort_by_key(|journal| journal.changed);
    Ok(journals)
}
