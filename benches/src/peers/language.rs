//! Their patterns in our rule language: globs over a text, prefixes, and the regular expressions that the cases use.

use serde_json::Value;
use std::fmt::Write as _;

/// One rule of a file of ours.
pub fn rule(action: &str, kind: &str, pattern: &str) -> String {
    let pattern = Value::String(pattern.to_owned());
    format!("[[rule]]\n{action} = {{ {kind} = {pattern} }}\n")
}

/// Several rules of one action and kind.
pub(super) fn rules<'p>(
    action: &str,
    kind: &str,
    patterns: impl IntoIterator<Item = &'p str>,
) -> String {
    let mut out = String::new();
    for pattern in patterns {
        let _ = write!(out, "{}", rule(action, kind, pattern));
    }
    out
}

/// Words that a command begins with.
pub(super) fn prefix(words: &str) -> String {
    format!("{} *", words.trim_end())
}

/// A glob over the whole text of a command. A star behind a word stands for the end of the word, or for more words.
pub(super) fn glob(pattern: &str) -> Vec<String> {
    match pattern.strip_suffix('*') {
        None | Some("") => vec![pattern.to_owned()],
        Some(front) if front.ends_with(' ') => vec![pattern.to_owned()],
        Some(front) => vec![
            pattern.to_owned(),
            format!("{pattern} *"),
            format!("{front} *"),
        ],
    }
}

/// A regular expression of a command as patterns; nothing where it cannot be said.
pub(super) fn regex(text: &str) -> Option<Vec<&'static str>> {
    Some(match text {
        "^ls" | "^ls\\b" => vec!["ls *"],
        "^ls$" => vec!["ls"],
        "^echo" | "^echo\\b" | "echo" => vec!["echo *"],
        "^cat" => vec!["cat *"],
        "^whoami" => vec!["whoami *"],
        "^rm" | "^rm\\b" => vec!["rm *"],
        "^sudo" | "^sudo\\b" => vec!["sudo *"],
        "^git\\b" => vec!["git *"],
        "^cargo\\b" => vec!["cargo *"],
        "^cargo\\s+build(\\s|$)" => vec!["cargo build *"],
        "^PAGER=blah\\s+git\\s+log(\\s|$)" => vec!["PAGER=blah git log *"],
        "^git\\s+(status|diff|log|show)\\b" => {
            vec!["git status *", "git diff *", "git log *", "git show *"]
        }
        "^git\\s+(--no-pager\\s+)?(fetch|status|diff|log|show|add|commit|push|checkout\\s+-b)\\b" =>
        {
            vec!["git add *", "git commit *", "git push *", "git status *"]
        }
        "rm\\s+-rf" => vec!["rm -rf *"],
        ".*" => vec!["*"],
        _ => return None,
    })
}
