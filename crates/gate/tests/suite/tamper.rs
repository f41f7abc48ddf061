//! Row P12: whatever is done to a journal without computing it anew shows.

use crate::example::{is_full, journal, turn};
use countersign_gate::journal::broken::Flaw;
use countersign_gate::journal::error::JournalError;
use countersign_gate::journal::verify::verify;
use countersign_gate::journal::{Journal, Options};
use std::fs;
use std::path::{Path, PathBuf};

const LINES: usize = 100;

/// A journal of 100 lines to be tampered with.
struct Victim {
    _state: tempfile::TempDir,
    log: PathBuf,
    head: PathBuf,
    log_bytes: Vec<u8>,
    head_bytes: Vec<u8>,
}

impl Victim {
    fn new() -> Self {
        let state = tempfile::tempdir().unwrap();
        let journal = journal(state.path());
        let events: Vec<_> = (0..LINES).map(|number| turn(&number.to_string())).collect();
        // In batches of different sizes, as processes write them.
        let (some, rest) = events.split_at(30);
        for event in some {
            journal.record(std::slice::from_ref(event)).unwrap();
        }
        journal.record(rest).unwrap();
        let (log, head) = (journal.path().to_owned(), journal.head_path());
        let (log_bytes, head_bytes) = (fs::read(&log).unwrap(), fs::read(&head).unwrap());
        let victim = Self {
            _state: state,
            log,
            head,
            log_bytes,
            head_bytes,
        };
        victim.is_whole();
        victim
    }

    fn lines(&self) -> Vec<&[u8]> {
        self.log_bytes
            .split_inclusive(|&byte| byte == b'\n')
            .collect()
    }

    fn is_whole(&self) {
        let summary = verify(&self.log).unwrap();
        assert_eq!(summary.lines, LINES as u64);
        assert_eq!(summary.bytes, self.log_bytes.len() as u64);
        assert_eq!(summary.unsettled, None);
    }

    /// Puts bytes in the place of the log, expects a break, and returns its line.
    fn shows(&self, log: &[u8], what: &str) -> Option<u64> {
        fs::write(&self.log, log).unwrap();
        broken(&self.log, what).0
    }
}

fn broken(log: &Path, what: &str) -> (Option<u64>, Flaw) {
    match verify(log) {
        Err(JournalError::Broken(broken)) => (broken.line, broken.flaw),
        other => panic!("{what}: {other:?}"),
    }
}

/// Of how many changes one is tried. All of them take minutes unoptimised and seconds optimised.
fn one_of(many: usize) -> usize {
    if is_full() || cfg!(not(debug_assertions)) {
        1
    } else {
        many
    }
}

#[test]
fn every_flipped_bit_of_the_log_shows_at_its_line() {
    // A prime number, so that every bit and every field gets its turn.
    let stride = one_of(37);
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || {
                let victim = Victim::new();
                let mut log = victim.log_bytes.clone();
                let mut line = 1;
                for at in 0..log.len() {
                    for bit in (0..8).filter(|bit| (at * 8 + bit) % stride == 0 && at % 2 == half) {
                        log[at] ^= 1 << bit;
                        let shown = victim
                            .shows(&log, &format!("bit {bit} of byte {at}"))
                            .unwrap();
                        // The line itself where it is no line any more, else the next, which does not continue it.
                        assert!(
                            shown == line || shown == line + 1,
                            "line {line} shown at {shown}"
                        );
                        log[at] ^= 1 << bit;
                    }
                    line += u64::from(log[at] == b'\n');
                }
            });
        }
    });
}

#[test]
fn every_flipped_bit_of_the_head_shows() {
    let victim = Victim::new();
    for at in 0..victim.head_bytes.len() {
        for bit in (0..8).filter(|bit| (at * 8 + bit) % one_of(7) == 0) {
            let mut head = victim.head_bytes.clone();
            head[at] ^= 1 << bit;
            fs::write(&victim.head, &head).unwrap();
            broken(&victim.log, &format!("bit {bit} of byte {at} of the head"));
        }
    }
}

#[test]
fn every_removed_doubled_swapped_or_foreign_line_shows_at_its_place() {
    let victim = Victim::new();
    let lines = victim.lines();
    for at in 0..LINES {
        let here = at as u64 + 1;
        let mut removed = lines.clone();
        removed.remove(at);
        let shown = victim.shows(&removed.concat(), &format!("line {here} removed"));
        // A cut tail shows at the last line that is left.
        assert_eq!(shown, Some(if at + 1 == LINES { here - 1 } else { here }));

        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        let shown = victim.shows(&doubled.concat(), &format!("line {here} doubled"));
        assert_eq!(shown, Some(here + 1));

        let text = String::from_utf8(lines[at].to_vec()).unwrap();
        let foreign = text.replace(r#""turn":""#, r#""turn":"x"#);
        let mut put_in = lines.clone();
        put_in.insert(at, foreign.as_bytes());
        let shown = victim.shows(&put_in.concat(), &format!("line put in at {here}"));
        assert_eq!(shown, Some(here + 1));

        if at + 1 < LINES {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            let shown = victim.shows(&swapped.concat(), &format!("line {here} swapped"));
            assert_eq!(shown, Some(here));
        }
    }
}

#[test]
fn every_cut_of_the_log_shows() {
    let victim = Victim::new();
    let log = &victim.log_bytes;
    // At every end of a line, and wherever else.
    let at_line = |length: usize| length == 0 || log[length - 1] == b'\n';
    for length in (0..log.len()).filter(|&length| length % one_of(11) == 0 || at_line(length)) {
        victim.shows(&log[..length], &format!("cut to {length}"));
    }
}

#[test]
fn every_cut_of_the_head_shows_and_so_does_more() {
    let victim = Victim::new();
    for length in 0..victim.head_bytes.len() {
        fs::write(&victim.head, &victim.head_bytes[..length]).unwrap();
        broken(&victim.log, &format!("head cut to {length}"));
    }
    for more in [" ", "\n", "x"] {
        let mut head = victim.head_bytes.clone();
        head.extend(more.bytes());
        fs::write(&victim.head, head).unwrap();
        assert_eq!(broken(&victim.log, "longer head"), (None, Flaw::HeadForm));
    }
}

#[test]
fn a_missing_file_shows_to_readers_and_writers() {
    let victim = Victim::new();
    fs::remove_file(&victim.head).unwrap();
    assert_eq!(broken(&victim.log, "no head"), (None, Flaw::HeadMissing));
    refuses_to_write(&victim);

    let victim = Victim::new();
    fs::remove_file(&victim.log).unwrap();
    assert_eq!(broken(&victim.log, "no log"), (None, Flaw::JournalMissing));
    refuses_to_write(&victim);
}

#[test]
fn a_continued_cut_or_rolled_back_journal_takes_no_further_line() {
    let victim = Victim::new();
    let longer = [victim.log_bytes.as_slice(), victim.lines()[LINES - 1]].concat();
    victim.shows(&longer, "continued");
    refuses_to_write(&victim);
    victim.shows(&victim.lines()[..LINES - 1].concat(), "cut");
    refuses_to_write(&victim);

    // A well-formed older head record beside a newer log.
    let victim = Victim::new();
    let journal = journal(victim.log.parent().unwrap().parent().unwrap());
    journal.record(&[turn("more")]).unwrap();
    fs::write(&victim.head, &victim.head_bytes).unwrap();
    assert!(matches!(
        broken(&victim.log, "older head").1,
        Flaw::Grown { .. }
    ));
    refuses_to_write(&victim);
}

#[test]
fn one_session_s_journal_does_not_pass_for_another_s() {
    let victim = Victim::new();
    let other = victim.log.with_file_name("other.jsonl");
    fs::copy(&victim.log, &other).unwrap();
    fs::copy(&victim.head, other.with_extension("head")).unwrap();
    assert_eq!(broken(&other, "another name"), (Some(1), Flaw::Chain));
}

fn refuses_to_write(victim: &Victim) {
    let state = victim.log.parent().unwrap().parent().unwrap();
    let opened = Journal::open(state, "s", Options::default());
    assert!(matches!(opened, Err(JournalError::Broken(_))), "{opened:?}");
}
