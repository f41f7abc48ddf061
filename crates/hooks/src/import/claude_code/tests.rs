//! What becomes of Claude Code's rules, row by row.

use super::settings;
use crate::import::file::written;
use crate::import::imported::{Imported, Unreadable};
use crate::import::settle::{Precedence, settled};
use countersign_policy::mode::Mode;
use countersign_policy::rules::approvals::Approvals;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use serde_json::{Value, json};

fn imported(texts: &[String]) -> Result<Imported, Unreadable> {
    let mut out = Imported::default();
    for text in texts {
        out = out.and(settings(text)?);
    }
    Ok(settled(out, Precedence::Strictest))
}

fn of(permissions: &Value) -> Imported {
    let settings = json!({ "permissions": permissions }).to_string();
    let found = imported(&[settings]).unwrap();
    let text = written(&found, "a test");
    let parsed = parse(&text, "rules.toml", Authority::User);
    assert!(
        parsed.diagnostics.is_empty(),
        "{text}\n{:?}",
        parsed.diagnostics
    );
    assert_eq!(parsed.layer.rules.len(), found.rules.len(), "{text}");
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

#[track_caller]
fn check(permissions: &Value, expected: &[&str]) -> Imported {
    let found = of(permissions);
    assert_eq!(lines(&found), expected);
    found
}

#[test]
fn p13_commands_keep_their_meaning() {
    let found = check(
        &json!({"allow": ["Bash(git status:*)", "Bash(npm run test)"], "ask": ["Bash(git push*)"], "deny": ["Bash"]}),
        &["ask shell git push* *", "deny shell *"],
    );
    assert_eq!(found.warnings.len(), 2, "{found:?}");
    check(
        &json!({"allow": ["Bash(git status:*)", "Bash(npm run test)", "Bash(npm run test)"]}),
        &["allow shell git status *", "allow shell npm run test"],
    );
}

#[test]
fn p13_an_allow_never_lifts_what_is_denied_there() {
    let found = check(
        &json!({"deny": ["Bash(git push:*)"], "allow": ["Bash(git push origin:*)", "Bash(git:*)"]}),
        &["allow shell git *", "deny shell git push *"],
    );
    assert!(found.warnings[0].why.contains("deny Bash(git push:*)"));
    check(
        &json!({"ask": ["Edit(/src/**)"], "allow": ["Edit(/src/gen/**)"]}),
        &["ask edit /src/**", "ask delete /src/**"],
    );
    check(
        &json!({"ask": ["Bash(*)"], "allow": ["Bash(*)"]}),
        &["ask shell *"],
    );
}

#[test]
fn p13_paths_become_kinds() {
    check(
        &json!({"deny": ["Read(./secrets/**)", "Edit(/src/**)", "Write(*.lock)"]}),
        &[
            "deny read /secrets/**",
            "deny edit /src/**",
            "deny delete /src/**",
            "deny edit *.lock",
            "deny delete *.lock",
        ],
    );
    check(
        &json!({"allow": ["Read(~/notes/**)", "Edit(//srv/x/**)", "Write(/y/**)"]}),
        &[
            "allow read ~/notes/**",
            "allow edit //srv/x/**",
            "allow external_directory ~/notes/**",
            "ask edit ~/notes/**",
            "allow external_directory //srv/x/**",
        ],
    );
    check(
        &json!({"additionalDirectories": ["/srv/b/", "~/c", "../d"]}),
        &[
            "allow external_directory //srv/b/**",
            "allow external_directory ~/c/**",
        ],
    );
}

#[test]
fn p13_a_host_is_allowed_to_the_tool_and_not_to_commands() {
    check(
        &json!({"allow": ["WebFetch(domain:Docs.rs)", "WebSearch", "Bash(wget:*)"]}),
        &[
            "allow net docs.rs",
            "allow web_search *",
            "allow shell wget *",
            "ask shell curl *",
            "ask shell curlie *",
            "ask shell openssl s_client *",
        ],
    );
    check(&json!({"deny": ["WebFetch"]}), &["deny net *"]);
}

#[test]
fn p4_an_allow_for_what_is_asked_everywhere_is_said() {
    let found = check(
        &json!({"allow": ["Edit(.claude/x/**)", "Edit(/src/**)"]}),
        &["allow edit /.claude/x/**", "allow edit /src/**"],
    );
    assert_eq!(found.warnings.len(), 1, "{found:?}");
    assert!(found.warnings[0].why.contains("persist-agent"));
}

#[test]
fn p13_servers_and_their_tools_are_told_apart() {
    check(
        &json!({"allow": ["mcp__github__get_me", "mcp__files", "mcp__x__*"]}),
        &[
            "allow mcp github/get_me",
            "allow mcp files/*",
            "allow mcp x/*",
        ],
    );
    check(
        &json!({"deny": ["mcp__a__b__c"]}),
        &["deny mcp a/b__c", "deny mcp a__b/c", "deny mcp a__b__c/*"],
    );
}

#[test]
fn p13_whole_tools_become_whole_kinds() {
    check(
        &json!({"allow": ["Bash", "Edit", "Read", "Agent"]}),
        &[
            "allow shell *",
            "allow edit **",
            "allow read **",
            "allow task *",
        ],
    );
    let found = check(
        &json!({"allow": ["*", "PowerShell(x)", "Frob", "TodoWrite", "Bash(x"]}),
        &[],
    );
    assert_eq!(found.untranslated.len(), 5);
    assert_eq!(of(&json!({"deny": ["*"]})).rules.len(), 12);
}

#[test]
fn p15_modes_are_never_milder() {
    for (name, mode, approvals) in [
        ("default", Mode::Default, None),
        ("acceptEdits", Mode::AcceptEdits, None),
        ("plan", Mode::Default, None),
        ("auto", Mode::Default, None),
        ("dontAsk", Mode::Default, Some(Approvals::Never)),
        ("bypassPermissions", Mode::Open, None),
    ] {
        let found = of(&json!({ "defaultMode": name }));
        assert_eq!(
            (found.mode, found.approvals),
            (Some(mode), approvals),
            "{name}"
        );
    }
    let found = of(&json!({"defaultMode": "yolo", "read": {}, "allow": [1], "ask": "x"}));
    assert_eq!(found.untranslated.len(), 4);
}

#[test]
fn p13_settings_that_cannot_be_read_are_not_translated_in_part() {
    assert_eq!(
        imported(&["{\"permissions\": {},\n}".to_owned()])
            .unwrap_err()
            .line,
        2
    );
    assert!(imported(&["{\"permissions\": []}".to_owned()]).is_err());
}

#[test]
fn p13_a_key_that_is_not_known_and_holds_rules_is_an_error() {
    let settings = json!({"permissions": {"read": {"deny": ["*.env"]}}}).to_string();
    assert!(imported(&[settings]).is_err());
}

#[test]
fn p13_of_several_files_the_strictest_holds() {
    let of = |permissions: Value| json!({ "permissions": permissions }).to_string();
    let user = of(json!({"allow": ["Bash(ls:*)"], "defaultMode": "acceptEdits"}));
    let project = of(json!({"ask": ["Bash(ls:*)"], "defaultMode": "default"}));
    let found = imported(&[user, project]).unwrap();
    assert_eq!(lines(&found), ["ask shell ls *"]);
    assert_eq!(found.mode, Some(Mode::Default));
}

#[test]
fn p13_what_a_sandbox_always_refuses_is_denied() {
    let settings = json!({"sandbox": {"enabled": true}}).to_string();
    let found = imported(&[settings]).unwrap();
    assert_eq!(found.rules.len(), 4);
    assert!(lines(&found).contains(&"deny edit **/.claude/settings.json".to_owned()));
}

#[test]
fn p15_a_mode_for_planning_keeps_every_session_to_reading() {
    let found = of(&json!({"defaultMode": "plan"}));
    assert!(
        found
            .category
            .iter()
            .all(|(_, action)| action.name() == "deny")
    );
    assert_eq!((found.category.len(), found.warnings.len()), (7, 1));
}

#[test]
fn a6_foreign_text_stays_in_strings_and_comments() {
    let hostile = "Bash(echo a\"\n[allow]\nshell = [\"*\"]\u{202e}\\\\)";
    let found = of(&json!({"ask": [hostile], "allow": [format!("{hostile}x")]}));
    let text = written(&found, "a\nmode = \"open\"");
    let layer = parse(&text, "rules.toml", Authority::User).layer;
    assert_eq!((layer.broken, layer.mode), (None, None), "{text}");
    assert_eq!(layer.rules.len(), found.rules.len());
}

#[test]
fn p13_what_is_not_translated_takes_out_allows_of_servers_tools() {
    for doubt in ["mcp__a__b__c", "mcp__*", "mcp__gh*__get", "OddTool"] {
        let found = check(&json!({"allow": ["mcp__files", doubt]}), &[]);
        assert_eq!(found.untranslated.len(), 1, "{doubt}: {found:?}");
    }
    check(&json!({"allow": ["mcp__files"], "deny": ["OddTool"]}), &[]);
}
