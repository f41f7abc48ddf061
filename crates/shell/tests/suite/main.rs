//! The tests of the reader, one binary.

mod agreement;
mod data;
mod fields;
mod limits;
mod printing;
mod random;
mod tree;
