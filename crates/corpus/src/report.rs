//! What came of a case file: counts, failures with their place and difference, and the text with its expectations
//! rewritten; nothing is printed here.

use crate::claim::Claim;
use std::fmt;

/// What came of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Cases that were run; every entry of a list is one.
    pub cases: usize,
    /// Those among them that are known gaps.
    pub gaps: usize,
    /// What the file says of programs and what holds of it.
    pub claims: Vec<Claim>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// The file with every expectation as it came out; gaps keep theirs.
    pub rewritten: String,
}

/// One failed case, or a fault of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What failed.
    pub words: String,
    /// Lines of detail: `-` expected, `+` actual.
    pub detail: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.file, self.line, self.words)?;
        self.detail
            .iter()
            .try_for_each(|line| writeln!(f, "    {line}"))
    }
}

/// Expected and actual lines, without what both have at the beginning and the end.
pub(crate) fn difference(expected: &[String], actual: &[String]) -> Vec<String> {
    let same = |pair: &(&String, &String)| pair.0 == pair.1;
    let front = expected.iter().zip(actual).take_while(same).count();
    let left = expected.get(front..).unwrap_or_default();
    let right = actual.get(front..).unwrap_or_default();
    let back = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take_while(same)
        .count();
    let cut = |lines: &[String], sign: char| -> Vec<String> {
        let kept = lines.len() - back;
        let kept = lines.iter().take(kept);
        kept.map(|line| format!("{sign} {line}")).collect()
    };
    [cut(left, '-'), cut(right, '+')].concat()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_what_differs_is_shown() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let found = difference(&lines("a b c d"), &lines("a x d"));
        assert_eq!(found, ["- b", "- c", "+ x"]);
        assert!(difference(&lines("a"), &lines("a")).is_empty());
    }
}
