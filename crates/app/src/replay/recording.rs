//! Recordings, line by line: a line is a whole session with its calls, or a message of a transcript. It judges nothing.

use crate::error::{CommandError, ErrorKind};
use countersign_hooks::recorded;
use countersign_policy::call::Call;
use countersign_policy::path::AbsPath;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

/// The longest line that is read, in bytes.
const LINE_BYTES: usize = 64 << 20;

/// What a line holds, or what is wrong with it.
pub(crate) type Line = Result<Recording, String>;

/// Reads a file. Each line is given with its place, its length, and what it holds or what is wrong with it.
pub(crate) fn each_line(
    file: &Path,
    mut take: impl FnMut(&str, usize, Line),
) -> Result<(), CommandError> {
    let unreadable = |error: &std::io::Error| {
        CommandError::new(ErrorKind::User, format!("{}: {error}", file.display()))
    };
    let opened = File::open(file).map_err(|error| unreadable(&error))?;
    let mut lines = BufReader::new(opened);
    let name = file.display().to_string();
    let mut bytes = Vec::new();
    let mut number = 0_usize;
    loop {
        bytes.clear();
        let limit = LINE_BYTES as u64 + 1;
        let read = lines.by_ref().take(limit).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| unreadable(&error))?;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        let place = format!("{name}:{number}");
        if bytes.len() > LINE_BYTES {
            return Err(CommandError::new(
                ErrorKind::User,
                format!("{place}: the line is longer than {LINE_BYTES} bytes"),
            ));
        }
        take(&place, read, Recording::parse(&bytes, &name));
    }
}

/// The calls of one line.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    /// The session to which they belong.
    pub(crate) session: String,
    /// In order.
    pub(crate) calls: Vec<Call>,
}

impl Recording {
    /// Reads a line; one without calls is empty. `file` names the session where nothing else does.
    pub(crate) fn parse(line: &[u8], file: &str) -> Result<Self, String> {
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
