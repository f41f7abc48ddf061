//! Rows S1, P12: whatever fails on our side refuses, and says what happened and what to do.

use crate::host::{Fate, Host};
use crate::place::{HOOK, Heard, Place, exists, run};
use countersign_hooks::install::install;
use serde_json::json;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn ls(place: &Place) -> Vec<u8> {
    place
        .message("default", "Bash", &json!({ "command": "ls" }))
        .to_string()
        .into_bytes()
}

/// Checks that the person is told what to do too.
fn helps(heard: &Heard) {
    let reply: serde_json::Value = serde_json::from_str(&heard.stdout).unwrap();
    let told = reply["systemMessage"].as_str().unwrap_or_default();
    assert!(told.contains("hint: "), "{heard:?}");
}

#[test]
fn s1_a_panic_is_a_refusal() {
    let place = Place::new();
    let heard = run(
        place.hook().env("COUNTERSIGN_HOOK_FAULT", "panic"),
        &ls(&place),
    );
    heard.refuses("a fault in countersign");
    helps(&heard);
    let last = place.events("5f0c").pop().unwrap();
    assert_eq!(
        (&last["event"], &last["call"]),
        (&json!("hook/failed"), &json!("toolu_01A"))
    );
}

#[test]
fn s1_at_the_deadline_it_is_refused_and_nobody_said_no() {
    let place = Place::new();
    let mut hook = place.hook();
    hook.env("COUNTERSIGN_HOOK_FAULT", "hang")
        .env("COUNTERSIGN_HOOK_DEADLINE_MS", "200");
    let began = Instant::now();
    let heard = run(&mut hook, &ls(&place));
    heard.refuses("no decision in time");
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(!heard.stdout.contains("user"), "{heard:?}");
    assert_eq!(place.events("5f0c").pop().unwrap()["event"], "hook/failed");
}

#[test]
fn s1_a_host_that_never_ends_its_message_is_refused_in_time() {
    let place = Place::new();
    let mut hook = place.hook();
    hook.env("COUNTERSIGN_HOOK_DEADLINE_MS", "200");
    let mut child = hook.spawn().unwrap();
    let open = child.stdin.take();
    let status = child.wait().unwrap();
    drop(open);
    assert_eq!(status.code(), Some(2));
}

#[test]
fn s1_a_journal_kept_locked_is_refused_in_time() {
    let place = Place::new();
    place.ask("Bash", &json!({ "command": "ls" }));
    let held = std::fs::File::open(place.journals().join("5f0c.jsonl")).unwrap();
    held.lock().unwrap();
    let mut hook = place.hook();
    hook.env("COUNTERSIGN_HOOK_DEADLINE_MS", "500");
    let heard = run(&mut hook, &ls(&place));
    assert_eq!(heard.decision(), "deny", "{heard:?}");
    let reason = heard.reason();
    assert!(
        reason.contains("locked") || reason.contains("no decision in time"),
        "{heard:?}"
    );
    held.unlock().unwrap();
    assert_eq!(run(&mut place.hook(), &ls(&place)).decision(), "allow");
}

#[test]
fn s1_the_death_of_the_process_is_refused_by_the_installed_entry() {
    let place = Place::new();
    install(&place.settings(), Path::new(HOOK), &[]).unwrap();
    let mut host = Host::new(&place, "bypassPermissions");
    for fault in ["abort", "panic"] {
        host.environment = vec![("COUNTERSIGN_HOOK_FAULT", fault.to_owned())];
        assert_eq!(
            host.call("Bash", &json!({ "command": "ls" })),
            Fate::Refused,
            "{fault}"
        );
    }
    host.environment.clear();
    assert_eq!(host.call("Bash", &json!({ "command": "ls" })), Fate::Runs);
    // What the doctor looks for: an older host takes a dead hook for no opinion, though not one that could still speak.
    host.knows_on_failure = false;
    host.environment = vec![("COUNTERSIGN_HOOK_FAULT", "panic".to_owned())];
    assert_eq!(
        host.call("Bash", &json!({ "command": "ls" })),
        Fate::Refused
    );
    // A program that is gone.
    let text = std::fs::read_to_string(place.settings()).unwrap();
    std::fs::write(
        place.settings(),
        text.replace(HOOK, "/nowhere/countersign-hook"),
    )
    .unwrap();
    assert_eq!(
        Host::new(&place, "bypassPermissions").call("Bash", &json!({ "command": "ls" })),
        Fate::Refused
    );
}

#[test]
fn s1_a_file_in_the_place_of_the_journal_is_named() {
    let place = Place::new();
    std::fs::create_dir_all(place.journals().parent().unwrap()).unwrap();
    std::fs::write(place.journals(), "").unwrap();
    let heard = run(&mut place.hook(), &ls(&place));
    heard.refuses("countersign/journal");
    helps(&heard);
    // A directory where a file should be.
    std::fs::remove_file(place.journals()).unwrap();
    std::fs::create_dir_all(place.journals().join("5f0c.jsonl")).unwrap();
    let heard = run(&mut place.hook(), &ls(&place));
    heard.refuses("5f0c.jsonl");
    helps(&heard);
}

#[test]
fn s1_a_read_only_place_is_named() {
    let place = Place::new();
    // Nobody may write there, not even root.
    let heard = run(
        place.hook().env("XDG_STATE_HOME", "/proc/self"),
        &ls(&place),
    );
    heard.refuses("/proc/self/countersign");
    helps(&heard);
}

#[test]
fn s1_a_full_disk_is_named() {
    let place = Place::new();
    let Some(mut hook) = limited(&place, 0) else {
        return;
    };
    let heard = run(&mut hook, &ls(&place));
    heard.refuses("5f0c");
    helps(&heard);
    // Full in the middle of a session: what was recorded stays whole.
    assert_eq!(run(&mut place.hook(), &ls(&place)).decision(), "allow");
    let lines = place.events("5f0c").len();
    let heard = run(&mut limited(&place, 2).unwrap(), &ls(&place));
    heard.refuses("5f0c.jsonl");
    assert!(heard.stderr.contains("free space"), "{heard:?}");
    assert_eq!(run(&mut place.hook(), &ls(&place)).decision(), "allow");
    assert!(place.events("5f0c").len() > lines);
    let verified = countersign_gate::journal::verify::verify(&place.journals().join("5f0c.jsonl"));
    verified.unwrap();
}

/// The hook with a limit on the size of files, in blocks of 512 bytes; nothing where no shell sets one.
fn limited(place: &Place, blocks: u32) -> Option<Command> {
    if !exists(Path::new("/bin/sh")) {
        eprintln!("skipped: there is no /bin/sh that could set a limit on the size of files");
        return None;
    }
    let mut command = place.command("/bin/sh");
    // The signal of the limit is ignored, so that writing fails as it does on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f {blocks} && exec {HOOK} claude-code");
    command.args(["-c", &script]);
    Some(command)
}

#[test]
fn s1_without_home_the_list_of_users_tells_and_else_it_is_refused() {
    let place = Place::new();
    let state = place.home().join("state");
    let mut hook = place.hook();
    hook.env_remove("HOME")
        .env("XDG_STATE_HOME", &state)
        .env("XDG_CONFIG_HOME", &state);
    assert_eq!(run(&mut hook, &ls(&place)).decision(), "allow");
    assert!(state.join("countersign/journal/5f0c.jsonl").exists());
    // A user that nobody lists; only root can become one.
    let mut hook = Command::new(HOOK);
    hook.arg("claude-code")
        .env_clear()
        .uid(61_234)
        .current_dir("/");
    hook.stdin(std::process::Stdio::piped());
    hook.stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    if Command::new("/bin/true").uid(61_234).status().is_err() {
        eprintln!("skipped: only root can run the hook as a user without a home");
        return;
    }
    match hook.spawn() {
        Ok(child) => drop(child.wait_with_output()),
        Err(error) => {
            eprintln!("skipped: that user cannot reach the hook: {error}");
            return;
        }
    }
    let heard = run(&mut hook, &ls(&place));
    heard.refuses("HOME");
    helps(&heard);
}

#[test]
fn s1_a_closed_stdout_is_no_consent() {
    let place = Place::new();
    let mut command = place.command("/bin/sh");
    command.args(["-c", &format!("exec {HOOK} claude-code >&-")]);
    let heard = run(&mut command, &ls(&place));
    assert!(heard.stdout.is_empty());
    let mut command = place.command("/bin/sh");
    command.args(["-c", &format!("exec {HOOK} claude-code > /dev/full")]);
    if exists(Path::new("/dev/full")) {
        assert_eq!(run(&mut command, &ls(&place)).code, Some(2));
    }
}
