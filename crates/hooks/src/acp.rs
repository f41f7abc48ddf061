//! The Agent Client Protocol's tools: what an agent asks of its client, by the methods under which it asks. Messages,
//! sessions and answers are not here.
//!
//! A permission request says of what kind the tool is in the agent's own judgement. The kind decides how paths are
//! taken, never that a command is none.

use countersign_policy::call::{Action, Exec};
use serde_json::{Map, Value};

/// What a call of a method of the client's wants; nothing where it is none that runs or touches anything.
///
/// Source: the protocol's schema, version 1 (`fs/*`, `terminal/*`, `session/request_permission`).
pub fn action(method: &str, params: &Value) -> Option<Action> {
    let Value::Object(fields) = params else {
        let known = METHODS.contains(&method);
        return known.then(|| Action::Malformed("the input is not an object".to_owned()));
    };
    let read = match method {
        "fs/read_text_file" => text(fields, "path").map(Action::Read),
        "fs/write_text_file" => text(fields, "path").map(|path| Action::Edit(vec![path])),
        "terminal/create" => terminal(fields),
        "session/request_permission" => permission(fields),
        // Looking at a terminal, or ending it, does nothing that creating it did not ask for.
        "terminal/output" | "terminal/wait_for_exit" | "terminal/kill" | "terminal/release" => {
            Ok(Action::Control)
        }
        _ => return None,
    };
    Some(read.unwrap_or_else(Action::Malformed))
}

const METHODS: [&str; 4] = [
    "fs/read_text_file",
    "fs/write_text_file",
    "terminal/create",
    "session/request_permission",
];

/// The directory that a terminal asks for.
pub fn directory<'v>(method: &str, params: &'v Value) -> Option<&'v str> {
    (method == "terminal/create").then(|| params.get("cwd")?.as_str())?
}

/// A field that must be there.
fn text(fields: &Map<String, Value>, key: &str) -> Result<String, String> {
    match fields.get(key) {
        Some(Value::String(text)) if text.contains('\0') => {
            Err(format!("`{key}` holds a NUL character"))
        }
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` is not a string")),
        None => Err(format!("`{key}` is missing")),
    }
}

/// A list of texts; empty where it is absent.
fn texts(fields: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("`{key}` is not a list of strings");
    match fields.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect(),
        Some(_) => Err(wrong()),
    }
}

/// A program with its arguments. Clients differ in what they do with it: some start the program, some hand all of it to
/// a shell. Where these would not be the same, both are judged.
fn terminal(fields: &Map<String, Value>) -> Result<Action, String> {
    let program = text(fields, "command")?;
    let words = texts(fields, "args")?;
    let environment = environment(fields)?;
    let plain = |word: &String| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "-_./:=@%+,".contains(c))
    };
    if plain(&program) && words.iter().all(plain) {
        let mut argv = vec![program.clone()];
        argv.extend(words);
        return Ok(Action::Exec(Exec {
            program,
            argv,
            environment,
        }));
    }
    let set: Vec<String> = environment
        .iter()
        .map(|(name, value)| format!("export {name}={}\n", quoted(value)))
        .collect();
    let set = set.concat();
    let written = [vec![program.clone()], words.clone()].concat().join(" ");
    if words.is_empty() {
        return Ok(Action::Shell(format!("{set}{written}")));
    }
    let apart: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let apart = apart.join(" ");
    Ok(Action::Shell(format!("{set}{program} {apart}\n{written}")))
}

fn environment(fields: &Map<String, Value>) -> Result<Vec<(String, String)>, String> {
    let wrong = || "`env` is not a list of names and values".to_owned();
    match fields.get("env") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| {
                let name = item.get("name").and_then(Value::as_str).ok_or_else(wrong)?;
                let value = item
                    .get("value")
                    .and_then(Value::as_str)
                    .ok_or_else(wrong)?;
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let is_name = !name.is_empty() && name.chars().all(plain);
                is_name
                    .then(|| (name.to_owned(), value.to_owned()))
                    .ok_or_else(wrong)
            })
            .collect(),
        Some(_) => Err(wrong()),
    }
}

/// A tool of the agent's own, of which it asks whether it may run.
fn permission(fields: &Map<String, Value>) -> Result<Action, String> {
    let Some(Value::Object(tool)) = fields.get("toolCall") else {
        return Err("`toolCall` is missing".to_owned());
    };
    let input = tool.get("rawInput").and_then(Value::as_object);
    if let Some(command) = input.and_then(command) {
        return command;
    }
    let paths = paths(tool, input);
    let kind = tool.get("kind").and_then(Value::as_str).unwrap_or("other");
    let url = input.and_then(|input| input.get("url")?.as_str());
    Ok(match (kind, url) {
        ("read", None) if !paths.is_empty() => with_paths("cat", paths),
        ("edit" | "move", None) if !paths.is_empty() => Action::Edit(paths),
        ("delete", None) if !paths.is_empty() => with_paths("rm", paths),
        ("search", None) => Action::Search(paths.into_iter().next()),
        ("fetch", Some(url)) => Action::Fetch(url.to_owned()),
        ("think", None) if paths.is_empty() => Action::Control,
        // The agent says no more than that it wants to do something.
        _ => Action::Unknown,
    })
}

/// The command in a tool's input, by whatever kind the tool goes.
fn command(input: &Map<String, Value>) -> Option<Result<Action, String>> {
    match input.get("command").or_else(|| input.get("cmd"))? {
        Value::String(text) => Some(Ok(Action::Shell(text.clone()))),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            Some(match words.as_deref() {
                Some([_, "-lc" | "-c", script]) => Ok(Action::Shell((*script).to_owned())),
                Some(words) => {
                    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                    Ok(Action::Shell(words.join(" ")))
                }
                None => Err("`command` is not a list of strings".to_owned()),
            })
        }
        _ => Some(Err("`command` is neither text nor a list".to_owned())),
    }
}

/// Every path that a tool call names: where it works, what it shows as changed, what its input says.
fn paths(tool: &Map<String, Value>, input: Option<&Map<String, Value>>) -> Vec<String> {
    let listed = |key: &str| {
        let items = tool
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        items.filter_map(|item| item.get("path")?.as_str())
    };
    let named = [
        "path",
        "file_path",
        "filePath",
        "abs_path",
        "absolute_path",
        "old_path",
        "new_path",
    ];
    let of_input = named.iter().filter_map(|name| input?.get(*name)?.as_str());
    let mut out: Vec<String> = Vec::new();
    for path in listed("locations").chain(listed("content")).chain(of_input) {
        if !out.iter().any(|known| known == path) {
            out.push(path.to_owned());
        }
    }
    out
}

/// A tool of the agent's own as the program that does the same with its paths.
fn with_paths(program: &str, paths: Vec<String>) -> Action {
    let mut argv = vec![program.to_owned(), "--".to_owned()];
    argv.extend(paths);
    Action::Exec(Exec {
        program: program.to_owned(),
        argv,
        environment: Vec::new(),
    })
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{action, directory};
    use countersign_policy::call::{Action, Exec};
    use serde_json::{Value, json};

    fn permission(tool: &Value) -> Action {
        action("session/request_permission", &json!({"toolCall": tool})).unwrap()
    }

    fn exec(words: &[&str]) -> Action {
        Action::Exec(Exec {
            program: words[0].to_owned(),
            argv: words.iter().map(|word| (*word).to_owned()).collect(),
            environment: Vec::new(),
        })
    }

    #[test]
    fn p2_a_clients_own_methods_are_tools() {
        let file = json!({"path": "/repo/a", "content": "x"});
        let read = action("fs/read_text_file", &file);
        assert_eq!(read, Some(Action::Read("/repo/a".to_owned())));
        let edited = action("fs/write_text_file", &file);
        assert_eq!(edited, Some(Action::Edit(vec!["/repo/a".to_owned()])));
        let run = json!({"command": "git", "args": ["push", "origin"], "cwd": "/repo/sub"});
        assert_eq!(
            action("terminal/create", &run),
            Some(exec(&["git", "push", "origin"]))
        );
        assert_eq!(directory("terminal/create", &run), Some("/repo/sub"));
        assert_eq!(action("session/update", &json!({})), None);
    }

    #[test]
    fn p2_what_a_client_may_hand_to_a_shell_is_judged_both_ways() {
        let run = |run| action("terminal/create", &run);
        let shell = |text: &str| Some(Action::Shell(text.to_owned()));
        assert_eq!(
            run(json!({"command": "ls; git push"})),
            shell("ls; git push")
        );
        let words = json!({"command": "echo", "args": ["a; git push"], "env": [{"name": "A", "value": "b"}]});
        assert_eq!(
            run(words),
            shell("export A='b'\necho 'a; git push'\necho a; git push")
        );
    }

    #[test]
    fn p2_a_tool_is_taken_by_what_it_does_not_by_its_kind() {
        let shell = Action::Shell("rm -rf x".to_owned());
        for kind in ["read", "think", "execute", "other"] {
            let tool = json!({"kind": kind, "rawInput": {"command": "rm -rf x"}});
            assert_eq!(permission(&tool), shell, "{kind}");
        }
        let diff = json!({"kind": "edit", "locations": [{"path": "/a"}],
            "content": [{"type": "diff", "path": "/b", "newText": ""}], "rawInput": {"file_path": "/c"}});
        let all = ["/a", "/b", "/c"].map(str::to_owned).to_vec();
        assert_eq!(permission(&diff), Action::Edit(all));
        let gone = json!({"kind": "delete", "locations": [{"path": "/a"}]});
        assert_eq!(permission(&gone), exec(&["rm", "--", "/a"]));
        let read = json!({"kind": "read", "locations": [{"path": "/a"}, {"path": "/b"}]});
        assert_eq!(permission(&read), exec(&["cat", "--", "/a", "/b"]));
        for unknown in [
            json!({"kind": "other", "title": "harmless"}),
            json!({"kind": "execute", "title": "ls"}),
            json!({"kind": "read"}),
            json!({"kind": "think", "rawInput": {"url": "http://a"}}),
            json!({"kind": "switch_mode"}),
        ] {
            assert_eq!(permission(&unknown), Action::Unknown, "{unknown}");
        }
    }

    #[test]
    fn p2_input_of_another_form_is_malformed() {
        for (method, input) in [
            ("fs/read_text_file", json!({})),
            ("fs/write_text_file", json!({"path": 1})),
            ("terminal/create", json!([])),
            ("terminal/create", json!({"command": "a", "args": "b"})),
            (
                "terminal/create",
                json!({"command": "a b", "env": [{"name": "A;B", "value": ""}]}),
            ),
            ("session/request_permission", json!({"toolCall": 1})),
            (
                "session/request_permission",
                json!({"toolCall": {"rawInput": {"command": 5}}}),
            ),
        ] {
            let found = action(method, &input);
            assert!(
                matches!(found, Some(Action::Malformed(_))),
                "{method} {input}: {found:?}"
            );
        }
    }
}
