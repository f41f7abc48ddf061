//! Grants on this machine (row A14): kept in the user's configuration, one file for each repository; and whether what a
//! grant was bound to is still what it was.

mod binding;
mod repository;

pub use binding::Unbound;

use crate::durable::{Guarded, NotWritten};
use crate::hex::hex;
use crate::rules::source::{self, Keeper};
use crate::world::environment::Environment;
use countersign_policy::grant::{Grant, text};
use countersign_policy::path::AbsPath;
use countersign_policy::session::Session;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};

/// The grants of one repository, with all its worktrees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The file in which they are kept.
    file: AbsPath,
    /// The repository's own directory, or the workspace where there is none.
    project: AbsPath,
}

/// Why grants were not changed. They are as they were.
#[derive(Debug)]
pub enum GrantError {
    /// The file cannot be read, and is left alone.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The file would not say what it should.
    Unfaithful {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be written.
    Unwritten(NotWritten),
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, why } => {
                write!(f, "the grants `{}` are left alone: {why}", path.display())
            }
            Self::Unfaithful { path } => {
                write!(
                    f,
                    "`{}` would not hold exactly these grants",
                    path.display()
                )
            }
            Self::Unwritten(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GrantError {}

impl Store {
    /// Where the grants of a session's project lie; nothing where it has no project, or there is no place for them.
    pub fn of(session: &Session, environment: &Environment) -> Option<Self> {
        let workspace = session.workspace.as_ref()?;
        let project = repository::common(workspace).unwrap_or_else(|| workspace.clone());
        let digest = Sha256::digest(project.as_str().as_bytes());
        let digest = hex(digest.get(..8).unwrap_or_default());
        // The name is for people; the digest tells repositories apart.
        let named = if project.name() == ".git" {
            project.parent()
        } else {
            project.clone()
        };
        let plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
        let name: String = named.name().chars().filter(plain).take(40).collect();
        let directory = environment.config_dir()?.join("projects");
        Some(Self {
            file: directory.join(&format!("{name}-{digest}.toml")),
            project,
        })
    }

    /// The file in which they are kept.
    pub fn file(&self) -> &Path {
        source::file(&self.file)
    }

    /// All grants, whether in force or not.
    ///
    /// # Errors
    ///
    /// In words, where the file cannot be read whole: then nothing is granted.
    pub fn load(&self) -> Result<Vec<Grant>, String> {
        self.read().map(|(_, grants)| grants)
    }

    /// Keeps more grants.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read whole, or cannot be written.
    pub fn add(&self, more: &[Grant]) -> Result<(), GrantError> {
        let guarded = Guarded::lock(self.file()).map_err(GrantError::Unwritten)?;
        let (before, mut grants) = self.read().map_err(|why| self.unreadable(why))?;
        let begun = before.clone();
        let mut text = begun.unwrap_or_else(|| text::head(self.project.as_str()));
        for grant in more {
            text = text::with(&text, grant);
            grants.push(grant.clone());
        }
        self.replace(&guarded, before.as_deref(), &text, &grants)
    }

    /// Withdraws a grant; nothing where there is none of that name.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read whole, or cannot be written.
    pub fn revoke(&self, id: &str) -> Result<Option<Grant>, GrantError> {
        let guarded = Guarded::lock(self.file()).map_err(GrantError::Unwritten)?;
        let (before, grants) = self.read().map_err(|why| self.unreadable(why))?;
        let Some(revoked) = grants.iter().find(|grant| grant.id == id).cloned() else {
            return Ok(None);
        };
        let unfaithful = || GrantError::Unfaithful {
            path: self.file().to_owned(),
        };
        let old = before.as_deref().unwrap_or_default();
        let new = text::without(old, id).ok_or_else(unfaithful)?;
        let left: Vec<Grant> = grants.into_iter().filter(|grant| grant.id != id).collect();
        self.replace(&guarded, before.as_deref(), &new, &left)?;
        Ok(Some(revoked))
    }

    /// Puts a text in the file's place that says exactly this.
    fn replace(
        &self,
        guarded: &Guarded,
        before: Option<&str>,
        new: &str,
        grants: &[Grant],
    ) -> Result<(), GrantError> {
        if text::read(new).ok().as_deref() != Some(grants) {
            return Err(GrantError::Unfaithful {
                path: self.file().to_owned(),
            });
        }
        guarded.replace(before, new).map_err(GrantError::Unwritten)
    }

    fn read(&self) -> Result<(Option<String>, Vec<Grant>), String> {
        match source::read(self.file(), Keeper::Countersign)? {
            Some(text) => {
                let grants = text::read(&text)?;
                Ok((Some(text), grants))
            }
            None => Ok((None, Vec::new())),
        }
    }

    fn unreadable(&self, why: String) -> GrantError {
        GrantError::Unreadable {
            path: self.file().to_owned(),
            why,
        }
    }
}

/// A name for a grant that is kept now.
pub fn name(rule: &str, saved: &str, question: &str) -> String {
    let mut hasher = Sha256::new();
    for part in [rule, saved, question] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hex(hasher.finalize().get(..5).unwrap_or_default())
}
