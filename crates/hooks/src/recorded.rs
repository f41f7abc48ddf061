//! Recorded calls: the tools of several agents by the names under which sessions keep them. What Claude Code calls its
//! tools is read by its own contract; nothing here answers an agent.

use crate::acp;
use crate::claude_code;
use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::effects::tools;
use countersign_policy::path::AbsPath;
use serde_json::{Map, Value};

/// The call of a tool as a session recorded it. A tool that is in no table is [`Action::Unknown`].
pub fn call(tool: &str, input: &Value, id: &str, cwd: &AbsPath) -> Call {
    let filled = filled(input);
    let own = match &filled {
        Value::Object(fields) => of_other_agents(tool, fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    };
    let action = own
        .or_else(|| tools::native(tool, &filled))
        .or_else(|| acp::action(tool, &filled))
        .unwrap_or_else(|| claude_code::action(tool, &filled, cwd));
    let directory = ["workdir", "cwd", "dir_path", "directory"]
        .iter()
        .find_map(|name| filled.get(name).and_then(Value::as_str));
    Call {
        id: CallId(id.to_owned()),
        tool: tool.to_owned(),
        input: filled.to_string(),
        // Only Codex names the directory of a command in its input.
        cwd: directory
            .filter(|_| matches!(tool, "exec_command" | "shell" | "local_shell"))
            .map_or_else(|| cwd.clone(), |directory| cwd.join(directory)),
        action,
    }
}

/// The input with what a recording left out put back as some text: a length in place of contents (`{"_len": 12}`).
fn filled(input: &Value) -> Value {
    match input {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("_len") => {
            Value::String("not recorded".to_owned())
        }
        Value::Object(fields) => {
            let filled = fields
                .iter()
                .map(|(name, value)| (name.clone(), filled(value)));
            Value::Object(filled.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            input.clone()
        }
    }
}

/// The tools of Codex, Copilot CLI, Gemini CLI and the programs that agents of research use.
fn of_other_agents(tool: &str, fields: &Map<String, Value>) -> Option<Action> {
    let text = |names: &[&str]| {
        let mut found = names.iter().filter_map(|name| fields.get(*name)?.as_str());
        found.next().map(str::to_owned)
    };
    let path = || text(&["path", "file_path", "filePath", "absolute_path"]);
    let missing = |what: &str| Action::Malformed(format!("`{what}` is missing"));
    Some(match tool {
        "exec_command" | "shell" | "local_shell" | "bash" | "run_shell_command" => {
            match command(fields) {
                Some(command) => Action::Shell(command),
                None => missing("command"),
            }
        }
        "write_stdin" | "write_bash" => Action::Terminal {
            input: text(&["chars", "input"]).unwrap_or_default(),
        },
        "apply_patch" => match patched(fields) {
            Some(paths) => Action::Edit(paths),
            None => Action::Malformed("it names no file".to_owned()),
        },
        "view" | "view_image" | "read_file" | "read_many_files" => {
            path().map_or_else(|| missing("path"), Action::Read)
        }
        "create" | "edit" | "str_replace" | "str_replace_editor" | "write_file" | "replace" => {
            path().map_or_else(|| missing("path"), |path| Action::Edit(vec![path]))
        }
        "list_directory" | "glob" => Action::List(path()),
        "search_file_content" | "grep_search" => Action::Search(path()),
        "update_plan" | "report_intent" | "read_bash" | "stop_bash" => Action::Control,
        _ => return None,
    })
}

/// A command as one text, or as words behind `bash -lc`.
fn command(fields: &Map<String, Value>) -> Option<String> {
    match fields.get("command").or_else(|| fields.get("cmd"))? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            match words?.as_slice() {
                [_, "-lc" | "-c", script] => Some((*script).to_owned()),
                words => Some(
                    words
                        .iter()
                        .map(|word| quoted(word))
                        .collect::<Vec<_>>()
                        .join(" "),
                ),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The files of a patch: as a list, or named in its text.
fn patched(fields: &Map<String, Value>) -> Option<Vec<String>> {
    if let Some(Value::Array(files)) = fields.get("files") {
        let files: Option<Vec<String>> = files
            .iter()
            .map(|file| file.as_str().map(str::to_owned))
            .collect();
        return files.filter(|files| !files.is_empty());
    }
    let text = ["input", "patch"]
        .iter()
        .find_map(|name| fields.get(*name)?.as_str())?;
    let heads = [
        "*** Add File: ",
        "*** Update File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    let files: Vec<String> = text
        .lines()
        .filter_map(|line| heads.iter().find_map(|head| line.strip_prefix(head)))
        .map(str::to_owned)
        .collect();
    (!files.is_empty()).then_some(files)
}

#[cfg(test)]
mod tests {
    use super::call;
    use countersign_policy::call::Action;
    use countersign_policy::path::AbsPath;
    use serde_json::json;

    #[test]
    fn p2_tools_of_several_agents_mean_the_same() {
        let cwd = AbsPath::parse("/repo").unwrap();
        let action = |tool: &str, input| call(tool, &input, "1", &cwd).action;
        let shell = || Action::Shell("ls -l".to_owned());
        assert_eq!(action("Bash", json!({"command": "ls -l"})), shell());
        assert_eq!(action("exec_command", json!({"cmd": "ls -l"})), shell());
        let words = json!({"command": ["bash", "-lc", "ls -l"]});
        assert_eq!(action("shell", words), shell());
        let words = json!({"command": ["echo", "a'b"]});
        assert_eq!(
            action("shell", words),
            Action::Shell(r"'echo' 'a'\''b'".to_owned())
        );
        let patch = json!({"input": "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n"});
        let edited = Action::Edit(vec!["a.rs".to_owned(), "b.rs".to_owned()]);
        assert_eq!(action("apply_patch", patch), edited);
        let left_out =
            json!({"file_path": "a", "old_string": {"_len": 3}, "new_string": {"_len": 4}});
        assert_eq!(action("Edit", left_out), Action::Edit(vec!["a".to_owned()]));
        assert_eq!(action("frobnicate", json!({})), Action::Unknown);
        let directory = call(
            "exec_command",
            &json!({"cmd": "ls", "workdir": "src"}),
            "1",
            &cwd,
        )
        .cwd;
        assert_eq!(directory.as_str(), "/repo/src");
    }
}
