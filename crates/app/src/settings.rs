//! The settings file that is meant: the one that was named, else the user's own. It is not read here.

use crate::error::{CommandError, ErrorKind};
use countersign_gate::world::environment::Environment;
use countersign_hooks::install;
use std::path::{Path, PathBuf};

/// The settings file of Claude Code.
pub(crate) fn file(
    named: Option<&Path>,
    environment: &Environment,
) -> Result<PathBuf, CommandError> {
    match named {
        Some(named) => absolute(named),
        None => Ok(install::settings(environment)?),
    }
}

/// A path that was typed, from the root: whoever reads it later works elsewhere.
pub(crate) fn absolute(named: &Path) -> Result<PathBuf, CommandError> {
    std::path::absolute(named).map_err(|error| {
        let words = format!("`{}` names no file: {error}", named.display());
        CommandError::new(ErrorKind::Cli, words)
    })
}
