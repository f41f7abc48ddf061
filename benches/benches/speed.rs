//! Speeds, all in one run: each group compares its own members, and nothing is asserted about any time.

use countersign_gate::imagined::{session, shell, verdict};
use countersign_gate::journal::event::{Event, Turn};
use countersign_gate::journal::{Journal, Options, Sync};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use divan::Bencher;
use divan::counter::BytesCount;
use std::fmt::Write as _;

/// What agents send most: two simple commands and a redirect.
const TYPICAL: &str = "git diff --stat HEAD~1 && grep -rn 'fn main' src > /tmp/found.txt";

fn main() {
    divan::main();
}

/// The reader alone.
#[divan::bench]
fn read_typical(bencher: Bencher<'_, '_>) {
    bencher.bench(|| countersign_shell::read::read(divan::black_box(TYPICAL)));
}

/// The whole way from text to verdict: read, ground, requests, judge.
#[divan::bench]
fn judge_typical(bencher: Bencher<'_, '_>) {
    let rules = RuleSet::new(vec![builtin()]);
    judged(bencher, TYPICAL, &rules);
}

/// Texts of growing length: time for each byte stays as it is.
#[divan::bench(args = [1, 4, 16, 64], max_time = 2)]
fn read_kibibytes(bencher: Bencher<'_, '_>, kibibytes: usize) {
    let text = long(kibibytes);
    let bencher = bencher.counter(BytesCount::new(text.len()));
    bencher.bench(|| countersign_shell::read::read(divan::black_box(&text)));
}

/// The same texts, all the way.
#[divan::bench(args = [1, 4, 16, 64], max_time = 2)]
fn judge_kibibytes(bencher: Bencher<'_, '_>, kibibytes: usize) {
    let text = long(kibibytes);
    let rules = RuleSet::new(vec![builtin()]);
    judged(bencher.counter(BytesCount::new(text.len())), &text, &rules);
}

/// Rules of the user's that do not match: their number is to make no difference.
#[divan::bench(args = [0, 100, 10_000])]
fn judge_with_rules(bencher: Bencher<'_, '_>, number: usize) {
    let user = parse(&rule_file(number), "rules.toml", Authority::User);
    assert!(user.diagnostics.is_empty(), "the made-up rules are sound");
    let rules = RuleSet::new(vec![builtin(), user.layer]);
    judged(bencher, TYPICAL, &rules);
}

/// One event to the disk's cache, and one to the disk.
#[divan::bench(args = [Sync::Answers, Sync::All])]
fn record(bencher: Bencher<'_, '_>, sync: Sync) {
    let Ok(state) = tempfile::tempdir() else {
        return;
    };
    let options = Options {
        sync,
        ..Options::default()
    };
    let Ok(journal) = Journal::open(state.path(), "bench", options) else {
        return;
    };
    let turn = || {
        [Event::TurnOpened(Turn {
            turn: "t".to_owned(),
        })]
    };
    bencher.bench(|| journal.record(&turn()));
}

fn judged(bencher: Bencher<'_, '_>, text: &str, rules: &RuleSet) {
    let cwd = AbsPath::root().join("home/u/work");
    let session = session(&cwd);
    let call = shell(text, &cwd);
    bencher.bench(|| verdict(divan::black_box(&call), &session, rules, Mode::Default));
}

/// A script of about this length: the typical line with other names, over and over.
fn long(kibibytes: usize) -> String {
    let mut out = String::new();
    for number in 0.. {
        let line = TYPICAL.replace("found", &format!("found{}", number % 7));
        if out.len() + line.len() >= kibibytes * 1024 {
            break;
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// A rule file with this many patterns of the kinds that people write.
fn rule_file(number: usize) -> String {
    let mut out = String::from("version = 1\n");
    if number == 0 {
        return out;
    }
    for (table, kinds) in [("deny", ["shell", "read"]), ("allow", ["shell", "net"])] {
        let _ = writeln!(out, "[{table}]");
        for kind in kinds {
            let patterns: Vec<String> = (0..number / 4)
                .map(|place| match kind {
                    "shell" => format!("\"tool{place} {table} *\""),
                    "read" => format!("\"/private/{place}/**\""),
                    _ => format!("\"host{place}.example.org\""),
                })
                .collect();
            let _ = writeln!(out, "{kind} = [{}]", patterns.join(", "));
        }
    }
    out
}
