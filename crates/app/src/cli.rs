//! What can be typed: the commands and their arguments, as typed. What they mean here is found out by each command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use countersign_policy::mode::Mode;
use countersign_policy::outcome::Outcome;
use std::path::PathBuf;
use std::time::Duration;

/// A gate between AI coding agents and the machine.
#[derive(Debug, Parser)]
#[command(
    name = "countersign",
    about = "A gate between AI coding agents and the machine",
    version,
    disable_help_subcommand = true
)]
#[command(
    after_help = "Exit codes: 0 allow or done, 10 ask or unknown, 20 deny, 1 failed, 2 usage or broken configuration."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say whether a call may run; nothing is run and nothing is recorded
    Check(CheckArgs),
    /// Say the same with everything that led to it
    Explain(JudgeArgs),
    /// Show what was decided, and why
    Log(LogArgs),
    /// Let a project's rule file allow what it allows, as it is now
    Trust(TrustArgs),
    /// Trust a project's rule file no more
    Untrust(TrustArgs),
    /// Keep an answer to what was asked last, so that it is not asked again
    Allow(AllowArgs),
    /// Show and withdraw the answers that were kept in this project
    Grants(GrantsArgs),
    /// Show the rules in force and where they stand, or check rule files
    Rules(RulesArgs),
    /// Run tests of your own rules
    Test(TestArgs),
    /// Say which rules would have saved the most questions
    Suggest(SuggestArgs),
    /// Judge recorded calls, and say how often somebody would have been asked
    Replay(ReplayArgs),
    /// Run the corpus against another gate's hook, to compare
    Bench(BenchArgs),
    /// Write a rule file of your own to begin with, or from another agent's permission settings
    Init(InitArgs),
    /// Have an agent's host ask countersign about every call
    Install(InstallArgs),
    /// Take out exactly that
    Uninstall(UninstallArgs),
    /// Say whether what is installed holds; nothing is repaired
    Doctor(DoctorArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Print a manual page
    Man(ManArgs),
}

/// What to judge, and by what.
#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// The directory in which it would run, and whose workspace counts
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The permission mode: strict, default, accept-edits or open
    #[arg(long, value_parser = mode)]
    pub(crate) mode: Option<Mode>,
    /// A rule file in place of your own
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Read a call as JSON from standard input: {"tool": …, "input": {…}, "cwd": …, "id": …}
    #[arg(long, conflicts_with = "command")]
    pub(crate) call: bool,
    /// The shell command, as one argument
    #[arg(required_unless_present = "call", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Print the whole record as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// What to judge.
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
}

/// The arguments of `log`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct LogArgs {
    /// One thing to find out, in place of the list.
    #[command(subcommand)]
    pub(crate) about: Option<LogCommand>,
    /// A session, or `all`; without it the newest
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Only what happened since: `10m`, `2h`, `3d`, `2026-01-31` or `2026-01-31T08:00:00Z`
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only calls that ended so: allowed, rejected, cancelled, unavailable or deferred
    #[arg(long, value_parser = outcome)]
    pub(crate) outcome: Option<Outcome>,
    /// Only calls of this tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Only lines that hold this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) contains: Option<String>,
    /// Go on as entries are written, until interrupted
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Print the lines of the journal as they are
    #[arg(long)]
    pub(crate) json: bool,
    /// Check that nothing was changed, in all sessions or the one that is named
    #[arg(long, conflicts_with_all = ["since", "outcome", "tool", "contains", "follow"])]
    pub(crate) verify: bool,
}

/// What can be found out from journals.
#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    /// Show everything about one call
    Why {
        /// The call's identity, or a beginning that only it has
        call: String,
        /// A session, or `all`; without it all
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
    },
}

/// The arguments of `trust` and `untrust`.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// A directory of the project, in place of this one
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

/// The arguments of `allow`.
#[derive(Debug, Args)]
pub(crate) struct AllowArgs {
    /// What a host was last told to ask about in this project
    #[arg(long, required = true)]
    pub(crate) last: bool,
    /// For the session that asked, and a day at most; this is meant where nothing else is said
    #[arg(long, conflicts_with_all = ["span", "always"])]
    pub(crate) session: bool,
    /// For some time: `30m`, `2h`, `3d`
    #[arg(long = "for", id = "span", value_name = "TIME", value_parser = span, conflicts_with = "always")]
    pub(crate) span: Option<Duration>,
    /// In this project, until it is revoked
    #[arg(long)]
    pub(crate) always: bool,
}

/// The arguments of `grants`.
#[derive(Debug, Args)]
pub(crate) struct GrantsArgs {
    /// What to do; without it, list.
    #[command(subcommand)]
    pub(crate) command: Option<GrantsCommand>,
}

/// What can be done with grants.
#[derive(Debug, Subcommand)]
pub(crate) enum GrantsCommand {
    /// List them
    List,
    /// Show all that is known of one
    Show {
        /// Its name, or a beginning that only it has
        id: String,
    },
    /// Withdraw one
    Revoke {
        /// Its name, or a beginning that only it has
        id: String,
    },
}

/// The arguments of `rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// Read these as files of a user, in place of what is in force
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["cwd", "all", "json"])]
    pub(crate) check: Vec<PathBuf>,
    /// The directory whose project counts
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// List the built-in rules too
    #[arg(long)]
    pub(crate) all: bool,
    /// Print everything as one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `test`.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Files of cases, in the form of the corpus
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Put your own rule file beneath the rules of the cases
    #[arg(long)]
    pub(crate) with_mine: bool,
}

/// The arguments of `suggest`.
#[derive(Debug, Args)]
pub(crate) struct SuggestArgs {
    /// A session of the journal, or `all`; without it and without files all
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Recorded sessions, as `replay` reads them
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How many rules to suggest
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) most: usize,
    /// Print everything as one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The page of one command, as `log` or `log why`, in place of the program's own
    #[arg(value_name = "COMMAND")]
    pub(crate) verb: Vec<String>,
}

/// The arguments of `replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Recorded sessions, as JSON lines: sessions with their calls, or transcripts of Claude Code
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The permission mode: strict, default, accept-edits or open
    #[arg(long, value_parser = mode)]
    pub(crate) mode: Option<Mode>,
    /// A rule file; without it only what is built in holds
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// How many reasons to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) reasons: usize,
    /// Print everything as one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which cases a hook is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cases {
    /// Both.
    All,
    /// What must not run without a person.
    Attacks,
    /// What must run without a question.
    Benign,
}

/// The arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// The hook's command line, as an agent's settings have it: it is told calls as Claude Code tells them
    #[arg(long, value_name = "COMMAND")]
    pub(crate) hook: String,
    /// Which cases
    #[arg(long, value_enum, default_value_t = Cases::All)]
    pub(crate) folder: Cases,
    /// How many calls it is asked about at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,
    /// How long an answer may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) timeout: u64,
    /// How many commands to show that were answered wrongly
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) missed: usize,
    /// Print everything as one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// The hosts whose settings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    /// Claude Code
    ClaudeCode,
}

/// The agents whose permission settings can be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// `OpenCode`
    Opencode,
}

/// The arguments of `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Translate the permission settings of this agent
    #[arg(long, value_name = "AGENT")]
    pub(crate) from: Option<Agent>,
    /// A settings file in place of the user's own; several count together
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(crate) settings: Vec<PathBuf>,
    /// Print the rule file, and write nothing
    #[arg(long)]
    pub(crate) print: bool,
}

/// The arguments of `install`.
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// The agent's host
    pub(crate) host: Host,
    /// The settings file, in place of the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// The `countersign-hook` that is run, in place of the one beside this program
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,
}

/// The arguments of `uninstall`.
#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// The agent's host
    pub(crate) host: Host,
    /// The settings file, in place of the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
}

/// The arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The settings file of Claude Code, in place of the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).ok_or_else(|| listed(&Mode::ALL.map(Mode::name)))
}

fn span(text: &str) -> Result<Duration, String> {
    const MOST: u64 = 366 * 24 * 60 * 60;
    let wrong = || "a time is `30m`, `2h` or `3d`, a year at most".to_owned();
    let (number, unit) = text
        .split_at_checked(text.len().saturating_sub(1))
        .ok_or_else(wrong)?;
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let whole = number.checked_mul(seconds);
    let whole = whole.filter(|whole| (1..=MOST).contains(whole));
    whole.map(Duration::from_secs).ok_or_else(wrong)
}

fn outcome(text: &str) -> Result<Outcome, String> {
    let mut all = Outcome::ALL.into_iter();
    all.find(|outcome| outcome.name() == text)
        .ok_or_else(|| listed(&Outcome::ALL.map(Outcome::name)))
}

fn listed(names: &[&str]) -> String {
    format!("known are {}", names.join(", "))
}
