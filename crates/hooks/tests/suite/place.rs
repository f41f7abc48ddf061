//! A home, a project and a hook process in them; nothing here ever sees the real home.

use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const HOOK: &str = env!("CARGO_BIN_EXE_countersign-hook");

/// Directories that vanish after a test.
pub(crate) struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir_all(place.project().join(".git")).unwrap();
        std::fs::create_dir_all(place.project().join("src")).unwrap();
        std::fs::create_dir_all(place.home().join(".config/countersign")).unwrap();
        place
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.home().join(".claude/settings.json")
    }

    pub(crate) fn journals(&self) -> PathBuf {
        self.home().join(".local/state/countersign/journal")
    }

    /// The user's own rules.
    pub(crate) fn rules(&self, text: &str) -> &Self {
        let file = self.home().join(".config/countersign/rules.toml");
        std::fs::write(file, format!("version = 1\n{text}")).unwrap();
        self
    }

    /// A program with an environment of its own.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .env("CLAUDE_PROJECT_DIR", self.project())
            .current_dir(self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The hook as its host runs it.
    pub(crate) fn hook(&self) -> Command {
        let mut command = self.command(HOOK);
        command.arg("claude-code");
        command
    }

    /// A message about a call.
    pub(crate) fn message(&self, mode: &str, tool: &str, input: &Value) -> Value {
        json!({
            "session_id": "5f0c",
            "transcript_path": "/nowhere",
            "cwd": self.project(),
            "permission_mode": mode,
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_use_id": "toolu_01A",
            "tool_input": input,
            "prompt_id": "0b1e",
        })
    }

    /// The answer to a call in the host's mode `default`.
    pub(crate) fn ask(&self, tool: &str, input: &Value) -> Heard {
        let message = self.message("default", tool, input);
        run(&mut self.hook(), message.to_string().as_bytes())
    }

    /// The answer to a message about a call under another event.
    pub(crate) fn send(&self, event: &str, mut message: Value) -> Heard {
        message["hook_event_name"] = json!(event);
        run(&mut self.hook(), message.to_string().as_bytes())
    }

    /// The answer to a message that is about no call.
    pub(crate) fn tell(&self, event: &str, fields: &Value) -> Heard {
        let mut message = json!({ "session_id": "5f0c", "cwd": self.project() });
        for (name, value) in fields.as_object().unwrap() {
            message[name] = value.clone();
        }
        self.send(event, message)
    }

    /// The notices of a session, in words.
    pub(crate) fn notices(&self, session: &str) -> Vec<String> {
        let events = self.events(session).into_iter();
        let notices = events.filter(|event| event["event"] == "notice");
        notices
            .map(|event| {
                event["text"]["head"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    }

    /// The events of a session, line by line.
    pub(crate) fn events(&self, session: &str) -> Vec<Value> {
        let file = self.journals().join(format!("{session}.jsonl"));
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The outcomes in a session.
    pub(crate) fn outcomes(&self, session: &str) -> Vec<String> {
        let events = self.events(session).into_iter();
        let closed = events.filter(|event| event["event"] == "call/closed");
        closed
            .map(|event| event["outcome"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// What a hook answered.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Heard {
    /// `allow`, `ask`, `deny`, or `nothing`; checks that stdout, stderr and exit code agree.
    pub(crate) fn decision(&self) -> String {
        if self.stdout.is_empty() {
            assert_eq!(self.code, Some(0), "{self:?}");
            return "nothing".to_owned();
        }
        let decision = self.output()["permissionDecision"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(!self.reason().is_empty(), "{self:?}");
        let due = if decision == "deny" { 2 } else { 0 };
        assert_eq!(self.code, Some(due), "{self:?}");
        assert_eq!(!self.stderr.is_empty(), decision == "deny", "{self:?}");
        decision
    }

    pub(crate) fn output(&self) -> Value {
        let reply: Value = serde_json::from_str(&self.stdout).unwrap();
        reply["hookSpecificOutput"].clone()
    }

    /// What the person is told.
    pub(crate) fn told(&self) -> String {
        let reply: Value = serde_json::from_str(&self.stdout).unwrap_or_default();
        reply["systemMessage"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Checks that it blocks by JSON and exit code and says `words` both ways.
    pub(crate) fn blocks(&self, words: &str) {
        let reply: Value = serde_json::from_str(&self.stdout).unwrap();
        assert_eq!(
            (self.code, &reply["decision"]),
            (Some(2), &json!("block")),
            "{self:?}"
        );
        let reason = reply["reason"].as_str().unwrap();
        assert!(
            reason.contains(words) && self.stderr.contains(words),
            "{words}: {self:?}"
        );
    }

    /// Checks that nothing is said.
    pub(crate) fn is_silent(&self) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(0), ""), "{self:?}");
        assert!(self.stderr.is_empty(), "{self:?}");
    }

    pub(crate) fn reason(&self) -> String {
        self.output()["permissionDecisionReason"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Checks that it refuses both ways and says `words` both ways.
    pub(crate) fn refuses(&self, words: &str) {
        assert_eq!(self.decision(), "deny", "{self:?}");
        assert_eq!(self.output()["hookEventName"], "PreToolUse", "{self:?}");
        assert!(
            self.reason().contains(words) && self.stderr.contains(words),
            "{words}: {self:?}"
        );
    }
}

/// Runs a program with this on its stdin.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Heard {
    let mut child = command.spawn().unwrap();
    // It may answer without reading everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    Heard {
        code: status.code(),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// Whether the long form of a test was asked for.
pub(crate) fn is_full() -> bool {
    std::env::var_os("COUNTERSIGN_FULL").is_some_and(|value| value == "1")
}

/// The test binary as a child that runs one test of itself as a deed.
pub(crate) fn deed(place: &Place, test: &str) -> Command {
    let own = std::env::current_exe().unwrap();
    let mut command = place.command(own.to_str().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env("COUNTERSIGN_TEST_DEED", "1");
    command
}

/// Whether this process is such a child.
pub(crate) fn is_deed() -> bool {
    std::env::var_os("COUNTERSIGN_TEST_DEED").is_some()
}

/// The lines of a child's output that a deed wrote.
pub(crate) fn said(heard: &Heard) -> Vec<&str> {
    heard
        .stdout
        .lines()
        .filter_map(|line| Some(line.split_once("deed: ")?.1))
        .collect()
}

pub(crate) fn exists(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}
