//! Permission settings of other agents, translated into our rules: what means the same here or is stricter, and in
//! words what could not be translated. Modules are listed in the order in which settings pass through them.

pub mod source;
mod jsonc;
mod claude_code;
mod codex;
mod gemini;
mod opencode;
mod command;
mod place;
mod settle;
pub mod imported;
pub mod file;
