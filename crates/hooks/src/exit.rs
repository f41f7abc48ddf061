//! The exit codes of a hook that say something to every host; which answer has which is its agent's.

/// The exit code that refuses.
pub const BLOCK: i32 = 2;
