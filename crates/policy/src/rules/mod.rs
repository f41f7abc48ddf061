//! The rule language: its file format, patterns with their containment, layers and the built-in table.

pub mod pattern;
pub mod confinement;
pub mod directories;
pub mod approvals;
pub mod rule;
mod index;
pub mod layer;
pub mod overlap;
pub mod parse;
pub mod builtin;
pub mod protected;
