//! The aliases of cargo's configuration in the project: the nearest file that knows the name counts, as for cargo.

use super::source::{Asked, UPWARDS, first};
use countersign_policy::path::AbsPath;
use countersign_policy::project::ScriptText;
use toml::de::{DeTable, DeValue};

pub(super) fn look(asked: &Asked<'_>) -> Result<Option<ScriptText>, String> {
    let Some(name) = asked.name else {
        return Ok(None);
    };
    let mut at = asked.directory.clone();
    for _ in 0..UPWARDS {
        if let Some(source) = first(&at, &[".cargo/config", ".cargo/config.toml"])?
            && let Some(words) = alias(&source.text, name)
        {
            return Ok(Some(ScriptText {
                file: source.file,
                directory: asked.directory.clone(),
                texts: vec![format!("cargo {words} \"$@\"")],
            }));
        }
        if at == AbsPath::root() {
            break;
        }
        at = at.parent();
    }
    Ok(None)
}

/// What an alias stands for, as words of a shell.
fn alias(text: &str, name: &str) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let aliases = table.get_ref().get("alias")?.get_ref().as_table()?;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
    match aliases.get(name)?.get_ref() {
        DeValue::String(words) => {
            let words: Vec<String> = words.split_whitespace().map(quoted).collect();
            Some(words.join(" "))
        }
        DeValue::Array(words) => {
            let words: Option<Vec<String>> = words
                .iter()
                .map(|word| word.get_ref().as_str().map(quoted))
                .collect();
            words.map(|words| words.join(" "))
        }
        _ => None,
    }
}
