//! What manifests and the lock file say of dependencies.

use std::collections::{BTreeMap, BTreeSet};

/// One line of a table of dependencies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name.
    pub name: String,
    /// Its line, from 1.
    pub line: usize,
    /// The table: `dependencies`, `dev-dependencies`, `build-dependencies` or `workspace.dependencies`.
    pub table: String,
    /// Whether the line above is a comment.
    pub defended: bool,
}

/// The dependencies of a manifest, in order.
pub fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut out = Vec::new();
    let mut table = String::new();
    let mut above = "";
    for (line, number) in manifest.lines().zip(1..) {
        let header = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Some(header) = header {
            header.clone_into(&mut table);
        } else if table.ends_with("dependencies") && line.starts_with(|c: char| c.is_alphanumeric())
        {
            let name: String = line
                .chars()
                .take_while(|c| c.is_alphanumeric() || "-_".contains(*c))
                .collect();
            out.push(Dependency {
                name,
                line: number,
                table: table.clone(),
                defended: above.starts_with("# "),
            });
        }
        above = line;
    }
    out
}

/// For each package of a lock file the packages that it is linked with. Versions of one name count as one package.
pub fn lock(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let name = package.lines().find_map(|line| {
            line.strip_prefix("name = ")
                .map(|name| name.trim_matches('"'))
        });
        let Some(name) = name else { continue };
        let linked = out.entry(name.to_owned()).or_default();
        let list = package
            .split_once("dependencies = [")
            .map_or("", |(_, list)| list);
        for entry in list.lines().filter(|line| line.starts_with(" \"")) {
            let words = entry.trim_matches(|c| " \",".contains(c));
            linked.extend(words.split(' ').next().map(str::to_owned));
        }
    }
    out
}

/// Everything that is linked when the packages in `roots` are, these included.
pub fn closure(
    lock: &BTreeMap<String, BTreeSet<String>>,
    roots: impl IntoIterator<Item = String>,
) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<String> = roots.into_iter().collect();
    while let Some(next) = open.pop() {
        if seen.insert(next.clone()) {
            open.extend(lock.get(&next).into_iter().flatten().cloned());
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::{closure, dependencies, lock};

    #[test]
    fn a_dependency_is_defended_by_the_line_above() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\n# Why.\na = \"1\"\nb.workspace = true\n\
            [target.'cfg(unix)'.dependencies]\n# Why.\nc = { version = \"1\" }\n";
        let found: Vec<(String, bool)> = dependencies(manifest)
            .into_iter()
            .map(|dependency| (dependency.name, dependency.defended))
            .collect();
        assert_eq!(
            found,
            [
                ("a".to_owned(), true),
                ("b".to_owned(), false),
                ("c".to_owned(), true)
            ]
        );
    }

    #[test]
    fn a_closure_follows_the_lock_file() {
        let text = "[[package]]\nname = \"a\"\ndependencies = [\n \"b 1.0.0\",\n]\n\n[[package]]\nname = \"b\"\n\
            dependencies = [\n \"c\",\n]\n\n[[package]]\nname = \"d\"\n";
        let all = closure(&lock(text), ["a".to_owned()]);
        assert_eq!(all.into_iter().collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
