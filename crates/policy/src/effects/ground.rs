//! Grounding: effects as written become effects as they stand, by steps. Each step either names what must be looked up
//! or is ready; the looking itself is done elsewhere.

use crate::effects::command::Field;
use crate::effects::effect::{Act, Effect, Run};
use crate::effects::locate::climbs;
use crate::effects::obeyed;
use crate::effects::opacity::Opacity;
use crate::effects::read::{expand_alias, expand_script};
use crate::effects::repository;
use crate::effects::spread;
use crate::effects::value::split_pattern;
use crate::path::AbsPath;
use crate::places::{Place, place};
use crate::request::{Category, PathTarget};
use crate::session::Session;
use crate::world::{FileKind, Found, Lookup, World};

/// Rounds of aliases that lead to aliases; git itself refuses a loop.
const MOST_ROUNDS: usize = 8;

/// The most effects of the project's own scripts that are told of one call.
const MOST_INSIDE: usize = 96;

/// What follows from the facts that are known so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// These must be looked up before anything can be judged.
    Need(Vec<Lookup>),
    /// Everything is known, or known not to be.
    Ready(Grounded),
}

/// Effects as they stand: only these can be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grounded {
    /// The effects, with every path at all places where it may stand.
    pub effects: Vec<Effect>,
}

/// The next step of grounding. It is called again with a larger world until it is ready; every call sees the same
/// effects as written, so that nothing depends on the order of the answers.
pub fn step(effects: &[Effect], session: &Session, world: &World) -> Step {
    let mut needed = Vec::new();
    let mut expanded = effects.to_vec();
    for _ in 0..MOST_ROUNDS {
        let (next, alias) = aliases(expanded, session, world, &mut needed);
        let (next, script) = scripts(next, session, world, &mut needed);
        expanded = next;
        if !alias && !script {
            break;
        }
    }
    let mut grounded = Vec::with_capacity(expanded.len());
    for effect in expanded {
        ground(effect, session, world, &mut needed, &mut grounded);
    }
    obeyed::raise(&mut grounded, session, world, &mut needed);
    if needed.is_empty() {
        grounded.extend(repository::changed(&grounded, world));
        // The command that starts a script is asked about as code of the project: what cannot be told in it adds
        // nothing.
        grounded.retain(|effect| effect.within.is_none() || !matches!(effect.act, Act::Opaque(_)));
        return Step::Ready(Grounded { effects: grounded });
    }
    needed.sort();
    needed.dedup();
    Step::Need(needed)
}

/// Puts what an alias stands for in its place; true where any was found.
fn aliases(
    effects: Vec<Effect>,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> (Vec<Effect>, bool) {
    let mut found = false;
    let mut out = Vec::with_capacity(effects.len());
    for effect in effects {
        let Act::GitAlias { name, words } = &effect.act else {
            out.push(effect);
            continue;
        };
        let opaque = Effect {
            act: Act::Opaque(Opacity::ComputedCommand),
            ..effect.clone()
        };
        let Some(directory) = effect.cwd.first().cloned() else {
            out.push(opaque);
            continue;
        };
        let lookup = Lookup::GitAlias {
            directory,
            name: name.clone(),
        };
        match world.get(&lookup) {
            None => needed.push(lookup),
            // There is no such alias: git runs a program of that name, which nobody described.
            Some(Found::Text(None)) => {}
            Some(Found::Text(Some(alias))) => {
                found = true;
                // The words as written are no command of git's; what they stand for is judged in their place.
                out.retain(|other: &Effect| {
                    other.command != effect.command
                        || other.within.is_some()
                        || !matches!(other.act, Act::Run(_))
                });
                out.extend(expand_alias(alias, words, &effect, session));
            }
            Some(
                Found::Path { .. }
                | Found::Program(_)
                | Found::Script(_)
                | Found::Names(_)
                | Found::Failed(_),
            ) => {
                out.push(opaque);
            }
        }
    }
    (out, found)
}

/// Adds what the scripts of the project do that are started, as far as it can be told; true where any was found. What
/// cannot be told adds nothing: the command that starts a script is judged as one that runs the project's own code.
fn scripts(
    effects: Vec<Effect>,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> (Vec<Effect>, bool) {
    let mut found = false;
    let mut out = Vec::with_capacity(effects.len());
    let mut inside = effects
        .iter()
        .filter(|effect| effect.within.is_some())
        .count();
    for effect in effects {
        let Act::Script(script) = &effect.act else {
            out.push(effect);
            continue;
        };
        for directory in &script.directories {
            let lookup = Lookup::Script {
                runner: script.runner,
                directory: directory.clone(),
                file: script.file.clone(),
                name: script.name.clone(),
            };
            match world.get(&lookup) {
                None => needed.push(lookup),
                Some(Found::Script(Some(text))) => {
                    found = true;
                    let mut does = expand_script(text, &script.words, &effect, session);
                    does.truncate(MOST_INSIDE.saturating_sub(inside));
                    inside += does.len();
                    out.extend(does);
                }
                Some(
                    Found::Script(None)
                    | Found::Path { .. }
                    | Found::Program(_)
                    | Found::Text(_)
                    | Found::Names(_)
                    | Found::Failed(_),
                ) => {}
            }
        }
    }
    (out, found)
}

fn ground(
    mut effect: Effect,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
    out: &mut Vec<Effect>,
) {
    if let Act::Spread { from, to } = &effect.act {
        let (from, to) = (from.clone(), to.clone());
        return spread(&effect, from, to, session, world, needed, out);
    }
    let mut failed = false;
    if matches!(effect.act, Act::Run(_)) {
        directories(&mut effect.cwd, session, world, needed);
    }
    if let Act::Discard(target) = &effect.act
        && is_missing(target, world)
    {
        return;
    }
    let changes = matches!(effect.act, Act::Write(_));
    match &mut effect.act {
        Act::Read(target)
        | Act::Write(target)
        | Act::Move(target)
        | Act::Delete(target)
        | Act::Discard(target) => {
            failed = !climb(target, &effect.cwd, session, world, needed);
            failed |= !resolve(target, session, world, needed);
            if changes {
                repository::named(target, session, world, needed);
            }
        }
        Act::Run(run) => program(run, session, world, needed),
        Act::Net(_)
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
    let failed = failed.then_some(Opacity::LookupsExhausted);
    let obeyed = repository::obeys(&effect, world, needed);
    let untold: Vec<Effect> = [failed, obeyed]
        .into_iter()
        .flatten()
        .map(|opacity| Effect {
            act: Act::Opaque(opacity),
            ..effect.clone()
        })
        .collect();
    out.push(effect);
    out.extend(untold);
}

/// Tells which file runs, where it is not the one that its name says.
fn program(run: &mut Run, session: &Session, world: &World, needed: &mut Vec<Lookup>) {
    let name = run.line.words.first().and_then(Field::known);
    let name = name.unwrap_or("").to_owned();
    let runs = match &run.path {
        Some(target) => named_by_path(target, &name, session, world, needed),
        None => found_by_name(&name, session, world, needed),
    };
    if let Some((other, words, category)) = runs {
        run.line.other_names.extend(other);
        run.line.changed_by.push(words);
        run.category = run.category.max(category);
        run.by_effects = false;
    }
}

/// Puts the protected paths that a whole tree changes in its place.
fn spread(
    effect: &Effect,
    mut from: PathTarget,
    mut to: PathTarget,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
    out: &mut Vec<Effect>,
) {
    for target in [&mut from, &mut to] {
        climb(target, &effect.cwd, session, world, needed);
        resolve(target, session, world, needed);
    }
    let act = |act| Effect {
        act,
        ..effect.clone()
    };
    match spread::arrivals(&from, &to, session, world, needed) {
        Ok(targets) => {
            for target in targets {
                ground(act(Act::Write(target)), session, world, needed, out);
            }
        }
        Err(opacity) => out.push(act(Act::Opaque(opacity))),
    }
}

/// Adds the places to which a path leads that goes up behind a link; false where one could not be looked up.
fn climb(
    target: &mut PathTarget,
    cwd: &[AbsPath],
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> bool {
    let directory = match &target.pattern {
        Some(_) => split_pattern(&target.written).0,
        None => target.written.clone(),
    };
    if !climbs(&directory) || target.places.is_empty() {
        return true;
    }
    let root = [AbsPath::root()];
    let starts = if directory.starts_with('/') {
        &root
    } else {
        cwd
    };
    let mut complete = true;
    for start in starts {
        let mut at = session.canonical(start);
        for component in directory.split('/') {
            if component == ".." {
                let lookup = Lookup::Path(at.clone());
                match world.get(&lookup) {
                    None => needed.push(lookup),
                    Some(Found::Path { resolved, .. }) => at = resolved.clone(),
                    Some(
                        Found::Program(_)
                        | Found::Text(_)
                        | Found::Script(_)
                        | Found::Names(_)
                        | Found::Failed(_),
                    ) => complete = false,
                }
            }
            at = at.join(component);
        }
        if !target.places.contains(&at) {
            target.places.push(at);
        }
    }
    complete
}

/// Adds the places to which links lead; false where one could not be looked up.
fn resolve(
    target: &mut PathTarget,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> bool {
    for place in &mut target.places {
        *place = session.canonical(place);
    }
    let mut resolved = Vec::new();
    let mut complete = true;
    for written in &target.places {
        let lookup = Lookup::Path(written.clone());
        match world.get(&lookup) {
            None => needed.push(lookup),
            Some(Found::Path {
                resolved: place, ..
            }) => resolved.push(place.clone()),
            Some(
                Found::Program(_)
                | Found::Text(_)
                | Found::Script(_)
                | Found::Names(_)
                | Found::Failed(_),
            ) => {
                complete = false;
            }
        }
    }
    for place in resolved {
        if !target.places.contains(&place) {
            target.places.push(place);
        }
    }
    complete
}

/// The directories in which a command runs, as written and by where links lead.
fn directories(cwd: &mut [AbsPath], session: &Session, world: &World, needed: &mut Vec<Lookup>) {
    for directory in cwd.iter_mut() {
        let lookup = Lookup::Path(session.canonical(directory));
        match world.get(&lookup) {
            None => needed.push(lookup),
            // Where the shell stands is one place, whatever name it was entered by.
            Some(Found::Path { resolved, .. }) => *directory = resolved.clone(),
            // A directory that cannot be looked up cannot be entered either.
            Some(
                Found::Program(_)
                | Found::Text(_)
                | Found::Script(_)
                | Found::Names(_)
                | Found::Failed(_),
            ) => {}
        }
    }
}

/// Whether nothing stands at any place of a target, as far as that is known.
fn is_missing(target: &PathTarget, world: &World) -> bool {
    target.places.iter().all(|place| {
        matches!(
            world.get(&Lookup::Path(place.clone())),
            Some(Found::Path {
                kind: FileKind::Missing,
                ..
            })
        )
    })
}

type Foreign = (Option<String>, String, Category);

/// A program named by a path is genuine where the search path leads to the same file.
fn named_by_path(
    target: &PathTarget,
    name: &str,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> Option<Foreign> {
    let search = Lookup::Program(name.to_owned());
    let written = target.places.first()?.clone();
    let path = Lookup::Path(written.clone());
    let (Some(found), Some(at)) = (world.get(&search), world.get(&path)) else {
        needed.extend(
            [search, path]
                .into_iter()
                .filter(|lookup| world.get(lookup).is_none()),
        );
        return None;
    };
    let resolved = match at {
        Found::Path { resolved, .. } => resolved.clone(),
        Found::Program(_)
        | Found::Text(_)
        | Found::Script(_)
        | Found::Names(_)
        | Found::Failed(_) => written.clone(),
    };
    if matches!(found, Found::Program(Some(path)) if *path == written || *path == resolved) {
        return None;
    }
    if is_plain_program(&written) && is_plain_program(&resolved) {
        return None;
    }
    let category = foreign_category(&resolved, session).max(foreign_category(&written, session));
    let other = (resolved.name() != name).then(|| resolved.name().to_owned());
    Some((other, format!("it runs {}", target.written), category))
}

/// A program found by its name is foreign where the search path leads into the workspace or a temporary place.
fn found_by_name(
    name: &str,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> Option<Foreign> {
    if name.is_empty() || crate::effects::is_builtin(name) {
        return None;
    }
    let search = Lookup::Program(name.to_owned());
    let path = match world.get(&search) {
        None => {
            needed.push(search);
            return None;
        }
        Some(Found::Program(Some(path))) => path,
        // Which file runs depends on something that could not be looked up.
        Some(Found::Failed(_)) => {
            let words = format!("which `{name}` runs cannot be told");
            return Some((None, words, Category::Unknown));
        }
        Some(
            Found::Program(None)
            | Found::Path { .. }
            | Found::Text(_)
            | Found::Script(_)
            | Found::Names(_),
        ) => {
            return None;
        }
    };
    match place(path, session) {
        Place::Workspace | Place::Temporary => Some((
            None,
            format!("it runs {path}"),
            foreign_category(path, session),
        )),
        Place::System | Place::Home | Place::Elsewhere => None,
    }
}

fn foreign_category(path: &AbsPath, session: &Session) -> Category {
    match place(path, session) {
        Place::Workspace => Category::Builds,
        Place::System => Category::Reads,
        Place::Temporary | Place::Home | Place::Elsewhere => Category::Unknown,
    }
}

fn is_plain_program(path: &AbsPath) -> bool {
    path.is_within(&AbsPath::root().join("usr"))
        || path.is_within(&AbsPath::root().join("bin"))
        || path.is_within(&AbsPath::root().join("sbin"))
}
