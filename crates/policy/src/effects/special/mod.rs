//! Programs whose arguments are a language of their own: a file each, chosen by the program's description.

mod archive;
mod awk;
pub(crate) mod beside;
mod curl;
pub(crate) mod find;
pub(crate) mod found;
mod git;
mod python;
mod sed;
mod system;

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::invocation::Invocation;
use crate::effects::programs::Special;
use crate::effects::script::{At, Walker};
use std::ops::ControlFlow;

/// Reads the operands of a program with a reading of its own; `Continue` where the description's roles hold for them.
pub(crate) fn read(
    walker: &mut Walker<'_>,
    special: Special,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
) -> ControlFlow<()> {
    match special {
        Special::None | Special::Kill => ControlFlow::Continue(()),
        Special::Test => ControlFlow::Break(()),
        Special::Find => find::read(walker, run, env, at),
        Special::Sed => sed::read(run),
        Special::Awk => awk::read(run),
        Special::Git => git::alias(run),
        Special::GitConfig => git::config(walker, run),
        Special::GitCheckout => git::checkout(run),
        Special::GhApi => git::gh_api(run),
        Special::Tar => archive::tar(walker, run, env, at),
        Special::Dd => system::dd(run),
        Special::Mode => system::mode(run),
        Special::Python => python::read(walker, run, env, at),
        Special::Curl => curl::read(run),
        Special::Ldd => system::ldd(walker, run, env, at),
    }
}

/// What a word of git's that is read names: paths, patterns of paths, and paths in a revision.
pub(crate) fn named_by_git(field: &Field) -> Vec<Field> {
    git::named(field)
}

/// What some of git's commands do that no description can say.
pub(crate) fn git_by_value(run: &mut Invocation<'_>) {
    git::by_value(run);
}

/// Whether a setting given to a program cannot make it run or write anything.
pub(crate) fn is_inert_setting(program: &str, value: Option<&Field>) -> bool {
    program == "git" && value.is_some_and(git::is_inert_setting)
}
