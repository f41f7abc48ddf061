//! Row P14: the doctor tells what holds of what is installed.

use crate::place::{HOOK, Place, deed, is_deed, run, said};
use countersign_gate::world::environment::Environment;
use countersign_hooks::doctor::examine;
use countersign_hooks::doctor::finding::{Finding, Promise, Standing};
use countersign_hooks::hooked::Hooked;
use countersign_hooks::install::{install, settings};
use countersign_policy::path::AbsPath;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

/// Not a test by itself: what the doctor says in an environment of its own.
#[test]
fn child() {
    if !is_deed() {
        return;
    }
    let environment = Environment::of_process();
    let cwd = environment.cwd.clone().unwrap_or_else(AbsPath::root);
    let found = examine(&settings(&environment).unwrap(), &environment, &cwd);
    for Finding {
        promise,
        standing,
        words,
        remedy,
    } in found
    {
        assert_eq!(remedy.is_none(), standing == Standing::Holds, "{words}");
        println!("deed: {} {standing:?} {words}", promise.name());
    }
}

/// The promises that do not hold, with the words for them.
fn findings(place: &Place, path: &str) -> Vec<String> {
    let heard = run(deed(place, "doctor::child").env("PATH", path), b"");
    let lines = said(&heard);
    assert_eq!(lines.len(), Promise::ALL.len(), "{heard:?}");
    let bad = lines
        .into_iter()
        .filter(|line| line.split(' ').nth(1) != Some("Holds"));
    bad.map(str::to_owned).collect()
}

/// A copy of the hook that only its owner can change, and a `claude` of this version.
fn healthy(place: &Place, version: &str) -> (String, String) {
    let program = place.home().join("bin/countersign-hook");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::copy(HOOK, &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let versions = place.home().join("versions");
    fs::create_dir_all(&versions).unwrap();
    fs::write(versions.join(version), "").unwrap();
    let link = place.home().join("bin/claude");
    let _ = fs::remove_file(&link);
    symlink(versions.join(version), link).unwrap();
    let path = place.home().join("bin").to_str().unwrap().to_owned();
    (program.to_str().unwrap().to_owned(), path)
}

#[test]
fn p14_a_whole_installation_holds() {
    let place = Place::new();
    let (program, path) = healthy(&place, "2.1.332");
    install(&place.settings(), Path::new(&program), &[]).unwrap();
    assert_eq!(findings(&place, &path), [] as [&str; 0]);
}

#[test]
fn p14_what_does_not_hold_is_named() {
    let place = Place::new();
    let (program, path) = healthy(&place, "2.1.294");
    let only = |due: &[&str]| {
        let found = findings(&place, &path);
        let names: Vec<&str> = found
            .iter()
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        assert_eq!(names, due, "{found:?}");
    };
    only(&[
        "entry",
        "switched-on",
        "program",
        "version",
        "refuses",
        "allows",
    ]);
    install(&place.settings(), Path::new(&program), &[]).unwrap();
    only(&["version"]);
    healthy(&place, "2.1.295");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o777)).unwrap();
    only(&["program"]);
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let good = fs::read_to_string(place.settings()).unwrap();
    fs::write(place.settings(), good.replace("block", "ignore")).unwrap();
    only(&["entry"]);
    for event in Hooked::ALL {
        let without = good.replace(&format!("\"{}\"", event.name()), "\"Gone\"");
        fs::write(place.settings(), without).unwrap();
        let found = findings(&place, &path);
        assert!(found[0].starts_with("entry Broken"), "{event:?}: {found:?}");
    }
    fs::write(
        place.settings(),
        good.replacen('{', "{\"disableAllHooks\": true,", 1),
    )
    .unwrap();
    only(&["switched-on"]);
    fs::write(place.settings(), &good).unwrap();
    place.rules("mode = \"strict\"");
    only(&["allows"]);
    place.rules("mode = ");
    only(&["allows", "rules"]);
    place.rules("");
    fs::write(place.journals().join("countersign-doctor.jsonl"), "x").unwrap();
    // The canary is denied all the same, though for another reason.
    only(&["allows", "journal"]);
}

#[test]
fn p14_a_program_that_only_pretends_is_found_out() {
    let place = Place::new();
    let (program, path) = healthy(&place, "2.1.332");
    install(&place.settings(), Path::new(&program), &[]).unwrap();
    for script in [
        "#!/bin/sh\nexit 0\n",
        "#!/bin/sh\nexit 1\n",
        "#!/bin/sh\ncat\n",
    ] {
        fs::remove_file(&program).unwrap();
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let found = findings(&place, &path);
        assert!(found[0].starts_with("refuses Broken"), "{found:?}");
    }
}

#[test]
fn p14_a_packages_version_is_read_and_claude_is_never_run() {
    let place = Place::new();
    let (program, path) = healthy(&place, "2.1.332");
    install(&place.settings(), Path::new(&program), &[]).unwrap();
    let package = place.home().join("lib/claude-code");
    fs::create_dir_all(&package).unwrap();
    let ran = place.home().join("ran");
    fs::write(
        package.join("cli.js"),
        format!("#!/bin/sh\ntouch {}\n", ran.display()),
    )
    .unwrap();
    fs::set_permissions(package.join("cli.js"), fs::Permissions::from_mode(0o755)).unwrap();
    let link = place.home().join("bin/claude");
    fs::remove_file(&link).unwrap();
    symlink(package.join("cli.js"), &link).unwrap();
    assert!(findings(&place, &path)[0].starts_with("version Unknown"));
    let manifest = |version: &str| {
        format!("{{\"name\":\"@anthropic-ai/claude-code\",\"version\":\"{version}\"}}")
    };
    fs::write(package.join("package.json"), manifest("2.1.300")).unwrap();
    assert_eq!(findings(&place, &path), [] as [&str; 0]);
    fs::write(package.join("package.json"), manifest("2.0.999")).unwrap();
    assert!(findings(&place, &path)[0].starts_with("version Broken"));
    assert!(!ran.exists());
}
