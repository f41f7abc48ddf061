//! The rule language: its file format, patterns with their containment, layers and the built-in table.

pub mod rule;
