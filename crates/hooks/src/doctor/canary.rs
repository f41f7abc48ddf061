//! A call put to the installed hook by the very command line that the host would use; the call itself never runs.

use crate::entry::Entry;
use serde::Deserialize;
use serde_json::json;
use std::fmt;
use std::fs::DirBuilder;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The session in which the doctor's own calls are recorded.
pub(super) const SESSION: &str = "countersign-doctor";

/// How long the hook may take: longer than it gives itself.
const WAIT: Duration = Duration::from_secs(30);

/// What a hook answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// It allowed the call.
    Allowed,
    /// It has the host ask.
    Asked,
    /// It said nothing.
    Silent,
    /// It denied the call.
    Denied {
        /// With this exit code.
        code: Option<i32>,
    },
    /// It answered what no host understands.
    Nonsense {
        /// With this exit code.
        code: Option<i32>,
    },
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_code = |f: &mut fmt::Formatter<'_>, what: &str, code: &Option<i32>| match code {
            Some(code) => write!(f, "{what}, with exit code {code}"),
            None => write!(f, "{what}, and it was killed"),
        };
        match self {
            Self::Allowed => f.write_str("it was allowed"),
            Self::Asked => f.write_str("the host is to ask"),
            Self::Silent => f.write_str("the hook said nothing"),
            Self::Denied { code } => with_code(f, "it was denied", code),
            Self::Nonsense { code } => with_code(f, "the answer is not one", code),
        }
    }
}

/// The part of an answer that decides.
#[derive(Deserialize)]
struct Reply {
    #[serde(rename = "hookSpecificOutput")]
    output: Output,
}

#[derive(Deserialize)]
struct Output {
    #[serde(rename = "permissionDecision")]
    decision: String,
}

/// Asks the hook about a command in an empty directory.
pub(super) fn fire(entry: &Entry, command: &str) -> Result<Heard, String> {
    let place = Scratch::new()?;
    let directory = place.0.display().to_string();
    let message = json!({
        "session_id": SESSION,
        "cwd": directory,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_use_id": "canary",
        "tool_input": { "command": command },
    });
    let spawned = Command::new(&entry.program)
        .args(&entry.arguments)
        .current_dir(&place.0)
        .env("CLAUDE_PROJECT_DIR", &place.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child =
        spawned.map_err(|error| format!("`{}` cannot be run: {error}", entry.program))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that does not listen is heard by what it answers.
        let _ = stdin.write_all(message.to_string().as_bytes());
    }
    let code = wait(&mut child)?;
    let mut text = String::new();
    if let Some(stdout) = child.stdout.take() {
        let read = stdout.take(1 << 20).read_to_string(&mut text);
        read.map_err(|error| format!("its answer cannot be read: {error}"))?;
    }
    if text.trim().is_empty() && code == Some(0) {
        return Ok(Heard::Silent);
    }
    let reply = serde_json::from_str::<Reply>(&text);
    Ok(
        match reply.as_ref().map(|reply| reply.output.decision.as_str()) {
            Ok("allow") if code == Some(0) => Heard::Allowed,
            Ok("ask") if code == Some(0) => Heard::Asked,
            Ok("deny") => Heard::Denied { code },
            Ok(_) | Err(_) => Heard::Nonsense { code },
        },
    )
}

/// Waits for the end of a hook, but not for ever. Its answer fits into the pipe meanwhile.
fn wait(child: &mut Child) -> Result<Option<i32>, String> {
    let began = Instant::now();
    while began.elapsed() < WAIT {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) => sleep(Duration::from_millis(2)),
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
    }
    // It is ours, and it is over for it.
    let _ = child.kill();
    let _ = child.wait();
    Err(format!(
        "it did not answer within {} seconds",
        WAIT.as_secs()
    ))
}

/// An empty directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        let moment = SystemTime::now().duration_since(UNIX_EPOCH);
        let moment = moment.map_or(0, |since| since.as_nanos());
        let name = format!("countersign-doctor-{}-{moment}", std::process::id());
        let place = std::env::temp_dir().join(name);
        let made = DirBuilder::new().mode(0o700).create(&place);
        made.map_err(|error| format!("cannot make `{}`: {error}", place.display()))?;
        Ok(Self(place))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let place: &Path = &self.0;
        // It is empty; what is not stays for somebody to look at.
        let _ = std::fs::remove_dir(place);
    }
}
