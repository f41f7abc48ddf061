//! The text of a makefile as lines, and the values of its variables, as far as they are plain.

use std::collections::BTreeMap;

/// Values inside values.
const DEPTH: usize = 8;
/// The most bytes that one value may grow to.
const VALUE_BYTES: usize = 16 * 1024;
/// What stands for a value that only make can tell: a variable that no shell has set.
const UNTOLD: &str = "${untold_by_make}";

/// The variables of a makefile. One that is set in several ways has its last value.
#[derive(Debug, Default)]
pub(super) struct Variables {
    values: BTreeMap<String, String>,
    /// Commands that run while the file is read.
    pub(super) at_once: Vec<String>,
}

/// The lines of a makefile with continuations joined; those of recipes keep theirs, as the shell sees them.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let last = out.last_mut().filter(|_| goes_on);
        match last {
            Some(last) if last.starts_with('\t') => {
                last.push('\n');
                last.push_str(line.strip_prefix('\t').unwrap_or(line));
            }
            Some(last) => {
                last.pop();
                last.push(' ');
                last.push_str(line.trim_start());
            }
            None => out.push(line.to_owned()),
        }
        let slashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
        goes_on = slashes % 2 == 1;
    }
    out
}

impl Variables {
    /// Takes a line that sets a variable; false where it is another kind of line.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let mut line = line.trim_start();
        for word in ["export ", "override ", "private "] {
            line = line.strip_prefix(word).map_or(line, str::trim_start);
        }
        let Some((front, value)) = line.split_once('=') else {
            return false;
        };
        let name = front.trim_end_matches([':', '?', '+', '!']).trim();
        let operator = front.get(front.trim_end_matches([':', '?', '+', '!']).len()..);
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(plain) {
            return false;
        }
        let value = without_comment(value).trim_start();
        match operator {
            Some("+") => {
                let known = self.values.entry(name.to_owned()).or_default();
                if known.len() < VALUE_BYTES {
                    known.push(' ');
                    known.push_str(value);
                }
            }
            Some("!") => {
                let command = self.expanded(value, &Rule::default());
                self.at_once.push(command);
                self.values
                    .insert(name.to_owned(), format!("$(shell {value})"));
            }
            Some(":" | "::") => {
                let value = self.expanded(value, &Rule::default());
                if value.contains("$(") {
                    // A value that is found at once runs its commands at once.
                    self.at_once.push(format!(": {value}"));
                }
                self.values.insert(name.to_owned(), escaped(&value));
            }
            Some(_) | None => {
                self.values.insert(name.to_owned(), value.to_owned());
            }
        }
        true
    }

    /// Takes the whole body of a `define`.
    pub(super) fn define(&mut self, name: &str, body: &str) {
        self.values.insert(name.to_owned(), body.to_owned());
    }

    /// A text as the shell gets it: `$$` is a dollar sign, a variable is its value, `$(shell x)` is a substitution, and
    /// what only make can tell is a variable that is not set.
    pub(super) fn expanded(&self, text: &str, rule: &Rule<'_>) -> String {
        let mut out = String::new();
        self.expand(text, rule, 0, &mut out);
        out
    }

    fn expand(&self, text: &str, rule: &Rule<'_>, depth: usize, out: &mut String) {
        let mut rest = text;
        while let Some((front, back)) = rest.split_once('$') {
            out.push_str(front);
            if out.len() > VALUE_BYTES || depth > DEPTH {
                out.push_str(UNTOLD);
                return;
            }
            let mut chars = back.chars();
            let first = chars.next();
            rest = chars.as_str();
            match first {
                Some('$') => out.push('$'),
                Some(open @ ('(' | '{')) => {
                    let (inner, after) = balanced(rest, open);
                    rest = after;
                    self.reference(inner, rule, depth, out);
                }
                Some(name) => self.automatic(name, rule, depth, out),
                None => {}
            }
        }
        out.push_str(rest);
    }

    /// `$(…)`: a variable, a command of the shell, or a function of make's.
    fn reference(&self, inner: &str, rule: &Rule<'_>, depth: usize, out: &mut String) {
        if let Some(command) = inner.strip_prefix("shell ") {
            out.push_str("$(");
            self.expand(command, rule, depth + 1, out);
            out.push(')');
        } else if inner == "MAKE" {
            out.push_str("make");
        } else if let Some(value) = self.values.get(inner) {
            self.expand(value, rule, depth + 1, out);
        } else {
            out.push_str(UNTOLD);
        }
    }

    fn automatic(&self, name: char, rule: &Rule<'_>, depth: usize, out: &mut String) {
        match name {
            '@' if !rule.target.is_empty() => out.push_str(rule.target),
            '<' if !rule.needs.is_empty() => {
                out.push_str(rule.needs.split_whitespace().next().unwrap_or_default());
            }
            '^' if !rule.needs.is_empty() => out.push_str(rule.needs),
            _ => match self.values.get(name.encode_utf8(&mut [0; 4])) {
                Some(value) => self.expand(value, rule, depth + 1, out),
                None => out.push_str(UNTOLD),
            },
        }
    }
}

/// The rule in which a text stands, for `$@` and its kin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rule<'a> {
    pub(super) target: &'a str,
    pub(super) needs: &'a str,
}

/// A line without the comment at its end.
pub(super) fn without_comment(line: &str) -> &str {
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            '#' if !escaped => return line.get(..at).unwrap_or(line),
            _ => escaped = c == '\\',
        }
    }
    line
}

/// A value that was found once and is not looked at again.
fn escaped(value: &str) -> String {
    value.replace('$', "$$")
}

/// What stands before the bracket that closes, and what comes after it.
fn balanced(text: &str, open: char) -> (&str, &str) {
    let close = if open == '(' { ')' } else { '}' };
    let mut deep = 1;
    for (at, c) in text.char_indices() {
        if c == open {
            deep += 1;
        } else if c == close {
            deep -= 1;
        }
        if deep == 0 {
            let after = at + c.len_utf8();
            return (
                text.get(..at).unwrap_or_default(),
                text.get(after..).unwrap_or_default(),
            );
        }
    }
    (text, "")
}
