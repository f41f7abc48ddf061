//! The places of a session: workspace, home, temporary places, countersign's own files.

use crate::example::{directory, path};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session::session;
use countersign_policy::path::AbsPath;
use std::fs;
use std::os::unix::fs::symlink;

fn workspace(cwd: &AbsPath, environment: &Environment) -> Option<AbsPath> {
    session(cwd, environment).workspace
}

fn make(at: &AbsPath, directories: &[&str]) {
    for directory in directories {
        fs::create_dir_all(at.join(directory).as_str()).unwrap();
    }
}

#[test]
fn the_workspace_is_the_first_git_root_upward() {
    let (_keep, at) = directory();
    make(
        &at,
        &[
            "home",
            "repo/.git",
            "repo/a/b",
            "repo/inner/.git",
            "repo/inner/x",
            "worktree/y",
            "plain/z",
        ],
    );
    fs::write(
        at.join("worktree/.git").as_str(),
        "gitdir: ../repo/.git/worktrees/w\n",
    )
    .unwrap();
    symlink("repo/a", at.join("link").as_str()).unwrap();
    let environment = Environment {
        home: Some(at.join("home")),
        ..Environment::default()
    };
    for (cwd, root) in [
        ("repo", "repo"),
        ("repo/a/b", "repo"),
        ("repo/inner/x", "repo/inner"),
        ("worktree/y", "worktree"),
        ("link/b", "repo"),
        ("plain/z", "plain/z"),
    ] {
        assert_eq!(
            workspace(&at.join(cwd), &environment),
            Some(at.join(root)),
            "{cwd}"
        );
    }
    assert_eq!(workspace(&at.join("missing"), &environment), None);
}

#[test]
fn the_workspace_is_never_wider_than_a_piece_of_work() {
    let (_keep, at) = directory();
    make(&at, &["u/.git", "u/project/src", "tmp/job", "tmp/.git"]);
    symlink("u", at.join("link").as_str()).unwrap();
    let environment = Environment {
        home: Some(at.join("link")),
        tmpdir: Some(at.join("tmp")),
        ..Environment::default()
    };
    // A home directory that is a repository: only the directory itself.
    assert_eq!(
        workspace(&at.join("u/project/src"), &environment),
        Some(at.join("u/project/src"))
    );
    assert_eq!(
        workspace(&at.join("tmp/job"), &environment),
        Some(at.join("tmp/job"))
    );
    for wide in ["u", "link", "tmp", "."] {
        assert_eq!(workspace(&at.join(wide), &environment), None, "{wide}");
    }
    for wide in [
        "/",
        "/tmp",
        "/usr",
        "/usr/bin",
        "/etc",
        "/proc/self",
        "/opt",
        "/var",
        "/var/tmp",
    ] {
        assert_eq!(workspace(&path(wide), &environment), None, "{wide}");
    }
}

#[test]
fn temporary_places_are_named_with_links_and_without() {
    let (_keep, at) = directory();
    make(&at, &["real", "home/u"]);
    symlink("real", at.join("tmp").as_str()).unwrap();
    let mut environment = Environment {
        home: Some(at.join("home/u")),
        tmpdir: Some(at.join("tmp")),
        ..Environment::default()
    };
    let temporary = session(&at, &environment).temporary;
    for place in [
        at.join("tmp"),
        at.join("real"),
        path("/tmp"),
        path("/var/tmp"),
    ] {
        assert!(temporary.contains(&place), "{place}");
    }
    for wide in [
        AbsPath::root(),
        at.join("home"),
        at.join("home/u"),
        path("/etc"),
        path("/home"),
    ] {
        environment.tmpdir = Some(wide.clone());
        assert!(
            !session(&at, &environment).temporary.contains(&wide),
            "{wide}"
        );
    }
}

#[test]
fn own_places_are_named_with_links_and_without() {
    let (_keep, at) = directory();
    make(&at, &["home/u", "dotfiles/countersign", "bin"]);
    symlink("../../dotfiles", at.join("home/u/.config").as_str()).unwrap();
    fs::write(at.join("bin/countersign").as_str(), "").unwrap();
    let environment = Environment {
        home: Some(at.join("home/u")),
        user: Some("u".to_owned()),
        runtime_dir: Some(at.join("run")),
        binaries: vec![at.join("bin/countersign")],
        ..Environment::default()
    };
    let found = session(&at.join("bin"), &environment);
    for place in [
        "home/u/.config/countersign",
        "dotfiles/countersign",
        "home/u/.local/state/countersign",
        "run/countersign",
        "bin/countersign",
    ] {
        assert!(found.own.contains(&at.join(place)), "{place}");
    }
    assert_eq!(
        (found.home, found.user.as_deref()),
        (Some(at.join("home/u")), Some("u"))
    );

    let elsewhere = Environment {
        config_home: Some(at.join("c")),
        state_home: Some(at.join("s")),
        listed_home: Some(at.join("home/u")),
        ..Environment::default()
    };
    let found = session(&at.join("bin"), &elsewhere);
    assert!(
        found.own.contains(&at.join("c/countersign"))
            && found.own.contains(&at.join("s/countersign"))
    );
    assert_eq!(found.home, Some(at.join("home/u")));
    assert_eq!(session(&at.join("bin"), &Environment::default()).home, None);
}

#[test]
fn the_environment_of_a_process_has_what_is_needed() {
    let environment = Environment::of_process();
    assert!(
        !environment.binaries.is_empty() && environment.cwd.is_some() && environment.path.is_some()
    );
}
