//! Rust text with everything blanked that is not code, so that a word in a comment or a string is no finding.

/// A Rust file in three readings of the same length in lines.
#[derive(Debug, Clone)]
pub struct Source {
    /// The text as it stands.
    pub text: String,
    /// The text with comments and the contents of strings as blanks.
    pub code: String,
    /// `code` with everything under `#[cfg(test)]` as blanks too.
    pub shipped: String,
}

impl Source {
    /// Reads a file's text.
    pub fn of(text: &str) -> Self {
        let code = code(text);
        let shipped = shipped(&code);
        Self {
            text: text.to_owned(),
            code,
            shipped,
        }
    }
}

/// What the scanner is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    LineComment,
    BlockComment(usize),
    Text,
    RawText(usize),
}

/// The text with comments and the contents of strings and characters as blanks; lines keep their numbers.
fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = Inside::Code;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kept, taken, next) = match inside {
            Inside::Code => in_code(rest, first, &out),
            Inside::LineComment if first == '\n' => (true, 1, Inside::Code),
            Inside::BlockComment(depth) => in_block_comment(rest, first, depth),
            Inside::Text if first == '\\' => {
                let escaped = rest.chars().nth(1).map_or(0, char::len_utf8);
                (false, 1 + escaped, inside)
            }
            Inside::Text if first == '"' => (true, 1, Inside::Code),
            Inside::RawText(hashes) if rest.starts_with(&format!("\"{}", "#".repeat(hashes))) => {
                (true, 1 + hashes, Inside::Code)
            }
            Inside::LineComment | Inside::Text | Inside::RawText(_) => {
                (false, first.len_utf8(), inside)
            }
        };
        let (now, later) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        if kept {
            out.push_str(now);
        } else {
            out.extend(now.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        inside = next;
        rest = later;
    }
    out
}

/// One step in code: whether it is kept, how many bytes it takes, and what follows.
fn in_code(rest: &str, first: char, before: &str) -> (bool, usize, Inside) {
    if rest.starts_with("//") {
        return (false, 2, Inside::LineComment);
    }
    if rest.starts_with("/*") {
        return (false, 2, Inside::BlockComment(1));
    }
    if first == '"' {
        return (true, 1, Inside::Text);
    }
    if let Some((taken, hashes)) = raw_start(rest, before) {
        return (true, taken, Inside::RawText(hashes));
    }
    if first == '\'' {
        return (false, character(rest).unwrap_or(1), Inside::Code);
    }
    (true, first.len_utf8(), Inside::Code)
}

/// The length of `r##"` and the number of its hashes, where a raw string starts here.
fn raw_start(rest: &str, before: &str) -> Option<(usize, usize)> {
    let begins_a_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        || (before.ends_with('b') && !before.ends_with(|c: char| c == '_' || c.is_numeric()));
    let after = rest.strip_prefix('r').filter(|_| begins_a_word)?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let quoted = after.trim_start_matches('#').starts_with('"');
    quoted.then_some((2 + hashes, hashes))
}

/// The length of a character literal, or nothing where the quote begins a lifetime.
fn character(rest: &str) -> Option<usize> {
    let mut characters = rest.char_indices().skip(1);
    let (_, first) = characters.next()?;
    if first == '\\' {
        characters.next();
        return characters.find(|(_, c)| *c == '\'').map(|(at, _)| at + 1);
    }
    characters
        .next()
        .filter(|(_, c)| *c == '\'')
        .map(|(at, _)| at + 1)
}

fn in_block_comment(rest: &str, first: char, depth: usize) -> (bool, usize, Inside) {
    if rest.starts_with("/*") {
        (false, 2, Inside::BlockComment(depth + 1))
    } else if rest.starts_with("*/") && depth == 1 {
        (false, 2, Inside::Code)
    } else if rest.starts_with("*/") {
        (false, 2, Inside::BlockComment(depth - 1))
    } else {
        (false, first.len_utf8(), Inside::BlockComment(depth))
    }
}

/// Code without the items that stand under `#[cfg(test)]`.
fn shipped(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, from)) = rest.split_once("#[cfg(test)]") {
        out.push_str(before);
        let length = item(from);
        let (item, after) = from.split_at_checked(length).unwrap_or((from, ""));
        out.extend(item.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The length of the item that begins here: up to the brace that closes it, or its semicolon.
fn item(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Every place of a word in code: the numbers of the lines, from 1. A word is not found inside a longer one.
pub fn lines_with(code: &str, word: &str) -> Vec<usize> {
    let inner = |c: char| c.is_alphanumeric() || c == '_';
    let opens = word.starts_with(inner);
    let closes = word.ends_with(inner);
    let hit = |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            let before = line.get(..at).unwrap_or("");
            let after = line.get(at + word.len()..).unwrap_or("");
            !(opens && before.ends_with(inner) || closes && after.starts_with(inner))
        })
    };
    let numbered = code.lines().zip(1..);
    numbered
        .filter(|(line, _)| hit(line))
        .map(|(_, number)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Source, lines_with};

    #[test]
    fn comments_strings_and_tests_are_no_code() {
        let text = "fn a() { x(\"unsafe \\\" y\", 'u', '\\'', r#\"un\"safe\"#); } // unsafe\n/* unsafe /* */ */\n\
            fn b<'unsafe_>(c: &'unsafe_ str) {}\n#[cfg(test)]\nmod tests {\n fn c() { if x {} }\n}\nfn d() {}\n";
        let source = Source::of(text);
        assert_eq!(lines_with(&source.code, "unsafe"), Vec::<usize>::new());
        assert_eq!(lines_with(&source.code, "fn c"), [6]);
        assert_eq!(lines_with(&source.shipped, "fn c"), Vec::<usize>::new());
        assert_eq!(lines_with(&source.shipped, "fn d"), [8]);
        assert_eq!(lines_with("unsafe {\nunsafe_code", "unsafe"), [1]);
    }
}
