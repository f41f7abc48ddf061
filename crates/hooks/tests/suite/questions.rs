//! Rows A13, P12: where the host is about to ask its user it is answered in that event's own form, and never more
//! laxly than before.

use crate::place::{Heard, Place};
use serde_json::{Value, json};

/// The answer where the host is about to ask: it names no identity of the call.
fn asked(place: &Place, mode: &str, tool: &str, input: &Value) -> Heard {
    let mut message = place.message(mode, tool, input);
    message.as_object_mut().unwrap().remove("tool_use_id");
    message["permission_suggestions"] = json!([]);
    place.send("PermissionRequest", message)
}

/// `allow`, `deny`, or `nothing`. A refusal ends with 0, as this event's JSON counts for nothing beside a 2.
fn behavior(heard: &Heard) -> String {
    assert_eq!(heard.code, Some(0), "{heard:?}");
    if heard.stdout.is_empty() {
        return "nothing".to_owned();
    }
    let output = heard.output();
    assert_eq!(output["hookEventName"], "PermissionRequest", "{heard:?}");
    assert!(output["permissionDecision"].is_null(), "{heard:?}");
    let behavior = output["decision"]["behavior"].as_str().unwrap().to_owned();
    let message = output["decision"]["message"].as_str();
    assert_eq!(message.is_some(), behavior == "deny", "{heard:?}");
    behavior
}

#[test]
fn p12_a_question_is_answered_by_the_rules_or_left_to_the_person() {
    let place = Place::new();
    for (mode, tool, input, due) in [
        ("default", "Bash", json!({ "command": "ls" }), "allow"),
        (
            "default",
            "Bash",
            json!({ "command": "touch x" }),
            "nothing",
        ),
        (
            "default",
            "Bash",
            json!({ "command": "git push" }),
            "nothing",
        ),
        (
            "dontAsk",
            "Bash",
            json!({ "command": "git push" }),
            "nothing",
        ),
        ("default", "Bash", json!({ "command": "rm -rf /" }), "deny"),
        ("default", "Bash", json!({ "command": 7 }), "deny"),
        ("default", "Read", json!({ "file_path": "src/a" }), "allow"),
        (
            "default",
            "Read",
            json!({ "file_path": "~/.ssh/id_rsa" }),
            "nothing",
        ),
        ("default", "Unheard", json!({}), "nothing"),
        ("default", "ExitPlanMode", json!({ "plan": "x" }), "nothing"),
        ("default", "AskUserQuestion", json!({}), "nothing"),
        (
            "default",
            "Bash",
            json!({ "command": "ls", "dangerouslyDisableSandbox": true }),
            "nothing",
        ),
    ] {
        let heard = asked(&place, mode, tool, &input);
        assert_eq!(behavior(&heard), due, "{mode} {tool} {input}: {heard:?}");
    }
    let outcomes = place.outcomes("5f0c");
    assert_eq!(outcomes.len(), 12);
    assert_eq!(outcomes.first().unwrap(), "allowed");
}

#[test]
fn p12_a_refused_question_says_why_and_what_to_do() {
    let place = Place::new();
    let heard = asked(&place, "default", "Bash", &json!({ "command": "rm -rf /" }));
    let message = heard.output()["decision"]["message"].to_string();
    assert!(message.contains("countersign: "), "{heard:?}");
    // What cannot be understood is refused too.
    let mut bad = place.message("default", "Bash", &json!({ "command": "ls" }));
    bad["cwd"] = json!("relative");
    let heard = place.send("PermissionRequest", bad);
    assert_eq!(behavior(&heard), "deny");
    assert!(heard.told().contains("hint: "), "{heard:?}");
}

#[test]
fn p12_a_question_is_never_answered_more_laxly_than_the_call_was() {
    let place = Place::new();
    let push = json!({ "command": "git push" });
    // It was asked about, and a rule allows it since.
    assert_eq!(place.ask("Bash", &push).decision(), "ask");
    place.rules("[allow]\nshell = [\"git push\", \"touch x\"]\n");
    assert_eq!(
        behavior(&asked(&place, "default", "Bash", &push)),
        "nothing"
    );
    assert_eq!(
        behavior(&asked(&place, "default", "Bash", &push)),
        "nothing"
    );
    // The same record holds both, by the identity of the call.
    let events = place.events("5f0c");
    let closed: Vec<_> = events
        .iter()
        .filter(|event| event["event"] == "call/closed")
        .collect();
    assert!(
        closed.iter().all(|event| event["call"] == "toolu_01A"),
        "{closed:?}"
    );
    // Another call was not judged before.
    assert_eq!(
        behavior(&asked(
            &place,
            "default",
            "Bash",
            &json!({ "command": "touch x" })
        )),
        "allow"
    );
    // In another session neither was this one.
    let mut message = place.message("default", "Bash", &push);
    message["session_id"] = json!("other");
    assert_eq!(behavior(&place.send("PermissionRequest", message)), "allow");
    // It was denied, and no rule denies it any more.
    place.rules("[deny]\nshell = [\"make x\"]\n");
    let make = json!({ "command": "make x" });
    place.ask("Bash", &make).refuses("rules.toml");
    place.rules("[allow]\nshell = [\"make x\"]\n");
    let heard = asked(&place, "default", "Bash", &make);
    assert_eq!(behavior(&heard), "deny", "{heard:?}");
    assert_eq!(place.outcomes("5f0c").pop().unwrap(), "rejected");
    // Stricter rules count at once.
    assert_eq!(
        place.ask("Bash", &json!({ "command": "ls" })).decision(),
        "allow"
    );
    place.rules("[deny]\nshell = [\"ls\"]\n");
    assert_eq!(
        behavior(&asked(
            &place,
            "default",
            "Bash",
            &json!({ "command": "ls" })
        )),
        "deny"
    );
}

#[test]
fn p12_a_question_whose_record_fails_is_refused() {
    let place = Place::new();
    std::fs::create_dir_all(place.journals().parent().unwrap()).unwrap();
    std::fs::write(place.journals(), "").unwrap();
    let heard = asked(&place, "default", "Bash", &json!({ "command": "ls" }));
    assert_eq!(behavior(&heard), "deny");
}
