//! Tidy tests: what a reader may rely on everywhere in this repository, checked on its text. Each finding names a
//! place.

use countersign_xtask::circles::{arrows, circles};
use countersign_xtask::functions::functions;
use countersign_xtask::imports::{Files, imports};
use countersign_xtask::manifest::{closure, dependencies, lock};
use countersign_xtask::source::{Source, lines_with};
use countersign_xtask::tree::{File, files, root};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The longest a function may be, in lines.
const MOST_LINES: usize = 70;

/// The longest a line may be, in characters.
const MOST_COLUMNS: usize = 120;

/// Functions that are tables, by file and name: one line for each entry and nothing to follow.
const TABLES: [(&str, &str); 3] = [
    ("crates/shell/tests/suite/limits.rs", "bombs"),
    ("crates/hooks/tests/suite/modes.rs", "table"),
    (
        "crates/hooks/tests/suite/tools.rs",
        "p2_each_tool_is_asked_about_by_its_meaning",
    ),
];

/// Which crate of the house may know which. Who is not listed may know all.
const ARROWS: [(&str, &[&str]); 6] = [
    ("shell", &[]),
    ("policy", &["shell"]),
    ("gate", &["policy", "shell"]),
    ("hooks", &["gate", "policy", "shell"]),
    ("exec", &["policy", "shell"]),
    ("corpus", &["policy", "shell"]),
];

/// Crates whose code takes values and returns values.
const PURE: [&str; 2] = ["crates/shell/src/", "crates/policy/src/"];

/// What a pure crate may not name.
const IMPURE: [&str; 13] = [
    "std::fs",
    "std::env",
    "std::time",
    "std::net",
    "std::process",
    "std::io",
    "std::thread",
    "println!",
    "eprintln!",
    "print!",
    "rand",
    "SystemTime",
    "Instant",
];

/// What a hook or an embedder's build of the gate never links: async runtimes, TLS, user interfaces.
const HEAVY: [&str; 12] = [
    "tokio",
    "async-std",
    "smol",
    "futures-executor",
    "rustls",
    "openssl",
    "native-tls",
    "hyper",
    "reqwest",
    "ratatui",
    "crossterm",
    "clap",
];

static ALL: LazyLock<Vec<File>> = LazyLock::new(|| files(&root()).unwrap_or_default());

/// Every Rust file with its readings.
static RUST: LazyLock<Vec<(&str, Source)>> = LazyLock::new(|| {
    let rust = ALL.iter().filter(|file| file.is("rs"));
    rust.map(|file| (file.path.as_str(), Source::of(file.text())))
        .collect()
});

/// Fails with all findings, one a line.
fn nothing(rule: &str, found: &[String]) {
    assert!(
        found.is_empty(),
        "{rule}: {} findings\n{}\n",
        found.len(),
        found.join("\n")
    );
}

/// A word that this file may not hold itself.
fn word(parts: &[&str]) -> String {
    parts.concat()
}

/// Code of tests only: the folders of tests, and files that a `#[cfg(test)]` declares.
fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.rsplit('/').next() == Some("tests.rs")
}

/// Where nothing were found, everything else would hold.
#[test]
fn the_files_are_read() {
    for path in ["Cargo.lock", "crates/policy/src/judge.rs", "docs/rules.md"] {
        assert!(
            find(path).is_some_and(|file| !file.text().is_empty()),
            "{path}"
        );
    }
}

#[test]
fn functions_are_short() {
    let mut found = Vec::new();
    for (path, source) in RUST.iter() {
        for function in functions(&source.code) {
            let is_table = TABLES.contains(&(path, function.name.as_str()));
            if function.length > MOST_LINES && !is_table {
                let (name, line, length) = (&function.name, function.line, function.length);
                found.push(format!("{path}:{line} {name} has {length} lines"));
            }
        }
    }
    nothing("a function has at most 70 lines", &found);
}

#[test]
fn files_say_what_they_are() {
    let mut found = Vec::new();
    for (path, source) in RUST.iter() {
        let opening: Vec<&str> = source
            .text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .collect();
        if !opening.join(" ").contains(['.', ':']) {
            found.push(format!("{path}:1"));
        }
    }
    nothing("a file opens with a sentence after `//!`", &found);
}

#[test]
fn lines_are_short() {
    let mut found = Vec::new();
    let mut look = |path: &str, number: usize, columns: usize| {
        if columns > MOST_COLUMNS {
            found.push(format!("{path}:{number} {columns}"));
        }
    };
    for (path, source) in RUST.iter() {
        let lines = source.text.lines().zip(source.code.lines());
        for ((text, code), number) in lines.zip(1..) {
            // The formatter cares for code. A text in quotes is as long as it has to be.
            let is_comment = text.trim_start().starts_with("//");
            let words: Vec<&str> = code.split_whitespace().collect();
            let code = words.join(" ").chars().count();
            look(
                path,
                number,
                if is_comment {
                    text.chars().count()
                } else {
                    code
                },
            );
        }
    }
    for file in ALL
        .iter()
        .filter(|file| file.is("md") && !file.path.starts_with("corpus/"))
    {
        // A row of a table is one line.
        let lines = file
            .text()
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.starts_with('|'));
        lines.for_each(|(line, number)| look(&file.path, number, line.chars().count()));
    }
    nothing("a line has at most 120 columns", &found);
}

#[test]
fn imports_are_named() {
    let mut found = Vec::new();
    for (path, source) in RUST.iter().filter(|(path, _)| !is_test(path)) {
        let lines = source.shipped.lines().zip(1..);
        let preludes = lines.filter(|(line, _)| line.contains("use super::*"));
        found.extend(preludes.map(|(_, number)| format!("{path}:{number}")));
    }
    nothing(
        "outside tests nothing is imported by `*` from `super`",
        &found,
    );
}

#[test]
fn rooms_have_names() {
    let mut found = Vec::new();
    for file in ALL.iter() {
        let mut rooms = file
            .path
            .split('/')
            .map(|part| part.strip_suffix(".rs").unwrap_or(part));
        if rooms.any(|room| matches!(room, "types" | "common" | "utils" | "util" | "helpers")) {
            found.push(file.path.clone());
        }
    }
    nothing("no room is named types, common, utils or helpers", &found);
}

#[test]
fn the_pure_crates_touch_nothing() {
    let mut found = Vec::new();
    let pure = |path: &str| PURE.iter().any(|start| path.starts_with(start)) && !is_test(path);
    for (path, source) in RUST.iter().filter(|(path, _)| pure(path)) {
        for word in IMPURE {
            let lines = lines_with(&source.shipped, word);
            found.extend(lines.iter().map(|line| format!("{path}:{line} {word}")));
        }
    }
    nothing("shell and policy take values and return values", &found);
}

#[test]
fn unsafe_code_lives_in_one_crate() {
    let mut found = Vec::new();
    let elsewhere = |path: &str| !path.starts_with("crates/exec/");
    for (path, source) in RUST.iter().filter(|(path, _)| elsewhere(path)) {
        let lines = lines_with(&source.code, "unsafe");
        found.extend(lines.iter().map(|line| format!("{path}:{line}")));
    }
    nothing("only crates/exec may hold unsafe code", &found);
}

#[test]
fn a_hook_links_nothing_heavy() {
    let lock = lock(find("Cargo.lock").unwrap().text());
    let mut found = Vec::new();
    for name in ["shell", "policy", "gate", "hooks"] {
        let Some(manifest) = find(&format!("crates/{name}/Cargo.toml")) else {
            continue;
        };
        let direct = dependencies(manifest.text()).into_iter();
        let shipped = direct.filter(|dependency| is_linked(&dependency.table));
        // The lock file does not tell what a crate of ours needs for its tests only, so these are followed by manifest.
        let (ours, foreign): (Vec<_>, Vec<_>) = shipped
            .map(|dependency| dependency.name)
            .partition(|name| name.starts_with("countersign-"));
        let linked = closure(&lock, foreign);
        let heavy = HEAVY.iter().filter(|heavy| linked.contains(**heavy));
        found.extend(heavy.map(|heavy| format!("crates/{name} links {heavy}")));
        let allowed = |own: &&String| {
            ["shell", "policy", "gate"].contains(&own.trim_start_matches("countersign-"))
        };
        let strangers = ours.iter().filter(|own| !allowed(own));
        found.extend(strangers.map(|own| format!("crates/{name} links {own}")));
    }
    nothing(
        "no async runtime, TLS or user interface below the hooks",
        &found,
    );
}

fn is_linked(table: &str) -> bool {
    table == "dependencies"
        || (table.starts_with("target.") && !table.contains("dev-") && !table.contains("build-"))
}

fn find(path: &str) -> Option<&'static File> {
    ALL.iter().find(|file| file.path == path)
}

#[test]
fn crates_point_one_way() {
    let mut found = Vec::new();
    for (name, may_know) in ARROWS {
        let path = format!("crates/{name}/Cargo.toml");
        let Some(manifest) = find(&path) else {
            continue;
        };
        for dependency in dependencies(manifest.text()) {
            let target = dependency.name.strip_prefix("countersign-");
            // A crate may name itself to turn a feature on for its tests.
            let wrong = target.filter(|target| *target != name && !may_know.contains(target));
            found.extend(wrong.map(|target| format!("{path}:{} {target}", dependency.line)));
        }
    }
    nothing("crates point one way", &found);
}

#[test]
fn files_do_not_import_in_circles() {
    let mut crates: BTreeMap<&str, Files> = BTreeMap::new();
    for (path, source) in RUST.iter() {
        if let Some((home, file)) = path.split_once("/src/") {
            let files = crates.entry(home).or_default();
            files.insert(file.to_owned(), source.clone());
        }
    }
    let mut found = Vec::new();
    for (home, files) in &crates {
        let graph = imports(files);
        for circle in circles(&graph) {
            let arrows = arrows(&graph, &circle).join("\n    ");
            found.push(format!("{home}: {}\n    {arrows}", circle.join(", ")));
        }
    }
    nothing(
        "files of a crate do not import from each other in a circle",
        &found,
    );
}

#[test]
fn nothing_names_a_registry_or_a_machine() {
    let hosts = [
        word(&["crates", ".io"]),
        word(&["npm", "js.org"]),
        word(&["npm", "js.com"]),
        word(&["py", "pi.org"]),
        word(&["python", "hosted.org"]),
        word(&["deb.", "debian.org"]),
    ];
    let own = root().display().to_string();
    let mut found = Vec::new();
    for file in ALL.iter().filter(|file| !file.path.ends_with("Cargo.lock")) {
        for (line, number) in file.text().lines().zip(1..) {
            let host = hosts.iter().any(|host| line.contains(host.as_str()));
            // A checkout at the root or one directory below it has no name that tells it from other text.
            let machine = own.matches('/').count() > 1 && line.contains(&own);
            if host || machine {
                found.push(format!("{}:{number}", file.path));
            }
        }
    }
    nothing(
        "no registry's host and no path of this machine is named",
        &found,
    );
}

#[test]
fn nothing_is_left_half_done() {
    let words = [
        word(&["FIX", "ME"]),
        word(&["TO", "DO"]),
        word(&["todo", "!"]),
        word(&["XX", "X"]),
    ];
    let mut found = Vec::new();
    for file in ALL.iter().filter(|file| file.is("rs")) {
        for word in &words {
            let lines = lines_with(file.text(), word);
            found.extend(
                lines
                    .iter()
                    .map(|line| format!("{}:{line} {word}", file.path)),
            );
        }
    }
    nothing(
        "what is unfinished stands in docs/status.md, not in the code",
        &found,
    );
}

#[test]
fn every_folder_of_the_corpus_has_a_runner() {
    let folders: BTreeSet<&str> = ALL
        .iter()
        .filter_map(|file| file.path.strip_prefix("corpus/")?.split_once('/'))
        .map(|(folder, _)| folder)
        .collect();
    let runs = |folder: &str| {
        let name = format!("\"{folder}\"");
        let mut readers = RUST.iter().filter(|(path, _)| path.starts_with("crates/"));
        readers.any(|(_, source)| source.text.contains(&name))
    };
    let found: Vec<String> = folders
        .into_iter()
        .filter(|folder| !runs(folder))
        .map(|folder| format!("corpus/{folder}"))
        .collect();
    nothing("every folder of the corpus has a runner", &found);
}

#[test]
fn no_test_file_is_forgotten() {
    let mut found = Vec::new();
    for (path, _) in RUST.iter() {
        let Some((suite, file)) = path
            .rsplit_once('/')
            .filter(|(suite, _)| suite.contains("/tests/"))
        else {
            continue;
        };
        let main = RUST
            .iter()
            .find(|(path, _)| *path == format!("{suite}/main.rs"));
        let name = file.strip_suffix(".rs").unwrap_or(file);
        let listed = main.is_none_or(|(_, main)| main.code.contains(&format!("mod {name};")));
        if file != "main.rs" && !listed {
            found.push((*path).to_owned());
        }
    }
    nothing(
        "every file of a test suite is listed in its main.rs",
        &found,
    );
}

#[test]
fn every_dependency_has_a_sentence() {
    let mut found = Vec::new();
    for file in ALL.iter().filter(|file| file.path.ends_with("Cargo.toml")) {
        for dependency in dependencies(file.text()) {
            // The workspace's own list of its own crates says nothing new.
            let listed = dependency.table == "workspace.dependencies"
                && dependency.name.starts_with("countersign");
            if !dependency.defended && !listed {
                found.push(format!(
                    "{}:{} {}",
                    file.path, dependency.line, dependency.name
                ));
            }
        }
    }
    nothing(
        "a comment above each dependency says what it is for",
        &found,
    );
}

#[test]
fn the_map_names_every_crate() {
    let map = find("ARCHITECTURE.md").unwrap().text();
    let crates: BTreeSet<String> = ALL
        .iter()
        .filter_map(|file| file.path.strip_suffix("/Cargo.toml"))
        .map(|folder| format!("`{folder}"))
        .collect();
    let found: Vec<String> = crates
        .into_iter()
        .filter(|folder| !map.contains(folder))
        .collect();
    nothing("ARCHITECTURE.md has a place for every crate", &found);
}
