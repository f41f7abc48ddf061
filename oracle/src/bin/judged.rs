//! Compares verdicts with what real bash runs: a marker that ran and that a denying rule let pass is a wrong allow.

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use countersign_oracle::generate::Grammar;
use countersign_oracle::marker::Marker;
use countersign_oracle::minimise::minimise;
use countersign_oracle::mutate::mutant;
use countersign_oracle::options::Options;
use countersign_oracle::random::Random;
use countersign_oracle::seeds::lines;
use countersign_oracle::verdict::Judge;
use countersign_policy::action::Action;

/// The rule that denies the marker with whatever arguments.
const RULES: &str = "version = 1\n[deny]\nshell = [\"mk *\"]\n";

/// How often a failing text is tried shorter.
const MOST_TRIES: usize = 1500;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(words) => {
            eprintln!("judged: {words}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug, Default)]
struct Report {
    rounds: u64,
    denied: u64,
    asked: u64,
    allowed: u64,
    wrong: u64,
    told: HashSet<String>,
}

fn run() -> Result<bool, String> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut marker = Marker::new().map_err(|error| error.to_string())?;
    let judge = Judge::new(RULES);
    if !options.words.is_empty() {
        for text in &options.words {
            let ran = marker.run(text).map_err(|error| error.to_string())?;
            println!("{:?} {text:?} ran {ran:?}", judge.of_shell(text).action);
        }
        return Ok(true);
    }
    let mut report = Report::default();
    for text in lines() {
        compare(text, &judge, &mut marker, &mut report)?;
    }
    println!("hand-written: {}", line(&report, options.elapsed()));
    let lines = lines();
    let grammar = Grammar::load();
    let mut random = Random::new(options.seed);
    let mut told = Instant::now();
    while !options.is_over(report.rounds) {
        report.rounds += 1;
        let text = grown(&grammar, &options.rule, &lines, &mut random);
        if !options.without.iter().any(|known| text.contains(known)) {
            compare(&text, &judge, &mut marker, &mut report)?;
        }
        if told.elapsed() > Duration::from_secs(30) {
            told = Instant::now();
            println!("{}", line(&report, options.elapsed()));
        }
    }
    println!("done: {}", line(&report, options.elapsed()));
    Ok(report.wrong == 0)
}

/// A text grown from the grammar, or a changed one; markers have one name here.
fn grown(grammar: &Grammar, rule: &str, lines: &[&str], random: &mut Random) -> String {
    let text = grammar.text_of(rule, random);
    if !random.once_in(5) {
        return text;
    }
    let changed = if random.once_in(2) {
        mutant(lines, random)
    } else {
        mutant(&[text.as_str()], random)
    };
    let mut changed = changed;
    for number in 0..10 {
        changed = changed.replace(&format!("mk{number}"), "mk");
    }
    changed
}

fn line(report: &Report, elapsed: Duration) -> String {
    format!(
        "{} s, {} rounds, {} denied, {} asked, {} allowed and executed, {} WRONG ALLOWS ({} kinds)",
        elapsed.as_secs(),
        report.rounds,
        report.denied,
        report.asked,
        report.allowed,
        report.wrong,
        report.told.len()
    )
}

/// Judges a text, and runs it only where it was allowed.
fn compare(
    text: &str,
    judge: &Judge,
    marker: &mut Marker,
    report: &mut Report,
) -> Result<(), String> {
    match judge.of_shell(text).action {
        Action::Deny => report.denied += 1,
        Action::Ask => report.asked += 1,
        Action::Allow => {
            report.allowed += 1;
            if marker
                .run(text)
                .map_err(|error| error.to_string())?
                .is_some()
            {
                report.wrong += 1;
                tell(text, judge, marker, report);
            }
        }
    }
    Ok(())
}

/// Prints the shortest text found that is wrongly allowed, once.
fn tell(text: &str, judge: &Judge, marker: &mut Marker, report: &mut Report) {
    let short = minimise(text, MOST_TRIES, |shorter| {
        judge.of_shell(shorter).action == Action::Allow
            && matches!(marker.run(shorter), Ok(Some(_)))
    });
    if report.told.insert(short.clone()) {
        let ran = marker.run(&short).ok().flatten();
        println!("WRONG ALLOW {short:?} ran {ran:?}");
        println!("  from {text:?}");
    }
}
