//! What the gate promises, tested from outside through its public interface, in real files and real processes.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails, also in a function that several tests share"
)]

mod child;
mod example;
mod events;
mod back;
mod tamper;
mod trees;
mod processes;
mod deaths;
mod refusals;
mod lookups;
mod scripts;
mod aliases;
mod layers;
mod replacing;
mod places;
