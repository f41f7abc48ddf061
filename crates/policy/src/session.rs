//! What is known about the session before a call is read: places and names, as plain values that a caller has looked up.

use crate::path::AbsPath;

/// Facts about the session. Policy never looks anything up; whoever builds this has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The session's first git root, else its first working directory; nothing where that would be `/`, the home
    /// directory, an ancestor of it, a temporary or a system directory.
    pub workspace: Option<AbsPath>,
    /// The user's home directory.
    pub home: Option<AbsPath>,
    /// The user's login name.
    pub user: Option<String>,
    /// Directories for temporary files: `TMPDIR`, `/tmp`, `/var/tmp`, links resolved too.
    pub temporary: Vec<AbsPath>,
    /// countersign's own files: rules, grants, trust, journal, socket, binaries (files or directories).
    pub own: Vec<AbsPath>,
}

impl Session {
    /// A session in `workspace` with home `/home/u` and `/tmp`: the world that the case files are written for.
    pub fn example(workspace: &str) -> Self {
        Self {
            workspace: AbsPath::parse(workspace),
            home: AbsPath::parse("/home/u"),
            user: Some("u".to_owned()),
            temporary: [AbsPath::root().join("tmp"), AbsPath::root().join("var/tmp")].into(),
            own: [
                AbsPath::root().join("home/u/.config/countersign"),
                AbsPath::root().join("home/u/.local/state/countersign"),
            ]
            .into(),
        }
    }
}
