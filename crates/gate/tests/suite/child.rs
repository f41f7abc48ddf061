//! The test binary as its own child: what a test needs another process for. Each deed is named by a variable.

use crate::example::{journal, path, turn};
use countersign_gate::durable::Guarded;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::world::environment::Environment;
use countersign_gate::world::look;
use countersign_policy::world::Lookup;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const DEED: &str = "COUNTERSIGN_TEST_DEED";
const STATE: &str = "COUNTERSIGN_TEST_STATE";
const NAME: &str = "COUNTERSIGN_TEST_NAME";

/// A child that does a deed.
pub(crate) fn child(deed: &str, state: &Path, name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["child::run", "--exact", "--nocapture", "--test-threads=1"])
        .env(DEED, deed)
        .env(STATE, state)
        .env(NAME, name);
    command
}

/// Not a test by itself: the entry of the children.
#[test]
fn run() {
    let Ok(deed) = std::env::var(DEED) else {
        return;
    };
    let state = std::env::var(STATE).unwrap();
    let name = std::env::var(NAME).unwrap();
    let state = Path::new(&state);
    match deed.as_str() {
        "append-50" => append_50(state, &name),
        "append-until-refused" => append_until_refused(state, &name),
        "append-once" => {
            journal(state).record(&[turn(&name), turn(&name)]).unwrap();
        }
        "open" => match Journal::open(state, "s", Options::default()) {
            Ok(_) => println!("opened"),
            Err(error) => println!("refused: {error}"),
        },
        "look" => {
            let found = look(&Lookup::Path(path(state)), &Environment::default());
            println!("found: {found:?}");
        }
        "replace" => {
            let guarded = Guarded::lock(state).unwrap();
            guarded.replace(Some("old"), &name).unwrap();
        }
        "add-lines" => add_lines(state, &name),
        other => panic!("no deed {other}"),
    }
}

fn add_lines(file: &Path, name: &str) {
    for _ in 0..20 {
        let guarded = Guarded::lock(file).unwrap();
        let before = std::fs::read_to_string(file).ok();
        let text = before.clone().unwrap_or_default() + name + "\n";
        guarded.replace(before.as_deref(), &text).unwrap();
    }
}

fn append_50(state: &Path, name: &str) {
    let lock_wait = Duration::from_secs(120);
    let options = Options {
        lock_wait,
        ..Options::default()
    };
    for number in 0..50 {
        // Opened anew each time, as a hook process does.
        let journal = Journal::open(state, "s", options).unwrap();
        let recorded = journal
            .record(&[turn(&format!("{name}-{number}"))])
            .unwrap();
        assert_eq!(recorded.len(), 1);
    }
}

fn append_until_refused(state: &Path, name: &str) {
    let journal = journal(state);
    let mut count = 0_u64;
    loop {
        match journal.record(&[turn(&format!("{name}-{count}"))]) {
            Ok(_) => count += 1,
            Err(error) => {
                println!("recorded: {count}\nrefused: {error}");
                return;
            }
        }
    }
}
