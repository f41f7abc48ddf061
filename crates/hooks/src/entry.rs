//! The entries in an agent's settings by which its host runs our hook, one for each event: put in, found and taken out
//! as text, without a file.

use crate::hooked::Hooked;
use crate::json::{self, Node, NotJson, appended, without};
use std::fmt;

/// The seconds that the host is told to wait: more than the hook ever takes.
pub const TIMEOUT_SECONDS: u64 = 60;

/// The program's name.
pub const PROGRAM: &str = "countersign-hook";

/// What the program is told to answer for.
const AGENT: &str = "claude-code";

/// An entry of ours as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The event for which it is run.
    pub event: Hooked,
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Whether it is asked every time, about every tool, and waited for.
    pub every_tool: bool,
    /// Whether the host refuses where the hook fails, if anything waits for the answer.
    pub blocks_on_failure: bool,
}

impl Entry {
    /// Whether it does what it has to do.
    pub const fn is_whole(&self) -> bool {
        self.every_tool && self.blocks_on_failure
    }
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

/// Settings that hold nothing but the entries.
pub fn alone(hook: Hook<'_>) -> Result<String, Unfit> {
    Ok(with_entry("{}", hook)?.unwrap_or_default() + "\n")
}

/// The settings with the entries in them; nothing where they are there already as they have to be.
pub fn with_entry(text: &str, hook: Hook<'_>) -> Result<Option<String>, Unfit> {
    let wanted = Hooked::ALL.map(|event| Entry {
        event,
        program: hook.program.to_owned(),
        arguments: hook.arguments(),
        every_tool: true,
        blocks_on_failure: true,
    });
    if entries(text)? == wanted {
        return Ok(None);
    }
    let mut text = without_entry(text)?.unwrap_or_else(|| text.to_owned());
    for event in Hooked::ALL {
        text = with_group(&text, event, &group(hook, event))?;
    }
    // Whatever was put in has to read back as what was wanted.
    if entries(&text)? != wanted {
        return Err(unplaced(Hooked::PreToolUse));
    }
    Ok(Some(text))
}

/// The settings with a group put behind those of an event.
fn with_group(text: &str, event: Hooked, group: &str) -> Result<String, Unfit> {
    let name = event.name();
    let root = root(text)?;
    let put = match root.member("hooks").map(|member| &member.node) {
        None => appended(
            text,
            &root,
            &format!(
                "\"hooks\": {{\n\t\"{name}\": [\n\t\t{}\n\t]\n}}",
                group.replace('\n', "\n\t\t")
            ),
        ),
        Some(hooks) => match hooks.member(name).map(|member| &member.node) {
            None => appended(
                text,
                hooks,
                &format!("\"{name}\": [\n\t{}\n]", group.replace('\n', "\n\t")),
            ),
            Some(groups) => appended(text, groups, group),
        },
    };
    put.ok_or_else(|| unplaced(event))
}

/// There is no place for an entry, though the settings have the right shape.
const fn unplaced(event: Hooked) -> Unfit {
    Unfit::Shape {
        at: event.place(),
        wanted: "a place for our entry",
    }
}

/// The settings without our entries; nothing where there are none.
pub fn without_entry(text: &str) -> Result<Option<String>, Unfit> {
    let mut current = text.to_owned();
    let mut emptied = Vec::new();
    for event in Hooked::ALL {
        while let Some(next) = without_one(&current, event)? {
            current = next;
            emptied.push(event);
        }
    }
    if emptied.is_empty() {
        return Ok(None);
    }
    // What is empty now was there for our entries.
    emptied.dedup();
    for event in emptied {
        if let Some(next) = without_empty(&current, &["hooks", event.name()])? {
            current = next;
        }
    }
    if let Some(next) = without_empty(&current, &["hooks"])? {
        current = next;
    }
    Ok(Some(current))
}

/// Our entries, by the order of their events.
pub fn entries(text: &str) -> Result<Vec<Entry>, Unfit> {
    let root = root(text)?;
    let mut found = Vec::new();
    for event in Hooked::ALL {
        for group in groups(&root, event) {
            let matcher = group.member("matcher").map(|member| &member.node);
            let every_tool = matcher.is_none_or(|matcher| matches!(matcher.text(), Some("" | "*")));
            for handler in handlers(group).iter().filter(|handler| is_ours(handler)) {
                found.push(entry(text, handler, (event, every_tool)));
            }
        }
    }
    Ok(found)
}

/// The handlers of other people for an event, each as it is written, behind what it is asked about.
pub fn others(text: &str, event: Hooked) -> Result<Vec<String>, Unfit> {
    let root = root(text)?;
    let written = |node: &Node| text.get(node.span.clone()).unwrap_or_default();
    let mut found = Vec::new();
    for group in groups(&root, event) {
        let matcher = group
            .member("matcher")
            .map_or("", |matcher| written(&matcher.node));
        let foreign = handlers(group).iter().filter(|handler| !is_ours(handler));
        found.extend(foreign.map(|handler| format!("{matcher} {}", written(handler))));
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
        for event in Hooked::ALL {
            if hooks.node.count(event.name()) > 1 {
                return shape(event.place(), "named once");
            }
            if let Some(groups) = hooks.node.member(event.name())
                && !matches!(groups.node.value, json::Value::Array(_))
            {
                return shape(event.place(), "a list");
            }
        }
    }
    Ok(root)
}

fn groups(root: &Node, event: Hooked) -> &[Node] {
    let hooks = root.member("hooks");
    let event = hooks.and_then(|hooks| hooks.node.member(event.name()));
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

fn entry(text: &str, handler: &Node, (event, every_tool): (Hooked, bool)) -> Entry {
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
    let waited = timeout.is_some_and(|timeout| timeout >= TIMEOUT_SECONDS);
    let blocks = field("onFailure").and_then(Node::text) == Some("block");
    Entry {
        event,
        program: field("command")
            .and_then(Node::text)
            .unwrap_or_default()
            .to_owned(),
        arguments: arguments
            .filter_map(Node::text)
            .map(str::to_owned)
            .collect(),
        every_tool: every_tool && command && !narrowed,
        blocks_on_failure: waited && (blocks || !event.waits()),
    }
}

/// The settings without the first of our entries for an event.
fn without_one(text: &str, event: Hooked) -> Result<Option<String>, Unfit> {
    let root = root(text)?;
    let hooks = root
        .member("hooks")
        .and_then(|hooks| hooks.node.member(event.name()));
    for (at, group) in groups(&root, event).iter().enumerate() {
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

/// The entry for an event with the group around it, a tab for each level.
fn group(hook: Hook<'_>, event: Hooked) -> String {
    // A text always serialises; an empty one would be refused when it is read back.
    let program = serde_json::to_string(hook.program).unwrap_or_default();
    let arguments = serde_json::to_string(&hook.arguments()).unwrap_or_default();
    let program = format!("\t\t\t\"command\": {program},");
    let arguments = format!("\t\t\t\"args\": {arguments},");
    let comma = if event.waits() { "," } else { "" };
    let timeout = format!("\t\t\t\"timeout\": {TIMEOUT_SECONDS}{comma}");
    let mut lines = vec!["{"];
    if event.of_tools() {
        lines.push("\t\"matcher\": \"*\",");
    }
    lines.extend([
        "\t\"hooks\": [",
        "\t\t{",
        "\t\t\t\"type\": \"command\",",
        &program,
        &arguments,
        &timeout,
    ]);
    if event.waits() {
        lines.push("\t\t\t\"onFailure\": \"block\"");
    }
    lines.extend(["\t\t}", "\t]", "}"]);
    lines.join("\n")
}
