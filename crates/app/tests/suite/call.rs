//! `--call`: calls as JSON, of tools by countersign's own names, and what is wrong with them.

use crate::expected::expect;
use crate::place::Place;
use serde_json::Value;

#[test]
fn p2_tools_by_name() {
    let place = Place::new();
    for (call, code) in [
        (r#"{"tool":"shell_run","input":{"command":"ls"}}"#, 0),
        (r#"{"tool":"Bash","input":{"command":"git push"}}"#, 10),
        (r#"{"tool":"read_file","input":{"path":"a"}}"#, 0),
        (r#"{"tool":"read_file","input":{"path":".env"}}"#, 10),
        (r#"{"tool":"grep","input":{"pattern":"x"}}"#, 0),
        (r#"{"tool":"edit","input":{"file_path":"a"}}"#, 10),
        (r#"{"tool":"update_plan","input":{}}"#, 0),
        (r#"{"tool":"spawn_subagent","input":{"read_only":true}}"#, 0),
        (r#"{"tool":"mcp__github__merge","input":{}}"#, 10),
        (r#"{"tool":"never_heard_of","input":{}}"#, 10),
        (r#"{"tool":"write_stdin","input":{"chars":"y\n"}}"#, 10),
        (
            r#"{"tool":"exec","input":{"program":"/usr/bin/ls","argv":["ls"]}}"#,
            0,
        ),
    ] {
        let run = place.run_with(&["check", "--call"], call);
        assert_eq!(
            (run.code, run.err.as_str()),
            (code, ""),
            "{call}: {}",
            run.out
        );
    }
}

#[test]
fn p6_a_wrong_form_is_denied() {
    let place = Place::new();
    let run = place.run_with(
        &["check", "--json", "--call"],
        r#"{"tool":"edit","input":{"path":7},"id":"t1"}"#,
    );
    assert_eq!(run.code, 20);
    let record: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(record["code"], "invalid_arguments");
    assert_eq!(record["malformed"], "`path` is not a string");
    assert_eq!(record["call"]["id"], "t1");
    assert_eq!(record["requirements"].as_array().unwrap().len(), 0);
}

#[test]
fn p6_what_is_no_call_is_wrong_usage() {
    let place = Place::new();
    for text in [
        "",
        "ls",
        "{}",
        r#"{"tool":"shell_run"}"#,
        r#"{"tool":"x","input":{},"cmd":1}"#,
        r#"{"tool":"x","input":{},"cwd":"rel"}"#,
    ] {
        let run = place.run_with(&["check", "--call"], text);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{text}");
    }
}

#[test]
fn p6_the_directory_of_a_call_counts() {
    let place = Place::new();
    let work = place.work();
    let call = |cwd: &str| {
        format!(
            r#"{{"tool":"shell_run","input":{{"command":"rm x","cwd":"{cwd}"}},"cwd":"{}"}}"#,
            work.display()
        )
    };
    let run = place.run_with(&["explain", "--call"], &call("sub"));
    assert!(run.out.contains("/ROOT/work/sub/x"), "{}", run.out);
    let run = place.run_with(&["explain", "--call"], &call("/etc"));
    assert!(run.out.contains("/etc/x"), "{}", run.out);
}

#[test]
fn a6_a_call_is_explained() {
    let place = Place::new();
    let run = place.run_with(
        &["explain", "--call"],
        r#"{"tool":"edit","input":{"path":"/etc/passwd"}}"#,
    );
    assert_eq!(run.code, 10);
    expect("explain/call", &run.out);
}
