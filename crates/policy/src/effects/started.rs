//! Which scripts of the project a command starts. What they say is looked up later, and never makes a verdict milder.

use crate::effects::argv::Argv;
use crate::effects::command::Field;
use crate::effects::effect::Act;
use crate::effects::invocation::Invocation;
use crate::path::AbsPath;
use crate::project::{ProjectScript, Runner};
use crate::request::PathTarget;

/// The most targets of one command that are looked at.
const MOST_TARGETS: usize = 8;

/// The scripts that a described program starts, as effects.
pub(crate) fn scripts(run: &Invocation<'_>) -> Vec<Act> {
    let found = match run.name.as_str() {
        "npm" | "pnpm" | "yarn" | "yarnpkg" | "bun" => package(run).into_iter().collect(),
        "make" | "gmake" => makefile(run),
        "just" => justfile(run).into_iter().collect(),
        "cargo" => alias(run).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().map(Act::Script).collect()
}

/// A file that runs in these directories as a script of a shell, given the words after it.
pub(crate) fn file(target: &PathTarget, words: &[Field], cwd: &[AbsPath]) -> Option<Act> {
    if target.pattern.is_some() {
        return None;
    }
    let file = target.places.first()?;
    Some(Act::Script(ProjectScript {
        runner: Runner::Shell,
        directories: cwd.to_vec(),
        file: Some(file.clone()),
        name: None,
        words: known(words)?,
    }))
}

/// The script that a shell of the Bourne family is given as a file, with the operands after it.
pub(crate) fn script_of_shell(run: &Invocation<'_>, place: Option<&PathTarget>) -> Option<Act> {
    const SHELLS: [&str; 6] = ["bash", "sh", "dash", "ash", "ksh", "zsh"];
    SHELLS
        .contains(&run.name.as_str())
        .then(|| file(place?, run.argv.operands.get(1..).unwrap_or(&[]), &run.cwd))?
}

/// `npm run x`, `npm test`, `yarn x`, `bun run x`.
fn package(run: &Invocation<'_>) -> Option<ProjectScript> {
    const OTHER_PACKAGES: [&str; 7] = [
        "-w",
        "--workspace",
        "--workspaces",
        "--filter",
        "-F",
        "-r",
        "--recursive",
    ];
    if OTHER_PACKAGES.iter().any(|name| run.argv.uses(name)) {
        return None;
    }
    let said = said(&run.argv)?;
    let mut words = said.iter();
    let first = words.next()?;
    let name = match first.as_str() {
        "run" | "run-script" | "rum" | "urn" => words.next()?.clone(),
        "t" | "tst" if run.name == "npm" => "test".to_owned(),
        // The managers' own commands are no scripts of these names; looking for one is of no harm.
        name => name.to_owned(),
    };
    Some(ProjectScript {
        runner: Runner::Package,
        directories: run.cwd.clone(),
        file: None,
        name: Some(name),
        words: words.filter(|word| *word != "--").cloned().collect(),
    })
}

/// `make`, `make x y`, `make -f other.mk`.
fn makefile(run: &Invocation<'_>) -> Vec<ProjectScript> {
    let file = named_file(run, "-f");
    let Some(targets) = known(&run.argv.operands) else {
        return Vec::new();
    };
    let mut names: Vec<Option<String>> = targets
        .into_iter()
        .filter(|word| !word.contains('='))
        .map(Some)
        .take(MOST_TARGETS)
        .collect();
    if names.is_empty() {
        names.push(None);
    }
    let script = |name| ProjectScript {
        runner: Runner::Make,
        directories: run.cwd.clone(),
        file: file.clone(),
        name,
        words: Vec::new(),
    };
    names.into_iter().map(script).collect()
}

/// `just`, `just x argument`.
fn justfile(run: &Invocation<'_>) -> Option<ProjectScript> {
    let mut words = known(&run.argv.operands)?.into_iter();
    Some(ProjectScript {
        runner: Runner::Just,
        directories: run.cwd.clone(),
        file: named_file(run, "-f"),
        name: words.find(|word| !word.contains('=')),
        words: words.collect(),
    })
}

/// `cargo x`, where `x` may be an alias of the project.
fn alias(run: &Invocation<'_>) -> Option<ProjectScript> {
    let mut words = said(&run.argv)?.into_iter();
    let name = words.next()?;
    // What cargo does itself no alias replaces.
    let own = run.argv.chain.len() > 1 && !["xtask", "xt", "x"].contains(&name.as_str());
    (!own && !name.starts_with('-')).then(|| ProjectScript {
        runner: Runner::Cargo,
        directories: run.cwd.clone(),
        file: None,
        name: Some(name),
        words: words.collect(),
    })
}

/// The words after the program's name, without the options in front, where all can be told.
fn said(argv: &Argv) -> Option<Vec<String>> {
    let words = known(argv.words.get(1..)?)?;
    let front = words
        .iter()
        .take_while(|word| word.starts_with('-'))
        .count();
    Some(words.get(front..)?.to_vec())
}

/// The file that an option names.
fn named_file(run: &Invocation<'_>, option: &str) -> Option<AbsPath> {
    let value = run.argv.option(option)?.value.as_ref()?;
    Some(run.cwd.first()?.join(value.known()?))
}

/// Words that can all be told.
fn known(words: &[Field]) -> Option<Vec<String>> {
    words
        .iter()
        .map(|word| word.known().map(str::to_owned))
        .collect()
}
