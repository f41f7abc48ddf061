//! Replacing a small file: the old content or the new one, never neither, whatever happens on the way.

use crate::child::child;
use countersign_gate::durable::Guarded;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// What a directory holds beside the file and its lock.
fn strangers(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap();
    names
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "file" && name != "file.lock")
        .collect()
}

#[test]
fn a14_a_process_that_dies_on_the_way_leaves_the_old_or_the_new() {
    for (point, left) in [("Beside", "old"), ("Renamed", "new")] {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "old").unwrap();
        let mut dying = child("replace", &file, "new");
        let status = dying
            .env("COUNTERSIGN_FAULT", point)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(!status.success(), "{point}");
        assert_eq!(fs::read_to_string(&file).unwrap(), left, "{point}");
        // The next one is not held up by what the dead one left.
        let guarded = Guarded::lock(&file).unwrap();
        guarded.replace(Some(left), "next").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "next", "{point}");
    }
}

#[test]
fn a14_a_full_disk_leaves_the_old() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "old").unwrap();
    // A process that may write files of so many blocks only, and is told so rather than killed.
    let mut full = child("replace", &file, &"x".repeat(100_000));
    let words: Vec<_> = std::iter::once(full.get_program().to_owned())
        .chain(full.get_args().map(std::borrow::ToOwned::to_owned))
        .collect();
    let mut limited = std::process::Command::new("/bin/sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"])
        .args(words)
        .envs(
            full.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
    full.stdout(Stdio::null());
    let output = limited.output().unwrap();
    assert!(!output.status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(strangers(place.path()), Vec::<String>::new());
}

#[test]
fn a14_what_somebody_else_wrote_meanwhile_stays() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("deep/file");
    let guarded = Guarded::lock(&file).unwrap();
    guarded.replace(None, "first").unwrap();
    fs::write(&file, "theirs").unwrap();
    let error = guarded.replace(Some("first"), "mine").unwrap_err();
    assert!(error.to_string().contains("changed meanwhile"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");
    let error = guarded.replace(None, "mine").unwrap_err();
    assert!(error.to_string().contains("changed meanwhile"), "{error}");
    fs::remove_file(&file).unwrap();
    guarded.replace(Some("theirs"), "mine").unwrap_err();
    assert!(!file.exists());
}

#[test]
fn a14_two_writers_take_turns() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    let children: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .map(|name| {
            let mut child = child("add-lines", &file, name);
            child.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 60);
    for name in ["a", "b", "c"] {
        assert_eq!(text.lines().filter(|line| *line == name).count(), 20);
    }
}

#[test]
fn a14_what_cannot_be_written_is_told_and_left() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::create_dir(&file).unwrap();
    let guarded = Guarded::lock(&file).unwrap();
    let error = guarded.replace(None, "text").unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
    assert!(file.is_dir());
    assert_eq!(strangers(place.path()), Vec::<String>::new());
    fs::write(place.path().join("plain"), "").unwrap();
    Guarded::lock(&place.path().join("plain/file")).unwrap_err();
    std::os::unix::fs::symlink("elsewhere", place.path().join("other.lock")).unwrap();
    Guarded::lock(&place.path().join("other")).unwrap_err();
}
