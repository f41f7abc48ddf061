//! Compares the tree with what real bash runs: a command that ran and that the tree does not show is a failure.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use countersign_oracle::argv::Argv;
use countersign_oracle::minimise::minimise;
use countersign_oracle::mutate::mutant;
use countersign_oracle::options::Options;
use countersign_oracle::random::Random;
use countersign_oracle::seeds::seeds;
use countersign_oracle::shown::{explains, explains_name, reads_again, shown};
use countersign_oracle::truth::Truth;
use countersign_shell::read::read;

/// How often a failing text is tried shorter.
const MOST_TRIES: usize = 600;

/// How many texts of one class are told in full.
const MOST_TOLD: u64 = 40;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(words) => {
            eprintln!("differential: {words}");
            ExitCode::FAILURE
        }
    }
}

/// Why a command that bash ran is, or is not, in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The tree shows the command with these arguments.
    Shown,
    /// A builtin of the tree evaluates text again, and the name stands in the text: data until it is evaluated.
    EvaluatedAgain,
    /// The tree shows the name, but not with these arguments.
    Arguments,
    /// The tree does not show it.
    Hidden,
}

#[derive(Debug, Default)]
struct Report {
    rounds: u64,
    read: u64,
    ended: u64,
    classes: BTreeMap<Class, u64>,
    told: BTreeMap<Class, u64>,
}

fn run() -> Result<bool, String> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut truth = Truth::new().map_err(|error| error.to_string())?;
    let seeds = seeds();
    let mut report = Report::default();
    let mut random = Random::new(options.seed);
    println!("{} seeds, seed {}", seeds.len(), options.seed);
    for seed in &seeds {
        compare(seed, &mut truth, &mut report)?;
    }
    let mut told = Instant::now();
    while !options.is_over(report.rounds) {
        report.rounds += 1;
        let text = mutant(&seeds, &mut random);
        compare(&text, &mut truth, &mut report)?;
        if told.elapsed() > Duration::from_secs(20) {
            told = Instant::now();
            println!("{}", line(&report, options.elapsed()));
        }
    }
    println!("done: {}", line(&report, options.elapsed()));
    Ok(!report.classes.contains_key(&Class::Hidden))
}

fn line(report: &Report, elapsed: Duration) -> String {
    let count = |class| report.classes.get(&class).copied().unwrap_or(0);
    format!(
        "{} s, {} rounds, {} read and executed, {} ended, {} commands shown, {} evaluated again, {} other arguments, {} HIDDEN",
        elapsed.as_secs(),
        report.rounds,
        report.read,
        report.ended,
        count(Class::Shown),
        count(Class::EvaluatedAgain),
        count(Class::Arguments),
        count(Class::Hidden)
    )
}

/// Reads a text, runs it and classifies every command that ran.
fn compare(text: &str, truth: &mut Truth, report: &mut Report) -> Result<(), String> {
    let Ok(script) = read(text) else {
        return Ok(());
    };
    report.read += 1;
    let seen = truth.run(text).map_err(|error| error.to_string())?;
    report.ended += u64::from(seen.ended);
    let shown = shown(&script);
    let mut worst = Class::Shown;
    for argv in &seen.commands {
        let class = classify(text, &shown, argv);
        *report.classes.entry(class).or_default() += 1;
        worst = worst.max(class);
    }
    if worst == Class::Shown {
        return Ok(());
    }
    let told = report.told.entry(worst).or_default();
    *told += 1;
    if *told <= MOST_TOLD {
        tell(text, worst, truth);
    }
    Ok(())
}

fn classify(text: &str, shown: &[countersign_oracle::shown::Shapes], argv: &Argv) -> Class {
    let name = argv.first().map_or("", String::as_str);
    if explains(shown, argv) {
        Class::Shown
    } else if explains_name(shown, name) {
        if reads_again(shown) {
            Class::EvaluatedAgain
        } else {
            Class::Arguments
        }
    } else if reads_again(shown) && without_quotes(text).contains(&without_quotes(name)) {
        Class::EvaluatedAgain
    } else {
        Class::Hidden
    }
}

/// The text as it stands once its quotes and backslashes have been undone any number of times.
fn without_quotes(text: &str) -> String {
    text.replace(['\\', '\'', '"', '\n'], "")
}

/// Prints the shortest text found that fails in the same way.
fn tell(text: &str, class: Class, truth: &mut Truth) {
    let tries = if class == Class::EvaluatedAgain {
        0
    } else {
        MOST_TRIES
    };
    let short = minimise(text, tries, |shorter| {
        of_class(shorter, class, truth).is_some()
    });
    let argv = of_class(&short, class, truth);
    println!("{class:?} {short:?} ran {argv:?}");
    if class == Class::Hidden && short != text {
        println!("  from {text:?}");
    }
}

/// The command of that class, where there is one.
fn of_class(text: &str, class: Class, truth: &mut Truth) -> Option<Argv> {
    let script = read(text).ok()?;
    let shown = shown(&script);
    let seen = truth.run(text).ok()?;
    seen.commands
        .into_iter()
        .find(|argv| classify(text, &shown, argv) == class)
}
