//! `tar`: what its first cluster says happens, and where files go.

use crate::effects::argv;
use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::invocation::Invocation;
use crate::effects::programs::{self, Role, Tag};
use crate::effects::script::{At, Walker};
use crate::request::Category;
use std::ops::ControlFlow;

/// Reads `tar`'s words, the first of which may be a cluster without its dash.
pub(crate) fn tar(
    walker: &mut Walker<'_>,
    run: &mut Invocation<'_>,
    env: &Env,
    at: At,
) -> ControlFlow<()> {
    if let Some(Field::Known(first)) = run.fields.get(1)
        && !first.starts_with('-')
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && let Some(program) = programs::find("tar")
    {
        let mut fields = run.fields.to_vec();
        if let Some(word) = fields.get_mut(1) {
            *word = Field::Known(format!("-{first}"));
        }
        run.argv = argv::read(program, &run.name, &fields);
        let used = std::mem::take(&mut run.argv.options);
        for option in &used {
            walker.apply(option, run, env, at);
        }
        run.argv.options = used;
    }
    let extracts = run.argv.uses("-x");
    let creates = ["-c", "-r", "-u", "-A"]
        .iter()
        .any(|name| run.argv.uses(name));
    let lists = run.argv.uses("-t") && !extracts && !creates;
    if lists && run.changed.is_empty() && all_described(run) {
        run.category = Category::Reads;
    }
    let archive = run.argv.option("-f").and_then(|used| used.value.clone());
    if let Some(archive) = &archive {
        if archive
            .known()
            .is_some_and(|text| text.contains(':') && !text.starts_with(['/', '.']))
        {
            run.host(archive);
            run.raise(Category::Remote);
        }
        run.act(
            if creates { Role::Write } else { Role::Read },
            archive,
            false,
        );
    }
    if extracts {
        run.raise(Category::Writes);
        run.act(Role::Write, &Field::Known(".".to_owned()), true);
    } else if creates {
        // Unknown is what an archive may unpack; packing only reads what it is given.
        if run.category == Category::Unknown && run.changed.is_empty() && all_described(run) {
            run.category = Category::Writes;
        }
        run.raise(Category::Writes);
        for operand in run.argv.operands.clone() {
            run.act(Role::Read, &operand, true);
        }
    }
    ControlFlow::Break(())
}

/// Whether every option is one that the description knows.
fn all_described(run: &Invocation<'_>) -> bool {
    run.argv.options.iter().all(|used| {
        used.option.is_some_and(|option| {
            !matches!(option.tag, Tag::Changes | Tag::Opaque | Tag::Raises(_))
        })
    })
}
