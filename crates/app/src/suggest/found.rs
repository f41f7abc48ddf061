//! Rules looked for among what was asked about: calls that need the same rules belong together, the narrowest rules
//! that settle all of them are taken, and what else these would allow is found out by judging again.

use super::asked::{Ask, Asked};
use super::key::Key;
use crate::suggestion::written;
use countersign_policy::request::Kind;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// More rules than this for one call are no suggestion any more.
const MOST_RULES: usize = 4;

/// Rules that belong together.
#[derive(Debug)]
pub(super) struct Suggestion<'a> {
    /// Each as `kind = "pattern"`.
    pub(super) rules: Vec<String>,
    /// The calls for which they are meant, all of which they would allow.
    pub(super) covers: Vec<&'a Ask>,
    /// What else of what was recorded they would allow.
    pub(super) also: Vec<&'a Ask>,
}

/// The wide patterns that a call needs.
type Need = BTreeSet<(&'static str, String)>;

/// What was exactly asked for under one wide pattern.
type Width<'a> = (Kind, BTreeSet<Option<&'a str>>);

/// At most so many suggestions: those that cover most calls first, of these the narrowest.
pub(super) fn found(asked: &Asked, most: usize) -> Vec<Suggestion<'_>> {
    let mut groups: BTreeMap<Need, Vec<&Ask>> = BTreeMap::new();
    for ask in &asked.asks {
        let need: Need = ask
            .keys
            .iter()
            .map(|key| (key.kind.name(), key.wide.clone()))
            .collect();
        if need.len() <= MOST_RULES {
            groups.entry(need).or_default().push(ask);
        }
    }
    let mut groups: Vec<(Need, Vec<&Ask>)> = groups.into_iter().collect();
    groups.sort_by_key(|(need, asks)| {
        let length: usize = need.iter().map(|(_, pattern)| pattern.len()).sum();
        std::cmp::Reverse((asks.len(), length))
    });
    let mut out: Vec<Suggestion<'_>> = Vec::new();
    let mut taken = asked.bases.clone();
    for (_, asks) in groups {
        if out.len() >= most {
            break;
        }
        // What the suggestions before settle together needs no more.
        if asks.iter().all(|ask| allows(&taken, ask)) {
            continue;
        }
        if let Some(suggestion) = settled(asked, asks) {
            out.push(suggestion);
            let rules: Vec<String> = out.iter().flat_map(|one| one.rules.clone()).collect();
            taken = with(asked, &rules).unwrap_or(taken);
        }
    }
    out
}

/// Whether a call is allowed by what its base has become.
fn allows(sets: &[RuleSet], ask: &Ask) -> bool {
    sets.get(ask.base).is_some_and(|set| ask.is_allowed(set))
}

/// The narrowest rules that allow all of these calls; nothing where no rules do.
fn settled<'a>(asked: &'a Asked, asks: Vec<&'a Ask>) -> Option<Suggestion<'a>> {
    let mut widths: BTreeMap<(&'static str, &str), Width<'_>> = BTreeMap::new();
    for key in asks.iter().flat_map(|ask| &ask.keys) {
        let Key { kind, wide, exact } = key;
        let width = widths.entry((kind.name(), wide));
        let (_, exacts) = width.or_insert_with(|| (*kind, BTreeSet::new()));
        exacts.insert(exact.as_deref());
    }
    let narrow = widths.iter().map(|((_, wide), (kind, exacts))| {
        // Where only ever the same was asked about, nothing wider is needed.
        let only = exacts.iter().next().copied().flatten();
        let pattern = only.filter(|_| exacts.len() == 1).unwrap_or(wide);
        written(*kind, pattern)
    });
    let narrow: Vec<String> = narrow.collect();
    let wide = widths
        .iter()
        .map(|((_, wide), (kind, _))| written(*kind, wide));
    let wide: Vec<String> = wide.collect();
    let rules = [narrow, wide].into_iter().find_map(|rules| {
        let sets = with(asked, &rules)?;
        let all = asks.iter().all(|ask| allows(&sets, ask));
        all.then_some((rules, sets))
    });
    let (rules, sets) = rules?;
    let others = asked.asks.iter().filter(|ask| {
        let meant = asks.iter().any(|own| std::ptr::eq(*own, *ask));
        !meant && allows(&sets, ask)
    });
    let also = others.collect();
    Some(Suggestion {
        rules,
        covers: asks,
        also,
    })
}

/// Rules as entries, which any file can take at its end.
pub(super) fn entries(rules: &[String]) -> String {
    let mut out = String::new();
    for rule in rules {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[[rule]]\nallow = {{ {rule} }}");
    }
    out
}

/// Every base with these rules among the user's own; nothing where they are not in order.
fn with(asked: &Asked, rules: &[String]) -> Option<Vec<RuleSet>> {
    let parsed = parse(&entries(rules), "suggested", Authority::User);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let added = |base: &RuleSet| {
        let mut layers: Vec<Layer> = base.layers().to_vec();
        layers.push(parsed.layer.clone());
        RuleSet::new(layers)
    };
    Some(asked.bases.iter().map(added).collect())
}
