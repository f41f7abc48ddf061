//! `suggest`: rules from recordings and journals, each tried; and what no rule is suggested for.

use crate::expected::expect;
use crate::log::record;
use crate::place::{Place, write};
use countersign_policy::outcome::Answer;
use serde_json::{Value, json};

fn recording(place: &Place, commands: &[&str]) {
    let calls: Vec<Value> = commands
        .iter()
        .map(|command| json!({"tool": "Bash", "input": {}, "cmd": command, "cwd": "/home/u/work"}))
        .collect();
    let edit = json!({"tool": "Edit", "input": {"file_path": "src/a.rs", "old_string": "a", "new_string": "b"}});
    let mcp = json!({"tool": "mcp__github__get_issue", "input": {"number": 1}});
    let calls = [calls, vec![edit, mcp]].concat();
    let session = json!({"id": "s", "calls": calls});
    write(&place.work().join("s.jsonl"), &format!("{session}\n[1]\n"));
}

const COMMANDS: [&str; 12] = [
    "cargo test -p a",
    "cargo test -p b",
    "cd sub && cargo test",
    "make all",
    "make all",
    "cargo test && make all",
    "frob\tx 'a\nb'",
    "curl https://api.example.org/x",
    "git push origin main",
    "ls",
    "npm ci \u{202e}",
    "cargo test --release > out.txt",
];

#[test]
fn p9_rules_that_would_have_saved_questions() {
    let place = Place::new();
    recording(&place, &COMMANDS);
    let run = place.run(&["suggest", "s.jsonl"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("suggest/recording", &run.out);

    // What is printed is a rule file, under which nothing is left to ask about that rules could answer.
    write(&place.work().join("suggested.toml"), &run.out);
    let check = place.run(&["rules", "--check", "suggested.toml"]);
    assert_eq!(check.code, 0, "{}", check.err);
    place.rules(&run.out);
    let run = place.run(&["suggest", "s.jsonl"]);
    assert_eq!(
        run.out,
        "# 0 questions that rules could answer, 1 a person should answer each time, 1 not read\n"
    );
    let run = place.run(&["replay", "s.jsonl", "--rules", "suggested.toml", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["tools"]["Bash"]["ask"], 1);
}

#[test]
fn p9_the_record_of_suggestions() {
    let place = Place::new();
    recording(&place, &COMMANDS);
    let run = place.run(&["suggest", "s.jsonl", "--json", "--most", "2"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let record: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(record["for_persons"], 1);
    assert_eq!(record["unread"], 1);
    let found = record["suggestions"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["rules"], json!(["shell = \"cargo test *\""]));
    assert_eq!(found[0]["questions"], 3);
    assert_eq!(found[0]["calls"].as_array().unwrap().len(), 3);
    assert_eq!(found[1]["rules"], json!(["shell = \"make all\""]));
}

#[test]
fn p9_nothing_is_suggested_for_what_a_person_should_see() {
    let place = Place::new();
    place.rules(
        "[[rule]]\nask = { shell = \"make *\" }\nperson = true\n[ask]\nshell = \"just *\"\n",
    );
    let commands = [
        "rm -rf build",
        "git push",
        "sudo ls",
        "eval \"$x\"",
        "cat .env",
        "cat ~/.ssh/id_rsa",
        "echo x > .git/hooks/pre-commit",
        "make all",
        "just test",
        "cargo test; rm -r x",
        "cat *.txt > $(cat a)",
    ];
    recording(&place, &commands);
    let run = place.run(&["suggest", "s.jsonl", "--json"]);
    let record: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(record["for_persons"], commands.len());
    // Only the edit and the tool of a server are left.
    assert_eq!(
        record["suggestions"].as_array().unwrap().len(),
        2,
        "{record}"
    );
}

#[test]
fn p9_journals_without_what_was_refused() {
    let place = Place::new();
    record(
        &place,
        "first",
        &[
            ("t1", "cargo test -p a", Some(Answer::Allow)),
            ("t2", "cargo test -p b", Some(Answer::HostAsks)),
            ("t3", "make all", Some(Answer::Deny)),
            ("t4", "git push", Some(Answer::Allow)),
            ("t5", "ls", None),
        ],
    );
    record(
        &place,
        "second",
        &[("t6", "cargo build", Some(Answer::Allow))],
    );
    let run = place.run(&["suggest"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("suggest/journals", &run.out);
    let run = place.run(&["suggest", "--session", "second"]);
    assert!(
        run.out.contains("allow = { shell = \"cargo build\" }"),
        "{}",
        run.out
    );
    assert!(!run.out.contains("cargo test"), "{}", run.out);
    assert_eq!(place.run(&["suggest", "--session", "third"]).code, 1);
    place.rules("[allow]\nshell = \"cargo test *\"\n");
    let run = place.run(&["suggest", "--session", "first"]);
    assert!(
        run.out.contains("2 not asked about any more"),
        "{}",
        run.out
    );
}

#[test]
fn p13_nothing_is_suggested_on_broken_rules() {
    let place = Place::new();
    recording(&place, &COMMANDS);
    place.rules("[alow]\n");
    let run = place.run(&["suggest", "s.jsonl"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("rules.toml:1"), "{}", run.err);
    let empty = Place::new();
    let run = empty.run(&["suggest"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "# 0 questions that rules could answer\n")
    );
    assert_eq!(empty.run(&["suggest", "absent.jsonl"]).code, 1);
}
