//! `doctor`: whether what is installed holds, promise by promise, in words or as JSON; its exit code says the same. It
//! repairs nothing.

use crate::cli::DoctorArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::page::{self, Ink, Layout, Page, Piece, Target};
use crate::record::visible;
use crate::settings;
use countersign_gate::world::environment::Environment;
use countersign_hooks::doctor::examine;
use countersign_hooks::doctor::finding::{Finding, Standing};
use countersign_policy::path::AbsPath;
use serde::Serialize;
use std::path::Path;

/// Looks into every promise.
pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, CommandError> {
    let environment = Environment::of_process();
    let settings = settings::file(args.settings.as_deref(), &environment)?;
    let cwd = environment.cwd.clone().unwrap_or_else(AbsPath::root);
    let findings = examine(&settings, &environment, &cwd);
    let exit = exit(&findings);
    let written = if args.json {
        page::write(Target::Output, record(&settings, &findings).as_bytes())
    } else {
        shown(&findings).write(Target::Output)
    };
    match written.map_err(|error| CommandError::output(&error)) {
        Ok(()) => Ok(exit),
        // Whoever reads only the first lines still gets the exit code of all.
        Err(error) if error.is_broken_pipe() => Ok(exit),
        Err(error) => Err(error),
    }
}

/// The exit code. What cannot be told is not taken for whole: a person has to look.
fn exit(findings: &[Finding]) -> Exit {
    if count(findings, Standing::Broken) > 0 {
        Exit::Failed
    } else if count(findings, Standing::Unknown) > 0 {
        Exit::Ask
    } else {
        Exit::Done
    }
}

fn count(findings: &[Finding], standing: Standing) -> usize {
    let counted = findings.iter().filter(|found| found.standing == standing);
    counted.count()
}

const fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Holds => "holds",
        Standing::Broken => "broken",
        Standing::Unknown => "unknown",
    }
}

const fn ink(standing: Standing) -> Ink {
    match standing {
        Standing::Holds => Ink::Good,
        Standing::Broken => Ink::Bad,
        Standing::Unknown => Ink::Careful,
    }
}

fn shown(findings: &[Finding]) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    for found in findings {
        let standing = Piece::new(ink(found.standing), name(found.standing));
        // The next word stands in the same column whatever the first is.
        let gap = " ".repeat(8_usize.saturating_sub(name(found.standing).len()));
        let promise = format!("{gap}{}: {}", found.promise.name(), found.promise.words());
        page.line((0, 10), &[standing, Piece::plain(&promise)]);
        page.line((10, 12), &[Piece::new(Ink::Faint, &found.words)]);
        if let Some(remedy) = found.remedy {
            page.line((10, 12), &[Piece::plain(&format!("hint: {remedy}"))]);
        }
    }
    page.gap();
    let broken = count(findings, Standing::Broken);
    let unknown = count(findings, Standing::Unknown);
    let all = findings.len();
    if broken == 0 && unknown == 0 {
        page.line((0, 2), &[Piece::plain(&format!("All {all} hold."))]);
        return page;
    }
    let words = format!("Of {all}, {broken} broken and {unknown} unknown.");
    page.line((0, 2), &[Piece::plain(&words)]);
    if broken > 0 {
        let words = "Broken: do not count on countersign until it is put in order.";
        page.line((0, 2), &[Piece::plain(words)]);
    }
    if unknown > 0 {
        let words = "Unknown: it could not be looked into from here, so it may hold or not; do what its hint says.";
        page.line((0, 2), &[Piece::plain(words)]);
    }
    page
}

/// All findings, made for the wire.
#[derive(Debug, Serialize)]
struct Record<'a> {
    ok: bool,
    settings: String,
    broken: usize,
    unknown: usize,
    findings: Vec<FindingRecord<'a>>,
}

/// One finding, made for the wire.
#[derive(Debug, Serialize)]
struct FindingRecord<'a> {
    promise: &'static str,
    promised: &'static str,
    standing: &'static str,
    words: &'a str,
    remedy: Option<&'static str>,
}

fn record(settings: &Path, findings: &[Finding]) -> String {
    let record = Record {
        ok: exit(findings) == Exit::Done,
        settings: settings.display().to_string(),
        broken: count(findings, Standing::Broken),
        unknown: count(findings, Standing::Unknown),
        findings: findings
            .iter()
            .map(|found| FindingRecord {
                promise: found.promise.name(),
                promised: found.promise.words(),
                standing: name(found.standing),
                words: &found.words,
                remedy: found.remedy,
            })
            .collect(),
    };
    // These types always serialise.
    let text = serde_json::to_string(&record).unwrap_or_default();
    format!("{}\n", visible(&text))
}
