//! `find`: where it starts, and the actions of its expression that delete, write and run.

use crate::effects::command::Field;
use crate::effects::effect::Act;
use crate::effects::env::Env;
use crate::effects::invocation::Invocation;
use crate::effects::opacity::Opacity;
use crate::effects::programs::Role;
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::special::found::{self, WITH_VALUE};
use crate::effects::value::literal_pattern;
use crate::effects::word::pattern_of;
use crate::request::Category;
use std::ops::ControlFlow;

/// Tests, operators and actions that take none.
const PLAIN: [&str; 35] = [
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-empty",
    "-executable",
    "-readable",
    "-writable",
    "-depth",
    "-d",
    "-mount",
    "-xdev",
    "-follow",
    "-daystart",
    "-noleaf",
    "-true",
    "-false",
    "-not",
    "-and",
    "-a",
    "-or",
    "-o",
    "!",
    "(",
    ")",
    ",",
    "-nouser",
    "-nogroup",
    "-ignore_readdir_race",
    "-noignore_readdir_race",
    "-warn",
    "-nowarn",
    "-help",
    "--help",
];

/// Reads the words of `find` from the first on, whatever was taken for an option.
pub(crate) fn read(
    walker: &mut Walker<'_>,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
) -> ControlFlow<()> {
    // The words of `-exec` are read here, with what is found in their place.
    run.argv.wrapped = None;
    let words = run.fields.get(1..).unwrap_or(&[]).to_vec();
    let leading = words
        .iter()
        .take_while(|word| matches!(word.known(), Some("-H" | "-L" | "-P")))
        .count();
    let mut rest = words.get(leading..).unwrap_or(&[]);
    let mut starts = Vec::new();
    while let Some((word, tail)) = rest.split_first() {
        if word
            .known()
            .is_some_and(|text| text.starts_with(['-', '(', '!']))
        {
            break;
        }
        starts.push(word.clone());
        rest = tail;
    }
    if starts.is_empty() {
        starts.push(Field::Known(".".to_owned()));
    }
    for start in &starts {
        if matches!(start, Field::Unknown { prefix, .. } if prefix.is_empty()) {
            run.opaque(Opacity::ComputedArguments);
        }
        run.act(Role::Read, start, true);
    }
    expression(walker, run, env, at, (&starts, rest));
    ControlFlow::Break(())
}

fn expression(
    walker: &mut Walker<'_>,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
    (starts, all): (&[Field], &[Field]),
) {
    let mut rest = all;
    while let Some((word, tail)) = rest.split_first() {
        let before = all.get(..all.len() - rest.len()).unwrap_or(&[]);
        rest = tail;
        let Some(text) = word.known() else {
            run.opaque(Opacity::ComputedArguments);
            continue;
        };
        match text {
            "-delete" => {
                run.raise(Category::Removes);
                let found = found::found(starts, (before, run.fields), env, walker.session);
                for file in found.plain.iter().chain(&found.hidden) {
                    run.act(Role::Delete, file, true);
                }
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end = rest
                    .iter()
                    .position(|word| matches!(word.known(), Some(";" | "+")))
                    .unwrap_or(rest.len());
                let (command, after) = rest.split_at(end);
                rest = after.get(1..).unwrap_or(&[]);
                let found = found::found(starts, (before, run.fields), env, walker.session);
                let from = walker.effects.len();
                let in_directory = text.ends_with("dir");
                execute(walker, run, env, at, (&found.plain, command, in_directory));
                let changes = walker
                    .effects
                    .iter()
                    .skip(from)
                    .any(|effect| changes(&effect.act));
                let more = if changes { &found.hidden } else { &found.named };
                execute(walker, run, env, at, (more, command, in_directory));
            }
            "-fprint" | "-fprint0" | "-fls" => rest = written(run, rest, 1),
            "-fprintf" => rest = written(run, rest, 2),
            "-files0-from" => run.opaque(Opacity::ComputedArguments),
            _ if WITH_VALUE.contains(&text) => rest = rest.get(1..).unwrap_or(&[]),
            _ if PLAIN.contains(&text) || text.starts_with("-O") => {}
            _ => run.raise(Category::Unknown),
        }
    }
}

/// Whether an effect changes a file.
const fn changes(act: &Act) -> bool {
    match act {
        Act::Write(_) | Act::Move(_) | Act::Delete(_) | Act::Discard(_) => true,
        Act::Run(_)
        | Act::Read(_)
        | Act::Net(_)
        | Act::WebSearch(_)
        | Act::Mcp(_)
        | Act::Memory(_)
        | Act::Task { .. }
        | Act::Terminal(_)
        | Act::Tool(_)
        | Act::Spread { .. }
        | Act::GitAlias { .. }
        | Act::Script(_)
        | Act::Breaks(_)
        | Act::Opaque(_) => false,
    }
}

fn written<'f>(run: &mut Invocation<'_>, rest: &'f [Field], words: usize) -> &'f [Field] {
    if let Some(file) = rest.first() {
        run.raise(Category::Writes);
        run.act(Role::Write, file, false);
    }
    rest.get(words..).unwrap_or(&[])
}

/// The command of `-exec`, with `{}` standing for what is found.
fn execute(
    walker: &mut Walker<'_>,
    run: &Invocation<'_>,
    env: &Env,
    at: At,
    (found, command, in_directory): (&[Field], &[Field], bool),
) {
    for file in found {
        // `-execdir` runs in the directory of each file, which is not known.
        let file = match file {
            Field::Names(pattern) if in_directory => {
                Field::Names(format!("./{}", pattern.rsplit('/').next().unwrap_or("*")))
            }
            other => other.clone(),
        };
        let words: Vec<Field> = command
            .iter()
            .map(|word| match word.known() {
                Some("{}") => file.clone(),
                Some(text) if text.contains("{}") => within(text, &file),
                Some(_) | None => word.clone(),
            })
            .collect();
        let cwd = if in_directory {
            Vec::new()
        } else {
            run.cwd.clone()
        };
        let inner = Env {
            cwd: Shared::new(cwd),
            functions: Shared::default(),
            ..env.clone()
        };
        let at = At {
            command: walker.begin(),
            span: at.span,
        };
        walker.program(
            &words,
            &inner,
            &crate::effects::stream::Stream::Outside,
            at,
            &run.changed,
        );
    }
}

/// A word such as `{}.bak`, or a text for a shell in which a file name becomes part of the program.
fn within(text: &str, found: &Field) -> Field {
    let unknown = || Field::Unknown {
        why: crate::effects::command::Why::Input,
        prefix: text.split("{}").next().unwrap_or("").to_owned(),
        single: true,
    };
    match (text.split_once("{}"), pattern_of(found)) {
        (Some((front, back)), Some(pattern))
            if !back.contains("{}") && !text.contains([' ', ';', '|', '&', '$', '`']) =>
        {
            Field::Names(literal_pattern(front) + &pattern + &literal_pattern(back))
        }
        (Some(_) | None, _) => unknown(),
    }
}
