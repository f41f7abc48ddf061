//! Tool calls as case files write them: a neutral name and JSON input. Each host's own spelling is translated
//! elsewhere.

use countersign_policy::call::Action;
use countersign_policy::effects::mcp;
use serde_json::Value;

/// What a call of the tool `name` says.
pub(crate) fn action(name: &str, input: &Value) -> Action {
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let need = |key: &str, make: fn(String) -> Action| match text(key) {
        Some(text) => make(text),
        None => Action::Malformed(format!("`{key}` is missing or no text")),
    };
    let maybe = |key: &str, make: fn(Option<String>) -> Action| match (input.get(key), text(key)) {
        (Some(_), None) => Action::Malformed(format!("`{key}` is no text")),
        (_, text) => make(text),
    };
    if !input.is_object() {
        return Action::Malformed("the input is no object".to_owned());
    }
    match name {
        "shell_run" => need("command", Action::Shell),
        "read_file" | "load_skill" => need("path", Action::Read),
        "list_dir" | "search_files" => maybe("path", Action::List),
        "grep" => maybe("path", Action::Search),
        "edit" | "write" | "multi_edit" => need("path", |path| Action::Edit(vec![path])),
        "web_fetch" => need("url", Action::Fetch),
        "web_search" => need("query", Action::WebSearch),
        "write_stdin" => need("input", |input| Action::Terminal { input }),
        "remember" | "remember_update" | "forget" => Action::Memory,
        "spawn_subagent" => Action::Task {
            read_only: input.get("read_only") == Some(&Value::Bool(true)),
        },
        "todo" | "plan_update" | "ask_user" => Action::Control,
        _ => match name
            .strip_prefix("mcp__")
            .and_then(|rest| rest.split_once("__"))
        {
            Some((server, tool)) => Action::Mcp {
                server: server.to_owned(),
                tool: tool.to_owned(),
                paths: mcp::paths(input),
            },
            None => Action::Unknown,
        },
    }
}
