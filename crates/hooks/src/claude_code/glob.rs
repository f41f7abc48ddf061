//! The directory in which a pattern of the host's `Glob` begins to look.

/// The part of a pattern before its first wildcard, below `path`: `src/**/*.rs` looks in `src`. Nothing for both means
/// the working directory.
pub(super) fn directory(path: Option<String>, pattern: &str) -> Option<String> {
    let components: Vec<&str> = pattern.split('/').collect();
    let last = components.len().saturating_sub(1);
    let plain = components
        .iter()
        .enumerate()
        .take_while(|(at, component)| {
            *at < last && !component.contains(['*', '?', '[', '{', '!', '(', '\\'])
        })
        .map(|(_, component)| *component);
    let mut start = plain.collect::<Vec<&str>>().join("/");
    if start.is_empty() && pattern.starts_with('/') {
        start.push('/');
    }
    // What goes up after a wildcard may lead anywhere.
    let mut rest = components
        .iter()
        .filter(|component| **component == "..")
        .count();
    rest = rest.saturating_sub(
        start
            .split('/')
            .filter(|component| *component == "..")
            .count(),
    );
    for _ in 0..rest {
        start.push_str("/..");
    }
    let start = start.trim_start_matches("./");
    match (path, start) {
        (path, "" | ".") => path,
        (Some(path), start) if !start.starts_with(['/', '~']) => Some(format!("{path}/{start}")),
        (_, start) => Some(start.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::directory;

    #[test]
    fn p6_a_pattern_looks_where_its_wildcards_begin() {
        for (path, pattern, expected) in [
            (None, "**/*.rs", None),
            (None, "src/**/*.rs", Some("src")),
            (None, "./src/*", Some("src")),
            (Some("/w"), "*.rs", Some("/w")),
            (Some("/w"), "a/b/*.rs", Some("/w/a/b")),
            (Some("/w"), "/etc/*", Some("/etc")),
            (None, "/*", Some("/")),
            (None, "~/.ssh/*", Some("~/.ssh")),
            (None, "../../*", Some("../..")),
            (Some("/w"), "a/*/../../../x", Some("/w/a/../../..")),
            (None, "*/../../x", Some("/../..")),
        ] {
            let found = directory(path.map(str::to_owned), pattern);
            assert_eq!(found.as_deref(), expected, "{path:?} {pattern}");
        }
    }
}
