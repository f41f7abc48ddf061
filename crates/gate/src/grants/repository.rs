//! The directory that all worktrees of a repository share, told from its files as git would; git is not run.

use crate::world::file_text;
use countersign_policy::path::AbsPath;
use std::fs;

/// The most bytes of a file that only names a directory.
const NAME_BYTES: u64 = 4096;

/// The repository's own directory, from the root of a worktree.
pub(super) fn common(workspace: &AbsPath) -> Option<AbsPath> {
    let dot = workspace.join(".git");
    let metadata = fs::metadata(dot.as_str()).ok()?;
    if metadata.is_dir() {
        return Some(dot);
    }
    let text = file_text(&dot, NAME_BYTES)?;
    let named = text.strip_prefix("gitdir:")?.trim();
    let own = real(&workspace.join(named))?;
    let shared = file_text(&own.join("commondir"), NAME_BYTES)?;
    let shared = real(&own.join(shared.trim()))?;
    // Whoever wrote the files of this directory can name any repository: it has to name this worktree as its own.
    let back = file_text(&own.join("gitdir"), NAME_BYTES)?;
    let back = real(&own.join(back.trim()))?;
    let mutual = own.parent() == shared.join("worktrees") && Some(back) == real(&dot);
    mutual.then_some(shared)
}

/// A path with links followed.
fn real(path: &AbsPath) -> Option<AbsPath> {
    let real = fs::canonicalize(path.as_str()).ok()?;
    AbsPath::parse(real.to_str()?)
}
