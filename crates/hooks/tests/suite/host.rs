//! A stand-in for the host that obeys the documented rules: it runs the hooks that its settings name, merges what they
//! say, and tells whether a call would run, be put to its user, or be refused. Where documents leave something open it
//! does what is worst for us.

use crate::place::Place;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    Runs,
    Prompts,
    Refused,
}

/// A host with its settings read.
pub(crate) struct Host<'p> {
    place: &'p Place,
    settings: Value,
    /// Its permission mode, exactly as it is sent.
    pub(crate) mode: String,
    /// Whether there is a user who can be asked.
    pub(crate) attended: bool,
    /// Whether it is a version that knows `onFailure`.
    pub(crate) knows_on_failure: bool,
    /// More environment for the hooks.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// Hooks of other people, by what they print and their exit code.
    pub(crate) others: Vec<(&'static str, i32)>,
}

/// What one hook amounts to, from the mildest; the strictest of several wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Opinion {
    None,
    Allow,
    Ask,
    Defer,
    Deny,
}

impl<'p> Host<'p> {
    pub(crate) fn new(place: &'p Place, mode: &str) -> Self {
        let text = std::fs::read_to_string(place.settings()).unwrap();
        Self {
            place,
            settings: serde_json::from_str(&text).unwrap(),
            mode: mode.to_owned(),
            attended: true,
            knows_on_failure: true,
            environment: Vec::new(),
            others: Vec::new(),
        }
    }

    /// What becomes of a call.
    pub(crate) fn call(&self, tool: &str, input: &Value) -> Fate {
        let message = self.place.message(&self.mode, tool, input).to_string();
        let mut opinion = Opinion::None;
        for handler in self.handlers(tool) {
            opinion = opinion.max(self.run(&handler, &message));
        }
        for (stdout, code) in &self.others {
            opinion = opinion.max(Self::judge(Some(*code), stdout, true));
        }
        match opinion {
            Opinion::Allow if matches!(tool, "AskUserQuestion" | "ExitPlanMode") => {
                self.native(tool, input)
            }
            Opinion::Allow => Fate::Runs,
            Opinion::Ask if self.attended && self.mode != "dontAsk" => Fate::Prompts,
            Opinion::Ask | Opinion::Deny => Fate::Refused,
            // Outside headless runs it is ignored.
            Opinion::Defer | Opinion::None => self.native(tool, input),
        }
    }

    /// The handlers whose matcher takes a tool.
    fn handlers(&self, tool: &str) -> Vec<Value> {
        if self.settings["disableAllHooks"] == json!(true) {
            return Vec::new();
        }
        let groups = self.settings["hooks"]["PreToolUse"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let takes = |group: &Value| match group["matcher"].as_str() {
            None | Some("" | "*") => true,
            Some(names) => names.split('|').any(|name| name == tool),
        };
        let groups = groups.into_iter().filter(takes);
        groups
            .flat_map(|group| group["hooks"].as_array().cloned().unwrap_or_default())
            .collect()
    }

    /// Runs one handler without a shell, as its `args` say.
    fn run(&self, handler: &Value, message: &str) -> Opinion {
        let blocks = handler["onFailure"] == "block" && self.knows_on_failure;
        let mut command: Command = self.place.command(handler["command"].as_str().unwrap());
        command.args(
            handler["args"]
                .as_array()
                .unwrap()
                .iter()
                .map(|arg| arg.as_str().unwrap()),
        );
        command.envs(self.environment.clone()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            return failed(blocks);
        };
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let _ = stdin.write_all(message.as_bytes());
        drop(stdin);
        let timeout = Duration::from_secs(handler["timeout"].as_u64().unwrap_or(600));
        let began = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if began.elapsed() > timeout => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    return failed(blocks);
                }
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let mut said = String::new();
        let _ = stdout.read_to_string(&mut said);
        Self::judge(status.code(), &said, blocks)
    }

    /// What exit code and output amount to.
    fn judge(code: Option<i32>, stdout: &str, blocks: bool) -> Opinion {
        if code == Some(2) {
            return Opinion::Deny;
        }
        let text = stdout.trim_start();
        if text.is_empty() && code == Some(0) {
            return Opinion::None;
        }
        let reply: Option<Value> = Some(text)
            .filter(|text| text.starts_with('{'))
            .and_then(|text| serde_json::from_str(text).ok());
        let Some(reply) = reply else {
            // Plain text with exit code 0 is no failure.
            return if code == Some(0) {
                Opinion::None
            } else {
                failed(blocks)
            };
        };
        let output = &reply["hookSpecificOutput"];
        if output["hookEventName"] != "PreToolUse" {
            return failed(blocks);
        }
        match output["permissionDecision"].as_str() {
            Some("allow") => Opinion::Allow,
            Some("ask") => Opinion::Ask,
            Some("defer") => Opinion::Defer,
            Some("deny") => Opinion::Deny,
            None => Opinion::None,
            Some(_) => failed(blocks),
        }
    }

    /// What the host does by itself.
    fn native(&self, tool: &str, input: &Value) -> Fate {
        let asks = || {
            if self.attended {
                Fate::Prompts
            } else {
                Fate::Refused
            }
        };
        let reads = matches!(
            tool,
            "Read"
                | "Glob"
                | "Grep"
                | "LS"
                | "TodoWrite"
                | "TaskOutput"
                | "KillShell"
                | "Agent"
                | "Task"
                | "Skill"
        );
        let edits = matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit");
        let first = input["command"]
            .as_str()
            .and_then(|text| text.split_whitespace().next())
            .unwrap_or_default();
        let harmless = tool == "Bash" && matches!(first, "ls" | "cat" | "pwd" | "docker" | "true");
        let on_files =
            tool == "Bash" && matches!(first, "mkdir" | "touch" | "rm" | "mv" | "cp" | "sed");
        if matches!(tool, "AskUserQuestion" | "ExitPlanMode") {
            return asks();
        }
        match self.mode.as_str() {
            "default" if reads || harmless => Fate::Runs,
            "acceptEdits" if reads || harmless || edits || on_files => Fate::Runs,
            "default" | "acceptEdits" => asks(),
            // What is allowed beforehand runs, and nobody knows what that is.
            "dontAsk" if reads => Fate::Runs,
            // Here a session may have been started with everything allowed, or a model decides.
            _ => Fate::Runs,
        }
    }
}

/// A hook that failed.
const fn failed(blocks: bool) -> Opinion {
    if blocks { Opinion::Deny } else { Opinion::None }
}
