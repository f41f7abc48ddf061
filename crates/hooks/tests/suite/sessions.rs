//! Row P14: when a session begins it is looked whether rules, journal and entries are in order, and it begins anyway.

use crate::place::{HOOK, Heard, Place, run};
use countersign_hooks::install::install;
use serde_json::json;
use std::fs;
use std::path::Path;

fn begin(place: &Place, source: &str) -> Heard {
    place.tell("SessionStart", &json!({ "source": source }))
}

/// Checks that the session begins, and that the person is told.
fn tells(heard: &Heard, words: &str) {
    assert_eq!(heard.code, Some(0), "{heard:?}");
    assert!(heard.told().contains(words), "{words}: {heard:?}");
    assert_eq!(heard.output()["hookEventName"], "SessionStart");
    let context = heard.output()["additionalContext"].to_string();
    assert!(context.contains("countersign: "), "{heard:?}");
}

#[test]
fn p14_a_session_in_order_begins_without_a_word() {
    let place = Place::new();
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    for source in ["startup", "resume", "clear", "compact", "fork", "tomorrow"] {
        begin(&place, source).is_silent();
    }
    let events = place.events("5f0c");
    assert_eq!(events.len(), 1);
    assert_eq!(events.first().unwrap()["event"], "session/opened");
}

#[test]
fn p14_what_is_not_in_order_is_told_and_recorded_and_the_session_begins() {
    let place = Place::new();
    tells(
        &begin(&place, "startup"),
        "no whole entry of ours for PreToolUse, PermissionRequest",
    );
    assert!(
        place
            .notices("5f0c")
            .pop()
            .unwrap()
            .contains("install claude-code")
    );
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    let good = fs::read_to_string(place.settings()).unwrap();
    fs::write(
        place.settings(),
        good.replace("\"ConfigChange\"", "\"ConfigChanged\""),
    )
    .unwrap();
    tells(&begin(&place, "startup"), "for ConfigChange is in");
    fs::write(place.settings(), good.replacen("block", "ignore", 1)).unwrap();
    tells(&begin(&place, "startup"), "for PreToolUse is in");
    // The project's settings may hold the entry as well.
    let project = place.project().join(".claude/settings.json");
    fs::create_dir_all(project.parent().unwrap()).unwrap();
    fs::rename(place.settings(), place.home().join("away")).unwrap();
    fs::write(&project, &good).unwrap();
    begin(&place, "startup").is_silent();
    place.rules("mode = ");
    tells(&begin(&place, "startup"), "rules.toml");
    let broken = place.events("5f0c").pop().unwrap();
    assert_eq!(broken["code"], "file-broken");
}

#[test]
fn p14_a_journal_that_takes_nothing_is_told_and_the_session_begins() {
    let place = Place::new();
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    fs::create_dir_all(place.journals().parent().unwrap()).unwrap();
    fs::write(place.journals(), "").unwrap();
    tells(
        &begin(&place, "startup"),
        "every call is going to be refused",
    );
    let mut hook = place.hook();
    hook.env_remove("HOME").env("XDG_STATE_HOME", "relative");
    let message = json!({ "session_id": "s", "hook_event_name": "SessionStart" });
    let heard = run(&mut hook, message.to_string().as_bytes());
    assert_eq!(heard.code, Some(0), "{heard:?}");
}

#[test]
fn p14_even_a_fault_of_ours_lets_the_session_begin() {
    let place = Place::new();
    let message = json!({
        "session_id": "5f0c", "cwd": place.project(), "hook_event_name": "SessionStart", "source": "startup",
    });
    for (fault, words) in [
        ("panic", "a fault in countersign"),
        ("hang", "no decision in time"),
    ] {
        let mut hook = place.hook();
        hook.env("COUNTERSIGN_HOOK_FAULT", fault)
            .env("COUNTERSIGN_HOOK_DEADLINE_MS", "300");
        let heard = run(&mut hook, message.to_string().as_bytes());
        assert_eq!(heard.code, Some(0), "{heard:?}");
        assert!(heard.told().contains(words), "{heard:?}");
    }
}
