//! The built-in layer: countersign's own table, written in the rule language; it lies below every file.

use super::layer::Layer;
use super::parse;
use super::rule::Authority;

/// The text of the built-in table.
pub const TEXT: &str = include_str!("builtin.toml");

/// The name by which the table is known.
pub const ORIGIN: &str = "built-in";

/// The built-in layer.
pub fn builtin() -> Layer {
    parse::parse(TEXT, ORIGIN, Authority::Builtin).layer
}
