//! `install` and `uninstall`: what is in the settings, what is said of it, and what is left alone.

use crate::expected::expect;
use crate::hook::{elsewhere, real, script};
use crate::place::{Place, write};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

const SETTINGS: &str = "{\n  \"model\": \"x\", // mine\n  \"hooks\": {}\n}\n";

fn install(place: &Place, program: &Path) -> crate::place::Run {
    let program = program.to_str().unwrap();
    place.run(&["install", "claude-code", "--program", program])
}

#[test]
fn p14_install_makes_the_settings() {
    let place = Place::new();
    let program = real(&place);
    let run = install(&place, &program);
    assert_eq!(run.code, 0, "{run:?}");
    expect("install/new", &run.out);
    let text = fs::read_to_string(place.settings()).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let entry = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let command = entry.to_string();
    assert!(command.contains(program.to_str().unwrap()), "{command}");
    let run = install(&place, &program);
    assert_eq!(run.code, 0);
    expect("install/already", &run.out);
    assert_eq!(fs::read_to_string(place.settings()).unwrap(), text);
    let run = place.run(&["uninstall", "claude-code"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("install/deleted", &run.out);
    assert!(!place.settings().exists());
}

#[test]
fn p14_uninstall_restores_byte_for_byte() {
    let place = Place::new();
    let program = real(&place);
    let before = SETTINGS.replace(" // mine", "");
    write(&place.settings(), &before);
    let run = install(&place, &program);
    assert_eq!(run.code, 0, "{run:?}");
    expect("install/kept", &run.out);
    let backup = place
        .settings()
        .with_file_name("settings.json.before-countersign");
    assert_eq!(fs::read_to_string(backup).unwrap(), before);
    assert_ne!(fs::read_to_string(place.settings()).unwrap(), before);
    let run = place.run(&["uninstall", "claude-code"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("install/restored", &run.out);
    assert_eq!(fs::read_to_string(place.settings()).unwrap(), before);
    let run = place.run(&["uninstall", "claude-code"]);
    assert_eq!(run.code, 0);
    expect("install/not-there", &run.out);
}

#[test]
fn p14_settings_that_were_changed_since_lose_only_the_hook() {
    let place = Place::new();
    write(&place.settings(), "{\"model\": \"x\"}\n");
    assert_eq!(install(&place, &real(&place)).code, 0);
    let text = fs::read_to_string(place.settings()).unwrap();
    write(&place.settings(), &text.replace("\"x\"", "\"y\""));
    let run = place.run(&["uninstall", "claude-code"]);
    assert_eq!(run.code, 0);
    expect("install/taken-out", &run.out);
    let text = fs::read_to_string(place.settings()).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(settings, serde_json::json!({ "model": "y" }));
}

#[test]
fn p14_another_program_takes_the_place_of_the_first() {
    let place = Place::new();
    write(&place.settings(), "{\"model\": \"x\"}\n");
    assert_eq!(install(&place, &script(&place, "exit 0")).code, 0);
    let second = place.home().join("other/countersign-hook");
    fs::create_dir_all(second.parent().unwrap()).unwrap();
    fs::copy(script(&place, "exit 0"), &second).unwrap();
    assert_eq!(install(&place, &second).code, 0);
    let text = fs::read_to_string(place.settings()).unwrap();
    // One for each event, and all of the second program.
    assert_eq!(text.matches("countersign-hook").count(), 8, "{text}");
    assert_eq!(text.matches("other/countersign-hook").count(), 8, "{text}");
    let run = place.run(&["uninstall", "claude-code"]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = fs::read_to_string(place.settings()).unwrap();
    assert!(!text.contains("countersign-hook"), "{}\n{text}", run.out);
}

#[test]
fn p14_settings_that_cannot_be_read_are_left_alone() {
    let place = Place::new();
    write(&place.settings(), SETTINGS);
    let run = install(&place, &real(&place));
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    expect("install/not-json", &run.err);
    let run = place.run(&["uninstall", "claude-code"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(fs::read_to_string(place.settings()).unwrap(), SETTINGS);
    assert_eq!(
        fs::read_dir(place.home().join(".claude")).unwrap().count(),
        1
    );
}

#[test]
fn p14_other_settings_can_be_named() {
    let place = Place::new();
    let program = real(&place);
    let program = program.to_str().unwrap();
    let named = ["--settings", "own/s.json"];
    let run = place.run(&[
        "install",
        "claude-code",
        named[0],
        named[1],
        "--program",
        program,
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let doctor = "`countersign doctor --settings /ROOT/work/own/s.json`";
    assert!(run.out.contains(doctor), "{}", run.out);
    assert!(place.work().join("own/s.json").exists());
    assert!(!place.settings().exists());
    let run = place.run(&["uninstall", "claude-code", named[0], named[1]]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!place.work().join("own/s.json").exists());
    let mut command = place.command(&["install", "claude-code", "--program", program]);
    command.env("CLAUDE_CONFIG_DIR", place.home().join("c"));
    assert_eq!(place.finish(command, "").code, 0);
    assert!(place.home().join("c/settings.json").exists());
}

/// Where this binary lies at `own`, the program that it puts into the settings, or what it says.
fn chosen(place: &Place, own: &str) -> Result<String, String> {
    let own = place.home().join(own);
    elsewhere(&own);
    let mut command = std::process::Command::new(&own);
    command
        .args(["install", "claude-code"])
        .current_dir(place.work())
        .env_clear()
        .env("HOME", place.home())
        .stdin(std::process::Stdio::null());
    let run = place.finish(command, "");
    if run.code != 0 {
        return Err(run.err);
    }
    let hook = run
        .out
        .lines()
        .find_map(|line| line.strip_prefix("  hook      "));
    Ok(hook.unwrap().to_owned())
}

/// A program at a place in the home.
fn program(place: &Place, path: &str) {
    let path = place.home().join(path);
    write(&path, "#!/bin/sh\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn p14_the_best_hook_beside_the_program_is_taken() {
    let place = Place::new();
    let own = "target/release/countersign";
    write(&place.home().join("target/CACHEDIR.TAG"), "");
    expect("install/no-hook", &chosen(&place, own).unwrap_err());
    program(&place, "target/release/countersign-hook");
    let sibling = "/ROOT/home/target/release/countersign-hook";
    assert_eq!(chosen(&place, own).as_deref(), Ok(sibling));
    // What runs elsewhere is no choice.
    program(&place, "target/mips-unknown-none/fast/countersign-hook");
    assert_eq!(chosen(&place, own).as_deref(), Ok(sibling));
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let fast = format!("target/{target}/fast/countersign-hook");
    program(&place, &fast);
    if cfg!(target_os = "linux") {
        let due = format!("/ROOT/home/{fast}");
        assert_eq!(chosen(&place, own), Ok(due.clone()));
        let own = format!("target/{target}/fast/countersign");
        assert_eq!(chosen(&place, &own), Ok(due));
    }
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    let file = fs::File::options()
        .append(true)
        .open(place.home().join(&fast));
    file.unwrap().set_modified(old).unwrap();
    assert_eq!(chosen(&place, own).as_deref(), Ok(sibling));
    // A directory that happens to be called so is no build directory.
    program(&place, "local/fast/countersign-hook");
    let said = chosen(&place, "local/bin/countersign").unwrap_err();
    assert!(
        said.contains("`cargo install --path crates/hooks`"),
        "{said}"
    );
}

#[test]
fn p14_a_place_that_others_reach_is_warned_of() {
    let place = Place::new();
    let warned = |program: &Path, words: &str| {
        let run = install(&place, program);
        assert_eq!(run.code, 0, "{run:?}");
        let err = run.err.replace("\n  ", " ");
        assert!(err.contains(words), "{words}: {err}");
        assert!(err.contains("hint: copy it"), "{err}");
    };
    let hook = script(&place, "exit 0");
    warned(&hook, "the hook lies in the temporary directory `/tmp`");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o757)).unwrap();
    warned(&hook, "others can change `/ROOT/home/bin/countersign-hook`");
    write(&place.home().join("CACHEDIR.TAG"), "");
    warned(&hook, "the hook lies in the build directory `/ROOT/home`");
    let inside = place.work().join("countersign-hook");
    fs::copy(&hook, &inside).unwrap();
    warned(&inside, "the hook lies in the workspace `/ROOT/work`");
}

#[test]
fn p14_wrong_usage_writes_nothing() {
    let place = Place::new();
    let other = place.home().join("bin/other");
    write(&other, "");
    for arguments in [
        &["install"][..],
        &["install", "emacs"],
        &["uninstall"],
        &[
            "install",
            "claude-code",
            "--program",
            other.to_str().unwrap(),
        ],
        &["install", "claude-code", "--program", ""],
        &["install", "claude-code", "--settings", ""],
    ] {
        let run = place.run(arguments);
        assert_eq!(
            (run.code, run.out.as_str()),
            (2, ""),
            "{arguments:?} {run:?}"
        );
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
    let missing = place.home().join("none/countersign-hook");
    assert_eq!(install(&place, &missing).code, 1);
    assert!(!place.settings().exists());
}
