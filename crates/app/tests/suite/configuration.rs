//! Broken rule files: shown with line, caret and hint, and never laxer for it.

use crate::expected::expect;
use crate::place::Place;

const BROKEN: &str = r#"version = 1
[deny]
shel = ["git push *"]
[ask]
shell = ["ls *"]
[[rule]]
id = "x"
ask = { shell = "git push *" }
wiht = ["--force"]
[allow]
read = ["../x"]
"#;

#[test]
fn p13_a_broken_file_is_2_and_is_shown() {
    let place = Place::new();
    place.rules(BROKEN);
    for command in ["check", "explain"] {
        let run = place.run(&[command, "cat a"]);
        assert_eq!(run.code, 2);
        expect("configuration/errors", &run.err);
        expect(&format!("configuration/{command}"), &run.out);
    }
}

#[test]
fn p13_a_warning_changes_no_exit_code() {
    let place = Place::new();
    place.rules(
        r#"version = 1
[[rule]]
ask = { shell = "git push *" }
unless = { shell = "git *" }
"#,
    );
    let run = place.run(&["check", "ls"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.starts_with("warning: "), "{}", run.err);
    expect("configuration/warnings", &run.err);
}

#[test]
fn p13_a_file_that_cannot_be_read_is_2() {
    let place = Place::new();
    let work = place.work();
    std::fs::write(work.join("binary.toml"), b"version = 1\n\xff\n").unwrap();
    for path in ["/no/such/file", "binary.toml", "/"] {
        let run = place.run(&["check", "--rules", path, "ls"]);
        assert_eq!(run.code, 2, "{path}");
        assert!(run.err.starts_with("error: "), "{path}: {}", run.err);
        assert!(run.out.starts_with("ask: "), "{path}: {}", run.out);
    }
}
