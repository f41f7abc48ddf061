//! Row P12: what a host reports closes the pair of a call's records, once, and what does not fit is noticed.

use crate::place::{Heard, Place};
use serde_json::{Value, json};

fn report(place: &Place, event: &str, call: &Value) -> Heard {
    let mut message = place.message("default", "Bash", &json!({ "command": "touch x" }));
    message["tool_use_id"] = call.clone();
    message["tool_response"] = json!({ "stdout": "" });
    message["error"] = json!("Command failed");
    place.send(event, message)
}

fn reported(place: &Place) -> Vec<(String, String)> {
    let events = place.events("5f0c").into_iter();
    let reports = events.filter(|event| event["event"] == "call/reported");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    reports
        .map(|event| (text(&event["call"]), text(&event["ran"])))
        .collect()
}

fn judge(place: &Place, call: &str, command: &str) -> String {
    let mut message = place.message("default", "Bash", &json!({ "command": command }));
    message["tool_use_id"] = json!(call);
    place.send("PreToolUse", message).decision()
}

#[test]
fn p12_a_report_closes_a_call_once() {
    let place = Place::new();
    assert_eq!(judge(&place, "a", "touch x"), "nothing");
    assert_eq!(judge(&place, "b", "ls"), "allow");
    report(&place, "PostToolUseFailure", &json!("b")).is_silent();
    report(&place, "PostToolUse", &json!("a")).is_silent();
    report(&place, "PostToolUse", &json!("a")).is_silent();
    report(&place, "PostToolUseFailure", &json!("a")).is_silent();
    let pair = |call: &str, ran: &str| (call.to_owned(), ran.to_owned());
    assert_eq!(reported(&place), [pair("b", "failed"), pair("a", "done")]);
    assert!(place.notices("5f0c").is_empty());
    // What is judged anew under the same identity is closed anew.
    assert_eq!(judge(&place, "a", "touch x"), "nothing");
    report(&place, "PostToolUseFailure", &json!("a")).is_silent();
    assert_eq!(reported(&place).pop().unwrap(), pair("a", "failed"));
}

#[test]
fn p12_a_report_of_a_call_that_was_never_judged_is_noticed() {
    let place = Place::new();
    judge(&place, "a", "ls");
    for (call, words) in [
        (json!("x"), "never judged was reported: `Bash` x, done"),
        (Value::Null, "never judged"),
        (json!(7), "never judged"),
    ] {
        report(&place, "PostToolUse", &call).is_silent();
        let last = place.notices("5f0c").pop().unwrap();
        assert!(last.contains(words), "{call}: {last}");
    }
    assert!(reported(&place).is_empty());
}

#[test]
fn p12_a_call_that_ran_though_it_was_refused_is_told() {
    let place = Place::new();
    assert_eq!(judge(&place, "a", "rm -rf /"), "deny");
    let heard = report(&place, "PostToolUse", &json!("a"));
    assert_eq!(heard.code, Some(0));
    assert!(
        heard.told().contains("ran a call that was refused"),
        "{heard:?}"
    );
    assert_eq!(heard.output()["hookEventName"], "PostToolUse");
    assert_eq!(reported(&place).len(), 1);
    assert!(place.notices("5f0c").pop().unwrap().contains("was refused"));
    report(&place, "PostToolUse", &json!("a")).is_silent();
}

#[test]
fn p12_a_report_finds_its_call_in_a_long_journal() {
    let place = Place::new();
    assert_eq!(judge(&place, "first", "ls"), "allow");
    for at in 0..4 {
        let long = format!("echo {}", "x".repeat(60_000));
        assert_eq!(judge(&place, &format!("{at}"), &long), "allow");
    }
    report(&place, "PostToolUse", &json!("first")).is_silent();
    assert_eq!(reported(&place).len(), 1);
}

#[test]
fn p12_a_report_that_cannot_be_recorded_holds_nothing_back_and_is_told() {
    let place = Place::new();
    std::fs::create_dir_all(place.journals().parent().unwrap()).unwrap();
    std::fs::write(place.journals(), "").unwrap();
    let heard = report(&place, "PostToolUse", &json!("a"));
    assert_eq!(heard.code, Some(0));
    assert!(heard.told().contains("was not recorded"), "{heard:?}");
}
