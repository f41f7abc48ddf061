//! `find`: where it starts, and the actions of its expression that delete, write and run.

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::invocation::Invocation;
use crate::effects::opacity::Opacity;
use crate::effects::programs::Role;
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::value::literal_pattern;
use crate::effects::word::pattern_of;
use crate::request::Category;
use std::ops::ControlFlow;

/// Tests and actions that take one word.
const WITH_VALUE: [&str; 41] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-atime",
    "-ctime",
    "-mmin",
    "-amin",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-newermt",
    "-samefile",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-maxdepth",
    "-mindepth",
    "-links",
    "-inum",
    "-fstype",
    "-printf",
    "-regextype",
    "-used",
    "-context",
    "-newerat",
    "-newerct",
    "-newermm",
];
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
    let names = names(rest);
    let found: Vec<Field> = starts
        .iter()
        .flat_map(|start| below(start, &names))
        .collect();
    expression(walker, run, env, at, (&found, rest));
    ControlFlow::Break(())
}

fn expression(
    walker: &mut Walker<'_>,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
    (found, mut rest): (&[Field], &[Field]),
) {
    while let Some((word, tail)) = rest.split_first() {
        rest = tail;
        let Some(text) = word.known() else {
            run.opaque(Opacity::ComputedArguments);
            continue;
        };
        match text {
            "-delete" => {
                run.raise(Category::Removes);
                for file in found {
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
                execute(
                    walker,
                    run,
                    env,
                    at,
                    (found, command, text.ends_with("dir")),
                );
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

/// What may be found below a starting point: everything, or what the expression's `-name` tests let through.
pub(crate) fn below(start: &Field, names: &[String]) -> Vec<Field> {
    let Some(pattern) = pattern_of(start) else {
        return vec![start.clone()];
    };
    let front = pattern.trim_end_matches('/');
    if names.is_empty() {
        return vec![Field::Names(format!("{front}/**"))];
    }
    names
        .iter()
        .map(|name| Field::Names(format!("{front}/**/{name}")))
        .collect()
}

/// The patterns of an expression's `-name` tests, where only a file that passes one of them can be found: none where
/// any test is negated or has another alternative.
pub(crate) fn names(expression: &[Field]) -> Vec<String> {
    let mut names = Vec::new();
    let mut alternatives = 1;
    let mut words = expression.iter().map(Field::known);
    while let Some(word) = words.next() {
        match word {
            Some("-not" | "!" | ",") => return Vec::new(),
            Some("-o" | "-or") => alternatives += 1,
            Some("-name") => match words.next() {
                Some(Some(name)) if !name.contains('/') => names.push(name.to_owned()),
                _ => return Vec::new(),
            },
            Some(_) | None => {}
        }
    }
    if names.len() < alternatives {
        Vec::new()
    } else {
        names
    }
}
