//! Proves every way of the corpus in real bash: a way round a gate that does not work is none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use countersign_corpus::filling::in_one_line;
use countersign_corpus::way::{Kind, Mechanism, Way, ways};
use countersign_oracle::proof::{is_here, prove};
use countersign_oracle::random::Random;

/// Plain texts of which each brings its effect about; else nothing can be proven on this machine.
const PLAIN: [(Kind, &str); 4] = [
    (Kind::Runs, "«cmd»"),
    (Kind::Writes, "echo x > «path»"),
    (Kind::Reads, "cat «path»"),
    (Kind::Deletes, "rm -r «path»"),
];

/// Texts that bring nothing about. Were one of them proven, no other proof would mean anything. Two of them would run
/// the marker where there is a network, or where the machine's own files could be written.
const HARMLESS: [(Kind, &str); 10] = [
    (Kind::Runs, "grep : /proc/net/dev | grep -v lo: && «cmd»"),
    (Kind::Runs, "[ -w /etc/passwd ] && «cmd»"),
    (Kind::Runs, ": «cmd»"),
    (Kind::Runs, "echo «cmd»; echo '«cmd»' > note"),
    (Kind::Runs, ". «program» «args»"),
    (Kind::Runs, "no-such-program «cmd»"),
    (Kind::Writes, "cat «path»; : >> «path»"),
    (Kind::Writes, "cp «path» copy; echo changed > copy"),
    (Kind::Reads, "ls -l «path»; wc «path»; ln -s «path» link"),
    (Kind::Deletes, "ls «path»; rm -rf ./docs"),
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(words) => {
            eprintln!("proved: {words}");
            ExitCode::FAILURE
        }
    }
}

/// What is wanted of a run.
#[derive(Debug)]
struct Options {
    /// One way in so many is tried.
    share: usize,
    seed: u64,
    /// Only what lies in a file or mechanism with this in its name.
    only: String,
    /// Whether to show what every way said.
    show: bool,
    corpus: PathBuf,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Self {
            share: 1,
            seed: 1,
            only: String::new(),
            show: false,
            corpus: Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/ways"),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .ok_or_else(|| format!("`{word}` needs a value"))
            };
            let number = |value: String| {
                value
                    .parse()
                    .map_err(|_| format!("`{word}` needs a number"))
            };
            match word.as_str() {
                "--share" => options.share = usize::try_from(number(value()?)?).unwrap_or(1),
                "--seed" => options.seed = number(value()?)?,
                "--only" => options.only = value()?,
                "--show" => options.show = true,
                _ => return Err(format!("unknown word `{word}`")),
            }
        }
        Ok(options)
    }
}

/// What was counted.
#[derive(Debug, Default)]
struct Count {
    ways: usize,
    mechanisms: usize,
    missing: usize,
    failed: usize,
    tried: usize,
}

fn run() -> Result<bool, String> {
    let options = Options::parse()?;
    let began = Instant::now();
    let mut random = Random::new(options.seed);
    let mut count = Count::default();
    controls(&mut count, &mut random)?;
    for (file, text) in files(&options.corpus)? {
        let found = ways(&text);
        if let Some((line, words)) = found.faults.first() {
            return Err(format!("corpus/ways/{file}:{line}: {words}"));
        }
        for mechanism in &found.mechanisms {
            if file.contains(&options.only) || mechanism.name.contains(&options.only) {
                whole(&file, mechanism, &options, &mut random, &mut count)?;
            }
        }
    }
    println!("took {} s", began.elapsed().as_secs());
    println!(
        "proved: {} ways of {} mechanisms, {} not proven here, {} failed",
        count.ways, count.mechanisms, count.missing, count.failed
    );
    Ok(count.failed == 0 && count.ways > 0)
}

/// Tries texts of which it is known what they bring about.
fn controls(count: &mut Count, random: &mut Random) -> Result<(), String> {
    let plain = PLAIN.iter().map(|control| (control, true));
    for (&(kind, template), expected) in
        plain.chain(HARMLESS.iter().map(|control| (control, false)))
    {
        let way = Way {
            kind,
            unknown: false,
            needs: Vec::new(),
            template: template.to_owned(),
            line: 0,
        };
        count.tried += 1;
        let proof =
            prove(&way, &[], count.tried, &token(random)).map_err(|error| error.to_string())?;
        match (proof.proven, expected) {
            (true, false) => {
                return Err(format!(
                    "`{}` is harmless, and yet its effect was there",
                    proof.text
                ));
            }
            (false, true) => return Err(format!("`{}` had no effect: {}", proof.text, proof.said)),
            (true, true) | (false, false) => {}
        }
    }
    let (plain, harmless) = (PLAIN.len(), HARMLESS.len());
    println!("controls: {plain} plain texts had their effect, {harmless} harmless ones had none");
    Ok(())
}

/// Tries the ways of a mechanism.
fn whole(
    file: &str,
    mechanism: &Mechanism,
    options: &Options,
    random: &mut Random,
    count: &mut Count,
) -> Result<(), String> {
    let before = count.ways;
    for way in &mechanism.ways {
        if options.share > 1 && !random.once_in(options.share) {
            continue;
        }
        let told = format!(
            "corpus/ways/{file}:{}: {}",
            way.line,
            in_one_line(&way.template)
        );
        let missing: Vec<&String> = way.needs.iter().filter(|name| !is_here(name)).collect();
        if let Some(name) = missing.first() {
            count.missing += 1;
            println!("not proven here, `{name}` is missing: {told}");
            continue;
        }
        count.tried += 1;
        let proof = prove(way, &mechanism.setup, count.tried, &token(random));
        let proof = proof.map_err(|error| format!("{told}: {error}"))?;
        if proof.proven {
            count.ways += 1;
        } else {
            count.failed += 1;
            println!("FAILED {told}");
        }
        if options.show || !proof.proven {
            println!("  ran: {}", in_one_line(&proof.text));
            proof
                .said
                .lines()
                .for_each(|line| println!("  said: {line}"));
        }
    }
    count.mechanisms += usize::from(count.ways > before);
    Ok(())
}

/// A word that occurs nowhere else.
fn token(random: &mut Random) -> String {
    let letters: Vec<char> = ('a'..='z').collect();
    let mut out = String::from("token");
    out.extend((0..10).map(|_| *random.pick(&letters)));
    out
}

/// The files of a folder with their names, in order.
fn files(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let text = fs::read_to_string(&path).map_err(wrong)?;
        out.push((name.unwrap_or_default(), text));
    }
    out.sort();
    Ok(out)
}
