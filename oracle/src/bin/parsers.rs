//! Compares the markers that other readers take for commands with ours; where they see more, bash is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use countersign_oracle::mutate::mutant;
use countersign_oracle::options::Options;
use countersign_oracle::others::markers;
use countersign_oracle::random::Random;
use countersign_oracle::seeds::seeds;
use countersign_oracle::shown::{shown, shows_exactly};
use countersign_oracle::truth::Truth;
use countersign_shell::read::read;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(words) => {
            eprintln!("parsers: {words}");
            ExitCode::FAILURE
        }
    }
}

/// What a marker is that others see and we do not. The list is closed: anything else is a candidate for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// `bash -n` does not accept the text, so nothing runs.
    Rejected,
    /// Bash ran the text and did not run the marker: the others take text, a branch or a loop body for a command.
    NotRun,
    /// The text comes from somebody else's scripts, is never run, and a person has to look.
    Unsettled,
    /// Bash ran the marker, and our tree does not show it.
    Hidden,
}

#[derive(Debug, Default)]
struct Report {
    rounds: u64,
    compared: u64,
    classes: BTreeMap<Class, u64>,
}

fn run() -> Result<bool, String> {
    let options = Options::parse(std::env::args().skip(1))?;
    // Panics of the other readers are caught and of no interest.
    std::panic::set_hook(Box::new(|_| {}));
    let mut truth = Truth::new().map_err(|error| error.to_string())?;
    let own = seeds();
    let foreign = foreign();
    let foreign: Vec<&str> = foreign.iter().map(String::as_str).collect();
    println!("{} seeds, {} scripts of others", own.len(), foreign.len());
    let mut random = Random::new(options.seed);
    let mut report = Report::default();
    let mut told = Instant::now();
    while !options.is_over(report.rounds) {
        report.rounds += 1;
        if !foreign.is_empty() && random.once_in(2) {
            let text = mutant(&foreign, &mut random);
            compare(&text, None, &mut report)?;
        } else {
            let text = mutant(&own, &mut random);
            compare(&text, Some(&mut truth), &mut report)?;
        }
        if told.elapsed() > Duration::from_secs(30) {
            told = Instant::now();
            println!("{}", line(&report, options.elapsed()));
        }
    }
    println!("done: {}", line(&report, options.elapsed()));
    Ok(!report.classes.contains_key(&Class::Hidden))
}

fn line(report: &Report, elapsed: Duration) -> String {
    format!(
        "{} s, {} rounds, {} compared, {:?}",
        elapsed.as_secs(),
        report.rounds,
        report.compared,
        report.classes
    )
}

/// The scripts of other projects' grammar tests, where the data set is at hand. They are parsed and never run.
fn foreign() -> Vec<String> {
    let Ok(place) = std::env::var("COUNTERSIGN_DATA") else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(format!("{place}/grammar.jsonl")).unwrap_or_default();
    let rows = text
        .lines()
        .filter_map(|row| serde_json::from_str::<serde_json::Value>(row).ok());
    rows.filter_map(|row| {
        let fields = ["script", "text", "input", "cmd", "command"];
        let text = fields
            .iter()
            .find_map(|name| row.get(name)?.as_str().map(str::to_owned));
        text.filter(|text| text.len() < 2000)
    })
    .collect()
}

fn compare(text: &str, truth: Option<&mut Truth>, report: &mut Report) -> Result<(), String> {
    let Ok(script) = read(text) else {
        return Ok(());
    };
    report.compared += 1;
    let shown = shown(&script);
    let missed: BTreeSet<String> = markers(text)
        .into_iter()
        .filter(|name| !shows_exactly(&shown, name))
        .collect();
    if missed.is_empty() {
        return Ok(());
    }
    let class = match truth {
        _ if !accepted(text) => Class::Rejected,
        None => Class::Unsettled,
        Some(truth) => {
            let seen = truth.run(text).map_err(|error| error.to_string())?;
            let ran = |name| seen.commands.iter().any(|argv| argv.first() == Some(name));
            if missed.iter().any(ran) {
                Class::Hidden
            } else {
                Class::NotRun
            }
        }
    };
    *report.classes.entry(class).or_default() += 1;
    match class {
        Class::Hidden => println!("HIDDEN {missed:?} in {text:?}"),
        Class::NotRun => println!("not run {missed:?} in {text:?}"),
        Class::Unsettled => println!(
            "unsettled {missed:?} in a script of others, hash {:016x}",
            hash(text)
        ),
        Class::Rejected => {}
    }
    Ok(())
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Whether `bash -n` takes the text without a word.
fn accepted(text: &str) -> bool {
    let output = Command::new("/bin/bash")
        .args(["--norc", "--noprofile", "-n", "-c", text])
        .env_clear()
        .stdin(Stdio::null())
        .output();
    output.is_ok_and(|output| output.status.success() && output.stderr.is_empty())
}
