//! What the hook promises its hosts, tested from outside with real processes and a stand-in for the host.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails, also in a function that several tests share"
)]

mod place;
mod host;
mod modes;
mod tools;
mod messages;
mod questions;
mod reports;
mod expansions;
mod sessions;
mod changes;
mod failures;
mod parallel;
mod settings;
mod doctor;
mod importing;
mod import_model;
