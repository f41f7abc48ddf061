//! What is found on the machine: links and programs, and a limit on how much is looked up.

use crate::child::child;
use crate::example::{directory, path};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::{Exhausted, Looker, look};
use countersign_policy::path::AbsPath;
use countersign_policy::world::{FileKind, Found, Lookup, World};
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

fn leads(at: &AbsPath) -> Found {
    look(&Lookup::Path(at.clone()), &Environment::default())
}

fn found(resolved: AbsPath, kind: FileKind) -> Found {
    Found::Path { resolved, kind }
}

fn is_failed(found: &Found) -> bool {
    matches!(found, Found::Failed(_))
}

#[test]
fn links_are_followed_step_by_step() {
    let (_keep, at) = directory();
    fs::create_dir_all(at.join("real/deep").as_str()).unwrap();
    fs::write(at.join("real/file").as_str(), "").unwrap();
    for (link, target) in [
        ("direct", "real/file"),
        ("absolute", at.join("real").as_str()),
        ("chain", "absolute/deep"),
        ("up", "real/deep/../file"),
        // Behind a link `..` is the parent of where the link leads.
        ("behind", "chain/../file"),
        ("dangling", "nowhere/at/all"),
        ("slashes", ".//real/./"),
    ] {
        symlink(target, at.join(link).as_str()).unwrap();
    }
    for (asked, resolved, kind) in [
        ("real", "real", FileKind::Directory),
        ("direct", "real/file", FileKind::File),
        ("absolute/file", "real/file", FileKind::File),
        ("chain", "real/deep", FileKind::Directory),
        ("up", "real/file", FileKind::File),
        ("behind", "real/file", FileKind::File),
        ("slashes", "real", FileKind::Directory),
        ("dangling", "nowhere/at/all", FileKind::Missing),
        ("dangling/more", "nowhere/at/all/more", FileKind::Missing),
        ("chain/new/file", "real/deep/new/file", FileKind::Missing),
        (
            "direct/below-a-file",
            "real/file/below-a-file",
            FileKind::Missing,
        ),
    ] {
        assert_eq!(
            leads(&at.join(asked)),
            found(at.join(resolved), kind),
            "{asked}"
        );
    }
    assert_eq!(
        leads(&AbsPath::root()),
        found(AbsPath::root(), FileKind::Directory)
    );
}

#[test]
fn loops_and_long_chains_end() {
    let (_keep, at) = directory();
    symlink("self", at.join("self").as_str()).unwrap();
    symlink("b", at.join("a").as_str()).unwrap();
    symlink("a", at.join("b").as_str()).unwrap();
    symlink("grow/x", at.join("grow").as_str()).unwrap();
    fs::write(at.join("0").as_str(), "").unwrap();
    for number in 1..=41 {
        let (link, target) = (number.to_string(), (number - 1).to_string());
        symlink(target, at.join(&link).as_str()).unwrap();
    }
    for asked in ["self", "a", "b/x", "grow", "41"] {
        assert!(is_failed(&leads(&at.join(asked))), "{asked}");
        assert!(fs::metadata(at.join(asked).as_str()).is_err(), "{asked}");
    }
    assert_eq!(leads(&at.join("40")), found(at.join("0"), FileKind::File));
}

#[test]
fn kinds_are_told_apart() {
    let (_keep, at) = directory();
    let _socket = UnixListener::bind(at.join("socket").as_str()).unwrap();
    assert_eq!(
        leads(&at.join("socket")),
        found(at.join("socket"), FileKind::Other)
    );
    assert!(
        Command::new("mkfifo")
            .arg(at.join("pipe").as_str())
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(
        leads(&at.join("pipe")),
        found(at.join("pipe"), FileKind::Other)
    );
    assert_eq!(
        leads(&path("/dev/null")),
        found(path("/dev/null"), FileKind::Device)
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_differs_for_every_process_cannot_be_told() {
    for own in [
        "/proc/self/cwd/x",
        "/proc/self/fd/1",
        "/dev/stdin",
        "/proc/self/fd/999",
        "/proc/1/root/etc",
    ] {
        assert!(is_failed(&leads(&path(own))), "{own}");
    }
    let environ = path("/proc/self/environ");
    assert_eq!(leads(&environ), found(environ, FileKind::File));
}

#[test]
fn what_cannot_be_looked_at_fails() {
    let (_keep, at) = directory();
    // No user, not even root, can look at a name that is too long.
    assert!(is_failed(&leads(&at.join(&"x".repeat(300)))));
    symlink(
        std::ffi::OsStr::from_bytes(b"\xff"),
        at.join("latin").as_str(),
    )
    .unwrap();
    assert!(is_failed(&leads(&at.join("latin"))));

    let closed = at.join("closed");
    fs::create_dir_all(closed.join("in").as_str()).unwrap();
    let mut looks = child("look", closed.join("in/file").as_str().as_ref(), "");
    if fs::metadata(closed.as_str()).unwrap().uid() == 0 {
        // Permissions do not bind root, so that the child is somebody else.
        looks.uid(65534);
        fs::set_permissions(at.as_str(), Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(closed.as_str(), Permissions::from_mode(0o000)).unwrap();
    let output = looks.output();
    fs::set_permissions(closed.as_str(), Permissions::from_mode(0o700)).unwrap();
    match output {
        Ok(output) => {
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.contains("found: Failed("), "{said}");
        }
        Err(error) => eprintln!("skipped: the test cannot be run as somebody else: {error}"),
    }
}

#[test]
fn the_search_path_is_searched_as_a_shell_does() {
    let (_keep, at) = directory();
    for (file, mode) in [
        ("one/plain", 0o644),
        ("two/plain", 0o755),
        ("one/both", 0o755),
        ("two/both", 0o755),
        ("cwd/local", 0o755),
        ("cwd/both", 0o755),
    ] {
        let file = at.join(file);
        fs::create_dir_all(file.parent().as_str()).unwrap();
        fs::write(file.as_str(), "").unwrap();
        fs::set_permissions(file.as_str(), Permissions::from_mode(mode)).unwrap();
    }
    fs::create_dir_all(at.join("one/directory").as_str()).unwrap();
    symlink("both", at.join("one/link").as_str()).unwrap();
    let search = |path: &str, name: &str| {
        let path = path.replace('@', at.as_str());
        let environment = Environment {
            path: Some(path),
            cwd: Some(at.join("cwd")),
            ..Environment::default()
        };
        look(&Lookup::Program(name.to_owned()), &environment)
    };
    let is = |file: &str| Found::Program(Some(at.join(file)));
    assert_eq!(search("@/one:@/two", "both"), is("one/both"));
    assert_eq!(search("@/two:@/one", "both"), is("two/both"));
    assert_eq!(search("@/none:@/one:@/two", "plain"), is("two/plain"));
    assert_eq!(search("@/one:@/two", "link"), is("one/link"));
    assert_eq!(search("@/one", "directory"), Found::Program(None));
    assert_eq!(search("@/one", "local"), Found::Program(None));
    // An empty entry is the working directory; what lies behind it may be hidden where the command runs elsewhere.
    assert_eq!(search(":@/one", "local"), is("cwd/local"));
    assert_eq!(search("@/one:", "both"), is("one/both"));
    assert_eq!(search(".:@/one", "both"), is("cwd/both"));
    assert!(is_failed(&search(":@/two", "plain")));
    assert!(is_failed(&search("@/one:", "absent")));
    assert!(is_failed(&search("~/bin:@/two", "plain")));
    assert!(is_failed(&search("@/one", "")));
    assert!(is_failed(&search("@/one", "one/both")));
    let nothing = look(&Lookup::Program("sh".to_owned()), &Environment::default());
    assert!(is_failed(&nothing));
}

#[test]
fn a_call_has_so_many_lookups_and_no_more() {
    let environment = Environment::default();
    let mut looker = Looker::with_limit(&environment, 2);
    let mut world = World::new();
    let ask = |path: &str| Lookup::Path(AbsPath::parse(path).unwrap());
    assert_eq!(looker.fill(&[ask("/"), ask("/")], &mut world), Ok(()));
    assert_eq!(
        looker.fill(&[ask("/"), ask("/a"), ask("/b")], &mut world),
        Err(Exhausted)
    );
    assert_eq!(world.facts().count(), 2);
}
