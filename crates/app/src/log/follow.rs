//! Going on as entries are written: the journals are looked at again and again, until an interrupt ends the process.

use super::listing::{Health, Listing};
use super::sessions::{Journal, Which, find};
use crate::error::CommandError;
use crate::exit::Exit;
use std::collections::HashMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// How often to look.
const PAUSE: Duration = Duration::from_millis(250);

/// Shows what is there and what comes. It returns only when the output can no longer be written.
pub(super) fn run(
    listing: &mut Listing,
    which: &Which,
    mut journals: Vec<Journal>,
) -> Result<Exit, CommandError> {
    let mut sizes: HashMap<PathBuf, u64> = HashMap::new();
    loop {
        for journal in &journals {
            let size = std::fs::metadata(&journal.path).map_or(0, |metadata| metadata.len());
            if sizes.insert(journal.path.clone(), size) == Some(size) || size == 0 {
                continue;
            }
            match listing.show(journal)? {
                // What does not fit was said; what comes after it is still worth seeing.
                Health::Whole | Health::Damaged => {}
            }
        }
        sleep(PAUSE);
        // The session that was the newest at the start stays the one that is followed.
        match (which, journals.is_empty()) {
            (Which::All, _) | (Which::Newest, true) => journals = find(which)?,
            (Which::Newest | Which::Named(_), _) => {}
        }
    }
}
