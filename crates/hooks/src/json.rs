//! JSON text with the place of every value, so that one value can be put in or taken out and no other byte moves.

use std::ops::Range;

/// A value with the bytes at which it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// Where it stands.
    pub(crate) span: Range<usize>,
    /// What it is.
    pub(crate) value: Value,
}

/// A value, as far as anybody here needs to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// An object, its members in the order of the text.
    Object(Vec<Member>),
    /// An array.
    Array(Vec<Node>),
    /// A string, decoded.
    Text(String),
    /// A number, a truth value or `null`.
    Other,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name, decoded.
    pub(crate) name: String,
    /// From the name to the end of the value.
    pub(crate) span: Range<usize>,
    /// The value.
    pub(crate) node: Node,
}

/// Why a text is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) why: String,
}

/// Reads a text that is strictly JSON: no comments, no trailing commas, no more than 128 levels.
pub(crate) fn parse(text: &str) -> Result<Node, NotJson> {
    serde_json::from_str::<serde_json::Value>(text).map_err(|error| {
        let why = error.to_string();
        // The place is told apart from the words.
        let why = why.split(" at line ").next().unwrap_or_default().to_owned();
        NotJson {
            line: error.line(),
            column: error.column(),
            why,
        }
    })?;
    // What serde has read is read once more for its places; nothing can be wrong with it any more.
    Scanner { text, at: 0 }.node().ok_or_else(|| NotJson {
        line: 1,
        column: 1,
        why: "it cannot be told where its values stand".to_owned(),
    })
}

impl Node {
    /// The member of that name, where the node is an object with exactly one of them.
    pub(crate) fn member(&self, name: &str) -> Option<&Member> {
        let mut found = self.members().iter().filter(|member| member.name == name);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// How many members bear that name.
    pub(crate) fn count(&self, name: &str) -> usize {
        let named = self.members().iter().filter(|member| member.name == name);
        named.count()
    }

    /// The members of an object; none of anything else.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            Value::Array(_) | Value::Text(_) | Value::Other => &[],
        }
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn elements(&self) -> &[Self] {
        match &self.value {
            Value::Array(elements) => elements,
            Value::Object(_) | Value::Text(_) | Value::Other => &[],
        }
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Object(_) | Value::Array(_) | Value::Other => None,
        }
    }

    /// Where the members or elements stand.
    pub(crate) fn parts(&self) -> Vec<Range<usize>> {
        match &self.value {
            Value::Object(members) => members.iter().map(|member| member.span.clone()).collect(),
            Value::Array(elements) => elements.iter().map(|node| node.span.clone()).collect(),
            Value::Text(_) | Value::Other => Vec::new(),
        }
    }
}

/// The text without one part of a container, and without the comma and the blanks that came with it: the exact inverse
/// of [`appended`] for the last part, and for an only part but for blanks that were in the empty container before.
pub(crate) fn without(text: &str, container: &Node, index: usize) -> Option<String> {
    let parts = container.parts();
    let part = parts.get(index)?;
    let (from, to) = match (
        index.checked_sub(1).and_then(|at| parts.get(at)),
        parts.get(index + 1),
    ) {
        (Some(before), _) => (before.end, part.end),
        (None, Some(after)) => (part.start, after.start),
        (None, None) => {
            let closing = format!("{}{}", line_end(text), indent(text, container.span.start));
            let rest = text.get(part.end..)?;
            let ours = if rest.starts_with(&closing) {
                closing.len()
            } else {
                0
            };
            (container.span.start + 1, part.end + ours)
        }
    };
    Some(format!("{}{}", text.get(..from)?, text.get(to..)?))
}

/// The text with a part put at the end of a container. `part` is written for no indentation and gets that of its place.
pub(crate) fn appended(text: &str, container: &Node, part: &str) -> Option<String> {
    let end = line_end(text);
    let outer = indent(text, container.span.start);
    let unit = unit(text);
    let parts = container.parts();
    let inner = match parts.last() {
        Some(last) if is_first_of_line(text, last.start) => indent(text, last.start).to_owned(),
        Some(_) | None => format!("{outer}{unit}"),
    };
    let part = part
        .replace('\t', &unit)
        .replace('\n', &format!("{end}{inner}"));
    let (at, put) = match parts.last() {
        Some(last) => (last.end, format!(",{end}{inner}{part}")),
        None => (
            container.span.start + 1,
            format!("{end}{inner}{part}{end}{outer}"),
        ),
    };
    Some(format!("{}{put}{}", text.get(..at)?, text.get(at..)?))
}

/// How lines end in this text.
fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The blanks at the start of the line in which a byte stands.
fn indent(text: &str, at: usize) -> &str {
    let line = text.get(..at).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blanks).unwrap_or_default()
}

/// Whether only blanks stand before a byte in its line, and it is not the first line.
fn is_first_of_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    before.contains('\n') && line.trim_matches([' ', '\t']).is_empty()
}

/// One level of indentation: that of the first indented line.
fn unit(text: &str) -> String {
    let indented = text
        .lines()
        .find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    match indented.map(|line| indent(line, line.len())) {
        Some(blanks) if !blanks.is_empty() => blanks.to_owned(),
        Some(_) | None => "  ".to_owned(),
    }
}

/// Finds the places in a text that is known to be JSON.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn node(&mut self) -> Option<Node> {
        self.blanks();
        let start = self.at;
        let value = match self.peek()? {
            b'{' => Value::Object(self.object()?),
            b'[' => Value::Array(self.array()?),
            b'"' => Value::Text(self.string()?),
            _ => {
                while self
                    .peek()
                    .is_some_and(|byte| !b",]} \t\r\n".contains(&byte))
                {
                    self.at += 1;
                }
                Value::Other
            }
        };
        let span = start..self.at;
        Some(Node { span, value })
    }

    fn object(&mut self) -> Option<Vec<Member>> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.blanks();
            match self.peek()? {
                b'}' => {
                    self.at += 1;
                    return Some(members);
                }
                b'"' => {
                    let start = self.at;
                    let name = self.string()?;
                    self.blanks();
                    self.expect(b':')?;
                    let node = self.node()?;
                    let span = start..node.span.end;
                    members.push(Member { name, span, node });
                }
                _ => self.expect(b',')?,
            }
        }
    }

    fn array(&mut self) -> Option<Vec<Node>> {
        let mut elements = Vec::new();
        self.at += 1;
        loop {
            self.blanks();
            match self.peek()? {
                b']' => {
                    self.at += 1;
                    return Some(elements);
                }
                b',' => self.at += 1,
                _ => elements.push(self.node()?),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| b" \t\r\n".contains(&byte)) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
