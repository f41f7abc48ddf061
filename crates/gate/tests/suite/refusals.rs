//! Every error refuses: full disks, directories that cannot be written, things in the place of files.

use crate::child::child;
use crate::example::{journal, turn};
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::verify::verify;
use countersign_gate::journal::{Journal, Options};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Runs the child that appends until it is refused, with files limited to 16 KiB.
fn append_to_the_limit(state: &std::path::Path, before: &str) -> (String, bool) {
    let deed = child("append-until-refused", state, "x");
    let mut limited = Command::new("bash");
    let script = format!(r#"{before} ulimit -c 0; ulimit -f 16; exec "$0" "$@""#);
    limited
        .args(["-c", &script])
        .arg(deed.get_program())
        .args(deed.get_args());
    limited.envs(
        deed.get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let output = limited.output().unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        output.status.success(),
    )
}

#[test]
fn a_full_disk_refuses_and_leaves_no_torn_line() {
    let state = tempfile::tempdir().unwrap();
    let (said, well) = append_to_the_limit(state.path(), "trap '' XFSZ;");
    assert!(well && said.contains("refused: only"), "{said}");
    let journal = journal(state.path());
    let summary = verify(journal.path()).unwrap();
    assert!(
        said.contains(&format!("recorded: {}\n", summary.lines)),
        "{said}"
    );
    assert!(summary.unsettled.is_none() && summary.bytes <= 16 * 1024);
    journal.record(&[turn("space again")]).unwrap();
    assert_eq!(verify(journal.path()).unwrap().lines, summary.lines + 1);
}

#[test]
fn a_disk_with_no_byte_left_refuses() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    // Fill the file to the byte, so that the write itself fails.
    let bytes = || verify(journal.path()).unwrap().bytes;
    journal.record(&[turn("")]).unwrap();
    let mut shortest = bytes();
    while 16 * 1024 - bytes() > 3 * shortest {
        let before = bytes();
        journal.record(&[turn("")]).unwrap();
        shortest = bytes() - before;
    }
    let longer = usize::try_from(16 * 1024 - bytes() - shortest).unwrap();
    journal.record(&[turn(&"x".repeat(longer))]).unwrap();
    let full = verify(journal.path()).unwrap();
    assert_eq!(full.bytes, 16 * 1024);
    let (said, _) = append_to_the_limit(state.path(), "trap '' XFSZ;");
    assert!(
        said.contains("recorded: 0\nrefused: cannot write to"),
        "{said}"
    );
    assert_eq!(verify(journal.path()).unwrap(), full);
    // Without the trap the kernel ends the process; what it announced is taken back by the next.
    let (said, well) = append_to_the_limit(state.path(), "");
    assert!(!well && !said.contains("refused"), "{said}");
    assert_eq!(verify(journal.path()).unwrap().unsettled, Some(0));
    journal.record(&[turn("space again")]).unwrap();
    assert_eq!(verify(journal.path()).unwrap().lines, full.lines + 2);
}

#[test]
fn things_in_the_place_of_files_refuse() {
    let state = tempfile::tempdir().unwrap();
    let opens = || Journal::open(state.path(), "s", Options::default());
    fs::write(state.path().join("journal"), "").unwrap();
    assert!(matches!(opens(), Err(JournalError::Io { .. })));
    fs::remove_file(state.path().join("journal")).unwrap();
    for name in ["s.jsonl", "s.head"] {
        let file = state.path().join("journal").join(name);
        fs::create_dir_all(&file).unwrap();
        assert!(matches!(opens(), Err(JournalError::Io { .. })), "{name}");
        fs::remove_dir(&file).unwrap();
        symlink("/dev/null", &file).unwrap();
        assert!(matches!(opens(), Err(JournalError::Io { .. })), "{name}");
        fs::remove_file(&file).unwrap();
        let made = Command::new("mkfifo").arg(&file).status().unwrap();
        assert!(made.success());
        assert!(opens().is_err(), "{name}");
        fs::remove_file(&file).unwrap();
        let _ = fs::remove_file(state.path().join("journal/s.jsonl"));
    }
    opens().unwrap();
}

#[test]
fn a_directory_that_cannot_be_written_refuses() {
    let state = tempfile::tempdir().unwrap();
    fs::set_permissions(state.path(), Permissions::from_mode(0o555)).unwrap();
    let mut deed = child("open", state.path(), "");
    if fs::metadata(state.path()).unwrap().uid() == 0 {
        // Permissions do not bind root, so that the child is somebody else.
        deed.uid(65534);
    }
    match deed.output() {
        Ok(output) => {
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(
                said.contains("refused: cannot make the directory"),
                "{said}"
            );
        }
        Err(error) => eprintln!("skipped: the test cannot be run as somebody else: {error}"),
    }
}

#[test]
fn files_are_for_nobody_else() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&state.path().join("journal")), 0o700);
    assert_eq!(mode(journal.path()), 0o600);
    assert_eq!(mode(&journal.head_path()), 0o600);
}

#[test]
fn a_moved_journal_begins_anew() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    journal.record(&[turn("a")]).unwrap();
    fs::rename(journal.path(), state.path().join("kept.jsonl")).unwrap();
    assert!(journal.record(&[turn("b")]).is_err());
    fs::rename(journal.head_path(), state.path().join("kept.head")).unwrap();
    journal.record(&[turn("b")]).unwrap();
    assert_eq!(verify(journal.path()).unwrap().lines, 1);
}

#[test]
fn foreign_session_identities_stay_inside() {
    let state = tempfile::tempdir().unwrap();
    let long = "x".repeat(10_000);
    let identities = ["../../x", "", &long, "a/b", "a_b", ".", "..", "A", "a"];
    for identity in identities {
        let journal = Journal::open(state.path(), identity, Options::default()).unwrap();
        journal.record(&[turn("t")]).unwrap();
        assert_eq!(verify(journal.path()).unwrap().lines, 1, "{identity}");
    }
    let files = fs::read_dir(state.path().join("journal")).unwrap().count();
    assert_eq!(files, 2 * identities.len());
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 1);
}
