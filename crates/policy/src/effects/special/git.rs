//! `git` and `gh`: aliases, configuration files, checkouts of paths, and the method of an API call.

use crate::effects::command::Field;
use crate::effects::effect::Act;
use crate::effects::invocation::Invocation;
use crate::effects::locate;
use crate::effects::programs::Role;
use crate::effects::script::Walker;
use crate::request::Category;
use std::ops::ControlFlow;

/// A word that is no subcommand of git's may be an alias, which may run anything.
pub(crate) fn alias(run: &mut Invocation<'_>) -> ControlFlow<()> {
    if let Some(sub) = run.argv.unknown_subcommand.clone() {
        run.raise(Category::Unknown);
        match sub {
            Field::Known(name) => {
                let words = run.argv.words.get(2..).unwrap_or(&[]).to_vec();
                run.acts.push(Act::GitAlias { name, words });
            }
            Field::Names(_) | Field::Listed(_) | Field::Unknown { .. } => {
                run.opaque(crate::effects::opacity::Opacity::ComputedArguments);
            }
        }
    }
    ControlFlow::Break(())
}

/// `git config`: which file, and whether it is written.
pub(crate) fn config(walker: &Walker<'_>, run: &mut Invocation<'_>) -> ControlFlow<()> {
    let verb = run.argv.operands.first().and_then(Field::known);
    let reading = [
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--get-color",
        "--get-colorbool",
        "--list",
        "-l",
    ];
    let writing = [
        "--unset",
        "--unset-all",
        "--add",
        "--replace-all",
        "--rename-section",
        "--remove-section",
        "--edit",
        "-e",
    ];
    let reads =
        reading.iter().any(|name| run.argv.uses(name)) || matches!(verb, Some("get" | "list"));
    let writes =
        !reads && (run.argv.operands.len() > 1 || writing.iter().any(|name| run.argv.uses(name)));
    if verb == Some("edit") {
        // An editor is opened, which may do anything with the file.
        run.raise(Category::Unknown);
    } else if !writes {
        only_read(run);
        return ControlFlow::Break(());
    }
    run.raise(Category::Writes);
    let file = run.argv.option("-f").and_then(|used| used.value.clone());
    let home = walker.session.home.as_ref();
    let file = match file {
        Some(file) => file,
        None if run.argv.uses("--system") => Field::Known("/etc/gitconfig".to_owned()),
        None if run.argv.uses("--global") => match home {
            Some(home) => Field::Known(home.join(".gitconfig").as_str().to_owned()),
            None => Field::Known("/etc/gitconfig".to_owned()),
        },
        None => match &walker.session.workspace {
            Some(root) => Field::Known(root.join(".git/config").as_str().to_owned()),
            None => Field::Known(".git/config".to_owned()),
        },
    };
    run.act(Role::Write, &file, false);
    ControlFlow::Break(())
}

/// What a look at the configuration is: a read, and of the file that it names too.
fn only_read(run: &mut Invocation<'_>) {
    if run.category == Category::Writes {
        run.category = Category::Reads;
    }
    for act in &mut run.acts {
        if let Act::Write(target) = act {
            *act = Act::Read(target.clone());
        }
    }
}

/// `git checkout`: a branch is entered; a path loses what was not committed.
pub(crate) fn checkout(run: &mut Invocation<'_>) -> ControlFlow<()> {
    let after_dashes = run.fields.iter().any(|field| field.known() == Some("--"));
    let creates = ["-b", "-B", "--orphan", "-t", "--track"]
        .iter()
        .any(|name| run.argv.uses(name));
    // Before 2.35 the letters behind `-t` were options of their own: `-tf` forces.
    let bundled = run.argv.option("-t").and_then(|used| used.value.as_ref());
    if bundled.is_some_and(|value| !matches!(value.known(), Some("direct" | "inherit"))) {
        run.raise(Category::Removes);
    }
    let operands = run.argv.operands.len();
    let path_like = run.argv.operands.iter().any(|field| {
        field.known().is_none_or(|text| {
            text == "."
                || text.ends_with('/')
                || text.starts_with("./")
                || text.starts_with(':')
                || text
                    .rsplit('/')
                    .next()
                    .is_some_and(|last| last.contains('.') && !last.starts_with('v'))
        })
    });
    if !creates && (after_dashes || operands > 1 || path_like) {
        run.raise(Category::Removes);
    } else if let ([operand], false) = (run.argv.operands.as_slice(), creates)
        && let Ok(target) = locate::path(operand, &run.cwd)
    {
        run.acts.push(Act::Discard(target));
    }
    ControlFlow::Break(())
}

/// `gh api`: a request that changes something, by its method or by its fields.
pub(crate) fn gh_api(run: &mut Invocation<'_>) -> ControlFlow<()> {
    let method = run.argv.option("-X").and_then(|used| used.value.clone());
    let fields: Vec<&Field> = run
        .argv
        .options
        .iter()
        .filter(|used| {
            used.option
                .is_some_and(|option| option.names.iter().any(|name| matches!(*name, "-f" | "-F")))
        })
        .filter_map(|used| used.value.as_ref())
        .collect();
    let graphql = run.argv.operands.first().and_then(Field::known) == Some("graphql");
    let mutates = fields.iter().any(|field| match field.known() {
        // A query that is not known may be a mutation.
        None => true,
        Some(text) => {
            text.contains("mutation")
                || text.starts_with("query=@")
                || text.contains("subscription")
        }
    });
    let changes = match method.as_ref().map(Field::known) {
        Some(Some("GET" | "HEAD" | "get" | "head")) => false,
        Some(_) => true,
        None if graphql => mutates,
        None => !fields.is_empty() || run.argv.uses("--input"),
    };
    run.raise(if changes {
        Category::Remote
    } else {
        Category::Fetches
    });
    ControlFlow::Break(())
}

/// Sections and keys of git's configuration that hold neither a command nor a path nor an address.
const INERT: [&str; 34] = [
    "user.",
    "author.",
    "committer.",
    "color.",
    "advice.",
    "column.",
    "log.",
    "core.quotepath",
    "core.autocrlf",
    "core.filemode",
    "core.ignorecase",
    "core.longpaths",
    "core.precomposeunicode",
    "core.abbrev",
    "init.defaultbranch",
    "commit.gpgsign",
    "tag.gpgsign",
    "commit.verbose",
    "diff.renames",
    "diff.renamelimit",
    "diff.algorithm",
    "diff.context",
    "diff.colormoved",
    "merge.conflictstyle",
    "merge.renamelimit",
    "pull.rebase",
    "pull.ff",
    "push.default",
    "rebase.autostash",
    "fetch.prune",
    "gc.auto",
    "grep.linenumber",
    "status.",
    "format.pretty",
];

/// Whether a `key=value` of `git -c` cannot make git run or write anything.
pub(crate) fn is_inert_setting(value: &Field) -> bool {
    let Some(text) = value.known() else {
        return false;
    };
    let (key, value) = text.split_once('=').unwrap_or((text, "true"));
    let key = key.to_ascii_lowercase();
    let plain_pager =
        matches!(value, "cat" | "" | "false") && (key == "core.pager" || key.starts_with("pager."));
    plain_pager
        || INERT.iter().any(|known| {
            if known.ends_with('.') {
                key.starts_with(known)
            } else {
                key == *known
            }
        })
}
