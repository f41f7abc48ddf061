//! The paths that the input of an MCP server's tool names. Such inputs have no form that we know, so this goes by the
//! names of fields and the look of texts; it does not say what the tool does with a path.

use serde_json::Value;

/// How deep an input is followed, and how many of its texts are looked at.
const DEPTH: usize = 16;
const TEXTS: usize = 1024;

/// Words of which one in the name of a field says that its text is a path.
const FIELDS: [&str; 14] = [
    "path",
    "file",
    "dir",
    "directory",
    "directories",
    "folder",
    "root",
    "cwd",
    "source",
    "src",
    "destination",
    "dest",
    "uri",
    "workdir",
];

/// What stands for the program where a request comes from an MCP server's tool.
pub fn program(server: &str) -> String {
    format!("mcp__{server}")
}

/// The server behind [`program`]; nothing where it is the name of a program.
pub fn server(program: &str) -> Option<&str> {
    program.strip_prefix("mcp__")
}

/// The paths of an input, or nothing where it is too deep or too large to be told. `file:` URIs are undone; other URIs
/// are no paths.
pub fn paths(input: &Value) -> Option<Vec<String>> {
    let mut found = Vec::new();
    // An entry is a value, whether its field's name says path, and its depth.
    let mut open = vec![(input, false, 0)];
    let mut seen = 0;
    while let Some((value, named, depth)) = open.pop() {
        seen += 1;
        if depth > DEPTH || seen > TEXTS {
            return None;
        }
        match value {
            Value::String(text) => found.extend(path(text, named)),
            Value::Array(items) => open.extend(items.iter().map(|item| (item, named, depth + 1))),
            Value::Object(fields) => {
                for (name, field) in fields {
                    // The names of an object's fields may be paths themselves (`{"/etc/passwd": "…"}`).
                    found.extend(path(name, false));
                    open.push((field, named || is_path_field(name), depth + 1));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found.sort();
    found.dedup();
    Some(found)
}

/// Whether a field of that name holds paths: `filePath`, `source_dir`, `paths`.
fn is_path_field(name: &str) -> bool {
    let mut words = vec![String::new()];
    for character in name.chars() {
        let breaks = character.is_uppercase() || !character.is_alphanumeric();
        if breaks && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    let whole = name.to_lowercase();
    words.iter().chain([&whole]).any(|word| {
        FIELDS.iter().any(|field| {
            word.strip_prefix(field)
                .is_some_and(|rest| matches!(rest, "" | "s" | "name" | "names" | "path" | "paths"))
        })
    })
}

/// The path that a text is; nothing where it is none.
fn path(text: &str, named: bool) -> Option<String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return None;
    }
    if let Some(rest) = strip_scheme(trimmed) {
        return Some(decoded(rest));
    }
    if trimmed.contains("://") {
        return None;
    }
    let looks = ["/", "~", "./", "../", "$HOME", "${HOME}"]
        .iter()
        .any(|front| trimmed.starts_with(front))
        || matches!(trimmed, "." | "..")
        || trimmed.split('/').any(|part| part == "..");
    // A text of several lines is contents, whatever it begins with.
    let single = !trimmed.contains('\n');
    let home = trimmed
        .strip_prefix("$HOME")
        .or_else(|| trimmed.strip_prefix("${HOME}"))
        .map(|rest| format!("~{rest}"));
    (named || (looks && single)).then(|| home.unwrap_or_else(|| trimmed.to_owned()))
}

/// What follows `file:` and an empty or local host, in whatever case it is written.
fn strip_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let Some(behind) = rest.strip_prefix("//") else {
        return Some(rest);
    };
    let slash = behind.find('/').unwrap_or(behind.len());
    let (host, place) = behind.split_at_checked(slash)?;
    let local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    // A file on another host cannot lie in any directory of ours; its text stays what it is, which no rule allows.
    Some(if local { place } else { rest })
}

/// The text with `%2e` and its kin undone once, and without a query or fragment; what is no such escape stays.
fn decoded(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = behind
            .get(..2)
            .filter(|_| first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() {
            behind.get(2..).unwrap_or_default()
        } else {
            behind
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::paths;
    use serde_json::json;

    #[test]
    fn p10_paths_by_field_and_by_look() {
        for (input, expected) in [
            (json!({"path": "notes/a.txt"}), vec!["notes/a.txt"]),
            (json!({"filePath": "a", "sourceDir": "b"}), vec!["a", "b"]),
            (json!({"paths": ["a", {"name": "b"}]}), vec!["a", "b"]),
            (json!({"query": "/etc/passwd"}), vec!["/etc/passwd"]),
            (json!({"q": ["x", "a/../../b"]}), vec!["a/../../b"]),
            (json!({"q": "$HOME/.ssh/id"}), vec!["~/.ssh/id"]),
            (
                json!({"uri": "file:///etc/pass%77d?x"}),
                vec!["/etc/passwd"],
            ),
            (json!({"q": "FILE://localhost/etc"}), vec!["/etc"]),
            (json!({"q": "file:../x"}), vec!["../x"]),
            (json!({"uri": "https://example.com/a"}), vec![]),
            (json!({"title": "a/b", "text": "/a\nb"}), vec![]),
            (json!({"/etc/hosts": 1}), vec!["/etc/hosts"]),
        ] {
            assert_eq!(paths(&input).unwrap(), expected, "{input}");
        }
    }

    #[test]
    fn p10_what_is_too_deep_is_not_told() {
        let mut deep = json!("/etc/passwd");
        for _ in 0..20 {
            deep = json!([deep]);
        }
        assert_eq!(paths(&deep), None);
    }
}
