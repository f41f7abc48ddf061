//! What is found in directories: repositories that are not called `.git`, and protected places below them. Where git is
//! at hand it is asked what it takes for a repository, too.

use crate::example::directory;
use countersign_gate::world::environment::Environment;
use countersign_gate::world::look;
use countersign_policy::path::AbsPath;
use countersign_policy::world::{FileKind, Found, Lookup};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

fn ask(lookup: &Lookup) -> Found {
    look(lookup, &Environment::default())
}

fn write(file: &AbsPath, text: &str) {
    fs::create_dir_all(file.parent().as_str()).unwrap();
    fs::write(file.as_str(), text).unwrap();
}

fn repository(at: &AbsPath) {
    for part in ["objects", "refs"] {
        fs::create_dir_all(at.join(part).as_str()).unwrap();
    }
    write(&at.join("HEAD"), "ref: refs/heads/main\n");
}

/// The repository that is not called `.git`, or nothing.
fn bare(path: &AbsPath) -> Option<AbsPath> {
    match ask(&Lookup::BareRepository(path.clone())) {
        Found::Path {
            kind: FileKind::Missing,
            ..
        } => None,
        Found::Path { resolved, .. } => Some(resolved),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_repository_among_other_files_is_found_from_wherever_git_would() {
    let (_keep, at) = directory();
    repository(&at.join("work/.git"));
    let plain = at.join("work/plain");
    repository(&plain);
    for inside in ["", "objects", "config", "new/deep/file"] {
        assert_eq!(bare(&plain.join(inside)), Some(plain.clone()), "{inside}");
    }
    for outside in [
        "work",
        "work/.git",
        "work/.git/refs",
        "work/src",
        "work/plainer",
    ] {
        assert_eq!(bare(&at.join(outside)), None, "{outside}");
    }
    symlink(plain.as_str(), at.join("work/link").as_str()).unwrap();
    assert_eq!(bare(&at.join("work/link")), Some(plain.clone()));
    // A repository of its own in front of it is found first.
    repository(&plain.join("sub/.git"));
    assert_eq!(bare(&plain.join("sub/src")), None);
}

#[test]
fn a_repository_is_one_by_gits_own_test() {
    let (_keep, at) = directory();
    let odd = at.join("odd");
    write(&odd.join("HEAD"), "ref: refs/heads/main\n");
    for name in ["objects", "refs"] {
        let file = odd.join(name);
        write(&file, "");
        fs::set_permissions(file.as_str(), Permissions::from_mode(0o755)).unwrap();
    }
    let asked = Command::new("git")
        .args(["rev-parse", "--git-dir"])
        .current_dir(odd.as_str())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output();
    if let Ok(asked) = asked {
        assert!(
            asked.status.success(),
            "git takes files for the two directories"
        );
    }
    assert_eq!(bare(&odd), Some(odd.clone()));
}

#[test]
fn protected_places_are_found_at_any_depth() {
    let (_keep, at) = directory();
    for file in [
        "t/.envrc",
        "t/a/b/.vscode/settings.json",
        "t/a/.git/HEAD",
        "t/a/HEAD",
        "t/src/main.rs",
    ] {
        write(&at.join(file), "");
    }
    let below = |name: &str| ask(&Lookup::Protected(at.join(name)));
    let names = |names: &[&str]| Found::Names(names.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(
        below("t"),
        names(&[".envrc", "a/.git", "a/HEAD", "a/b/.vscode"])
    );
    for nothing in ["t/src", "t/src/main.rs", "missing"] {
        assert_eq!(below(nothing), names(&[]), "{nothing}");
    }
    // The link itself is copied, not what it leads to.
    fs::create_dir(at.join("l").as_str()).unwrap();
    symlink(at.join("t").as_str(), at.join("l/t").as_str()).unwrap();
    assert_eq!(below("l"), names(&[]));
}
