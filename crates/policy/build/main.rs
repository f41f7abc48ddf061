//! Turns knowledge that is kept as TOML into static Rust tables, so that nothing is parsed when the gate starts.

mod programs;
mod rules;

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build");
    programs::compile()?;
    rules::compile()
}
