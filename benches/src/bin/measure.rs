//! Verdict shares over recorded commands: `measure FILE.jsonl [--mode MODE] [--tag TAG] [--show ACTION] [--inside]`.
//!
//! Prints the shares per tag and per source, the commonest reasons of what was not allowed, and how long a judgement
//! took.

use countersign_bench::finish;
use countersign_bench::rows::{self, Row};
use countersign_bench::tally::Tally;
use countersign_bench::times::Times;
use countersign_gate::imagined::{session, shell, verdict};
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::request::Kind;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::verdict::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// How many reasons are shown.
const MOST_REASONS: usize = 30;

/// How many characters of a command are shown.
const MOST_SHOWN: usize = 160;

/// What was asked for.
struct Options {
    file: PathBuf,
    mode: Mode,
    /// Only rows with this tag.
    tag: Option<String>,
    /// Each command with this verdict is printed.
    show: Option<Action>,
    /// Only commands whose paths all lie in workspace, temporary or system places.
    inside: bool,
}

fn main() -> ExitCode {
    let report = options(std::env::args().skip(1)).and_then(|options| measure(&options));
    finish(report)
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut file = None;
    let mut options = Options {
        file: PathBuf::new(),
        mode: Mode::default(),
        tag: None,
        show: None,
        inside: false,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--mode" => {
                let name = value()?;
                options.mode = Mode::parse(&name).ok_or(format!("no mode is named `{name}`"))?;
            }
            "--tag" => options.tag = Some(value()?),
            "--inside" => options.inside = true,
            "--show" => {
                let name = value()?;
                let action = Action::parse(&name).ok_or(format!("no verdict is named `{name}`"))?;
                options.show = Some(action);
            }
            other if other.starts_with('-') => return Err(format!("unknown option `{other}`")),
            other => file = Some(PathBuf::from(other)),
        }
    }
    options.file = file
        .ok_or("usage: measure FILE.jsonl [--mode MODE] [--tag TAG] [--show ACTION] [--inside]")?;
    Ok(options)
}

/// The whole report.
fn measure(options: &Options) -> Result<String, String> {
    let mut out = format!("mode {}\n", options.mode.name());
    let rules = RuleSet::new(vec![builtin()]);
    let mut tags = Tally::default();
    let mut sources = Tally::default();
    let mut reasons = Reasons::default();
    let mut times = Times::default();
    let rows = rows::read(&options.file)?;
    let wanted = |row: &&Row| options.tag.as_ref().is_none_or(|tag| *tag == row.tag);
    for row in rows.iter().filter(wanted) {
        let session = session(&row.cwd);
        let call = shell(&row.command, &row.cwd);
        let began = Instant::now();
        let verdict = verdict(&call, &session, &rules, options.mode);
        times.add(began.elapsed());
        if options.inside && reaches_out(&verdict) {
            continue;
        }
        tags.add(&row.tag, verdict.action, row.seen);
        sources.add(&row.source, verdict.action, row.seen);
        reasons.add(row, &verdict);
        if options.show == Some(verdict.action) {
            let (command, reason) = (shown(&row.command), explain::reason(&verdict));
            let _ = writeln!(out, "{} {command}\n    {}", row.id, shown(&reason));
        }
    }
    let _ = writeln!(
        out,
        "\nby tag\n{tags}\nby source\n{sources}\ncommonest reasons\n{reasons}\ntime per command, {times}"
    );
    Ok(out)
}

/// Whether a path of the call lies outside workspace, temporary and system places.
fn reaches_out(verdict: &Verdict) -> bool {
    verdict
        .findings
        .iter()
        .any(|finding| finding.request.kind == Kind::ExternalDirectory)
}

/// Why commands were not allowed: how often each reason was seen, and the first command that met it.
#[derive(Default)]
struct Reasons(BTreeMap<String, (u64, String)>);

impl Reasons {
    fn add(&mut self, row: &Row, verdict: &Verdict) {
        let refused = verdict
            .findings
            .iter()
            .filter(|finding| finding.action == verdict.action && finding.action != Action::Allow);
        for finding in refused {
            let target = explain::target(&finding.request.target);
            let words: Vec<&str> = target.split(' ').take(2).collect();
            let kind = finding.request.kind.name();
            let reason = format!(
                "{} {kind} {}: {}",
                verdict.action.name(),
                shown(&words.join(" ")),
                explain::because(finding)
            );
            let entry = self.0.entry(reason);
            entry.or_insert_with(|| (0, shown(&row.command))).0 += row.seen;
        }
    }
}

impl std::fmt::Display for Reasons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut sorted: Vec<_> = self.0.iter().collect();
        sorted.sort_by_key(|(_, (seen, _))| std::cmp::Reverse(*seen));
        for (reason, (seen, example)) in sorted.into_iter().take(MOST_REASONS) {
            writeln!(f, "{seen:6} {reason}\n           {example}")?;
        }
        Ok(())
    }
}

/// The beginning of a text on one line, with everything escaped that a terminal would act on.
fn shown(text: &str) -> String {
    let visible = text.chars().take(MOST_SHOWN).map(|c| match c {
        ' '..='~' => c.to_string(),
        other if other.is_alphanumeric() => other.to_string(),
        other => other.escape_default().to_string(),
    });
    visible.collect()
}
