//! One entry of a `cases` list: a verdict and a command; the command is not read here.

use countersign_policy::action::Action;

/// A command with the action that is expected for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The first of its lines, counted from 0 within the block.
    pub at: usize,
    /// True where it must fail.
    pub gap: bool,
    /// What is expected.
    pub action: Action,
    /// The command; several lines where the entry goes on.
    pub command: String,
}

/// The mark of an entry that must fail.
const GAP: &str = "known-gap ";

/// The entries of a block's lines. A line that begins with two blanks goes on with the entry before it; one that begins
/// with `#` is a comment. What is wrong comes back as a line within the block and words.
pub fn entries(lines: &[String]) -> (Vec<Entry>, Vec<(usize, String)>) {
    let mut out: Vec<Entry> = Vec::new();
    let mut faults = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let (Some(more), Some(last)) = (line.strip_prefix("  "), out.last_mut()) {
            last.command.push('\n');
            last.command.push_str(more);
        } else if !line.is_empty() && !line.starts_with('#') {
            if let Some(entry) = entry(at, line) {
                out.push(entry);
            } else {
                let words = "an entry is `allow`, `ask` or `deny`, two blanks, a command";
                faults.push((at, words.to_owned()));
            }
        }
    }
    (out, faults)
}

fn entry(at: usize, line: &str) -> Option<Entry> {
    let rest = line.strip_prefix(GAP);
    let (word, command) = rest.unwrap_or(line).split_once(['\t', ' '])?;
    Some(Entry {
        at,
        gap: rest.is_some(),
        action: Action::parse(word)?,
        command: command.trim_start_matches([' ', '\t']).to_owned(),
    })
}

/// The first line of an entry with another action.
pub fn with_action(line: &str, action: Action) -> String {
    let (mark, rest) = match line.strip_prefix(GAP) {
        Some(rest) => (GAP, rest),
        None => ("", line),
    };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    format!("{mark}{}{rest}", action.name())
}

/// The first line of an entry that is no gap any more.
pub fn without_mark(line: &str) -> String {
    line.strip_prefix(GAP).unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{entries, with_action};
    use countersign_policy::action::Action;

    #[test]
    fn an_entry_goes_on_and_may_be_a_gap() {
        let lines = [
            "# why",
            "ask  cat <<E",
            "  a",
            "  E",
            "known-gap deny\trm x",
            "maybe",
        ];
        let (found, faults) = entries(&lines.map(str::to_owned));
        assert_eq!(found[0].command, "cat <<E\na\nE");
        assert_eq!((found[1].gap, found[1].action), (true, Action::Deny));
        assert_eq!(faults[0].0, 5);
    }

    #[test]
    fn the_action_is_rewritten_in_place() {
        assert_eq!(
            with_action("known-gap ask  a ask", Action::Deny),
            "known-gap deny  a ask"
        );
    }
}
