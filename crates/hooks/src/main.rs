//! The program `countersign-hook <agent>`: one message of an agent's host on stdin, one answer. It has no other
//! commands.

use countersign_hooks::agent::Agent;
use countersign_hooks::exit::BLOCK;
use countersign_hooks::process;

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next();
    let name = first.as_ref().and_then(|name| name.to_str());
    match (name, arguments.next()) {
        (Some("--version"), None) => println!("countersign-hook {}", env!("CARGO_PKG_VERSION")),
        (Some(name), None) if Agent::parse(name).is_some() => {
            process::run(Agent::parse(name).unwrap_or_default());
        }
        _ => {
            // A host that calls this wrongly must not take it for a consent.
            eprintln!("usage: countersign-hook claude-code < message.json");
            std::process::exit(BLOCK);
        }
    }
}
