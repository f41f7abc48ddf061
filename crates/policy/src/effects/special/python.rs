//! `python`: modules run by name, script files, and the little of `-c` that can be told.

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::invocation::Invocation;
use crate::effects::programs::Role;
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::request::Category;
use std::ops::ControlFlow;

/// Modules that only read and print.
const READING: [&str; 6] = [
    "json.tool",
    "tokenize",
    "tabnanny",
    "calendar",
    "this",
    "platform",
];
/// Modules that run the project's own code or change only its files.
const BUILDING: [&str; 14] = [
    "pytest",
    "unittest",
    "mypy",
    "ruff",
    "black",
    "isort",
    "flake8",
    "pylint",
    "coverage",
    "tox",
    "nox",
    "compileall",
    "py_compile",
    "venv",
];

/// Reads what is run.
pub(crate) fn read(
    walker: &mut Walker<'_>,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
) -> ControlFlow<()> {
    if let Some(module) = run.argv.option("-m").map(|used| used.value.clone()) {
        match module.as_ref().and_then(Field::known) {
            Some("pip") => {
                let mut fields = vec![Field::Known("pip".to_owned())];
                fields.extend(run.argv.operands.iter().cloned());
                let inner = Env {
                    cwd: Shared::new(run.cwd.clone()),
                    ..env.clone()
                };
                walker.program(&fields, &inner, &run.input, at, &run.changed);
            }
            // Without `-I` or `-P` a module of that name in the working directory would be run in its place.
            Some(name)
                if READING.contains(&name)
                    && run.changed.is_empty()
                    && (run.argv.uses("-I") || run.argv.uses("-P")) =>
            {
                run.category = Category::Reads;
                for operand in run.argv.operands.clone() {
                    run.act(Role::Read, &operand, false);
                }
            }
            Some(name) if BUILDING.contains(&name) || READING.contains(&name) => {
                run.raise(Category::Builds);
            }
            Some(_) | None => run.raise(Category::Unknown),
        }
        return ControlFlow::Break(());
    }
    if run.argv.uses("-c") {
        return ControlFlow::Break(());
    }
    if let Some(script) = run
        .argv
        .operands
        .first()
        .cloned()
        .filter(|f| f.known() != Some("-"))
    {
        walker.role(Role::Script, &script, run, env, at);
    }
    ControlFlow::Break(())
}
