//! Where a path lies: workspace, temporary, system, home or elsewhere; the longest match wins. Secrets and persistence
//! places are rules of the built-in table, not places.

use crate::path::AbsPath;
use crate::session::Session;

/// Where a path lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the session's workspace.
    Workspace,
    /// In a directory for temporary files.
    Temporary,
    /// In a place of the system's or of a toolchain, which is only to be read.
    System,
    /// In the user's home directory.
    Home,
    /// Anywhere else.
    Elsewhere,
}

/// Roots of the system's own files. `/dev` is not among them.
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/etc",
    "/proc",
    "/sys",
    "/nix/store",
    "/Library/Developer",
];

/// Caches of toolchains below the home directory, which hold foreign code that is only read.
const TOOLCHAINS: [&str; 9] = [
    ".cargo/registry",
    ".cargo/git",
    ".cargo/bin",
    ".rustup",
    "go/pkg/mod",
    ".local/lib",
    ".pyenv/versions",
    ".nvm/versions",
    ".cache/go-build",
];

/// Where a path lies.
pub fn place(path: &AbsPath, session: &Session) -> Place {
    let mut best: Option<(usize, Place)> = None;
    let mut consider = |length: usize, place: Place| {
        if best.is_none_or(|(longest, _)| length > longest) {
            best = Some((length, place));
        }
    };
    let within = |root: &&AbsPath| path.is_within(root);
    for root in session.workspace.iter().filter(within) {
        consider(root.as_str().len(), Place::Workspace);
    }
    for root in session.temporary.iter().filter(within) {
        consider(root.as_str().len(), Place::Temporary);
    }
    for root in SYSTEM.iter().filter(|root| begins(path.as_str(), root)) {
        consider(root.len(), Place::System);
    }
    if let Some(home) = &session.home
        && let Some(below) = path.below(home)
    {
        let length = home.as_str().len();
        consider(length, Place::Home);
        for root in TOOLCHAINS.iter().filter(|root| begins(below, root)) {
            consider(length + 1 + root.len(), Place::System);
        }
    }
    best.map_or(Place::Elsewhere, |(_, place)| place)
}

/// Whether a path begins with these components.
fn begins(path: &str, root: &str) -> bool {
    let rest = path.strip_prefix(root);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{Place, place};
    use crate::path::AbsPath;
    use crate::session::Session;

    #[test]
    fn p15_the_longest_match_wins() {
        let mut session = Session::example("/home/u/work");
        for (path, expected) in [
            ("/home/u/work/a", Place::Workspace),
            ("/home/u/workshop", Place::Home),
            ("/home/u", Place::Home),
            ("/tmp/x", Place::Temporary),
            ("/usr/lib/x", Place::System),
            ("/home/u/.cargo/registry/src", Place::System),
            ("/home/v", Place::Elsewhere),
            ("/", Place::Elsewhere),
            ("/var/log", Place::Elsewhere),
        ] {
            assert_eq!(
                place(&AbsPath::parse(path).unwrap(), &session),
                expected,
                "{path}"
            );
        }
        session.workspace = AbsPath::parse("/tmp/job");
        assert_eq!(
            place(&AbsPath::parse("/tmp/job/x").unwrap(), &session),
            Place::Workspace
        );
        assert_eq!(
            place(&AbsPath::parse("/tmp/other").unwrap(), &session),
            Place::Temporary
        );
    }
}
