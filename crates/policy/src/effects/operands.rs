//! What the options and operands of a program mean, by their roles in its description.

use crate::effects::argv::{Argv, Used};
use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::glob;
use crate::effects::invocation::{self, Invocation, written};
use crate::effects::locate;
use crate::effects::opacity::Opacity;
use crate::effects::programs::{Operands, Program, Role, Tag};
use crate::effects::script::{At, Walker};
use crate::effects::shell_text::is_stream;
use crate::effects::special;
use crate::effects::started;
use crate::effects::value::{Value, literal_pattern, literal_prefix};
use crate::effects::variables::hides_command;
use crate::effects::word::pattern_of;
use crate::request::Category;

/// A pattern that stands for more than this stands for anything.
const MOST_ALTERNATIVES: usize = 64;

impl Walker<'_> {
    pub(crate) fn options(&mut self, run: &mut Invocation<'_>, env: &Env, at: At) {
        let used = std::mem::take(&mut run.argv.options);
        for option in &used {
            self.apply(option, run, env, at);
        }
        run.argv.options = used;
    }

    /// Applies what an option changes and what its value means.
    pub(crate) fn apply(&mut self, used: &Used, run: &mut Invocation<'_>, env: &Env, at: At) {
        if used.unknown {
            run.raise(Category::Unknown);
        }
        let Some(option) = used.option else {
            return undescribed(used, run);
        };
        match option.tag {
            Tag::Inert
            | Tag::Alone
            | Tag::Recursive
            | Tag::GivesPattern
            | Tag::InPlace
            | Tag::Target
            | Tag::Shell
            | Tag::Inspects
            | Tag::Command
            | Tag::Becomes(_) => {}
            Tag::Raises(category) => run.raise(category),
            Tag::Opaque => run.opaque(Opacity::ComputedScript),
            Tag::Changes if special::is_inert_setting(&run.name, used.value.as_ref()) => {}
            Tag::Changes => {
                // A setting of git's may hold a command.
                if run.name == "git" && used.spelled.starts_with("-c") {
                    run.opaque(Opacity::ComputedScript);
                }
                run.raise(Category::Unknown);
                let value = used
                    .value
                    .as_ref()
                    .map_or(String::new(), |v| format!(" {}", written(v)));
                run.changed.push(format!("{}{value}", used.spelled));
            }
        }
        if let Some(value) = &used.value {
            // Programs that write to a pipe take its command for a file name that begins so.
            if option.role == Role::Write
                && value
                    .known()
                    .is_some_and(|text| text.starts_with(['|', '!']))
            {
                run.opaque(Opacity::ComputedScript);
            }
            self.role(option.role, value, run, env, at);
        }
    }

    /// The effect of a word in its role.
    pub(crate) fn role(
        &mut self,
        role: Role,
        field: &Field,
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        let recursive =
            run.argv.has(Tag::Recursive) || run.argv.chain.iter().any(|program| program.recursive);
        match role {
            Role::Text | Role::Pattern | Role::Assignments | Role::Command => {}
            Role::Directory => match locate::path(field, &run.cwd) {
                Ok(target) if target.pattern.is_none() && !locate::climbs(&target.written) => {
                    run.cwd = target.places;
                }
                Ok(_) | Err(_) => run.cwd.clear(),
            },
            Role::Shell => match field.known() {
                Some(text) => self.nested(text, 1, run, env, at),
                None => run.opaque(Opacity::ComputedScript),
            },
            Role::Code => run.opaque(Opacity::ForeignCode),
            Role::Script if run.argv.has(Tag::Inspects) => run.act(Role::Read, field, false),
            Role::Script if is_stream(field, &run.cwd) => run.opaque(Opacity::ComputedScript),
            Role::Script => {
                let inside = locate::path(field, &run.cwd).ok();
                if inside
                    .as_ref()
                    .is_some_and(|target| self.has_written(target))
                {
                    run.opaque(Opacity::ComputedScript);
                }
                let category = self.own_code(inside.as_ref());
                let before = run.category;
                run.act(role, field, false);
                run.acts
                    .extend(started::script_of_shell(run, inside.as_ref()));
                run.category = before.max(category);
            }
            Role::Read | Role::Write | Role::Edit | Role::Delete | Role::Move | Role::Host => {
                match became(role, &run.argv) {
                    Some(Role::Read) if run.name == "git" => {
                        for named in special::named_by_git(field) {
                            run.act(Role::Read, &named, recursive);
                        }
                    }
                    Some(role) => {
                        run.act(role, field, recursive);
                        // What walks through directories by itself is a formatter or a linter: it passes by `.git`, and
                        // what it mends keeps its meaning.
                        if role == Role::Edit && run.argv.has(Tag::Recursive) {
                            run.spread(field, field);
                        }
                    }
                    None => {}
                }
            }
        }
    }

    pub(crate) fn assignments(&self, run: &mut Invocation<'_>) {
        let mut hidden = false;
        for field in &run.argv.assignments {
            let Some((name, value)) = field.known().and_then(|word| word.split_once('=')) else {
                continue;
            };
            if self.changes(name, &Value::Known(value.to_owned())) {
                run.changed.push(format!("{name}={value}"));
                if hides_command(name, &Value::Known(value.to_owned())) {
                    hidden = true;
                }
            }
        }
        if hidden {
            run.opaque(Opacity::ComputedScript);
        }
    }

    /// The effects of the operands by their roles.
    pub(crate) fn operands(
        &mut self,
        inner: &'static Program,
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        let operands = run.argv.operands.clone();
        if run.argv.has(Tag::Shell) {
            self.shell_operand(&operands, run, env, at);
            return;
        }
        let roles = roles(&inner.operands, operands.len(), &run.argv);
        let mut paths = 0;
        let mut text = Vec::new();
        for (field, role) in operands.iter().zip(&roles) {
            paths += usize::from(!matches!(role, Role::Text | Role::Pattern));
            match role {
                Role::Shell => text.push(field.clone()),
                role => self.role(*role, field, run, env, at),
            }
        }
        if !text.is_empty() {
            // The words of a text for a shell are joined by blanks.
            let known: Option<Vec<&str>> = text.iter().map(Field::known).collect();
            match known {
                Some(words) => self.nested(&words.join(" "), operands.len(), run, env, at),
                None => run.opaque(Opacity::ComputedScript),
            }
        }
        if operands.len() > roles.len() {
            run.raise(Category::Unknown);
        }
        entered(&operands, &roles, run);
        raised(inner, &operands, run);
        let names_output = run.argv.options.iter().any(|used| {
            used.value.is_some() && used.option.is_some_and(|option| option.role == Role::Write)
        });
        if let Some(into) = inner.into
            && !names_output
            && let Some(role) = became(Role::Write, &run.argv)
            && role == Role::Write
        {
            run.act(role, &Field::Known(into.to_owned()), true);
        }
        let recursive = inner.recursive || run.argv.has(Tag::Recursive);
        if let (0, Some(default)) = (paths, inner.default_operand)
            && (recursive || !inner.default_needs_recursive)
        {
            // What is edited in place is edited there too.
            let role = became(Role::Read, &run.argv).unwrap_or(Role::Read);
            run.act(role, &Field::Known(default.to_owned()), recursive);
        }
    }
}

/// What some programs do that no description can say.
pub(crate) fn by_name(name: &str, run: &mut Invocation<'_>) {
    match name {
        "env" | "printenv" if run.argv.wrapped.is_none() => run.prints_environment(),
        // Without a command it starts a shell, which reads what comes in.
        "script" if run.argv.wrapped.is_none() && !run.argv.uses("-c") => {
            run.opaque(Opacity::ComputedScript);
        }
        // A setting by name may take back that nothing is run.
        "bash" | "sh" | "dash" | "ash" | "ksh" | "mksh" | "ksh93" | "zsh" | "rbash" | "yash"
        | "bash5"
            if run.argv.has(Tag::Inspects) && run.argv.uses("-o") =>
        {
            run.opaque(Opacity::ComputedScript);
        }
        // What an interactive or login shell reads first is found by settings that were changed.
        "bash" | "sh" | "dash" | "zsh" | "ksh"
            if !run.changed.is_empty()
                && ["-i", "-l", "--login", "--rcfile", "--init-file"]
                    .iter()
                    .any(|name| run.argv.uses(name)) =>
        {
            run.opaque(Opacity::ComputedScript);
        }
        "grep" | "egrep" | "fgrep" | "rg" => included(run),
        // Hidden files are found by a pattern that is not read.
        "fd" | "fdfind"
            if run.argv.wrapped.is_some()
                && ["-H", "-u", "-I"].iter().any(|name| run.argv.uses(name)) =>
        {
            run.opaque(Opacity::ComputedArguments);
        }
        "cargo" if run.argv.words.get(1).and_then(Field::known) == Some("clean") => {
            let target = run
                .argv
                .option("--target-dir")
                .and_then(|used| used.value.clone());
            if let Some(target) = target {
                run.raise(Category::Removes);
                run.act(Role::Delete, &target, true);
            }
        }
        "tox" | "mvn" | "mvnw" | "yarn" | "pnpm" | "gradle" | "gradlew" => {
            run.raise(Category::Builds);
        }
        "git" => special::git_by_value(run),
        "jq" | "yq" | "gojq" | "jaq" => queried(run),
        "zip" | "csplit" | "split" => attached(name, run),
        _ => {}
    }
    special::beside::read(name, run);
}

/// What each operand is.
fn roles(operands: &Operands, count: usize, argv: &Argv) -> Vec<Role> {
    let pattern_given = argv.has(Tag::GivesPattern);
    let front: Vec<Role> = operands
        .front
        .iter()
        .copied()
        .filter(|role| *role != Role::Assignments && !(pattern_given && *role == Role::Pattern))
        .collect();
    let leading = front.len().min(count);
    // Where an option gives the destination, every operand is a source.
    let back: &[Role] = if argv.has(Tag::Target) {
        &[]
    } else {
        operands.back
    };
    let trailing = back.len().min(count - leading);
    let between = count - leading - trailing;
    let mut out: Vec<Role> = front.into_iter().take(leading).collect();
    if let Some(role) = operands.middle {
        out.extend(std::iter::repeat_n(role, between));
    }
    out.extend(back.iter().skip(back.len() - trailing).copied());
    out
}

/// `grep -r --include=NAME` reads what has that name, wherever it is.
fn included(run: &mut Invocation<'_>) {
    let mut names = Vec::new();
    for used in &run.argv.options {
        let pattern = used.value.as_ref().and_then(Field::known);
        // An option may be abbreviated.
        let name = used.option.and_then(|option| option.names.first());
        let name = name.copied().unwrap_or(used.spelled.as_str());
        let pattern = match name {
            "--include" | "-g" | "--glob" | "--iglob" => pattern,
            // A kind of files, made of names.
            "--type-add" => pattern
                .and_then(|text| text.split_once(':'))
                .map(|(_, pattern)| pattern),
            _ => None,
        };
        names.extend(pattern.into_iter().flat_map(alternatives));
    }
    for name in names.iter().filter(|name| !name.starts_with('!')) {
        let name = name.trim_start_matches('/');
        // The case of letters may not count.
        let lower = name.to_ascii_lowercase();
        for name in [name, &lower] {
            for name in special::found::dotted(name) {
                run.act(Role::Read, &Field::Names(format!("./**/{name}")), false);
            }
        }
    }
}

/// What a pattern with braces stands for. Beyond a few it stands for anything.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(text) = open.pop() {
        let inner = text
            .rfind('{')
            .and_then(|at| Some((at, text.get(at..)?.find('}')? + at)));
        let pieces = inner.and_then(|(from, to)| {
            Some((
                text.get(..from)?,
                text.get(from + 1..to)?,
                text.get(to + 1..)?,
            ))
        });
        match pieces {
            None => done.push(text),
            Some((front, choices, end)) => {
                let choices = choices.split(',');
                open.extend(choices.map(|choice| format!("{front}{choice}{end}")));
            }
        }
        if done.len() + open.len() > MOST_ALTERNATIVES {
            return vec!["*".to_owned(), ".*".to_owned()];
        }
    }
    done
}

/// An option that the description does not know: most of git's commands take those of a difference, and with them an
/// output file.
fn undescribed(used: &Used, run: &mut Invocation<'_>) {
    if run.name != "git" {
        return;
    }
    // It begins several options, of which a git that lacks the others takes the one that it has.
    let begins = |name: &&str| name.starts_with(used.spelled.as_str());
    let mut options = run.argv.program().into_iter().flat_map(|own| own.options);
    if used.spelled.len() > 2 && options.any(|option| option.names.iter().any(begins)) {
        run.raise(Category::Unknown);
    }
    let output = used.spelled.len() > 4 && "--output".starts_with(used.spelled.as_str());
    if !output {
        return;
    }
    match &used.value {
        Some(file) => run.act(Role::Write, file, false),
        None => run.opaque(Opacity::ComputedArguments),
    }
}

/// Programs for `jq` and its kin: some words of theirs read files and the environment.
fn queried(run: &mut Invocation<'_>) {
    let reads = |word: &str| {
        matches!(
            word,
            "import"
                | "include"
                | "$ENV"
                | "env"
                | "load"
                | "load_str"
                | "load_xml"
                | "load_props"
                | "load_base64"
                | "loadstr"
                | "loadxml"
                | "loadprops"
                | "loadbase64"
                | "strload"
                | "xmlload"
                | "propsload"
                | "base64load"
                | "str_load"
                | "xml_load"
                | "props_load"
                | "base64_load"
                | "strenv"
                | "str_env"
                | "envsubst"
                | "system"
                | "eval"
        ) || word.starts_with("$ENV.")
            || word.starts_with("env.")
    };
    let hidden = run
        .argv
        .operands
        .iter()
        .filter_map(Field::known)
        .any(|text| {
            text.split(|c: char| !(c.is_ascii_alphanumeric() || "_$.".contains(c)))
                .any(reads)
        });
    if hidden {
        run.opaque(Opacity::ForeignCode);
    }
}

/// Values that say more than they seem to: a test command attached to `zip -TT`, a directory in the end of a name.
fn attached(name: &str, run: &mut Invocation<'_>) {
    let command = |field: &Field| {
        field
            .known()
            .is_some_and(|text| text.len() > 3 && text.starts_with("-TT"))
    };
    let suffix = |used: &Used| {
        ["-b", "--suffix-format", "--additional-suffix"].contains(&used.spelled.as_str())
            && used
                .value
                .as_ref()
                .is_some_and(|value| value.known().is_none_or(|text| text.contains('/')))
    };
    if name == "zip" && run.fields.iter().any(command) {
        run.opaque(Opacity::ComputedScript);
    }
    if name != "zip" && run.argv.options.iter().any(suffix) {
        run.opaque(Opacity::ComputedPath);
    }
}

/// A file that is copied or moved to a directory gets its own name there, whether or not there is such a directory yet.
fn entered(operands: &[Field], roles: &[Role], run: &mut Invocation<'_>) {
    let target = run.argv.options.iter().find_map(|used| {
        let option = used.option.filter(|option| option.tag == Tag::Target)?;
        (option.role == Role::Write)
            .then(|| used.value.clone())
            .flatten()
    });
    let destination = match (target, operands.last(), roles.last()) {
        (Some(target), _, _) => target,
        (None, Some(last), Some(Role::Write)) if operands.len() > 1 => last.clone(),
        (None, _, _) => return,
    };
    let Some(front) = pattern_of(&destination) else {
        return;
    };
    let front = front.trim_end_matches('/').to_owned();
    for (source, role) in operands.iter().zip(roles) {
        if !matches!(role, Role::Read | Role::Move) {
            continue;
        }
        let name = match source {
            // `dir/.` is what `dir` holds; that it comes from there counts as if it kept the name.
            Field::Known(text) => literal_pattern(
                text.split('/')
                    .rfind(|part| !matches!(*part, "" | "."))
                    .unwrap_or(text),
            ),
            Field::Names(pattern) => pattern.rsplit('/').next().unwrap_or("*").to_owned(),
            Field::Listed(_) | Field::Unknown { .. } => continue,
        };
        let whole = *role == Role::Move || run.argv.has(Tag::Recursive);
        let inside = format!("{front}/{name}");
        let inside = if glob::is_literal(&inside) {
            Field::Known(glob::unescaped(&inside))
        } else {
            Field::Names(inside)
        };
        run.act(Role::Write, &inside, false);
        if whole {
            run.spread(source, &destination);
        }
    }
}

/// Operands that make a use graver than it is without them.
fn raised(inner: &'static Program, operands: &[Field], run: &mut Invocation<'_>) {
    for (category, patterns) in inner.operand_raises {
        for operand in operands {
            if !patterns.iter().any(|pattern| may_match(pattern, operand)) {
                continue;
            }
            run.raise(*category);
            if let Some(setting) = operand.known().filter(|text| text.contains('=')) {
                run.changed.push(setting.to_owned());
            }
        }
    }
}

/// Whether a pattern matches an operand, or may match one that is not known to the end.
fn may_match(pattern: &str, operand: &Field) -> bool {
    let begins = literal_prefix(pattern);
    let overlaps = |prefix: &str| prefix.starts_with(&begins) || begins.starts_with(prefix);
    match operand {
        Field::Known(text) => glob::matches(pattern, text),
        Field::Names(names) | Field::Listed(names) => {
            // An extended pattern may begin anyhow.
            names.contains('(') || overlaps(&literal_prefix(names))
        }
        Field::Unknown { prefix, .. } => overlaps(prefix),
    }
}

/// What a role is once options have had their say: edited in place, only read, or nothing.
fn became(role: Role, argv: &Argv) -> Option<Role> {
    match (role, invocation::became(argv)) {
        (Role::Host, _) => Some(role),
        (_, Some(Category::Reads)) => Some(Role::Read),
        (Role::Delete, Some(Category::Writes)) => None,
        (Role::Read, _) if argv.has(Tag::InPlace) => Some(Role::Edit),
        (_, _) => Some(role),
    }
}

/// Whether the words only ask a described program for its help or version.
pub(crate) fn says_only(argv: &Argv) -> bool {
    let builds = argv
        .program()
        .is_some_and(|program| program.category == Category::Builds);
    let name = argv.words.first().and_then(Field::known);
    // These bring in what the project says, or ask the net.
    let more = matches!(
        name,
        Some(
            "tox"
                | "mvn"
                | "mvnw"
                | "yarn"
                | "pnpm"
                | "gradle"
                | "gradlew"
                | "terraform"
                | "tofu"
                | "opentofu"
        )
    );
    let short_help = |used: &Used| {
        used.spelled == "-h"
            && used
                .option
                .is_some_and(|option| option.tag == Tag::Becomes(Category::Reads))
    };
    let asks = |only: &Used| {
        let alone = only.option.is_some_and(|option| option.tag == Tag::Alone);
        // What a program that runs the project's code says of itself files of the project may settle, unless its
        // description says otherwise.
        let plain = matches!(only.spelled.as_str(), "--help" | "--version") || short_help(only);
        only.value.is_none() && (alone || plain && !builds)
    };
    !more
        && argv.operands.is_empty()
        && argv.unknown_subcommand.is_none()
        && argv.wrapped.is_none()
        && matches!(argv.options.as_slice(), [only] if asks(only))
}
