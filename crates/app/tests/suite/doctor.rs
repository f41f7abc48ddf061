//! `doctor`: what it says of an installation that holds, of one that does not, and its exit codes.

use crate::expected::expect;
use crate::hook::{real, script};
use crate::place::{Place, Run, write};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

/// A search path on which a `claude` of this version is found.
fn claude(place: &Place, version: &str) -> String {
    let versions = place.home().join("versions");
    write(&versions.join(version), "");
    let link = place.home().join("bin/claude");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&link);
    symlink(versions.join(version), link).unwrap();
    place.home().join("bin").to_str().unwrap().to_owned()
}

fn install(place: &Place, program: &Path) {
    let program = program.to_str().unwrap();
    let run = place.run(&["install", "claude-code", "--program", program]);
    assert_eq!(run.code, 0, "{run:?}");
}

fn doctor(place: &Place, path: &str, more: &[&str]) -> Run {
    let arguments: Vec<&str> = [&["doctor"], more].concat();
    let mut command = place.command(&arguments);
    command.env("PATH", path);
    place.finish(command, "")
}

/// The names of the promises that are broken.
fn broken(place: &Place, path: &str) -> Vec<String> {
    let run = doctor(place, path, &[]);
    assert_eq!(run.code, 1, "{run:?}");
    let names = run.out.lines().filter_map(|line| {
        let rest = line.strip_prefix("broken  ")?;
        Some(rest.split_once(':')?.0.to_owned())
    });
    names.collect()
}

#[test]
fn p14_what_is_installed_holds() {
    let place = Place::new();
    let path = claude(&place, "2.1.332");
    install(&place, &real(&place));
    let run = doctor(&place, &path, &[]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    expect("doctor/holds", &run.out);
}

#[test]
fn p14_what_is_not_installed_does_not() {
    let place = Place::new();
    let run = doctor(&place, "/nowhere", &[]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{run:?}");
    expect("doctor/not-installed", &run.out);
    assert!(!place.settings().exists());
}

#[test]
fn p14_what_cannot_be_told_is_no_success() {
    let place = Place::new();
    claude(&place, "2.1.332");
    install(&place, &real(&place));
    let run = doctor(&place, "/nowhere", &[]);
    assert_eq!((run.code, run.err.as_str()), (10, ""), "{run:?}");
    expect("doctor/unknown", &run.out);
}

#[test]
fn p14_a_broken_hook_is_found_out() {
    let place = Place::new();
    let path = claude(&place, "2.1.332");
    let program = script(&place, "exit 1");
    install(&place, &program);
    assert_eq!(broken(&place, &path), ["refuses", "allows"]);
    fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
    let run = doctor(&place, &path, &[]);
    assert_eq!(run.code, 1);
    expect("doctor/no-program", &run.out);
}

#[test]
fn p14_a_journal_that_takes_nothing_is_found_out() {
    let place = Place::new();
    let path = claude(&place, "2.1.332");
    install(&place, &real(&place));
    // Permissions do not keep root out; a file in the place of a directory keeps everybody out.
    write(&place.state().join("journal"), "");
    assert_eq!(broken(&place, &path), ["allows", "journal"]);
}

#[test]
fn p14_the_findings_keep_their_keys() {
    let place = Place::new();
    let run = doctor(&place, "/nowhere", &["--json", "--settings", "s.json"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_eq!(run.out.lines().count(), 1);
    let record: Value = serde_json::from_str(&run.out).unwrap();
    let keys = |value: &Value| -> Vec<String> {
        let fields = value.as_object().unwrap();
        let mut keys: Vec<String> = fields.keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(
        keys(&record),
        ["broken", "findings", "ok", "settings", "unknown"]
    );
    assert_eq!(record["ok"], false);
    assert_eq!(record["settings"], "/ROOT/work/s.json");
    let findings = record["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 8);
    for found in findings {
        assert_eq!(
            keys(found),
            ["promise", "promised", "remedy", "standing", "words"]
        );
    }
}

#[test]
fn a6_what_settings_hold_cannot_act_on_a_terminal() {
    let place = Place::new();
    let program = script(&place, "exit 0");
    install(&place, &program);
    let text = fs::read_to_string(place.settings()).unwrap();
    let text = text.replace("home/bin", "home/\u{202e}\\u001b[2Jbin");
    write(&place.settings(), &text);
    for more in [&[][..], &["--json"]] {
        let run = doctor(&place, "/nowhere", more);
        assert!(!run.out.contains(['\u{202e}', '\u{1b}']), "{}", run.out);
        assert!(run.out.to_lowercase().contains("202e"), "{}", run.out);
    }
}
