//! The tests of the reader, one binary.

mod agreement;
mod data;
mod printing;
mod tree;
