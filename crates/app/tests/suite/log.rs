//! `log`: listing, filters, following, verifying and the story of one call, over journals that the gate wrote.

use crate::expected::expect;
use crate::place::Place;
use countersign_gate::decide::Setting;
use countersign_gate::journal::event::{Answered, Answerer, ApprovalAsked, ApprovalDecided, Event};
use countersign_gate::journal::time::Timestamp;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::world::environment::Environment;
use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::outcome::{Answer, Outcome, Review};
use countersign_policy::path::AbsPath;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

fn call(place: &Place, id: &str, text: &str) -> Call {
    Call {
        id: CallId(id.to_owned()),
        tool: "Bash".to_owned(),
        input: serde_json::json!({"command": text}).to_string(),
        cwd: AbsPath::parse(place.work().to_str().unwrap()).unwrap(),
        action: Action::Shell(text.to_owned()),
    }
}

/// Judges and records calls in a session, at a fixed time.
pub(crate) fn record(
    place: &Place,
    session: &str,
    calls: &[(&str, &str, Option<Answer>)],
) -> Journal {
    let options = Options {
        clock: || Timestamp::parse("2026-01-31T08:00:00.000Z").unwrap(),
        ..Options::default()
    };
    let journal = Journal::open(&place.state(), session, options).unwrap();
    let cwd = AbsPath::parse(place.work().to_str().unwrap()).unwrap();
    let home = AbsPath::parse(
        place
            .work()
            .parent()
            .unwrap()
            .join("home")
            .to_str()
            .unwrap(),
    );
    let environment = Environment {
        home,
        path: Some("/usr/bin:/bin".to_owned()),
        ..Environment::default()
    };
    let setting = Setting::load(environment, &cwd, None, None);
    for (id, text, answer) in calls {
        let call = call(place, id, text);
        let decided = setting.decide(&call, &journal, |_| (*answer, Review::Pass));
        decided.unwrap();
    }
    journal
}

/// A session with one call of each outcome.
fn session(place: &Place) -> Journal {
    record(
        place,
        "first",
        &[
            ("toolu_01", "ls", None),
            ("toolu_02", "git push origin main", Some(Answer::Allow)),
            ("toolu_03", "rm -rf /", None),
            ("toolu_04", "git push --force", Some(Answer::Deny)),
            ("toolu_11", "eval \"$x\u{202e}\"", None),
        ],
    )
}

/// Output without the time that judging took.
fn timeless(text: &str) -> String {
    let word =
        |word: &str| word.chars().all(|c| c.is_ascii_digit() || c == '.') && !word.is_empty();
    let mut lines = Vec::new();
    for line in text.lines() {
        // The digest covers the directory, which is another one each time.
        let line = match line.split_once("digest    ") {
            Some((before, _)) => format!("{before}digest    D"),
            None => line.to_owned(),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let shown: Vec<&str> = words
            .iter()
            .enumerate()
            .map(|(at, text)| match words.get(at + 1) {
                Some(&("µs" | "ms" | "s")) if word(text) => "N",
                _ => *text,
            })
            .collect();
        lines.push(
            shown
                .join(" ")
                .replace("N ms", "N µs")
                .replace("N s", "N µs"),
        );
    }
    lines.join("\n") + "\n"
}

#[test]
fn p12_lists_the_newest_session() {
    let place = Place::new();
    let run = place.run(&["log"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    session(&place);
    let run = place.run(&["log"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("log/list", &run.out);
}

#[test]
fn p12_filters() {
    let place = Place::new();
    session(&place);
    record(&place, "second", &[("toolu_21", "date", None)]);
    let lines = |arguments: &[&str]| {
        let run = place.run(&[&["log"], arguments].concat());
        assert_eq!(run.code, 0, "{arguments:?} {}", run.err);
        run.out.lines().count()
    };
    assert_eq!(lines(&["--session", "first"]), 10);
    assert_eq!(lines(&["--session", "all", "--json"]), 12);
    assert_eq!(lines(&["--session", "first", "--outcome", "rejected"]), 2);
    assert_eq!(
        lines(&["--session", "first", "--outcome", "unavailable"]),
        1
    );
    assert_eq!(lines(&["--session", "first", "--tool", "Bash"]), 10);
    assert_eq!(lines(&["--session", "first", "--tool", "Read"]), 0);
    assert_eq!(lines(&["--session", "first", "--contains", "git push"]), 2);
    assert_eq!(
        lines(&["--session", "first", "--contains", "\"$x\u{202e}\""]),
        1
    );
    assert_eq!(lines(&["--session", "first", "--since", "2026-01-31"]), 10);
    assert_eq!(lines(&["--session", "first", "--since", "2100-01-01"]), 0);
    assert_eq!(place.run(&["log", "--session", "third"]).code, 1);
}

#[test]
fn p12_json_is_the_line_itself() {
    let place = Place::new();
    let journal = session(&place);
    let run = place.run(&["log", "--json"]);
    let file = std::fs::read(journal.path()).unwrap();
    assert_eq!(run.out, place.plain(&file));
}

#[test]
fn p12_why_tells_the_story_of_a_call() {
    let place = Place::new();
    let journal = session(&place);
    let asked = call(&place, "toolu_09", "git push");
    let decided = ApprovalDecided {
        approval: "a1".to_owned(),
        call: "toolu_09".to_owned(),
        outcome: Outcome::Rejected,
        answer: Answered::DenyOnce,
        by: Answerer::Person,
        words: None,
        micros: 83_200_000,
    };
    let asked = ApprovalAsked::new("a1", &asked, "may it push?", Answerer::Person);
    let events = [Event::ApprovalAsked(asked), Event::ApprovalDecided(decided)];
    journal.record(&events).unwrap();
    for (wanted, name) in [
        ("toolu_02", "pushed"),
        ("toolu_03", "floor"),
        ("toolu_1", "hostile"),
        ("toolu_09", "asked"),
    ] {
        let run = place.run(&["log", "why", wanted]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{wanted}");
        expect(&format!("log/why-{name}"), &timeless(&run.out));
    }
    let run = place.run(&["log", "why", "toolu_"]);
    assert_eq!(run.code, 1);
    assert!(
        run.err.starts_with("error: 6 calls begin with `toolu_`"),
        "{}",
        run.err
    );
    let run = place.run(&["log", "why", "nothing"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("there is no call"), "{}", run.err);
}

#[test]
fn p12_verify_says_where_the_chain_breaks() {
    let place = Place::new();
    let journal = session(&place);
    record(&place, "second", &[("toolu_21", "date", None)]);
    let run = place.run(&["log", "--verify"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(run.out.lines().count(), 2);
    assert!(
        run.out.lines().all(|line| line.starts_with("whole ")),
        "{}",
        run.out
    );

    let text = std::fs::read_to_string(journal.path()).unwrap();
    std::fs::write(journal.path(), text.replace("rm -rf /", "rm -rf x")).unwrap();
    let run = place.run(&["log", "--verify", "--session", "first"]);
    assert_eq!(run.code, 1);
    expect("log/broken", &run.out);
    assert_eq!(
        place.run(&["log", "--verify", "--session", "second"]).code,
        0
    );
    let run = place.run(&["log", "--verify", "--json", "--session", "first"]);
    let record: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&record["ok"], &record["broken_line"]),
        (&false.into(), &6.into()),
        "{record}"
    );

    // What is left of it can still be read, and that it is damaged is said.
    let run = place.run(&["log", "--session", "first"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.out.lines().count(), 9);
    assert!(run.err.contains("does not hold together"), "{}", run.err);
}

#[test]
fn p12_verify_misses_a_journal_that_is_gone() {
    let place = Place::new();
    let journal = session(&place);
    std::fs::remove_file(journal.path()).unwrap();
    let run = place.run(&["log", "--verify"]);
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("there is a head record but no journal"),
        "{}",
        run.out
    );
}

#[test]
fn p12_follow_shows_what_comes() {
    let place = Place::new();
    session(&place);
    let mut child = place
        .command(&["log", "--follow", "--outcome", "allowed"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for expected in ["toolu_01", "toolu_02"] {
        assert!(lines.next().unwrap().unwrap().contains(expected));
    }
    record(&place, "first", &[("toolu_31", "date", None)]);
    assert!(lines.next().unwrap().unwrap().contains("toolu_31"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn p12_a_reader_that_stops_is_no_failure() {
    let place = Place::new();
    let calls: Vec<(String, &str)> = (0..300)
        .map(|number| (format!("c{number}"), "date"))
        .collect();
    let calls: Vec<(&str, &str, Option<Answer>)> = calls
        .iter()
        .map(|(id, text)| (id.as_str(), *text, None))
        .collect();
    record(&place, "long", &calls);
    for arguments in [
        &["log"][..],
        &["log", "--json"],
        &["log", "why", "c1"],
        &["log", "--verify"],
    ] {
        let mut child = place
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "",
            "{arguments:?}"
        );
    }
}
