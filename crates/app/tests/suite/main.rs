//! The command line as people and programs meet it: the real binary, in homes of its own. One file per subject.

mod place;
mod expected;
mod check;
mod explain;
mod call;
mod configuration;
mod hostile;
mod log;
mod terminal;
