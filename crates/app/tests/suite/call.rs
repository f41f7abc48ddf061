//! `--call`: calls as JSON, of tools by countersign's own names and by Claude Code's, and what is wrong with them.

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
fn p2_tools_by_the_names_of_claude_code() {
    let place = Place::new();
    for (call, code, kind) in [
        (r#"{"tool":"Bash","input":{"command":"ls"}}"#, 0, "shell"),
        (
            r#"{"tool":"Bash","input":{"command":"rm -rf /"}}"#,
            20,
            "delete",
        ),
        (
            r#"{"tool":"Read","input":{"file_path":"src/main.rs"}}"#,
            0,
            "read",
        ),
        (
            r#"{"tool":"Read","input":{"file_path":".env"}}"#,
            10,
            "read",
        ),
        (
            r#"{"tool":"Write","input":{"file_path":"a","content":"x"}}"#,
            10,
            "edit",
        ),
        (r#"{"tool":"Grep","input":{"pattern":"x"}}"#, 0, "read"),
        (r#"{"tool":"TodoWrite","input":{"todos":[]}}"#, 0, ""),
        (r#"{"tool":"Telepathy","input":{}}"#, 10, "tool"),
    ] {
        let run = place.run_with(&["check", "--json", "--call"], call);
        assert_eq!(
            (run.code, run.err.as_str()),
            (code, ""),
            "{call}: {}",
            run.out
        );
        let record: Value = serde_json::from_str(&run.out).unwrap();
        let found = record["findings"].as_array().unwrap();
        let kinds: Vec<&str> = found
            .iter()
            .filter_map(|one| one["kind"].as_str())
            .collect();
        assert!(
            kind.is_empty() || kinds.contains(&kind),
            "{call}: {kinds:?}"
        );
    }
}

#[test]
fn p6_a_wrong_form_of_claude_code_is_denied() {
    let place = Place::new();
    for (call, why) in [
        (
            r#"{"tool":"Write","input":{"file_path":"a"}}"#,
            "`content` is missing",
        ),
        (r#"{"tool":"Bash","input":{}}"#, "`command` is missing"),
        (
            r#"{"tool":"Read","input":[]}"#,
            "the input is not an object",
        ),
    ] {
        let run = place.run_with(&["check", "--json", "--call"], call);
        assert_eq!(run.code, 20, "{call}");
        let record: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(record["code"], "invalid_arguments", "{call}");
        assert_eq!(record["malformed"], why, "{call}");
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
