//! Which projects' rule files the user trusts, by what they hold. A file that changed is trusted no more; a list that
//! cannot be read trusts nothing.

use super::source::{self, Keeper};
use crate::durable::{Guarded, NotWritten};
use crate::hex::hex;
use crate::journal::time::Timestamp;
use crate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::path::PathBuf;

/// The version of the list.
const VERSION: u64 = 1;

/// The SHA-256 of what a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a text.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// The files that are trusted.
#[derive(Debug, Default)]
pub struct Trust {
    list: List,
    /// Why the list cannot be read, where it cannot.
    pub unreadable: Option<String>,
}

/// The list as it is written.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    version: u64,
    trusted: Vec<Trusted>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trusted {
    file: String,
    sha256: String,
    since: String,
}

/// Why nothing about trust was changed.
#[derive(Debug)]
pub enum TrustError {
    /// It is not known where the list lies.
    NoPlace,
    /// The list cannot be read, and is left alone.
    Unreadable {
        /// The list.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The list could not be written.
    Unwritten(NotWritten),
}

impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace => f.write_str("neither `HOME` nor `XDG_STATE_HOME` is an absolute path"),
            Self::Unreadable { path, why } => {
                write!(
                    f,
                    "the list of trusted files `{}` is left alone: {why}",
                    path.display()
                )
            }
            Self::Unwritten(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrustError {}

impl Trust {
    /// Reads the list; one that cannot be read trusts nothing.
    pub fn load(environment: &Environment) -> Self {
        let Some(path) = place(environment) else {
            return Self::default();
        };
        match read(&path) {
            Ok((_, list)) => Self {
                list,
                unreadable: None,
            },
            Err(why) => Self {
                list: List::default(),
                unreadable: Some(format!("{path}: {why}")),
            },
        }
    }

    /// Whether a file is trusted with what it holds now.
    pub fn holds(&self, file: &AbsPath, fingerprint: Fingerprint) -> bool {
        let digest = fingerprint.to_string();
        let mut of_file = self
            .list
            .trusted
            .iter()
            .filter(|known| known.file == file.as_str());
        of_file.any(|known| known.sha256 == digest)
    }

    /// Whether a file was trusted with anything that it held.
    pub fn knows(&self, file: &AbsPath) -> bool {
        self.list
            .trusted
            .iter()
            .any(|known| known.file == file.as_str())
    }

    /// Trusts a file with what it holds, in place of what it held before.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read or written. Nothing is changed then.
    pub fn add(
        environment: &Environment,
        file: &AbsPath,
        fingerprint: Fingerprint,
    ) -> Result<(), TrustError> {
        change(environment, |list| {
            list.trusted.retain(|known| known.file != file.as_str());
            list.trusted.push(Trusted {
                file: file.as_str().to_owned(),
                sha256: fingerprint.to_string(),
                since: Timestamp::now().to_string(),
            });
            true
        })
        .map(|_| ())
    }

    /// Trusts a file no more; false where it was not trusted.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read or written. Nothing is changed then.
    pub fn remove(environment: &Environment, file: &AbsPath) -> Result<bool, TrustError> {
        change(environment, |list| {
            let before = list.trusted.len();
            list.trusted.retain(|known| known.file != file.as_str());
            before != list.trusted.len()
        })
    }
}

/// The list of trusted files.
fn place(environment: &Environment) -> Option<AbsPath> {
    Some(environment.state_dir()?.join("trust.json"))
}

/// The text of the list with what it says; both empty where there is none.
fn read(path: &AbsPath) -> Result<(Option<String>, List), String> {
    let Some(text) = source::read(source::file(path), Keeper::Countersign)? else {
        let list = List {
            version: VERSION,
            trusted: Vec::new(),
        };
        return Ok((None, list));
    };
    let list: List = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if list.version != VERSION {
        return Err(format!("its version is {}, not {VERSION}", list.version));
    }
    Ok((Some(text), list))
}

/// Changes the list under its lock; writes only where `change` says that something changed.
fn change(
    environment: &Environment,
    change: impl FnOnce(&mut List) -> bool,
) -> Result<bool, TrustError> {
    let path = place(environment).ok_or(TrustError::NoPlace)?;
    let guarded = Guarded::lock(source::file(&path)).map_err(TrustError::Unwritten)?;
    let (before, mut list) = read(&path).map_err(|why| TrustError::Unreadable {
        path: PathBuf::from(path.as_str()),
        why,
    })?;
    if !change(&mut list) {
        return Ok(false);
    }
    // These types always serialise.
    let text = serde_json::to_string_pretty(&list).unwrap_or_default() + "\n";
    guarded
        .replace(before.as_deref(), &text)
        .map_err(TrustError::Unwritten)?;
    Ok(true)
}
