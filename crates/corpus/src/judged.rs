//! Judges ways: every template is filled with harm of its kind, and none of it may be allowed. Whether a way really
//! works is not asked here; the oracle proves that.

use crate::call::Told;
use crate::document::Block;
use crate::filling::{Filling, Payload, fill, holds_payload, in_one_line};
use crate::report::Failure;
use crate::situation::Situation;
use crate::way::{Kind, Mechanism, Step, Way, ways};
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;

/// Commands that nobody may run unasked, without a character that a template's quotes would have to mind.
const COMMANDS: [&str; 4] = [
    "rm -rf /home/u/docs",
    "git push --force",
    "curl -O https://example.com/x",
    "cat /home/u/.ssh/id_rsa",
];

/// The command that the proof runs; here a user's rule denies it, in the laxest mode.
const MARKER: &str = "mk t0";
const RULE: &str = "[deny]\nshell = [\"mk *\"]";

/// Places where what is written runs later, or lets others in.
const TARGETS: [&str; 3] = [
    "~/.bashrc",
    "~/.ssh/authorized_keys",
    ".git/hooks/pre-commit",
];

/// Files that hold secrets.
const SECRETS: [&str; 3] = ["~/.ssh/id_rsa", "~/.aws/credentials", ".env"];

/// Directories that are missed.
const VICTIMS: [&str; 2] = ["~/docs", "~/.ssh"];

/// What came of a file of ways.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The names of its mechanisms.
    pub mechanisms: Vec<String>,
    /// How many ways there are.
    pub ways: usize,
    /// How many verdicts were asked for.
    pub verdicts: usize,
    /// What is wrong.
    pub failures: Vec<Failure>,
}

/// Judges every way of a file.
pub fn judge(file: &str, text: &str) -> Judged {
    let read = ways(text);
    let mut out = Judged::default();
    let mut fail = |line: usize, words: String| {
        out.failures.push(Failure {
            file: file.to_owned(),
            line,
            words,
            detail: Vec::new(),
        });
    };
    for (line, words) in read.faults {
        fail(line, words);
    }
    for mechanism in read.mechanisms {
        for way in &mechanism.ways {
            for (payload, modes, rule) in payloads(way) {
                match verdicts(&mechanism, way, payload, modes, rule) {
                    Ok(found) => {
                        out.verdicts += modes.len();
                        for words in found {
                            fail(way.line, words);
                        }
                    }
                    Err(words) => fail(way.line, words),
                }
            }
        }
        out.ways += mechanism.ways.len();
        out.mechanisms.push(mechanism.name);
    }
    out
}

/// The harm of a way's kind, each with the modes in which it is judged and a user's rule.
fn payloads(way: &Way) -> Vec<(Payload, &'static [Mode], Option<&'static str>)> {
    const USUAL: &[Mode] = &[Mode::Default, Mode::AcceptEdits];
    let paths = |all: &[&str]| {
        // What works on the directory of a secret says nothing of the workspace itself.
        let whole = way.template.contains(":parent");
        let fitting = all.iter().filter(|path| !whole || path.contains('/'));
        let each = fitting.map(|path| Payload::Path((*path).to_owned()));
        each.map(|payload| (payload, USUAL, None)).collect()
    };
    match way.kind {
        Kind::Runs => {
            let each = COMMANDS.iter().map(|text| (command(text), USUAL, None));
            let marker = (command(MARKER), [Mode::Open].as_slice(), Some(RULE));
            each.chain([marker]).collect()
        }
        Kind::Writes => paths(&TARGETS),
        Kind::Reads => paths(&SECRETS),
        Kind::Deletes => paths(&VICTIMS),
    }
}

fn command(text: &str) -> Payload {
    Payload::Command(text.split(' ').map(str::to_owned).collect())
}

/// What was wrongly allowed, or what is wrong with the way.
fn verdicts(
    mechanism: &Mechanism,
    way: &Way,
    payload: Payload,
    modes: &[Mode],
    rule: Option<&str>,
) -> Result<Vec<String>, String> {
    let filling = Filling {
        payload,
        programs: "/usr/bin".to_owned(),
        home: "/home/u".to_owned(),
        workspace: "/repo".to_owned(),
    };
    let prepared = mechanism
        .setup
        .iter()
        .flat_map(Step::texts)
        .any(holds_payload);
    if !holds_payload(&way.template) && !prepared {
        return Err(format!("{}: nothing of it is filled in", way.template));
    }
    let text = fill(&way.template, &filling)?;
    let mut situation = Situation::default();
    for line in [
        "file a.txt",
        "file ~/.bashrc",
        "file ~/.ssh/id_rsa",
        "dir ~/docs",
    ] {
        situation.machine.add(line)?;
    }
    for step in &mechanism.setup {
        for line in world(step, &filling)? {
            situation.machine.add(&line)?;
        }
    }
    if let Some(rule) = rule {
        let added = situation.add(&Block {
            fence: "```".to_owned(),
            info: vec!["rules".to_owned()],
            line: 0,
            body: rule.lines().map(str::to_owned).collect(),
        });
        added.map_err(|(_, words)| words)?;
    }
    let rules = situation.rule_set();
    let call = Told::default().shell(&text);
    let mut out = Vec::new();
    for mode in modes {
        let allowed = situation.verdict(&call, &rules, *mode).action == Action::Allow;
        if *mode == Mode::Open && way.unknown {
            if !allowed {
                out.push(format!(
                    "stopped in open; it is not `unknown`: {}",
                    in_one_line(&text)
                ));
            }
        } else if allowed {
            out.push(format!(
                "allowed in {}: {}",
                mode.name(),
                in_one_line(&text)
            ));
        }
    }
    Ok(out)
}

/// A step of the setup as the made-up machine shows it.
fn world(step: &Step, filling: &Filling) -> Result<Vec<String>, String> {
    Ok(match step {
        Step::File(path, text) | Step::Program(path, text) => {
            let text = fill(text, filling)?;
            let head = text.lines().next().filter(|line| line.starts_with("#!"));
            let head = head.map_or(String::new(), |line| format!(" = {line}"));
            vec![format!("file {}{head}", fill(path, filling)?)]
        }
        Step::Directory(path) => vec![format!("dir {}", fill(path, filling)?)],
        Step::Link(path, target) => {
            vec![format!(
                "link {} -> {}",
                fill(path, filling)?,
                fill(target, filling)?
            )]
        }
        Step::Repository => vec!["dir .git".to_owned()],
    })
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn p5_a_way_that_is_allowed_is_a_failure() {
        let judged = judge(
            "x.md",
            "## one\n```ways runs\necho «cmd»\neval «cmd»\n```\n",
        );
        assert_eq!((judged.ways, judged.verdicts), (2, 18));
        assert!(!judged.failures.is_empty());
        assert!(judged.failures.iter().all(|failure| failure.line == 3));
    }

    #[test]
    fn p5_a_way_without_a_payload_is_a_failure() {
        let judged = judge("x.md", "## one\n```ways runs\ngit push\n```\n");
        assert!(!judged.failures.is_empty());
    }
}
