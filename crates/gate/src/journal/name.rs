//! Foreign identities made into names of ours: a session's file name and identities short enough to be written.

use super::hash::Hash;
use std::fmt;
use std::fmt::Write as _;

/// The name under which a session's journal is kept: safe as a file name everywhere, and different for every identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionName(String);

/// Longer identities are kept by their start and their digest.
const PLAIN_BYTES: usize = 64;
const KEPT_CHARS: usize = 40;

impl SessionName {
    /// The name of a session's foreign identity, whatever that holds.
    ///
    /// A short identity of small letters, digits, `-` and `_` stays as it is. Any other keeps what it can of its
    /// start, and gets `+` and the SHA-256 of the whole. As no plain name holds a `+`, two identities never share a
    /// name; small letters only, as some file systems do not tell `A` from `a`.
    pub fn of(identity: &str) -> Self {
        let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        let plain = (1..=PLAIN_BYTES).contains(&identity.len())
            && identity.chars().all(safe)
            && !identity.starts_with('-');
        if plain {
            return Self(identity.to_owned());
        }
        let mut name: String = identity
            .chars()
            .take(KEPT_CHARS)
            .map(|c| c.to_ascii_lowercase())
            .map(|c| if safe(c) { c } else { '_' })
            .collect();
        if name.is_empty() || name.starts_with('-') {
            name.insert(0, '_');
        }
        // Writing to a string cannot fail.
        let _ = write!(name, "+{}", Hash::of(identity.as_bytes()));
        Self(name)
    }

    /// The name of an existing journal, taken from its file name without the extension.
    pub(super) fn of_file_stem(stem: &str) -> Self {
        Self(stem.to_owned())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const IDENTITY_BYTES: usize = 200;
const IDENTITY_CHARS: usize = 32;

/// A foreign identity (of a call, a grant) as it is written: itself, or where it is too long its start and its digest.
/// Two identities stay two.
pub fn short_identity(identity: &str) -> String {
    // A short identity that looks like a shortened one is shortened too, lest somebody give a call another's name.
    if identity.len() <= IDENTITY_BYTES && !identity.contains("…+") {
        return identity.to_owned();
    }
    let start: String = identity.chars().take(IDENTITY_CHARS).collect();
    format!("{start}…+{}", Hash::of(identity.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{SessionName, short_identity};
    use std::collections::BTreeSet;

    #[test]
    fn plain_identities_stay() {
        for plain in ["a", "0f1e2d3c-0000-4000-8000-000000000000", "my_session"] {
            assert_eq!(SessionName::of(plain).as_str(), plain);
        }
    }

    #[test]
    fn foreign_identities_become_safe_and_stay_different() {
        let long = "x".repeat(10_000);
        let long_too = "x".repeat(10_001);
        let taken = SessionName::of("../x").as_str().to_owned();
        let identities = [
            "", ".", "..", "/", "../../x", "../x", "..\\x", "a/b", "a_b", "A", "a", "a b", "a\0b",
            "é", "e\u{301}", "-rf", "con", &long, &long_too, &taken, "a\n", "%2e%2e",
        ];
        let names: BTreeSet<String> = identities
            .iter()
            .map(|identity| SessionName::of(identity).as_str().to_owned())
            .collect();
        assert_eq!(names.len(), identities.len());
        for name in names {
            assert!((1..=120).contains(&name.len()), "{name}");
            assert!(!name.starts_with(['-', '.', '+']), "{name}");
            let safe = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-+".contains(&b);
            assert!(name.bytes().all(safe), "{name}");
        }
    }

    #[test]
    fn identities_are_shortened_without_being_mixed_up() {
        let long = "é".repeat(5000);
        let short = short_identity(&long);
        assert!(short.len() < 200);
        assert_ne!(short_identity(&short), short);
        assert_eq!(short_identity("toolu_01"), "toolu_01");
    }
}
