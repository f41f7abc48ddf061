//! Reads the text of this repository for the tidy tests. It scans, it does not parse: no compiler is asked.

pub mod source;
pub mod functions;
pub mod imports;
pub mod circles;
pub mod manifest;
pub mod tree;
