//! Counts why generated texts are not allowed, to keep the grammar worth its time.

use std::collections::BTreeMap;

use countersign_oracle::generate::Grammar;
use countersign_oracle::random::Random;
use countersign_oracle::verdict::Judge;
use countersign_policy::action::Action;

fn main() {
    let rule = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "START".to_owned());
    let grammar = Grammar::load();
    let judge = Judge::new("version = 1\n[deny]\nshell = [\"mk *\"]\n");
    let mut random = Random::new(1);
    let mut counts: BTreeMap<String, (u32, String)> = BTreeMap::new();
    for _ in 0..20_000 {
        let text = grammar.text_of(&rule, &mut random);
        let verdict = judge.of_shell(&text);
        let why = verdict
            .findings
            .iter()
            .find(|finding| finding.action == verdict.action)
            .map_or_else(String::new, |finding| {
                format!("{:?}", finding.source).chars().take(60).collect()
            });
        let why = if verdict.action == Action::Ask {
            why
        } else {
            String::new()
        };
        let entry = counts
            .entry(format!("{:?} {why}", verdict.action))
            .or_insert_with(|| (0, text.clone()));
        entry.0 += 1;
        if text.len() < entry.1.len() {
            entry.1 = text;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (why, (count, text)) in counts {
        println!("{count:6} {why} {text:?}");
    }
}
