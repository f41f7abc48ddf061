//! How far a long run is, on standard error; only on a terminal.

use crate::page::{Target, is_terminal};
use indicatif::ProgressBar;

/// A bar of that length, or one that is never seen.
pub(crate) fn bar(length: u64) -> ProgressBar {
    if is_terminal(Target::Messages) {
        ProgressBar::new(length)
    } else {
        ProgressBar::hidden()
    }
}
