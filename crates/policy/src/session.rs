//! What is known about the session before a call is read: places and names, as plain values that a caller has looked
//! up.

use crate::path::AbsPath;

/// Facts about the session. Policy never looks anything up; whoever builds this has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The session's first git root, else its first working directory; nothing where that would be `/`, the home
    /// directory, an ancestor of it, a temporary or a system directory.
    pub workspace: Option<AbsPath>,
    /// Other paths that lead to the workspace by a link: the directory as the user entered it.
    pub aliases: Vec<AbsPath>,
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
    /// A path in the workspace by the workspace's own name, where it was written by another.
    #[must_use]
    pub fn canonical(&self, path: &AbsPath) -> AbsPath {
        let by_alias = self.aliases.iter().find_map(|alias| path.below(alias));
        match (by_alias, &self.workspace) {
            (Some(rest), Some(root)) => root.join(rest),
            (Some(_) | None, _) => path.clone(),
        }
    }

    /// A session in `workspace` with home `/home/u` and `/tmp`: the world that the case files are written for.
    pub fn example(workspace: &str) -> Self {
        Self {
            workspace: AbsPath::parse(workspace),
            aliases: Vec::new(),
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
