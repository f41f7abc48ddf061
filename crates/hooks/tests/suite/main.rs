//! What the hook promises its hosts, tested from outside with real processes and a stand-in for the host.

mod place;
mod host;
mod modes;
mod tools;
mod messages;
mod failures;
mod parallel;
mod settings;
mod doctor;
