//! Which markers two other readers take for commands; they decide nothing, they only point at texts worth a look.
//!
//! Only the name of a command matters here, so their trees are searched in their debug form instead of by a walk of
//! their
//! own for each; what they keep as text (operands, arithmetic) stays unsearched, as they do not say what is in it.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::thread;

use brush_parser::{Parser, ParserOptions, word};

/// Deeper nesting makes one of them exponential and both overflow their stack.
const DEEPEST: usize = 8;

/// Longer texts take them too long.
const LONGEST: usize = 64 << 10;

/// Room for their recursion.
const STACK: usize = 256 << 20;

/// The markers that any of them takes for commands; empty where the text is not safe to hand to them.
pub fn markers(text: &str) -> BTreeSet<String> {
    if text.len() > LONGEST || nesting(text) > DEEPEST {
        return BTreeSet::new();
    }
    let text = text.to_owned();
    let work = move || {
        let mut found = catch_unwind(|| by_rable(&text)).unwrap_or_default();
        found.extend(catch_unwind(|| by_brush(&text, 0)).unwrap_or_default());
        found
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread
        .ok()
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default()
}

/// The deepest nesting of anything that opens, quoted or not. A backquote counts each time, as it has no end of its
/// own.
fn nesting(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' | b'[' | b'`' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn by_rable(text: &str) -> BTreeSet<String> {
    let Ok(nodes) = rable::parse(text, true) else {
        return BTreeSet::new();
    };
    behind(
        &format!("{nodes:?}"),
        "words: [Node { kind: Word { value: \"",
    )
}

fn by_brush(text: &str, depth: usize) -> BTreeSet<String> {
    let options = ParserOptions::default();
    let Ok(program) = Parser::new(text.as_bytes(), &options).parse_program() else {
        return BTreeSet::new();
    };
    let tree = format!("{program:?}");
    let mut found = behind(&tree, "word_or_name: Some(Word { value: \"");
    if depth >= DEEPEST {
        return found;
    }
    for raw in texts(&without_plain_bodies(&tree), "Word { value: \"") {
        let Ok(pieces) = word::parse(&raw, &options) else {
            continue;
        };
        let pieces = format!("{pieces:?}");
        // The longer name holds the shorter one, so both kinds are found.
        for inner in texts(&pieces, "CommandSubstitution(\"") {
            found.extend(by_brush(&inner, depth + 1));
        }
    }
    found
}

/// The tree without the bodies of here-documents whose delimiter is quoted: they are words to it, but nothing in
/// them runs.
fn without_plain_bodies(tree: &str) -> String {
    let mut parts = tree.split("requires_expansion: false");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.push_str(&part.replacen("doc: Word { value: \"", "doc: \"", 1));
    }
    out
}

/// The markers that stand right behind `before`.
fn behind(tree: &str, before: &str) -> BTreeSet<String> {
    texts(tree, before)
        .into_iter()
        .filter(|text| is_marker(text))
        .collect()
}

fn is_marker(text: &str) -> bool {
    text.strip_prefix("mk").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The texts in debug form that stand behind `before`, with their escapes undone.
fn texts(tree: &str, before: &str) -> Vec<String> {
    tree.split(before).skip(1).map(unescaped).collect()
}

/// The text up to the closing quote. Escapes of the debug form other than the common ones do not matter to the shell.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => break,
            },
            other => out.push(other),
        }
    }
    out
}
