//! One hook of another gate: a process that is told a call as Claude Code tells it, and what its answer means there.

use super::cases::Case;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// As much of an answer as is read, in bytes.
const ANSWER_BYTES: u64 = 1 << 20;

/// How often an open process is looked at.
const PAUSE: Duration = Duration::from_millis(1);

/// A hook.
#[derive(Debug)]
pub(super) struct Rival {
    /// The command line, as the agent's settings have it.
    pub(super) command: String,
    /// An empty directory that stands for the project.
    pub(super) workspace: PathBuf,
    /// How long an answer may take.
    pub(super) limit: Duration,
}

/// What a hook's answer means to the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Allow,
    Ask,
    Deny,
    /// No opinion: the host goes on as without it.
    Silent,
    /// It failed, and the host goes on as without it.
    Failed(String),
}

/// An answer with the time that it took.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    pub(super) said: Said,
    pub(super) time: Duration,
}

impl Rival {
    /// Whether the hook answers a harmless call at all.
    pub(super) fn starts(&self) -> Result<(), String> {
        let (status, _) = self.run(&self.told("ls"))?;
        match status.code() {
            Some(126 | 127) => Err(format!("`{}` is not found or cannot be run", self.command)),
            Some(_) | None => Ok(()),
        }
    }

    /// Asks about a case.
    pub(super) fn ask(&self, case: &Case) -> Heard {
        let began = Instant::now();
        let said = match self.run(&self.told(&self.placed(&case.command))) {
            Ok((status, answer)) => said(status, &answer),
            Err(why) => Said::Failed(why),
        };
        Heard {
            said,
            time: began.elapsed(),
        }
    }

    /// The command with the places of the corpus replaced by those of this machine.
    fn placed(&self, command: &str) -> String {
        let home = std::env::var("HOME").unwrap_or_else(|_| "/home/u".to_owned());
        let workspace = self.workspace.display().to_string();
        command
            .replace("/repo", &workspace)
            .replace("/home/u", &home)
    }

    /// A call as the host tells it.
    fn told(&self, command: &str) -> String {
        let call = json!({
            "session_id": "countersign-bench",
            "transcript_path": self.workspace.join("transcript.jsonl"),
            "cwd": self.workspace,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": { "command": command },
            "tool_use_id": "countersign-bench",
        });
        call.to_string()
    }

    /// Runs the hook once, in a process group of its own that never outlives this.
    fn run(&self, input: &str) -> Result<(ExitStatus, Vec<u8>), String> {
        let mut child = Command::new("sh")
            .args(["-c", &self.command])
            .current_dir(&self.workspace)
            .env("CLAUDE_PROJECT_DIR", &self.workspace)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| error.to_string())?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let result = self.conversation(&mut child, input, group);
        end(group);
        let _ = child.wait();
        result
    }

    /// Writes the call, reads the answer and waits, all within the limit.
    fn conversation(
        &self,
        child: &mut Child,
        input: &str,
        group: Option<Pid>,
    ) -> Result<(ExitStatus, Vec<u8>), String> {
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A hook may answer without reading; that its end is closed is no failure of it.
                let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
            });
            let reader = scope.spawn(move || {
                let mut answer = Vec::new();
                if let Some(stdout) = stdout {
                    let _ = stdout.take(ANSWER_BYTES).read_to_end(&mut answer);
                }
                answer
            });
            let began = Instant::now();
            let status = loop {
                match child.try_wait() {
                    Ok(Some(status)) => break Ok(status),
                    Ok(None) if began.elapsed() > self.limit => {
                        break Err(format!("no answer in {} s", self.limit.as_secs()));
                    }
                    Ok(None) => std::thread::sleep(PAUSE),
                    Err(error) => break Err(error.to_string()),
                }
            };
            // Whatever it left behind would keep the pipes open.
            end(group);
            let answer = reader.join().unwrap_or_default();
            status.map(|status| (status, answer))
        })
    }
}

/// Ends a process group; that it is gone already is no failure.
fn end(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// What exit code and output mean by the host's documented rules.
fn said(status: ExitStatus, answer: &[u8]) -> Said {
    let text = String::from_utf8_lossy(answer);
    match status.code() {
        Some(2) => return Said::Deny,
        None => return Said::Failed("it was ended by a signal".to_owned()),
        Some(_) => {}
    }
    if text.trim_start().starts_with('{') {
        return match serde_json::from_str::<Value>(&text) {
            Ok(value) => decided(&value),
            Err(error) => Said::Failed(format!("its answer is not JSON: {error}")),
        };
    }
    match status.code() {
        Some(0) => Said::Silent,
        code => Said::Failed(format!("exit code {}", code.unwrap_or(-1))),
    }
}

/// The decision in a JSON answer.
fn decided(answer: &Value) -> Said {
    if answer.get("continue") == Some(&Value::Bool(false)) {
        return Said::Deny;
    }
    let specific = answer.get("hookSpecificOutput");
    let decision = specific.and_then(|specific| specific.get("permissionDecision"));
    let old = answer.get("decision");
    match decision.or(old).and_then(Value::as_str) {
        Some("allow" | "approve") => Said::Allow,
        Some("ask") => Said::Ask,
        Some("deny" | "block") => Said::Deny,
        Some("defer") | None => Said::Silent,
        Some(other) => Said::Failed(format!("the decision `{other}` is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Said, decided};
    use serde_json::json;

    #[test]
    fn p5_answers_mean_what_they_mean_to_the_host() {
        let specific = |word: &str| json!({"hookSpecificOutput": {"permissionDecision": word}});
        assert_eq!(decided(&specific("allow")), Said::Allow);
        assert_eq!(decided(&specific("ask")), Said::Ask);
        assert_eq!(decided(&specific("deny")), Said::Deny);
        assert_eq!(decided(&specific("defer")), Said::Silent);
        assert_eq!(decided(&json!({"decision": "block"})), Said::Deny);
        assert_eq!(decided(&json!({"continue": false})), Said::Deny);
        assert_eq!(decided(&json!({})), Said::Silent);
        assert!(matches!(decided(&specific("maybe")), Said::Failed(_)));
    }
}
