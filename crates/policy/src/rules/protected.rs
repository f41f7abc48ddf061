//! The places that the built-in table asks about before they are changed, wherever they lie; for whoever walks through
//! directories. What follows from one that is found is for the rules to say.

use super::builtin::builtin;
use super::pattern::Pattern;
use super::pattern::path::PathPattern;
use crate::action::Action;
use crate::path::AbsPath;
use crate::request::Kind;
use std::collections::BTreeSet;

/// The places that the built-in table protects at any depth.
#[derive(Debug, Clone)]
pub struct Protected {
    patterns: Vec<PathPattern>,
    /// Names of which each such place has one, but for those of `unnamed`.
    names: BTreeSet<String>,
    /// Those in which no name is plain.
    unnamed: Vec<PathPattern>,
}

impl Protected {
    /// Those of the built-in table as it is.
    pub fn builtin() -> Self {
        let rules = builtin().rules.into_iter();
        let found = rules.filter_map(|rule| match rule.pattern {
            Pattern::Path(pattern) if rule.kind == Kind::Edit && rule.action != Action::Allow => {
                pattern.is_at_any_depth().then_some(pattern)
            }
            Pattern::Path(_) | Pattern::Command(_) | Pattern::Host(_) | Pattern::Name(_) => None,
        });
        let (patterns, unnamed): (Vec<_>, Vec<_>) =
            found.partition(|pattern| pattern.key().is_some());
        let names = patterns
            .iter()
            .filter_map(|pattern| pattern.key().map(str::to_owned))
            .collect();
        Self {
            patterns,
            names,
            unnamed,
        }
    }

    /// Whether a path is such a place or lies in one.
    pub fn holds(&self, path: &AbsPath) -> bool {
        let held =
            |patterns: &[PathPattern]| patterns.iter().any(|pattern| pattern.holds_anywhere(path));
        path.components().any(|name| self.names.contains(name)) && held(&self.patterns)
            || held(&self.unnamed)
    }
}

#[cfg(test)]
mod tests {
    use super::Protected;
    use crate::path::AbsPath;

    #[test]
    fn p14_protected_places_are_found_at_any_depth() {
        let protected = Protected::builtin();
        for (path, expected) in [
            ("/repo/a/.git", true),
            ("/repo/a/.git/hooks/x", true),
            ("/x/.envrc", true),
            ("/repo/tools/hooks/pre-commit", true),
            ("/repo/a.code-workspace", true),
            ("/repo/HEAD", true),
            ("/repo/src/hooks/use.ts", false),
            ("/repo/config", false),
            ("/repo/.github/workflows/a.yml", false),
        ] {
            let path = AbsPath::parse(path).unwrap();
            assert_eq!(protected.holds(&path), expected, "{path}");
        }
    }
}
