//! Which `countersign-hook` the settings are to name: the one that was named, else the best build beside the running
//! program. It builds and copies nothing.

use crate::error::{CommandError, ErrorKind};
use crate::settings::absolute;
use countersign_hooks::entry::PROGRAM;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// By this file cargo marks the directories into which it builds.
pub(super) const BUILD_MARK: &str = "CACHEDIR.TAG";

/// The profile whose build is the best.
const FAST: &str = "fast";

/// The program that the settings are to name.
pub(super) fn chosen(named: Option<&Path>) -> Result<PathBuf, CommandError> {
    if let Some(named) = named {
        return absolute(named);
    }
    let running = std::env::current_exe().map_err(|error| {
        let words = format!("it is not known where this program lies: {error}");
        CommandError::new(ErrorKind::Internal, words).hint("name the hook with `--program FILE`")
    })?;
    let directory = running.parent().unwrap_or(Path::new("/"));
    let sibling = Build::at(directory.join(PROGRAM));
    let fast = fast(directory).into_iter().max_by_key(|build| build.time);
    let best = match (fast, sibling) {
        // An older one may judge by older rules than the program that was just tried.
        (Some(fast), Some(sibling)) if fast.time < sibling.time => Some(sibling),
        (Some(fast), _) => Some(fast),
        (None, sibling) => sibling,
    };
    best.map(|build| build.path)
        .ok_or_else(|| missing(directory))
}

/// A program that was built, and when.
struct Build {
    path: PathBuf,
    time: SystemTime,
}

impl Build {
    fn at(path: PathBuf) -> Option<Self> {
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let time = metadata.modified().ok()?;
        Some(Self { path, time })
    }
}

/// The fast builds in the build directory of a profile: for the machine itself, or for a target that it can run.
fn fast(profile: &Path) -> Vec<Build> {
    let mut found = Vec::new();
    // The profile's directory lies in the build directory, or one below it in that of a target.
    let above = profile.ancestors().skip(1).take(2);
    for root in above.filter(|root| root.join(BUILD_MARK).is_file()) {
        let targets = fs::read_dir(root).into_iter().flatten().flatten();
        let targets = targets.filter(|target| {
            let name = target.file_name();
            name.to_str().is_some_and(runs_here)
        });
        let places = targets.map(|target| target.path()).chain([root.to_owned()]);
        found.extend(places.filter_map(|place| Build::at(place.join(FAST).join(PROGRAM))));
    }
    found
}

/// Whether programs for a target run on this machine.
fn runs_here(target: &str) -> bool {
    let system = if OS == "macos" { "darwin" } else { OS };
    let rest = target.strip_prefix(ARCH);
    rest.is_some_and(|rest| rest.starts_with('-') && rest.contains(system))
}

/// There is no hook, with the command that makes one.
fn missing(directory: &Path) -> CommandError {
    let build = match directory.file_name().and_then(|name| name.to_str()) {
        Some("debug") => "cargo build -p countersign-hooks",
        Some("release") => "cargo build --release -p countersign-hooks",
        Some(FAST) => "just fast",
        _ => "cargo install --path crates/hooks",
    };
    let words = format!("there is no `{PROGRAM}` in `{}`", directory.display());
    CommandError::new(ErrorKind::User, words)
        .hint(format!("make it with `{build}`, then try again"))
        .hint("or name one with `--program FILE`")
}
