//! `replay`: what the gate would have said to calls that were recorded. Nothing is run, nothing is recorded, and the
//! machine is made up: no file of it exists, so a replay says what the calls alone give.

pub(crate) mod recording;
mod report;
mod shown;

use self::recording::Recording;
use self::report::Report;
use crate::cli::ReplayArgs;
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{Target, write};
use crate::{configuration, progress};
use countersign_gate::{imagined, rules};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::session::Session;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Judges every call of the files and prints what comes of it.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, CommandError> {
    let rules = rule_set(args.rules.as_deref())?;
    let mode = rules.mode(args.mode);
    let mut replay = Replay {
        rules,
        mode,
        sessions: BTreeMap::new(),
        report: Report::new(mode),
    };
    let bar = bar(&args.files);
    for file in &args.files {
        replay.file(file, &bar)?;
    }
    bar.finish_and_clear();
    if replay.report.calls() == 0 {
        let error = CommandError::new(ErrorKind::User, "there is no recorded call in these files");
        return Err(error.hint("a session is a line with `calls`, or a transcript of Claude Code"));
    }
    let written = if args.json {
        write(Target::Output, replay.report.json().as_bytes())
    } else {
        shown::page(&replay.report, args.reasons).write(Target::Output)
    };
    match written {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(CommandError::output(&error)),
    }
}

/// The built-in rules, and those of the file that was named; a file that is broken is no measure of anything.
fn rule_set(file: Option<&Path>) -> Result<RuleSet, CommandError> {
    let session = imagined::session(&AbsPath::root());
    let rules = rules::alone(file, &session);
    configuration::report(&rules);
    if rules.set.broken().next().is_some() {
        let words = "the rules cannot be read whole, and nothing is measured by them";
        return Err(CommandError::new(ErrorKind::Config, words));
    }
    Ok(rules.set)
}

/// How far it is, in bytes.
fn bar(files: &[PathBuf]) -> ProgressBar {
    let bytes = files.iter().filter_map(|file| std::fs::metadata(file).ok());
    let bar = progress::bar(bytes.map(|data| data.len()).sum());
    // The form is written here; were it wrong, the plain one does as well.
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What is known while files are read.
struct Replay {
    rules: RuleSet,
    mode: Mode,
    /// The places of each session, which follow from its first directory.
    sessions: BTreeMap<String, Session>,
    report: Report,
}

impl Replay {
    fn file(&mut self, file: &Path, bar: &ProgressBar) -> Result<(), CommandError> {
        recording::each_line(file, |place, bytes, recording| {
            bar.inc(bytes as u64);
            match recording {
                Ok(recording) => self.judge(recording),
                Err(why) => self.report.skipped(place, &why),
            }
        })
    }

    fn judge(&mut self, recording: Recording) {
        let Recording { session, calls } = recording;
        for call in calls {
            let places = self
                .sessions
                .entry(session.clone())
                .or_insert_with(|| imagined::session(&call.cwd));
            let verdict = imagined::verdict(&call, places, &self.rules, self.mode);
            self.report.add(&session, &call, &verdict);
        }
    }
}
