//! Turns the built-in rules into a static table. The file is checked by the rule language's own reader in a test; here
//! only its shape is taken apart, so that the gate does not read TOML when it starts.

use std::fmt::Write as _;
use std::{env, fs, path::Path};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const SOURCE: &str = "src/rules/builtin.toml";

/// Writes the table.
pub(crate) fn compile() -> Result<(), String> {
    println!("cargo::rerun-if-changed={SOURCE}");
    let text = fs::read_to_string(SOURCE).map_err(|error| format!("{SOURCE}: {error}"))?;
    let document = DeTable::parse(&text).map_err(|error| format!("{SOURCE}: {error}"))?;
    let mut out = "static TABLE: &[Entry] = &[\n".to_owned();
    for (key, value) in document.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("version", _) => {}
            (action @ ("allow" | "ask" | "deny"), DeValue::Table(table)) => {
                subjects(
                    &mut out,
                    action,
                    table,
                    &text,
                    "id: None, reason: None, hint: None, with: &[], without: &[], by: &[], recursive: false, outside: false, modes: &[]",
                )?;
            }
            ("rule", DeValue::Array(entries)) => {
                for entry in entries {
                    let DeValue::Table(table) = entry.get_ref() else {
                        return Err(format!("{SOURCE}: a rule is not a table"));
                    };
                    rule(&mut out, table, &text)?;
                }
            }
            (other, _) => return Err(format!("{SOURCE}: unexpected `{other}`")),
        }
    }
    out.push_str("];\n");
    let target = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    fs::write(Path::new(&target).join("builtin.rs"), out).map_err(|error| error.to_string())
}

fn rule(out: &mut String, table: &DeTable<'_>, text: &str) -> Result<(), String> {
    let list = |key: &str| table.get(key).map_or_else(|| Ok(Vec::new()), strings);
    let word = |key: &str| Ok::<_, String>(list(key)?.into_iter().next().map(|(word, _)| word));
    let words =
        |key: &str| Ok::<_, String>(list(key)?.into_iter().map(|(w, _)| w).collect::<Vec<_>>());
    let flag = |key: &str| {
        matches!(
            table.get(key).map(Spanned::get_ref),
            Some(DeValue::Boolean(true))
        )
    };
    let modes: Vec<String> = words("modes")?
        .iter()
        .map(|mode| format!("Mode::{}", camel(mode)))
        .collect();
    let terms = format!(
        "id: {:?}, reason: {:?}, hint: {:?}, with: &{:?}, without: &{:?}, by: &{:?}, recursive: {}, outside: {}, modes: &[{}]",
        word("id")?,
        word("reason")?,
        word("hint")?,
        words("with")?,
        words("without")?,
        words("by")?,
        flag("recursive"),
        flag("outside"),
        modes.join(", "),
    );
    for (key, value) in table {
        match (key.get_ref().as_ref(), value.get_ref()) {
            (action @ ("allow" | "ask" | "deny"), DeValue::Table(table)) => {
                subjects(out, action, table, text, &terms)?;
            }
            (
                "id" | "reason" | "hint" | "with" | "without" | "by" | "recursive" | "outside"
                | "modes",
                _,
            ) => {}
            (other, _) => return Err(format!("{SOURCE}: the table has no place for `{other}`")),
        }
    }
    Ok(())
}

fn subjects(
    out: &mut String,
    action: &str,
    table: &DeTable<'_>,
    text: &str,
    terms: &str,
) -> Result<(), String> {
    for (kind, value) in table {
        let patterns: Vec<(String, usize)> = strings(value)?
            .into_iter()
            .map(|(pattern, offset)| (pattern, line(text, offset)))
            .collect();
        writeln!(
            out,
            "Entry {{ action: Action::{}, kind: Kind::{}, patterns: &{patterns:?}, {terms} }},",
            camel(action),
            camel(kind.get_ref()),
        )
        .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// One text or a list of texts, each with its offset.
fn strings(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, usize)>, String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(vec![(text.to_string(), value.span().start)]),
        DeValue::Array(items) => {
            let lists: Result<Vec<_>, _> = items.iter().map(strings).collect();
            Ok(lists?.into_iter().flatten().collect())
        }
        _ => Err(format!("{SOURCE}: a text or a list of texts was expected")),
    }
}

fn line(text: &str, offset: usize) -> usize {
    text.bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1
}

/// `accept-edits` is `AcceptEdits`, `external_directory` is `ExternalDirectory`.
pub(crate) fn camel(word: &str) -> String {
    word.split(['-', '_'])
        .map(|part| {
            let mut letters = part.chars();
            letters
                .next()
                .map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
        })
        .collect()
}
