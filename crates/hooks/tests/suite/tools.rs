//! Row P2: the host's tools by what their inputs want, and inputs that do not have their tool's form.

use crate::place::{Place, run};
use serde_json::{Value, json};

/// The requests of a call as they were recorded: kind and target.
fn requests(tool: &str, input: &Value) -> Vec<(String, String)> {
    let place = Place::new();
    place.ask(tool, input);
    let events = place.events("5f0c");
    let judged = events
        .iter()
        .find(|event| event["event"] == "call/judged")
        .unwrap();
    let findings = judged["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&finding["kind"]), text(&finding["target"]["head"]))
        })
        .collect()
}

/// A tool, an input, and the kind and target of a request that follows.
type Row = (&'static str, Value, &'static str, &'static str);

/// Tools that run commands or touch files.
fn local() -> Vec<Row> {
    vec![
        ("Bash", json!({ "command": "ls src" }), "shell", "ls src"),
        ("Monitor", json!({ "command": "ls src" }), "shell", "ls src"),
        ("Read", json!({ "file_path": "src/a" }), "read", "src/a"),
        (
            "NotebookRead",
            json!({ "notebook_path": "a.ipynb" }),
            "read",
            "a.ipynb",
        ),
        ("Glob", json!({ "pattern": "src/*.rs" }), "read", "src"),
        ("Glob", json!({ "pattern": "/etc/*" }), "read", "/etc"),
        (
            "Glob",
            json!({ "pattern": "*", "path": "src" }),
            "read",
            "src",
        ),
        (
            "Grep",
            json!({ "pattern": "x", "path": "src" }),
            "read",
            "src",
        ),
        ("Grep", json!({ "pattern": "x", "path": null }), "read", "."),
        ("LS", json!({ "path": "src" }), "read", "src"),
        (
            "Write",
            json!({ "file_path": "a", "content": "x" }),
            "edit",
            "a",
        ),
        (
            "Edit",
            json!({ "file_path": "a", "old_string": "", "new_string": "" }),
            "edit",
            "a",
        ),
        (
            "MultiEdit",
            json!({ "file_path": "a", "edits": [] }),
            "edit",
            "a",
        ),
        (
            "NotebookEdit",
            json!({ "notebook_path": "a.ipynb" }),
            "edit",
            "a.ipynb",
        ),
    ]
}

/// Tools that reach further, start others, or are not known.
fn beyond() -> Vec<Row> {
    vec![
        (
            "WebFetch",
            json!({ "url": "https://A.example/x", "prompt": "" }),
            "net",
            "a.example",
        ),
        (
            "WebSearch",
            json!({ "query": "rust" }),
            "web_search",
            "rust",
        ),
        (
            "Agent",
            json!({ "prompt": "x", "subagent_type": "Plan" }),
            "task",
            "readonly",
        ),
        (
            "Agent",
            json!({ "prompt": "x", "subagent_type": "Plan", "mode": "bypassPermissions" }),
            "task",
            "mutating",
        ),
        (
            "Agent",
            json!({ "prompt": "x", "subagent_type": "general-purpose" }),
            "task",
            "mutating",
        ),
        ("Task", json!({ "prompt": "x" }), "task", "mutating"),
        (
            "ListMcpResourcesTool",
            json!({ "server": "s" }),
            "mcp",
            "s/resources/list",
        ),
        (
            "ReadMcpResource",
            json!({ "server": "s", "uri": "x" }),
            "mcp",
            "s/resources/read",
        ),
        ("mcp__github__get_me", json!({}), "mcp", "github/get_me"),
        ("mcp__a__b__c", json!({}), "tool", "mcp__a__b__c"),
        (
            "PowerShell",
            json!({ "command": "x" }),
            "tool",
            "PowerShell",
        ),
        ("Unheard", json!({}), "tool", "Unheard"),
    ]
}

#[test]
fn p2_each_tool_is_asked_about_by_its_meaning() {
    for (tool, input, kind, target) in [local(), beyond()].concat() {
        let found = requests(tool, &input);
        let due = (kind.to_owned(), target.to_owned());
        assert!(found.contains(&due), "{tool} {input}: {found:?}");
    }
    let skill = requests("Skill", &json!({ "skill": "review" }));
    assert!(
        skill[0].0 == "read" && skill[0].1.ends_with(".claude/skills/review/SKILL.md"),
        "{skill:?}"
    );
    for control in [
        "TodoWrite",
        "TaskCreate",
        "TaskOutput",
        "KillShell",
        "ExitPlanMode",
    ] {
        assert_eq!(requests(control, &json!({})), []);
    }
}

#[test]
fn p6_a_known_tool_without_its_form_is_denied() {
    let place = Place::new();
    for (tool, input) in [
        ("Bash", json!({})),
        ("Bash", json!({ "command": null })),
        ("Bash", json!({ "command": ["ls"] })),
        ("Bash", json!("ls")),
        ("Bash", Value::Null),
        ("Monitor", json!({})),
        ("PowerShell", json!({})),
        ("Read", json!({ "file_path": "" })),
        ("Read", json!({ "file_path": 1 })),
        ("Read", json!({ "file_path": "a\0b" })),
        ("Write", json!({ "file_path": "a" })),
        ("Write", json!({ "content": "a" })),
        ("Edit", json!({ "file_path": "a", "old_string": "" })),
        ("MultiEdit", json!({})),
        ("NotebookEdit", json!({})),
        ("Glob", json!({})),
        ("Glob", json!({ "pattern": "*", "path": 3 })),
        ("Grep", json!({ "path": "x" })),
        ("LS", json!({ "path": {} })),
        ("WebFetch", json!({ "url": 1 })),
        ("WebSearch", json!({})),
        ("Agent", json!({ "prompt": 1 })),
        ("Agent", json!({ "prompt": "", "subagent_type": 1 })),
        ("Skill", json!({ "skill": "../../x" })),
        ("Skill", json!({})),
        ("ReadMcpResource", json!({})),
        ("TodoWrite", json!([])),
    ] {
        place.ask(tool, &input).refuses("form");
    }
    let outcomes = place.outcomes("5f0c");
    assert!(outcomes.len() == 27 && outcomes.iter().all(|outcome| outcome == "rejected"));
}

#[test]
fn p6_a_path_in_a_linked_directory_counts_where_it_leads() {
    let place = Place::new();
    let link = place.home().join("link");
    std::os::unix::fs::symlink(place.project(), &link).unwrap();
    let mut message = place.message("default", "Bash", &json!({ "command": "ls" }));
    message["cwd"] = json!(link);
    let heard = run(&mut place.hook(), message.to_string().as_bytes());
    assert_eq!(heard.decision(), "allow", "{heard:?}");
}

#[test]
fn p6_the_session_begins_where_the_host_says() {
    let place = Place::new();
    let mut message = place.message("default", "Bash", &json!({ "command": "ls" }));
    message["cwd"] = json!("/usr/share");
    // Reading system places is fine, but the workspace stays the project.
    let heard = run(&mut place.hook(), message.to_string().as_bytes());
    assert_eq!(heard.decision(), "allow", "{heard:?}");
    let opened = &place.events("5f0c")[0];
    assert_eq!(opened["workspace"]["head"], json!(place.project()));
    // Without the variable the first working directory counts.
    message["session_id"] = json!("other");
    let mut hook = place.hook();
    hook.env("CLAUDE_PROJECT_DIR", "not/absolute");
    run(&mut hook, message.to_string().as_bytes());
    assert_eq!(place.events("other")[0]["cwd"]["head"], "/usr/share");
}

#[test]
fn a13_foreign_text_in_a_reason_cannot_act_on_a_terminal() {
    let place = Place::new();
    let heard = place.ask(
        "Write",
        &json!({ "file_path": "/etc/\u{1b}[2J\u{202e}x", "content": "" }),
    );
    assert_eq!(heard.decision(), "ask");
    assert!(heard.reason().contains("\\u{1b}[2J\\u{202e}"), "{heard:?}");
}
