//! Carries the questions of grounding to the machine and back, in a bounded number of rounds.

use crate::world::Looker;
use crate::world::environment::Environment;
use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::effects::effect::{Act, Effect};
use countersign_policy::effects::ground::{Grounded, Step, step};
use countersign_policy::effects::opacity::Opacity;
use countersign_policy::effects::read::read;
use countersign_policy::path::AbsPath;
use countersign_policy::request::Request;
use countersign_policy::requests::requests;
use countersign_policy::session::Session;
use countersign_policy::world::{Found, Lookup, World};

/// Rounds of questions for one call: an alias may lead to an alias, a link to a script.
const MOST_ROUNDS: usize = 12;

/// The effects of a call as they stand on this machine. Where the questions do not end, or are too many, what is left
/// is opaque.
pub fn ground(effects: &[Effect], session: &Session, environment: &Environment) -> Grounded {
    let mut world = World::new();
    let mut looker = Looker::new(environment);
    for _ in 0..MOST_ROUNDS {
        match step(effects, session, &world) {
            Step::Ready(grounded) => return grounded,
            Step::Need(lookups) => {
                if looker.fill(&lookups, &mut world).is_err() {
                    fail(&lookups, &mut world);
                }
            }
        }
    }
    exhausted(effects)
}

/// The requests of a call on this machine.
pub fn requests_of(call: &Call, session: &Session, environment: &Environment) -> Vec<Request> {
    let effects = read(call, session);
    requests(&ground(&effects, session, environment), session)
}

/// The requests of a shell text, for the examples in a rule file.
pub fn requests_of_text(
    text: &str,
    cwd: AbsPath,
    session: &Session,
    environment: &Environment,
) -> Vec<Request> {
    let call = Call {
        id: CallId(String::new()),
        tool: "example".to_owned(),
        input: String::new(),
        cwd,
        action: Action::Shell(text.to_owned()),
    };
    requests_of(&call, session, environment)
}

fn fail(lookups: &[Lookup], world: &mut World) {
    for lookup in lookups {
        // A question that was answered keeps its answer.
        world.insert(
            lookup.clone(),
            Found::Failed("too many lookups for one call".to_owned()),
        );
    }
}

fn exhausted(effects: &[Effect]) -> Grounded {
    let mut effects = effects.to_vec();
    if let Some(first) = effects.first().cloned() {
        effects.push(Effect {
            act: Act::Opaque(Opacity::LookupsExhausted),
            ..first
        });
    }
    Grounded { effects }
}
