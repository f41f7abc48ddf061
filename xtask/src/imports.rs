//! Which file of a crate names which other, read from `use` lines and paths. What macros build is not seen.

use crate::circles::Graph;
use crate::source::Source;
use std::collections::BTreeMap;

/// The files of one crate: the path below `src`, and the file's text.
pub type Files = BTreeMap<String, Source>;

/// Who imports from whom. Tests are left out, and so are the declarations of modules.
pub fn imports(files: &Files) -> Graph {
    let modules: BTreeMap<Vec<String>, &String> =
        files.keys().map(|file| (module(file), file)).collect();
    let mut graph = Graph::new();
    for (file, source) in files {
        let own = module(file);
        let targets = graph.entry(file.clone()).or_default();
        for path in paths(&source.shipped) {
            let target = absolute(&path, &own, &modules).and_then(|path| defining(&path, &modules));
            targets.extend(target.filter(|to| *to != file).cloned());
        }
    }
    graph
}

/// The path of the module that a file holds: `rules/parse.rs` is `rules::parse`, `lib.rs` the root.
fn module(file: &str) -> Vec<String> {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let mut out: Vec<String> = stem.split('/').map(str::to_owned).collect();
    let last = out.last().map(String::as_str);
    if last == Some("mod") || (out.len() == 1 && matches!(last, Some("lib" | "main"))) {
        out.pop();
    }
    out
}

/// The path from the crate's root, where the path is one of this crate.
fn absolute(
    path: &[String],
    own: &[String],
    modules: &BTreeMap<Vec<String>, &String>,
) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let mut base = own.to_vec();
    match first.as_str() {
        "crate" => return Some(rest.to_vec()),
        "self" => {}
        "super" => {
            base.pop();
            let more = rest.iter().take_while(|word| *word == "super").count();
            base.truncate(base.len().saturating_sub(more));
            return Some([&base, rest.get(more..)?].concat());
        }
        _ => {
            base.push(first.clone());
            modules.get(&base)?;
        }
    }
    Some([&base, rest].concat())
}

/// The file that defines what a path names: that of the longest part of the path which is a module.
fn defining<'f>(
    path: &[String],
    modules: &BTreeMap<Vec<String>, &'f String>,
) -> Option<&'f String> {
    (0..=path.len())
        .rev()
        .find_map(|length| modules.get(path.get(..length)?).copied())
}

/// Every path that a text names: those of its `use` trees, one for each leaf, and those in the code.
fn paths(code: &str) -> Vec<Vec<String>> {
    let tokens = tokens(code);
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if *token == "use" {
            at = tree(&tokens, at + 1, &[], &mut out);
            continue;
        }
        let (path, next) = path(&tokens, at);
        if path.len() > 1 {
            out.push(path);
        }
        at = next.max(at + 1);
    }
    out
}

/// Reads one tree of a `use` and returns where it ends.
fn tree(tokens: &[&str], at: usize, prefix: &[String], out: &mut Vec<Vec<String>>) -> usize {
    let (names, mut at) = path(tokens, at);
    let full = [prefix, &names].concat();
    match tokens.get(at) {
        Some(&"{") => {
            at += 1;
            while let Some(token) = tokens.get(at) {
                match *token {
                    "}" => return at + 1,
                    "," => at += 1,
                    _ => at = tree(tokens, at, &full, out).max(at + 1),
                }
            }
            at
        }
        Some(&"as") => {
            out.push(full);
            at + 2
        }
        _ => {
            out.push(full);
            at
        }
    }
}

/// The names joined by `::` that begin here, and where they end.
fn path(tokens: &[&str], mut at: usize) -> (Vec<String>, usize) {
    let mut out = Vec::new();
    while let Some(word) = tokens.get(at).filter(|token| is_word(token)) {
        out.push((*word).to_owned());
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    (out, at)
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single signs.
fn tokens(code: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let inner = |c: char| c.is_alphanumeric() || c == '_';
        let length = if inner(first) {
            rest.find(|c| !inner(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push(token);
        rest = after.trim_start();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Files, imports};
    use crate::source::Source;

    #[test]
    fn uses_and_paths_point_at_the_defining_file() {
        let text = "use crate::{a::{b::{C, D as E}, self}, f};\nuse std::fs;\nuse super::g::H;\n\
            fn x() { crate::i::j(); k::l() }\n#[cfg(test)]\nmod tests { use crate::m::N; }\n";
        let mut files = Files::new();
        for file in [
            "lib.rs", "a/mod.rs", "a/b.rs", "f.rs", "g.rs", "i.rs", "m.rs", "x/k.rs",
        ] {
            files.insert(file.to_owned(), Source::of(""));
        }
        files.insert("x.rs".to_owned(), Source::of(text));
        let graph = imports(&files);
        let found: Vec<&str> = graph["x.rs"].iter().map(String::as_str).collect();
        assert_eq!(
            found,
            ["a/b.rs", "a/mod.rs", "f.rs", "g.rs", "i.rs", "x/k.rs"]
        );
    }
}
