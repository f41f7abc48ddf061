//! Looking things up on the machine for policy, which looks at nothing itself. It reads only, and runs nothing.
//!
//! Every look is bounded: in what it reads, in the links that it follows, and per call in their number. What cannot be
//! looked up is [`Found::Failed`], which policy takes for something that cannot be told.

pub mod environment;
pub mod session;
mod path;
mod program;
mod script;
mod alias;
mod repository;
mod protected;
mod config;
mod regular;

use crate::hex::hex;
use countersign_policy::path::AbsPath;
use countersign_policy::world::{Found, Lookup, World};
use environment::Environment;
use sha2::{Digest as _, Sha256};

/// Answers one question about the machine.
pub fn look(lookup: &Lookup, environment: &Environment) -> Found {
    match lookup {
        Lookup::Path(path) => path::look(path),
        Lookup::Program(name) => program::look(name, environment),
        Lookup::Script {
            runner,
            directory,
            file,
            name,
        } => script::look(script::Asked {
            runner: *runner,
            directory,
            file: file.as_ref(),
            name: name.as_deref(),
        }),
        Lookup::BareRepository(path) => repository::look(path),
        Lookup::NamedByGit(directory) => alias::named(directory, environment),
        Lookup::Protected(directory) => protected::look(directory),
        Lookup::GitAlias { directory, name } => alias::look(directory, name, environment),
    }
}

/// The text of a small regular file; nothing where there is none, it is longer or no text.
pub(crate) fn file_text(file: &AbsPath, most: u64) -> Option<String> {
    let bytes = regular::read(file, most + 1).ok()?;
    let whole = bytes.len() as u64 <= most;
    String::from_utf8(bytes).ok().filter(|_| whole)
}

/// The SHA-256 of a regular file in hexadecimal; nothing where there is no file.
///
/// # Errors
///
/// In words, where it cannot be read or is longer than [`DIGESTED_BYTES`].
pub(crate) fn file_digest(file: &AbsPath) -> Result<Option<String>, String> {
    match regular::read(file, DIGESTED_BYTES + 1) {
        Ok(bytes) if bytes.len() as u64 > DIGESTED_BYTES => {
            Err(format!("`{file}` has more than {DIGESTED_BYTES} bytes"))
        }
        Ok(bytes) => Ok(Some(hex(&Sha256::digest(&bytes)))),
        Err(error) if regular::is_missing(&error) => Ok(None),
        Err(error) => Err(format!("`{file}`: {error}")),
    }
}

/// The longest file, in bytes, of which a digest is taken.
const DIGESTED_BYTES: u64 = 16 << 20;

/// The most questions that are answered for one call.
pub const LOOKUPS: usize = 256;

/// Answers the questions of one call, up to a number.
#[derive(Debug)]
pub struct Looker<'a> {
    environment: &'a Environment,
    left: usize,
    walked: path::Walked,
    repositories: repository::Repositories,
}

/// More questions were asked than are answered for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

impl<'a> Looker<'a> {
    /// One that answers [`LOOKUPS`] questions.
    pub fn new(environment: &'a Environment) -> Self {
        Self::with_limit(environment, LOOKUPS)
    }

    /// One that answers `limit` questions.
    pub fn with_limit(environment: &'a Environment, limit: usize) -> Self {
        Self {
            environment,
            left: limit,
            walked: path::Walked::default(),
            repositories: repository::Repositories::default(),
        }
    }

    /// Answers questions into `world`. What is known there already is not looked up again, so that one call is judged
    /// in one world. Where the number is used up, what was answered stays.
    pub fn fill(&mut self, lookups: &[Lookup], world: &mut World) -> Result<(), Exhausted> {
        for lookup in lookups {
            if world.get(lookup).is_some() {
                continue;
            }
            self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
            let found = match lookup {
                Lookup::Path(path) => self.walked.look(path),
                Lookup::BareRepository(path) => self.repositories.look(path, &mut self.walked),
                Lookup::Program(_)
                | Lookup::Script { .. }
                | Lookup::Protected(_)
                | Lookup::NamedByGit(_)
                | Lookup::GitAlias { .. } => look(lookup, self.environment),
            };
            world.insert(lookup.clone(), found);
        }
        Ok(())
    }
}
