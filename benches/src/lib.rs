//! What the benches and the measuring programs share: recorded commands, counts and times.

pub mod labels;
pub mod peers;
pub mod rows;
pub mod tally;
pub mod times;

use std::io::Write as _;
use std::process::ExitCode;

/// Prints a report, or why there is none, and says how the program ends.
pub fn finish(report: Result<String, String>) -> ExitCode {
    match report {
        Ok(report) => {
            // Whoever closes the pipe early has read enough.
            let _ = std::io::stdout().write_all(report.as_bytes());
            ExitCode::SUCCESS
        }
        Err(words) => {
            eprintln!("{words}");
            ExitCode::FAILURE
        }
    }
}

/// The page on embedding is compiled and run with the tests, so that it stays true.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
pub mod embedding {}
