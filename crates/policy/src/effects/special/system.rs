//! `dd`'s named operands, the modes and owners of `chmod` and `chown`, and what `ldd` looks at.

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::invocation::Invocation;
use crate::effects::locate;
use crate::effects::opacity::Opacity;
use crate::effects::programs::{Role, Tag};
use crate::effects::script::{At, Walker};
use crate::request::Category;
use std::ops::ControlFlow;

/// `dd if=… of=…`.
pub(crate) fn dd(run: &mut Invocation<'_>) -> ControlFlow<()> {
    for operand in run.argv.operands.clone() {
        let Some(text) = operand.known() else {
            run.opaque(Opacity::ComputedArguments);
            continue;
        };
        match text.split_once('=') {
            Some(("if", file)) => run.act(Role::Read, &Field::Known(file.to_owned()), false),
            Some(("of", file)) => {
                run.raise(Category::Writes);
                run.act(Role::Write, &Field::Known(file.to_owned()), false);
            }
            Some(_) | None => {}
        }
    }
    ControlFlow::Break(())
}

/// Places whose files are the system's own.
const SYSTEM: [&str; 6] = ["/usr/", "/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/"];

/// `ldd file…` runs the files, those of the system as they are run anyway.
pub(crate) fn ldd(
    walker: &mut Walker<'_>,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
) -> ControlFlow<()> {
    let mut all = run.category == Category::Builds;
    for operand in run.argv.operands.clone() {
        let target = locate::path(&operand, &run.cwd).ok();
        let is_system = target.is_some_and(|target| {
            target.pattern.is_none()
                && !target.places.is_empty()
                && target
                    .places
                    .iter()
                    .all(|place| SYSTEM.iter().any(|root| place.as_str().starts_with(root)))
        });
        if is_system {
            run.act(Role::Read, &operand, false);
        } else {
            all = false;
            walker.role(Role::Script, &operand, run, env, at);
        }
    }
    if all && !run.argv.operands.is_empty() {
        run.category = Category::Reads;
    }
    ControlFlow::Break(())
}

/// `chmod mode file…`, `chown owner file…`.
pub(crate) fn mode(run: &mut Invocation<'_>) -> ControlFlow<()> {
    let recursive = run.argv.has(Tag::Recursive);
    let operands = run.argv.operands.clone();
    // A mode such as `-x` looks like an option.
    let dashed = run
        .argv
        .options
        .iter()
        .any(|used| used.option.is_none() && !used.spelled.starts_with("--"));
    let by_reference = run.argv.uses("--reference");
    let skip = usize::from(!dashed && !by_reference);
    if let Some(mode) = operands.first().filter(|_| skip == 1) {
        // Set-user-id and set-group-id hand on the owner's privilege.
        let sets_id = mode.known().is_none_or(|text| {
            text.contains('s') && text.contains(['+', '=']) && run.name == "chmod"
                || (text.len() == 4
                    && text.starts_with(['2', '4', '6', '7'])
                    && run.name == "chmod")
        });
        if sets_id {
            run.raise(Category::Privilege);
        }
    }
    for operand in operands.iter().skip(skip) {
        run.act(Role::Write, operand, recursive);
        if recursive {
            run.spread(operand, operand);
        }
    }
    ControlFlow::Break(())
}
