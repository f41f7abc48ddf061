//! Counts of verdicts by a name, distinct and weighted by how often a command was seen.

use countersign_policy::action::Action;
use std::collections::BTreeMap;
use std::fmt;

/// Counts of one action: distinct commands, and how often they were seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    distinct: u64,
    seen: u64,
}

/// Counts for each name, shown as a table of shares.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    names: BTreeMap<String, [Count; Action::ALL.len()]>,
}

impl Tally {
    /// Counts one command.
    pub fn add(&mut self, name: &str, action: Action, seen: u64) {
        let counts = self.names.entry(name.to_owned()).or_default();
        let own = counts.iter_mut().zip(Action::ALL);
        for (count, _) in own.filter(|(_, other)| *other == action) {
            count.distinct += 1;
            count.seen += seen;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.names.keys().map(String::len).max().unwrap_or(0);
        for (name, counts) in &self.names {
            let distinct: u64 = counts.iter().map(|count| count.distinct).sum();
            let seen: u64 = counts.iter().map(|count| count.seen).sum();
            write!(f, "{name:width$} {distinct:6} distinct {seen:6} seen ")?;
            for (count, action) in counts.iter().zip(Action::ALL) {
                let one = share(count.distinct, distinct);
                let all = share(count.seen, seen);
                write!(f, "  {} {one} ({all} of seen)", action.name())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A share in percent with one decimal, computed in whole numbers.
fn share(part: u64, whole: u64) -> String {
    let thousandths = (part * 1000 + whole / 2).checked_div(whole).unwrap_or(0);
    format!("{:3}.{}%", thousandths / 10, thousandths % 10)
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use countersign_policy::action::Action;

    #[test]
    fn shares_are_of_the_name_itself() {
        let mut tally = Tally::default();
        tally.add("a", Action::Allow, 3);
        tally.add("a", Action::Deny, 1);
        tally.add("b", Action::Ask, 9);
        let text = tally.to_string();
        let first = text.lines().next().unwrap();
        assert!(
            first.starts_with("a      2 distinct      4 seen"),
            "{first}"
        );
        assert!(first.contains("allow  50.0% ( 75.0% of seen)"), "{first}");
    }
}
