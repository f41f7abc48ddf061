//! One line of a recording: a whole session with its calls, or a message of a transcript. It judges nothing.

use countersign_hooks::recorded;
use countersign_policy::call::Call;
use countersign_policy::path::AbsPath;
use serde_json::{Map, Value};

/// The calls of one line.
#[derive(Debug, Default)]
pub(super) struct Recording {
    /// The session to which they belong.
    pub(super) session: String,
    /// In order.
    pub(super) calls: Vec<Call>,
}

impl Recording {
    /// Reads a line; one without calls is empty. `file` names the session where nothing else does.
    pub(super) fn parse(line: &[u8], file: &str) -> Result<Self, String> {
        if line.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        let value: Value =
            serde_json::from_slice(line.trim_ascii()).map_err(|error| error.to_string())?;
        let Value::Object(fields) = value else {
            return Err("it is not a JSON object".to_owned());
        };
        if let Some(Value::Array(calls)) = fields.get("calls") {
            return session(&fields, calls, file);
        }
        match fields.get("type").and_then(Value::as_str) {
            Some("assistant") => Ok(message(&fields, file)),
            // What the user said, what tools gave back, summaries.
            Some(_) => Ok(Self::default()),
            None => Err("it is neither a session nor a message of a transcript".to_owned()),
        }
    }
}

/// A session: `{"id": …, "calls": [{"tool": …, "input": {…}, "cmd": …, "cwd": …}]}`.
fn session(fields: &Map<String, Value>, calls: &[Value], file: &str) -> Result<Recording, String> {
    let text = |fields: &Map<String, Value>, name: &str| {
        fields.get(name).and_then(Value::as_str).map(str::to_owned)
    };
    let session = text(fields, "id").unwrap_or_else(|| file.to_owned());
    let mut taken = Vec::with_capacity(calls.len());
    let mut cwd = None;
    for (index, call) in calls.iter().enumerate() {
        let wrong = |what: &str| format!("call {index}: {what}");
        let call = call
            .as_object()
            .ok_or_else(|| wrong("it is not an object"))?;
        let tool = text(call, "tool").ok_or_else(|| wrong("`tool` is missing"))?;
        let mut input = call.get("input").cloned().unwrap_or(Value::Null);
        if let (Value::Object(input), Some(command)) = (&mut input, text(call, "cmd")) {
            input.insert("command".to_owned(), Value::String(command));
        }
        let own = text(call, "cwd").and_then(|cwd| AbsPath::parse(&cwd));
        cwd = own.or(cwd);
        let directory = cwd.clone().unwrap_or_else(AbsPath::root);
        let call = recorded::call(&tool, &input, &format!("{session}:{index}"), &directory);
        taken.push(call);
    }
    Ok(Recording {
        session,
        calls: taken,
    })
}

/// A message of Claude Code's transcript; each use of a tool in it is a call.
fn message(fields: &Map<String, Value>, file: &str) -> Recording {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let cwd = text("cwd")
        .and_then(AbsPath::parse)
        .unwrap_or_else(AbsPath::root);
    let contents = fields
        .get("message")
        .and_then(|message| message.get("content"));
    let uses = contents.and_then(Value::as_array).into_iter().flatten();
    let calls = uses
        .filter(|content| content.get("type").and_then(Value::as_str) == Some("tool_use"))
        .filter_map(|used| {
            let id = used.get("id").and_then(Value::as_str).unwrap_or("");
            let tool = used.get("name").and_then(Value::as_str)?;
            let input = used.get("input").unwrap_or(&Value::Null);
            Some(recorded::call(tool, input, id, &cwd))
        });
    Recording {
        session: text("sessionId").unwrap_or(file).to_owned(),
        calls: calls.collect(),
    }
}
