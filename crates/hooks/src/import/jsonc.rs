//! JSON with comments and trailing commas, as some agents' settings have it; the values themselves are read by serde.

use super::imported::Unreadable;
use serde_json::Value;

/// Reads strict JSON.
pub(super) fn strict(text: &str) -> Result<Value, Unreadable> {
    serde_json::from_str(text).map_err(|error| {
        let why = error.to_string();
        Unreadable {
            line: error.line(),
            why: why.split(" at line ").next().unwrap_or_default().to_owned(),
        }
    })
}

/// Reads JSON with comments and trailing commas.
pub(super) fn lenient(text: &str) -> Result<Value, Unreadable> {
    strict(&plain(text))
}

/// The text with comments and trailing commas blanked out, so that lines stay where they are.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Where a comma stands that nothing but blanks follow so far.
    let mut comma: Option<usize> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => {
                comma = None;
                out.push(c);
                while let Some(inner) = chars.next() {
                    out.push(inner);
                    match inner {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while chars.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut last = ' ';
                chars.next();
                for inner in chars.by_ref() {
                    if inner == '\n' {
                        out.push('\n');
                    }
                    if last == '*' && inner == '/' {
                        break;
                    }
                    last = inner;
                }
            }
            (']' | '}', _) => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
                out.push(c);
            }
            (',', _) => {
                comma = Some(out.len());
                out.push(c);
            }
            (c, _) => {
                if !c.is_whitespace() {
                    comma = None;
                }
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{lenient, strict};
    use serde_json::json;

    #[test]
    fn p13_comments_and_trailing_commas_are_read_where_an_agent_reads_them() {
        let text = "{ // one\n \"a\": [1, /* two\n, */ 2,],\n \"b\": \"// no, ]\",\n}";
        assert_eq!(
            lenient(text).unwrap(),
            json!({"a": [1, 2], "b": "// no, ]"})
        );
        assert_eq!(strict("{\"a\": 1,\n}").unwrap_err().line, 2);
        assert_eq!(lenient("{\n\"a\" 1}").unwrap_err().line, 2);
    }
}
