//! One situation of a case, and the way of a call through the product in it: read, ground, request, judge.

use crate::call::Told;
use crate::document::Block;
use crate::world::Machine;
use countersign_policy::call::Call;
use countersign_policy::effects::effect::{Act, Effect};
use countersign_policy::effects::ground::{Grounded, Step, step};
use countersign_policy::effects::opacity::Opacity;
use countersign_policy::effects::read::read;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::request::Request;
use countersign_policy::requests::requests;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::diagnostic::{Diagnostic, Severity};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::verdict::Verdict;
use countersign_policy::world::World;

/// Rounds of questions for one call, and questions in all; the gate has the same limits.
const MOST_ROUNDS: usize = 12;
const MOST_LOOKUPS: usize = 256;

/// What a case says about rules, world and call.
#[derive(Debug, Clone, Default)]
pub struct Situation {
    /// The machine.
    pub machine: Machine,
    /// The call and its circumstances.
    pub told: Told,
    /// What the rule files gave.
    layers: Vec<Layer>,
    /// What is wrong with them, each with its file.
    pub diagnostics: Vec<(String, Diagnostic)>,
}

impl Situation {
    /// A situation in which these rules hold beneath what the case says.
    pub fn over(layers: &[Layer]) -> Self {
        Self {
            layers: layers.to_vec(),
            ..Self::default()
        }
    }

    /// Adds what a `rules`, `world` or `call` block says; what is wrong with it comes back with its line.
    pub fn add(&mut self, block: &Block) -> Result<(), (usize, String)> {
        match block.kind() {
            "rules" => self.rules(block),
            "world" => {
                for (at, line) in block.body.iter().enumerate() {
                    let added = self.machine.add(line);
                    added.map_err(|words| (block.line + 1 + at, words))?;
                }
                Ok(())
            }
            "call" => {
                let added = self.told.add(&block.body);
                added.map_err(|(at, words)| (block.line + 1 + at, words))
            }
            other => Err((block.line, format!("`{other}` is not known"))),
        }
    }

    fn rules(&mut self, block: &Block) -> Result<(), (usize, String)> {
        let (origin, authority) = match block.info.get(1).map(String::as_str) {
            None => ("rules", Authority::User),
            Some("project") => ("project", Authority::Project),
            Some("managed") => ("managed", Authority::Managed),
            Some(other) => return Err((block.line, format!("no rule file is `{other}`"))),
        };
        let mut parsed = parse(&block.text(), origin, authority);
        let session = self.machine.session.clone();
        let cwd = Told::default();
        parsed.check_examples(&session, &|text| self.requests(&cwd.shell(text)));
        let found = parsed.diagnostics.into_iter();
        self.diagnostics
            .extend(found.map(|found| (origin.to_owned(), found)));
        let untrusted = authority == Authority::Project && !block.says("trusted");
        self.layers.push(if untrusted {
            parsed.layer.without_allows()
        } else {
            parsed.layer
        });
        Ok(())
    }

    /// The first thing that breaks a rule file.
    pub fn broken(&self) -> Option<&Diagnostic> {
        let mut found = self.diagnostics.iter().map(|(_, found)| found);
        found.find(|found| found.severity == Severity::Error)
    }

    /// The effects of a call as they stand on the machine.
    pub fn effects(&self, call: &Call) -> Vec<Effect> {
        let effects = read(call, &self.machine.session);
        self.ground(&effects).effects
    }

    /// The requests of a call.
    pub fn requests(&self, call: &Call) -> Vec<Request> {
        let effects = read(call, &self.machine.session);
        requests(&self.ground(&effects), &self.machine.session)
    }

    /// The rules in force.
    pub fn rule_set(&self) -> RuleSet {
        let mut layers = vec![builtin()];
        layers.extend(self.layers.iter().cloned());
        RuleSet::new(layers)
    }

    /// The verdict on a call.
    pub fn verdict(&self, call: &Call, rules: &RuleSet, mode: Mode) -> Verdict {
        let circumstances = Circumstances {
            mode,
            session: &self.machine.session,
            now: self.told.now,
            enforceable: &self.told.enforceable,
            malformed: call.action.malformed().map(str::to_owned),
        };
        let verdict = judge(rules, &self.requests(call), &circumstances);
        self.told.turn.over(verdict, call)
    }

    fn ground(&self, effects: &[Effect]) -> Grounded {
        let session = &self.machine.session;
        let mut world = World::new();
        let mut left = MOST_LOOKUPS;
        for _ in 0..MOST_ROUNDS {
            let lookups = match step(effects, session, &world) {
                Step::Ready(grounded) => return grounded,
                Step::Need(lookups) => lookups,
            };
            let Some(rest) = left.checked_sub(lookups.len()) else {
                break;
            };
            left = rest;
            for lookup in lookups {
                let found = self.machine.look(&lookup);
                world.insert(lookup, found);
            }
        }
        exhausted(effects)
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
