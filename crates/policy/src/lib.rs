//! From a tool call to a verdict with its trace.
//!
//! A call passes the modules in the order in which they are listed: it is read into effects, grounded in a world that
//! somebody else looked up, turned into requests and judged by rules and a mode. Pure: no I/O, no clock, no
//! environment, no randomness.

pub mod path;
pub mod session;
pub mod call;
pub mod effects;
pub mod action;
pub mod rules;
pub mod world;
pub mod project;
pub mod places;
pub mod request;
mod floor;
pub mod requests;
pub mod judge;
pub mod mode;
pub mod verdict;
pub mod turn;
pub mod grant;
pub mod outcome;
pub mod explain;
pub mod printable;
