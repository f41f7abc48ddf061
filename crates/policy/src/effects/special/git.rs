//! `git` and `gh`: aliases, configuration files, checkouts of paths, and the method of an API call.

use crate::effects::command::{Field, Why};
use crate::effects::effect::Act;
use crate::effects::glob;
use crate::effects::invocation::Invocation;
use crate::effects::locate;
use crate::effects::opacity::Opacity;
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
                run.opaque(Opacity::ComputedArguments);
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
    if names_person(run) {
        return ControlFlow::Break(());
    }
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

/// Whether only the name or address that this repository's commits bear is set: neither runs or reaches anything.
fn names_person(run: &Invocation<'_>) -> bool {
    let key = match run.argv.operands.as_slice() {
        [verb, key, ..] if matches!(verb.known(), Some("set" | "unset")) => key,
        [key, ..] => key,
        [] => return false,
    };
    let named = key.known().map(str::to_ascii_lowercase);
    let plain = run.argv.options.iter().all(|used| {
        used.option.is_some_and(|option| {
            ["--local", "--add", "--replace-all", "--unset", "--all"]
                .iter()
                .any(|name| option.names.contains(name))
        })
    });
    plain && matches!(named.as_deref(), Some("user.name" | "user.email"))
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

/// The strategies that git has itself, but for the one that puts what is merged below some other directory. It runs a
/// program by the name of any other.
const STRATEGIES: [&str; 5] = ["ort", "recursive", "resolve", "octopus", "ours"];

/// What some commands do by the values of their options: merge by a program, show what is staged, put a path into the
/// index.
pub(crate) fn by_value(run: &mut Invocation<'_>) {
    let values = |run: &Invocation<'_>, name: &str| -> Vec<Field> {
        let of_name = run.argv.options.iter().filter(|used| {
            used.option
                .is_some_and(|option| option.names.contains(&name))
        });
        of_name.filter_map(|used| used.value.clone()).collect()
    };
    let own = |value: &Field| value.known().is_some_and(|name| STRATEGIES.contains(&name));
    if !values(run, "--strategy").iter().all(own) {
        run.raise(Category::Unknown);
        run.opaque(Opacity::ComputedCommand);
    }
    // What is merged comes to lie below another directory.
    for value in values(run, "--strategy-option") {
        match value.known().map(|text| (text, text.split_once('='))) {
            Some(("subtree", _)) | None => run.opaque(Opacity::ComputedPath),
            Some((_, Some(("subtree", path)))) => {
                run.act(Role::Write, &Field::Known(path.to_owned()), true);
            }
            Some(_) => {}
        }
    }
    // The end of a name may hold a directory.
    let leads = |value: &Field| value.known().is_none_or(|text| text.contains('/'));
    if values(run, "--suffix").iter().any(leads) {
        run.opaque(Opacity::ComputedPath);
    }
    for value in values(run, "--cacheinfo") {
        match value.known().map(|text| text.splitn(3, ',').nth(2)) {
            // In the older form mode, object and path are three words.
            Some(None) => {}
            Some(Some(path)) => run.act(Role::Write, &Field::Known(path.to_owned()), false),
            None => run.opaque(Opacity::ComputedPath),
        }
    }
    let status = run.argv.words.get(1).and_then(Field::known) == Some("status");
    if status && run.argv.uses("-v") {
        for operand in run.argv.operands.clone() {
            for named in named(&operand) {
                run.act(Role::Read, &named, false);
            }
        }
    }
}

/// What a word that is read names: a path, a pattern of paths of git's own kind, or a path behind a revision
/// (`HEAD:path`).
pub(crate) fn named(field: &Field) -> Vec<Field> {
    let pattern = match field {
        Field::Known(text) => match text.strip_prefix(':') {
            Some(magic) => return by_magic(text, magic),
            None => text,
        },
        Field::Names(pattern) => pattern,
        Field::Listed(_) | Field::Unknown { .. } => return vec![field.clone()],
    };
    let mut out = vec![field.clone()];
    if matches!(field, Field::Known(_)) {
        out.extend(behind_colons(pattern));
    }
    out.extend(found(pattern));
    out
}

/// The paths behind each colon of a word, of which only the one behind the revision is meant.
fn behind_colons(text: &str) -> impl Iterator<Item = Field> + '_ {
    let tails = text
        .match_indices(':')
        .filter_map(|(at, _)| text.get(at + 1..));
    tails.map(|tail| Field::Known(tail.to_owned()))
}

/// A word that begins with a colon: a pattern with magic, or a file of the index (`:path`, `:2:path`).
fn by_magic(text: &str, magic: &str) -> Vec<Field> {
    let long = magic
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'));
    let (words, rest) = long.unwrap_or_else(|| {
        let rest = magic.trim_start_matches(['!', '^', '/']);
        let signs = magic.get(..magic.len() - rest.len()).unwrap_or("");
        (signs, rest.strip_prefix(':').unwrap_or(rest))
    });
    let has = |word: &str| words.split(',').any(|own| own == word);
    if words.contains(['!', '^']) || has("exclude") {
        return Vec::new();
    }
    if has("icase") {
        return vec![Field::Unknown {
            why: Why::Transformation,
            prefix: String::new(),
            single: true,
        }];
    }
    let mut out = vec![Field::Known(rest.to_owned())];
    out.extend(behind_colons(text));
    if !has("literal") {
        out.extend(found(rest));
    }
    out
}

/// The most stars that are looked at in one pattern.
const STARS: usize = 8;

/// What a pattern of git's finds, as patterns of the shell's, which find less: git's stars match slashes, and its
/// wildcards a leading dot. A pattern that ends in a star means all of a directory and nothing in it by name.
fn found(pattern: &str) -> Vec<Field> {
    if glob::is_literal(pattern) {
        return Vec::new();
    }
    let mut out = vec![pattern.to_owned()];
    let hidden: Vec<String> = pattern.split('/').map(hidden).collect();
    out.push(hidden.join("/"));
    for (at, _) in pattern.match_indices('*').take(STARS) {
        let rest = pattern.get(at..).unwrap_or("").trim_start_matches('*');
        let name = rest.rsplit('/').next().unwrap_or(rest);
        if !name.trim_matches(['*', '?']).is_empty() {
            let name = if rest.contains('/') {
                name.to_owned()
            } else {
                format!("*{name}")
            };
            out.push(format!("./**/{}", self::hidden(&name)));
            out.push(format!("./**/{name}"));
        }
    }
    out.sort();
    out.dedup();
    out.into_iter().map(Field::Names).collect()
}

/// A component of a pattern where its first wildcard finds a leading dot.
fn hidden(component: &str) -> String {
    let Some(rest) = component.strip_prefix(['*', '?', '[']) else {
        return component.to_owned();
    };
    if component.trim_matches('*').is_empty() {
        return component.to_owned();
    }
    if component.starts_with('*') {
        return format!(".{component}");
    }
    let rest = match rest.split_once(']') {
        Some((_, after)) if component.starts_with('[') => after,
        Some(_) | None => rest,
    };
    format!(".{rest}")
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
