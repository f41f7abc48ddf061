//! The properties over mutated input with a fixed seed. `ROUNDS=200000` makes it longer, `SEED=2` other.

use countersign_fuzz::{call_json, judge_anything, read_anything, rules_anything};
use countersign_oracle::generate::Grammar;
use countersign_oracle::mutate::mutant;
use countersign_oracle::random::Random;
use countersign_oracle::seeds::seeds;
use std::panic::catch_unwind;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}

/// Checks many texts and tells all that fail, each once.
fn check(rounds: u64, mut text: impl FnMut(&mut Random) -> String, property: fn(&str)) {
    let mut random = Random::new(number("SEED", 1));
    let mut failures = 0;
    for _ in 0..number("ROUNDS", rounds) {
        let text = text(&mut random);
        if catch_unwind(|| property(&text)).is_err() {
            failures += 1;
            println!("FAILED {text:?}");
        }
    }
    assert_eq!(failures, 0);
}

#[test]
fn reading() {
    let seeds = seeds();
    check(5000, |random| mutant(&seeds, random), read_anything);
}

#[test]
fn judging() {
    let seeds = seeds();
    let grammar = Grammar::load();
    assert_eq!(grammar.missing(), Vec::<&str>::new());
    check(
        3000,
        |random| {
            if random.once_in(3) {
                return mutant(&seeds, random);
            }
            let grown = grammar.text(random);
            if random.once_in(2) {
                mutant(&[grown.as_str()], random)
            } else {
                grown
            }
        },
        judge_anything,
    );
}

const RULES: &[&str] = &[
    "version = 1\nmode = \"default\"\ncategory = { builds = \"allow\" }\n[allow]\nshell = [\"git fetch *\", 'a \"b\"']\n",
    "[deny]\nread = [\"~/.ssh/**\", \"//etc/*\"]\nnet = [\"*.example.org:80\"]\nmcp = [\"a/b_*\"]\n",
    "[[rule]]\nid = \"x\"\ndeny = { shell = \"git push *\" }\nwith = [\"--force\", \"+*\"]\nunless = { shell = \"git push b *\" }\n",
    "[[rule]]\nask = { edit = \"/src/**\" }\nin = \"/a\"\nuntil = 2027-01-31T18:00:00Z\nperson = true\nreason = \"é\"\nmatches = [\"a\"]\n",
    "[[rule]]\nallow = { shell = [\"a\", \"b *\"] }\nconfine = [\"workspace\", \"no-network\"]\nwithout = [\"-x\"]\n",
];

#[test]
fn rules() {
    check(5000, |random| mutant(RULES, random), rules_anything);
}

const CALLS: &[&str] = &[
    r#"{"session_id":"s","cwd":"/home/u/work","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"mk a | cat","description":"d"},"tool_use_id":"t"}"#,
    r#"{"session_id":"s","cwd":"/a","permission_mode":"plan","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/a/b.o","old_string":"a","new_string":"b"}}"#,
    r#"{"session_id":"s","cwd":"/a","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"~/.env"}}"#,
    r#"{"session_id":"s","cwd":"/a","hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":{"x":[1,2.5e3,null,true,{"y":"\u00e9\n"}]}}"#,
    r#"{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"WebFetch","tool_input":{"url":"https://www.example.org/x"},"tool_response":{}}"#,
    r#"{"session_id":"s","cwd":"/a","hook_event_name":"PermissionRequest","tool_name":"Grep","tool_input":{"pattern":"a","path":"b","glob":"*.c"}}"#,
    r#"{"session_id":"s","cwd":"/a","hook_event_name":"PreToolUse","tool_name":"Task","tool_input":{"subagent_type":"a","prompt":"b"}}"#,
];

#[test]
fn calls() {
    check(5000, |random| mutant(CALLS, random), call_json);
}
