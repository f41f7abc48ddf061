//! Rows P1, P14, P15, S1: every verdict in every mode of the host, told by the stand-in host and word by word.

use crate::host::{Fate, Host};
use crate::place::{HOOK, Place, run};
use countersign_hooks::install::install;
use serde_json::{Value, json};
use std::path::Path;

/// The host's modes, one that nobody knows among them.
const MODES: [&str; 7] = [
    "default",
    "plan",
    "acceptEdits",
    "bypassPermissions",
    "dontAsk",
    "auto",
    "yolo",
];

fn place() -> Place {
    let place = Place::new();
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    place.rules("[deny]\nshell = [\"cargo publish *\"]\n[allow]\nshell = [\"just test\"]\n[ask]\nshell = [\"just deploy\"]\n");
    place
}

fn bash(command: &str) -> (&'static str, Value) {
    ("Bash", json!({ "command": command }))
}

fn edit(path: &str) -> (&'static str, Value) {
    (
        "Edit",
        json!({ "file_path": path, "old_string": "a", "new_string": "b" }),
    )
}

/// A call with what is printed in each of [`MODES`]: `a`llow, as`k`, `d`eny, `-` nothing.
type Row = ((&'static str, Value), &'static str);

/// The whole table.
fn table() -> Vec<Row> {
    [settled(), asked(), by_the_host(), out_of_the_sandbox()].concat()
}

/// Denied and allowed.
fn settled() -> Vec<Row> {
    vec![
        // Denied by the floor, a rule of the table's, a rule of the user's, and for its form.
        (bash("rm -rf /"), "ddddddd"),
        (bash("rm -rf ~/x/../"), "ddddddd"),
        (bash("cargo publish"), "ddddddd"),
        (("Bash", json!({ "command": 7 })), "ddddddd"),
        (("Edit", json!({ "old_string": "a" })), "ddddddd"),
        // Allowed: what only reads also in plan mode.
        (bash("ls src"), "aaaaaaa"),
        (("Read", json!({ "file_path": "src/main.rs" })), "aaaaaaa"),
        (("Grep", json!({ "pattern": "x" })), "aaaaaaa"),
        (("Glob", json!({ "pattern": "src/**/*.rs" })), "aaaaaaa"),
        (
            (
                "Task",
                json!({ "prompt": "look", "subagent_type": "Explore" }),
            ),
            "aaaaaaa",
        ),
        (bash("just test"), "a-aaaaa"),
    ]
}

/// Asked whatever the host's mode is.
fn asked() -> Vec<Row> {
    vec![
        // Asked by rules, secrets, places, opacity: always aloud.
        (bash("git push"), "kkkkkkk"),
        (bash("just deploy"), "kkkkkkk"),
        (bash("cat .env"), "kkkkkkk"),
        (bash("$x"), "kkkkkkk"),
        (bash("python3 -c 'x'"), "kkkkkkk"),
        (bash("mkdir ~/elsewhere && git push"), "kkkkkkk"),
        (edit(".git/hooks/pre-commit"), "kkkkkkk"),
        (("Task", json!({ "prompt": "do it" })), "kkkkkkk"),
        (("mcp__github__get_me", json!({})), "kkkkkkk"),
        (("PowerShell", json!({ "command": "ls" })), "kkkkkkk"),
        (("Unheard", json!({})), "kkkkkkk"),
    ]
}

/// Left to the host, in some of its modes or in all.
fn by_the_host() -> Vec<Row> {
    vec![
        // Asked by our mode alone: left to the host where it is certain to ask.
        (bash("touch src/x"), "-kkkkkk"),
        (bash("cp src/a src/b"), "-kkkkkk"),
        (bash("rm src/x"), "-kkkkkk"),
        (bash("frobnicate x"), "-kkkkkk"),
        (edit("src/main.rs"), "-kkkkkk"),
        (
            ("Write", json!({ "file_path": "x", "content": "" })),
            "-kkkkkk",
        ),
        (
            (
                "WebFetch",
                json!({ "url": "https://a.example/", "prompt": "x" }),
            ),
            "-k-kkkk",
        ),
        (("WebSearch", json!({ "query": "x" })), "-k-kkkk"),
        (("Monitor", json!({ "command": "touch x" })), "kkkkkkk"),
        // The host's own.
        (("TodoWrite", json!({ "todos": [] })), "-------"),
        (("ExitPlanMode", json!({})), "-------"),
        (("AskUserQuestion", json!({})), "-------"),
    ]
}

/// Calls that say whether they run in the host's sandbox.
fn out_of_the_sandbox() -> Vec<Row> {
    vec![
        // Out of the host's sandbox: never unasked.
        (
            (
                "Bash",
                json!({ "command": "ls", "dangerouslyDisableSandbox": true }),
            ),
            "kkkkkkk",
        ),
        (
            (
                "Bash",
                json!({ "command": "just test", "dangerouslyDisableSandbox": true }),
            ),
            "kkkkkkk",
        ),
        (
            (
                "Bash",
                json!({ "command": "touch x", "dangerouslyDisableSandbox": "yes" }),
            ),
            "kkkkkkk",
        ),
        (
            (
                "Bash",
                json!({ "command": "rm -rf /", "dangerouslyDisableSandbox": true }),
            ),
            "ddddddd",
        ),
        (
            (
                "Bash",
                json!({ "command": "ls", "dangerouslyDisableSandbox": false }),
            ),
            "aaaaaaa",
        ),
    ]
}

#[test]
fn p15_every_verdict_is_printed_as_the_hosts_mode_needs_it() {
    let place = place();
    let mut wrong = Vec::new();
    for ((tool, input), due) in table() {
        let mut found = String::new();
        for mode in MODES {
            let message = place.message(mode, tool, &input).to_string();
            let heard = run(&mut place.hook(), message.as_bytes());
            found.push_str(match heard.decision().as_str() {
                "allow" => "a",
                "ask" => "k",
                "deny" => "d",
                _ => "-",
            });
        }
        if found != due {
            wrong.push(format!("{tool} {input}: {found}, not {due}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn s1_no_call_runs_that_should_not() {
    let place = place();
    for ((tool, input), due) in table() {
        for (mode, due) in MODES.into_iter().zip(due.chars()) {
            for attended in [true, false] {
                let mut host = Host::new(&place, mode);
                host.attended = attended;
                let fate = host.call(tool, &input);
                let control = matches!(tool, "TodoWrite" | "ExitPlanMode" | "AskUserQuestion");
                let in_plan = tool == "Bash" && input["command"] == "just test";
                match due {
                    'a' => assert_eq!(fate, Fate::Runs, "{tool} {input} {mode}"),
                    'd' => assert_eq!(fate, Fate::Refused, "{tool} {input} {mode}"),
                    _ if control || in_plan => {}
                    _ => assert_ne!(fate, Fate::Runs, "{tool} {input} {mode} {attended}"),
                }
            }
        }
    }
}

#[test]
fn s1_what_is_left_to_the_host_is_deferred_in_the_journal() {
    let place = place();
    for command in ["touch src/x", "git push", "ls", "rm -rf /"] {
        place.ask("Bash", &json!({ "command": command }));
    }
    place.ask("TodoWrite", &json!({}));
    assert_eq!(
        place.outcomes("5f0c"),
        ["deferred", "deferred", "allowed", "rejected", "deferred"]
    );
}

#[test]
fn p15_our_strict_mode_holds_where_the_host_asks_nothing() {
    let place = place();
    place.rules("mode = \"strict\"");
    for mode in MODES {
        let host = Host::new(&place, mode);
        for (tool, input) in [
            bash("ls"),
            ("Read", json!({ "file_path": "x" })),
            ("Skill", json!({ "skill": "x" })),
            edit("x"),
        ] {
            assert_ne!(host.call(tool, &input), Fate::Runs, "{tool} {mode}");
        }
    }
}

#[test]
fn p15_the_users_own_answer_for_a_category_is_said_aloud() {
    let place = place();
    place.rules("mode = \"open\"\ncategory = { writes = \"ask\" }");
    assert_eq!(
        place
            .ask("Bash", &json!({ "command": "touch x" }))
            .decision(),
        "ask"
    );
    place.rules("mode = \"open\"");
    assert_eq!(
        place
            .ask("Bash", &json!({ "command": "touch x" }))
            .decision(),
        "allow"
    );
}

#[test]
fn p13_a_broken_rule_file_allows_nothing_unasked() {
    let place = place();
    place.rules("[allow]\nshell = [\"ls *\"]\nbroken");
    let heard = place.ask("Bash", &json!({ "command": "ls" }));
    assert_eq!(heard.decision(), "ask");
    assert!(heard.reason().contains("rules.toml"), "{heard:?}");
    for mode in MODES {
        assert_ne!(
            Host::new(&place, mode).call("Bash", &json!({ "command": "ls" })),
            Fate::Runs
        );
    }
}

#[test]
fn s1_another_hook_can_refuse_but_its_allow_lifts_nothing() {
    let place = place();
    let allow =
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;
    let mut host = Host::new(&place, "default");
    host.others = vec![(allow, 0)];
    assert_eq!(
        host.call("Bash", &json!({ "command": "rm -rf /" })),
        Fate::Refused
    );
    assert_eq!(
        host.call("Bash", &json!({ "command": "git push" })),
        Fate::Prompts
    );
    host.others = vec![("", 2)];
    assert_eq!(
        host.call("Bash", &json!({ "command": "ls" })),
        Fate::Refused
    );
}

#[test]
fn p14_the_settings_with_our_entry_are_ours() {
    let place = place();
    let settings = place.settings();
    let settings = settings.to_str().unwrap();
    for (tool, input) in [
        ("Write", json!({ "file_path": settings, "content": "{}" })),
        (
            "Edit",
            json!({ "file_path": "~/.claude/settings.json", "old_string": "block", "new_string": "" }),
        ),
        bash("echo '{}' > ~/.claude/settings.json"),
        bash(&format!("rm {settings}")),
        bash("rm -rf ~/.claude"),
        bash("mv ~/.claude ~/.elsewhere"),
        bash(&format!("sed -i s/block// {settings}")),
        bash(&format!("rm {HOOK}")),
        bash("countersign-hook claude-code"),
        bash("touch ~/.config/countersign/rules.toml"),
    ] {
        for mode in MODES {
            assert_eq!(
                Host::new(&place, mode).call(tool, &input),
                Fate::Refused,
                "{tool} {input} {mode}"
            );
        }
    }
    // Without our entry it is a place that steers agents, which asks.
    std::fs::write(place.settings(), "{}").unwrap();
    let heard = place.ask("Write", &json!({ "file_path": settings, "content": "{}" }));
    assert_eq!(heard.decision(), "ask");
}
