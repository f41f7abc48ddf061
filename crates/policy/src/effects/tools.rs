//! The tools that countersign knows by its own names: from a name and its input to what the call wants. Names of other
//! hosts' tools are translated where their contracts are read.

use crate::call::{Action, Exec};
use crate::effects::mcp::paths;
use serde_json::{Map, Value};

/// What a call of a tool of that name wants; nothing where the name is not in the table. A known tool whose input does
/// not have its form is [`Action::Malformed`].
pub fn native(tool: &str, input: &Value) -> Option<Action> {
    if let Some(name) = tool.strip_prefix("mcp__") {
        return Some(mcp(name, input));
    }
    let read: fn(&Input<'_>) -> Form = match tool {
        "shell_run" => |input| {
            input.optional("cwd")?;
            Ok(Action::Shell(input.text("command")?))
        },
        "exec" => exec,
        "read_file" => |input| Ok(Action::Read(input.path()?)),
        "list_dir" => |input| Ok(Action::List(input.optional("path")?)),
        "grep" | "search_files" => search,
        "edit" | "write" | "multi_edit" => |input| Ok(Action::Edit(vec![input.path()?])),
        "web_fetch" => |input| Ok(Action::Fetch(input.text("url")?)),
        "web_search" => |input| Ok(Action::WebSearch(input.text("query")?)),
        "write_stdin" => |input| {
            let input = input.optional("chars")?.unwrap_or_default();
            Ok(Action::Terminal { input })
        },
        "spawn_subagent" => |input| {
            let read_only = input.flag("read_only")?;
            Ok(Action::Task { read_only })
        },
        "remember" | "remember_update" | "forget" => |_| Ok(Action::Memory),
        // A skill's text is the host's own to hand out: it comes from no path of the call.
        "load_skill" | "update_plan" | "ask_user" => |_| Ok(Action::Control),
        _ => return None,
    };
    Some(match input {
        Value::Object(fields) => read(&Input { fields }).unwrap_or_else(Action::Malformed),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Action::Malformed("the input is not an object".to_owned())
        }
    })
}

/// The working directory that the input of a tool asks for in place of the call's own.
pub fn directory<'v>(tool: &str, input: &'v Value) -> Option<&'v str> {
    match tool {
        "shell_run" | "exec" => input.get("cwd").and_then(Value::as_str),
        _ => None,
    }
}

/// What a tool wants, or in words what is wrong with its input.
type Form = Result<Action, String>;

/// The fields of an input.
struct Input<'v> {
    fields: &'v Map<String, Value>,
}

impl Input<'_> {
    /// A field that must be there.
    fn text(&self, key: &str) -> Result<String, String> {
        self.optional(key)?
            .ok_or_else(|| format!("`{key}` is missing"))
    }

    /// A field that may be absent.
    fn optional(&self, key: &str) -> Result<Option<String>, String> {
        match self.fields.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.contains('\0') => {
                Err(format!("`{key}` holds a NUL character"))
            }
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Err(format!("`{key}` is not a string"))
            }
        }
    }

    /// A switch, off where it is absent.
    fn flag(&self, key: &str) -> Result<bool, String> {
        match self.fields.get(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(on)) => Ok(*on),
            Some(Value::String(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Err(format!("`{key}` is neither true nor false"))
            }
        }
    }

    /// The path of a file, under either of its two names. Both at once could mean two files.
    fn path(&self) -> Result<String, String> {
        match (self.optional("file_path")?, self.optional("path")?) {
            (Some(path), None) | (None, Some(path)) if path.is_empty() => {
                Err("the path is empty".to_owned())
            }
            (Some(path), None) | (None, Some(path)) => Ok(path),
            (None, None) => Err("`file_path` is missing".to_owned()),
            (Some(first), Some(second)) if first == second => Ok(first),
            (Some(_), Some(_)) => Err("`file_path` and `path` name two files".to_owned()),
        }
    }

    /// A list of texts; nothing where it is absent.
    fn texts(&self, key: &str) -> Result<Option<Vec<String>>, String> {
        let wrong = || format!("`{key}` is not a list of strings");
        match self.fields.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(items)) => {
                let texts = items.iter().map(|item| match item.as_str() {
                    Some(text) if text.contains('\0') => {
                        Err(format!("`{key}` holds a NUL character"))
                    }
                    Some(text) => Ok(text.to_owned()),
                    None => Err(wrong()),
                });
                texts.collect::<Result<_, _>>().map(Some)
            }
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
                Err(wrong())
            }
        }
    }
}

fn search(input: &Input<'_>) -> Form {
    input.text("pattern")?;
    Ok(Action::Search(input.optional("path")?))
}

fn exec(input: &Input<'_>) -> Form {
    input.optional("cwd")?;
    let program = input.text("program")?;
    if program.is_empty() {
        return Err("`program` is empty".to_owned());
    }
    let argv = input.texts("argv")?.unwrap_or_default();
    let argv = if argv.is_empty() {
        vec![program.clone()]
    } else {
        argv
    };
    if input
        .fields
        .get("environment")
        .is_some_and(|value| !value.is_null())
    {
        // What it would change must not go unseen.
        return Err("`environment` is not supported".to_owned());
    }
    Ok(Action::Exec(Exec {
        program,
        argv,
        environment: Vec::new(),
    }))
}

/// `server__tool`; the server's name ends at the first double underscore.
fn mcp(name: &str, input: &Value) -> Action {
    match name.split_once("__") {
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() => Action::Mcp {
            server: server.to_owned(),
            tool: tool.to_owned(),
            paths: paths(input),
        },
        Some(_) | None => Action::Malformed("the name is not `mcp__server__tool`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{directory, native};
    use crate::call::{Action, Exec};
    use serde_json::json;

    #[test]
    fn p2_known_tools_mean_what_they_say() {
        for (tool, input, expected) in [
            (
                "shell_run",
                json!({"command": "ls"}),
                Action::Shell("ls".into()),
            ),
            ("read_file", json!({"path": "a"}), Action::Read("a".into())),
            (
                "read_file",
                json!({"file_path": "a"}),
                Action::Read("a".into()),
            ),
            ("list_dir", json!({}), Action::List(None)),
            (
                "grep",
                json!({"pattern": "x", "path": "src"}),
                Action::Search(Some("src".into())),
            ),
            (
                "search_files",
                json!({"pattern": "x"}),
                Action::Search(None),
            ),
            (
                "edit",
                json!({"file_path": "a"}),
                Action::Edit(vec!["a".into()]),
            ),
            (
                "web_fetch",
                json!({"url": "https://a.b"}),
                Action::Fetch("https://a.b".into()),
            ),
            (
                "write_stdin",
                json!({}),
                Action::Terminal {
                    input: String::new(),
                },
            ),
            (
                "spawn_subagent",
                json!({"read_only": true}),
                Action::Task { read_only: true },
            ),
            (
                "spawn_subagent",
                json!({}),
                Action::Task { read_only: false },
            ),
            ("forget", json!({}), Action::Memory),
            ("update_plan", json!({}), Action::Control),
            (
                "mcp__github__get_issue",
                json!({}),
                Action::Mcp {
                    server: "github".into(),
                    tool: "get_issue".into(),
                    paths: Some(Vec::new()),
                },
            ),
        ] {
            assert_eq!(native(tool, &input), Some(expected), "{tool}");
        }
        assert_eq!(native("frobnicate", &json!({})), None);
    }

    #[test]
    fn p8_an_exec_names_its_program() {
        let exec = Exec {
            program: "/bin/ls".into(),
            argv: vec!["ls".into(), "-l".into()],
            environment: vec![],
        };
        let input = json!({"program": "/bin/ls", "argv": ["ls", "-l"]});
        assert_eq!(native("exec", &input), Some(Action::Exec(exec)));
        let alone = json!({"program": "/bin/ls"});
        let Some(Action::Exec(exec)) = native("exec", &alone) else {
            panic!("it is an exec");
        };
        assert_eq!(exec.argv, ["/bin/ls"]);
    }

    #[test]
    fn p6_a_wrong_form_is_said() {
        for (tool, input, words) in [
            ("shell_run", json!({}), "`command` is missing"),
            (
                "shell_run",
                json!({"command": ["ls"]}),
                "`command` is not a string",
            ),
            ("shell_run", json!("ls"), "the input is not an object"),
            (
                "shell_run",
                json!({"command": "a\0b"}),
                "`command` holds a NUL character",
            ),
            (
                "edit",
                json!({"path": "a", "file_path": "b"}),
                "`file_path` and `path` name two files",
            ),
            (
                "spawn_subagent",
                json!({"read_only": "yes"}),
                "`read_only` is neither true nor false",
            ),
            ("exec", json!({"argv": ["ls"]}), "`program` is missing"),
            ("mcp__x", json!({}), "the name is not `mcp__server__tool`"),
        ] {
            assert_eq!(
                native(tool, &input),
                Some(Action::Malformed(words.into())),
                "{tool}"
            );
        }
    }

    #[test]
    fn p6_only_what_runs_has_a_directory_of_its_own() {
        let input = json!({"cwd": "/x"});
        assert_eq!(directory("shell_run", &input), Some("/x"));
        assert_eq!(directory("read_file", &input), None);
    }
}
