//! Ways round a gate: templates of shell text by mechanism, each with a placeholder for what it brings about. A
//! template is filled in elsewhere, judged elsewhere, and proven in real bash by the oracle.

use crate::document::{Block, Section, document};

/// The most ways that one mechanism may have; more of the same prove nothing new.
pub const MOST: usize = 10;

/// The word of a block whose commands run inside of what is unknown.
const UNKNOWN: &str = "unknown";

/// What a way brings about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A command runs.
    Runs,
    /// A place outside the workspace is written.
    Writes,
    /// A secret comes to light.
    Reads,
    /// What a directory holds is gone from its place.
    Deletes,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Runs, Self::Writes, Self::Reads, Self::Deletes];

    /// The word of a block.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Writes => "writes",
            Self::Reads => "reads",
            Self::Deletes => "deletes",
        }
    }
}

/// One way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// What it brings about.
    pub kind: Kind,
    /// Whether the command runs inside of what nobody described or has read. The mode `open` allows what is merely
    /// unknown, also past a rule that denies the command by name; all other modes ask.
    pub unknown: bool,
    /// Programs without which it cannot be proven.
    pub needs: Vec<String>,
    /// The shell text with its placeholders.
    pub template: String,
    /// Its first line in the file, counted from 1.
    pub line: usize,
}

/// What must be there before a way is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A file with this text, which may have placeholders.
    File(String, String),
    /// The same, and it can be executed.
    Program(String, String),
    /// A directory.
    Directory(String),
    /// A symbolic link and where it leads.
    Link(String, String),
    /// The workspace is a git repository with one commit that holds `a.txt`.
    Repository,
}

impl Step {
    /// The texts that may hold placeholders.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::File(path, text) | Self::Program(path, text) => vec![path, text],
            Self::Directory(path) => vec![path],
            Self::Link(path, target) => vec![path, target],
            Self::Repository => Vec::new(),
        }
    }
}

/// Ways that work for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mechanism {
    /// Its name.
    pub name: String,
    /// The line of its heading.
    pub line: usize,
    /// What must be there before.
    pub setup: Vec<Step>,
    /// The ways.
    pub ways: Vec<Way>,
}

/// A file of ways.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ways {
    /// The mechanisms, in order.
    pub mechanisms: Vec<Mechanism>,
    /// What is wrong with the file: a line and words.
    pub faults: Vec<(usize, String)>,
}

/// Reads a file of ways.
pub fn ways(text: &str) -> Ways {
    let document = document(text);
    let mut out = Ways {
        mechanisms: Vec::new(),
        faults: document.faults,
    };
    for block in &document.common.blocks {
        let words = "a block stands before the first mechanism".to_owned();
        out.faults.push((block.line, words));
    }
    for section in &document.cases {
        let mechanism = mechanism(section, &mut out.faults);
        if mechanism.ways.is_empty() {
            let words = format!("{}: there is no way", mechanism.name);
            out.faults.push((mechanism.line, words));
        }
        if mechanism.ways.len() > MOST {
            let count = mechanism.ways.len();
            let words = format!("{}: {count} ways, of {MOST} at most", mechanism.name);
            out.faults.push((mechanism.line, words));
        }
        out.mechanisms.push(mechanism);
    }
    out
}

fn mechanism(section: &Section, faults: &mut Vec<(usize, String)>) -> Mechanism {
    let mut out = Mechanism {
        name: section.name.clone(),
        line: section.line,
        setup: Vec::new(),
        ways: Vec::new(),
    };
    for block in &section.blocks {
        match block.kind() {
            "ways" => templates(block, &mut out.ways, faults),
            "setup" => {
                for (at, line) in block.body.iter().enumerate() {
                    match step(line) {
                        Some(step) => out.setup.push(step),
                        None => faults.push((block.line + 1 + at, "no such step".to_owned())),
                    }
                }
            }
            other => faults.push((block.line, format!("`{other}` is not known"))),
        }
    }
    out
}

/// One template to a line. A line that begins with two blanks goes on with the one before it; one that begins with `#`
/// and a blank is a comment.
fn templates(block: &Block, out: &mut Vec<Way>, faults: &mut Vec<(usize, String)>) {
    let kind = block.info.get(1).and_then(|word| {
        let mut all = Kind::ALL.into_iter();
        all.find(|kind| kind.name() == word)
    });
    let Some(kind) = kind else {
        faults.push((
            block.line,
            "a block says what its ways bring about".to_owned(),
        ));
        return;
    };
    let before = out.len();
    for (at, line) in block.body.iter().enumerate() {
        let last = if out.len() > before {
            out.last_mut()
        } else {
            None
        };
        if let (Some(more), Some(last)) = (line.strip_prefix("  "), last) {
            last.template.push('\n');
            last.template.push_str(more);
        } else if !line.is_empty() && !line.starts_with("# ") {
            let needs = block.info.iter().skip(2).filter(|word| *word != UNKNOWN);
            out.push(Way {
                kind,
                unknown: block.says(UNKNOWN),
                needs: needs.cloned().collect(),
                template: line.clone(),
                line: block.line + 1 + at,
            });
        }
    }
}

/// One line of a `setup` block; `\n` in a text is a newline.
fn step(line: &str) -> Option<Step> {
    if line == "repository" {
        return Some(Step::Repository);
    }
    let (word, rest) = line.split_once(' ')?;
    let with_text = || {
        let (path, text) = rest.split_once(" = ")?;
        Some((path.to_owned(), text.replace("\\n", "\n")))
    };
    match word {
        "file" => with_text().map(|(path, text)| Step::File(path, text)),
        "program" => with_text().map(|(path, text)| Step::Program(path, text)),
        "dir" => Some(Step::Directory(rest.to_owned())),
        "link" => {
            let (path, target) = rest.split_once(" -> ")?;
            Some(Step::Link(path.to_owned(), target.to_owned()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Step, ways};

    #[test]
    fn p5_a_file_of_ways_is_read() {
        let text = "# t\n## one\n```setup\nrepository\nfile x = a\\nb\n```\n```ways runs perl\n«cmd»\n# why\na\n  b\n```\n";
        let found = ways(text);
        assert!(found.faults.is_empty(), "{:?}", found.faults);
        let one = found.mechanisms.first().unwrap();
        assert_eq!(one.setup[1], Step::File("x".to_owned(), "a\nb".to_owned()));
        assert_eq!(one.ways[0].kind, Kind::Runs);
        assert_eq!(one.ways[0].needs, ["perl"]);
        assert_eq!(
            (one.ways[1].template.as_str(), one.ways[1].line),
            ("a\nb", 10)
        );
    }

    #[test]
    fn p5_more_than_ten_ways_of_one_mechanism_are_a_fault() {
        let text = format!("## one\n```ways runs\n{}```\n", "x\n".repeat(11));
        assert_eq!(ways(&text).faults.len(), 1);
        assert!(!ways("## one\n```ways sings\nx\n```\n").faults.is_empty());
    }
}
