//! What each system's cases say, in our words. A case that asks what no verdict of ours answers says so.

use super::case::{Case, Expected, Situation};
use super::language::{glob, prefix, regex, rule, rules};
use super::seen;
use crate::rows::text;
use countersign_policy::action::Action;
use countersign_policy::call::{self, Exec};
use countersign_policy::effects::tools;
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use serde_json::Value;
use std::fmt::Write as _;

/// What a row says.
pub(super) fn case(row: &Value) -> Case {
    let found = match (text(row, "kind"), text(row, "system")) {
        ("roots" | "split", _) => programs(row),
        ("verdict", "gemini") => gemini(row),
        ("match", "gemini") => Some(Case::Elsewhere("how their own patterns match")),
        ("verdict", "zed") => zed(row),
        ("verdict", "opencode") => opencode(row),
        ("verdict", "qwen") => qwen(row),
        ("match", "opencode" | "qwen") => pattern(row),
        ("verdict", "crush") => crush(row),
        ("verdict" | "dangerous", "roo") => roo(row),
        ("verdict", "goose") => goose(row),
        ("risk", _) => risk(row),
        ("known_safe" | "dangerous", _) => known_safe(row),
        ("always_pattern", _) => Some(Case::Elsewhere("what an answer for always keeps")),
        ("load", _) => Some(Case::Elsewhere("how their files are read")),
        ("ui" | "tool_visible", _) => Some(Case::Elsewhere("what a person is shown")),
        ("has_redirect" | "has_chaining" | "unwrap", _) => {
            Some(Case::Elsewhere("one step of their reading of a text"))
        }
        _ => None,
    };
    found.unwrap_or(Case::Elsewhere("a mechanism without a counterpart"))
}

fn action(row: &Value) -> Option<Action> {
    let expected = row.get("expected")?;
    let effect = expected.get("effect").unwrap_or(expected);
    Action::parse(effect.as_str()?)
}

/// The mode whose answer is nearest to what they do where no rule matches.
fn mode(default: &str) -> Mode {
    match default {
        "allow" | "yolo" | "auto" => Mode::Open,
        "autoEdit" => Mode::AcceptEdits,
        _ => Mode::Strict,
    }
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value
        .get(name)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn texts<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v str> {
    list(value, name).filter_map(Value::as_str)
}

fn programs(row: &Value) -> Option<Case> {
    let expected = row.get("expected")?.as_array()?;
    let roots = expected.iter().filter_map(Value::as_str).map(|item| {
        // A part is told by its first word.
        item.split(' ').next().unwrap_or_default().to_owned()
    });
    let source = row.get("input")?.as_str()?;
    Some(Case::Programs(roots.collect(), seen::programs(source)))
}

fn gemini(row: &Value) -> Option<Case> {
    let (policy, input) = (row.get("policy")?, row.get("input")?);
    let known = [
        "rules",
        "default",
        "mode",
        "heuristics",
        "workspace_trusted",
        "workspace",
    ];
    if policy
        .as_object()?
        .keys()
        .any(|key| !known.contains(&key.as_str()))
        || input.get("additional_permissions").is_some()
    {
        return None;
    }
    let mut file = String::new();
    for entry in list(policy, "rules") {
        let (tool, effect) = (text(entry, "tool"), text(entry, "effect"));
        let modes: Vec<&str> = texts(entry, "modes").collect();
        if !modes.is_empty() && !modes.contains(&text(policy, "mode")) {
            continue;
        }
        if entry.get("cwd").is_some() || entry.get("interactive").is_some() {
            return None;
        }
        file += &match tool {
            "shell" => gemini_shell(entry, effect)?,
            "*" => ["shell", "read", "edit", "net", "tool"]
                .map(|kind| rule(effect, kind, "*"))
                .concat(),
            _ if entry.get("mcp_server").is_some() => {
                let server = text(entry, "mcp_server");
                let own = tool
                    .trim_start_matches(&format!("mcp_{server}_"))
                    .to_owned();
                rule(
                    effect,
                    "mcp",
                    &format!("{server}/{}", if own.is_empty() { "*" } else { &own }),
                )
            }
            "edit" => rule(effect, "edit", "**"),
            _ => rule(effect, "tool", tool),
        };
    }
    let chosen = match (text(policy, "mode"), text(policy, "default")) {
        ("autoEdit", _) => Mode::AcceptEdits,
        ("yolo", _) => Mode::Open,
        ("plan", _) => return None,
        _ if policy.get("heuristics").is_some() => Mode::Default,
        (_, default) => mode(default),
    };
    let name = text(input, "tool");
    let wanted = gemini_call(name, input)?;
    let situation = Situation::of(name, file, chosen, wanted);
    Some(Case::Verdict(situation, Expected::Exactly(action(row)?)))
}

/// What a call wants. A text that their parser rejects is one that ours does not read either.
fn gemini_call(name: &str, input: &Value) -> Option<call::Action> {
    Some(match (name, input.get("command").and_then(Value::as_str)) {
        ("shell", Some(command)) if command.starts_with('<') => {
            call::Action::Shell("git log \"".to_owned())
        }
        ("shell", Some(command)) => call::Action::Shell(command.to_owned()),
        ("shell", None) => return None,
        ("edit", _) => call::Action::Edit(vec!["src/a.rs".to_owned()]),
        (tool, _) => match input.get("mcp_server").and_then(Value::as_str) {
            Some(server) => {
                let own = tool.strip_prefix(&format!("mcp_{server}_"))?.to_owned();
                call::Action::Mcp {
                    server: server.to_owned(),
                    tool: own,
                    paths: Some(Vec::new()),
                }
            }
            None => call::Action::Unknown,
        },
    })
}

fn gemini_shell(entry: &Value, effect: &str) -> Option<String> {
    let patterns = match (text(entry, "prefix"), text(entry, "command_exact")) {
        ("", "") => match entry.get("args_regex").and_then(Value::as_str) {
            None => "*".to_owned(),
            Some("rm -rf") => "rm -rf *".to_owned(),
            Some(_) => return None,
        },
        ("", exact) => exact.to_owned(),
        (words, _) => prefix(words),
    };
    // A text of several commands is no pattern of ours.
    if patterns.contains("&&") {
        return None;
    }
    let mut out = rule(effect, "shell", &patterns);
    if entry.get("allow_redirection") == Some(&Value::Bool(true)) {
        out += &rule(effect, "edit", "**");
        out += &rule(effect, "edit", "//tmp/**");
    }
    Some(out)
}

fn zed(row: &Value) -> Option<Case> {
    let (policy, input) = (row.get("policy")?, row.get("input")?);
    let tool = text(input, "tool");
    let path = text(input, "path_or_url");
    let (kind, wanted) = match tool {
        "terminal" => (
            "shell",
            call::Action::Shell(text(input, "command").to_owned()),
        ),
        "copy_path" | "edit_file" => ("edit", call::Action::Edit(vec![path.to_owned()])),
        "fetch" => ("net", call::Action::Fetch(path.to_owned())),
        _ => return None,
    };
    let mut file = String::new();
    for (name, effect) in [
        ("deny_regex", "deny"),
        ("ask_regex", "ask"),
        ("allow_regex", "allow"),
    ] {
        for expression in texts(policy, name) {
            let patterns = match (kind, expression) {
                ("edit", "^\\.zed/") => vec!["/.zed/**"],
                ("edit", "^allowed/") => vec!["/allowed/**"],
                ("edit", "/etc/passwd") => vec!["//etc/passwd"],
                ("net", "secret\\.internal") => vec!["secret.internal.com"],
                ("shell", "--force") => {
                    file += "[[rule]]\nask = { shell = \"*\" }\nwith = [\"--force\"]\n";
                    continue;
                }
                ("shell", other) => regex(other)?,
                _ => return None,
            };
            file += &rules(effect, kind, patterns);
        }
    }
    let defaults = ["tool_default", "global_default"];
    let mut defaults = defaults.iter().map(|name| text(policy, name));
    let default = defaults.find(|name| !name.is_empty()).unwrap_or_default();
    let situation = Situation::of(tool, file, mode(default), wanted);
    Some(Case::Verdict(situation, Expected::Exactly(action(row)?)))
}

fn opencode(row: &Value) -> Option<Case> {
    let (policy, input) = (row.get("policy")?, row.get("input")?);
    let expected = Expected::Exactly(action(row)?);
    let mut file = String::new();
    if let Some(map) = policy.get("most_specific").and_then(Value::as_object) {
        for (pattern, effect) in map {
            for own in glob(pattern) {
                file += &rule(effect.as_str()?, "shell", &own);
            }
        }
        return Some(Case::Verdict(
            Situation::shell(file, Mode::Strict, input.as_str()?),
            expected,
        ));
    }
    let every = ["shell", "read", "edit", "net", "tool"];
    for entry in list(policy, "rules") {
        let parts: Vec<&str> = entry.as_array()?.iter().filter_map(Value::as_str).collect();
        let [permission, pattern, effect] = parts.as_slice() else {
            return None;
        };
        file += &match *permission {
            "*" => every.map(|kind| rule(effect, kind, "*")).concat(),
            "bash" => glob(pattern)
                .iter()
                .map(|own| rule(effect, "shell", own))
                .collect(),
            "edit" if *pattern == "*" => rule(effect, "edit", "**"),
            "edit" => {
                let below = pattern.strip_suffix('*').map(|front| format!("/{front}**"));
                rule(
                    effect,
                    "edit",
                    &below.unwrap_or_else(|| format!("/{pattern}")),
                )
            }
            "external_directory" => {
                let below = pattern.strip_suffix('*').map(|front| format!("{front}**"));
                let own = below.unwrap_or_else(|| (*pattern).to_owned());
                rule(effect, "external_directory", &own)
            }
            // Agents are told apart by what they may do, not by name.
            "task" => return None,
            name => rule(effect, "tool", name),
        };
    }
    let several: Vec<&str> = texts(input, "resources").collect();
    let resource = text(input, "resource");
    let wanted = match text(input, "tool") {
        "bash" if several.is_empty() => call::Action::Shell(resource.to_owned()),
        "bash" => call::Action::Shell(several.join(" && ")),
        "read" => call::Action::Read(resource.to_owned()),
        "edit" => call::Action::Edit(vec![resource.to_owned()]),
        "external_directory" => call::Action::Read(resource.replace("$HOME", "~")),
        _ => call::Action::Unknown,
    };
    let situation = Situation::of(text(input, "tool"), file, Mode::Strict, wanted);
    Some(Case::Verdict(situation, expected))
}

fn qwen(row: &Value) -> Option<Case> {
    let (policy, input) = (row.get("policy")?, row.get("input")?);
    let command = text(input, "command");
    let theirs = action(row)?;
    if policy.get("guard").is_some() {
        // What the user said lifts nothing here.
        let said = text(policy, "last_user_message");
        let situation = Situation::shell(String::new(), Mode::AcceptEdits, command);
        let expected = Expected::Stopped(theirs != Action::Allow);
        return (said == "fix the bug").then_some(Case::Verdict(situation, expected));
    }
    let mut file = String::new();
    for effect in ["allow", "ask", "deny"] {
        for entry in texts(policy, effect) {
            file += &match entry.split_once('(') {
                None if entry == "Read" => rule(effect, "read", "**"),
                None => return None,
                Some((tool, rest)) => {
                    let pattern = rest.strip_suffix(')')?;
                    match tool {
                        "Bash" => glob(pattern)
                            .iter()
                            .map(|own| rule(effect, "shell", own))
                            .collect(),
                        "Read" => rule(effect, "read", pattern),
                        "Edit" => rule(effect, "edit", pattern),
                        _ => return None,
                    }
                }
            };
        }
    }
    let wanted = match text(input, "tool") {
        "shell" => call::Action::Shell(command.to_owned()),
        "read_file" => call::Action::Read(text(input, "path").to_owned()),
        "grep_search" => call::Action::Search(Some(text(input, "path").to_owned())),
        "edit" => call::Action::Edit(vec![text(input, "path").to_owned()]),
        _ => return None,
    };
    let mut situation = Situation::of(text(input, "tool"), file, Mode::Default, wanted);
    if let Some(root) = AbsPath::parse(text(policy, "project_root")) {
        situation.workspace = root;
    }
    Some(Case::Verdict(situation, Expected::Exactly(theirs)))
}

/// Whether an allow of a pattern covers a text, in the mode that asks about everything.
fn pattern(row: &Value) -> Option<Case> {
    let (policy, input) = (row.get("policy")?, row.get("input")?);
    let matches = row.get("expected")?.as_bool()?;
    let expected = Expected::Stopped(!matches);
    if let Some(path) = input.get("path").and_then(Value::as_str) {
        let own = text(policy, "rule")
            .strip_prefix("Edit(")?
            .strip_suffix(')')?;
        let wanted = call::Action::Edit(vec![path.to_owned()]);
        let mut situation = Situation::of("edit", rule("allow", "edit", own), Mode::Strict, wanted);
        situation.workspace = AbsPath::parse(text(policy, "project_root"))?;
        return Some(Case::Verdict(situation, expected));
    }
    let input = input.as_str()?;
    let own = ["pattern", "allow_pattern"]
        .iter()
        .find_map(|name| policy.get(*name)?.as_str())?;
    if let Some(host) = own.strip_prefix("domain:") {
        let file = rules("allow", "net", [host, &format!("*.{host}")]);
        let wanted = call::Action::Fetch(format!("https://{input}/"));
        return Some(Case::Verdict(
            Situation::of("web_fetch", file, Mode::Strict, wanted),
            expected,
        ));
    }
    if own.contains(['/', '\\']) && !own.contains(' ') || own.contains("file?") {
        return None;
    }
    // Theirs also stands for the words with more behind them.
    let mut file = glob(own)
        .iter()
        .map(|own| rule("allow", "shell", own))
        .collect::<String>();
    if !own.contains('*') && text(row, "system") == "qwen" {
        file += &rule("allow", "shell", &prefix(own));
    }
    Some(Case::Verdict(
        Situation::shell(file, Mode::Strict, input),
        expected,
    ))
}

fn crush(row: &Value) -> Option<Case> {
    let block = row.get("policy")?.get("block")?;
    let input = row.get("input")?;
    let file = if let Some(all) = block.as_array() {
        let all = all.iter().filter_map(Value::as_str);
        all.map(|one| rule("deny", "shell", &prefix(one))).collect()
    } else {
        let words: Vec<&str> = [text(block, "cmd")]
            .into_iter()
            .chain(texts(block, "args"))
            .collect();
        let mut file = rule("deny", "shell", &prefix(&words.join(" ")));
        let flags: Vec<Value> = list(block, "flags").cloned().collect();
        if !flags.is_empty() {
            let _ = writeln!(file, "with = {}", Value::Array(flags));
        }
        file
    };
    let words: Vec<String> = match input.as_array() {
        Some(words) => words
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        None => input.as_str()?.split(' ').map(str::to_owned).collect(),
    };
    let expected = match text(row, "expected") {
        "deny" => Expected::Exactly(Action::Deny),
        _ => Expected::NotDenied,
    };
    Some(Case::Verdict(
        Situation::of("exec", file, Mode::Open, exec(words)?),
        expected,
    ))
}

fn exec(argv: Vec<String>) -> Option<call::Action> {
    let program = argv.first()?.clone();
    Some(call::Action::Exec(Exec {
        program,
        argv,
        environment: Vec::new(),
    }))
}

fn roo(row: &Value) -> Option<Case> {
    let input = row.get("input")?;
    let command = input.get("command").unwrap_or(input).as_str()?;
    let expected = match row.get("expected")?.as_bool() {
        Some(dangerous) => Expected::Stopped(dangerous),
        None => Expected::Exactly(action(row)?),
    };
    let allowed: Vec<&str> = row
        .get("policy")
        .map(|policy| texts(policy, "allow_prefix").collect())
        .unwrap_or_default();
    let file = if allowed.is_empty() || allowed == ["*"] {
        rule("allow", "shell", "*")
    } else {
        allowed
            .into_iter()
            .map(|one| rule("allow", "shell", &prefix(one)))
            .collect()
    };
    Some(Case::Verdict(
        Situation::shell(file, Mode::Strict, command),
        expected,
    ))
}

fn goose(row: &Value) -> Option<Case> {
    let policy = row.get("policy")?;
    if policy.get("tool_annotated_readonly") == Some(&Value::Bool(true)) {
        return None;
    }
    let file = match text(policy, "smart_cache") {
        "always_allow" => rule("allow", "tool", "tool"),
        "ask_before" => rule("ask", "tool", "tool"),
        _ => String::new(),
    };
    let chosen = match text(policy, "mode") {
        "auto" => Mode::Open,
        "smart_approve" => Mode::Default,
        _ => Mode::Strict,
    };
    let wanted = tools::native("tool", &Value::Null).unwrap_or(call::Action::Unknown);
    Some(Case::Verdict(
        Situation::of("tool", file, chosen, wanted),
        Expected::Exactly(action(row)?),
    ))
}

fn risk(row: &Value) -> Option<Case> {
    let input = row.get("input")?;
    let command = input.get("command").unwrap_or(input).as_str()?;
    if command.starts_with("ls wrapped") {
        return None;
    }
    let expected = Expected::Stopped(text(row, "expected") != "LOW");
    Some(Case::Verdict(
        Situation::shell(String::new(), Mode::Default, command),
        expected,
    ))
}

fn known_safe(row: &Value) -> Option<Case> {
    let words: Vec<String> = list(row, "input")
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let safe = row.get("expected")?.as_bool()? == (text(row, "kind") == "known_safe");
    let situation = Situation::of("exec", String::new(), Mode::Default, exec(words)?);
    Some(Case::Verdict(situation, Expected::Stopped(!safe)))
}
