//! Claude Code's permission settings: `permissions` of a `settings.json`, whose strictest matching rule decides.

use super::command::commands;
use super::command::written::Dialect;
use super::imported::{Imported, ImportedRule, Unreadable};
use super::jsonc;
use super::place::places;
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::Kind;
use countersign_policy::rules::approvals::Approvals;
use serde_json::{Map, Value};

/// How command patterns are written there.
const DIALECT: Dialect = Dialect {
    question: false,
    colon: true,
};

/// Inputs of `Bash` by which a rule may be written, `Bash(run_in_background:true)`.
const PARAMETERS: [&str; 4] = [
    "run_in_background",
    "timeout",
    "description",
    "dangerouslyDisableSandbox",
];

/// Tools that touch nothing but the host.
const CONTROL: [&str; 13] = [
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "TaskOutput",
    "TaskStop",
    "BashOutput",
    "KillShell",
    "ExitPlanMode",
    "AskUserQuestion",
    "ToolSearch",
];

/// What a settings file says.
pub(super) fn settings(text: &str) -> Result<Imported, Unreadable> {
    let settings = jsonc::strict(text)?;
    let mut out = Imported::default();
    let empty = Map::new();
    let permissions = match settings.get("permissions") {
        None => &empty,
        Some(Value::Object(permissions)) => permissions,
        Some(_) => {
            let why = "`permissions` is not an object".to_owned();
            return Err(Unreadable { line: 1, why });
        }
    };
    for (key, value) in permissions {
        match (key.as_str(), Action::parse(key)) {
            (_, Some(action)) => list(&mut out, action, value),
            ("defaultMode", _) => mode(&mut out, value),
            ("additionalDirectories", _) => directories(&mut out, value),
            ("disableBypassPermissionsMode" | "disableAutoMode", _) => {
                let why =
                    "an administrator's file, `/etc/countersign/rules.toml`, tightens the mode";
                out.leave(key, why);
            }
            _ if holds_rules(value) => {
                let why = format!("`permissions.{key}` holds rules, and is no key that is known");
                return Err(Unreadable { line: 1, why });
            }
            _ => out.leave(&format!("permissions.{key}"), "a key that is not known"),
        }
    }
    if let Some(value) = settings.get("sandbox") {
        sandbox(&mut out, value);
    }
    Ok(out)
}

/// Whether a value looks as if it allowed or denied something.
fn holds_rules(value: &Value) -> bool {
    let fields = value.as_object().into_iter().flatten();
    fields
        .into_iter()
        .any(|(key, _)| Action::parse(key).is_some())
}

/// The host's sandbox: what it always refuses is its own settings.
fn sandbox(out: &mut Imported, value: &Value) {
    if value.get("enabled") == Some(&Value::Bool(true)) {
        for file in ["settings.json", "settings.local.json"] {
            for kind in [Kind::Edit, Kind::Delete] {
                let pattern = format!("**/.claude/{file}");
                out.rule(Action::Deny, kind, pattern, "sandbox");
            }
        }
    }
    let why = "what runs in the host's sandbox is judged like everything else";
    out.leave("sandbox", why);
}

/// One of the three lists.
fn list(out: &mut Imported, action: Action, value: &Value) {
    let Value::Array(entries) = value else {
        out.leave(action.name(), "it is not a list of rules");
        return;
    };
    for entry in entries {
        match entry {
            Value::String(text) => rule(out, action, text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => {
                out.leave(&format!("{} {entry}", action.name()), "it is not a rule");
            }
        }
    }
}

/// One rule: a tool, or a tool with what it is used for in parentheses.
fn rule(out: &mut Imported, action: Action, text: &str) {
    let from = format!("{} {text}", action.name());
    let text = text.trim();
    let (tool, inner) = match text.split_once('(') {
        None => (text, None),
        Some((tool, rest)) => {
            let Some(inner) = rest.strip_suffix(')') else {
                return out.leave(&from, "its parenthesis is not closed");
            };
            (tool, Some(inner.trim()))
        }
    };
    // There `Tool(*)` is the tool with whatever it is used for.
    let inner = inner.filter(|inner| !matches!(*inner, "" | "*"));
    let said = match tool {
        "Bash" | "Monitor" => shell(out, action, tool, inner, &from),
        "Read" | "NotebookRead" | "Glob" | "Grep" | "LS" => read(out, action, tool, inner, &from),
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => edit(out, action, tool, inner, &from),
        "WebFetch" => fetch(out, action, inner, &from),
        "WebSearch" => {
            out.rule(action, Kind::WebSearch, "*", &from);
            Ok(())
        }
        "Agent" | "Task" => agent(out, action, inner, &from),
        "Skill" => skill(out, action, inner, &from),
        "*" => everything(out, action, &from),
        "PowerShell" => Err("PowerShell is not read here: every call of it asks".to_owned()),
        _ if CONTROL.contains(&tool) => Err("it touches nothing but the host".to_owned()),
        _ if tool.starts_with("mcp__") => mcp(out, action, tool, inner, &from),
        _ => Err("a tool that is not known: every call of it asks".to_owned()),
    };
    if let Err(why) = said {
        out.leave(&from, why);
    }
}

/// What is to be said where a rule is not translated.
type Said = Result<(), String>;

fn shell(out: &mut Imported, action: Action, tool: &str, inner: Option<&str>, from: &str) -> Said {
    if tool == "Monitor" && action == Action::Allow {
        return Err("here a rule for commands holds for every tool that runs them".to_owned());
    }
    let inner = inner.unwrap_or("*");
    let parameter = inner.split_once(':').map(|(name, _)| name);
    if parameter.is_some_and(|name| PARAMETERS.contains(&name)) {
        return Err("rules are about commands, not about how a tool is called".to_owned());
    }
    let found = commands(action, inner, DIALECT)?;
    for draft in found.rules {
        out.rules.push(ImportedRule {
            action: draft.action,
            kind: Kind::Shell,
            pattern: draft.pattern,
            with: draft.with,
            reason: None,
            from: from.to_owned(),
        });
    }
    if let Some(warning) = found.warning {
        out.warn(from, warning);
    }
    Ok(())
}

fn read(out: &mut Imported, action: Action, tool: &str, inner: Option<&str>, from: &str) -> Said {
    if action == Action::Allow && tool != "Read" {
        return Err("looking at names and contents is reading; write `Read(…)`".to_owned());
    }
    if action == Action::Allow && inner.is_none() {
        out.rule(action, Kind::Read, "**", from);
        out.warn(
            from,
            "what lies outside the project is asked all the same, and secrets are",
        );
        return Ok(());
    }
    paths(out, (action, &[Kind::Read]), inner, from)
}

fn edit(out: &mut Imported, action: Action, tool: &str, inner: Option<&str>, from: &str) -> Said {
    if action != Action::Allow {
        // What may not be changed may not be deleted either.
        return paths(out, (action, &[Kind::Edit, Kind::Delete]), inner, from);
    }
    if inner.is_some() {
        if tool != "Edit" {
            return Err("the host never looks at it; write `Edit(…)`".to_owned());
        }
        return paths(out, (action, &[Kind::Edit]), inner, from);
    }
    out.rule(action, Kind::Edit, "**", from);
    let why = "what lies outside the project is asked all the same, and places from which something runs are";
    out.warn(from, why);
    Ok(())
}

fn paths(
    out: &mut Imported,
    (action, kinds): (Action, &[Kind]),
    inner: Option<&str>,
    from: &str,
) -> Said {
    let found = places(action, inner.unwrap_or("**"))?;
    for pattern in &found.patterns {
        for kind in kinds {
            out.rule(action, *kind, pattern.clone(), from);
        }
    }
    if let Some(warning) = found.warning {
        out.warn(from, warning);
    }
    Ok(())
}

fn fetch(out: &mut Imported, action: Action, inner: Option<&str>, from: &str) -> Said {
    let host = match inner {
        None => "*",
        Some(inner) => inner
            .strip_prefix("domain:")
            .ok_or("only `domain:` is known behind it")?
            .trim(),
    };
    if action != Action::Allow {
        out.warn(from, "it holds for commands that reach the host, too");
    }
    out.rule(action, Kind::Net, host.to_lowercase(), from);
    Ok(())
}

fn agent(out: &mut Imported, action: Action, inner: Option<&str>, from: &str) -> Said {
    if inner.is_some() {
        return Err(
            "rules know agents that only read (`task = \"readonly\"`) and others, not their names"
                .to_owned(),
        );
    }
    out.rule(action, Kind::Task, "*", from);
    Ok(())
}

fn skill(out: &mut Imported, action: Action, inner: Option<&str>, from: &str) -> Said {
    if action == Action::Allow {
        return Err("loading a skill is reading a file of the project".to_owned());
    }
    let name = inner.unwrap_or("*");
    let name = name
        .strip_suffix(":*")
        .or(name.strip_suffix(" *"))
        .unwrap_or(name);
    let found = places(action, &format!("**/.claude/skills/{name}/**"))?;
    for pattern in found.patterns {
        out.rule(action, Kind::Read, pattern, from);
    }
    Ok(())
}

/// Every tool.
fn everything(out: &mut Imported, action: Action, from: &str) -> Said {
    if action == Action::Allow {
        return Err("there is no allow for everything; `mode = \"open\"` comes nearest".to_owned());
    }
    for kind in Kind::ALL {
        let pattern = match kind {
            Kind::Read | Kind::Edit | Kind::Delete | Kind::ExternalDirectory => "**",
            Kind::Shell
            | Kind::Terminal
            | Kind::Net
            | Kind::WebSearch
            | Kind::Mcp
            | Kind::Memory
            | Kind::Task
            | Kind::Tool => "*",
        };
        out.rule(action, kind, pattern, from);
    }
    Ok(())
}

/// `mcp__server`, `mcp__server__tool`; where it can be split in several ways, an ask or deny holds for all of them.
fn mcp(out: &mut Imported, action: Action, tool: &str, inner: Option<&str>, from: &str) -> Said {
    if inner.is_some() && action == Action::Allow {
        return Err("rules are about servers' tools, not about what they are given".to_owned());
    }
    let rest = tool.strip_prefix("mcp__").unwrap_or(tool);
    let splits: Vec<(&str, &str)> = rest
        .match_indices("__")
        .filter_map(|(at, _)| Some((rest.get(..at)?, rest.get(at + 2..)?)))
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
        .collect();
    let server = rest.split("__").next().unwrap_or(rest);
    if action == Action::Allow && server.contains(['*', '?']) {
        return Err("an allow there has to name its server".to_owned());
    }
    match (splits.as_slice(), action) {
        ([], _) if rest.is_empty() => return Err("it names no server".to_owned()),
        ([], _) if rest == "*" => out.rule(action, Kind::Mcp, "*", from),
        ([], _) => out.rule(action, Kind::Mcp, format!("{rest}/*"), from),
        ([(server, tool)], _) => out.rule(action, Kind::Mcp, format!("{server}/{tool}"), from),
        ([_, _, ..], Action::Allow) => {
            return Err("it cannot be told where the server's name ends".to_owned());
        }
        ([_, _, ..], Action::Ask | Action::Deny) => {
            for (server, tool) in splits {
                out.rule(action, Kind::Mcp, format!("{server}/{tool}"), from);
            }
            out.rule(action, Kind::Mcp, format!("{rest}/*"), from);
        }
    }
    if inner.is_some() {
        out.warn(from, "it holds for the tool whatever it is given");
    }
    Ok(())
}

fn mode(out: &mut Imported, value: &Value) {
    let name = value.as_str().unwrap_or_default();
    let what = format!("defaultMode {name}");
    match name {
        "default" => out.mode = Some(Mode::Default),
        "acceptEdits" => out.mode = Some(Mode::AcceptEdits),
        "bypassPermissions" => {
            out.mode = Some(Mode::Open);
            let why = "an allow there limits nothing; here deleting, publishing, privilege and what cannot be \
                told ask in every mode";
            out.warn(&what, why);
        }
        "auto" => {
            out.mode = Some(Mode::Default);
            let why = "there a model decides; here a person is asked, or a reviewer with `approvals = \"review\"`";
            out.warn(&what, why);
        }
        "plan" => {
            out.keep_to_reading();
            let why =
                "it holds for every session; take `category` out where sessions leave planning";
            out.warn(&what, why);
        }
        "dontAsk" => {
            out.mode = Some(Mode::Default);
            out.approvals = Some(Approvals::Never);
        }
        _ => out.leave(&what, "a mode that is not known"),
    }
}

fn directories(out: &mut Imported, value: &Value) {
    for entry in value.as_array().map_or(&[][..], Vec::as_slice) {
        let what = format!("additionalDirectories {entry}");
        let text = entry.as_str().unwrap_or_default().trim_end_matches('/');
        if text.starts_with('/') && !text.contains(['*', '?', '[', '\\']) {
            out.rule(
                Action::Allow,
                Kind::ExternalDirectory,
                format!("/{text}/**"),
                &what,
            );
        } else if text.starts_with("~/") && !text.contains(['*', '?', '[', '\\']) {
            out.rule(
                Action::Allow,
                Kind::ExternalDirectory,
                format!("{text}/**"),
                &what,
            );
        } else {
            out.leave(&what, "write its path from `//` (disk) or `~`");
        }
    }
}

#[cfg(test)]
mod tests;
