//! The scripts of our own from which everything is grown.

/// All seeds: every construct of bash at least once, with commands that do not exist.
pub fn seeds() -> Vec<&'static str> {
    include_str!("../seeds/scripts.txt")
        .split("\n----\n")
        .map(|seed| seed.trim_end_matches('\n'))
        .filter(|seed| !seed.is_empty())
        .collect()
}

/// Whole command lines, one on each line, that run the marker in some unusual way.
pub fn lines() -> Vec<&'static str> {
    include_str!("../seeds/lines.txt").lines().collect()
}
