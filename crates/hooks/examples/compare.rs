//! Measures `countersign-hook` against the bare program in one run, turn by turn, so that both meet the same weather.
//!
//! `compare <directory of the binaries> [runs]` prints, for each kind of call, the shortest time and the first
//! decile of either, spawn and exit included, and their ratio. The machine's load moves averages; these two hold
//! still.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Calls by name: tool and input.
const CALLS: [(&str, &str, &str); 5] = [
    ("read", "Read", r#"{"file_path":"/tmp/a.rs"}"#),
    ("ls", "Bash", r#"{"command":"ls -la src"}"#),
    ("push", "Bash", r#"{"command":"git push origin main"}"#),
    (
        "pipe",
        "Bash",
        r#"{"command":"cd src && grep -rn foo . | sort | uniq -c | head -20 > out.txt && git commit -am x"}"#,
    ),
    (
        "edit",
        "Edit",
        r#"{"file_path":"/tmp/a.rs","old_string":"a","new_string":"b"}"#,
    ),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().map(PathBuf::from);
    let runs = arguments.next().and_then(|runs| runs.parse().ok());
    let runs: usize = runs.unwrap_or(400);
    let Some(directory) = directory else {
        eprintln!("usage: compare <directory of the binaries> [runs]");
        std::process::exit(2);
    };
    let home = std::env::temp_dir().join(format!("countersign-compare-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&home) {
        eprintln!("cannot make `{}`: {error}", home.display());
        std::process::exit(1);
    }
    let bare = directory.join("examples/bare");
    let hook = directory.join("countersign-hook");
    println!("{runs} runs each, in microseconds");
    println!("call    bare min   p10   hook min   p10   ratio min   p10");
    for (name, tool, input) in CALLS {
        let message = format!(
            r#"{{"session_id":"compare","cwd":"{home}","permission_mode":"default","hook_event_name":"PreToolUse","tool_use_id":"toolu_1","tool_name":"{tool}","tool_input":{input}}}"#,
            home = home.display()
        );
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..runs {
            for (program, times) in [&bare, &hook].into_iter().zip(&mut times) {
                times.extend(once(program, &message, &home));
            }
        }
        let [bare, hook] = times.map(summary);
        println!(
            "{name:6} {:9} {:6} {:9} {:6} {:10.2} {:6.2}",
            bare.0.as_micros(),
            bare.1.as_micros(),
            hook.0.as_micros(),
            hook.1.as_micros(),
            hook.0.as_secs_f64() / bare.0.as_secs_f64(),
            hook.1.as_secs_f64() / bare.1.as_secs_f64(),
        );
    }
    // What was measured is printed; the directory is the system's to sweep where this fails.
    let _ = std::fs::remove_dir_all(&home);
}

/// One run from spawn to exit.
fn once(program: &Path, message: &str, home: &Path) -> Option<Duration> {
    let began = Instant::now();
    let mut child = Command::new(program)
        .arg("claude-code")
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(message.as_bytes()).ok()?;
    child.wait().ok()?;
    Some(began.elapsed())
}

/// The shortest and the first decile.
fn summary(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let at = |index: usize| times.get(index).copied().unwrap_or(Duration::MAX);
    (at(0), at(times.len() / 10))
}
