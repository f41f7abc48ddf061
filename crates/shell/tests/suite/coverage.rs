//! No command is lost: an independent scan of the raw text finds as many substitutions as the tree holds.

use countersign_shell::read::read;
use countersign_shell::walk::substitutions;

use crate::data::{rows, text};

#[derive(Clone, Copy, PartialEq)]
enum Level {
    Code,
    Double,
    Backquote,
    Brace,
    BraceInDouble,
    Arithmetic,
    /// The outer of the two parentheses of `$((`.
    ArithmeticEnd,
}

/// Counts what opens a substitution, or gives up on what a scan without a grammar cannot tell.
fn raw_count(source: &str) -> Option<usize> {
    let hard = ["case", "<<", "=~", "\\`", "((", "$[", "\\\n"];
    if hard
        .iter()
        .any(|hard| source.replace("$((", "").contains(hard))
        || source.contains("<<")
    {
        return None;
    }
    let bytes = source.as_bytes();
    let mut stack = vec![Level::Code];
    let (mut at, mut count) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let level = *stack.last()?;
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let quoted = matches!(
            level,
            Level::Double | Level::BraceInDouble | Level::Arithmetic
        );
        let shift = match (byte, next) {
            (b'\\', _) => 2,
            (b'$', b'\'') if !quoted => ansi_end(bytes, at + 2)? - at,
            (b'\'', _) if !quoted => bytes.iter().skip(at + 1).position(|&byte| byte == b'\'')? + 2,
            (b'\'', _) if level != Level::Double => return None,
            (b'#', _) if !quoted && level != Level::Brace && starts_token(bytes, at) => bytes
                .iter()
                .skip(at)
                .position(|&byte| byte == b'\n')
                .unwrap_or(bytes.len()),
            (b'"', _) if level == Level::Double => {
                stack.pop();
                1
            }
            (b'"', _) => {
                stack.push(Level::Double);
                1
            }
            (b'`', _) if stack.contains(&Level::Backquote) => {
                while stack.pop()? != Level::Backquote {}
                1
            }
            (b'`', _) => {
                count += 1;
                stack.push(Level::Backquote);
                1
            }
            (b'$', b'(') if bytes.get(at + 2) == Some(&b'(') => {
                stack.extend([Level::ArithmeticEnd, Level::Arithmetic]);
                3
            }
            (b'$', b'(') => {
                count += 1;
                stack.push(Level::Code);
                2
            }
            (b'<' | b'>', b'(') if !quoted => {
                count += 1;
                stack.push(Level::Code);
                2
            }
            (b'$', b'{') if quoted => {
                stack.push(Level::BraceInDouble);
                2
            }
            (b'$', b'{') => {
                stack.push(Level::Brace);
                2
            }
            (b'}', _) if matches!(level, Level::Brace | Level::BraceInDouble) => {
                stack.pop();
                1
            }
            (b'(', _) if level == Level::Code || level == Level::Arithmetic => {
                stack.push(level);
                1
            }
            (b')', _) if level == Level::Code || level == Level::Arithmetic => {
                stack.pop();
                1
            }
            (b')', _) if level == Level::ArithmeticEnd => {
                stack.pop();
                1
            }
            // Not arithmetic after all.
            _ if level == Level::ArithmeticEnd => return None,
            _ => 1,
        };
        at += shift;
    }
    (stack == [Level::Code]).then_some(count)
}

fn ansi_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'\'' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn starts_token(bytes: &[u8], at: usize) -> bool {
    at == 0
        || bytes
            .get(at - 1)
            .is_some_and(|byte| b" \t\n;&|()`".contains(byte))
}

#[test]
fn p5_every_substitution_of_the_data_is_in_the_tree() {
    let (mut compared, mut found) = (0, 0);
    for (file, field) in [
        ("grammar.jsonl", "script"),
        ("agent-commands.jsonl", "cmd"),
        ("ci-commands.jsonl", "cmd"),
        ("doc-commands.jsonl", "cmd"),
        ("dangerous-commands.jsonl", "cmd"),
        ("labelled-commands.jsonl", "cmd"),
    ] {
        let Some(rows) = rows(file) else { return };
        for row in &rows {
            let source = text(row, field);
            let (Ok(script), Some(raw)) = (read(source), raw_count(source)) else {
                continue;
            };
            compared += 1;
            found += raw;
            assert_eq!(substitutions(&script), raw, "{}", text(row, "id"));
        }
    }
    println!("{found} substitutions in {compared} rows, none lost");
}
