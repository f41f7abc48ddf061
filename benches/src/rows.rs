//! Recorded commands, one JSON object per line. They are read and judged, never run.

use countersign_policy::path::AbsPath;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// One recorded command.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its identity in the file.
    pub id: String,
    /// The text.
    pub command: String,
    /// The working directory, where one was recorded.
    pub cwd: AbsPath,
    /// What the collection says of it: its `tag` or `flag`.
    pub tag: String,
    /// Where it was collected.
    pub source: String,
    /// How often it was seen.
    pub seen: u64,
}

/// The rows of a file. A line that is no object with a command is an error that names it.
pub fn read(file: &Path) -> Result<Vec<Row>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines = text.lines().zip(1_usize..);
    lines
        .map(|(line, number)| {
            row(line).ok_or_else(|| format!("{}:{number}: no command in this line", file.display()))
        })
        .collect()
}

/// The rows of a file of the recorded data as they are, or nothing where there is none: in the directory that
/// `COUNTERSIGN_DATA` names, else in `shared/data` beside the repository.
pub fn recorded(name: &str) -> Option<Vec<Value>> {
    let directory = std::env::var_os("COUNTERSIGN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")),
        PathBuf::from,
    );
    let text = fs::read_to_string(directory.join(name)).ok()?;
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap_or_default())
            .collect(),
    )
}

/// A text field of a row; nothing in it where it is absent.
pub fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn row(line: &str) -> Option<Row> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| value.get(name)?.as_str());
        found.map(str::to_owned)
    };
    let cwd = text(&["cwd"]).and_then(|cwd| AbsPath::parse(&cwd));
    Some(Row {
        id: text(&["id"]).unwrap_or_default(),
        command: text(&["cmd", "command"])?,
        cwd: cwd.unwrap_or_else(|| AbsPath::root().join("repo")),
        tag: text(&["tag", "flag"]).unwrap_or_else(|| "untagged".to_owned()),
        source: text(&["source"]).unwrap_or_else(|| "unknown".to_owned()),
        seen: value.get("n_seen").and_then(Value::as_u64).unwrap_or(1),
    })
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn a_row_needs_nothing_but_a_command() {
        let full = row(r#"{"id":"a","cmd":"ls","cwd":"/w","tag":"read-only","n_seen":3}"#).unwrap();
        assert_eq!(
            (full.seen, full.cwd.as_str(), full.tag.as_str()),
            (3, "/w", "read-only")
        );
        let bare = row(r#"{"command":"ls","cwd":null,"tag":null,"flag":"must"}"#).unwrap();
        assert_eq!(
            (bare.seen, bare.cwd.as_str(), bare.tag.as_str()),
            (1, "/repo", "must")
        );
        assert!(row(r#"{"text":"ls"}"#).is_none());
    }
}
