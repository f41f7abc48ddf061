//! Compiles programs/*.toml into tables; nothing yet.

fn main() {}
