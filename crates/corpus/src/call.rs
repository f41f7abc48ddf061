//! The `call` block: what is called, where, in which mode and at what time; nothing is judged here.

use crate::tool;
use countersign_policy::call::{Action, Call, CallId, Exec};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::confinement::Confinement;
use countersign_policy::turn::Turn;
use serde_json::Value;

/// The time at which a case is judged where it says none: early in 2027.
const NOW: i64 = 1_800_000_000;

/// What a `call` block says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The tool and its meaning; nothing where the block only says the circumstances.
    pub what: Option<(String, Action)>,
    /// The working directory.
    pub cwd: AbsPath,
    /// The modes in which the case holds; the folder's own where there is none.
    pub modes: Vec<Mode>,
    /// The time in seconds of the Unix clock.
    pub now: i64,
    /// The confinement that can be enforced.
    pub enforceable: Vec<Confinement>,
    /// What the host lays over the rules for the turn.
    pub turn: Turn,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            what: None,
            cwd: AbsPath::root().join("repo"),
            modes: Vec::new(),
            now: NOW,
            enforceable: Vec::new(),
            turn: Turn::default(),
        }
    }
}

impl Told {
    /// Adds what the lines of a block say, or tells what is wrong: a line within the block and words.
    pub fn add(&mut self, lines: &[String]) -> Result<(), (usize, String)> {
        for (at, line) in lines.iter().enumerate() {
            let wrong = |words: &str| (at, words.to_owned());
            let (key, value) = line
                .split_once(':')
                .ok_or_else(|| wrong("a line is `key: value`"))?;
            let value = value.strip_prefix(' ').unwrap_or(value);
            match key {
                "shell" => {
                    // The command is everything from here on.
                    let rest = lines.get(at + 1..).unwrap_or_default();
                    let all = [&[value.to_owned()], rest].concat().join("\n");
                    self.what = Some(("shell_run".to_owned(), Action::Shell(all)));
                    return Ok(());
                }
                "text" => {
                    let text = terms(value).map_err(|words| (at, words))?;
                    self.what = Some(("shell_run".to_owned(), Action::Shell(text)));
                }
                "exec" => self.what = Some(("exec".to_owned(), exec(value).map_err(wrong)?)),
                "tool" => self.what = Some(named(value).map_err(wrong)?),
                "cwd" => {
                    self.cwd =
                        AbsPath::parse(value).ok_or_else(|| wrong("`cwd` is no absolute path"))?;
                }
                "mode" => {
                    let modes = value.split_whitespace().map(Mode::parse);
                    self.modes = modes
                        .collect::<Option<_>>()
                        .ok_or_else(|| wrong("no such mode"))?;
                }
                "now" => {
                    self.now = value.parse().map_err(|_| wrong("`now` is no number"))?;
                }
                "enforceable" => {
                    let all = value.split_whitespace().map(Confinement::parse);
                    self.enforceable = all
                        .collect::<Option<_>>()
                        .ok_or_else(|| wrong("no such confinement"))?;
                }
                "scoped" => {
                    let words = value.split_whitespace().map(str::to_owned);
                    self.turn.scoped.push(words.collect());
                }
                "turn" if value == "read-only" => self.turn.read_only = true,
                _ => return Err(wrong("no such key")),
            }
        }
        Ok(())
    }

    /// The call, where one is told.
    pub fn call(&self) -> Option<Call> {
        let (tool, action) = self.what.clone()?;
        Some(call(tool, action, self.cwd.clone()))
    }

    /// A call of the shell in the same circumstances.
    pub fn shell(&self, command: &str) -> Call {
        let action = Action::Shell(command.to_owned());
        call("shell_run".to_owned(), action, self.cwd.clone())
    }
}

fn call(tool: String, action: Action, cwd: AbsPath) -> Call {
    Call {
        id: CallId("case".to_owned()),
        tool,
        input: String::new(),
        cwd,
        action,
    }
}

/// `NAME {json}`.
fn named(value: &str) -> Result<(String, Action), &'static str> {
    let (name, input) = value
        .split_once(' ')
        .ok_or("a tool is `NAME {\"key\": …}`")?;
    let input: Value = serde_json::from_str(input).map_err(|_| "the input is no JSON")?;
    Ok((name.to_owned(), tool::action(name, &input)))
}

/// `["/usr/bin/git", "status"]`: the program, then its arguments.
fn exec(value: &str) -> Result<Action, &'static str> {
    let argv: Vec<String> =
        serde_json::from_str(value).map_err(|_| "`exec` is a JSON list of texts")?;
    let program = argv.first().cloned().ok_or("`exec` names no program")?;
    Ok(Action::Exec(Exec {
        program,
        argv,
        environment: Vec::new(),
    }))
}

/// A text for what cannot stand in a file, or would fill it: JSON strings, one after the other, each perhaps with a
/// number and `*` in front.
fn terms(value: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = value.trim_start();
    while !rest.is_empty() {
        let (count, quoted) = match rest.split_once('*') {
            Some((number, quoted)) if !rest.starts_with('"') => {
                let number: usize = number.trim().parse().map_err(|_| "no number before `*`")?;
                (number, quoted.trim_start())
            }
            Some(_) | None => (1, rest),
        };
        let mut stream = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
        let text = stream.next().and_then(Result::ok).ok_or("no JSON string")?;
        out.extend(std::iter::repeat_n(text, count));
        rest = quoted
            .get(stream.byte_offset()..)
            .unwrap_or("")
            .trim_start();
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{Told, terms};
    use countersign_policy::call::Action;
    use countersign_policy::mode::Mode;

    #[test]
    fn a_command_takes_the_rest_of_the_block() {
        let mut told = Told::default();
        let lines = [
            "mode: accept-edits strict",
            "cwd: /x",
            "shell: a: b",
            "",
            "c",
        ];
        told.add(&lines.map(str::to_owned)).unwrap();
        assert_eq!(told.modes, [Mode::AcceptEdits, Mode::Strict]);
        assert_eq!(told.cwd.as_str(), "/x");
        let (_, action) = told.what.unwrap();
        assert_eq!(action, Action::Shell("a: b\n\nc".to_owned()));
    }

    #[test]
    fn terms_repeat() {
        assert_eq!(terms(r#"2 * "a*" "b\u0000" 3*"c""#).unwrap(), "a*a*b\0ccc");
        assert!(terms("x * \"a\"").is_err());
        assert!(terms("a").is_err());
    }
}
