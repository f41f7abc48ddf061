//! Programs that take what they run from a file of the project (`rust-toolchain.toml`, `.cargo/config.toml`): where
//! there is such a file, even a question for the version runs what it names. The files are looked for, not read.

use crate::effects::effect::{Act, Effect};
use crate::path::AbsPath;
use crate::request::Category;
use crate::session::Session;
use crate::world::{FileKind, Found, Lookup, World};

/// Raises every run that obeys a file which is there, or may be there by the time at which it runs.
pub(crate) fn raise(
    effects: &mut [Effect],
    session: &Session,
    world: &World,
    needed: &mut Vec<Lookup>,
) {
    let mut raised = Vec::new();
    for (at, effect) in effects.iter().enumerate() {
        let Act::Run(run) = &effect.act else {
            continue;
        };
        if run.obeys.is_empty() || run.category >= Category::Builds {
            continue;
        }
        let files = files(&effect.cwd, &run.obeys, session);
        let brought = effects.iter().any(|other| brings(other, effect, &files));
        if effect.cwd.is_empty() || brought || any_there(&files, world, needed) {
            raised.push(at);
        }
    }
    for at in raised {
        if let Some(Act::Run(run)) = effects.get_mut(at).map(|effect| &mut effect.act) {
            run.category = run.category.max(Category::Builds);
            run.by_effects = false;
        }
    }
}

/// Where the files would stand: in a working directory or above it. What stands in the home directory or above that is
/// the user's own, and a rule guards it.
fn files(cwd: &[AbsPath], names: &[&str], session: &Session) -> Vec<AbsPath> {
    let home = session.home.as_ref();
    let mut out = Vec::new();
    for start in cwd {
        let mut directory = start.clone();
        while !home.is_some_and(|home| home.is_within(&directory)) {
            out.extend(names.iter().map(|name| directory.join(name)));
            let above = directory.parent();
            if above == directory {
                break;
            }
            directory = above;
        }
    }
    out
}

/// Whether one of the files is there, or may be, since it could not be looked up.
fn any_there(files: &[AbsPath], world: &World, needed: &mut Vec<Lookup>) -> bool {
    let mut there = false;
    for file in files {
        let lookup = Lookup::Path(file.clone());
        match world.get(&lookup) {
            None => needed.push(lookup),
            Some(Found::Path {
                kind: FileKind::Missing,
                ..
            }) => {}
            Some(
                Found::Path { .. }
                | Found::Program(_)
                | Found::Text(_)
                | Found::Script(_)
                | Found::Names(_)
                | Found::Failed(_),
            ) => {
                there = true;
            }
        }
    }
    there
}

/// Whether another effect of the same call may put one of the files there: it writes over one of them or over a
/// directory of theirs, or changes files without saying which (`git checkout`).
fn brings(other: &Effect, own: &Effect, files: &[AbsPath]) -> bool {
    if other.command == own.command {
        return false;
    }
    match &other.act {
        Act::Write(target) | Act::Move(target) | Act::Discard(target) => {
            let holds = |place: &AbsPath| files.iter().any(|file| file.is_within(place));
            target.places.is_empty() || target.places.iter().any(holds)
        }
        Act::Run(run) => run.category > Category::Reads && !run.by_effects,
        Act::Read(_)
        | Act::Delete(_)
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
        | Act::Opaque(_) => false,
    }
}
