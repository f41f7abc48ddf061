//! Row P14: while a session runs nobody grants anything to himself by changing the host's settings.

use crate::place::{HOOK, Heard, Place};
use countersign_hooks::install::install;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A place with our entries installed and permissions as people have them, and a session that has begun there.
fn begun() -> (Place, Value) {
    let place = Place::new();
    fs::create_dir_all(place.settings().parent().unwrap()).unwrap();
    let own =
        json!({ "model": "opus", "permissions": { "allow": ["Bash(ls)"], "deny": ["Read(./x)"] } });
    fs::write(place.settings(), own.to_string()).unwrap();
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    let settings = serde_json::from_str(&fs::read_to_string(place.settings()).unwrap()).unwrap();
    place
        .tell("SessionStart", &json!({ "source": "startup" }))
        .is_silent();
    (place, settings)
}

fn change(place: &Place, source: &str, file: &Path, text: &str) -> Heard {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
    place.tell(
        "ConfigChange",
        &json!({ "source": source, "file_path": file }),
    )
}

fn local(place: &Place) -> PathBuf {
    place.project().join(".claude/settings.local.json")
}

#[test]
fn p14_a_change_that_loosens_is_refused_and_noticed() {
    let (place, good) = begun();
    let user = place.settings();
    let with = |pointer: &str, value: Value| {
        let mut changed = good.clone();
        let (above, name) = pointer.rsplit_once('/').unwrap();
        changed.pointer_mut(above).unwrap()[name] = value;
        changed.to_string()
    };
    let foreign = json!([{ "hooks": [{ "type": "command", "command": "yes" }] }]);
    for (text, words) in [
        (
            with("/permissions/allow", json!(["Bash(ls)", "Bash(*)"])),
            "allows `Bash(*)`",
        ),
        (
            with("/permissions/deny", json!([])),
            "no longer denies `Read(./x)`",
        ),
        (
            with("/permissions/defaultMode", json!("bypassPermissions")),
            "permissions.defaultMode",
        ),
        (with("/disableAllHooks", json!(true)), "disableAllHooks"),
        (
            with("/hooks/PreToolUse", json!([])),
            "our entry `PreToolUse",
        ),
        (
            with("/hooks/ConfigChange", json!([])),
            "our entry `ConfigChange",
        ),
        (
            with("/hooks/PermissionRequest", foreign),
            "may answer for you",
        ),
        (
            good.to_string().replace(HOOK, "/tmp/countersign-hook"),
            "our entry",
        ),
        ("{}".to_owned(), "our entry"),
        ("{".to_owned(), "cannot be understood"),
    ] {
        let heard = change(&place, "user_settings", &user, &text);
        heard.blocks(words);
        assert!(heard.told().contains("hint: "), "{heard:?}");
        let notice = place.notices("5f0c").pop().unwrap();
        assert!(
            notice.contains("settings was refused") && notice.contains(words),
            "{notice}"
        );
    }
    fs::remove_file(&user).unwrap();
    place
        .tell(
            "ConfigChange",
            &json!({ "source": "user_settings", "file_path": user }),
        )
        .blocks("our entry");
}

#[test]
fn p14_other_changes_pass() {
    let (place, good) = begun();
    let user = place.settings();
    let mut changed = good.clone();
    changed["model"] = json!("haiku");
    changed["permissions"]["allow"] = json!([]);
    changed["permissions"]["deny"] = json!(["Read(./x)", "Read(./y)"]);
    changed["hooks"]["Stop"] = json!([{ "hooks": [{ "type": "command", "command": "bell" }] }]);
    change(&place, "user_settings", &user, &changed.to_string()).is_silent();
    change(&place, "local_settings", &local(&place), "{\"env\": {}}").is_silent();
    place
        .tell(
            "ConfigChange",
            &json!({ "source": "skills", "file_path": "/x/SKILL.md" }),
        )
        .is_silent();
    place
        .tell("ConfigChange", &json!({ "source": "project_settings" }))
        .is_silent();
    assert!(place.notices("5f0c").is_empty());
    // What was given up is not had again by the way.
    change(&place, "user_settings", &user, &good.to_string()).blocks("allows `Bash(ls)`");
}

#[test]
fn p14_a_file_that_was_not_there_grants_nothing() {
    let (place, _) = begun();
    let grants = "{\"permissions\": {\"allow\": [\"Bash\"]}}";
    for source in [
        "local_settings",
        "project_settings",
        "user_settings",
        "tomorrow",
    ] {
        change(&place, source, &local(&place), grants).blocks("allows `Bash`");
    }
    place
        .tell("ConfigChange", &json!({ "source": "local_settings" }))
        .blocks("allows `Bash`");
    place
        .tell("ConfigChange", &json!({ "source": "tomorrow" }))
        .blocks("which file");
    place.tell("ConfigChange", &json!({})).blocks("which file");
    // While it lies there, no other change is taken in, as the host would read it too.
    place
        .tell(
            "ConfigChange",
            &json!({ "source": "user_settings", "file_path": place.settings() }),
        )
        .blocks("settings.local.json` allows `Bash`");
    fs::remove_file(local(&place)).unwrap();
    // It may be known by another name.
    let link = place.home().join("link.json");
    std::os::unix::fs::symlink(place.settings(), &link).unwrap();
    place
        .tell(
            "ConfigChange",
            &json!({ "source": "user_settings", "file_path": link }),
        )
        .is_silent();
}

#[test]
fn p14_the_administrators_changes_are_told_and_not_held_back() {
    let (place, _) = begun();
    let file = place.home().join("managed.json");
    let heard = change(
        &place,
        "policy_settings",
        &file,
        "{\"permissions\": {\"allow\": [\"Bash\"]}}",
    );
    assert_eq!(heard.code, Some(0), "{heard:?}");
    assert!(heard.told().contains("allows `Bash`"), "{heard:?}");
    assert_eq!(place.notices("5f0c").len(), 1);
    // A file of the user's is not the administrator's.
    let grants = "{\"permissions\": {\"allow\": [\"Bash\"]}}";
    change(&place, "policy_settings", &local(&place), grants).blocks("allows `Bash`");
    fs::remove_file(local(&place)).unwrap();
    place
        .tell("ConfigChange", &json!({ "source": "policy_settings" }))
        .is_silent();
}

#[test]
fn p14_where_nothing_is_known_of_the_beginning_nothing_is_granted() {
    let (place, good) = begun();
    let user = place.settings();
    let tell = |session: &str| {
        place.tell(
            "ConfigChange",
            &json!({ "session_id": session, "source": "user_settings", "file_path": user }),
        )
    };
    tell("other").blocks("is not known");
    // A session that only goes on does not take what it finds for granted.
    let go_on = json!({ "session_id": "other", "source": "clear" });
    place.tell("SessionStart", &go_on).is_silent();
    tell("other").blocks("is not known");
    // What grants nothing passes, as long as our entries are there.
    let mut bare = good;
    bare.as_object_mut().unwrap().remove("permissions");
    fs::write(&user, bare.to_string()).unwrap();
    tell("other").is_silent();
    fs::write(&user, "{}").unwrap();
    tell("other").blocks("no entry of ours");
}

#[test]
fn p14_compacting_a_session_grants_nothing() {
    let (place, mut settings) = begun();
    settings["permissions"]["allow"] = json!(["Bash"]);
    change(
        &place,
        "user_settings",
        &place.settings(),
        &settings.to_string(),
    )
    .blocks("allows `Bash`");
    place
        .tell("SessionStart", &json!({ "source": "compact" }))
        .is_silent();
    settings["model"] = json!("haiku");
    change(
        &place,
        "user_settings",
        &place.settings(),
        &settings.to_string(),
    )
    .blocks("allows `Bash`");
}

#[test]
fn p14_a_link_in_the_place_of_settings_is_no_other_file() {
    let (place, _) = begun();
    let elsewhere = place.home().join("elsewhere.json");
    fs::write(&elsewhere, "{}").unwrap();
    fs::remove_file(place.settings()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, place.settings()).unwrap();
    for file in [place.settings(), elsewhere] {
        place
            .tell(
                "ConfigChange",
                &json!({ "source": "user_settings", "file_path": file }),
            )
            .blocks("our entry");
    }
}

#[test]
fn p14_a_beginning_cannot_be_told_twice() {
    let (place, mut settings) = begun();
    settings["permissions"]["allow"] = json!(["Bash"]);
    fs::write(place.settings(), settings.to_string()).unwrap();
    // Whoever can run the hook can say that the session begins.
    place
        .tell("SessionStart", &json!({ "source": "startup" }))
        .is_silent();
    place
        .tell(
            "ConfigChange",
            &json!({ "source": "user_settings", "file_path": place.settings() }),
        )
        .blocks("allows `Bash`");
}

#[test]
fn p14_another_hook_that_is_asked_more_often_is_a_change() {
    let place = Place::new();
    let file = place.project().join(".claude/settings.json");
    let text = |matcher: &str| {
        json!({ "hooks": { "PreToolUse": [{ "matcher": matcher, "hooks": [
            { "type": "command", "command": "theirs" },
        ] }] } })
        .to_string()
    };
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text("Write")).unwrap();
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    place
        .tell("SessionStart", &json!({ "source": "startup" }))
        .is_silent();
    change(&place, "project_settings", &file, &text("Write")).is_silent();
    change(&place, "project_settings", &file, &text("*")).blocks("may answer for you");
}
