//! Rows of the recorded data sets, which are read and never run.

use std::path::PathBuf;

use serde_json::Value;

/// The rows of one file, or nothing where the data is absent.
pub(crate) fn rows(file: &str) -> Option<Vec<Value>> {
    let directory = std::env::var_os("COUNTERSIGN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = directory.join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is absent", path.display());
        return None;
    };
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap_or_default())
            .collect(),
    )
}

/// A text field of a row.
pub(crate) fn text<'r>(row: &'r Value, field: &str) -> &'r str {
    row.get(field).and_then(Value::as_str).unwrap_or("")
}
