//! Fills in a way's template. The harmful text that is judged and the harmless one that is run come of the same
//! template by the same filters, so that the one proves the other.

use std::fmt::Write as _;

/// What stands in for the placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// What the way brings about.
    pub payload: Payload,
    /// The directory where the command's program lies.
    pub programs: String,
    /// The home directory.
    pub home: String,
    /// The workspace, which is the working directory.
    pub workspace: String,
}

/// What a way brings about, told as bash would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// A simple command whose words need no quotes: `cmd`, `name`, `args`, `program`.
    Command(Vec<String>),
    /// The path that is written, read or deleted: `path`.
    Path(String),
}

/// A template with everything filled in, or what is wrong with it. A placeholder is `«subject»` or
/// `«subject:filter:filter»`.
pub fn fill(template: &str, filling: &Filling) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('«') {
        out.push_str(before);
        let (inner, after) = after.split_once('»').ok_or("a placeholder has no end")?;
        let mut words = inner.split(':');
        let mut text = subject(words.next().unwrap_or_default(), filling)?;
        for word in words {
            text = filtered(&text, word, filling)?;
        }
        out.push_str(&text);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether a template holds its payload: else it would bring nothing about.
pub fn holds_payload(template: &str) -> bool {
    ["cmd", "name", "program", "path"].iter().any(|subject| {
        template.contains(&format!("«{subject}»")) || template.contains(&format!("«{subject}:"))
    })
}

/// Whether the command comes with its arguments.
pub fn holds_arguments(template: &str) -> bool {
    template.contains("«cmd") || template.contains("«args")
}

fn subject(word: &str, filling: &Filling) -> Result<String, String> {
    // What cannot be told from a blank or from nothing in a file.
    match word {
        "tab" => return Ok("\t".to_owned()),
        "nl" => return Ok("\n".to_owned()),
        _ => {}
    }
    match (&filling.payload, word) {
        (Payload::Command(words), "cmd") => Ok(words.join(" ")),
        (Payload::Command(words), "name") => Ok(words.first().cloned().unwrap_or_default()),
        (Payload::Command(words), "args") => Ok(words.get(1..).unwrap_or_default().join(" ")),
        (Payload::Command(words), "program") => {
            let name = words.first().cloned().unwrap_or_default();
            Ok(format!("{}/{name}", filling.programs))
        }
        (Payload::Path(path), "path") => Ok(path.clone()),
        (Payload::Command(_) | Payload::Path(_), _) => {
            Err(format!("`{word}` is nothing that this way has"))
        }
    }
}

fn filtered(text: &str, filter: &str, filling: &Filling) -> Result<String, String> {
    let each = |shown: &dyn Fn(char) -> String| text.chars().map(shown).collect::<String>();
    let words = |shown: &dyn Fn(&str) -> String, between: &str| {
        let all: Vec<String> = text.split(' ').map(shown).collect();
        all.join(between)
    };
    let split = text.char_indices().nth(1).map_or(text.len(), |(at, _)| at);
    let (first, rest) = text.split_at_checked(split).unwrap_or((text, ""));
    let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
    let (front, end) = text.split_at_checked(last).unwrap_or((text, ""));
    Ok(match filter {
        // Letters as numbers.
        "hex" => each(&|c| format!("\\x{:02x}", u32::from(c))),
        "octal" => each(&|c| format!("\\{:03o}", u32::from(c))),
        "unicode" => each(&|c| format!("\\u{:04x}", u32::from(c))),
        "digits" => each(&|c| format!("{:02x}", u32::from(c))),
        "codes" => {
            let codes: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
            codes.join(",")
        }
        "base64" => base64(text.as_bytes()),
        // Letters changed or moved.
        "reversed" => text.chars().rev().collect(),
        "upper" => text.to_ascii_uppercase(),
        "rot13" => each(&|c| rotated(c).to_string()),
        "escaped" => each(&|c| format!("\\{c}")),
        "hollow" => each(&|c| format!("{c}''")),
        "apart" => each(&|c| format!("{c}$@")),
        // Pieces.
        "first" => first.to_owned(),
        "rest" => rest.to_owned(),
        "front" => front.to_owned(),
        "end" => end.to_owned(),
        "bracketed" => format!("{front}[{end}]"),
        "question" => format!("{front}?"),
        "star" => format!("{front}*"),
        "parent" => text
            .rsplit_once('/')
            .map_or(".", |(parent, _)| parent)
            .to_owned(),
        "base" => text
            .rsplit_once('/')
            .map_or(text, |(_, base)| base)
            .to_owned(),
        // Words.
        "words" => words(&|word| format!("'{word}'"), " "),
        "strings" => words(&|word| format!("\"{word}\""), ", "),
        "commas" => words(&str::to_owned, ","),
        "escapes" => words(&str::to_owned, "\\n"),
        "ifs" => words(&str::to_owned, "${IFS}"),
        "tabs" => words(&str::to_owned, "\t"),
        "ats" => words(&str::to_owned, "@"),
        "absolute" => absolute(text, filling),
        _ => return Err(format!("`{filter}` is no filter")),
    })
}

/// A path as it is from the root.
fn absolute(path: &str, filling: &Filling) -> String {
    match path.strip_prefix("~/") {
        Some(rest) => format!("{}/{rest}", filling.home),
        None if path.starts_with('/') => path.to_owned(),
        None => format!("{}/{path}", filling.workspace),
    }
}

/// The letter thirteen places on.
fn rotated(c: char) -> char {
    let turned = |base: u8| {
        let place = u8::try_from(c).unwrap_or(base).wrapping_sub(base);
        char::from(base + (place + 13) % 26)
    };
    match c {
        'a'..='z' => turned(b'a'),
        'A'..='Z' => turned(b'A'),
        _ => c,
    }
}

/// Bytes as base64 with its padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = usize::try_from(group >> (18 - 6 * place) & 63).unwrap_or(0);
            let known = place <= chunk.len();
            let letter = LETTERS
                .get(letter)
                .filter(|_| known)
                .copied()
                .unwrap_or(b'=');
            out.push(char::from(letter));
        }
    }
    out
}

/// A text in one line, as reports show it.
pub fn in_one_line(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push('⏎'),
            c if c.is_control() => drop(write!(out, "{}", c.escape_debug())),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Filling, Payload, fill};

    fn filled(template: &str, payload: Payload) -> String {
        let filling = Filling {
            payload,
            programs: "/usr/bin".to_owned(),
            home: "/home/u".to_owned(),
            workspace: "/repo".to_owned(),
        };
        fill(template, &filling).unwrap()
    }

    fn command(template: &str) -> String {
        filled(
            template,
            Payload::Command(vec!["mk".to_owned(), "a".to_owned()]),
        )
    }

    #[test]
    fn p5_placeholders_and_filters_are_filled_in() {
        for (template, expected) in [
            ("eval «cmd»", "eval mk a"),
            ("«name:first»''«name:rest» «args»", "m''k a"),
            ("$'«name:hex»'", "$'\\x6d\\x6b'"),
            ("$'«name:octal»'", "$'\\155\\153'"),
            ("«cmd:base64»", "bWsgYQ=="),
            ("'«cmd:reversed»' «name:rest:upper»", "'a km' K"),
            ("{«cmd:commas»}", "{mk,a}"),
            ("«program:bracketed»", "/usr/bin/m[k]"),
            ("[«cmd:strings»]", "[\"mk\", \"a\"]"),
            ("«name:upper» «cmd:rot13»", "MK zx n"),
        ] {
            assert_eq!(command(template), expected);
        }
        let path = Payload::Path("~/.bashrc".to_owned());
        assert_eq!(
            filled("«path:absolute» «path:base»", path),
            "/home/u/.bashrc .bashrc"
        );
    }
}
