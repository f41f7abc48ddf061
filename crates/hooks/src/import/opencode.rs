//! `OpenCode`'s permission settings: `permission` of an `opencode.json`, whose last matching rule decides.

mod path;

use super::command::commands;
use super::command::written::Dialect;
use super::imported::{Imported, ImportedRule, Unreadable};
use super::jsonc;
use crate::json::{self, Node};
use countersign_policy::action::Action;
use countersign_policy::request::Kind;

/// How command patterns are written there.
const DIALECT: Dialect = Dialect {
    question: true,
    colon: false,
};

/// What the settings say.
pub(super) fn settings(text: &str) -> Result<Imported, Unreadable> {
    let text = jsonc::plain(text);
    let settings = json::parse(&text).map_err(|error| Unreadable {
        line: error.line,
        why: error.why,
    })?;
    let mut out = Imported::default();
    for key in ["agent", "mode"] {
        if settings.count(key) > 0 {
            out.leave(key, "rules hold for every agent here");
        }
    }
    for member in settings
        .members()
        .iter()
        .filter(|member| member.name == "tools")
    {
        tools(&mut out, &member.node, &text);
    }
    if settings.count("permission") > 1 {
        let why = "`permission` stands there twice".to_owned();
        return Err(Unreadable { line: 1, why });
    }
    if let Some(permission) = settings.member("permission") {
        permissions(&mut out, &permission.node)?;
    }
    let why = "there whatever no rule is about is allowed; here the mode answers";
    out.warn("permission", why);
    Ok(out)
}

/// All of `permission`: one action for everything, or one entry for each tool.
fn permissions(out: &mut Imported, node: &Node) -> Result<(), Unreadable> {
    if let Some(text) = node.text() {
        entry(out, "*", "*", text);
        return Ok(());
    }
    for tool in node.members() {
        let twice = |node: &Node, name: &str| {
            let why = format!("`{name}` stands there twice");
            (node.count(name) > 1).then_some(Unreadable { line: 1, why })
        };
        if let Some(error) = twice(node, &tool.name) {
            return Err(error);
        }
        if let Some(text) = tool.node.text() {
            entry(out, &tool.name, "*", text);
        }
        for pattern in tool.node.members() {
            if let Some(error) = twice(&tool.node, &pattern.name) {
                return Err(error);
            }
            match pattern.node.text() {
                Some(text) => entry(out, &tool.name, &pattern.name, text),
                None => out.leave(
                    &format!("{} {}", tool.name, pattern.name),
                    "it names no action",
                ),
            }
        }
    }
    Ok(())
}

/// The older form: tools that are switched off.
fn tools(out: &mut Imported, node: &Node, text: &str) {
    for tool in node.members() {
        let off = text.get(tool.node.span.clone()) == Some("false");
        match (tool.name.as_str(), off) {
            ("write" | "patch" | "edit", true) => entry(out, "edit", "*", "deny"),
            (name, true) => entry(out, name, "*", "deny"),
            (_, false) => {}
        }
    }
}

/// One rule: a tool, a pattern for what it is used for, and an action.
fn entry(out: &mut Imported, tool: &str, pattern: &str, action: &str) {
    let from = format!("{tool} {pattern}: {action}");
    let Some(action) = Action::parse(action) else {
        return out.leave(&from, "an action that is not known");
    };
    let said = match tool {
        "*" => all(out, action, pattern, &from),
        "bash" => shell(out, action, pattern, &from),
        "read" => paths(out, (action, &[Kind::Read]), pattern, &from),
        "edit" | "write" | "patch" if action == Action::Allow => {
            paths(out, (action, &[Kind::Edit]), pattern, &from)
        }
        "edit" | "write" | "patch" => {
            paths(out, (action, &[Kind::Edit, Kind::Delete]), pattern, &from)
        }
        "external_directory" => paths(out, (action, &[Kind::ExternalDirectory]), pattern, &from),
        "webfetch" => fetch(out, action, pattern, &from),
        "websearch" => whole(out, (action, Kind::WebSearch), pattern, &from),
        "task" => whole(out, (action, Kind::Task), pattern, &from),
        "glob" | "grep" | "list" | "lsp" | "codesearch" => {
            Err("looking at names and contents is reading; write rules for `read`".to_owned())
        }
        "todoread" | "todowrite" | "doom_loop" | "question" | "plan_enter" | "plan_exit"
        | "skill" => Err("it touches nothing but the host".to_owned()),
        _ => server(out, action, (tool, pattern), &from),
    };
    if let Err(why) = said {
        out.leave(&from, why);
    }
}

/// What is to be said where a rule is not translated.
type Said = Result<(), String>;

/// Every tool.
fn all(out: &mut Imported, action: Action, pattern: &str, from: &str) -> Said {
    if pattern != "*" {
        return Err("a pattern for every tool".to_owned());
    }
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

fn shell(out: &mut Imported, action: Action, pattern: &str, from: &str) -> Said {
    let found = commands(action, pattern, DIALECT)?;
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

fn paths(
    out: &mut Imported,
    (action, kinds): (Action, &[Kind]),
    pattern: &str,
    from: &str,
) -> Said {
    for pattern in path::patterns(action, pattern)? {
        for kind in kinds {
            out.rule(action, *kind, pattern.clone(), from);
        }
    }
    Ok(())
}

fn fetch(out: &mut Imported, action: Action, pattern: &str, from: &str) -> Said {
    let rest = pattern.split_once("://").map_or(pattern, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, "*"));
    if action == Action::Allow && (path != "*" || (host.contains('*') && host != "*")) {
        return Err(
            "rules know hosts, not what lies on them; write an allow for the host".to_owned(),
        );
    }
    out.rule(action, Kind::Net, host.to_lowercase(), from);
    Ok(())
}

fn whole(out: &mut Imported, (action, kind): (Action, Kind), pattern: &str, from: &str) -> Said {
    if pattern != "*" {
        return Err("rules do not tell apart what it is used for".to_owned());
    }
    out.rule(action, kind, "*", from);
    Ok(())
}

/// `server_tool`: where the server's name ends cannot be told, so an ask or deny holds for every way to split it.
fn server(out: &mut Imported, action: Action, (tool, pattern): (&str, &str), from: &str) -> Said {
    let splits: Vec<(&str, &str)> = tool
        .match_indices('_')
        .filter_map(|(at, _)| Some((tool.get(..at)?, tool.get(at + 1..)?)))
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
        .collect();
    let whole = match splits.as_slice() {
        [(_, "*")] => pattern == "*",
        [] | [_] | [_, _, ..] => false,
    };
    if splits.is_empty() {
        return Err("a tool that is not known: every call of it asks".to_owned());
    }
    if action == Action::Allow && !whole {
        return Err(
            "it cannot be told where the server's name ends; write `server/tool`".to_owned(),
        );
    }
    for (server, tool) in splits {
        out.rule(action, Kind::Mcp, format!("{server}/{tool}"), from);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
