//! The tests of the reader, one binary.

mod agreement;
mod commands;
mod coverage;
mod data;
mod fields;
mod limits;
mod mutants;
mod printing;
mod random;
mod spans;
mod tree;
mod twice;
