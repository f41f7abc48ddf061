//! Case files: rules, a made-up world, a call, and what is expected of it. Text in, report out; nothing here touches a
//! file system, runs a command or decides a verdict.

pub mod document;
pub mod entry;
pub mod world;
pub mod call;
mod tool;
pub mod situation;
mod shown;
pub mod claim;
pub mod evidence;
pub mod table;
pub mod coverage;
pub mod expected;
pub mod folder;
pub mod report;
pub mod run;
pub mod way;
pub mod filling;
pub mod judged;
