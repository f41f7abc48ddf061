//! One rule file as it is in force, and all of them together with an index; not how files are found or trusted.

use super::approvals::Approvals;
use super::rule::{Authority, Rule};
use crate::effects::command::Field;
use crate::mode::Mode;
use crate::path::AbsPath;
use crate::request::{Category, Kind, Request, Target};
use crate::verdict::Action;

/// One rule file as it is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Its rank.
    pub authority: Authority,
    /// The file as the user knows it, or `built-in`.
    pub origin: String,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// The permission mode that it names.
    pub mode: Option<Mode>,
    /// Who answers asks, by its word.
    pub approvals: Option<Approvals>,
    /// Its own answers where no rule decides.
    pub category: Vec<(Category, Action)>,
    /// What is wrong with it, where it could not be read whole.
    pub broken: Option<String>,
}

impl Layer {
    /// A layer that says nothing.
    pub fn empty(authority: Authority, origin: &str) -> Self {
        Self {
            authority,
            origin: origin.to_owned(),
            rules: Vec::new(),
            mode: None,
            approvals: None,
            category: Vec::new(),
            broken: None,
        }
    }

    /// A layer of a file that could not be read at all.
    pub fn unreadable(authority: Authority, origin: &str, why: &str) -> Self {
        Self {
            broken: Some(format!("{origin}: {why}")),
            ..Self::empty(authority, origin)
        }
    }

    /// The layer without its allows: a repository's file that nobody trusted yet.
    #[must_use]
    pub fn without_allows(mut self) -> Self {
        self.rules.retain(|rule| rule.action != Action::Allow);
        self
    }

    /// Its answer for a category.
    fn choice(&self, category: Category) -> Option<Action> {
        let found = self.category.iter().find(|(own, _)| *own == category);
        found.map(|(_, action)| *action)
    }
}

/// All layers with an index, so that judging does not walk through rules that cannot match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSet {
    /// In order of authority.
    layers: Vec<Layer>,
    /// The rules of each kind, in the order of [`Kind::ALL`].
    index: Vec<KindIndex>,
}

/// The rules of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct KindIndex {
    /// Rules that can only match what has a certain text, by that text's hash and sorted by it.
    keyed: Vec<(u64, Slot)>,
    /// Rules that may match anything.
    free: Vec<Slot>,
}

/// Where a rule stands: layer, then place in it.
type Slot = (usize, usize);

impl RuleSet {
    /// All these layers together, in whatever order they come.
    pub fn new(mut layers: Vec<Layer>) -> Self {
        layers.sort_by_key(|layer| layer.authority);
        let mut index = vec![KindIndex::default(); Kind::ALL.len()];
        for (kind, entry) in Kind::ALL.into_iter().zip(&mut index) {
            entry.fill(kind, &layers);
        }
        Self { layers, index }
    }

    /// The layers in order of authority.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The rules in order of authority.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.layers.iter().flat_map(|layer| &layer.rules)
    }

    /// The mode in force: what was chosen for the session, else the user's, else the default; tightened by project and
    /// administrator.
    pub fn mode(&self, chosen: Option<Mode>) -> Mode {
        let user = self
            .of(Authority::User)
            .filter_map(|layer| layer.mode)
            .min();
        let base = chosen.or(user).unwrap_or_default();
        self.tightening()
            .filter_map(|layer| layer.mode)
            .fold(base, Mode::min)
    }

    /// Who answers asks, by the same rule as the mode.
    pub fn approvals(&self, chosen: Option<Approvals>) -> Approvals {
        let user = self
            .of(Authority::User)
            .filter_map(|layer| layer.approvals)
            .min();
        let base = chosen.or(user).unwrap_or_default();
        self.tightening()
            .filter_map(|layer| layer.approvals)
            .fold(base, Approvals::min)
    }

    /// The user's own answer for a category.
    pub fn category_choice(&self, category: Category) -> Option<Action> {
        self.of(Authority::User)
            .filter_map(|layer| layer.choice(category))
            .max()
    }

    /// The least that project and administrator demand for a category.
    pub fn category_floor(&self, category: Category) -> Action {
        let demands = self.tightening().filter_map(|layer| layer.choice(category));
        demands.max().unwrap_or(Action::Allow)
    }

    /// The files of which a part could not be read.
    pub fn broken(&self) -> impl Iterator<Item = &str> {
        self.layers
            .iter()
            .filter_map(|layer| layer.broken.as_deref())
    }

    /// The rules that may match a request, in order of authority. Rules left out certainly do not match it.
    pub(crate) fn candidates(&self, request: &Request) -> Vec<&Rule> {
        let kinds = Kind::ALL.into_iter().zip(&self.index);
        let Some((_, entry)) = kinds.into_iter().find(|(kind, _)| *kind == request.kind) else {
            return Vec::new();
        };
        let mut slots = entry.free.clone();
        match keys(&request.target) {
            None => slots.extend(entry.keyed.iter().map(|(_, slot)| *slot)),
            Some(keys) => keys
                .into_iter()
                .for_each(|key| entry.find(hash(key), &mut slots)),
        }
        slots.sort_unstable();
        slots.dedup();
        slots
            .into_iter()
            .filter_map(|slot| self.rule(slot))
            .collect()
    }

    /// The rule at a place.
    fn rule(&self, (layer, rule): Slot) -> Option<&Rule> {
        self.layers.get(layer)?.rules.get(rule)
    }

    /// The layers of one authority.
    fn of(&self, authority: Authority) -> impl Iterator<Item = &Layer> {
        self.layers
            .iter()
            .filter(move |layer| layer.authority == authority)
    }

    /// The layers that only tighten.
    fn tightening(&self) -> impl Iterator<Item = &Layer> {
        self.of(Authority::Project)
            .chain(self.of(Authority::Managed))
    }
}

impl KindIndex {
    /// Takes in the rules of one kind.
    fn fill(&mut self, kind: Kind, layers: &[Layer]) {
        for (layer, rules) in layers.iter().map(|layer| &layer.rules).enumerate() {
            for (place, rule) in rules
                .iter()
                .enumerate()
                .filter(|(_, rule)| rule.kind == kind)
            {
                match rule.pattern.key() {
                    Some(key) => self.keyed.push((hash(key), (layer, place))),
                    None => self.free.push((layer, place)),
                }
            }
        }
        self.keyed.sort_unstable();
    }

    /// Adds the rules of one text; two texts of one hash only cost a comparison.
    fn find(&self, hash: u64, out: &mut Vec<Slot>) {
        let start = self.keyed.partition_point(|(own, _)| *own < hash);
        let same = self
            .keyed
            .iter()
            .skip(start)
            .take_while(|(own, _)| *own == hash);
        out.extend(same.map(|(_, slot)| *slot));
    }
}

/// The texts by one of which every keyed rule that may match is found; nothing where any rule may match.
fn keys(target: &Target) -> Option<Vec<&str>> {
    match target {
        Target::Command(command) => {
            let name = command.words.first().and_then(Field::known)?;
            Some(
                [name]
                    .into_iter()
                    .chain(command.other_names.iter().map(String::as_str))
                    .collect(),
            )
        }
        Target::Path(target) => {
            let plain = target.pattern.is_none() && !target.recursive && !target.places.is_empty();
            plain.then(|| target.places.iter().flat_map(AbsPath::components).collect())
        }
        Target::Host(host) => Some(vec![super::pattern::host::bare(host)]),
        Target::Name(name) => {
            let server = name.split_once('/').map(|(server, _)| server);
            Some([name.as_str()].into_iter().chain(server).collect())
        }
        Target::Opaque(_) => None,
    }
}

/// FNV-1a: short texts, no adversary, since a collision only costs a comparison.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
