//! Makes requests and rules for the tests; a plain reader of words stands in for the reader of shell text.

use countersign_policy::action::Action;
use countersign_policy::effects::command::{CommandLine, Field, OptionUse, Why};
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Category, Kind, PathTarget, Request, Target};
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::confinement::Confinement;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use countersign_policy::verdict::Verdict;

/// The session of all tests.
pub(crate) fn session() -> Session {
    Session::example("/w")
}

/// A command of words. `$x` cannot be told, `"$x"` is one word that cannot, a word with a star is a bash pattern; `-r`
/// and `--recursive`, and `-f` and `--force`, are one option each.
pub(crate) fn command(text: &str) -> CommandLine {
    let words: Vec<Field> = text.split(' ').map(field).collect();
    let mut options = Vec::new();
    let mut operands = Vec::new();
    let mut over = false;
    for (place, word) in words.iter().enumerate().skip(1) {
        match word.known() {
            Some("--") if !over => over = true,
            Some(text) if text.starts_with("--") && !over => {
                let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| {
                    (name, Some(Field::Known(value.to_owned())))
                });
                options.push(option(name, value));
            }
            Some(text) if text.starts_with('-') && text.len() > 1 && !over => {
                options.extend(text.chars().skip(1).map(|c| option(&format!("-{c}"), None)));
            }
            // Programs with subcommands in these tests.
            Some(_) if place == 1 && matches!(words[0].known(), Some("git" | "npm")) => {}
            _ => operands.push(word.clone()),
        }
    }
    CommandLine {
        words,
        options,
        operands,
        other_names: Vec::new(),
        changed_by: Vec::new(),
    }
}

fn field(text: &str) -> Field {
    let unknown = |single, prefix: &str| Field::Unknown {
        why: Why::Variable,
        prefix: prefix.to_owned(),
        single,
    };
    if let Some(inner) = text.strip_prefix('"') {
        let prefix = inner.split('$').next().unwrap();
        return unknown(true, prefix);
    }
    match text.split_once('$') {
        Some((prefix, _)) => unknown(false, prefix),
        None if text.contains('*') => Field::Names(text.to_owned()),
        None => Field::Known(text.to_owned()),
    }
}

fn option(name: &str, value: Option<Field>) -> OptionUse {
    let names: &[&str] = match name {
        "-r" | "-R" | "--recursive" => &["-r", "-R", "--recursive"],
        "-f" | "--force" => &["-f", "--force"],
        other => {
            return OptionUse {
                names: vec![other.to_owned()],
                value,
            };
        }
    };
    OptionUse {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        value,
    }
}

/// A request for a target.
pub(crate) fn request(kind: Kind, target: Target, category: Category) -> Request {
    Request {
        kind,
        target,
        category,
        mode_applies: true,
        command: 0,
        own: kind != Kind::Shell && kind != Kind::ExternalDirectory,
        program: None,
        cwd: vec![AbsPath::parse("/w").unwrap()],
        within: None,
        floor: None,
        span: None,
    }
}

/// A request for a command.
pub(crate) fn shell(text: &str) -> Request {
    request(
        Kind::Shell,
        Target::Command(command(text)),
        Category::Unknown,
    )
}

/// A request for a path.
pub(crate) fn path(kind: Kind, text: &str) -> Request {
    let category = match kind {
        Kind::Read => Category::Reads,
        Kind::Delete => Category::Removes,
        _ => Category::Writes,
    };
    request(kind, Target::Path(place(text)), category)
}

/// A path; `…/` at the end means everything below.
pub(crate) fn place(text: &str) -> PathTarget {
    let (base, pattern) = match text.split_once('|') {
        Some((base, pattern)) => (base, Some(pattern.to_owned())),
        None => (text, None),
    };
    PathTarget {
        written: text.to_owned(),
        places: AbsPath::parse(base).into_iter().collect(),
        pattern,
        recursive: text.ends_with("/."),
    }
}

/// A layer of rules that hold no error.
pub(crate) fn layer(authority: Authority, text: &str) -> Layer {
    let parsed = parse(text, "rules.toml", authority);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.layer
}

/// The user's rules over the built-in ones.
pub(crate) fn user(text: &str) -> RuleSet {
    RuleSet::new(vec![builtin(), layer(Authority::User, text)])
}

/// The verdict in a mode, with nothing enforceable.
pub(crate) fn verdict(rules: &RuleSet, mode: Mode, requests: &[Request]) -> Verdict {
    with_confinement(rules, mode, requests, &[])
}

/// The verdict in a mode.
pub(crate) fn with_confinement(
    rules: &RuleSet,
    mode: Mode,
    requests: &[Request],
    enforceable: &[Confinement],
) -> Verdict {
    let session = session();
    judge(
        rules,
        requests,
        &Circumstances {
            mode,
            session: &session,
            now: 1_800_000_000,
            enforceable,
            malformed: None,
        },
    )
}

/// What follows for one request under the user's rules, in default mode.
pub(crate) fn action(text: &str, request: &Request) -> Action {
    verdict(&user(text), Mode::Default, std::slice::from_ref(request)).action
}
