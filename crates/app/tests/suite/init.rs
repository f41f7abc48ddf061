//! `init`: what is written, what is said, and what is left alone.

use crate::expected::expect;
use crate::place::{Place, write};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

fn rules(place: &Place) -> PathBuf {
    place.home().join(".config/countersign/rules.toml")
}

#[test]
fn p13_init_writes_a_file_that_says_what_holds_anyway() {
    let place = Place::new();
    let before = place.run(&["check", "--json", "cargo build"]).out;
    let run = place.run(&["init"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    expect("init/new", &run.out);
    let mode = fs::metadata(rules(&place)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let run = place.run(&["check", "--json", "cargo build"]);
    // Nothing is wrong with the file, and nothing is judged otherwise.
    assert_eq!((run.code, run.err.as_str()), (10, ""));
    assert_eq!(run.out, before);
    let printed = place.run(&["init", "--print"]);
    assert_eq!(printed.code, 0);
    assert_eq!(printed.out, fs::read_to_string(rules(&place)).unwrap());
}

#[test]
fn p13_every_example_of_the_first_file_can_be_put_in_force() {
    let place = Place::new();
    let text = place.run(&["init", "--print"]).out;
    let is_prose = |line: &&str| {
        let rest = line.strip_prefix("# ").unwrap_or_default();
        !rest.contains(" = ") && !rest.starts_with('[')
    };
    let live: Vec<&str> = text
        .lines()
        .filter(|line| !is_prose(line) || !line.starts_with('#'))
        .collect();
    let live = live.join("\n").replace("\n# ", "\n");
    assert!(live.matches(" = ").count() > 14, "{live}");
    place.rules(&live);
    let run = place.run(&["check", "git push -f"]);
    assert_eq!((run.code, run.err.as_str()), (20, ""), "{live}");
}

#[test]
fn p14_init_never_writes_over_a_file() {
    let place = Place::new();
    let path = place.rules("[deny]\nshell = [\"x\"]\n");
    for arguments in [&["init"][..], &["init", "--from", "claude-code"]] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.contains("is there already"), "{}", run.err);
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "[deny]\nshell = [\"x\"]\n"
    );
    // A link that leads nowhere is somebody's file too.
    fs::remove_file(&path).unwrap();
    symlink("nowhere", &path).unwrap();
    assert_eq!(place.run(&["init"]).code, 1);
    assert_eq!(fs::read_link(&path).unwrap().to_str(), Some("nowhere"));
}

#[test]
fn p13_the_settings_of_an_agent_become_rules() {
    let place = Place::new();
    let settings = r#"{"permissions": {
        "allow": ["Bash(npm run test:*)", "Bash(git push origin:*)", "WebFetch(domain:docs.rs)", "Bash(a && b)"],
        "deny": ["Bash(git push:*)", "Read(./secrets/**)"], "ask": ["Bash(*gcloud*)"],
        "defaultMode": "acceptEdits", "additionalDirectories": ["/srv/data"]
    }}"#;
    write(&place.settings(), settings);
    let run = place.run(&["init", "--from", "claude-code"]);
    assert_eq!(run.code, 0, "{run:?}");
    expect("init/claude-code", &run.out);
    expect("init/claude-code-remarks", &run.err);
    let text = fs::read_to_string(rules(&place)).unwrap();
    expect("init/claude-code-rules", &place.plain(text.as_bytes()));
    for (command, code) in [
        ("npm run test -- x", 0),
        ("git push origin main", 20),
        ("cat secrets/key", 20),
        ("gcloud auth list", 10),
        ("touch new", 0),
    ] {
        let run = place.run(&["check", command]);
        assert_eq!((run.code, run.err.as_str()), (code, ""), "{command}");
    }
}

#[test]
fn p13_each_agent_keeps_its_settings_where_they_are_looked_for() {
    let place = Place::new();
    for (agent, path, text, expected) in [
        (
            "codex",
            ".codex/config.toml",
            "approval_policy = \"never\"\n",
            "approvals = \"never\"",
        ),
        (
            "codex",
            ".codex/rules/a.rules",
            "prefix_rule(pattern = [\"ls\"])\n",
            "\"ls *\"",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "{\"excludeTools\": [\"ShellTool(rm)\"]}",
            "\"rm *\"",
        ),
        (
            "opencode",
            ".config/opencode/opencode.jsonc",
            "{\"permission\": {\"bash\": {\"x *\": \"deny\"}},}",
            "\"x *\"",
        ),
    ] {
        write(&place.home().join(path), text);
        let run = place.run(&["init", "--from", agent, "--print"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.out.contains(expected), "{}", run.out);
    }
    assert!(!rules(&place).exists());
}

#[test]
fn p13_settings_that_are_absent_or_broken_write_nothing() {
    let place = Place::new();
    let run = place.run(&["init", "--from", "claude-code"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("there are no settings at"), "{}", run.err);
    write(
        &place.settings(),
        "{\"permissions\": {\n\"deny\": [\"Read\"],\n}}",
    );
    let run = place.run(&["init", "--from", "claude-code"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("line 3"), "{}", run.err);
    assert!(!rules(&place).exists());
    assert_eq!(place.run(&["init", "--settings", "x"]).code, 2);
    assert_eq!(place.run(&["init", "--from", "frob"]).code, 2);
}

#[test]
fn p13_several_files_of_an_agent_count_together() {
    let place = Place::new();
    let own = place.work().join(".claude/settings.json");
    let local = place.work().join(".claude/settings.local.json");
    write(&own, r#"{"permissions": {"deny": ["Bash(make:*)"]}}"#);
    write(&local, r#"{"permissions": {"allow": ["Bash(make test)"]}}"#);
    let files = [
        "--settings",
        ".claude/settings.json",
        "--settings",
        ".claude/settings.local.json",
    ];
    let run = place.run(&[&["init", "--from", "claude-code"][..], &files].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.run(&["check", "make test"]).code, 20);
}
