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
    {
        return None;
    }
    let bytes = source.as_bytes();
    let mut stack = vec![Level::Code];
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let level = *stack.last()?;
        at += match skipped(bytes, at, level)? {
            0 => opened(bytes, at, &mut stack, &mut count)?,
            length => length,
        };
    }
    (stack == [Level::Code]).then_some(count)
}

fn is_quoted(level: Level) -> bool {
    matches!(
        level,
        Level::Double | Level::BraceInDouble | Level::Arithmetic
    )
}

/// The length of what opens and closes nothing although its bytes might: escapes, single quotes, comments. Zero where
/// nothing of the kind stands here.
fn skipped(bytes: &[u8], at: usize, level: Level) -> Option<usize> {
    let rest = bytes.get(at..)?;
    match rest {
        [b'\\', ..] => Some(2),
        [b'$', b'\'', ..] if !is_quoted(level) => ansi_end(bytes, at + 2).map(|end| end - at),
        [b'\'', after @ ..] if !is_quoted(level) => after
            .iter()
            .position(|&byte| byte == b'\'')
            .map(|end| end + 2),
        [b'\'', ..] if level != Level::Double => None,
        [b'#', ..] if !is_quoted(level) && level != Level::Brace && starts_token(bytes, at) => {
            Some(
                rest.iter()
                    .position(|&byte| byte == b'\n')
                    .unwrap_or(rest.len()),
            )
        }
        _ => Some(0),
    }
}

/// The level that opens here, whether it is a substitution, and the length of what opens it.
fn opening(rest: &[u8], level: Level, in_backquotes: bool) -> Option<(Level, bool, usize)> {
    Some(match rest {
        [b'"', ..] if level != Level::Double => (Level::Double, false, 1),
        [b'`', ..] if !in_backquotes => (Level::Backquote, true, 1),
        [b'$', b'(', b'(', ..] => (Level::ArithmeticEnd, false, 2),
        [b'$', b'(', ..] => (Level::Code, true, 2),
        [b'<' | b'>', b'(', ..] if !is_quoted(level) => (Level::Code, true, 2),
        [b'$', b'{', ..] if is_quoted(level) => (Level::BraceInDouble, false, 2),
        [b'$', b'{', ..] => (Level::Brace, false, 2),
        [b'(', ..] if level == Level::ArithmeticEnd => (Level::Arithmetic, false, 1),
        [b'(', ..] if matches!(level, Level::Code | Level::Arithmetic) => (level, false, 1),
        _ => return None,
    })
}

/// Opens or closes a level, counts substitutions, and says how many bytes that took.
fn opened(bytes: &[u8], at: usize, stack: &mut Vec<Level>, count: &mut usize) -> Option<usize> {
    let level = *stack.last()?;
    let rest = bytes.get(at..)?;
    if let Some((next, counts, length)) = opening(rest, level, stack.contains(&Level::Backquote)) {
        *count += usize::from(counts);
        stack.push(next);
        return Some(length);
    }
    let closing = *rest.first()?;
    if closing == b'`' {
        while stack.pop()? != Level::Backquote {}
        return Some(1);
    }
    let closes = match level {
        Level::Code | Level::Arithmetic | Level::ArithmeticEnd => closing == b')',
        Level::Brace | Level::BraceInDouble => closing == b'}',
        Level::Double => closing == b'"',
        Level::Backquote => false,
    };
    if closes {
        stack.pop();
    } else if level == Level::ArithmeticEnd {
        // Not arithmetic after all.
        return None;
    }
    Some(1)
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
