//! How long functions are, from the line of `fn` to the line of the brace that closes it.

/// A function and its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its `fn`, from 1.
    pub line: usize,
    /// Its lines, the first and the last included.
    pub length: usize,
}

/// The functions with a body, in the order in which they begin. The text is code without comments and strings.
pub fn functions(code: &str) -> Vec<Function> {
    let lines: Vec<&str> = code.lines().collect();
    lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| {
            let name = name(line)?;
            let length = length(lines.get(at..)?)?;
            Some(Function {
                name,
                line: at + 1,
                length,
            })
        })
        .collect()
}

/// The name of the function whose signature begins on this line.
fn name(line: &str) -> Option<String> {
    let (before, after) = line.split_once("fn ")?;
    let words_only = before
        .chars()
        .all(|c| c.is_alphanumeric() || " _()\"".contains(c));
    if !words_only || !(before.is_empty() || before.ends_with(' ')) {
        return None;
    }
    let name: String = after
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    (!name.is_empty()).then_some(name)
}

/// The number of lines up to the brace that closes the body; nothing for a function without one.
fn length(lines: &[&str]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut opened = false;
    let mut brackets = 0_usize;
    for (at, line) in lines.iter().enumerate() {
        for c in line.chars() {
            match c {
                // A semicolon inside `[u8; 32]` ends nothing.
                '[' | '(' => brackets += 1,
                ']' | ')' => brackets = brackets.saturating_sub(1),
                ';' if !opened && brackets == 0 => return None,
                '{' => {
                    opened = true;
                    depth += 1;
                }
                '}' => {
                    depth = depth.saturating_sub(1);
                    if opened && depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn lengths_are_counted_from_fn_to_brace() {
        let text = "trait A {\n fn a(&self);\n pub(crate) const fn b(x: [u8; 2]) {\n  if x {}\n }\n}\nlet f: fn (u8);\n";
        let found: Vec<(String, usize, usize)> = functions(text)
            .into_iter()
            .map(|function| (function.name, function.line, function.length))
            .collect();
        assert_eq!(found, [("b".to_owned(), 3, 3)]);
    }
}
