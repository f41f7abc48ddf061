//! The least that a hook can be: the same message read with `serde_json`, a constant answer. What `countersign-hook` is
//! measured against (`examples/compare.rs`); it judges nothing.

use serde_json::Value;
use std::io::Read as _;

fn main() {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    let message = read
        .ok()
        .and_then(|_| serde_json::from_str::<Value>(&text).ok());
    match message
        .as_ref()
        .and_then(|message| message.get("tool_name"))
    {
        Some(_) => println!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"bare"}}}}"#
        ),
        None => std::process::exit(2),
    }
}
