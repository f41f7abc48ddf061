//! Absolute, lexically normal paths and the relations between them; it never touches a file system.

use std::fmt;

/// An absolute path without `.`, `..`, doubled or trailing slashes. Links are not resolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbsPath(String);

impl AbsPath {
    /// The root directory.
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// Normalises an absolute path; nothing where `text` is not absolute or holds a NUL byte.
    pub fn parse(text: &str) -> Option<Self> {
        (text.starts_with('/') && !text.contains('\0')).then(|| Self::root().join(text))
    }

    /// Follows `text` from here: an absolute text replaces this path, `..` goes up and stops at the root.
    #[must_use]
    pub fn join(&self, text: &str) -> Self {
        let mut out = if text.starts_with('/') {
            String::new()
        } else {
            self.trimmed().to_owned()
        };
        for component in text.split('/') {
            match component {
                "" | "." => {}
                ".." => out.truncate(out.rfind('/').unwrap_or(0)),
                name => {
                    out.push('/');
                    out.push_str(name);
                }
            }
        }
        if out.is_empty() {
            out.push('/');
        }
        Self(out)
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The directory that holds it; the root's is the root.
    #[must_use]
    pub fn parent(&self) -> Self {
        self.join("..")
    }

    /// The last component, empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// Whether it is `ancestor` or lies below it, by whole components.
    pub fn is_within(&self, ancestor: &Self) -> bool {
        self.below(ancestor).is_some()
    }

    /// The part below `ancestor` without a leading slash, empty for `ancestor` itself.
    pub fn below(&self, ancestor: &Self) -> Option<&str> {
        let rest = self.0.strip_prefix(ancestor.trimmed())?;
        match rest.strip_prefix('/') {
            Some(rest) => Some(rest),
            None if rest.is_empty() => Some(""),
            None => None,
        }
    }

    /// Its components from the root down.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|component| !component.is_empty())
    }

    /// The text without a trailing slash, which only the root has.
    fn trimmed(&self) -> &str {
        self.0.strip_suffix('/').unwrap_or(&self.0)
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::AbsPath;

    fn path(text: &str) -> AbsPath {
        AbsPath::parse(text).unwrap()
    }

    #[test]
    fn normalises() {
        for (text, expected) in [
            ("/", "/"),
            ("//a//b/", "/a/b"),
            ("/a/./b/../c", "/a/c"),
            ("/../..", "/"),
            ("/a/..", "/"),
        ] {
            assert_eq!(path(text).as_str(), expected);
        }
        assert_eq!(AbsPath::parse("a"), None);
        assert_eq!(AbsPath::parse("/a\0"), None);
    }

    #[test]
    fn joins_and_relates() {
        assert_eq!(path("/a").join("b/../../c").as_str(), "/c");
        assert_eq!(path("/a").join("/x").as_str(), "/x");
        assert_eq!(path("/").join("x").as_str(), "/x");
        assert!(path("/a/b").is_within(&path("/a")));
        assert!(!path("/ab").is_within(&path("/a")));
        assert_eq!(path("/a/b/c").below(&path("/a")), Some("b/c"));
        assert_eq!(path("/a").below(&path("/")), Some("a"));
        assert_eq!(path("/").below(&path("/")), Some(""));
        assert_eq!(path("/a/b").parent().as_str(), "/a");
        assert_eq!(path("/a/b").name(), "b");
    }
}
