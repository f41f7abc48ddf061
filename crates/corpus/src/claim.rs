//! One line of a `programs` table: what a program can do, shown by a command or denied by a reason; nothing is read or
//! judged here.

use crate::evidence::Kind;

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its line, counted from 0 within the block.
    pub at: usize,
    /// True where the line begins with the program's name.
    pub first: bool,
    /// The program.
    pub program: String,
    /// What it is about.
    pub kind: Kind,
    /// What is said of it.
    pub said: Said,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A command, and what its effects show.
    Case {
        /// The command.
        command: String,
        /// What stands behind the arrow; empty where nothing does yet.
        shows: String,
    },
    /// Why there is no case.
    Reason(String),
}

const ARROW: &str = " -> ";

/// The claims of a block's lines. A name stands at the beginning of a program's first line only; a line that begins
/// with `#` is a comment. What is wrong comes back as a line within the block and words.
pub fn claims(lines: &[String]) -> (Vec<Claim>, Vec<(usize, String)>) {
    let mut out: Vec<Claim> = Vec::new();
    let mut faults = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match claim(at, line, out.last()) {
            Ok(claim) => out.push(claim),
            Err(words) => faults.push((at, words.to_owned())),
        }
    }
    (out, faults)
}

fn claim(at: usize, line: &str, before: Option<&Claim>) -> Result<Claim, &'static str> {
    let first = !line.starts_with(' ');
    let (program, rest) = if first {
        let (name, rest) = line.split_once(' ').ok_or("a name stands alone")?;
        (name.to_owned(), rest)
    } else {
        let before = before.ok_or("no program is named yet")?;
        (before.program.clone(), line)
    };
    let (word, rest) = rest
        .trim_start()
        .split_once(' ')
        .ok_or("a line is a kind, then a command or `-` and a reason")?;
    let kind = Kind::parse(word).ok_or("a kind is `reads`, `writes`, `runs` or `reaches`")?;
    let rest = rest.trim();
    let said = match rest.strip_prefix("- ") {
        Some(reason) => Said::Reason(reason.trim().to_owned()),
        None if rest == "-" => return Err("a reason is missing"),
        None => {
            let (command, shows) = rest.rsplit_once(ARROW).unwrap_or((rest, ""));
            Said::Case {
                command: command.trim_end().to_owned(),
                shows: shows.trim().to_owned(),
            }
        }
    };
    Ok(Claim {
        at,
        first,
        program,
        kind,
        said,
    })
}

/// The line with something else behind the arrow.
pub fn showing(line: &str, shows: &str) -> String {
    let front = line.rsplit_once(ARROW).map_or(line, |(front, _)| front);
    format!("{front}{ARROW}{shows}")
}

#[cfg(test)]
mod tests {
    use super::{Said, claims, showing};
    use crate::evidence::Kind;

    #[test]
    fn a_name_holds_until_the_next() {
        let lines = [
            "sort  reads  sort a -> b  -> read /a",
            "      runs   - it has no way to",
            "#  a word",
            "wc    moves  wc a",
        ];
        let (found, faults) = claims(&lines.map(str::to_owned));
        assert_eq!(found[1].program, "sort");
        assert_eq!(
            (found[0].first, found[1].first, found[1].kind),
            (true, false, Kind::Runs)
        );
        let Said::Case { command, shows } = &found[0].said else {
            panic!("no case");
        };
        assert_eq!(
            (command.as_str(), shows.as_str()),
            ("sort a -> b", "read /a")
        );
        assert_eq!(found[1].said, Said::Reason("it has no way to".to_owned()));
        assert_eq!(faults[0].0, 3);
    }

    #[test]
    fn what_is_shown_is_rewritten_in_place() {
        assert_eq!(showing("a  reads  a x  -> y", "z"), "a  reads  a x  -> z");
        assert_eq!(showing("a  reads  a x", "z"), "a  reads  a x -> z");
    }
}
