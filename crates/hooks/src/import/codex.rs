//! Codex's permission settings: `config.toml`, and rule files whose strictest matching `prefix_rule` decides.

mod starlark;

use self::starlark::{Call, Value as Written};
use super::command::beginning;
use super::imported::{Imported, ImportedRule, Unreadable};
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::Kind;
use countersign_policy::rules::approvals::Approvals;
use serde_json::Value;

/// The most commands that the alternatives of one rule may make.
const MOST_COMMANDS: usize = 64;

/// What `config.toml` says.
pub(super) fn settings(text: &str) -> Result<Imported, Unreadable> {
    let config: Value = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        Unreadable {
            line: before.unwrap_or_default().matches('\n').count() + 1,
            why: error.message().trim().replace('\n', ", "),
        }
    })?;
    let mut out = Imported::default();
    mode(&mut out, &config);
    let sandbox = config.get("sandbox_workspace_write");
    let roots = sandbox.and_then(|sandbox| sandbox.get("writable_roots"));
    for root in roots.and_then(Value::as_array).into_iter().flatten() {
        let what = format!("writable_roots {root}");
        match root.as_str().map(|root| root.trim_end_matches('/')) {
            Some(root) if root.starts_with('/') && !root.contains(['*', '?', '\\']) => {
                out.rule(
                    Action::Allow,
                    Kind::ExternalDirectory,
                    format!("/{root}/**"),
                    &what,
                );
            }
            Some(_) | None => out.leave(&what, "it is not a path from the root of the disk"),
        }
    }
    if sandbox.and_then(|sandbox| sandbox.get("network_access")) == Some(&Value::Bool(true)) {
        let why = "there it is for commands in a sandbox; allow hosts with `net`";
        out.leave("network_access", why);
    }
    servers(&mut out, &config);
    for (key, why) in [
        (
            "projects",
            "who trusts a project's files says so with `countersign trust`",
        ),
        ("profiles", "name the mode of a session with `--mode`"),
        ("permissions", "profiles of permissions are not read"),
        (
            "default_permissions",
            "profiles of permissions are not read",
        ),
    ] {
        if config.get(key).is_some() {
            out.leave(key, why);
        }
    }
    Ok(out)
}

/// The mode for when it asks, and where its commands may write.
fn mode(out: &mut Imported, config: &Value) {
    let text = |key: &str| config.get(key).and_then(Value::as_str);
    let policy = config.get("approval_policy");
    let what = |key: &str| format!("{key} = {}", config.get(key).unwrap_or(&Value::Null));
    let approval = policy.and_then(Value::as_str);
    let asks_always = match approval {
        Some("never") => {
            out.approvals = Some(Approvals::Never);
            false
        }
        Some("on-request" | "on-failure") => false,
        Some("untrusted") => true,
        Some(_) => {
            out.leave(&what("approval_policy"), "a policy that is not known");
            true
        }
        None => {
            if policy.is_some() {
                out.leave(
                    "approval_policy",
                    "when to ask is said by rules and `category` here",
                );
            }
            true
        }
    };
    out.mode = match text("sandbox_mode") {
        Some("read-only") => Some(Mode::Default),
        Some("workspace-write") if asks_always => Some(Mode::Default),
        Some("workspace-write") => {
            let why = "there commands run in a sandbox unasked; here builds ask where they cannot be confined";
            out.warn(&what("sandbox_mode"), why);
            Some(Mode::AcceptEdits)
        }
        Some("danger-full-access") if asks_always => Some(Mode::Default),
        Some("danger-full-access") => {
            let why =
                "here deleting, publishing, privilege and what cannot be told ask in every mode";
            out.warn(&what("sandbox_mode"), why);
            Some(Mode::Open)
        }
        Some(_) => {
            out.leave(&what("sandbox_mode"), "a mode that is not known");
            None
        }
        None => None,
    };
}

/// What it says of MCP servers' tools.
fn servers(out: &mut Imported, config: &Value) {
    let servers = config.get("mcp_servers").and_then(Value::as_object);
    for (name, server) in servers.into_iter().flatten() {
        if name.contains(['/', '*', '?', '\\']) {
            out.leave(
                &format!("mcp_servers.{name}"),
                "a name that no rule can say",
            );
            continue;
        }
        let disabled = server.get("disabled_tools").and_then(Value::as_array);
        for tool in disabled.into_iter().flatten().filter_map(Value::as_str) {
            let from = format!("mcp_servers.{name}.disabled_tools {tool}");
            out.rule(Action::Deny, Kind::Mcp, format!("{name}/{tool}"), &from);
        }
        let limited = server.get("enabled_tools").is_some()
            || server.get("enabled") == Some(&Value::Bool(false));
        let tools = server.get("tools").and_then(Value::as_object);
        for (tool, settings) in tools.into_iter().flatten() {
            let from = format!("mcp_servers.{name}.tools.{tool}");
            let action = match settings.get("approval_mode").and_then(Value::as_str) {
                Some("approve") if tool.contains(['*', '?', '\\']) => {
                    out.leave(&from, "its name is no pattern there");
                    continue;
                }
                Some("approve") if limited => {
                    out.leave(
                        &from,
                        "which tools of the server are switched on is not translated",
                    );
                    continue;
                }
                Some("approve") => Action::Allow,
                Some("prompt") => Action::Ask,
                Some(_) | None => continue,
            };
            out.rule(action, Kind::Mcp, format!("{name}/{tool}"), &from);
        }
    }
}

/// What a rule file says.
pub(super) fn rules(text: &str) -> Result<Imported, Unreadable> {
    let mut out = Imported::default();
    for call in starlark::calls(text)? {
        let what = format!("{} in line {}", call.name, call.line);
        let said = match call.name.as_str() {
            "prefix_rule" => prefix(&mut out, &call),
            "network_rule" => network(&mut out, &call),
            "host_executable" => Err("a program is named without its directory here".to_owned()),
            _ => Err("a statement that is not known".to_owned()),
        };
        if let Err(why) = said {
            out.leave(&what, why);
        }
    }
    Ok(out)
}

/// What a decision means; nothing for one that is not known.
fn decision(call: &Call) -> Option<Action> {
    match call.text("decision") {
        None if call.argument("decision").is_none() => Some(Action::Allow),
        Some("allow") => Some(Action::Allow),
        Some("prompt") => Some(Action::Ask),
        Some("forbidden" | "deny") => Some(Action::Deny),
        Some(_) | None => None,
    }
}

fn prefix(out: &mut Imported, call: &Call) -> Result<(), String> {
    let action = decision(call).ok_or("a decision that is not known")?;
    let Some(Written::List(words)) = call.argument("pattern") else {
        return Err("it has no list as its pattern".to_owned());
    };
    let mut commands: Vec<Vec<&str>> = vec![Vec::new()];
    for word in words {
        let choices: Vec<&str> = match word {
            Written::Text(text) => vec![text],
            Written::List(texts) => texts.iter().filter_map(Written::text).collect(),
            Written::Name(_) => Vec::new(),
        };
        if choices.is_empty() || commands.len() * choices.len() > MOST_COMMANDS {
            return Err("its words cannot be told, or are too many".to_owned());
        }
        let mut longer = Vec::new();
        for front in &commands {
            for choice in &choices {
                longer.push([front.as_slice(), &[*choice]].concat());
            }
        }
        commands = longer;
    }
    for words in &mut commands {
        let from = format!(
            "{} {}",
            call.text("decision").unwrap_or("allow"),
            words.join(" ")
        );
        if let (Some(program), true) = (words.first_mut(), action != Action::Allow) {
            *program = program.rsplit('/').next().unwrap_or(program);
        }
        let pattern = beginning(words).ok_or(
            "a program is named without its directory here, and another of that name would be allowed",
        )?;
        out.rules.push(ImportedRule {
            action,
            kind: Kind::Shell,
            pattern,
            with: Vec::new(),
            reason: call.text("justification").map(str::to_owned),
            from,
        });
    }
    Ok(())
}

fn network(out: &mut Imported, call: &Call) -> Result<(), String> {
    let action = decision(call).ok_or("a decision that is not known")?;
    let host = call.text("host").ok_or("it names no host")?;
    out.rule(
        action,
        Kind::Net,
        host.to_lowercase(),
        &format!("network_rule {host}"),
    );
    Ok(())
}

#[cfg(test)]
mod tests;
