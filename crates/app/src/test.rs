//! `test`: a person's tests of their own rules, in the form of the corpus: rules, a made-up machine, calls, and what is
//! expected of them. Nothing is run, and nothing of this machine is looked at but the files that were named.

use crate::cli::TestArgs;
use crate::configuration;
use crate::counted::counted;
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{Ink, Layout, Page, Piece, Target};
use countersign_corpus::folder::Folder;
use countersign_corpus::report::{Failure, Report};
use countersign_corpus::run::run_over;
use countersign_gate::rules::alone;
use countersign_gate::world::environment::Environment;
use countersign_policy::rules::layer::Layer;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The largest file of cases, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Runs the cases of every file.
pub(crate) fn run(args: &TestArgs) -> Result<Exit, CommandError> {
    let beneath = if args.with_mine { mine()? } else { Vec::new() };
    let mut tally = Tally::default();
    let mut page = Page::new(Layout::records(Target::Output));
    for path in &args.files {
        let file = path.display().to_string();
        let report = run_over(&file, &text(path)?, Folder::Own, &beneath);
        tally.add(&file, report);
    }
    for failure in &tally.failures {
        show(&mut page, failure);
    }
    tally.close(&mut page);
    let written = page.write(Target::Output);
    written.map_err(|error| CommandError::output(&error))?;
    Ok(if tally.failures.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// What came of all files.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    cases: usize,
    gaps: usize,
    failures: Vec<Failure>,
}

impl Tally {
    fn add(&mut self, file: &str, mut report: Report) {
        report.failures.sort_by_key(|failure| failure.line);
        self.files += 1;
        self.cases += report.cases;
        self.gaps += report.gaps;
        // Tests that are not there do not hold.
        if report.cases == 0 && report.failures.is_empty() {
            self.failures.push(Failure {
                file: file.to_owned(),
                line: 1,
                words: "there is no case in it".to_owned(),
                detail: vec!["a case is a heading `## name` with a block below it".to_owned()],
            });
        }
        self.failures.extend(report.failures);
    }

    fn close(&self, page: &mut Page) {
        let (ink, failures) = match self.failures.len() {
            0 => (Ink::Good, "no failure".to_owned()),
            count => (Ink::Bad, counted(count, "failure")),
        };
        let gaps = match self.gaps {
            0 => String::new(),
            count => counted(count, "known gap") + ", ",
        };
        let words = format!(
            "{}, {}, {gaps}",
            counted(self.files, "file"),
            counted(self.cases, "case")
        );
        page.line((0, 2), &[Piece::plain(&words), Piece::new(ink, &failures)]);
    }
}

fn show(page: &mut Page, failure: &Failure) {
    let place = format!("{}:{}: ", failure.file, failure.line);
    let pieces = [Piece::new(Ink::Bad, &place), Piece::plain(&failure.words)];
    page.line((0, 2), &pieces);
    for line in &failure.detail {
        page.line((4, 6), &[Piece::plain(line)]);
    }
}

fn text(path: &Path) -> Result<String, CommandError> {
    let failed = |why: String| {
        let words = format!("cannot read `{}`: {why}", path.display());
        CommandError::new(ErrorKind::User, words)
    };
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut text = String::new();
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| failed(error.to_string()))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(failed(format!("it is larger than {MOST_BYTES} bytes")));
    }
    Ok(text)
}

/// The user's own rule file; one that is broken, or is not there, is no ground to test on.
fn mine() -> Result<Vec<Layer>, CommandError> {
    let environment = Environment::of_process();
    let directory = environment.config_dir().ok_or_else(|| {
        CommandError::new(ErrorKind::Config, "it cannot be told where your rules are")
            .hint("set `HOME` or `XDG_CONFIG_HOME` to an absolute path")
    })?;
    let path = PathBuf::from(directory.join("rules.toml").as_str());
    // The examples of its rules are tried as the cases are: where nothing of this machine counts.
    let rules = alone(Some(&path), &Session::example("/repo"));
    configuration::report(&rules);
    if rules.set.broken().next().is_some() {
        let words = "your rules cannot be read whole, and nothing is tested on them";
        return Err(CommandError::new(ErrorKind::Config, words));
    }
    let layers = rules.set.layers().iter();
    let own = layers.filter(|layer| layer.authority == Authority::User);
    Ok(own.cloned().collect())
}
