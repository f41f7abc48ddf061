//! What a command prints, where that can be told: names of a listing, a number, a text that was given to it.

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::glob;
use crate::effects::invocation::Invocation;
use crate::effects::special::found;
use crate::effects::stream::Stream;
use crate::effects::value::{MADE, NUMBER, literal_pattern, may_begin_with_dash, push_literal};
use crate::effects::word::pattern_of;
use crate::path::AbsPath;
use crate::request::Category;
use crate::session::Session;

/// The output of a builtin.
pub(crate) fn of_builtin(name: &str, arguments: &[Field], env: &Env, input: &Stream) -> Stream {
    let known = || {
        arguments
            .iter()
            .map(Field::known)
            .collect::<Option<Vec<&str>>>()
    };
    match name {
        "pwd" => match env.cwd.as_slice() {
            [only] => Stream::Known(only.as_str().to_owned()),
            _ => Stream::Unknown,
        },
        "echo" => match known() {
            Some(words) if words.first() == Some(&"-n") => {
                Stream::Known(words.get(1..).unwrap_or(&[]).join(" "))
            }
            Some(words) if words.first().is_some_and(|word| word.starts_with('-')) => {
                Stream::Unknown
            }
            Some(words) => Stream::Known(words.join(" ")),
            None => one(arguments),
        },
        "printf" => match arguments {
            [Field::Known(format), rest @ ..] if matches!(format.as_str(), "%s" | "%s\\n") => {
                match rest {
                    [Field::Known(text)] => Stream::Known(text.clone()),
                    _ => one(rest),
                }
            }
            [Field::Known(text)] if !text.contains(['%', '\\']) => Stream::Known(text.clone()),
            [Field::Known(text)]
                if !text.contains('%') && !text.replace("\\n", "").contains('\\') =>
            {
                Stream::Known(text.replace("\\n", "\n"))
            }
            _ => Stream::Unknown,
        },
        "cat" => input.clone(),
        _ => Stream::Unknown,
    }
}

fn one(fields: &[Field]) -> Stream {
    match fields {
        [Field::Names(pattern)] => Stream::Names(pattern.clone()),
        [Field::Listed(pattern)] => Stream::Listed(pattern.clone()),
        _ => Stream::Unknown,
    }
}

/// The output of a program.
pub(crate) fn of(session: &Session, run: &Invocation<'_>, env: &Env) -> Stream {
    let operands = run.argv.operands.as_slice();
    let words: Vec<&str> = run.argv.words.iter().map(word).collect();
    match run.name.as_str() {
        "cat" | "head" | "tail" | "sort" | "uniq" | "tac" | "tee" => passed(run, operands),
        "grep" | "rg" => searched(run, operands),
        "wc" | "nproc" | "expr" | "stat" | "id" => counted(run, operands),
        "ls" => listed(operands, "*"),
        "find" => found(run),
        "fd" | "fdfind" => Stream::Listed("**".to_owned()),
        "mktemp" => made(session, run, operands),
        "basename" => basename(operands),
        "dirname" => dirname(operands),
        "realpath" | "readlink" => Stream::Unknown,
        "date" => date(operands),
        "git" => git(session, &words, env),
        "curl" | "wget" => Stream::Download,
        _ if run.category == Category::Fetches => Stream::Download,
        _ => Stream::Unknown,
    }
}

/// A word as its text, or what stands for one that cannot be told: an option that nobody knows, unless it is certain
/// that it is none.
fn word(field: &Field) -> &str {
    match field {
        Field::Known(text) => text,
        Field::Names(pattern) if !may_begin_with_dash(pattern) => "?",
        Field::Unknown {
            prefix,
            single: true,
            ..
        } if !prefix.is_empty() && !prefix.starts_with('-') => "?",
        Field::Names(_) | Field::Listed(_) | Field::Unknown { .. } => "-?",
    }
}

/// A filter: what comes in goes out, or some lines of it.
fn passed(run: &Invocation<'_>, operands: &[Field]) -> Stream {
    if run.argv.uses("-c") || run.argv.uses("-b") {
        return Stream::Unknown;
    }
    let tees = run.name == "tee";
    let narrows = !matches!(run.name.as_str(), "cat" | "tee");
    match &run.input {
        _ if !tees && operands.iter().any(|field| field.known() != Some("-")) => Stream::Unknown,
        // Part of a known text is not known, but for a text of one line.
        Stream::Known(text) if narrows && text.contains('\n') => Stream::Unknown,
        // What is certain stays so where nothing is asked for that could leave it out or change it.
        Stream::Known(_) | Stream::Names(_) | Stream::Number if !passes_all(run) => Stream::Unknown,
        other => other.clone(),
    }
}

/// Whether a filter lets one line through as it is.
fn passes_all(run: &Invocation<'_>) -> bool {
    let words: Vec<&str> = run.fields.iter().skip(1).map(word).collect();
    let count = |text: &str| {
        text.bytes().all(|b| b.is_ascii_digit()) && !text.trim_start_matches('0').is_empty()
    };
    match (run.name.as_str(), words.as_slice()) {
        (_, [] | ["-"]) => true,
        ("tee", words) => words
            .iter()
            .all(|word| *word == "-a" || !word.starts_with('-')),
        ("sort", words) => words
            .iter()
            .all(|word| matches!(*word, "-u" | "-r" | "-n" | "-rn" | "-nr")),
        ("head" | "tail", ["-n", number]) => count(number),
        ("head" | "tail", [only]) => {
            let number = only.strip_prefix("-n").or(only.strip_prefix('-'));
            number.is_some_and(count)
        }
        _ => false,
    }
}

fn searched(run: &Invocation<'_>, operands: &[Field]) -> Stream {
    if run.argv.uses("-c") || run.argv.uses("--count") {
        return counted(run, operands);
    }
    let names = ["-l", "-L", "--files"]
        .iter()
        .any(|name| run.argv.uses(name));
    if names {
        let from = usize::from(!run.argv.uses("--files") && !run.argv.uses("-e"));
        return listed(operands.get(from..).unwrap_or(&[]), "**");
    }
    match (&run.input, operands.len()) {
        (Stream::Listed(pattern), 0 | 1) => Stream::Listed(pattern.clone()),
        _ => Stream::Unknown,
    }
}

/// A program that prints a number, as long as no word of its call is printed with it: the name of a file, a format.
fn counted(run: &Invocation<'_>, operands: &[Field]) -> Stream {
    let given: Vec<&str> = run.fields.iter().skip(1).map(word).collect();
    let number = match run.name.as_str() {
        "nproc" => operands.is_empty(),
        "wc" => matches!(
            given.as_slice(),
            ["-l" | "-c" | "-w" | "-m" | "--lines" | "--bytes" | "--words" | "--chars"]
        ),
        "id" => matches!(given.as_slice(), ["-u" | "-g" | "-ur" | "-gr"]),
        "expr" => operands.iter().all(is_calculated),
        "stat" => matches!(
            given.as_slice(),
            [
                "-c" | "-f",
                "%s" | "%Y"
                    | "%X"
                    | "%Z"
                    | "%a"
                    | "%u"
                    | "%g"
                    | "%h"
                    | "%i"
                    | "%b"
                    | "%B"
                    | "%z"
                    | "%m",
                _
            ]
        ),
        // One file, or what comes in: in front of a count of several stands the name.
        "grep" => operands.len() <= 2 && given.iter().all(|word| counts_lines(word)),
        _ => false,
    };
    if number {
        Stream::Number
    } else {
        Stream::Unknown
    }
}

/// Whether a word of `expr` is a number or a sign between two.
fn is_calculated(field: &Field) -> bool {
    match field {
        Field::Known(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            matches!(text.as_str(), "+" | "-" | "*" | "/" | "%")
                || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        Field::Names(pattern) => pattern == NUMBER,
        Field::Listed(_) | Field::Unknown { .. } => false,
    }
}

/// Whether a word of `grep -c` leaves its output the one number: a word that is no option, or an option that only
/// chooses what is counted.
fn counts_lines(word: &str) -> bool {
    match word.strip_prefix('-') {
        None => true,
        Some("-count" | "-ignore-case" | "-invert-match" | "-quiet" | "-no-filename") => true,
        Some(letters) => letters.chars().all(|c| "civwxEFPqshG".contains(c)),
    }
}

/// Names below the operands: `ls` prints bare names for one directory and paths for a pattern.
fn listed(operands: &[Field], depth: &str) -> Stream {
    match operands {
        [] => Stream::Listed(depth.to_owned()),
        [only] => match (only, depth) {
            (Field::Known(_), "*") => Stream::Listed("*".to_owned()),
            (Field::Names(pattern), "*") => Stream::Listed(pattern.clone()),
            (field, _) => pattern_of(field).map_or(Stream::Unknown, |pattern| {
                Stream::Listed(format!("{}/{depth}", pattern.trim_end_matches('/')))
            }),
        },
        _ => Stream::Unknown,
    }
}

fn found(run: &Invocation<'_>) -> Stream {
    let words = run.fields.get(1..).unwrap_or(&[]);
    let prints = words.iter().any(|word| {
        matches!(
            word.known(),
            Some("-printf" | "-exec" | "-execdir" | "-ls" | "-fprint" | "-ok")
        )
    });
    let is_start = |word: &&Field| {
        !word
            .known()
            .is_some_and(|text| text.starts_with(['-', '(', '!']))
    };
    let (starts, expression) = words.split_at(words.iter().take_while(is_start).count());
    if prints {
        return Stream::Unknown;
    }
    let start = match starts {
        [] => Field::Known(".".to_owned()),
        [start] => start.clone(),
        [_, _, ..] => return Stream::Unknown,
    };
    found::listed(&start, expression).map_or(Stream::Unknown, Stream::Listed)
}

/// The name of a new temporary file. Other options put it elsewhere, or it is made by none at all.
fn made(session: &Session, run: &Invocation<'_>, operands: &[Field]) -> Stream {
    let plain = |word: &str| {
        matches!(
            word,
            "-d" | "-q" | "-dq" | "-qd" | "--directory" | "--quiet"
        ) || !word.starts_with('-')
    };
    if !run.fields.iter().skip(1).map(word).all(plain) {
        return Stream::Unknown;
    }
    match (operands, session.temporary.first()) {
        ([], Some(place)) => Stream::Names(made_in(place)),
        ([Field::Known(template)], _) if template.starts_with('/') => {
            let front = template.trim_end_matches('X');
            Stream::Names(format!("{}*", literal_pattern(front)))
        }
        _ => Stream::Unknown,
    }
}

/// The pattern of a name that `mktemp` makes in a directory; no text of a script makes just this one.
pub(crate) fn made_in(place: &AbsPath) -> String {
    format!(
        "{}/tmp.{}",
        literal_pattern(place.as_str()),
        MADE.repeat(10)
    )
}

fn basename(operands: &[Field]) -> Stream {
    match operands {
        [Field::Known(text)] => {
            let trimmed = text.trim_end_matches('/');
            Stream::Known(trimmed.rsplit('/').next().unwrap_or(trimmed).to_owned())
        }
        [Field::Names(pattern)] => Stream::Names(last(pattern).to_owned()),
        [Field::Names(pattern), Field::Known(suffix)] => {
            let name = last(pattern);
            match name.strip_suffix(suffix.as_str()) {
                Some(front) if glob::is_literal(suffix) && !front.is_empty() => {
                    Stream::Names(front.to_owned())
                }
                // An ending that is not the pattern's own may or may not be there.
                Some(_) | None => Stream::Unknown,
            }
        }
        [Field::Listed(pattern)] => Stream::Listed(last(pattern).to_owned()),
        _ => Stream::Unknown,
    }
}

/// The last component of a pattern.
fn last(pattern: &str) -> &str {
    pattern.rsplit('/').next().unwrap_or("*")
}

fn dirname(operands: &[Field]) -> Stream {
    match operands {
        [Field::Known(text)] if text.contains('/') => {
            let trimmed = text.trim_end_matches('/');
            let at = trimmed.rfind('/').unwrap_or(0);
            let front = trimmed.get(..at.max(1)).unwrap_or("/");
            Stream::Known(
                if at == 0 && !text.starts_with('/') {
                    "."
                } else {
                    front
                }
                .to_owned(),
            )
        }
        [Field::Known(_)] => Stream::Known(".".to_owned()),
        _ => Stream::Unknown,
    }
}

/// A date in a format whose parts are numbers and names is one word that begins as the format does.
fn date(operands: &[Field]) -> Stream {
    let [Field::Known(format)] = operands else {
        return Stream::Unknown;
    };
    if matches!(format.as_str(), "+%s" | "+%Y" | "+%N" | "+%s%N") {
        return Stream::Number;
    }
    match format.strip_prefix('+').and_then(dated) {
        Some(pattern) if glob::is_literal(&pattern) => Stream::Known(glob::unescaped(&pattern)),
        Some(pattern) => Stream::Names(pattern),
        None => Stream::Unknown,
    }
}

/// What a format of `date` gives, as a pattern; nothing where it may hold a blank or a slash, or begin with a sign.
fn dated(format: &str) -> Option<String> {
    let mut pattern = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            push_literal(&mut pattern, &c.to_string());
            continue;
        }
        let letter = match chars.next()? {
            '-' | '0' => chars.next()?,
            other => other,
        };
        if !"YCymdHIMSNjsFTRBbhAapPuwUVWGgZ".contains(letter) {
            return None;
        }
        pattern.push_str("[0-9A-Za-z]*");
    }
    (!format.contains(['/', ' ', '\n', '\t'])).then_some(pattern)
}

fn git(session: &Session, words: &[&str], env: &Env) -> Stream {
    match words {
        ["git", "rev-parse", "--show-toplevel"] => top(session, env),
        ["git", "branch", "--show-current"]
        | ["git", "rev-parse", "--abbrev-ref", "HEAD"]
        | ["git", "symbolic-ref", "--short", "HEAD"] => Stream::Names(REFERENCE.to_owned()),
        ["git", "describe", rest @ ..] if rest.iter().all(|word| describes(word)) => {
            Stream::Names(REFERENCE.to_owned())
        }
        ["git", "rev-list", rest @ ..] if rest.contains(&"--count") => Stream::Number,
        ["git", verb, rest @ ..] if prints_objects(verb, rest) => {
            Stream::Names("[0-9a-f]".repeat(OBJECT))
        }
        ["git", "ls-files", ..] => Stream::Listed("**".to_owned()),
        ["git", "diff" | "show" | "diff-tree", rest @ ..]
            if rest.iter().any(|word| matches!(*word, "--name-only")) =>
        {
            Stream::Listed("**".to_owned())
        }
        _ => Stream::Unknown,
    }
}

/// The root of the repository, where every directory in question lies in the session's own.
fn top(session: &Session, env: &Env) -> Stream {
    let inside =
        |root: &AbsPath| !env.cwd.is_empty() && env.cwd.iter().all(|cwd| cwd.is_within(root));
    match &session.workspace {
        Some(root) if inside(root) => Stream::Known(root.as_str().to_owned()),
        Some(_) | None => Stream::Unknown,
    }
}

/// The digits in the name of an object, as many as a short one has: which file of such a name is meant does not matter.
const OBJECT: usize = 12;

/// The names of branches and tags hold no blank; a hostile repository may have one that begins with a dash.
const REFERENCE: &str = "**";

/// Words of `git describe` that leave its output a name.
fn describes(word: &str) -> bool {
    matches!(
        word,
        "--tags" | "--always" | "--all" | "--exact-match" | "--long" | "HEAD"
    ) || word.starts_with("--abbrev=")
        || word.starts_with("--match=")
}

/// Whether git prints nothing but names of objects.
fn prints_objects(verb: &str, words: &[&str]) -> bool {
    let mut options = words.iter().filter(|word| word.starts_with('-'));
    match verb {
        // It echoes options that it does not know, and words that name no revision but a file.
        "rev-parse" => {
            let only = |word: &&str| matches!(*word, "--verify" | "-q" | "--quiet" | "--short");
            options.all(|word| only(word) || word.starts_with("--short="))
                && (words.contains(&"--verify") || words.iter().all(|word| is_revision(word)))
        }
        "merge-base" => options.all(|word| {
            matches!(
                *word,
                "--all" | "-a" | "--octopus" | "--independent" | "--fork-point"
            )
        }),
        "rev-list" => options.all(|word| selects(word)),
        "hash-object" => options.all(|word| matches!(*word, "-w" | "--stdin")),
        "write-tree" => words.is_empty(),
        "log" => {
            let formats = [
                "--format=%H",
                "--format=%h",
                "--pretty=%H",
                "--pretty=%h",
                "--pretty=format:%H",
                "--pretty=format:%h",
                "--format=format:%H",
                "--format=format:%h",
            ];
            let is_format = |word: &str| formats.contains(&word);
            words.iter().any(|word| is_format(word))
                && options.all(|word| is_format(word) || selects(word))
        }
        _ => false,
    }
}

/// Options that choose commits and change nothing of how they are printed.
fn selects(word: &str) -> bool {
    let number = word.strip_prefix('-').unwrap_or(word);
    let choosing = [
        "--max-count=",
        "--skip=",
        "--since=",
        "--until=",
        "--after=",
        "--before=",
        "--author=",
        "--grep=",
        "--min-parents=",
        "--max-parents=",
        "--diff-filter=",
    ];
    matches!(
        word,
        "--reverse"
            | "--first-parent"
            | "--no-merges"
            | "--merges"
            | "--all"
            | "--branches"
            | "--tags"
            | "--remotes"
            | "--topo-order"
            | "--date-order"
            | "--author-date-order"
            | "-n"
            | "--"
    ) || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        || word
            .strip_prefix("-n")
            .is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
        || choosing.iter().any(|front| word.starts_with(front))
}

/// Words that name a revision wherever there is any, and no file that matters where there is none.
fn is_revision(word: &str) -> bool {
    let end = word.find(['~', '^', '@']).unwrap_or(word.len());
    let (name, rest) = word.split_at_checked(end).unwrap_or((word, ""));
    let plain = |c: char| c.is_ascii_alphanumeric() || "~^@{}".contains(c);
    word.starts_with('-')
        || rest.chars().all(plain)
            && matches!(
                name,
                "" | "HEAD"
                    | "FETCH_HEAD"
                    | "ORIG_HEAD"
                    | "main"
                    | "master"
                    | "develop"
                    | "trunk"
                    | "origin/main"
                    | "origin/master"
                    | "origin/develop"
                    | "origin/HEAD"
                    | "upstream/main"
                    | "upstream/master"
            )
}
