//! What becomes of `OpenCode`'s rules, row by row.

use super::settings;
use crate::import::file::written;
use crate::import::imported::{Imported, Unreadable};
use crate::import::settle::{Precedence, settled};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;

fn imported(text: &str) -> Result<Imported, Unreadable> {
    Ok(settled(settings(text)?, Precedence::Last))
}

#[track_caller]
fn check(permission: &str, expected: &[&str]) -> Imported {
    let settings = format!("{{ // mine\n \"permission\": {permission},\n}}");
    let found = imported(&settings).unwrap();
    let text = written(&found, "a test");
    let parsed = parse(&text, "rules.toml", Authority::User);
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}\n{:?}",
        parsed.diagnostics
    );
    let rules = found.rules.iter();
    let lines: Vec<String> = rules
        .map(|rule| {
            format!(
                "{} {} {}",
                rule.action.name(),
                rule.kind.name(),
                rule.pattern
            )
        })
        .collect();
    assert_eq!(lines, expected);
    found
}

#[test]
fn p13_the_last_rule_that_matches_decides() {
    check(
        r#"{"bash": {"*": "ask", "git *": "allow", "git push *": "deny"}}"#,
        &["ask shell *", "allow shell git *", "deny shell git push *"],
    );
    // What stands behind an allow and covers it is the last that matches.
    let found = check(
        r#"{"bash": {"git status *": "allow", "*": "ask"}}"#,
        &["ask shell *"],
    );
    assert!(
        found
            .warnings
            .iter()
            .any(|warning| warning.why.starts_with("left out"))
    );
    check(
        r#"{"bash": {"rm *": "deny", "*": "allow"}}"#,
        &["allow shell *"],
    );
    check(
        r#"{"bash": {"npm *": "deny", "npm test": "ask"}}"#,
        &["deny shell npm *", "ask shell npm test"],
    );
}

#[test]
fn p13_one_action_may_be_for_everything() {
    assert_eq!(check(r#""allow""#, &[]).untranslated.len(), 1);
    let found = imported(r#"{"permission": {"*": "ask", "bash": "allow"}}"#).unwrap();
    let shell = found
        .rules
        .iter()
        .filter(|rule| rule.kind.name() == "shell");
    let actions: Vec<&str> = shell.map(|rule| rule.action.name()).collect();
    assert_eq!(actions, ["allow"]);
    assert_eq!(found.rules.len(), 12);
}

#[test]
fn p13_a_star_over_slashes_becomes_two() {
    check(
        r#"{"edit": {"*": "deny", "docs/*.md": "allow", "src/*": "allow"}}"#,
        &[
            "deny edit **",
            "deny delete **",
            "allow edit /docs/**/*.md",
            "allow edit /src/**",
        ],
    );
    check(
        r#"{"read": {"*.env": "deny", "a*b/c": "ask"}, "external_directory": {"~/notes/*": "allow", "/srv/x": "deny", "../y": "ask"}}"#,
        &[
            "deny read **/*.env",
            "ask read /a*b/c",
            "ask read /a*/**/*b/c",
            "allow external_directory ~/notes/**",
            "deny external_directory //srv/x",
        ],
    );
}

#[test]
fn p13_hosts_and_servers_are_told_where_that_is_certain() {
    check(
        r#"{"webfetch": {"*": "ask", "https://docs.rs/*": "allow", "https://x.org/a*": "allow", "https://y.org/a": "deny"},
            "gh_*": "allow", "a_b_c": "deny", "a_b": "allow", "websearch": "allow", "task": {"x": "deny"}}"#,
        &[
            "ask net *",
            "allow net docs.rs",
            "deny net y.org",
            "deny mcp a/b_c",
            "deny mcp a_b/c",
            "allow web_search *",
            "ask shell curl *",
            "ask shell curlie *",
            "ask shell wget *",
            "ask shell openssl s_client *",
        ],
    );
}

#[test]
fn p13_tools_that_are_switched_off_are_denied() {
    let settings = r#"{"tools": {"bash": false, "write": false, "read": true}, "agent": {}}"#;
    let found = imported(settings).unwrap();
    let lines: Vec<&str> = found.rules.iter().map(|rule| rule.kind.name()).collect();
    assert_eq!(lines, ["shell", "edit", "delete"]);
    assert_eq!(found.untranslated.len(), 1);
    assert!(imported(r#"{"permission": {"bash": "ask", "bash": "allow"}}"#).is_err());
    assert_eq!(imported("{\n\"permission\": }").unwrap_err().line, 2);
}
