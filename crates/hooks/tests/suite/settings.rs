//! Rows A14, P14: what is installed can be taken out to the byte, and a file that does not parse is never overwritten.

use crate::place::{HOOK, Place, exists};
use countersign_hooks::entry::{Entry, TIMEOUT_SECONDS, entries};
use countersign_hooks::hooked::Hooked;
use countersign_hooks::install::{InstallError, Installed, Uninstalled, install, uninstall};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

/// Settings as people have them.
const SETTINGS: [&str; 22] = [
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\n\n\n  \n}",
    "\n\n  {}  \n\n",
    r#"{"model":"opus"}"#,
    "{\n  \"model\": \"opus\"\n}\n",
    "{\r\n\t\"model\": \"opus\"\r\n}\r\n",
    "{\n    \"model\": \"opus\",\n    \"env\": {\"A\": \"\\u00e9\\ud83d\\ude00\", \"B\": 1.50e+3}\n}",
    "{\"hooks\":{}}",
    "{\"hooks\": {  }  }",
    "{\"hooks\":{\"PreToolUse\":[]}}",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": []}]\n  },\n  \"z\": null\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]\n      }\n    ]\n  }\n}\n",
    "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]},{\"hooks\":[]}]},\"a\":[{}, [], \"]}\\\"\"]}",
    "{\"hooks\" : {\"PreToolUse\" : [ {\"hooks\" : [ ] } ] , \"Stop\" : [ ] } }",
    "{\"a\":{\"hooks\":{\"PreToolUse\":[]}}}",
    "{\"PreToolUse\":[1,2,3],\"a\":1,\"a\":2}",
    "{\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(ls:*)\"]\n\t}\n}",
    "{\"x\":\"countersign-hook\",\"\\u0068ooks2\":{}}",
];

#[test]
fn a14_uninstalling_restores_every_byte() {
    let place = Place::new();
    let file = place.settings();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    for text in SETTINGS {
        fs::write(&file, text).unwrap();
        let installed = install(&file, Path::new(HOOK), &[]).unwrap();
        assert!(
            matches!(
                installed,
                Installed::Written {
                    backup: Some(_),
                    ..
                }
            ),
            "{text}"
        );
        let new = fs::read_to_string(&file).unwrap();
        assert_eq!(entries(&new).unwrap(), whole(), "{new}");
        check_kept(text, &new);
        // Again, nothing changes.
        assert!(matches!(
            install(&file, Path::new(HOOK), &[]).unwrap(),
            Installed::Already { .. }
        ));
        assert_eq!(fs::read_to_string(&file).unwrap(), new);
        assert!(
            matches!(uninstall(&file).unwrap(), Uninstalled::Restored { .. }),
            "{text}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert_eq!(uninstall(&file).unwrap(), Uninstalled::NotThere);
        only(&place, &["settings.json"]);
    }
}

/// The entries as they have to be.
fn whole() -> [Entry; 8] {
    Hooked::ALL.map(|event| Entry {
        event,
        program: HOOK.to_owned(),
        arguments: vec!["claude-code".to_owned()],
        every_tool: true,
        blocks_on_failure: true,
    })
}

/// Checks that every byte of the old text stands in the new one, in order, and that the values are the same but for
/// ours.
fn check_kept(old: &str, new: &str) {
    let mut rest = new.chars();
    assert!(
        old.chars().all(|c| rest.any(|other| other == c)),
        "{old} {new}"
    );
    if old.contains("\"hooks\"") {
        // Where there is an object of events, ours may stand at several places in it.
        return;
    }
    let common = old
        .chars()
        .zip(new.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let tail = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(|(a, b)| a == b)
        .count();
    assert!(
        common + tail >= old.chars().count(),
        "one place was changed: {old} {new}"
    );
}

/// Checks what is in the directory of the settings.
fn only(place: &Place, names: &[&str]) {
    let directory = place.settings().parent().unwrap().to_owned();
    let mut found: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn a14_without_a_file_one_is_made_and_deleted_again() {
    let place = Place::new();
    let file = place.settings();
    assert!(matches!(
        install(&file, Path::new(HOOK), &[]).unwrap(),
        Installed::Written { backup: None, .. }
    ));
    let text = fs::read_to_string(&file).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let handler = json!({
        "type": "command", "command": HOOK, "args": ["claude-code"], "timeout": TIMEOUT_SECONDS,
    });
    let mut blocking = handler.clone();
    blocking["onFailure"] = json!("block");
    let of_tools = json!([{ "matcher": "*", "hooks": [blocking] }]);
    let of_all = json!([{ "hooks": [blocking] }]);
    let report = json!([{ "matcher": "*", "hooks": [handler] }]);
    assert_eq!(
        value,
        json!({ "hooks": {
            "PreToolUse": of_tools,
            "PermissionRequest": of_tools,
            "PreSkillShellCommand": of_tools,
            "UserPromptExpansion": of_all,
            "ConfigChange": of_all,
            "PostToolUse": report,
            "PostToolUseFailure": report,
            "SessionStart": [{ "hooks": [handler] }],
        } })
    );
    assert!(text.ends_with("}\n"));
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(matches!(
        uninstall(&file).unwrap(),
        Uninstalled::Deleted { .. }
    ));
    only(&place, &[]);
}

#[test]
fn a14_what_was_changed_since_stays() {
    let place = Place::new();
    let file = place.settings();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    for (before, change, after) in [
        (
            "{\n  \"a\": 1\n}\n",
            ("\"a\": 1", "\"a\": 2"),
            "{\n  \"a\": 2\n}\n",
        ),
        ("{}", ("{\n", "{\n  \"b\": [ ],\n"), "{\n  \"b\": [ ]}"),
        (
            "{\"hooks\":{\"Stop\":[]}}",
            ("[]", "[ ]"),
            "{\"hooks\":{\"Stop\":[ ]}}",
        ),
    ] {
        fs::write(&file, before).unwrap();
        install(&file, Path::new(HOOK), &[]).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replacen(change.0, change.1, 1)).unwrap();
        assert!(matches!(
            uninstall(&file).unwrap(),
            Uninstalled::TakenOut { .. }
        ));
        let found = fs::read_to_string(&file).unwrap();
        let (found_value, due): (Value, Value) = (
            serde_json::from_str(&found).unwrap(),
            serde_json::from_str(after).unwrap(),
        );
        assert_eq!(found_value, due, "{found}");
        assert!(!found.contains("countersign"));
    }
}

#[test]
fn p14_an_entry_that_is_not_as_it_has_to_be_is_brought_up_to_date() {
    let place = Place::new();
    let file = place.settings();
    install(&file, Path::new(HOOK), &[]).unwrap();
    let good = fs::read_to_string(&file).unwrap();
    for (old, new) in [
        ("\"onFailure\": \"block\"", "\"onFailure\": \"ignore\""),
        ("\"matcher\": \"*\"", "\"matcher\": \"Bash\""),
        ("\"timeout\": 60", "\"timeout\": 5"),
        (
            "\"type\": \"command\",",
            "\"type\": \"command\", \"async\": true,",
        ),
        (
            "\"type\": \"command\",",
            "\"type\": \"command\", \"if\": \"Bash(git *)\",",
        ),
        (HOOK, "/elsewhere/countersign-hook"),
    ] {
        let bad = good.replace(old, new);
        assert_ne!(bad, good);
        assert_ne!(entries(&bad).unwrap(), whole(), "{bad}");
        fs::write(&file, &bad).unwrap();
        install(&file, Path::new(HOOK), &[]).unwrap();
        assert_eq!(
            entries(&fs::read_to_string(&file).unwrap()).unwrap(),
            whole()
        );
    }
    // Beside somebody else's handler in one group.
    let beside = good.replace(
        "\"hooks\": [\n          {",
        "\"hooks\": [\n        {\"type\": \"command\", \"command\": \"mine\"},\n        {",
    );
    assert_ne!(beside, good);
    fs::write(&file, beside.replace(HOOK, "/old/countersign-hook")).unwrap();
    install(&file, Path::new(HOOK), &[]).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("\"mine\"") && entries(&text).unwrap() == whole(),
        "{text}"
    );
    uninstall(&file).unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("\"mine\""));
}

#[test]
fn a14_what_does_not_parse_is_left_alone() {
    let place = Place::new();
    let file = place.settings();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    for (text, words) in [
        ("", "line 1"),
        ("{", "line 1"),
        ("{\n  // comment\n}", "line 2, column 3"),
        ("{\n  \"a\": 1,\n}", "line 3, column 1"),
        ("{\"a\": 1} x", "line 1, column 10"),
        ("\u{feff}{}", "line 1"),
        ("[]", "not an object"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "not a list"),
        ("{\"hooks\": {}, \"hooks\": {}}", "named once"),
        (
            "{\"hooks\": {\"PreToolUse\": [], \"PreToolUse\": []}}",
            "named once",
        ),
    ] {
        fs::write(&file, text).unwrap();
        let error = install(&file, Path::new(HOOK), &[]).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert!(uninstall(&file).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        only(&place, &["settings.json"]);
    }
    fs::write(&file, b"{\n\"a\": \"\xff\"}").unwrap();
    let error = install(&file, Path::new(HOOK), &[]).unwrap_err();
    assert!(
        error.to_string().contains("line 2, column 7: not UTF-8"),
        "{error}"
    );
}

#[test]
fn a14_mode_and_links_are_kept() {
    let place = Place::new();
    let file = place.settings();
    let real = place.home().join("dotfiles.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../dotfiles.json", &file).unwrap();
    let installed = install(&file, Path::new(HOOK), &[]).unwrap();
    let Installed::Written { settings, backup } = installed else {
        panic!("{installed:?}");
    };
    assert_eq!(settings, real);
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    for file in [&real, &backup.unwrap()] {
        assert_eq!(
            fs::metadata(file).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
    // The floor knows it by both names.
    for name in [&file, &real] {
        place
            .ask("Write", &json!({ "file_path": name, "content": "" }))
            .refuses("own files");
    }
    uninstall(&file).unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}");
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
    // A link that leads nowhere.
    fs::remove_file(&real).unwrap();
    let error = install(&file, Path::new(HOOK), &[]).unwrap_err();
    assert!(matches!(error, InstallError::Strange { .. }), "{error}");
    assert!(!exists(&real));
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(matches!(
        install(&file, Path::new(HOOK), &[]).unwrap_err(),
        InstallError::Strange { .. }
    ));
}

#[test]
fn a14_only_our_program_is_installed() {
    let place = Place::new();
    for program in ["countersign-hook", "/bin/sh", "/nowhere/countersign-hook"] {
        assert!(
            install(&place.settings(), Path::new(program), &[]).is_err(),
            "{program}"
        );
        assert!(!exists(&place.settings()));
    }
}
