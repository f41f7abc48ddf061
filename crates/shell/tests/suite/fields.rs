//! What the reader says about the text of words, against bash itself, on words made of quotes and braces alone.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use countersign_shell::read::read;
use countersign_shell::tree::{Brace, Part, Word};
use countersign_shell::walk::commands;

use crate::random::Random;

/// The arguments that a word makes where nothing in it depends on the world.
fn fields(word: &Word) -> Option<Vec<String>> {
    let mut made = vec![String::new()];
    for part in &word.parts {
        let pieces = match part {
            Part::Literal(text) | Part::Quoted(text) | Part::Glob(text) => vec![text.clone()],
            Part::DoubleQuoted(inner) => {
                let mut text = String::new();
                for part in inner {
                    let Part::Literal(piece) = part else {
                        return None;
                    };
                    text.push_str(piece);
                }
                vec![text]
            }
            Part::Brace(Brace::Alternatives(words)) => {
                let mut all = Vec::new();
                for word in words {
                    all.extend(fields(word)?);
                }
                all
            }
            _ => return None,
        };
        made = made
            .iter()
            .flat_map(|one| pieces.iter().map(move |piece| format!("{one}{piece}")))
            .collect();
    }
    Some(made)
}

/// True for a field that bash drops: nothing is left and nothing was quoted. Only brace alternatives make those.
fn vanishes(field: &str, word: &Word) -> bool {
    field.is_empty() && word.parts.iter().all(|part| matches!(part, Part::Brace(_)))
}

/// Gives bash a script of nothing but `printf` and returns what it wrote.
fn bash(script: &str) -> Option<Output> {
    let mut child = Command::new("bash")
        .args(["--norc", "-s"])
        .current_dir("/")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some(output)
}

#[test]
fn p5_words_mean_what_bash_makes_of_them() {
    let atoms = [
        "a", "b", "'", "\"", "\\", " ", "{", "}", ",", "..", "1", "[", "]", "$'", "\\n", "\\x41",
        "\\x{4", "\\'", "\\\"", "''", "\"\"", "\n", "\\\n", "\\\\", "é", "#", "=", "+", "~", "-",
        "\\101", "\\u00e9", "^", ":",
    ];
    let mut random = Random::new(11);
    let (mut script, mut expected, mut sources) =
        (String::from("set -f\n"), Vec::new(), Vec::new());
    for _ in 0..6000 {
        let mut source = String::from("printf '%s\\0' x");
        for _ in 0..=random.below(7) {
            source.push_str(random.pick::<&str>(&atoms));
        }
        // Something behind the word, so that nothing in it can reach the next line.
        source.push_str(" z");
        let Ok(tree) = read(&source) else { continue };
        let list = commands(&tree);
        let [simple] = list.as_slice() else { continue };
        let mut all = Vec::new();
        let known = simple.words.iter().skip(2).all(|word| {
            fields(word).is_some_and(|fields| {
                all.extend(fields.into_iter().filter(|field| !vanishes(field, word)));
                true
            })
        });
        if known {
            script.push_str(&source);
            script.push_str("\nprintf '\\1'\n");
            expected.push(all);
            sources.push(source);
        }
    }
    let Some(output) = bash(&script) else {
        println!("skipped: bash is absent");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    for ((made, expected), source) in text.split('\u{1}').zip(&expected).zip(&sources) {
        // A field that holds the mark itself comes from an escape and splits the output; compare up to there.
        let made: Vec<_> = made.split_terminator('\0').collect();
        if expected.iter().any(|field| field.contains('\u{1}')) {
            continue;
        }
        assert_eq!(&made, expected, "{source}");
    }
    assert_eq!(
        text.split('\u{1}').count(),
        expected.len() + 1,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(expected.len() > 1000);
}
