//! Other agents' hook contracts, one module per agent with the same three functions, and their installation.
//!
//! A hook answers at once from what is on this machine: it waits for no person and no model, and links no async
//! runtime. Modules are listed in the order in which a call passes through them.

pub mod process;
pub mod deadline;
pub mod agent;
pub mod claude_code;
pub mod acp;
pub mod recorded;
pub mod asked;
pub mod granted;
pub mod respond;
mod decided;
pub mod expanded;
pub mod reported;
pub mod started;
pub mod changed;
pub mod baseline;
pub mod surface;
pub mod answer;
pub mod said;
pub mod exit;
mod printable;
mod json;
pub mod hooked;
pub mod entry;
pub mod install;
pub mod import;
pub mod doctor;
