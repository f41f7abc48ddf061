//! `replay`: sessions and transcripts, families, lines that cannot be read, rules, and the record as JSON.

use crate::expected::expect;
use crate::place::{Place, write};
use serde_json::{Value, json};

/// Two sessions in our form, with tools of two agents.
fn sessions() -> String {
    let first = json!({"id": "first", "calls": [
        {"tool": "Bash", "input": {}, "cmd": "ls src", "cwd": "/home/u/work"},
        {"tool": "Bash", "input": {}, "cmd": "git push origin main", "cwd": "/home/u/work"},
        {"tool": "Bash", "input": {}, "cmd": "cargo test -p a", "cwd": "/home/u/work"},
        {"tool": "Bash", "input": {}, "cmd": "cargo test -p b", "cwd": "/home/u/work"},
        {"tool": "Edit", "input": {"file_path": "a.rs", "old_string": {"_len": 3}, "new_string": {"_len": 4}}},
        {"tool": "Frobnicate", "input": {"x": 1}, "cwd": "/home/u/work"},
    ]});
    let second = json!({"id": "second", "calls": [
        {"tool": "exec_command", "input": {"workdir": "/srv/x"}, "cmd": "sed -n 1,20p a.txt", "cwd": "/srv/x"},
        {"tool": "apply_patch", "input": {"files": ["a.txt"]}, "cwd": "/srv/x"},
        {"tool": "exec_command", "input": {"workdir": "/srv/x"}, "cmd": "rm -rf /", "cwd": "/srv/x"},
    ]});
    format!("{first}\n\n{second}\n")
}

fn replayed(place: &Place, more: &[&str]) -> Value {
    let mut arguments = vec!["replay", "sessions.jsonl", "--json"];
    arguments.extend(more);
    let run = place.run(&arguments);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn p9_each_family_is_counted_once() {
    let place = Place::new();
    write(&place.work().join("sessions.jsonl"), &sessions());
    let report = replayed(&place, &["--mode", "accept-edits"]);
    assert_eq!(report["calls"], 9);
    assert_eq!(report["sessions"], 2);
    assert_eq!(
        report["tools"]["Bash"],
        json!({"allow": 1, "ask": 3, "deny": 0})
    );
    assert_eq!(
        report["tools"]["exec_command"],
        json!({"allow": 1, "ask": 0, "deny": 1})
    );
    assert_eq!(report["tools"]["Edit"]["allow"], 1);
    assert_eq!(report["tools"]["Frobnicate"]["ask"], 1);
    // A push, the tests of two packages, and a tool that nobody knows; the tests are one family.
    let questions = &report["questions_per_session"];
    assert_eq!(questions["all"]["most"], 4);
    assert_eq!(questions["families"]["most"], 3);
}

#[test]
fn p9_a_choice_of_the_users_is_replayed_as_well() {
    let place = Place::new();
    write(&place.work().join("sessions.jsonl"), &sessions());
    write(
        &place.work().join("mine.toml"),
        "version = 1\ncategory = { builds = \"allow\" }\n",
    );
    let report = replayed(&place, &["--mode", "accept-edits", "--rules", "mine.toml"]);
    assert_eq!(
        report["tools"]["Bash"],
        json!({"allow": 3, "ask": 1, "deny": 0})
    );
}

#[test]
fn p13_broken_rules_are_no_measure() {
    let place = Place::new();
    write(&place.work().join("sessions.jsonl"), &sessions());
    write(&place.work().join("mine.toml"), "version = 1\nalow = 1\n");
    let run = place.run(&["replay", "sessions.jsonl", "--rules", "mine.toml"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("mine.toml:2:1"), "{}", run.err);
}

#[test]
fn p2_a_transcript_of_claude_code() {
    let place = Place::new();
    let used = |name: &str, input: Value| json!({"type": "tool_use", "id": "t", "name": name, "input": input});
    let lines = [
        json!({"type": "summary", "summary": "x"}),
        json!({"type": "user", "message": {"content": "rm -rf /"}, "cwd": "/home/u/work"}),
        json!({"type": "assistant", "sessionId": "s", "cwd": "/home/u/work", "message": {"content": [
            {"type": "text", "text": "first"},
            used("Read", json!({"file_path": "/home/u/work/a.rs"})),
            used("Bash", json!({"command": "git status"})),
        ]}}),
        json!({"type": "assistant", "sessionId": "s", "cwd": "/home/u/work", "message": {"content": [
            used("Bash", json!({"command": "cat .env"})),
        ]}}),
    ];
    write(
        &place.work().join("sessions.jsonl"),
        &lines.map(|line| line.to_string()).join("\n"),
    );
    let report = replayed(&place, &[]);
    assert_eq!(report["calls"], 3);
    assert_eq!(report["sessions"], 1);
    assert_eq!(
        report["tools"]["Bash"],
        json!({"allow": 1, "ask": 1, "deny": 0})
    );
    assert_eq!(report["tools"]["Read"]["allow"], 1);
}

#[test]
fn p13_lines_that_cannot_be_read_are_said() {
    let place = Place::new();
    let text = format!(
        "{}{{\"torn\n[1]\n{{\"x\": 1}}\n{{\"calls\": [1]}}\n",
        sessions()
    );
    write(&place.work().join("sessions.jsonl"), &text);
    let report = replayed(&place, &[]);
    assert_eq!(report["lines_skipped"], 4);
    let run = place.run(&["replay", "sessions.jsonl", "--mode", "accept-edits"]);
    assert_eq!(run.code, 0);
    expect("replay", &run.out);
}

#[test]
fn p13_nothing_to_replay_is_an_error() {
    let place = Place::new();
    write(&place.work().join("empty.jsonl"), "\n");
    for file in ["empty.jsonl", "absent.jsonl"] {
        let run = place.run(&["replay", file]);
        assert_ne!(run.code, 0, "{file}");
        assert!(run.out.is_empty() && !run.err.is_empty(), "{file}");
    }
}
