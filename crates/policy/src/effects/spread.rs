//! What arrives where a whole tree is copied, moved or changed in place: only what a rule of the built-in table asks
//! about is told, as the rest changes like any file of its directory.

use crate::effects::glob;
use crate::effects::opacity::Opacity;
use crate::path::AbsPath;
use crate::places::{Place, place};
use crate::request::PathTarget;
use crate::session::Session;
use crate::world::{FileKind, Found, Lookup, World};

/// The protected paths that are changed where what lies below `from` arrives below `to`; the two are equal where a tree
/// is changed where it is. What is not known yet is added to `needed`.
pub(crate) fn arrivals(
    from: &PathTarget,
    to: &PathTarget,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> Result<Vec<PathTarget>, Opacity> {
    let mut out = Vec::new();
    // Nothing runs from a temporary place by itself, and whoever names such a path there is judged by its name.
    let temporary = |to: &PathTarget| {
        let mut places = to.places.iter();
        places.all(|path| place(path, session) == Place::Temporary)
    };
    if temporary(to) {
        return Ok(out);
    }
    for root in &from.places {
        // The project's own repository is there, whatever the looks find.
        if from == to
            && from.pattern.is_none()
            && let Some(workspace) = session.workspace.as_ref().filter(|own| own.is_within(root))
        {
            let repository = workspace.join(".git");
            out.push(PathTarget {
                written: repository.as_str().to_owned(),
                places: vec![repository],
                pattern: None,
                recursive: true,
            });
        }
        match world.get(&Lookup::Protected(root.clone())) {
            None => needed.push(Lookup::Protected(root.clone())),
            Some(Found::Names(names)) => {
                let arriving = names.iter().filter_map(|name| below(from, name));
                out.extend(arriving.map(|(whole, rest)| {
                    if from == to {
                        within(&root_of(from, root), whole)
                    } else {
                        within(to, &rest)
                    }
                }));
            }
            Some(
                Found::Path { .. }
                | Found::Program(_)
                | Found::Text(_)
                | Found::Script(_)
                | Found::Failed(_),
            ) => {
                return Err(Opacity::TooLarge);
            }
        }
    }
    out.extend(named(from, to, session, world, needed));
    Ok(out)
}

/// What git's settings name below `to`, where `from` holds something under the same name.
fn named(
    from: &PathTarget,
    to: &PathTarget,
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) -> Vec<PathTarget> {
    let Some(lookup) = session.workspace.clone().map(Lookup::NamedByGit) else {
        return Vec::new();
    };
    let names = match world.get(&lookup) {
        Some(Found::Names(names)) => names.as_slice(),
        None => {
            needed.push(lookup);
            &[]
        }
        Some(
            Found::Path { .. }
            | Found::Program(_)
            | Found::Text(_)
            | Found::Script(_)
            | Found::Failed(_),
        ) => &[],
    };
    let mut out = Vec::new();
    for own in names.iter().filter_map(|name| AbsPath::parse(name)) {
        let below = |place: &AbsPath| own.below(place).map(str::to_owned);
        let Some(rest) = to.places.iter().find_map(below) else {
            continue;
        };
        for source in from.places.iter().map(|place| place.join(&rest)) {
            let lookup = Lookup::Path(source);
            match world.get(&lookup) {
                None => needed.push(lookup),
                Some(Found::Path {
                    kind: FileKind::Missing,
                    ..
                }) => {}
                Some(_) => out.push(within(to, &rest)),
            }
        }
    }
    out
}

/// One place of a target, without its pattern.
fn root_of(target: &PathTarget, root: &AbsPath) -> PathTarget {
    PathTarget {
        written: target.written.clone(),
        places: vec![root.clone()],
        pattern: None,
        recursive: false,
    }
}

/// A path below each place of a target.
fn within(target: &PathTarget, below: &str) -> PathTarget {
    PathTarget {
        written: format!("{}/{below}", target.written.trim_end_matches('/')),
        places: target
            .places
            .iter()
            .map(|place| place.join(below))
            .collect(),
        pattern: None,
        recursive: false,
    }
}

/// A path that was found below a source, and what of it arrives: all of it, or what the last component of the source's
/// pattern finds. Nothing where the pattern does not find it.
fn below<'n>(from: &PathTarget, name: &'n str) -> Option<(&'n str, String)> {
    let Some(pattern) = &from.pattern else {
        return Some((name, name.to_owned()));
    };
    let components: Vec<&str> = name.split('/').collect();
    let patterns: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    let found = patterns.iter().enumerate().all(|(at, pattern)| {
        components.get(at).is_some_and(|component| {
            let hidden = component.starts_with('.') && !pattern.starts_with(['.', '\\', '{', '(']);
            !hidden && glob::matches(pattern, component)
        })
    });
    let rest = components.get(patterns.len().saturating_sub(1)..)?;
    found.then(|| (name, rest.join("/")))
}
