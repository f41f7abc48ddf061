//! Expected texts in files that rewrite themselves: `UPDATE=1 cargo test` writes what is printed, and the diff is the
//! review.

use std::path::{Path, PathBuf};

/// Compares a text with `tests/expected/<name>.txt`.
#[track_caller]
pub(crate) fn expect(name: &str, text: &str) {
    let path = path(name);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; run with UPDATE=1", path.display()));
    assert!(
        expected == text,
        "{} differs; run with UPDATE=1 and look at the diff\n--- expected\n{expected}\n--- printed\n{text}",
        path.display()
    );
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expected")
        .join(format!("{name}.txt"))
}
