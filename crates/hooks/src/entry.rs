//! The entry in an agent's settings by which its host runs our hook: put in, found and taken out as text, without a
//! file.

use crate::json::{self, Node, NotJson, appended, without};
use std::fmt;

/// The seconds that the host is told to wait: more than the hook ever takes.
pub const TIMEOUT_SECONDS: u64 = 60;

/// The program's name.
pub const PROGRAM: &str = "countersign-hook";

/// What the program is told to answer for.
const AGENT: &str = "claude-code";

/// The event in which every call is judged.
const EVENT: &str = "PreToolUse";

/// An entry of ours as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Whether it is asked about every tool.
    pub every_tool: bool,
    /// Whether the host refuses where the hook fails.
    pub blocks_on_failure: bool,
}

/// Why settings are left as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is not JSON.
    NotJson {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong.
        why: String,
    },
    /// A value has another form than the host's settings have.
    Shape {
        /// The value, as a path of names.
        at: &'static str,
        /// What it has to be.
        wanted: &'static str,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { line, column, why } => {
                write!(f, "not JSON at line {line}, column {column}: {why}")
            }
            Self::Shape { at, wanted } => write!(f, "`{at}` is not {wanted}"),
        }
    }
}

impl std::error::Error for Unfit {}

impl From<NotJson> for Unfit {
    fn from(NotJson { line, column, why }: NotJson) -> Self {
        Self::NotJson { line, column, why }
    }
}

/// What a host is told to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hook<'a> {
    /// The program, by its absolute path.
    pub program: &'a str,
    /// Its arguments behind the agent's name: where its rules and journals are.
    pub pins: &'a [String],
}

impl Hook<'_> {
    fn arguments(self) -> Vec<String> {
        let pins = self.pins.iter().cloned();
        std::iter::once(AGENT.to_owned()).chain(pins).collect()
    }
}

/// Settings that hold nothing but the entry.
pub fn alone(hook: Hook<'_>) -> Result<String, Unfit> {
    Ok(with_entry("{}", hook)?.unwrap_or_default() + "\n")
}

/// The settings with the entry in them; nothing where it is there already as it has to be.
pub fn with_entry(text: &str, hook: Hook<'_>) -> Result<Option<String>, Unfit> {
    let wanted = Entry {
        program: hook.program.to_owned(),
        arguments: hook.arguments(),
        every_tool: true,
        blocks_on_failure: true,
    };
    if entries(text)? == [wanted] {
        return Ok(None);
    }
    let mut text = without_entry(text)?.unwrap_or_else(|| text.to_owned());
    let root = root(&text)?;
    let group = group(hook);
    let lost = || Unfit::Shape {
        at: "hooks",
        wanted: "where it was",
    };
    text = match root.member("hooks").map(|member| &member.node) {
        None => appended(
            &text,
            &root,
            &format!(
                "\"hooks\": {{\n\t\"{EVENT}\": [\n\t\t{}\n\t]\n}}",
                group.replace('\n', "\n\t\t")
            ),
        ),
        Some(hooks) => match hooks.member(EVENT).map(|member| &member.node) {
            None => appended(
                &text,
                hooks,
                &format!("\"{EVENT}\": [\n\t{}\n]", group.replace('\n', "\n\t")),
            ),
            Some(groups) => appended(&text, groups, &group),
        },
    }
    .ok_or_else(lost)?;
    // Whatever was put in has to read back as what was wanted.
    root_checked(&text)?;
    Ok(Some(text))
}

/// The settings without our entries; nothing where there are none.
pub fn without_entry(text: &str) -> Result<Option<String>, Unfit> {
    let mut current = text.to_owned();
    let mut changed = false;
    while let Some(next) = without_one(&current)? {
        current = next;
        changed = true;
    }
    if !changed {
        return Ok(None);
    }
    // What is empty now was there for our entry.
    for path in [&["hooks", EVENT][..], &["hooks"][..]] {
        if let Some(next) = without_empty(&current, path)? {
            current = next;
        }
    }
    Ok(Some(current))
}

/// Our entries.
pub fn entries(text: &str) -> Result<Vec<Entry>, Unfit> {
    let root = root(text)?;
    let mut found = Vec::new();
    for group in groups(&root) {
        let matcher = group.member("matcher").map(|member| &member.node);
        let every_tool = matcher.is_none_or(|matcher| matches!(matcher.text(), Some("" | "*")));
        for handler in handlers(group).iter().filter(|handler| is_ours(handler)) {
            found.push(entry(text, handler, every_tool));
        }
    }
    Ok(found)
}

/// Whether the settings switch hooks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Hooks run.
    On,
    /// `disableAllHooks` is set.
    Off,
}

/// Whether the settings switch hooks off.
pub fn switch(text: &str) -> Result<Switch, Unfit> {
    let root = root(text)?;
    let named = |name: &&json::Member| name.name == "disableAllHooks";
    let last = root.members().iter().rfind(named);
    let value = last.and_then(|member| text.get(member.node.span.clone()));
    Ok(match value {
        None | Some("false" | "null") => Switch::On,
        Some(_) => Switch::Off,
    })
}

fn root_checked(text: &str) -> Result<(), Unfit> {
    match entries(text)?.as_slice() {
        [_] => Ok(()),
        _ => Err(Unfit::Shape {
            at: "hooks.PreToolUse",
            wanted: "a place for our entry",
        }),
    }
}

/// The whole settings, in the shape in which the host has them.
fn root(text: &str) -> Result<Node, Unfit> {
    let root = json::parse(text)?;
    let shape = |at, wanted| Err(Unfit::Shape { at, wanted });
    if !matches!(root.value, json::Value::Object(_)) {
        return shape("the file", "an object");
    }
    if root.count("hooks") > 1 {
        return shape("hooks", "named once");
    }
    if let Some(hooks) = root.member("hooks") {
        if !matches!(hooks.node.value, json::Value::Object(_)) {
            return shape("hooks", "an object");
        }
        if hooks.node.count(EVENT) > 1 {
            return shape("hooks.PreToolUse", "named once");
        }
        if let Some(groups) = hooks.node.member(EVENT)
            && !matches!(groups.node.value, json::Value::Array(_))
        {
            return shape("hooks.PreToolUse", "a list");
        }
    }
    Ok(root)
}

fn groups(root: &Node) -> &[Node] {
    let hooks = root.member("hooks");
    let event = hooks.and_then(|hooks| hooks.node.member(EVENT));
    event.map_or(&[], |event| event.node.elements())
}

fn handlers(group: &Node) -> &[Node] {
    let hooks = group.member("hooks");
    hooks.map_or(&[], |hooks| hooks.node.elements())
}

/// Whether a handler runs our program for this agent.
fn is_ours(handler: &Node) -> bool {
    let text = |name| handler.member(name).and_then(|member| member.node.text());
    let command = text("command").unwrap_or_default();
    let program = command.rsplit('/').next().unwrap_or_default();
    let arguments = handler.member("args").map(|member| member.node.elements());
    let first = arguments.and_then(|arguments| arguments.first()?.text());
    program == PROGRAM && first == Some(AGENT)
}

fn entry(text: &str, handler: &Node, every_tool: bool) -> Entry {
    let field = |name| handler.member(name).map(|member| &member.node);
    let arguments = field("args").map_or(&[][..], Node::elements).iter();
    // Each of these keeps the host from asking, or from waiting for the answer.
    let narrowed = ["if", "async", "asyncRewake", "once"]
        .into_iter()
        .any(|name| {
            let value = field(name).and_then(|node| text.get(node.span.clone()));
            value.is_some_and(|value| !matches!(value, "false" | "null"))
        });
    let command = field("type").and_then(Node::text) == Some("command");
    let timeout =
        field("timeout").and_then(|node| text.get(node.span.clone())?.parse::<u64>().ok());
    Entry {
        program: field("command")
            .and_then(Node::text)
            .unwrap_or_default()
            .to_owned(),
        arguments: arguments
            .filter_map(Node::text)
            .map(str::to_owned)
            .collect(),
        every_tool: every_tool && command && !narrowed,
        blocks_on_failure: field("onFailure").and_then(Node::text) == Some("block")
            && timeout.is_some_and(|timeout| timeout >= TIMEOUT_SECONDS),
    }
}

/// The settings without the first of our entries.
fn without_one(text: &str) -> Result<Option<String>, Unfit> {
    let root = root(text)?;
    let hooks = root
        .member("hooks")
        .and_then(|hooks| hooks.node.member(EVENT));
    for (at, group) in groups(&root).iter().enumerate() {
        let handlers = handlers(group);
        let Some(ours) = handlers.iter().position(is_ours) else {
            continue;
        };
        return Ok(if handlers.len() == 1 {
            hooks.and_then(|groups| without(text, &groups.node, at))
        } else {
            let list = group.member("hooks");
            list.and_then(|list| without(text, &list.node, ours))
        });
    }
    Ok(None)
}

/// The settings without the value at a path, where it is an empty container.
fn without_empty(text: &str, path: &[&str]) -> Result<Option<String>, Unfit> {
    let root = root(text)?;
    let Some((name, above)) = path.split_last() else {
        return Ok(None);
    };
    let mut container = &root;
    for name in above {
        let Some(member) = container.member(name) else {
            return Ok(None);
        };
        container = &member.node;
    }
    let members = container.members().iter();
    let mut named = members
        .enumerate()
        .filter(|(_, member)| member.name == *name);
    let empty = named.next().filter(|(_, member)| {
        let node = &member.node;
        node.parts().is_empty() && !matches!(node.value, json::Value::Text(_) | json::Value::Other)
    });
    Ok(empty.and_then(|(at, _)| without(text, container, at)))
}

/// The entry with the group around it, a tab for each level.
fn group(hook: Hook<'_>) -> String {
    // A text always serialises; an empty one would be refused when it is read back.
    let program = serde_json::to_string(hook.program).unwrap_or_default();
    let arguments = serde_json::to_string(&hook.arguments()).unwrap_or_default();
    [
        "{",
        "\t\"matcher\": \"*\",",
        "\t\"hooks\": [",
        "\t\t{",
        "\t\t\t\"type\": \"command\",",
        &format!("\t\t\t\"command\": {program},"),
        &format!("\t\t\t\"args\": {arguments},"),
        &format!("\t\t\t\"timeout\": {TIMEOUT_SECONDS},"),
        "\t\t\t\"onFailure\": \"block\"",
        "\t\t}",
        "\t]",
        "}",
    ]
    .join("\n")
}
