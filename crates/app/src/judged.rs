//! From what was typed to what is judged: the setting, the call and its verdict. What is shown of them is each
//! command's.

use crate::cli::JudgeArgs;
use crate::error::{CommandError, ErrorKind};
use crate::wire;
use countersign_gate::decide::Setting;
use countersign_gate::world::environment::Environment;
use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::request::Request;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::verdict::Verdict;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest call that is read from standard input, in bytes.
const CALL_BYTES: u64 = 16 << 20;

/// A call with its verdict.
#[derive(Debug)]
pub(crate) struct Judged {
    /// By what it was judged.
    pub(crate) setting: Setting,
    /// The call.
    pub(crate) call: Call,
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The user's rule file, whether it exists or not.
    pub(crate) rules: Option<PathBuf>,
}

impl Judged {
    /// Judges what the arguments name.
    pub(crate) fn of(args: &JudgeArgs) -> Result<Self, CommandError> {
        let named = match &args.cwd {
            Some(directory) => Some(existing(directory)?),
            None => None,
        };
        let (call, start) = match &args.command {
            Some(text) => {
                let cwd = in_force(named)?;
                (typed(text, cwd.clone()), cwd)
            }
            None => sent(named)?,
        };
        let environment = Environment::of_process();
        let usual = environment.config_dir();
        let usual = usual.map(|directory| PathBuf::from(directory.join("rules.toml").as_str()));
        let setting = Setting::load(environment, &start, args.rules.as_deref(), args.mode);
        let verdict = setting.verdict(&call);
        Ok(Self {
            setting,
            call,
            verdict,
            rules: args.rules.clone().or(usual),
        })
    }

    /// Judges the same requests by other rules or in another mode; the machine is not looked at again.
    pub(crate) fn again(&self, rules: &RuleSet, mode: Mode) -> Verdict {
        let findings = self.verdict.findings.iter();
        let requests: Vec<Request> = findings.map(|finding| finding.request.clone()).collect();
        let circumstances = Circumstances {
            mode,
            session: &self.setting.session,
            now: now(),
            enforceable: &[],
            malformed: self.verdict.malformed.clone(),
        };
        judge(rules, &requests, &circumstances)
    }

    /// The shell text of the call, where it has one; spans of findings are places in it.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.call.action {
            Action::Shell(text) => Some(text),
            Action::Exec(_)
            | Action::Read(_)
            | Action::List(_)
            | Action::Search(_)
            | Action::SearchNames { .. }
            | Action::Edit(_)
            | Action::Fetch(_)
            | Action::WebSearch(_)
            | Action::Mcp { .. }
            | Action::Memory
            | Action::Task { .. }
            | Action::Terminal { .. }
            | Action::Control
            | Action::Unknown
            | Action::Malformed(_) => None,
        }
    }
}

/// The time by the Unix clock, in seconds.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

/// The call of a command that was typed.
fn typed(text: &str, cwd: AbsPath) -> Call {
    Call {
        id: CallId("command-line".to_owned()),
        tool: "shell_run".to_owned(),
        input: serde_json::json!({ "command": text }).to_string(),
        cwd,
        action: Action::Shell(text.to_owned()),
    }
}

/// The call on standard input, and the directory in which its session began.
fn sent(named: Option<AbsPath>) -> Result<(Call, AbsPath), CommandError> {
    let refused = |error: String| {
        CommandError::new(ErrorKind::Cli, error).hint(
            "write `{\"tool\": \"shell_run\", \"input\": {\"command\": \"ls\"}}` to standard input",
        )
    };
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(CALL_BYTES + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| refused(format!("cannot read the call: {error}")))?;
    if bytes.len() as u64 > CALL_BYTES {
        return Err(refused(format!(
            "the call is larger than {CALL_BYTES} bytes"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("the call is not UTF-8".to_owned()))?;
    let wire = wire::CallJson::parse(&text).map_err(refused)?;
    let cwd = match (&wire.cwd, &named) {
        (Some(text), _) => {
            let path = AbsPath::parse(text);
            let path = path.ok_or_else(|| refused("`cwd` is not an absolute path".to_owned()))?;
            // A directory that does not exist is judged as it is written.
            resolved(Path::new(path.as_str())).unwrap_or(path)
        }
        (None, Some(named)) => named.clone(),
        (None, None) => in_force(None)?,
    };
    let start = named.unwrap_or_else(|| cwd.clone());
    Ok((wire.call(&cwd), start))
}

/// The directory that was named, else the process's own.
pub(crate) fn in_force(named: Option<AbsPath>) -> Result<AbsPath, CommandError> {
    match named {
        Some(named) => Ok(named),
        None => existing(Path::new(".")),
    }
}

/// A directory with links followed.
pub(crate) fn existing(directory: &Path) -> Result<AbsPath, CommandError> {
    let refused = |why: &str| {
        let shown = directory.display();
        CommandError::new(ErrorKind::Cli, format!("cannot work in `{shown}`: {why}"))
            .hint("name an existing directory with `--cwd`")
    };
    match std::fs::metadata(directory) {
        Ok(metadata) if metadata.is_dir() => resolved(directory)
            .ok_or_else(|| refused("its path is not UTF-8 or cannot be followed")),
        Ok(_) => Err(refused("it is not a directory")),
        Err(error) => Err(refused(&error.to_string())),
    }
}

fn resolved(path: &Path) -> Option<AbsPath> {
    AbsPath::parse(std::fs::canonicalize(path).ok()?.to_str()?)
}
