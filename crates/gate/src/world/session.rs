//! The places of a session, found once when it begins: workspace, home, temporary places, countersign's own files.

use super::environment::Environment;
use super::path::Walked;
use super::regular;
use countersign_policy::path::AbsPath;
use countersign_policy::session::Session;
use countersign_policy::world::FileKind;
use std::cell::RefCell;
use std::fs;

/// Directories that never become a workspace, nor anything below them.
const SYSTEM: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/proc",
    "/sys",
    "/dev",
    "/boot",
    "/private/etc",
    "/System",
    "/Library",
    "/Applications",
];
/// Directories that never become a workspace, while those below them can.
const SHARED: [&str; 15] = [
    "/",
    "/opt",
    "/var",
    "/home",
    "/Users",
    "/root",
    "/mnt",
    "/media",
    "/srv",
    "/run",
    "/tmp",
    "/private",
    "/private/var",
    "/private/tmp",
    "/Volumes",
];
/// Directories below a system place whose subdirectories can be a workspace: where containers keep what they work on.
const SOURCES: [&str; 2] = ["/usr/src", "/usr/local/src"];

/// The program that agents' settings name where countersign is installed.
const HOOK: &[u8] = b"countersign-hook";

/// As much of an agent's settings as is searched.
const SETTINGS_BYTES: u64 = 4 << 20;

/// The session that begins in a working directory.
///
/// The workspace is given with links followed. A caller that takes paths of a call from the same directory should give
/// policy that directory with links followed too, else everything in it seems to lie outside.
pub fn session(cwd: &AbsPath, environment: &Environment) -> Session {
    let walked = RefCell::new(Walked::default());
    let temporary = temporary(environment, &walked);
    let workspace = workspace(cwd, environment, &temporary, &walked);
    let aliases = workspace
        .iter()
        .filter_map(|root| alias(cwd, root, &walked))
        .collect();
    Session {
        workspace,
        aliases,
        home: environment.home().cloned(),
        user: environment.user.clone(),
        temporary,
        own: own(environment, &walked),
    }
}

/// The first git root from the working directory upward, else that directory; nothing where either is too wide.
fn workspace(
    cwd: &AbsPath,
    environment: &Environment,
    temporary: &[AbsPath],
    walked: &RefCell<Walked>,
) -> Option<AbsPath> {
    let (start, kind) = walked.borrow_mut().resolve(cwd).ok()?;
    if kind != FileKind::Directory {
        return None;
    }
    let fits = |directory: &AbsPath| !is_too_wide(directory, environment, temporary, walked);
    let mut at = start.clone();
    let root = loop {
        if is_git_root(&at) {
            break Some(at);
        }
        if at == AbsPath::root() {
            break None;
        }
        at = at.parent();
    };
    // A home directory that is itself a repository makes nothing of a directory inside it wider than it is.
    root.filter(fits).or_else(|| Some(start).filter(fits))
}

/// The workspace's root by the path through which the working directory was entered, where that is another.
fn alias(cwd: &AbsPath, root: &AbsPath, walked: &RefCell<Walked>) -> Option<AbsPath> {
    let (resolved, _) = walked.borrow_mut().resolve(cwd).ok()?;
    let below = resolved.below(root)?;
    let front = match below {
        "" => cwd.as_str(),
        rest => cwd.as_str().strip_suffix(rest)?.strip_suffix('/')?,
    };
    AbsPath::parse(front).filter(|alias| alias != root)
}

/// Whether a directory holds a `.git`: the directory of a repository, or the file of a worktree or submodule.
fn is_git_root(directory: &AbsPath) -> bool {
    let dot = directory.join(".git");
    fs::metadata(dot.as_str()).is_ok_and(|metadata| metadata.is_dir() || metadata.is_file())
}

/// Whether a directory is one that holds more than one person's piece of work.
fn is_too_wide(
    directory: &AbsPath,
    environment: &Environment,
    temporary: &[AbsPath],
    walked: &RefCell<Walked>,
) -> bool {
    let homes = environment.home.iter().chain(&environment.listed_home);
    let holds_home = homes
        .flat_map(|home| both(home, walked))
        .any(|home| home.is_within(directory));
    holds_home || temporary.contains(directory) || is_shared(directory)
}

/// Whether a directory is the system's or shared by everything.
fn is_shared(directory: &AbsPath) -> bool {
    let text = directory.as_str();
    let within =
        |place: &str| AbsPath::parse(place).is_some_and(|place| directory.is_within(&place));
    let is_source = SOURCES.iter().any(|place| within(place) && *place != text);
    SHARED.contains(&text) || (SYSTEM.iter().any(|place| within(place)) && !is_source)
}

/// Directories for temporary files, as written and with links followed. A `TMPDIR` that would make a home or the
/// system temporary does not count.
fn temporary(environment: &Environment, walked: &RefCell<Walked>) -> Vec<AbsPath> {
    let named = environment.tmpdir.iter();
    let named = named.flat_map(|place| both(place, walked));
    let named = named.filter(|place| !is_too_wide(place, environment, &[], walked));
    let common = ["/tmp", "/var/tmp"].into_iter().filter_map(AbsPath::parse);
    distinct(named.chain(common.flat_map(|place| both(&place, walked))))
}

/// countersign's own places, as written and with links followed.
fn own(environment: &Environment, walked: &RefCell<Walked>) -> Vec<AbsPath> {
    let directories = [
        environment.config_dir(),
        environment.state_dir(),
        environment.socket_dir(),
        environment
            .managed
            .as_ref()
            .map(|managed| managed.file.parent()),
    ];
    let places = directories.into_iter().flatten();
    let places = places
        .chain(environment.binaries.iter().cloned())
        .chain(environment.claude_settings().filter(is_installed_in));
    distinct(places.flat_map(|place| both(&place, walked)))
}

/// Whether an agent's settings hold a hook entry of ours. The whole file is protected then: whoever can change another
/// part of it can switch hooks off.
fn is_installed_in(settings: &AbsPath) -> bool {
    let Ok(text) = regular::read(settings, SETTINGS_BYTES) else {
        return false;
    };
    let mut windows = text.windows(HOOK.len());
    // A file too long to be searched is taken for one of ours.
    text.len() as u64 == SETTINGS_BYTES || windows.any(|window| window == HOOK)
}

/// A path as written and with links followed; only as written where that cannot be told.
fn both(path: &AbsPath, walked: &RefCell<Walked>) -> Vec<AbsPath> {
    let resolved = walked
        .borrow_mut()
        .resolve(path)
        .map(|(resolved, _)| resolved);
    let mut places = vec![path.clone()];
    places.extend(resolved);
    places
}

/// Each once, in the order of their first appearance.
fn distinct(places: impl Iterator<Item = AbsPath>) -> Vec<AbsPath> {
    let mut distinct = Vec::new();
    for place in places {
        if !distinct.contains(&place) {
            distinct.push(place);
        }
    }
    distinct
}
