//! On a terminal: colours unless they are refused, and the width respected.

use crate::place::Place;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::process::Stdio;

/// What the binary writes to a terminal of that width.
fn on_terminal(
    place: &Place,
    columns: u16,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&master, size).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = OpenOptions::new()
        .read(true)
        .write(true)
        .open(name.to_str().unwrap())
        .unwrap();
    let mut command = place.command(arguments);
    command
        .envs(variables.iter().copied())
        .stdout(Stdio::from(slave))
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut out = Vec::new();
    // A terminal whose other side is closed ends with an error, not with an end of file.
    let _ = File::from(master).read_to_end(&mut out);
    child.wait().unwrap();
    place.plain(&out).replace("\r\n", "\n")
}

#[test]
fn a6_colours_on_a_terminal_only_and_not_where_refused() {
    let place = Place::new();
    let arguments = ["explain", "ls && git push"];
    assert!(on_terminal(&place, 100, &[], &arguments).contains('\u{1b}'));
    let plain = on_terminal(&place, 100, &[("NO_COLOR", "1")], &arguments);
    assert!(!plain.contains('\u{1b}'));
    assert!(!on_terminal(&place, 100, &[("TERM", "dumb")], &arguments).contains('\u{1b}'));
    assert_eq!(plain, place.run(&arguments).out);
}

#[test]
fn a6_the_width_is_respected_and_nothing_lost() {
    let place = Place::new();
    let words: Vec<String> = (0..60).map(|number| format!("word{number}")).collect();
    let command = format!("frobnicate {}", words.join(" "));
    for columns in [50, 80, 200] {
        let text = on_terminal(
            &place,
            columns,
            &[("NO_COLOR", "1")],
            &["explain", &command],
        );
        // What is meant to be copied is the one thing that is left to the terminal to wrap.
        let wrapped = |line: &&str| !line.starts_with("      shell = ");
        let width = usize::from(columns);
        let longest = text
            .lines()
            .filter(wrapped)
            .map(|line| line.chars().count());
        assert!(longest.max().unwrap() <= width, "{text}");
        assert!(
            words
                .iter()
                .all(|word| text.replace(['\n', ' '], "").contains(word)),
            "{text}"
        );
    }
}

#[test]
fn a6_json_on_a_terminal_shows_what_it_holds() {
    let place = Place::new();
    let text = on_terminal(&place, 80, &[], &["check", "--json", "cat 'a\u{202e}b'"]);
    assert!(
        !text.contains('\u{202e}') && text.contains("a\\u202eb"),
        "{text}"
    );
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["findings"][1]["target"], "a\u{202e}b");
}
