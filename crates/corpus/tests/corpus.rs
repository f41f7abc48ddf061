//! Runs every case file of the corpus; with `UPDATE=1` the expectations are rewritten in place.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails, also in a function that several tests share"
)]

use countersign_corpus::coverage::Coverage;
use countersign_corpus::folder::Folder;
use countersign_corpus::judged::judge;
use countersign_corpus::run::run;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(directory).unwrap();
    let mut out: Vec<PathBuf> = read.map(|entry| entry.unwrap().path()).collect();
    out.sort();
    out
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Only cases whose file name holds this text, from the variable `ONLY`.
fn wanted(file: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| file.contains(&only))
}

#[test]
fn every_case_holds() {
    let update = std::env::var("UPDATE").is_ok_and(|value| value == "1");
    let mut failures = Vec::new();
    for folder in Folder::ALL {
        let (mut files, mut cases, mut gaps) = (0, 0, 0);
        for path in entries(&root().join(folder.name())) {
            let file = format!("corpus/{}/{}", folder.name(), name(&path));
            if !wanted(&file) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let report = run(&file, &text, folder);
            assert!(report.cases > 0, "{file} holds no case");
            files += 1;
            cases += report.cases;
            gaps += report.gaps;
            if update && report.rewritten != text {
                fs::write(&path, &report.rewritten).unwrap();
            }
            failures.extend(report.failures);
        }
        println!(
            "{:9} {files:3} files {cases:4} cases {gaps:3} known gaps",
            folder.name()
        );
    }
    let words: String = failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{} failures\n{words}", failures.len());
}

/// The fewest programs that must be described in full.
const FEWEST: usize = 250;

#[test]
fn every_program_has_its_cases() {
    let mut coverage = Coverage::default();
    for path in entries(&root().join(Folder::Programs.name())) {
        let text = fs::read_to_string(&path).unwrap();
        coverage.add(&run(&name(&path), &text, Folder::Programs).claims);
    }
    let (complete, missing) = (coverage.complete(), coverage.missing());
    println!("{complete} programs have a reading, a writing and a running case, or a reason");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(complete >= FEWEST, "only {complete} programs count");
}

/// The folder of ways, which are templates and no cases.
const WAYS: &str = "ways";

#[test]
fn p5_no_way_round_the_gate_is_allowed() {
    let mut mechanisms = BTreeSet::new();
    let (mut ways, mut verdicts) = (0, 0);
    let mut failures = Vec::new();
    for path in entries(&root().join(WAYS)) {
        let file = format!("corpus/{WAYS}/{}", name(&path));
        if !wanted(&file) {
            continue;
        }
        let judged = judge(&file, &fs::read_to_string(&path).unwrap());
        for mechanism in judged.mechanisms {
            let words = format!("{file}: another file has the mechanism `{mechanism}` too");
            assert!(mechanisms.insert(mechanism), "{words}");
        }
        ways += judged.ways;
        verdicts += judged.verdicts;
        failures.extend(judged.failures);
    }
    let count = mechanisms.len();
    println!("{WAYS:9} {ways:4} ways of {count} mechanisms, {verdicts} verdicts");
    let words: String = failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{} failures\n{words}", failures.len());
    if std::env::var("ONLY").is_err() {
        assert!(
            ways >= 300 && count >= 30,
            "{ways} ways of {count} mechanisms are too few"
        );
    }
}

#[test]
fn every_folder_has_a_runner_and_every_file_is_a_case_file() {
    for path in entries(&root()) {
        let own = name(&path);
        if path.is_dir() {
            let known = own == WAYS || Folder::ALL.iter().any(|folder| folder.name() == own);
            assert!(known, "corpus/{own} has no runner");
            for file in entries(&path) {
                let markdown = file.extension().is_some_and(|end| end == "md");
                assert!(
                    markdown && file.is_file(),
                    "{} is no case file",
                    file.display()
                );
            }
        } else {
            assert_eq!(own, "README.md", "a case file lies in a folder");
        }
    }
}
