//! Gemini CLI's permission settings: the lists of tools in a `settings.json`, and what it says of MCP servers.

use super::command::commands;
use super::command::written::Dialect;
use super::imported::{Imported, ImportedRule, Unreadable};
use super::jsonc;
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::Kind;
use serde_json::Value;

/// Commands are named by how they begin, without any wildcards.
const DIALECT: Dialect = Dialect {
    question: false,
    colon: false,
};

/// The list of the tools that exist.
const CORE: &str = "tools.core";

/// What the settings say.
pub(super) fn settings(text: &str) -> Result<Imported, Unreadable> {
    let settings = jsonc::lenient(text)?;
    let mut out = Imported::default();
    for (paths, action) in [
        (["/tools/allowed", "/allowedTools"], Action::Allow),
        (["/tools/exclude", "/excludeTools"], Action::Deny),
    ] {
        for entry in list(&settings, &paths) {
            tool(&mut out, action, &entry);
        }
    }
    let core = list(&settings, &["/tools/core", "/coreTools"]);
    let some_commands = !core.is_empty() && core_tools(&mut out, &core);
    for server in list(&settings, &["/mcp/excluded", "/excludeMCPServers"]) {
        let from = format!("mcp.excluded {server}");
        if is_odd(&server) {
            out.leave(&from, "a name that no rule can say");
            continue;
        }
        out.rule(Action::Deny, Kind::Mcp, format!("{server}/*"), &from);
    }
    servers(&mut out, &settings);
    mode(&mut out, &settings);
    if some_commands {
        out.behind(Action::Ask, Kind::Shell, "*", CORE);
    }
    Ok(out)
}

/// The strings at the first of these places.
fn list(settings: &Value, places: &[&str]) -> Vec<String> {
    let found = places.iter().find_map(|place| settings.pointer(place));
    let entries = found.and_then(Value::as_array).into_iter().flatten();
    entries
        .filter_map(|entry| entry.as_str().map(str::to_owned))
        .collect()
}

/// A tool, or a tool with the beginning of a command in parentheses.
fn tool(out: &mut Imported, action: Action, entry: &str) {
    let list = if action == Action::Allow {
        "allowed"
    } else {
        "exclude"
    };
    let from = format!("{list} {entry}");
    let (name, inner) = match entry.trim().split_once('(') {
        None => (entry.trim(), None),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(inner) => (name, Some(inner.trim()).filter(|inner| !inner.is_empty())),
            None => return out.leave(&from, "its parenthesis is not closed"),
        },
    };
    if is_shell(name) {
        return shell(out, action, inner, &from);
    }
    if inner.is_some() && action == Action::Allow {
        return out.leave(
            &from,
            "only commands are told apart by what stands in parentheses",
        );
    }
    match name {
        "read_file" | "ReadFileTool" | "read_many_files" | "ReadManyFilesTool" => {
            out.rule(action, Kind::Read, "**", &from);
        }
        "write_file" | "WriteFileTool" | "replace" | "EditTool" => {
            out.rule(action, Kind::Edit, "**", &from);
            if action != Action::Allow {
                out.rule(action, Kind::Delete, "**", &from);
            }
        }
        "web_fetch" | "WebFetchTool" => out.rule(action, Kind::Net, "*", &from),
        "google_web_search" | "WebSearchTool" => out.rule(action, Kind::WebSearch, "*", &from),
        "save_memory" | "MemoryTool" => out.rule(action, Kind::Memory, "*", &from),
        "list_directory"
        | "LSTool"
        | "glob"
        | "GlobTool"
        | "search_file_content"
        | "grep_search"
        | "GrepTool" => out.leave(
            &from,
            "looking at names and contents is reading; write rules for `read`",
        ),
        _ => match name.split_once("__") {
            Some((server, tool))
                if !server.is_empty() && !tool.is_empty() && !tool.contains("__") =>
            {
                out.rule(action, Kind::Mcp, format!("{server}/{tool}"), &from);
            }
            Some(_) | None => out.leave(&from, "a tool that is not known: every call of it asks"),
        },
    }
}

fn is_shell(name: &str) -> bool {
    matches!(name, "run_shell_command" | "ShellTool")
}

fn shell(out: &mut Imported, action: Action, inner: Option<&str>, from: &str) {
    let text = match inner {
        None => "*".to_owned(),
        Some(inner) => format!("{} *", inner.replace('*', "\\*")),
    };
    match commands(action, &text, DIALECT) {
        Err(why) => out.leave(from, why),
        Ok(found) => {
            let rules = found.rules.into_iter().map(|draft| ImportedRule {
                action: draft.action,
                kind: Kind::Shell,
                pattern: draft.pattern,
                with: draft.with,
                reason: None,
                from: from.to_owned(),
            });
            out.rules.extend(rules);
            if let Some(warning) = found.warning {
                out.warn(from, warning);
            }
        }
    }
}

/// The tools that exist at all: the others are refused there. Says whether only some commands are among them.
fn core_tools(out: &mut Imported, core: &[String]) -> bool {
    let from = CORE;
    let shell = core.iter().map(|entry| entry.trim());
    let mut shell = shell.filter(|entry| is_shell(entry.split('(').next().unwrap_or_default()));
    let (some, whole) = match shell.next() {
        None => (false, false),
        Some(first) => (true, is_shell(first) || shell.any(is_shell)),
    };
    if !some {
        out.rule(Action::Deny, Kind::Shell, "*", from);
    } else if !whole {
        out.leave(
            from,
            "there other commands are refused; here all ask that `allowed` does not name",
        );
    }
    let edits = ["write_file", "WriteFileTool", "replace", "EditTool"];
    if !some && !core.iter().any(|entry| edits.contains(&entry.trim())) {
        out.rule(Action::Deny, Kind::Edit, "**", from);
        out.rule(Action::Deny, Kind::Delete, "**", from);
    }
    out.warn(
        from,
        "of the tools that it leaves out only those for commands and files are refused here",
    );
    some && !whole
}

fn servers(out: &mut Imported, settings: &Value) {
    let servers = settings.get("mcpServers").and_then(Value::as_object);
    for (name, server) in servers.into_iter().flatten() {
        if is_odd(name) {
            out.leave(&format!("mcpServers.{name}"), "a name that no rule can say");
            continue;
        }
        if server.get("trust") == Some(&Value::Bool(true)) {
            let from = format!("mcpServers.{name}.trust");
            // Each of these takes some of the server's tools away, under names of its own.
            let lists = [
                "/tools/core",
                "/coreTools",
                "/tools/exclude",
                "/excludeTools",
            ];
            let limited = server.get("includeTools").is_some()
                || lists.iter().any(|list| settings.pointer(list).is_some());
            if limited {
                out.leave(
                    &from,
                    "which of its tools are switched off is not translated",
                );
            } else {
                out.rule(Action::Allow, Kind::Mcp, format!("{name}/*"), &from);
            }
        }
        for tool in list(server, &["/excludeTools"]) {
            let tool = tool.split('(').next().unwrap_or_default();
            let from = format!("mcpServers.{name}.excludeTools {tool}");
            out.rule(Action::Deny, Kind::Mcp, format!("{name}/{tool}"), &from);
        }
    }
}

/// Whether a server's name would mean something else in a pattern.
fn is_odd(name: &str) -> bool {
    name.contains(['/', '*', '?', '\\'])
}

fn mode(out: &mut Imported, settings: &Value) {
    let Some(value) = settings.pointer("/general/defaultApprovalMode") else {
        return;
    };
    let name = value.as_str().unwrap_or_default();
    let what = format!("general.defaultApprovalMode {name}");
    match name {
        "default" => out.mode = Some(Mode::Default),
        "auto_edit" | "autoEdit" => out.mode = Some(Mode::AcceptEdits),
        "plan" => {
            out.keep_to_reading();
            let why =
                "it holds for every session; take `category` out where sessions leave planning";
            out.warn(&what, why);
        }
        "yolo" => {
            out.mode = Some(Mode::Open);
            let why =
                "here deleting, publishing, privilege and what cannot be told ask in every mode";
            out.warn(&what, why);
        }
        _ => out.leave(&what, "a mode that is not known"),
    }
}

#[cfg(test)]
mod tests {
    use super::settings;
    use crate::import::file::written;
    use crate::import::imported::Imported;
    use crate::import::settle::{Precedence, settled};
    use countersign_policy::mode::Mode;
    use countersign_policy::rules::parse::parse;
    use countersign_policy::rules::rule::Authority;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(text: &Value, expected: &[&str]) -> Imported {
        let found = settled(settings(&text.to_string()).unwrap(), Precedence::Strictest);
        let text = written(&found, "a test");
        let parsed = parse(&text, "rules.toml", Authority::User);
        assert!(
            parsed.diagnostics.is_empty(),
            "{text}\n{:?}",
            parsed.diagnostics
        );
        let rules = found.rules.iter();
        let lines: Vec<String> = rules
            .map(|rule| {
                format!(
                    "{} {} {}",
                    rule.action.name(),
                    rule.kind.name(),
                    rule.pattern
                )
            })
            .collect();
        assert_eq!(lines, expected);
        found
    }

    #[test]
    fn p13_commands_are_named_by_how_they_begin() {
        let allowed = [
            "run_shell_command(git status)",
            "ShellTool(npm test)",
            "run_shell_command(a*b)",
        ];
        check(
            &json!({"tools": {"allowed": allowed, "exclude": ["run_shell_command(rm)", "write_file"]}}),
            &[
                "allow shell git status *",
                "allow shell npm test *",
                r"allow shell a\*b *",
                "deny shell rm *",
                "deny edit **",
                "deny delete **",
            ],
        );
        check(
            &json!({"allowedTools": ["run_shell_command"], "excludeTools": ["web_fetch"]}),
            &["allow shell *", "deny net *"],
        );
    }

    #[test]
    fn p13_the_list_of_tools_that_exist_is_never_milder() {
        check(
            &json!({"coreTools": ["read_file"]}),
            &["deny shell *", "deny edit **", "deny delete **"],
        );
        let found = check(
            &json!({"tools": {"core": ["run_shell_command(git)", "run_shell_command(ls)"], "allowed": ["run_shell_command(ls)"]}}),
            &["allow shell ls *", "ask shell *"],
        );
        assert_eq!(found.untranslated.len(), 1);
    }

    #[test]
    fn p10_servers_and_their_tools_are_told_apart() {
        check(
            &json!({"mcpServers": {"a": {"trust": true, "excludeTools": ["x(y)"]}}, "mcp": {"excluded": ["b"]},
                "tools": {"allowed": ["c__get"]}}),
            &[
                "allow mcp c/get",
                "deny mcp b/*",
                "allow mcp a/*",
                "deny mcp a/x",
            ],
        );
        for more in [
            json!({"tools": {"exclude": ["delete_repo"]}}),
            json!({"tools": {"core": ["read_file"]}}),
            json!({"excludeTools": ["x"]}),
        ] {
            let mut all = json!({"mcpServers": {"gh": {"trust": true}}});
            all.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            let found = settings(&all.to_string()).unwrap();
            let found = settled(found, Precedence::Strictest);
            assert!(
                !found.rules.iter().any(|rule| rule.pattern == "gh/*"),
                "{all}"
            );
        }
    }

    #[test]
    fn p15_modes_are_never_milder() {
        for (name, mode) in [
            ("default", Some(Mode::Default)),
            ("auto_edit", Some(Mode::AcceptEdits)),
            ("plan", Some(Mode::Default)),
            ("yolo", Some(Mode::Open)),
            ("frob", None),
        ] {
            let found = check(&json!({"general": {"defaultApprovalMode": name}}), &[]);
            assert_eq!(found.mode, mode, "{name}");
        }
    }
}
