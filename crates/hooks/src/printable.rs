//! Foreign text made safe for a terminal and for a person's eye: nothing in it moves the cursor, hides or reverses
//! text.

use countersign_policy::printable::is_hidden;

/// The most bytes of a text that are shown; hosts cut at 10,000.
const MOST: usize = 4000;

/// The text with everything invisible made visible, on as many lines as before, and cut in its middle if it is long.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_hidden(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    if out.len() <= MOST {
        return out;
    }
    let head: String = out.chars().take(MOST / 8).collect();
    let mut tail: Vec<char> = out.chars().rev().take(MOST / 8).collect();
    tail.reverse();
    let tail = tail.into_iter().collect::<String>();
    format!("{head} … {} bytes in all … {tail}", out.len())
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a6_foreign_text_cannot_act_on_a_terminal() {
        assert_eq!(
            printable("a\u{1b}[2Jb\u{202e}c\td\ne"),
            "a\\u{1b}[2Jb\\u{202e}c\\u{9}d\ne"
        );
    }

    #[test]
    fn long_text_keeps_head_and_tail() {
        let text = printable(&format!("a{}z", "é".repeat(100_000)));
        assert!(
            text.len() < 4000 && text.starts_with('a') && text.ends_with('z'),
            "{text}"
        );
    }
}
