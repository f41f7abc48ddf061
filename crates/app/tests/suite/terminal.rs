//! On a terminal: colours unless they are refused, and the width respected.

use crate::place::Place;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::Stdio;

/// What the binary writes to a terminal of that width.
fn on_terminal(
    place: &Place,
    columns: u16,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> String {
    let (master, slave) = terminal(columns);
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

/// A terminal of that width: our side, and the program's.
fn terminal(columns: u16) -> (OwnedFd, File) {
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
    (master, slave)
}

/// What a person at a terminal gets who types that line: exit code, standard output, and what the terminal shows.
pub(crate) fn typed(place: &Place, arguments: &[&str], line: &str) -> (i32, String, String) {
    let (master, slave) = terminal(100);
    let mut command = place.command(arguments);
    command
        .stdin(Stdio::from(slave.try_clone().unwrap()))
        .stdout(Stdio::piped())
        .stderr(Stdio::from(slave));
    let child = command.spawn().unwrap();
    drop(command);
    let mut master = File::from(master);
    writeln!(master, "{line}").unwrap();
    let done = child.wait_with_output().unwrap();
    let mut shown = Vec::new();
    let _ = master.read_to_end(&mut shown);
    let out = String::from_utf8(done.stdout).unwrap();
    (done.status.code().unwrap(), out, place.plain(&shown))
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
