//! From a call to its effects: reading shell text and arguments with the programs' data, then grounding in the world.

pub mod command;
pub mod effect;
pub mod programs;
