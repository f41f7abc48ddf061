//! For each kind, the rules that a request may match, found by its texts; it leaves out only rules that certainly do
//! not match, and does not say whether the others do.

pub(super) mod listing;
mod places;

use self::listing::{Hashes, Slot};
use self::places::Places;
use super::pattern::Pattern;
use super::rule::Rule;
use crate::effects::command::Field;
use crate::request::{Kind, Request, Target};
use crate::session::Session;

/// The rules of all kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Index {
    /// In the order of [`Kind::ALL`].
    kinds: Vec<KindIndex>,
}

/// The rules of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct KindIndex {
    /// Rules that may match anything.
    free: Vec<Slot>,
    /// Rules that can only match what has a certain text, by that text.
    keyed: Hashes,
    /// The same rules by where they lead, for patterns over paths.
    places: Places,
    /// Those of them that let only a person answer, which counts even where nothing of a request can be told.
    person: Vec<Slot>,
    /// Those of them that ask or deny.
    strict: Vec<Slot>,
    /// Those of them that allow.
    allows: Vec<Slot>,
}

impl Index {
    /// The rules of all layers, by their places in them.
    pub(super) fn new(layers: &[&[Rule]]) -> Self {
        let mut kinds = vec![KindIndex::default(); Kind::ALL.len()];
        for (layer, rules) in layers.iter().enumerate() {
            for (place, rule) in rules.iter().enumerate() {
                if let Some(entry) = kinds.get_mut(rule.kind.position()) {
                    entry.add(rule, (layer, place));
                }
            }
        }
        for entry in &mut kinds {
            entry.keyed.sort();
            entry.places.sort();
        }
        Self { kinds }
    }

    /// The same without any order to find a rule by, so that each may match.
    #[cfg(test)]
    pub(super) fn flat(mut self) -> Self {
        for entry in &mut self.kinds {
            entry.free.append(&mut entry.strict);
            entry.free.append(&mut entry.allows);
        }
        self
    }

    /// The rules that may match a request or add to what is told of it, in order.
    pub(super) fn find(&self, request: &Request, session: &Session) -> Vec<Slot> {
        let Some(entry) = self.kinds.get(request.kind.position()) else {
            return Vec::new();
        };
        let mut out = entry.free.clone();
        entry.find(request, session, &mut out);
        out.sort_unstable();
        out.dedup();
        out
    }
}

impl KindIndex {
    /// Takes in a rule.
    fn add(&mut self, rule: &Rule, slot: Slot) {
        let Some(key) = rule.pattern.key() else {
            self.free.push(slot);
            return;
        };
        self.keyed.add(&key, slot);
        if let Pattern::Path(pattern) = &rule.pattern {
            self.places.add(pattern, &key, slot);
        }
        if rule.is_strict() {
            self.strict.push(slot);
        } else {
            self.allows.push(slot);
        }
        if rule.terms.person {
            self.person.push(slot);
        }
    }

    /// Adds the rules with a text that may match the request.
    fn find(&self, request: &Request, session: &Session, out: &mut Vec<Slot>) {
        match (&request.target, request.kind) {
            // Every ask or deny may match, and none but a universal one is told; no allow does.
            (Target::Opaque(_), _) => out.extend(&self.person),
            (
                Target::Path(target),
                Kind::Read | Kind::Edit | Kind::Delete | Kind::ExternalDirectory,
            ) => {
                if !self
                    .places
                    .find(target, request.kind, session, &self.keyed, out)
                {
                    out.extend(&self.strict);
                }
            }
            (Target::Command(command), Kind::Shell) => {
                match command.words.first().and_then(Field::known) {
                    Some(name) => {
                        self.keyed.find(name, out);
                        let others = command.other_names.iter();
                        others.for_each(|name| self.keyed.find(name, out));
                    }
                    None => self.all(out),
                }
            }
            (Target::Host(host), Kind::Net) => {
                let mut rest = Some(super::pattern::host::bare(host));
                while let Some(domain) = rest {
                    self.keyed.find(domain, out);
                    rest = domain.split_once('.').map(|(_, above)| above);
                }
            }
            (
                Target::Name(name),
                Kind::Terminal
                | Kind::WebSearch
                | Kind::Mcp
                | Kind::Memory
                | Kind::Task
                | Kind::Tool,
            ) => {
                self.keyed.find(name, out);
                if let Some((server, tool)) = name.split_once('/') {
                    self.keyed.find(server, out);
                    self.keyed.find(tool, out);
                }
            }
            // A target in a form that is not its kind's: nobody hands that in, and nothing is left out for it.
            (Target::Command(_) | Target::Path(_) | Target::Host(_) | Target::Name(_), _) => {
                self.all(out);
            }
        }
    }

    /// Adds every rule with a text.
    fn all(&self, out: &mut Vec<Slot>) {
        out.extend(&self.strict);
        out.extend(&self.allows);
    }
}
