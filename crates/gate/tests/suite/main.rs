//! What the gate promises, tested from outside through its public interface, in real files and real processes.

mod child;
mod example;
mod events;
mod tamper;
mod processes;
mod deaths;
mod refusals;
mod lookups;
mod aliases;
mod places;
