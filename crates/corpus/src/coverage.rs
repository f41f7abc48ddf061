//! Which described programs have what every one must have: a case or a reason for each kind; no case is run here.

use crate::claim::Claim;
use crate::evidence::Kind;
use countersign_policy::effects::programs::all;
use std::collections::{BTreeMap, BTreeSet};

/// What the files of the folder say of each program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    kinds: BTreeMap<String, BTreeSet<Kind>>,
    twice: BTreeSet<String>,
}

impl Coverage {
    /// Takes in the claims of a file that hold.
    pub fn add(&mut self, claims: &[Claim]) {
        for claim in claims {
            if claim.first && self.kinds.contains_key(&claim.program) {
                self.twice.insert(claim.program.clone());
            }
            let kinds = self.kinds.entry(claim.program.clone()).or_default();
            kinds.insert(claim.kind);
        }
    }

    /// How many described programs have a case or a reason for every kind.
    pub fn complete(&self) -> usize {
        let names = all().iter().map(|program| program.name);
        names.filter(|name| self.lacks(name).is_empty()).count()
    }

    /// What is missing, in words.
    pub fn missing(&self) -> Vec<String> {
        let mut out: Vec<String> = self
            .twice
            .iter()
            .map(|name| format!("{name}: stands in two places"))
            .collect();
        for program in all() {
            for kind in self.lacks(program.name) {
                out.push(format!(
                    "{}: no `{}` case, nor a reason why there is none",
                    program.name,
                    kind.name()
                ));
            }
        }
        out
    }

    fn lacks(&self, name: &str) -> Vec<Kind> {
        let kinds = self.kinds.get(name);
        let has = |kind: &Kind| kinds.is_some_and(|kinds| kinds.contains(kind));
        let needed = Kind::NEEDED.into_iter();
        needed.filter(|kind| !has(kind)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Coverage;
    use crate::claim::claims;

    #[test]
    fn a_program_counts_with_all_three() {
        let lines = ["sort reads sort a", "  writes sort -o b a", "  runs - no"];
        let (claims, _) = claims(&lines.map(str::to_owned));
        let mut coverage = Coverage::default();
        coverage.add(claims.get(..2).unwrap());
        assert_eq!(coverage.complete(), 0);
        let words = "sort: no `runs` case, nor a reason why there is none";
        assert!(coverage.missing().iter().any(|line| line == words));
        coverage.add(claims.get(2..).unwrap());
        assert_eq!(coverage.complete(), 1);
    }
}
