//! One rule file as it is in force, and all of them together with an index; not how files are found or trusted.

use super::approvals::Approvals;
use super::directories::{self, Directories};
use super::index::Index;
use super::index::listing::Slot;
use super::rule::{Authority, Rule, RuleRef};
use crate::action::Action;
use crate::effects::mcp;
use crate::mode::Mode;
use crate::request::{Category, Request};
use crate::session::Session;

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
    /// The directories that bind MCP servers.
    pub directories: Vec<Directories>,
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
            directories: Vec::new(),
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
    /// Where the rules for a request stand in them.
    index: Index,
}

impl RuleSet {
    /// All these layers together, in whatever order they come.
    pub fn new(mut layers: Vec<Layer>) -> Self {
        layers.sort_by_key(|layer| layer.authority);
        let rules: Vec<&[Rule]> = layers.iter().map(|layer| layer.rules.as_slice()).collect();
        let index = Index::new(&rules);
        Self { layers, index }
    }

    /// The same without an index: every rule of a request's kind is looked at.
    #[cfg(test)]
    fn flat(layers: Vec<Layer>) -> Self {
        let set = Self::new(layers);
        Self {
            index: set.index.flat(),
            ..set
        }
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

    /// The first limit of an MCP server's directories that a request breaks. Every file's limit binds.
    pub fn broken_directories(&self, request: &Request, session: &Session) -> Option<RuleRef> {
        let server = mcp::server(request.program.as_deref()?)?;
        self.layers.iter().find_map(|layer| {
            let Layer {
                directories,
                authority,
                origin,
                ..
            } = layer;
            directories::broken(directories, server, request, session, (*authority, origin))
        })
    }

    /// The files of which a part could not be read.
    pub fn broken(&self) -> impl Iterator<Item = &str> {
        self.layers
            .iter()
            .filter_map(|layer| layer.broken.as_deref())
    }

    /// The rules that may match a request, in order of authority. Rules left out certainly do not match it, or, where
    /// nothing of it can be told, add nothing to what is told of it.
    pub(crate) fn candidates(&self, request: &Request, session: &Session) -> Vec<&Rule> {
        let slots = self.index.find(request, session).into_iter();
        slots.filter_map(|slot| self.rule(slot)).collect()
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

#[cfg(test)]
mod tests;
