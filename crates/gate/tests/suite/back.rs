//! Row P12: a journal read from its end says the same as from its beginning, and what follows from it is recorded
//! before anybody else writes.

use crate::example::{journal, turn};
use countersign_gate::journal::entries::entries;
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::event::{Event, NoticeCode};
use std::io::Write as _;

/// All lines from the last back.
fn back(journal: &countersign_gate::journal::Journal) -> Result<Vec<u64>, JournalError> {
    let mut seen = Vec::new();
    journal.record_seeing(|back| {
        for entry in back {
            seen.push(entry?.seq);
        }
        Ok(Vec::new())
    })?;
    Ok(seen)
}

#[test]
fn p12_the_last_line_comes_first_and_none_is_left_out() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    assert_eq!(back(&journal).unwrap(), [] as [u64; 0]);
    // Lines end before, at and after the bounds of what is read at once.
    for size in [1, 700, 1000, 65_000, 66_000, 1, 200_000, 65_536, 3] {
        let events = vec![turn(&"x".repeat(size)); 3];
        journal.record(&events).unwrap();
        let mut seen = back(&journal).unwrap();
        seen.reverse();
        let all: Vec<u64> = entries(journal.path())
            .unwrap()
            .map(|entry| entry.unwrap().seq)
            .collect();
        assert_eq!(seen, all, "{size}");
    }
}

#[test]
fn p12_what_follows_from_a_look_is_recorded_and_an_error_records_nothing() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    journal.record(&[turn("a"), turn("b")]).unwrap();
    let recorded = journal.record_seeing(|back| {
        let count = back.count();
        Ok(vec![Event::notice(
            NoticeCode::Other,
            &format!("{count} lines"),
        )])
    });
    assert_eq!(recorded.unwrap().len(), 1);
    let last = entries(journal.path()).unwrap().last().unwrap().unwrap();
    assert_eq!(last.event, Event::notice(NoticeCode::Other, "2 lines"));
    let refused = journal.record_seeing(|_| {
        let path = journal.path().to_owned();
        Err(JournalError::NotAFile { path })
    });
    assert!(refused.is_err());
    assert_eq!(back(&journal).unwrap(), [3, 2, 1]);
}

#[test]
fn p12_a_line_that_cannot_be_read_ends_the_look_with_an_error() {
    let state = tempfile::tempdir().unwrap();
    let journal = journal(state.path());
    journal.record(&[turn("a"), turn("b")]).unwrap();
    let text = std::fs::read_to_string(journal.path()).unwrap();
    // As long as before, so that the head record fits.
    let broken = text.replacen("turn/opened", "turn/opemed", 1);
    let mut file = std::fs::File::create(journal.path()).unwrap();
    file.write_all(broken.as_bytes()).unwrap();
    let mut seen = Vec::new();
    let looked = journal.record_seeing(|back| {
        seen.extend(back.map(|entry| entry.is_ok()));
        Ok(Vec::new())
    });
    assert!(looked.is_ok());
    assert_eq!(seen, [true, false]);
}
