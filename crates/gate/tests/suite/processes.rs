//! Row P12: many processes append to one session, and no line is lost, torn or out of place.

use crate::child::child;
use crate::example::{is_full, journal, turn};
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::event::Event;
use countersign_gate::journal::verify::verify;
use countersign_gate::journal::{Journal, Options};
use std::collections::BTreeMap;
use std::fs::File;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

#[test]
fn many_processes_append_to_one_session() {
    let count = if is_full() { 200 } else { 20 };
    let state = tempfile::tempdir().unwrap();
    let spawn = |name: usize| {
        let mut command = child("append-50", state.path(), &name.to_string());
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..count).map(spawn).collect();
    // Whoever reads meanwhile sees whole lines only.
    let journal = journal(state.path());
    for entry in entries(journal.path()).unwrap() {
        entry.unwrap();
    }
    verify(journal.path()).unwrap();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(verify(journal.path()).unwrap().lines, 50 * count as u64);
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries(journal.path()).unwrap() {
        let Event::TurnOpened(turn) = entry.unwrap().event else {
            panic!("a foreign event");
        };
        let (process, number) = turn.turn.split_once('-').unwrap();
        let due = next.entry(process.to_owned()).or_default();
        assert_eq!(number, due.to_string(), "process {process}");
        *due += 1;
    }
    assert!(next.len() == count && next.values().all(|&lines| lines == 50));
}

#[test]
fn processes_killed_at_any_moment_leave_a_journal_that_goes_on() {
    let rounds = if is_full() { 200 } else { 20 };
    let state = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        let spawn = |name: &str| {
            let mut command = child("append-until-refused", state.path(), name);
            command.stdout(Stdio::null()).spawn().unwrap()
        };
        let mut children = [spawn("a"), spawn("b")];
        sleep(Duration::from_millis(10 + round * 7 % 23));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let journal = journal(state.path());
        journal.record(&[turn("after")]).unwrap();
        assert_eq!(verify(journal.path()).unwrap().unsettled, None);
    }
}

#[test]
fn threads_that_share_a_journal_take_turns() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    std::thread::scope(|scope| {
        for name in ["a", "b", "c"] {
            let journal = &journal;
            scope.spawn(move || {
                for _ in 0..100 {
                    journal.record(&[turn(name), turn(name)]).unwrap();
                }
            });
        }
    });
    assert_eq!(verify(journal.path()).unwrap().lines, 600);
}

#[test]
fn a_stuck_process_ends_in_an_error_and_not_in_a_hang() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    let stuck = File::open(journal.path()).unwrap();
    stuck.lock().unwrap();
    let start = Instant::now();
    let lock_wait = Duration::from_millis(100);
    let options = Options {
        lock_wait,
        ..Options::default()
    };
    let opened = Journal::open(state.path(), "s", options);
    assert!(
        matches!(opened, Err(JournalError::Locked { .. })),
        "{opened:?}"
    );
    assert!(start.elapsed() >= lock_wait && start.elapsed() < Duration::from_secs(5));
    stuck.unlock().unwrap();
    journal.record(&[turn("free")]).unwrap();
}
