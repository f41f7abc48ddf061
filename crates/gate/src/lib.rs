//! The synchronous gate: what it looks up on the machine and what it keeps of a session. It asks nobody and runs
//! nothing.
//!
//! Everything here answers at once, so that a hook process can link it: no async runtime, no network, no user
//! interface.

pub mod world;
pub mod ground;
pub mod imagined;
mod fault;
mod hex;
pub mod durable;
pub mod rules;
pub mod journal;
pub mod decide;
pub mod grants;
