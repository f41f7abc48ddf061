//! A marker put in odd places: where bash accepts the text and takes the marker for a command, so does the tree.

use std::process::Command;

use countersign_shell::print::print;
use countersign_shell::read::read;
use countersign_shell::tree::{Part, Simple};
use countersign_shell::walk::commands;

use crate::printing::fault;
use crate::random::Random;

const SEEDS: &[&str] = &[
    "a \"b $c\" 'd' >e; f | g && h || i &",
    "x=$(a `b` ${c:-d}) y=(e f) g",
    "if a; then b; elif c; then d; else e; fi >f",
    "for a in b c; do d; done; while e; do f; break; done",
    "case $a in (b|c*) d;; e) f;& *) g;; esac",
    "f() { a; } ; { b; } 2>&1 | ( c; d )",
    "cat <<E >a; b\nc $(d) ${e}\nE\nf",
    "((a + b)); [[ -n a && b == c* ]] || d",
    "echo $((a + $(b))) \"${c:-`d`}\" {e,f} <(g)",
    "! a; time b; coproc c; a[1]=b c",
];

const PIECES: &[&str] = &[
    "mk", " mk ", ";mk;", "$(mk)", "`mk`", "\nmk\n", "<(mk)", "(mk)", "{ mk; }", "&mk&", "|mk",
    "&&mk", "'", "\"", "\\", "#", "$", "${", "}", "(", ")", "<<E\n", "\n", "$((", "))", "[[", "!",
    "=", "$'", "{", ",", "\\\n", "`", "<", ">", "*", "~", "case", "in", "esac", "do", "done",
];

/// True where a command of the tree is the marker.
fn runs_marker(simple: &Simple) -> bool {
    match simple.words.first().map(|word| word.parts.as_slice()) {
        Some([Part::Literal(name)]) => name == "mk",
        Some(_) | None => false,
    }
}

#[test]
fn p5_mutants_print_and_read_the_same() {
    let mut random = Random::new(5);
    let mut understood = 0;
    for _ in 0..20_000 {
        let text = mutant(&mut random);
        assert_eq!(fault(&text), None, "{text:?}");
        understood += usize::from(read(&text).is_ok());
    }
    println!("{understood} mutants read");
    assert!(understood > 1000);
}

/// Each mutant that is read is turned into a function that is never called, so that bash parses it and runs nothing.
/// Bash prints the function back; the printed text has to show the marker as often as the tree does.
#[test]
fn p5_bash_sees_the_marker_where_the_tree_does() {
    let mut random = Random::new(7);
    let mut compared = 0;
    for _ in 0..400 {
        let text = mutant(&mut random);
        let Ok(script) = read(&text) else { continue };
        let ours = commands(&script)
            .iter()
            .filter(|simple| runs_marker(simple))
            .count();
        let Some(theirs) = declared(&text) else {
            continue;
        };
        let Ok(again) = read(&theirs) else { continue };
        let theirs = commands(&again)
            .iter()
            .filter(|simple| runs_marker(simple))
            .count();
        assert_eq!(ours, theirs, "{text:?} {}", print(&again));
        compared += 1;
    }
    println!("{compared} mutants compared with bash");
}

/// What bash makes of a text as the body of a function, without running any of it.
fn declared(text: &str) -> Option<String> {
    let script = format!("f() {{\n{text}\n}}\ndeclare -f f");
    // A text that closes the function early would run, so only balanced ones that bash takes whole are used.
    let whole = Command::new("/bin/bash")
        .args(["--norc", "-n", "-c", text])
        .output()
        .ok()?;
    if !whole.status.success() || !whole.stderr.is_empty() || text.contains('}') && !balanced(text)
    {
        return None;
    }
    let Ok(tree) = read(&script) else { return None };
    if tree.body.entries.len() != 2 {
        return None;
    }
    let output = Command::new("/bin/bash")
        .args(["--norc", "-r", "-c", &script])
        .env("PATH", "")
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn balanced(text: &str) -> bool {
    text.matches('{').count() == text.matches('}').count()
}

fn mutant(random: &mut Random) -> String {
    let mut text = String::from(*random.pick(SEEDS));
    for _ in 0..=random.below(3) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = *random.pick(&places);
        let piece = random.pick(PIECES);
        if random.below(4) == 0 {
            text.remove(at);
        }
        text.insert_str(at.min(text.len()), piece);
    }
    text
}
