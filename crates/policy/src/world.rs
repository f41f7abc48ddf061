//! What grounding needs to know of the machine, as questions and facts; the looking is done elsewhere (crate `gate`).

use crate::path::AbsPath;
use crate::project::{Runner, ScriptText};
use std::collections::BTreeMap;

/// One question about the machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lookup {
    /// Where a path leads once every link is followed, and what stands there.
    Path(AbsPath),
    /// Which file runs for a program name without a slash, by the search path of the gate's own environment.
    Program(String),
    /// What a script of the project says.
    Script {
        /// By what it is started.
        runner: Runner,
        /// The directory in which the runner looks for its file.
        directory: AbsPath,
        /// The file, where the command names one.
        file: Option<AbsPath>,
        /// The name of script, target, recipe or alias; nothing for the one that runs where none is named.
        name: Option<String>,
    },
    /// The value of git's configuration `alias.<name>` as git would read it in a directory.
    GitAlias {
        /// The directory in which git would run.
        directory: AbsPath,
        /// The name of the alias.
        name: String,
    },
    /// The repository that git would find from a path upward, where it is a directory that is not called `.git`; else,
    /// as something missing, the directory in which git finds its repository, or the path itself.
    BareRepository(AbsPath),
    /// The files and directories that git's settings name for a working tree: hooks, included files, programs in it.
    NamedByGit(AbsPath),
    /// What lies below a directory, at any depth, where a rule of the built-in table asks about changes.
    Protected(AbsPath),
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// For [`Lookup::Path`], and for [`Lookup::BareRepository`] the directory or something missing.
    Path {
        /// The path with all links followed; for a missing file the nearest existing ancestor resolved, then the rest.
        resolved: AbsPath,
        /// What stands there.
        kind: FileKind,
    },
    /// For [`Lookup::Program`]: the file with links unresolved, or nothing where the search finds none.
    Program(Option<AbsPath>),
    /// For [`Lookup::GitAlias`]: the text, or nothing where there is none.
    Text(Option<String>),
    /// For [`Lookup::Script`]: what it says, or nothing where there is none.
    Script(Option<ScriptText>),
    /// For [`Lookup::Protected`]: paths below the directory, with slashes between their components; for
    /// [`Lookup::NamedByGit`]: absolute ones.
    Names(Vec<String>),
    /// It could not be looked up; the words say why. What depends on it is opaque.
    Failed(String),
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Nothing.
    Missing,
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A block or character device.
    Device,
    /// A socket, a pipe or anything else.
    Other,
}

/// The facts that were looked up so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct World {
    facts: BTreeMap<Lookup, Found>,
}

impl World {
    /// A world of which nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The fact for a question that was looked up.
    pub fn get(&self, lookup: &Lookup) -> Option<&Found> {
        self.facts.get(lookup)
    }

    /// Adds a fact; the first answer to a question stays, so that one call is judged in one world.
    pub fn insert(&mut self, lookup: Lookup, found: Found) {
        self.facts.entry(lookup).or_insert(found);
    }

    /// Every question with its fact, in a fixed order.
    pub fn facts(&self) -> impl Iterator<Item = (&Lookup, &Found)> {
        self.facts.iter()
    }
}
