//! The command line as people and programs meet it: the real binary, in homes of its own. One file per subject.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails, also in a function that several tests share"
)]

mod place;
mod expected;
mod check;
mod explain;
mod call;
mod configuration;
mod hostile;
mod log;
mod replay;
mod bench;
mod hook;
mod init;
mod install;
mod doctor;
mod terminal;
mod grants;
mod trust;
mod rules;
mod test;
mod manual;
mod suggest;
