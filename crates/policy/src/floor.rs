//! The floor (row P14): what no rule, answer or mode lifts, told from paths and command lines alone.

use crate::effects::command::{CommandLine, Field};
use crate::path::AbsPath;
use crate::request::{Floor, PathTarget};
use crate::session::Session;

/// Subcommands of countersign's that only look, whatever they are given. `bench` is not among them: it runs the command
/// line that it is given.
const LOOKING: [&str; 12] = [
    "check",
    "explain",
    "log",
    "help",
    "rules",
    "test",
    "replay",
    "sessions",
    "pending",
    "suggest",
    "completions",
    "man",
];

/// What running a command breaks: our own commands, and any command that names our socket.
pub(crate) fn command(line: &CommandLine, session: &Session) -> Option<Floor> {
    let socket = |text: &str| {
        text.contains(".sock") && session.own.iter().any(|own| text.contains(own.as_str()))
    };
    if line.words.iter().filter_map(Field::known).any(socket) {
        return Some(Floor::CommandsCountersign);
    }
    let name = line.words.first().and_then(Field::known)?;
    let names = std::iter::once(name).chain(line.other_names.iter().map(String::as_str));
    let mut ours = names.filter(|name| matches!(*name, "countersign" | "countersign-hook"));
    match ours.next()? {
        "countersign" => (!only_looks(line)).then_some(Floor::CommandsCountersign),
        _ => Some(Floor::CommandsCountersign),
    }
}

/// Whether one of our own commands only looks.
fn only_looks(line: &CommandLine) -> bool {
    let words = || line.words.iter().skip(1);
    let dashed = |word: &&Field| word.known().is_some_and(|text| text.starts_with('-'));
    let Some(verb) = words().find(|word| !dashed(word)) else {
        return true;
    };
    match verb.known() {
        // It runs the hook that the agent's settings name: only the user's own settings may say which that is.
        Some("doctor") => {
            let known = ["doctor", "--json", "--help", "-h"];
            let plain = |word: &Field| word.known().is_some_and(|text| known.contains(&text));
            line.changed_by.is_empty() && words().all(plain)
        }
        Some("grants") => {
            let told = |word: &Field| matches!(word.known(), Some("--help" | "-h"));
            let mut plain = words().filter(|word| !dashed(word)).skip(1);
            words().filter(dashed).all(told)
                && plain
                    .next()
                    .is_none_or(|word| matches!(word.known(), Some("list" | "show")))
        }
        Some(verb) => LOOKING.contains(&verb),
        None => false,
    }
}

/// What reading a path breaks: only countersign's socket, which is reached by its name.
pub(crate) fn reads(target: &PathTarget, session: &Session) -> Option<Floor> {
    let socket = |path: &&AbsPath| {
        path.name().contains(".sock") && session.own.iter().any(|own| path.is_within(own))
    };
    target
        .places
        .iter()
        .find(socket)
        .map(|_| Floor::CommandsCountersign)
}

/// What creating or changing a path breaks. A link to a device is known by where it leads, once grounded.
pub(crate) fn writes(target: &PathTarget, session: &Session) -> Option<Floor> {
    target.places.iter().find_map(|path| {
        if is_device(path) {
            return Some(Floor::WipesDevice);
        }
        let wide = target.pattern.is_some();
        own(path, target, wide, session)
    })
}

/// What moving a path away breaks: a directory goes with everything in it.
pub(crate) fn moves(target: &PathTarget, session: &Session) -> Option<Floor> {
    deletes(
        &PathTarget {
            recursive: true,
            ..target.clone()
        },
        session,
    )
}

/// What deleting a path breaks.
pub(crate) fn deletes(target: &PathTarget, session: &Session) -> Option<Floor> {
    target.places.iter().find_map(|path| {
        let whole = target.pattern.is_none();
        let all = whole || target.pattern.as_deref().is_some_and(is_sweeping);
        if all && path.as_str() == "/" {
            return Some(Floor::WipesRoot);
        }
        if all
            && session
                .home
                .as_ref()
                .is_some_and(|home| home.is_within(path))
        {
            return Some(Floor::WipesHome);
        }
        // A pattern below the workspace need not take `.git` with it; the directory itself does.
        let root = session.workspace.as_ref();
        let repository = whole && root.is_some_and(|root| root.is_within(path));
        let git = all && path.name() == ".git";
        let by_pattern = target.pattern.as_deref().is_some_and(names_git);
        if repository || git || by_pattern {
            return Some(Floor::WipesRepository);
        }
        own(
            path,
            target,
            target.recursive || target.pattern.is_some(),
            session,
        )
    })
}

/// A target within countersign's own places, or, where everything below is meant, around them.
fn own(path: &AbsPath, target: &PathTarget, wide: bool, session: &Session) -> Option<Floor> {
    session
        .own
        .iter()
        .any(|own| path.is_within(own) || wide && own.is_within(path) && reaches(target, path, own))
        .then_some(Floor::TouchesCountersign)
}

/// Whether a pattern below `path` can reach down to `own`.
fn reaches(target: &PathTarget, path: &AbsPath, own: &AbsPath) -> bool {
    let Some(pattern) = &target.pattern else {
        return true;
    };
    let Some(first) = own.below(path).and_then(|below| below.split('/').next()) else {
        return true;
    };
    let component = pattern.split('/').next().unwrap_or(pattern);
    let hidden = first.starts_with('.') && !component.starts_with('.') && component != "**";
    !hidden && crate::effects::glob::matches(component, first)
}

/// Whether a pattern takes everything in its directory.
fn is_sweeping(pattern: &str) -> bool {
    let first = pattern.split('/').next().unwrap_or(pattern);
    matches!(
        first,
        "*" | "**" | ".*" | "*.*" | ".[!.]*" | ".[^.]*" | ".??*" | "..?*" | "?*"
    )
}

/// Whether the last component of a pattern is written to find `.git`.
fn names_git(pattern: &str) -> bool {
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    last.starts_with(".g") && crate::effects::glob::matches(last, ".git")
}

/// Block devices by the names that Linux and macOS give them.
fn is_device(path: &AbsPath) -> bool {
    let Some(name) = path.as_str().strip_prefix("/dev/") else {
        return false;
    };
    [
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "loop",
        "nbd", "mem", "kmem", "port",
    ]
    .iter()
    .any(|front| name.starts_with(front))
}
