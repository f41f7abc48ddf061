//! A file that a shell of the Bourne family reads, by its first line or for want of one.

use super::source::{Asked, text};
use countersign_policy::project::ScriptText;

/// Shells whose texts are read like bash's.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "ksh", "zsh"];

pub(super) fn look(asked: &Asked<'_>) -> Result<Option<ScriptText>, String> {
    let Some(file) = asked.file else {
        return Ok(None);
    };
    let Some(text) = text(file)? else {
        return Ok(None);
    };
    if text.contains('\0') || !is_for_a_shell(&text) {
        return Ok(None);
    }
    Ok(Some(ScriptText {
        file: file.clone(),
        directory: asked.directory.clone(),
        texts: vec![text],
    }))
}

/// Whether the `#!` line names a shell; without one the kernel refuses the file, and the shell that started it reads
/// it itself.
pub(super) fn is_for_a_shell(text: &str) -> bool {
    let Some(head) = text.strip_prefix("#!") else {
        return true;
    };
    let line = head.lines().next().unwrap_or_default();
    let mut words = line
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .filter(|word| *word != "env" && !word.starts_with('-'));
    words.next().is_some_and(|name| SHELLS.contains(&name))
}
