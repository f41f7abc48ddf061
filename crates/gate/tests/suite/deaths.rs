//! "No outcome leaves before its record is written": a process that dies between any two steps of a write.

use crate::child::child;
use crate::example::{journal, turn};
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::event::{Event, NoticeCode};
use countersign_gate::journal::verify::verify;
use countersign_gate::journal::{Journal, Options};
use std::process::Stdio;

/// What is left of a batch of two lines by a process that dies at a point, and the bytes that `verify` says are
/// unsettled.
fn dies(point: &str, lines_before: u64, lines_after: u64, repaired: bool) {
    let state = tempfile::tempdir().unwrap();
    if lines_before > 0 {
        journal(state.path()).record(&[turn("before")]).unwrap();
    }
    let mut dying = child("append-once", state.path(), "dying");
    let status = dying
        .env("COUNTERSIGN_FAULT", point)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(!status.success(), "{point}");
    if lines_before > 0 {
        let log = state.path().join("journal/s.jsonl");
        assert_eq!(
            verify(&log).unwrap().unsettled.is_some(),
            repaired,
            "{point}"
        );
    }

    let journal = journal(state.path());
    let summary = verify(journal.path()).unwrap();
    assert_eq!(summary.unsettled, None, "{point}");
    assert_eq!(summary.lines, lines_after, "{point}");
    let last = entries(journal.path()).unwrap().last();
    let notices = last.is_some_and(|entry| {
        matches!(entry.unwrap().event, Event::Notice(notice) if notice.code == NoticeCode::JournalRepaired)
    });
    assert_eq!(notices, repaired, "{point}");
    journal.record(&[turn("after")]).unwrap();
    assert_eq!(
        verify(journal.path()).unwrap().lines,
        lines_after + 1,
        "{point}"
    );
}

#[test]
fn before_anything_is_written() {
    dies("JournalMade", 0, 0, false);
    dies("HeadMade", 0, 0, false);
    dies("JournalMade", 1, 1, false);
    dies("HeadMade", 1, 1, false);
}

#[test]
fn with_a_part_of_the_first_head_record_written() {
    let state = tempfile::tempdir().unwrap();
    let head = journal(state.path()).head_path();
    let whole = std::fs::read(&head).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&head, &whole[..length]).unwrap();
        let journal = journal(state.path());
        assert_eq!(verify(journal.path()).unwrap().lines, 0);
    }
}

#[test]
fn after_the_write_was_announced() {
    dies("Announced", 1, 2, true);
    dies("Announced", 0, 1, true);
}

#[test]
fn with_half_of_it_written() {
    dies("HalfAppended", 1, 2, true);
    dies("HalfAppended", 0, 1, true);
}

#[test]
fn with_all_of_it_written() {
    dies("Appended", 1, 4, true);
    dies("Appended", 0, 3, true);
}

#[test]
fn after_the_write_was_settled() {
    dies("Settled", 1, 3, false);
    dies("Settled", 0, 2, false);
}

#[test]
fn a_dead_process_does_not_cover_up_for_tampering() {
    let state = tempfile::tempdir().unwrap();
    let log = state.path().join("journal/s.jsonl");
    journal(state.path()).record(&[turn("before")]).unwrap();
    let mut dying = child("append-once", state.path(), "dying");
    dying
        .env("COUNTERSIGN_FAULT", "Appended")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    assert!(!dying.status().unwrap().success());
    let whole = std::fs::read(&log).unwrap();
    let opens = || Journal::open(state.path(), "s", Options::default()).is_ok();
    // A line that was settled is missing.
    std::fs::write(&log, &whole[..100]).unwrap();
    assert!(verify(&log).is_err() && !opens());
    // What was announced is not what stands there.
    let text = String::from_utf8(whole.clone()).unwrap();
    std::fs::write(&log, text.replace("dying", "lying")).unwrap();
    assert!(verify(&log).is_err() && !opens());
    // More than was announced stands there.
    std::fs::write(&log, [whole.as_slice(), b"{}\n"].concat()).unwrap();
    assert!(verify(&log).is_err() && !opens());
    std::fs::write(&log, whole).unwrap();
    assert!(verify(&log).is_ok() && opens());
}
