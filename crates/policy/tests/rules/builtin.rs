//! The built-in table.

use crate::world::{path, request, shell, verdict};
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::{Category, Kind, Target};
use countersign_policy::rules::builtin::{TEXT, builtin};
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::verdict::Source;
use std::fmt::Write as _;

fn table() -> RuleSet {
    RuleSet::new(vec![builtin()])
}

#[test]
fn p3_reads_without_a_complaint() {
    assert_eq!(parse(TEXT, "built-in", Authority::Builtin).diagnostics, []);
}

#[test]
fn p3_commands() {
    for (text, expected) in [
        ("git push origin main", Action::Ask),
        ("git reset --hard", Action::Ask),
        ("git checkout -- x", Action::Ask),
        ("git checkout main -- x", Action::Ask),
        ("git checkout .", Action::Ask),
        ("git checkout -f main", Action::Ask),
        ("git checkout main", Action::Allow),
        ("git status", Action::Allow),
        ("npm i", Action::Ask),
        ("npm ci", Action::Ask),
        ("npm installx", Action::Allow),
        ("sudo ls", Action::Ask),
        ("dd if=x", Action::Ask),
        ("mkfs.ext4 x", Action::Deny),
        ("mkfs", Action::Deny),
        ("diskutil eraseDisk x", Action::Deny),
        ("diskutil list", Action::Allow),
        ("gh pr merge 1", Action::Ask),
    ] {
        assert_eq!(
            verdict(&table(), Mode::Open, &[shell(text)]).action,
            expected,
            "{text}"
        );
    }
}

#[test]
fn p3_recursive_rm() {
    let rm = |text: &str| {
        let mut request = path(Kind::Delete, text);
        request.program = Some("rm".to_owned());
        if let Target::Path(target) = &mut request.target {
            target.recursive = true;
        }
        request
    };
    for (mode, text, expected) in [
        (Mode::Default, "/w/build", Action::Ask),
        (Mode::Default, "/tmp/x", Action::Ask),
        (Mode::Default, "/home/u/x", Action::Deny),
        (Mode::AcceptEdits, "/opt/x", Action::Deny),
        (Mode::Open, "/w/build", Action::Deny),
        (Mode::Open, "/opt/x", Action::Deny),
    ] {
        assert_eq!(
            verdict(&table(), mode, &[rm(text)]).action,
            expected,
            "{mode:?} {text}"
        );
    }
    let mut unknown = rm("/w");
    if let Target::Path(target) = &mut unknown.target {
        target.places.clear();
    }
    let found = verdict(&table(), Mode::Default, &[unknown]);
    assert_eq!(found.action, Action::Ask);
    assert!(matches!(found.findings[0].source, Source::PerhapsRule(_)));
    let plain = path(Kind::Delete, "/w/build");
    assert_eq!(verdict(&table(), Mode::Open, &[plain]).action, Action::Ask);
}

#[test]
fn p14_secrets_and_persistence_ask_in_every_mode() {
    for (kind, text, expected) in [
        (Kind::Read, "/w/.env", Action::Ask),
        (Kind::Read, "/w/a/prod.env", Action::Ask),
        (Kind::Read, "/w/.env.local", Action::Ask),
        (Kind::Read, "/w/.env.example", Action::Allow),
        (Kind::Read, "/w/environment.ts", Action::Allow),
        (Kind::Read, "/home/u/.ssh/id_ed25519", Action::Ask),
        (Kind::Read, "/home/u/.ssh/known_hosts", Action::Allow),
        (Kind::Read, "/home/u/.aws/credentials", Action::Ask),
        (Kind::Read, "/home/u/.bash_history", Action::Ask),
        (Kind::Read, "/proc/12/environ", Action::Ask),
        (Kind::Read, "/etc/shadow", Action::Ask),
        (Kind::Read, "/w/src/main.rs", Action::Allow),
        (Kind::Edit, "/w/.git/hooks/pre-commit", Action::Ask),
        (Kind::Edit, "/w/sub/.git/config", Action::Ask),
        (Kind::Edit, "/home/u/.bashrc", Action::Ask),
        (Kind::Edit, "/home/u/.ssh/authorized_keys", Action::Ask),
        (Kind::Edit, "/w/.vscode/tasks.json", Action::Ask),
        (Kind::Edit, "/w/.claude/settings.local.json", Action::Ask),
        (Kind::Edit, "/etc/hosts", Action::Ask),
        (Kind::Edit, "/w/src/main.rs", Action::Allow),
        (Kind::ExternalDirectory, "/home/u/x", Action::Ask),
    ] {
        let found = verdict(&table(), Mode::Open, &[path(kind, text)]);
        assert_eq!(found.action, expected, "{kind:?} {text}");
    }
}

#[test]
fn p14_wildcards_and_directories() {
    let read = |pattern: &str| path(Kind::Read, &format!("/w|{pattern}"));
    for (pattern, expected) in [
        ("*", Action::Allow),
        ("*.md", Action::Allow),
        ("README*", Action::Allow),
        ("src/*.rs", Action::Allow),
        (".e*", Action::Ask),
        ("*.env", Action::Ask),
        (".[e]nv", Action::Ask),
        (".env*", Action::Ask),
    ] {
        let found = verdict(&table(), Mode::Default, &[read(pattern)]);
        assert_eq!(found.action, expected, "{pattern}");
    }
    let whole = |text: &str| verdict(&table(), Mode::Default, &[path(Kind::Read, text)]).action;
    assert_eq!(whole("/w/."), Action::Allow);
    assert_eq!(whole("/home/u/."), Action::Ask);
    assert_eq!(whole("/home/u/.ssh/."), Action::Ask);
}

#[test]
fn p3_the_other_kinds() {
    let named = |kind, name: &str| request(kind, Target::Name(name.to_owned()), Category::Reads);
    for (kind, name, expected) in [
        (Kind::Mcp, "github/get_issue", Action::Ask),
        (Kind::Memory, "remember", Action::Ask),
        (Kind::Task, "readonly", Action::Allow),
        (Kind::Task, "mutating", Action::Ask),
        (Kind::WebSearch, "x", Action::Allow),
    ] {
        let found = verdict(&table(), Mode::Open, &[named(kind, name)]);
        assert_eq!(found.action, expected, "{kind:?} {name}");
    }
    let mut net = request(
        Kind::Net,
        Target::Host("example.org".to_owned()),
        Category::Fetches,
    );
    assert_eq!(
        verdict(&table(), Mode::Open, &[net.clone()]).action,
        Action::Allow
    );
    net.program = Some("curl".to_owned());
    assert_eq!(verdict(&table(), Mode::Open, &[net]).action, Action::Ask);
}

/// Run in release with `--ignored --nocapture`; the table is read in every hook process.
#[test]
#[ignore = "measures, asserts nothing"]
fn measures() {
    let time = |name: &str, work: &mut dyn FnMut()| {
        for _ in 0..50 {
            work();
        }
        let start = std::time::Instant::now();
        for _ in 0..500 {
            work();
        }
        println!("{name}: {:?}", start.elapsed() / 500);
    };
    time("toml", &mut || {
        drop(std::hint::black_box(toml::de::DeTable::parse(TEXT)));
    });
    time("builtin", &mut || drop(std::hint::black_box(builtin())));
    time("with index", &mut || drop(std::hint::black_box(table())));
    let requests = vec![
        shell("git status"),
        path(Kind::Read, "/w/a/b.rs"),
        shell("git push origin main"),
        path(Kind::Edit, "/w/a/b.rs"),
    ];
    let session = crate::world::session();
    let circumstances = countersign_policy::judge::Circumstances {
        mode: Mode::Default,
        session: &session,
        now: 0,
        enforceable: &[],
        malformed: None,
    };
    for count in [0, 100, 10_000] {
        let mut text = String::from("[allow]\nshell = [");
        for number in 0..count / 2 {
            let _ = write!(text, "\"tool{number} run *\", ");
        }
        text.push_str("]\nread = [");
        for number in 0..count / 2 {
            let _ = write!(text, "\"/src/file{number}.rs\", ");
        }
        text.push_str("]\n");
        let user = parse(&text, "r", Authority::User).layer;
        let rules = RuleSet::new(vec![builtin(), user]);
        time(&format!("judge, {count} rules"), &mut || {
            drop(std::hint::black_box(countersign_policy::judge::judge(
                &rules,
                &requests,
                &circumstances,
            )));
        });
    }
}
