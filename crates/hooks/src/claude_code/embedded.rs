//! The shell commands that a text of the host's embeds, as `` !`command` `` or in a block fenced by ```` ```! ````. The
//! host runs them while it makes a prompt of the text.

/// More commands than this in one text are not looked at.
pub(super) const MOST: usize = 64;

/// Each command that a text embeds, at most one more than [`MOST`].
///
/// Where the host may read a text in several ways, every reading's command is among them: more is judged than runs,
/// never less. A quote that is not closed embeds nothing, here and there.
pub(super) fn commands(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while found.len() <= MOST {
        let Some(at) = rest.find("!`") else { break };
        let quoted = rest.get(at + 1..).unwrap_or_default();
        let ticks = quoted.len() - quoted.trim_start_matches('`').len();
        // What is quoted by many may be quoted by one, with empty quotes around it.
        let body = quoted.get(ticks..).unwrap_or_default();
        if let Some(end) = body.find('`') {
            found.extend(body.get(..end));
        }
        // The end of one quote may begin another one.
        rest = body;
    }
    found.extend(blocks(text).take((MOST + 1).saturating_sub(found.len())));
    found.retain(|command| !command.trim().is_empty());
    found
}

/// The contents of the blocks that a text fences for the shell.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once("```!")?;
        let (block, next) = after.split_once("```")?;
        rest = next;
        Some(block)
    })
}

/// The text with what was typed in the place of `$ARGUMENTS`, as the host puts it there before anything runs. Single
/// arguments (`$ARGUMENTS[0]`) are left.
pub(super) fn filled(text: &str, arguments: &str) -> String {
    let mut pieces = text.split(ARGUMENTS);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let single = piece.starts_with('[');
        out.push_str(if single { ARGUMENTS } else { arguments });
        out.push_str(piece);
    }
    out
}

/// What stands for all that was typed behind a command's name.
const ARGUMENTS: &str = "$ARGUMENTS";

/// Whether the host puts something into a command before it runs that is not known here: single arguments by their
/// number. To bash they would look like parameters, which are empty.
pub(super) fn is_open(command: &str) -> bool {
    let mut after = command.split('$').skip(1);
    after.any(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("ARGUMENTS")
    })
}

#[cfg(test)]
mod tests {
    use super::{commands, filled, is_open};

    #[test]
    fn a13_every_embedded_command_is_found() {
        for (text, expected) in [
            ("Say `ls` and stop!", &[][..]),
            ("state: !`git status` end", &["git status"]),
            ("!`a`!`b`", &["a", "b"]),
            ("x!`a`", &["a"]),
            ("!!`a`", &["a"]),
            ("!``a``", &["a"]),
            ("!`a\nb`", &["a\nb"]),
            ("!`never closed", &[]),
            ("!` `", &[]),
            ("text\n```!\nmake x\n```\n!`y`", &["y", "\nmake x\n"]),
            ("```bash\nls\n```", &[]),
            ("done! `a`", &[]),
        ] {
            assert_eq!(commands(text), expected, "{text}");
        }
        assert_eq!(commands(&"!`a` ".repeat(1000)).len(), 65);
    }

    #[test]
    fn a13_what_the_host_puts_in_is_put_in_or_known_to_be_open() {
        assert_eq!(filled("git log $ARGUMENTS", "-3"), "git log -3");
        for open in ["echo $1", "echo ${2}", "a $ARGUMENTS[0]", "$0"] {
            assert!(is_open(open), "{open}");
        }
        for known in ["echo $HOME", "ls", "a$", "echo ${x}"] {
            assert!(!is_open(known), "{known}");
        }
    }
}
