//! From a call to its effects: reading shell text and arguments with the programs' data, then grounding in the world.

mod argv;
mod builtin;
pub mod command;
mod discard;
pub mod effect;
mod env;
pub(crate) mod glob;
pub mod ground;
mod invocation;
mod lines;
mod locate;
mod obeyed;
mod operands;
pub mod mcp;
pub mod opacity;
mod output;
mod parameter;
pub mod programs;
pub mod read;
mod repository;
mod run;
mod script;
mod shared;
mod shell_text;
mod simple;
mod special;
mod started;
mod spread;
mod stream;
pub mod tools;
mod value;
mod variables;
mod word;
mod wrapped;

/// Whether the shell itself runs a command of that name.
pub(crate) fn is_builtin(name: &str) -> bool {
    builtin::is_builtin(name)
}
