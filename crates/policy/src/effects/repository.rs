//! Which repository git would obey: one that lies as plain files among others is whatever somebody put there. A
//! directory called `.git` is not asked about here, as rules keep it from being changed.

use crate::effects::command::Field;
use crate::effects::effect::{Act, Effect};
use crate::effects::opacity::Opacity;
use crate::path::AbsPath;
use crate::world::{FileKind, Found, Lookup, World};

/// Why an effect asks where git would obey a directory that is not called `.git`: git runs there, or something in it is
/// changed. What is not known yet is added to `needed`.
pub(crate) fn obeys(effect: &Effect, world: &World, needed: &mut Vec<Lookup>) -> Option<Opacity> {
    let places: &[AbsPath] = match &effect.act {
        Act::Run(run) => {
            let name = run.line.words.first().and_then(Field::known);
            let others = run.line.other_names.iter().map(String::as_str);
            if !name.into_iter().chain(others).any(|name| name == "git") {
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
            Some(Found::Program(_) | Found::Text(_) | Found::Names(_) | Found::Failed(_)) => {
                why = why.or(Some(Opacity::LookupsExhausted));
            }
        }
    }
    why
}
