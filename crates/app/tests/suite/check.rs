//! `check`: exit codes, the line, the record and its keys.

use crate::expected::expect;
use crate::place::Place;
use serde_json::Value;

#[test]
fn p1_exit_codes_say_the_verdict() {
    let place = Place::new();
    for (command, code) in [
        ("ls", 0),
        ("true", 0),
        ("git push", 10),
        ("eval \"$x\"", 10),
        ("rm -rf /", 20),
        ("", 0),
    ] {
        assert_eq!(place.run(&["check", command]).code, code, "{command}");
        assert_eq!(place.run(&["explain", command]).code, code, "{command}");
    }
}

#[test]
fn p1_wrong_usage_is_2() {
    let place = Place::new();
    for arguments in [
        &["check"][..],
        &["check", "ls", "-la"],
        &["check", "--mode", "wild", "ls"],
        &["check", "--cwd", "/no/such/directory", "ls"],
        &["check", "--call", "ls"],
        &["chekc", "ls"],
        &[],
        &["log", "--since", "yesterday"],
        &["log", "--outcome", "perhaps"],
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn p1_help_and_version_are_results() {
    let place = Place::new();
    for argument in ["--help", "--version"] {
        let run = place.run(&[argument]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        assert!(run.out.contains("countersign"));
    }
}

#[test]
fn p1_the_record_keeps_its_keys() {
    let place = Place::new();
    let run = place.run(&["check", "--json", "ls && git push origin main && cat .env"]);
    assert_eq!(run.code, 10);
    let record: Value = serde_json::from_str(&run.out).unwrap();
    let mut shape = String::new();
    keys(&record, "", &mut shape);
    expect("check/keys", &shape);
    assert_eq!(record["allow"], false);
    assert_eq!(record["requires_approval"], true);
    assert_eq!(record["code"], "permission_required");
    assert_eq!(record["matched_rule"]["id"], "git-push");
    assert_eq!(record["permission"], "shell");
    assert_eq!(record["pattern"], "git push origin main");
    assert_eq!(record["requirements"].as_array().unwrap().len(), 2);
    let pushed = &record["findings"][2];
    assert_eq!(pushed["span"]["start"], 6);
    assert_eq!(pushed["span"]["end"], 26);
}

/// Every key by its path; of a list the first item that is an object.
fn keys(value: &Value, path: &str, out: &mut String) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = format!("{path}.{key}");
                out.push_str(path.trim_start_matches('.'));
                out.push('\n');
                keys(value, &path, out);
            }
        }
        Value::Array(items) => {
            let all: std::collections::BTreeSet<String> = items
                .iter()
                .flat_map(|item| {
                    let mut one = String::new();
                    keys(item, &format!("{path}[]"), &mut one);
                    one.lines().map(str::to_owned).collect::<Vec<_>>()
                })
                .collect();
            for line in all {
                out.push_str(&line);
                out.push('\n');
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn p15_the_mode_can_be_chosen() {
    let place = Place::new();
    for (mode, code) in [
        ("strict", 10),
        ("default", 10),
        ("accept-edits", 0),
        ("open", 0),
    ] {
        let run = place.run(&["check", "--mode", mode, "touch a"]);
        assert_eq!(run.code, code, "{mode}: {}", run.out);
    }
}

#[test]
fn p14_rules_stand_in_for_the_users_file() {
    let place = Place::new();
    place.rules("version = 1\n[deny]\nshell = [\"ls *\"]\n");
    assert_eq!(place.run(&["check", "ls"]).code, 20);
    let other = place.work().join("other.toml");
    crate::place::write(&other, "version = 1\n[allow]\nshell = [\"git push *\"]\n");
    let other = other.to_str().unwrap();
    assert_eq!(place.run(&["check", "--rules", other, "ls"]).code, 0);
    assert_eq!(place.run(&["check", "--rules", other, "git push"]).code, 0);
}

#[test]
fn p1_a_rules_hint_is_on_its_own_line() {
    let place = Place::new();
    let run = place.run(&["check", "rm -rf /opt/x"]);
    assert!(run.out.starts_with("deny: delete "), "{}", run.out);
    assert!(run.out.contains("\nhint: name the files"), "{}", run.out);
}

#[test]
fn p1_cwd_decides_what_the_workspace_is() {
    let place = Place::new();
    let work = place.work();
    let work = work.to_str().unwrap();
    let mut command = place.command(&["check", "--cwd", work, "--mode", "accept-edits", "touch a"]);
    let output = command.current_dir("/").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn p1_a_reader_that_stops_is_no_failure() {
    let place = Place::new();
    let long = "ls\n".repeat(5000);
    for command in ["check", "explain"] {
        let mut child = place
            .command(&[command, &long])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code().is_some(), "{command} died");
        assert_eq!(err, "", "{command}");
    }
}
