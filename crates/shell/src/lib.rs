//! A strict reader of bash text.
//!
//! It turns a script into a closed tree with byte spans in which every command that could run has a place, or says that
//! it does not understand the text. It judges nothing, performs no I/O and reads no clock, environment or randomness.

pub mod print;
pub mod read;
pub mod span;
pub mod token;
pub mod tree;
pub mod unread;
pub mod walk;
