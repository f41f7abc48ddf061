//! `bench`: stand-in hooks that answer in every way in which a hook can, and our own.

use crate::place::{Place, write};
use serde_json::Value;

/// A bench of a small shell script as the hook.
fn benched(place: &Place, script: &str, more: &[&str]) -> Value {
    let path = place.work().join("hook.sh");
    write(&path, script);
    let hook = format!("sh {}", path.display());
    let mut arguments = vec!["bench", "--hook", &hook, "--json", "--folder", "benign"];
    arguments.extend(more);
    let run = place.run(&arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn sum(groups: &Value, answer: &str) -> u64 {
    let groups = groups.as_object().unwrap().values();
    groups.map(|group| group[answer].as_u64().unwrap()).sum()
}

#[test]
fn p5_every_way_of_answering_is_told_apart() {
    let place = Place::new();
    let allow = r#"cat >/dev/null; echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'"#;
    for (script, answer) in [
        (allow, "allow"),
        ("echo no >&2; exit 2", "deny"),
        ("cat >/dev/null", "silent"),
        ("exit 1", "failed"),
        ("echo '{\"torn'", "failed"),
        ("kill -9 $$", "failed"),
        (
            r#"grep -q cargo && { echo '{"decision":"block"}'; exit 0; }; echo '{"decision":"block"}'"#,
            "deny",
        ),
    ] {
        let report = benched(&place, script, &[]);
        let all = ["allow", "silent", "failed", "ask", "deny"];
        let cases: u64 = all.iter().map(|name| sum(&report["benign"], name)).sum();
        assert!(cases > 200);
        assert_eq!(sum(&report["benign"], answer), cases, "{script}");
    }
}

#[test]
fn p5_a_hook_that_hangs_is_ended_with_all_that_it_started() {
    let place = Place::new();
    let alive = place.work().join("alive");
    // Only the first call of a text hangs; every other one answers at once.
    let script = format!(
        "grep -q '\"ls -la\"' || exit 2\n(sleep 5; touch {0}) &\nsleep 5; touch {0}",
        alive.display()
    );
    let report = benched(&place, &script, &["--timeout", "1"]);
    assert!(sum(&report["benign"], "failed") <= 3);
    assert!(sum(&report["benign"], "deny") > 200);
    assert!(!alive.exists());
}

#[test]
fn p5_a_hook_that_cannot_be_run_is_an_error() {
    let place = Place::new();
    let run = place.run(&["bench", "--hook", "/no/such/hook"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("/no/such/hook"), "{}", run.err);
}
