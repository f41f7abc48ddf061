//! Which repository git would obey: one that lies as plain files among others is whatever somebody put there. A
//! directory called `.git` is not asked about here, as rules keep it from being changed.

use crate::effects::command::{CommandLine, Field, OptionUse};
use crate::effects::effect::{Act, Effect};
use crate::effects::opacity::Opacity;
use crate::path::AbsPath;
use crate::request::PathTarget;
use crate::session::Session;
use crate::world::{FileKind, Found, Lookup, World};

/// Why an effect asks where git would obey a directory that is not called `.git`: git runs there, or something in it is
/// changed. What is not known yet is added to `needed`.
pub(crate) fn obeys(effect: &Effect, world: &World, needed: &mut Vec<Lookup>) -> Option<Opacity> {
    let places: &[AbsPath] = match &effect.act {
        Act::Run(run) => {
            if !is_git(&run.line) {
                return None;
            }
            if effect.cwd.is_empty() {
                return Some(Opacity::UnknownDirectory);
            }
            &effect.cwd
        }
        Act::Write(target) | Act::Move(target) => &target.places,
        Act::Read(_)
        | Act::Delete(_)
        | Act::Discard(_)
        | Act::Net(_)
        | Act::WebSearch(_)
        | Act::Mcp(_)
        | Act::Memory(_)
        | Act::Task { .. }
        | Act::Terminal(_)
        | Act::Tool(_)
        | Act::Spread { .. }
        | Act::GitAlias { .. }
        | Act::Script(_)
        | Act::Breaks(_)
        | Act::Opaque(_) => return None,
    };
    let mut why = None;
    for place in places {
        let lookup = Lookup::BareRepository(place.clone());
        match world.get(&lookup) {
            None => needed.push(lookup),
            Some(Found::Path {
                kind: FileKind::Missing,
                ..
            }) => {}
            Some(Found::Path { .. }) => why = Some(Opacity::BareRepository),
            Some(
                Found::Program(_)
                | Found::Text(_)
                | Found::Script(_)
                | Found::Names(_)
                | Found::Failed(_),
            ) => {
                why = why.or(Some(Opacity::LookupsExhausted));
            }
        }
    }
    why
}

/// Adds the place in the repository for which a file of the working tree stands that git's settings name: what is
/// written there, git runs or reads as more of its settings.
pub(crate) fn named(
    target: &mut PathTarget,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) {
    let Some(root) = &session.workspace else {
        return;
    };
    if !target.places.iter().any(|place| place.is_within(root)) {
        return;
    }
    let lookup = Lookup::NamedByGit(root.clone());
    let names = match world.get(&lookup) {
        None => return needed.push(lookup),
        Some(Found::Names(names)) => names,
        Some(
            Found::Path { .. }
            | Found::Program(_)
            | Found::Text(_)
            | Found::Script(_)
            | Found::Failed(_),
        ) => return,
    };
    let settings: Vec<AbsPath> = names
        .iter()
        .filter_map(|name| AbsPath::parse(name))
        .collect();
    let held = |place: &AbsPath| {
        let wide = target.pattern.is_some();
        settings
            .iter()
            .any(|own| place.is_within(own) || wide && own.is_within(place))
    };
    let held = target.places.iter().find(|place| held(place)).cloned();
    if let Some(place) = held {
        target
            .places
            .push(root.join(".git/hooks").join(place.name()));
    }
}

/// Commands of git's that bring files of another commit into the working tree.
const ENTERING: [&str; 7] = [
    "checkout",
    "switch",
    "merge",
    "rebase",
    "cherry-pick",
    "revert",
    "worktree",
];

/// The commands of git's that run in a directory which the same call may have made another repository than the looks
/// found: below the top of a working tree into which other files came, or behind a link that is not there yet.
pub(crate) fn changed(effects: &[Effect], world: &World) -> Vec<Effect> {
    let mut out = Vec::new();
    let (mut entered, mut linked) = (false, false);
    // Where working trees were added, which have a `.git` of their own.
    let mut added: Vec<&AbsPath> = Vec::new();
    let mut adding = false;
    for effect in effects {
        match &effect.act {
            Act::Run(run) if is_git(&run.line) => {
                let elsewhere = effect.cwd.iter().any(|directory| {
                    let own = added.contains(&directory) || is_top(directory, world);
                    entered && !own || linked && is_missing(directory, world)
                });
                if elsewhere {
                    let act = Act::Opaque(Opacity::UnknownDirectory);
                    out.push(Effect {
                        act,
                        ..effect.clone()
                    });
                }
                entered |= enters(&run.line);
                adding = run.line.words.get(1).and_then(Field::known) == Some("worktree");
            }
            Act::Write(target) if adding && effect.program.as_deref() == Some("git") => {
                added.extend(&target.places);
            }
            Act::Write(target) if effect.program.as_deref().is_some_and(is_linker) => {
                linked |= target.places.iter().any(|place| is_directory(place, world));
            }
            Act::Run(_)
            | Act::Write(_)
            | Act::Read(_)
            | Act::Move(_)
            | Act::Delete(_)
            | Act::Discard(_)
            | Act::Net(_)
            | Act::WebSearch(_)
            | Act::Mcp(_)
            | Act::Memory(_)
            | Act::Task { .. }
            | Act::Terminal(_)
            | Act::Tool(_)
            | Act::Spread { .. }
            | Act::GitAlias { .. }
            | Act::Script(_)
            | Act::Breaks(_)
            | Act::Opaque(_) => {}
        }
    }
    out
}

fn is_git(line: &CommandLine) -> bool {
    let name = line.words.first().and_then(Field::known);
    let others = line.other_names.iter().map(String::as_str);
    name.into_iter().chain(others).any(|name| name == "git")
}

/// Whether a command of git's brings files of another commit: a new branch at the same commit does not.
fn enters(line: &CommandLine) -> bool {
    let names = |option: &OptionUse| {
        let new = |name: &String| matches!(name.as_str(), "-b" | "--create");
        option.names.iter().any(new)
    };
    let creates = line.operands.is_empty() && line.options.iter().any(names);
    let command = line.words.get(1).and_then(Field::known);
    command.is_some_and(|name| ENTERING.contains(&name)) && !creates
}

/// Programs that give a file another name.
fn is_linker(program: &str) -> bool {
    matches!(program, "ln" | "gln" | "link" | "cp" | "gcp")
}

/// Whether git finds its repository in a directory itself, so that none below comes before it.
fn is_top(directory: &AbsPath, world: &World) -> bool {
    match world.get(&Lookup::BareRepository(directory.clone())) {
        Some(Found::Path { resolved, .. }) => resolved == directory,
        Some(
            Found::Program(_)
            | Found::Text(_)
            | Found::Script(_)
            | Found::Names(_)
            | Found::Failed(_),
        )
        | None => false,
    }
}

fn is_missing(path: &AbsPath, world: &World) -> bool {
    kind(path, world) == Some(FileKind::Missing)
}

fn is_directory(path: &AbsPath, world: &World) -> bool {
    kind(path, world) == Some(FileKind::Directory)
}

fn kind(path: &AbsPath, world: &World) -> Option<FileKind> {
    match world.get(&Lookup::Path(path.clone()))? {
        Found::Path { kind, .. } => Some(*kind),
        Found::Program(_)
        | Found::Text(_)
        | Found::Script(_)
        | Found::Names(_)
        | Found::Failed(_) => None,
    }
}
