//! What the benches and the measuring programs share: recorded commands, counts and times.

pub mod labels;
pub mod peers;
pub mod rows;
pub mod tally;
pub mod times;

/// The page on embedding is compiled and run with the tests, so that it stays true.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
pub mod embedding {}
