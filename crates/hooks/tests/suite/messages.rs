//! Row A13: messages that are not what the contract says never open the gate, and other events are left alone.

use crate::place::{Place, run};
use serde_json::{Value, json};

fn send(place: &Place, text: &[u8]) -> crate::place::Heard {
    run(&mut place.hook(), text)
}

#[test]
fn a13_what_is_not_a_message_is_denied() {
    let place = Place::new();
    let whole = place
        .message("default", "Bash", &json!({ "command": "ls" }))
        .to_string();
    for (text, words) in [
        (b"".to_vec(), "not a JSON object"),
        (b"   ".to_vec(), "not a JSON object"),
        (b"[]".to_vec(), "not a JSON object"),
        (b"7".to_vec(), "not a JSON object"),
        (b"null".to_vec(), "not a JSON object"),
        (b"\"PreToolUse\"".to_vec(), "not a JSON object"),
        (b"{}".to_vec(), "names no event"),
        (b"\xff\xfe{}".to_vec(), "not UTF-8"),
        (format!("{whole}{whole}").into_bytes(), "not the JSON"),
        (format!("{whole} x").into_bytes(), "not the JSON"),
        (whole.replace("ls", "l\u{0}s").into_bytes(), "not the JSON"),
    ] {
        send(&place, &text).refuses(words);
    }
    // Cut anywhere, it is refused.
    for end in (0..whole.len()).step_by(7) {
        let heard = send(&place, &whole.as_bytes()[..end]);
        assert_eq!(heard.decision(), "deny", "{end}: {heard:?}");
    }
    // Anything that is not UTF-8 within it too.
    let mut bytes = whole.clone().into_bytes();
    let at = whole.find("ls").unwrap();
    bytes[at] = 0xff;
    send(&place, &bytes).refuses("not UTF-8");
    // It is recorded that something was refused.
    let name = std::fs::read_dir(place.journals()).unwrap();
    assert!(name.count() >= 2);
}

#[test]
fn a13_fields_that_matter_have_to_be_there() {
    let place = Place::new();
    for (field, value, words) in [
        ("tool_name", Value::Null, "names no tool"),
        ("tool_name", json!(7), "names no tool"),
        ("cwd", Value::Null, "no working directory"),
        ("cwd", json!("src"), "not absolute"),
        ("cwd", json!(["/"]), "no working directory"),
        ("hook_event_name", Value::Null, "names no event"),
        ("hook_event_name", json!(1), "names no event"),
        ("tool_input", Value::Null, "form"),
    ] {
        let mut message = place.message("default", "Bash", &json!({ "command": "ls" }));
        message[field] = value;
        send(&place, message.to_string().as_bytes()).refuses(words);
    }
}

#[test]
fn a13_fields_that_do_not_matter_may_be_anything() {
    let place = Place::new();
    for (field, value, due) in [
        ("permission_mode", json!(7), "ask"),
        ("permission_mode", json!("tomorrow"), "ask"),
        ("permission_mode", Value::Null, "ask"),
        ("prompt_id", json!({ "a": [1, 2] }), "nothing"),
        ("effort", json!({ "level": "high" }), "nothing"),
        ("agent_id", json!("sub"), "nothing"),
        ("mcp_server", json!(3), "nothing"),
        ("session_id", json!(5), "nothing"),
        ("session_id", json!("../../../x"), "nothing"),
        ("tool_use_id", Value::Null, "nothing"),
    ] {
        let mut message = place.message("default", "Bash", &json!({ "command": "touch x" }));
        message[field] = value.clone();
        let heard = send(&place, message.to_string().as_bytes());
        assert_eq!(heard.decision(), due, "{field} {value}: {heard:?}");
    }
}

#[test]
fn a13_ten_megabytes_are_judged_and_more_is_refused_with_words() {
    let place = Place::new();
    let ten = "x".repeat(10 << 20);
    let heard = place.ask("Write", &json!({ "file_path": "src/a", "content": ten }));
    assert_eq!(heard.decision(), "nothing", "{heard:?}");
    let heard = place.ask("Write", &json!({ "file_path": "~/.ssh/x", "content": ten }));
    assert_eq!(heard.decision(), "ask", "{heard:?}");
    let heard = place.ask("Bash", &json!({ "command": format!("echo {ten}") }));
    assert_eq!(heard.decision(), "ask", "{}", heard.reason());
    let heard = place.ask("Unheard", &json!({ "x": ten }));
    assert_eq!(heard.decision(), "ask");
    let more = "x".repeat(40 << 20);
    place
        .ask("Write", &json!({ "file_path": "a", "content": more }))
        .refuses("too large");
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let whole = place
        .message("default", "Unheard", &json!({ "x": "DEEP" }))
        .to_string();
    let heard = send(&place, whole.replace("\"DEEP\"", &deep).as_bytes());
    assert_ne!(heard.decision(), "allow");
}

#[test]
fn a13_other_events_are_left_alone() {
    let place = Place::new();
    for event in [
        "SessionEnd",
        "Stop",
        "Notification",
        "UserPromptSubmit",
        "PostToolBatch",
        "PermissionDenied",
        "Tomorrow",
    ] {
        let message = json!({ "session_id": "s", "cwd": "/", "hook_event_name": event });
        let heard = send(&place, message.to_string().as_bytes());
        assert_eq!(heard.decision(), "nothing", "{event}: {heard:?}");
    }
}

#[test]
fn a13_an_unknown_event_about_a_tool_does_not_pass() {
    let place = Place::new();
    let mut message = place.message("default", "Bash", &json!({ "command": "ls" }));
    message["hook_event_name"] = json!("BeforeToolUse");
    let heard = send(&place, message.to_string().as_bytes());
    assert_eq!(heard.decision(), "deny");
    assert_eq!(heard.output()["hookEventName"], "BeforeToolUse");
}

#[test]
fn a13_a_skills_command_runs_only_where_it_is_allowed() {
    let place = Place::new();
    for (command, due) in [
        ("ls", "allow"),
        ("touch x", "deny"),
        ("git push", "deny"),
        ("rm -rf /", "deny"),
    ] {
        let mut message = place.message("default", "Bash", &json!({ "command": command }));
        message["hook_event_name"] = json!("PreSkillShellCommand");
        let heard = send(&place, message.to_string().as_bytes());
        assert_eq!(heard.decision(), due, "{command}");
        assert_eq!(heard.output()["hookEventName"], "PreSkillShellCommand");
    }
    assert_eq!(
        place.outcomes("5f0c"),
        ["allowed", "unavailable", "unavailable", "rejected"]
    );
}

#[test]
fn a13_a_wrong_command_line_is_no_consent() {
    let place = Place::new();
    for arguments in [
        &[][..],
        &["claude"],
        &["claude-code", "x"],
        &["claude-code", "--config-home"],
        &["claude-code", "--config-home", "relative"],
        &["claude-code", "--rules", "/tmp"],
        &["claude-code", "--state-home", "/a", "--state-home", "/b"],
        &["--help"],
    ] {
        let mut hook = place.command(crate::place::HOOK);
        let heard = run(hook.args(arguments), b"{}");
        assert_eq!(heard.code, Some(2), "{arguments:?}");
        assert!(heard.stdout.is_empty() && heard.stderr.contains("usage"));
    }
}

#[test]
fn p5_whatever_a_command_is_made_of_there_is_an_answer() {
    let place = Place::new();
    for piece in [
        "sudo ",
        "env ",
        "xargs ",
        "timeout 5 ",
        "exec ",
        "find . -exec ",
        "nice ",
        "$(",
        "( ",
        "{ ",
        "if ",
        "`",
        "<(",
        "${x:-",
        "echo $((",
        "f(){ ",
        "[[ ( ",
        "cat <<E\n",
        "a=",
        "{a,",
        "case x in x) ",
        "bash -c '",
        "eval ",
        "git -c a=b ",
    ] {
        for count in [100, 5_000] {
            let command = format!("{}ls", piece.repeat(count));
            let heard = place.ask("Bash", &json!({ "command": command }));
            // A process that dies says nothing, and has no exit code.
            assert!(heard.code.is_some(), "{piece} {count}: {heard:?}");
            assert!(!heard.stdout.contains("in time"), "{piece} {count}");
        }
    }
}

#[test]
fn p14_a_projects_environment_leads_to_no_other_rules() {
    let place = Place::new();
    place.rules("[deny]\nshell = [\"ls *\"]\n");
    let theirs = place.project().join("theirs");
    std::fs::create_dir_all(theirs.join("countersign")).unwrap();
    let all = "version = 1\nmode = \"open\"\n[allow]\nshell = [\"*\"]\n";
    std::fs::write(theirs.join("countersign/rules.toml"), all).unwrap();
    let message = place.message("default", "Bash", &json!({"command": "ls"}));
    let mut hook = place.hook();
    hook.arg("--config-home")
        .arg(place.home().join(".config"))
        .arg("--state-home")
        .arg(place.home().join(".local/state"))
        .env("XDG_CONFIG_HOME", &theirs)
        .env("XDG_STATE_HOME", &theirs)
        .env("HOME", &theirs);
    let heard = run(&mut hook, message.to_string().as_bytes());
    assert_eq!(heard.code, Some(2), "{}", heard.stdout);
    assert_eq!(place.outcomes("5f0c"), ["rejected"]);
}
