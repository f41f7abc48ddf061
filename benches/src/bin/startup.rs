//! How long a program takes from its start to its end, beside one that does nothing, turn by turn in one run:
//! `startup [--times N] [--input FILE] PROGRAM ARGUMENT…`.

use countersign_bench::times::Times;
use std::fs::File;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("{words}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut rounds = 500_usize;
    let mut input = "/dev/null".to_owned();
    let program = loop {
        let argument = arguments
            .next()
            .ok_or("usage: startup [--times N] [--input FILE] PROGRAM ARGUMENT…")?;
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--times" => rounds = value()?.parse().map_err(|_| "--times needs a number")?,
            "--input" => input = value()?,
            _ => break argument,
        }
    };
    let rest: Vec<String> = arguments.collect();
    let (mut measured, mut bare) = (Times::default(), Times::default());
    for _ in 0..rounds {
        once(&program, &rest, &input, &mut measured)?;
        once("true", &[], &input, &mut bare)?;
    }
    println!("{program}: {measured}\ntrue: {bare}");
    Ok(())
}

/// One run. How the program ends does not matter here, as a refusal is an answer too.
fn once(program: &str, arguments: &[String], input: &str, times: &mut Times) -> Result<(), String> {
    let input = File::open(input).map_err(|error| format!("{input}: {error}"))?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let began = Instant::now();
    command
        .status()
        .map_err(|error| format!("{program}: {error}"))?;
    times.add(began.elapsed());
    Ok(())
}
