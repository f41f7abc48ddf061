//! The program `countersign-hook <agent>`: one message of an agent's host on stdin, one answer. It has no other
//! commands.

use countersign_hooks::agent::Agent;
use countersign_hooks::exit::BLOCK;
use countersign_hooks::process::{self, Pins};
use std::ffi::OsString;

fn main() {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (first, rest) = match arguments.split_first() {
        Some((first, rest)) => (first.to_str(), rest),
        None => (None, &[][..]),
    };
    if first == Some("--version") && rest.is_empty() {
        println!("countersign-hook {}", env!("CARGO_PKG_VERSION"));
        return;
    }
    if let (Some(agent), Some(pins)) = (first.and_then(Agent::parse), Pins::parse(rest)) {
        process::run(agent, pins);
    }
    // A host that calls this wrongly must not take it for a consent.
    eprintln!("{USAGE}");
    std::process::exit(BLOCK);
}

const USAGE: &str =
    "usage: countersign-hook claude-code [--config-home DIR] [--state-home DIR] < message.json";
