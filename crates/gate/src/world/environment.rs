//! What the gate's own process was given by its environment, read once at the edge; a plain value from there on.

use countersign_policy::path::AbsPath;
use std::fs;
use std::path::Path;

/// The environment by which lookups are made. Variables that are not UTF-8, or not absolute where they must be, count
/// as absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// `HOME`.
    pub home: Option<AbsPath>,
    /// The home directory in the system's list of users.
    pub listed_home: Option<AbsPath>,
    /// The login name in the system's list of users, else `LOGNAME` or `USER`.
    pub user: Option<String>,
    /// `PATH`.
    pub path: Option<String>,
    /// The working directory, which an empty or relative entry of `PATH` means.
    pub cwd: Option<AbsPath>,
    /// `TMPDIR`.
    pub tmpdir: Option<AbsPath>,
    /// `XDG_CONFIG_HOME`.
    pub config_home: Option<AbsPath>,
    /// `XDG_STATE_HOME`.
    pub state_home: Option<AbsPath>,
    /// `XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<AbsPath>,
    /// Whether a variable is set by which git reads other files than it would without (`GIT_CONFIG_*`, `GIT_DIR` …).
    pub git_redirected: bool,
    /// Where git may keep the system's configuration; which of them is decided when git is built.
    pub git_system: Vec<AbsPath>,
    /// The files of the running program and its siblings.
    pub binaries: Vec<AbsPath>,
    /// Where the administrator's rules lie; nothing where there is no such place.
    pub managed: Option<Managed>,
    /// `CLAUDE_CONFIG_DIR`, where Claude Code keeps its settings if not at home.
    pub claude_config: Option<AbsPath>,
}

/// The administrator's rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Managed {
    /// The file.
    pub file: AbsPath,
    /// The user to whom file and directory must belong, by number.
    pub owner: u32,
}

/// Where the administrator's rules lie.
const MANAGED: &str = "/etc/countersign/rules.toml";

/// Variables that change where git looks for its configuration, beside those that begin with `GIT_CONFIG`.
const GIT_PLACES: [&str; 4] = [
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

const GIT_SYSTEM: [&str; 4] = [
    "/etc/gitconfig",
    "/usr/local/etc/gitconfig",
    "/opt/homebrew/etc/gitconfig",
    "/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig",
];

/// The programs that belong together; whichever runs, all of them are countersign's own.
const PROGRAMS: [&str; 2] = ["countersign", "countersign-hook"];

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        let text = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        let path = |name: &str| text(name).as_deref().and_then(AbsPath::parse);
        let list = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let listed = listed(&list, rustix::process::getuid().as_raw());
        let (listed_user, listed_home) =
            listed.map_or((None, None), |(user, home)| (Some(user), home));
        let redirects = |name: &str| name.starts_with("GIT_CONFIG") || GIT_PLACES.contains(&name);
        Self {
            home: path("HOME"),
            listed_home,
            user: listed_user
                .or_else(|| text("LOGNAME"))
                .or_else(|| text("USER")),
            path: text("PATH"),
            cwd: std::env::current_dir().ok().as_deref().and_then(absolute),
            tmpdir: path("TMPDIR"),
            config_home: path("XDG_CONFIG_HOME"),
            state_home: path("XDG_STATE_HOME"),
            runtime_dir: path("XDG_RUNTIME_DIR"),
            git_redirected: std::env::vars_os().any(|(name, _)| redirects(&name.to_string_lossy())),
            git_system: GIT_SYSTEM
                .iter()
                .filter_map(|path| AbsPath::parse(path))
                .collect(),
            binaries: binaries(),
            managed: AbsPath::parse(MANAGED).map(|file| Managed { file, owner: 0 }),
            claude_config: path("CLAUDE_CONFIG_DIR"),
        }
    }

    /// Where the user is at home.
    pub fn home(&self) -> Option<&AbsPath> {
        self.home.as_ref().or(self.listed_home.as_ref())
    }

    /// Where programs keep their configuration.
    pub fn config_base(&self) -> Option<AbsPath> {
        let home = || self.home().map(|home| home.join(".config"));
        self.config_home.clone().or_else(home)
    }

    /// Where programs keep their state.
    pub fn state_base(&self) -> Option<AbsPath> {
        let home = || self.home().map(|home| home.join(".local/state"));
        self.state_home.clone().or_else(home)
    }

    /// countersign's own configuration: rules, grants, trust.
    pub fn config_dir(&self) -> Option<AbsPath> {
        self.config_base().map(|base| base.join("countersign"))
    }

    /// countersign's own state: journals.
    pub fn state_dir(&self) -> Option<AbsPath> {
        self.state_base().map(|base| base.join("countersign"))
    }

    /// The user's settings of Claude Code, in which countersign's hook is installed.
    pub fn claude_settings(&self) -> Option<AbsPath> {
        let home = || self.home().map(|home| home.join(".claude"));
        let directory = self.claude_config.clone().or_else(home);
        directory.map(|directory| directory.join("settings.json"))
    }

    /// Where countersign's socket lies.
    pub fn socket_dir(&self) -> Option<AbsPath> {
        self.runtime_dir
            .as_ref()
            .map(|base| base.join("countersign"))
    }
}

/// The running program and its siblings in the same directory.
fn binaries() -> Vec<AbsPath> {
    let Some(running) = std::env::current_exe().ok().as_deref().and_then(absolute) else {
        return Vec::new();
    };
    let beside = running.parent();
    let mut binaries = vec![running];
    for program in PROGRAMS.map(|program| beside.join(program)) {
        if !binaries.contains(&program) && Path::new(program.as_str()).exists() {
            binaries.push(program);
        }
    }
    binaries
}

fn absolute(path: &Path) -> Option<AbsPath> {
    AbsPath::parse(path.to_str()?)
}

/// Name and home directory of a user in a list of users of the form of `/etc/passwd`.
fn listed(list: &str, uid: u32) -> Option<(String, Option<AbsPath>)> {
    list.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        let listed = fields.nth(1)?.parse::<u32>().ok()?;
        let home = fields.nth(2)?;
        (listed == uid).then(|| (name.to_owned(), AbsPath::parse(home)))
    })
}

#[cfg(test)]
mod tests {
    use super::listed;
    use countersign_policy::path::AbsPath;

    #[test]
    fn finds_a_user_in_the_list() {
        let list = "root:x:0:0:root:/root:/bin/bash\nbad\n:x:7:7::/n:\nu:x:1000:1000::/home/u:/bin/sh\nv:x:7:7:::\n";
        assert_eq!(
            listed(list, 1000),
            Some(("u".to_owned(), AbsPath::parse("/home/u")))
        );
        assert_eq!(listed(list, 7), Some(("v".to_owned(), None)));
        assert_eq!(listed(list, 8), None);
    }
}
