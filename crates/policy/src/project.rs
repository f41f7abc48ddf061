//! Scripts of the project: which one a command starts, and what was found where it is written. Nothing is read here.

use crate::path::AbsPath;

/// By what a script is started, and so where and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Runner {
    /// A script of a `package.json`.
    Package,
    /// A target of a makefile.
    Make,
    /// A recipe of a justfile.
    Just,
    /// An alias of cargo's configuration.
    Cargo,
    /// A file that a shell of the Bourne family reads.
    Shell,
}

/// A script of the project, as a command names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProjectScript {
    /// By what it is started.
    pub runner: Runner,
    /// The directories in one of which the runner looks for its file.
    pub directories: Vec<AbsPath>,
    /// The file, where the command names one.
    pub file: Option<AbsPath>,
    /// The name of script, target, recipe or alias; nothing for the one that runs where none is named.
    pub name: Option<String>,
    /// The words that it is given.
    pub words: Vec<String>,
}

/// What a script of the project says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptText {
    /// The file in which it is written.
    pub file: AbsPath,
    /// The directory in which it runs.
    pub directory: AbsPath,
    /// What it hands to a shell, each text on its own; what is known only when it runs is a variable that is not set.
    pub texts: Vec<String>,
}
