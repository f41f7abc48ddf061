//! Hostile text: nothing that a call, a file or a journal holds reaches the screen unseen.

use crate::place::{Place, Run};

const HOSTILE: &str = "\u{1b}[2J\u{202e}\u{200b}\u{e0041}\u{9b}31m\r\u{7}";

/// No character but newlines that moves, hides or colours.
fn is_clean(run: &Run) {
    for c in run
        .out
        .chars()
        .chain(run.err.chars())
        .filter(|c| *c != '\n')
    {
        assert!(!c.is_control(), "{c:?} in {run:?}");
        assert!(!('\u{200b}'..='\u{200f}').contains(&c), "{c:?}");
        assert!(!('\u{202a}'..='\u{202e}').contains(&c), "{c:?}");
        assert!(!('\u{e0000}'..='\u{e007f}').contains(&c), "{c:?}");
    }
}

#[test]
fn a6_commands_are_shown_with_everything_in_them() {
    let place = Place::new();
    for command in [
        format!("echo {HOSTILE}"),
        format!("cat '{HOSTILE}' > 'b{HOSTILE}'"),
        format!("git push '{HOSTILE}'; frobnicate{HOSTILE}"),
        format!("cd '{HOSTILE}'; ls"),
        format!("if {HOSTILE}"),
    ] {
        for verb in ["check", "explain"] {
            let run = place.run(&[verb, &command]);
            is_clean(&run);
            if verb == "explain" {
                assert!(
                    run.out.contains("‹U+202E›‹U+200B›‹U+E0041›‹U+009B›"),
                    "{}",
                    run.out
                );
            }
        }
    }
}

#[test]
fn a6_arguments_and_names_are_shown_so_too() {
    let place = Place::new();
    for arguments in [
        &["check", "--mode", HOSTILE, "ls"][..],
        &["check", "--cwd", HOSTILE, "ls"],
        &["check", "--rules", HOSTILE, "ls"],
        &[HOSTILE],
        &["log", "--session", HOSTILE],
        &["log", "why", HOSTILE],
    ] {
        let run = place.run(arguments);
        assert_ne!(run.code, 0);
        is_clean(&run);
    }
}

#[test]
fn a6_rule_files_are_shown_so_too() {
    let place = Place::new();
    place.rules("version = 1\n[deny]\n\"x\u{202e}\u{200b}\" = [\"a\"]\n[[rule]]\nask = { shell = \"ls *\" }\nreason = \"a\\u001b[31m\u{202e}\"\n");
    for verb in ["check", "explain"] {
        let run = place.run(&[verb, "ls"]);
        assert_eq!(run.code, 2);
        is_clean(&run);
    }
}

#[test]
fn a6_calls_are_shown_so_too() {
    let place = Place::new();
    let call = serde_json::json!({"tool": HOSTILE, "input": {"path": HOSTILE}, "id": HOSTILE});
    for verb in ["check", "explain"] {
        let run = place.run_with(&[verb, "--call"], &call.to_string());
        assert_eq!(run.code, 10);
        is_clean(&run);
    }
}

#[test]
fn a6_long_text_is_wrapped_and_never_cut() {
    let place = Place::new();
    let word = "w".repeat(5000);
    let run = place.run(&["explain", &format!("frobnicate {word}")]);
    let joined: String = run.out.lines().map(str::trim).collect();
    assert!(joined.replace('^', "").contains(&word), "{}", run.out);
}
