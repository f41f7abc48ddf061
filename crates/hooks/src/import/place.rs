//! Path patterns as agents write them, gitignore-like, into ours; which tool they are about is not known here.

use countersign_policy::action::Action;

/// Directories at the root of the disk that a project hardly has: a pattern that begins so may mean the disk.
const TOP_DIRECTORIES: [&str; 11] = [
    "home", "Users", "etc", "usr", "var", "tmp", "root", "proc", "sys", "dev", "opt",
];

/// Our patterns for one of theirs.
pub(super) struct Places {
    /// The patterns.
    pub(super) patterns: Vec<String>,
    /// What is to be said of it.
    pub(super) warning: Option<String>,
}

/// Translates a pattern. An allow is never wider than there, an ask or deny never narrower.
pub(super) fn places(action: Action, text: &str) -> Result<Places, String> {
    let strict = action != Action::Allow;
    let text = text.trim();
    refused(text)?;
    let text = classes(text, strict)?;
    let text = text.as_str();
    let plain = |pattern: String| Places {
        patterns: vec![pattern],
        warning: None,
    };
    if text.starts_with("//") || text == "~" || text.starts_with("~/") {
        return Ok(plain(text.to_owned()));
    }
    if matches!(text, "" | "*" | "**" | "**/*") {
        // There it ends at the working directory.
        let all = if strict { "**" } else { "/**" };
        return Ok(plain(all.to_owned()));
    }
    let rest = text.strip_prefix("./").or_else(|| text.strip_prefix('/'));
    if let Some(rest) = rest {
        return Ok(anchored(rest, text.starts_with('/'), strict));
    }
    let inner = text.strip_suffix('/').unwrap_or(text);
    if inner.contains('/') && !text.starts_with("**/") {
        return Ok(anchored(text, false, strict));
    }
    // At any depth: of the working directory there, of the whole disk here.
    Ok(plain(match (strict, text.starts_with("**/")) {
        (true, _) => text.to_owned(),
        (false, true) => format!("/{text}"),
        (false, false) => format!("/**/{text}"),
    }))
}

/// A pattern from the project root.
fn anchored(rest: &str, slashed: bool, strict: bool) -> Places {
    let first = rest.split('/').next().unwrap_or_default();
    if !TOP_DIRECTORIES.contains(&first) {
        return Places {
            patterns: vec![format!("/{rest}")],
            warning: None,
        };
    }
    // Written so that the reader of rules does not take it for a mistake.
    let mut patterns = vec![format!("./{rest}")];
    if slashed && strict {
        patterns.push(format!("//{rest}"));
    }
    let warning = if !slashed {
        None
    } else if strict {
        Some("it means a directory of the project; the one of the disk is meant here too")
    } else {
        Some("it means a directory of the project; for the one of the disk write `//`")
    };
    Places {
        patterns,
        warning: warning.map(str::to_owned),
    }
}

/// What has no meaning here.
fn refused(text: &str) -> Result<(), String> {
    let mut start = text.chars();
    let drive =
        matches!((start.next(), start.next()), (Some(c), Some(':')) if c.is_ascii_alphabetic());
    let why = if text.starts_with('!') {
        "an exception to other patterns; write `unless` into the rule that it is about"
    } else if drive {
        "a path of another system"
    } else if text.starts_with('$') {
        "variables are not read in patterns; write the path from `//` or `~`"
    } else if text.starts_with('~') && text != "~" && !text.starts_with("~/") {
        "another user's home directory; write its path from `//`"
    } else if text.split('/').any(|part| part == "..") {
        "paths are compared without `..`; write the path from `/` (project), `//` (disk) or `~`"
    } else {
        return Ok(());
    };
    Err(why.to_owned())
}

/// The pattern without classes of characters, which are not in our language: any one character in their place.
fn classes(text: &str, strict: bool) -> Result<String, String> {
    if !text.contains('[') {
        return Ok(text.to_owned());
    }
    if !strict {
        return Err(
            "classes of characters are not in the language; write one pattern for each".to_owned(),
        );
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, class)) = rest.split_once('[') {
        out.push_str(before);
        // The first `]` may belong to the class.
        let end = class
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == ']')
            .map(|(at, _)| at + 1);
        let Some(after) = end.and_then(|end| class.get(end..)) else {
            return Err("a class of characters that is not closed".to_owned());
        };
        out.push('?');
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::places;
    use countersign_policy::action::Action;

    fn check(action: Action, text: &str, expected: &[&str]) {
        let found = places(action, text).map(|places| places.patterns);
        let expected: Vec<String> = expected.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(found, Ok(expected), "{text}");
    }

    #[test]
    fn p13_path_patterns_keep_their_anchor() {
        for (text, expected) in [
            ("./secrets/**", "/secrets/**"),
            ("/src/**", "/src/**"),
            ("src/**", "/src/**"),
            ("~/.ssh/**", "~/.ssh/**"),
            ("//srv/data/**", "//srv/data/**"),
            ("./.env", "/.env"),
        ] {
            check(Action::Allow, text, &[expected]);
            check(Action::Deny, text, &[expected]);
        }
    }

    #[test]
    fn p13_an_allow_at_any_depth_ends_at_the_project() {
        check(Action::Allow, "*.ts", &["/**/*.ts"]);
        check(Action::Allow, "**/*.ts", &["/**/*.ts"]);
        check(Action::Allow, "**", &["/**"]);
        check(Action::Deny, "*.ts", &["*.ts"]);
        check(Action::Deny, "**/.env", &["**/.env"]);
        check(Action::Deny, "**", &["**"]);
    }

    #[test]
    fn p13_a_deny_of_a_directory_that_disks_have_holds_for_both() {
        check(
            Action::Deny,
            "/etc/passwd",
            &["./etc/passwd", "//etc/passwd"],
        );
        check(Action::Allow, "/etc/passwd", &["./etc/passwd"]);
        check(Action::Deny, "dev/x", &["./dev/x"]);
    }

    #[test]
    fn p13_what_a_path_pattern_cannot_say_is_left_out() {
        for text in ["!x", "../x", "$HOME/x", "C:\\x", "~other/x", "[ab]"] {
            assert!(places(Action::Allow, text).is_err(), "{text}");
        }
        check(Action::Deny, "x[]a]y/[0-9]", &["/x?y/?"]);
        assert!(places(Action::Deny, "x[ab").is_err());
    }
}
