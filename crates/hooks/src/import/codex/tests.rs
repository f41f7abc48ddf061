//! What becomes of Codex's settings and rules, row by row.

use super::{rules, settings};
use crate::import::file::written;
use crate::import::imported::{Imported, Unreadable};
use crate::import::settle::{Precedence, settled};
use countersign_policy::mode::Mode;
use countersign_policy::rules::approvals::Approvals;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;

fn imported(config: &str, texts: &[String]) -> Result<Imported, Unreadable> {
    let mut out = settings(config)?;
    for text in texts {
        out = out.and(rules(text)?);
    }
    Ok(settled(out, Precedence::Strictest))
}

fn of(config: &str, rules: &str) -> Imported {
    let found = imported(config, &[rules.to_owned()]).unwrap();
    let text = written(&found, "a test");
    let parsed = parse(&text, "rules.toml", Authority::User);
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}\n{:?}",
        parsed.diagnostics
    );
    found
}

fn lines(found: &Imported) -> Vec<String> {
    let rules = found.rules.iter();
    rules
        .map(|rule| {
            format!(
                "{} {} {}",
                rule.action.name(),
                rule.kind.name(),
                rule.pattern
            )
        })
        .collect()
}

#[test]
fn p13_prefix_rules_become_beginnings() {
    let rules = r#"
# What may run.
prefix_rule(pattern = ["git", ["fetch", "log"]], match = [["git", "log"]], not_match = ["git push"])
prefix_rule(
    pattern = ['git', 'push'],
    decision = "prompt",  # a person
    justification = "publishes \"work\"",
)
prefix_rule(pattern = ["/bin/rm", "-rf"], decision = "forbidden")
prefix_rule(pattern = ["/bin/ls"])
prefix_rule(pattern = ["git", "push", "origin"], decision = "allow")
network_rule(host = "docs.rs", protocol = "https", decision = "deny")
host_executable(name = "git", paths = ["/usr/bin/git"])
"#;
    let found = of("", rules);
    assert_eq!(
        lines(&found),
        [
            "allow shell git fetch *",
            "allow shell git log *",
            "ask shell git push *",
            "deny shell rm -rf *",
            "deny net docs.rs",
        ]
    );
    assert_eq!(found.rules[2].reason.as_deref(), Some("publishes \"work\""));
    assert_eq!(found.untranslated.len(), 2, "{found:?}");
    assert_eq!(found.warnings.len(), 1, "{found:?}");
}

#[test]
fn p13_rule_files_that_cannot_be_read_are_not_translated_in_part() {
    for (rules, line) in [
        ("\nx = 1\n", 2),
        ("prefix_rule([\"a\"])", 1),
        ("prefix_rule(pattern = [\"a\" + \"b\"])", 1),
        ("prefix_rule(pattern = \"\"\"a\"\"\")", 1),
        ("prefix_rule(pattern = [\"a\"\n", 2),
        ("def f():\n  pass", 1),
    ] {
        let error = imported("", &[rules.to_owned()]).unwrap_err();
        assert_eq!(error.line, line, "{rules}: {error}");
    }
    assert_eq!(imported("a = 1\nb =", &[]).unwrap_err().line, 2);
}

#[test]
fn p15_modes_are_never_milder() {
    for (approval, sandbox, mode, approvals) in [
        ("untrusted", "workspace-write", Mode::Default, None),
        ("on-request", "workspace-write", Mode::AcceptEdits, None),
        ("on-request", "read-only", Mode::Default, None),
        (
            "never",
            "danger-full-access",
            Mode::Open,
            Some(Approvals::Never),
        ),
        ("never", "read-only", Mode::Default, Some(Approvals::Never)),
        ("frob", "danger-full-access", Mode::Default, None),
    ] {
        let config = format!("approval_policy = \"{approval}\"\nsandbox_mode = \"{sandbox}\"");
        let found = of(&config, "");
        assert_eq!(
            (found.mode, found.approvals),
            (Some(mode), approvals),
            "{config}"
        );
    }
    assert_eq!(of("model = \"x\"", "").mode, None);
}

#[test]
fn p10_servers_and_directories_of_the_settings_count() {
    let config = r#"
[sandbox_workspace_write]
writable_roots = ["/srv/cache/", "relative"]
network_access = true
[projects."/home/u/x"]
trust_level = "trusted"
[mcp_servers.github]
disabled_tools = ["delete_repo"]
[mcp_servers.github.tools.get_me]
approval_mode = "approve"
"#;
    let found = of(config, "");
    assert_eq!(
        lines(&found),
        [
            "allow external_directory //srv/cache/**",
            "deny mcp github/delete_repo",
        ]
    );
    let tools = |more: &str, tool: &str| {
        let config = format!(
            "[mcp_servers.gh]\n{more}\n[mcp_servers.gh.tools.{tool}]\napproval_mode = 'approve'\n"
        );
        lines(&of(&config, ""))
    };
    assert_eq!(tools("", "get_me"), ["allow mcp gh/get_me"]);
    assert!(tools("", "\"*\"").is_empty());
    assert!(tools("enabled = false", "get_me").is_empty());
    assert!(tools("enabled_tools = ['a']", "get_me").is_empty());
    assert_eq!(found.untranslated.len(), 3, "{found:?}");
}
