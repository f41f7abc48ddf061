//! Grows command lines from the grammar of `seeds/grammar.txt`.

use std::collections::HashMap;

use crate::random::Random;

/// Beyond this depth only the plainest alternatives are taken, so that growing ends.
const DEEPEST: usize = 5;

/// No text grows longer than about this.
const LONGEST: usize = 500;

/// A grammar: for each rule its alternatives.
#[derive(Debug)]
pub struct Grammar {
    rules: HashMap<&'static str, Vec<&'static str>>,
}

impl Grammar {
    /// The grammar of the seeds.
    pub fn load() -> Self {
        let mut rules: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut name = "";
        for line in include_str!("../seeds/grammar.txt").lines().skip(2) {
            match line.strip_prefix(':') {
                Some(new)
                    if !new.is_empty() && new.bytes().all(|byte| byte.is_ascii_uppercase()) =>
                {
                    name = new;
                }
                _ => rules.entry(name).or_default().push(line),
            }
        }
        Self { rules }
    }

    /// A text grown from the first rule.
    pub fn text(&self, random: &mut Random) -> String {
        self.text_of("START", random)
    }

    /// A text grown from any rule.
    pub fn text_of(&self, rule: &str, random: &mut Random) -> String {
        let mut out = String::new();
        self.grow(rule, 0, random, &mut out);
        out.replace('⏎', "\n").replace('→', "\t")
    }

    /// The rules that are named but not there; empty for a whole grammar.
    pub fn missing(&self) -> Vec<&'static str> {
        let texts = self.rules.values().flatten();
        let names = texts.flat_map(|text| {
            text.split('«')
                .skip(1)
                .filter_map(|rest| rest.split('»').next())
        });
        names
            .filter(|name| !self.rules.contains_key(name))
            .collect()
    }

    fn grow(&self, name: &str, depth: usize, random: &mut Random, out: &mut String) {
        let Some(alternatives) = self.rules.get(name) else {
            return;
        };
        let mut chosen = *random.pick(alternatives);
        if depth > DEEPEST || out.len() > LONGEST {
            // The plainest of a few, by how much they would grow further.
            for _ in 0..12 {
                let other = *random.pick(alternatives);
                if other.matches('«').count() < chosen.matches('«').count() {
                    chosen = other;
                }
            }
        }
        let mut rest = chosen;
        while let Some((before, after)) = rest.split_once('«') {
            out.push_str(before);
            let Some((inner, behind)) = after.split_once('»') else {
                break;
            };
            self.grow(inner, depth + 1, random, out);
            rest = behind;
        }
        out.push_str(rest);
    }
}
