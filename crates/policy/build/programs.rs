//! Turns `programs/*.toml` into static Rust tables, so that nothing is parsed when the gate starts. A mistake in a file
//! stops the build with the file, the program and the words that are wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};
use toml::{Table, Value};

/// Writes the tables.
pub(crate) fn compile() -> Result<(), String> {
    let folder = Path::new("programs");
    println!("cargo::rerun-if-changed=programs");
    let mut files: Vec<_> = fs::read_dir(folder)
        .map_err(|error| format!("programs: {error}"))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    let mut groups = Groups::new();
    let mut bodies = Vec::new();
    for file in files {
        let at = file.display().to_string();
        let text = fs::read_to_string(&file).map_err(|error| format!("{at}: {error}"))?;
        let table: Table = text.parse().map_err(|error| format!("{at}: {error}"))?;
        for (name, value) in table {
            let place = format!("{at}: {name}");
            let Value::Table(body) = value else {
                return Err(format!("{place}: not a table"));
            };
            if name.starts_with('@') {
                group(&mut groups, name, &body, &place)?;
            } else {
                bodies.push((name, body, place));
            }
        }
    }
    write(&groups, &bodies)
}

/// Puts the tables together.
fn write(groups: &Groups, bodies: &[(String, Table, String)]) -> Result<(), String> {
    let mut programs = String::new();
    let mut index: Vec<(String, usize)> = Vec::new();
    for (count, (name, body, place)) in bodies.iter().enumerate() {
        programs.push_str(&program(name, body, place, groups)?);
        programs.push_str(",\n");
        index.push((name.clone(), count));
        let aliases = strings(body, "names", place)?;
        index.extend(aliases.into_iter().map(|alias| (alias, count)));
    }
    index.sort();
    if let Some([(name, _), _]) = index.array_windows::<2>().find(|[(a, _), (b, _)]| a == b) {
        return Err(format!("programs: `{name}` is described twice"));
    }
    let mut out = format!("static PROGRAMS: &[Program] = &[\n{programs}];\n");
    writeln!(out, "static INDEX: &[(&str, usize)] = &{index:?};").map_err(|e| e.to_string())?;
    let target = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    fs::write(Path::new(&target).join("programs.rs"), out).map_err(|error| error.to_string())
}

/// Option lines that several descriptions share, by the name under which they are used (`@git-diff`).
type Groups = BTreeMap<String, Vec<String>>;

/// Takes a group in.
fn group(groups: &mut Groups, name: String, body: &Table, place: &str) -> Result<(), String> {
    if let Some(key) = body.keys().find(|key| *key != "options") {
        return Err(format!("{place}: a group has no key `{key}`"));
    }
    let lines = strings(body, "options", place)?;
    if groups.insert(name, lines).is_some() {
        return Err(format!("{place}: described twice"));
    }
    Ok(())
}

/// The option lines of a description, with the groups that it names in their places.
fn lines(body: &Table, place: &str, groups: &Groups) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for line in strings(body, "options", place)? {
        if line.starts_with('@') {
            let group = groups.get(&line);
            let group = group.ok_or_else(|| format!("{place}: no group `{line}`"))?;
            all.extend(group.iter().cloned());
        } else {
            all.push(line);
        }
    }
    Ok(all)
}

const KEYS: &[&str] = &[
    "names",
    "category",
    "options",
    "others",
    "style",
    "operands",
    "operand_raises",
    "default_operand",
    "default_needs_recursive",
    "into",
    "recursive",
    "with_operands",
    "stdin",
    "apart",
    "family",
    "special",
    "obeys",
    "sub",
];

/// One `Program` as Rust source.
fn program(name: &str, body: &Table, place: &str, groups: &Groups) -> Result<String, String> {
    if let Some(key) = body.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("{place}: unknown key `{key}`"));
    }
    let text = |key: &str| body.get(key).and_then(Value::as_str);
    let flag = |key: &str| body.get(key).and_then(Value::as_bool).unwrap_or(false);
    let options = lines(body, place, groups)?
        .iter()
        .map(|line| option(line).map_err(|error| format!("{place}: option `{line}`: {error}")))
        .collect::<Result<Vec<_>, _>>()?
        .join(", ");
    let roles = text("operands").unwrap_or("text*");
    let style = text("style").unwrap_or(if roles.contains("command") {
        "leading"
    } else {
        "gnu"
    });
    let with_operands = match text("with_operands") {
        Some(text) => format!("Some({})", category(text)?),
        None => "None".to_owned(),
    };
    let raises = strings(body, "operand_raises", place)?
        .iter()
        .map(|line| operand_raises(line).map_err(|error| format!("{place}: `{line}`: {error}")))
        .collect::<Result<Vec<_>, _>>()?
        .join(", ");
    let subs = subcommands(body, place, groups)?;
    let named = |error: String| format!("{place}: {error}");
    Ok(format!(
        "Program {{ name: {name:?}, aliases: &{:?}, category: {}, options: &[{options}], \
         others: Others::{}, style: Style::{}, operands: {}, default_operand: {:?}, \
         default_needs_recursive: {}, into: {:?}, recursive: {}, with_operands: {with_operands}, \
         operand_raises: &[{raises}], stdin: Stdin::{}, apart: {}, \
         subcommands: &[{subs}], special: Special::{}, family: {}, obeys: &{:?} }}",
        strings(body, "names", place)?,
        category(text("category").ok_or_else(|| named("no category".to_owned()))?)
            .map_err(named)?,
        one_of(text("others").unwrap_or("unknown"), &["inert", "unknown"]).map_err(named)?,
        match style {
            "gnu" => "Gnu",
            "leading" => "GnuLeading",
            "single" => "SingleDash",
            "single-leading" => "SingleDashLeading",
            "none" => "None",
            other => return Err(named(format!("unknown style `{other}`"))),
        },
        operands(roles).map_err(named)?,
        text("default_operand"),
        flag("default_needs_recursive"),
        text("into"),
        flag("recursive"),
        one_of(
            text("stdin").unwrap_or("data"),
            &["data", "shell", "code", "arguments"]
        )
        .map_err(named)?,
        flag("apart"),
        one_of(text("special").unwrap_or("none"), SPECIALS).map_err(named)?,
        body.get("family").and_then(Value::as_integer).unwrap_or(0),
        strings(body, "obeys", place)?,
    ))
}

const SPECIALS: &[&str] = &[
    "none",
    "find",
    "sed",
    "awk",
    "git-config",
    "tar",
    "test",
    "dd",
    "python",
    "mode",
    "kill",
    "git",
    "git-checkout",
    "curl",
    "ldd",
    "gh-api",
];
const ROLES: &[&str] = &[
    "text",
    "read",
    "write",
    "edit",
    "delete",
    "move",
    "directory",
    "host",
    "shell",
    "command",
    "code",
    "script",
    "pattern",
    "assignments",
];
const CATEGORIES: &[&str] = &[
    "reads",
    "writes",
    "builds",
    "fetches",
    "installs",
    "unknown",
    "removes",
    "remote",
    "privilege",
    "opaque",
];

/// One `Opt` as Rust source.
fn option(line: &str) -> Result<String, String> {
    let mut names = Vec::new();
    let (mut takes, mut role, mut tag) = ("No", "Text".to_owned(), "Inert".to_owned());
    for word in line.split_whitespace() {
        if let Some(rest) = word.strip_prefix('=') {
            let (kind, name) = match rest.split_at_checked(1) {
                Some(("?", name)) => ("Attached", name),
                Some(("2", name)) => ("Pair", name),
                Some((">", name)) => ("Next", name),
                _ => ("Value", rest),
            };
            takes = kind;
            role = one_of(if name.is_empty() { "text" } else { name }, ROLES)?;
        } else if let Some(rest) = word.strip_prefix('@') {
            tag = match rest.split_once(':') {
                Some(("raises", name)) => format!("Raises({})", category(name)?),
                Some(("becomes", name)) => format!("Becomes({})", category(name)?),
                Some((other, _)) => return Err(format!("unknown tag `@{other}:`")),
                None if rest == "pattern" => "GivesPattern".to_owned(),
                None => one_of(
                    rest,
                    &[
                        "recursive",
                        "alone",
                        "changes",
                        "in-place",
                        "opaque",
                        "command",
                        "target",
                        "shell",
                        "inspects",
                    ],
                )?,
            };
        } else if word.starts_with('-') || word.starts_with('+') {
            names.push(word);
        } else {
            return Err(format!("`{word}` is neither a name, nor a role, nor a tag"));
        }
    }
    if names.is_empty() {
        return Err("no name".to_owned());
    }
    Ok(format!(
        "Opt {{ names: &{names:?}, takes: Takes::{takes}, role: Role::{role}, tag: Tag::{tag} }}"
    ))
}

/// `Operands` as Rust source.
fn operands(text: &str) -> Result<String, String> {
    let (mut front, mut middle, mut back) = (Vec::new(), None, Vec::new());
    for word in text.split_whitespace() {
        match word.strip_suffix('*') {
            Some(_) if middle.is_some() => return Err("two operands end in `*`".to_owned()),
            Some(name) => middle = Some(one_of(name, ROLES)?),
            None if middle.is_some() => back.push(format!("Role::{}", one_of(word, ROLES)?)),
            None => front.push(format!("Role::{}", one_of(word, ROLES)?)),
        }
    }
    let middle = middle.map_or("None".to_owned(), |role| format!("Some(Role::{role})"));
    Ok(format!(
        "Operands {{ front: &[{}], middle: {middle}, back: &[{}] }}",
        front.join(", "),
        back.join(", ")
    ))
}

/// The subcommands of a description as Rust source.
fn subcommands(body: &Table, place: &str, groups: &Groups) -> Result<String, String> {
    let mut subs = String::new();
    if let Some(table) = body.get("sub").and_then(Value::as_table) {
        for (name, value) in table {
            let place = format!("{place} {name}");
            let body = value
                .as_table()
                .ok_or_else(|| format!("{place}: not a table"))?;
            subs.push_str(&program(name, body, &place, groups)?);
            subs.push_str(", ");
        }
    }
    Ok(subs)
}

/// A category and the patterns of the operands that raise to it, as Rust source.
fn operand_raises(line: &str) -> Result<String, String> {
    let (name, patterns) = line.split_once(' ').ok_or("no pattern")?;
    let patterns: Vec<_> = patterns.split_whitespace().collect();
    Ok(format!("({}, &{patterns:?})", category(name)?))
}

fn category(text: &str) -> Result<String, String> {
    one_of(text, CATEGORIES).map(|name| format!("Category::{name}"))
}

/// The Rust name of a word that must be in a list: `git-config` is `GitConfig`.
fn one_of(word: &str, known: &[&str]) -> Result<String, String> {
    if !known.contains(&word) {
        return Err(format!(
            "unknown word `{word}`; known are {}",
            known.join(", ")
        ));
    }
    Ok(crate::rules::camel(word))
}

fn strings(body: &Table, key: &str, place: &str) -> Result<Vec<String>, String> {
    let Some(value) = body.get(key) else {
        return Ok(Vec::new());
    };
    let list = value
        .as_array()
        .ok_or_else(|| format!("{place}: `{key}` is not a list"))?;
    list.iter()
        .map(|item| item.as_str().map(str::to_owned))
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{place}: `{key}` holds something that is not text"))
}
