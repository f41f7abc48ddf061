//! Printing a tree and reading it again gives the same tree.

use countersign_shell::print::print;
use countersign_shell::read::read;

use crate::data::{rows, text};
use crate::tree::shape;

/// What is wrong with printing this text, if anything.
pub(crate) fn fault(source: &str) -> Option<String> {
    let script = read(source).ok()?;
    let printed = print(&script);
    match read(&printed) {
        Ok(again) if shape(&again) == shape(&script) => None,
        Ok(again) => Some(format!(
            "{printed:?}\n{}\n{}",
            shape(&script),
            shape(&again)
        )),
        Err(unread) => Some(format!("{printed:?} {unread:?}")),
    }
}

#[test]
fn p5_prints_what_it_reads_on_the_data() {
    let mut faults = 0;
    for (file, field) in [
        ("grammar.jsonl", "script"),
        ("agent-commands.jsonl", "cmd"),
        ("ci-commands.jsonl", "cmd"),
        ("doc-commands.jsonl", "cmd"),
        ("dangerous-commands.jsonl", "cmd"),
        ("labelled-commands.jsonl", "cmd"),
    ] {
        let Some(rows) = rows(file) else { return };
        for row in &rows {
            if let Some(fault) = fault(text(row, field)) {
                faults += 1;
                if std::env::var_os("COUNTERSIGN_VERBOSE").is_some() {
                    println!("fault {} {fault}", text(row, "id"));
                }
            }
        }
    }
    assert_eq!(faults, 0);
}
