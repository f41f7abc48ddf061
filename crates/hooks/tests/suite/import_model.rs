//! Translated rules beside a small model of the agent that they come from: for every pair of rules and every command,
//! what is forbidden or asked there never runs unasked here, and no rule allows what was not allowed there.

use countersign_gate::imagined;
use countersign_hooks::import::file::written;
use countersign_hooks::import::source::{Settings, Source};
use countersign_policy::action::Action;
use countersign_policy::call::Action as Call;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::verdict::{Source as Decided, Verdict};
use serde_json::json;
use std::path::PathBuf;

const PATTERNS: [&str; 38] = [
    "* run test",
    "docker * prod *",
    "docker * ps",
    "npm * --force",
    "kubectl * prod *",
    "*-f *",
    "*prod*",
    "git -c * push",
    "git commit * -m *",
    "npx *",
    "* prod main*",
    "sudo * prod",
    "*",
    "git *",
    "git:*",
    "git push",
    "git push:*",
    "git push*",
    "git push origin *",
    "git push --force *",
    "git * main",
    "git * origin *",
    "* --version",
    "*gcloud*",
    "* main",
    "*push --force*",
    "npm run test",
    "npm run test*",
    "npm run te*t",
    "npm run *:unit",
    "n* run test",
    "echo *",
    "rm -rf *",
    "rm * build",
    "/usr/bin/git push *",
    "cargo *--version*",
    "ls --*",
    "./run.sh *",
];

const COMMANDS: [&str; 64] = [
    "npm run prod main",
    "npx run test",
    "npx gcloud main",
    "npx -y gcloud prod main",
    "env gcloud auth main",
    "sudo gcloud auth main",
    "sudo rm -f prod",
    "timeout 5 git push origin main",
    "xargs gcloud auth",
    "find . -name gcloud",
    "find . -exec rm -f prod main ;",
    "git -c user.name=main log",
    "git -c x=y push",
    "git push -o main",
    "git push -omain",
    "git commit -a -m main",
    "git commit --amend --message=main",
    "docker run --name prod app",
    "docker compose -f prod.yml up",
    "docker exec prod ls",
    "docker container ps",
    "docker -H prod ps",
    "kubectl -n prod get pods",
    "kubectl get pods -n prod main",
    "kubectl get prod x",
    "npm install x --force",
    "npm --force install x",
    "make main",
    "make -f main",
    "tar -f prod -x",
    "cargo run -- main",
    "head -n main",
    "cat prod main",
    "ls -f prod",
    "git",
    "git status",
    "git push",
    "git push origin main",
    "git push origin feature",
    "git push --force origin main",
    "git push origin main --force",
    "git log main",
    "git -C /repo push",
    "git merge --no-ff main",
    "git push --force-with-lease",
    "gitk",
    "npm run test",
    "npm run tent",
    "npm run test:unit",
    "npm run test -- --watch",
    "npm run build:unit",
    "npx run test",
    "echo main",
    "echo gcloud",
    "gcloud auth list",
    "ls --color=gcloud",
    "ls -l",
    "cargo --version",
    "cargo build --version",
    "rm -rf build",
    "rm -rf x build",
    "rm build",
    "/usr/bin/git push origin main",
    "./run.sh x",
];

/// Whether a pattern matches a command there: text with stars, the whole of it; a final ` *` or `:*` may be missing.
fn matches(pattern: &str, command: &str) -> bool {
    let prefix = pattern.strip_suffix(":*").or(pattern.strip_suffix(" *"));
    match prefix {
        Some(prefix) if !prefix.contains('*') => {
            let rest = command.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        }
        Some(prefix) => stars(pattern, command) || stars(prefix, command),
        None => stars(pattern, command),
    }
}

fn stars(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((front, rest)) => text.strip_prefix(front).is_some_and(|text| {
            let mut ends = (0..=text.len()).filter_map(|at| text.get(at..));
            ends.any(|text| stars(rest, text))
        }),
    }
}

/// The rules that settings become.
fn rules(source: Source, text: String) -> RuleSet {
    let settings = Settings {
        path: PathBuf::from("settings.json"),
        text,
    };
    let imported = source.translate(&[settings]).unwrap();
    let file = written(&imported, "a model");
    let parsed = parse(&file, "rules.toml", Authority::User);
    assert!(
        parsed.diagnostics.is_empty(),
        "{file}\n{:?}",
        parsed.diagnostics
    );
    RuleSet::new(vec![builtin(), parsed.layer])
}

fn verdict(rules: &RuleSet, command: &str) -> Verdict {
    let cwd = AbsPath::parse("/home/u/work/app").unwrap();
    let call = imagined::shell(command, &cwd);
    imagined::verdict(&call, &imagined::session(&cwd), rules, rules.mode(None))
}

/// Whether a rule of the user's allowed some of it.
fn is_allowed_by_rule(verdict: &Verdict) -> bool {
    let mut findings = verdict.findings.iter();
    findings.any(|finding| match &finding.source {
        Decided::Rule(rule) | Decided::SettledByCommand(rule) => {
            finding.action == Action::Allow && rule.authority == Authority::User
        }
        Decided::Floor(_)
        | Decided::PerhapsRule(_)
        | Decided::Confinement(_)
        | Decided::Opacity(_)
        | Decided::Mode(_)
        | Decided::CategoryChoice(_)
        | Decided::ItsEffects
        | Decided::ItsStarter
        | Decided::ScopedAllow(_)
        | Decided::ReadOnlyTurn
        | Decided::BrokenRules => false,
    })
}

/// Whether what is said here is milder than what is said there.
fn is_milder(found: &Verdict, there: Option<Action>) -> bool {
    match there {
        Some(Action::Allow) => false,
        Some(Action::Ask | Action::Deny) => found.action == Action::Allow,
        None => found.action == Action::Allow && is_allowed_by_rule(found),
    }
}

/// A command as both sides see it: here the git of the system is git, and on both what runs under a limit of time is
/// itself.
fn plain(command: &str) -> String {
    command.replace("/usr/bin/", "").replace("timeout 5 ", "")
}

const PATHS: [&str; 24] = [
    "*",
    "**",
    "*.ts",
    "src",
    "src/",
    "src/**",
    "/src/*",
    "./src/**/*.ts",
    "**/gen/**",
    "**/*.env",
    ".env",
    "./.env",
    "/etc/**",
    "//etc/**",
    "etc/passwd",
    "//home/u/work/app/src/**",
    "//home/u/**",
    "~/notes/**",
    "~/notes",
    "//dev/**",
    "home/**",
    "[ab].ts",
    "src/?.ts",
    "/src/g*/a.ts",
];

const FILES: [&str; 16] = [
    "/home/u/work/app/a.ts",
    "/home/u/work/app/src",
    "/home/u/work/app/src/a.ts",
    "/home/u/work/app/src/gen/a.ts",
    "/home/u/work/app/lib/src/a.ts",
    "/home/u/work/app/lib/gen/x/y",
    "/home/u/work/app/.env",
    "/home/u/work/app/conf/.env",
    "/home/u/work/app/conf/prod.env",
    "/home/u/work/app/etc/passwd",
    "/home/u/work/app/home/x",
    "/home/u/work/other/src/a.ts",
    "/home/u/notes/a.ts",
    "/home/u/dev/src/a.ts",
    "/etc/passwd",
    "/srv/.env",
];

/// Whether a path pattern matches a file there, as in a gitignore of the working directory: what is matched, and what
/// lies below it.
fn matches_path(pattern: &str, file: &str) -> bool {
    let root = "/home/u/work/app/";
    let (base, rest) = if let Some(rest) = pattern.strip_prefix("//") {
        ("/", rest.to_owned())
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        ("/home/u/", rest.to_owned())
    } else if let Some(rest) = pattern.strip_prefix('/').or(pattern.strip_prefix("./")) {
        (root, rest.to_owned())
    } else if pattern.trim_end_matches('/').contains('/') {
        (root, pattern.to_owned())
    } else {
        (root, format!("**/{pattern}"))
    };
    let pattern: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
    file.strip_prefix(base).is_some_and(|file| {
        let file: Vec<&str> = file.split('/').collect();
        (1..=file.len()).any(|length| parts(&pattern, file.get(..length).unwrap_or_default()))
    })
}

fn parts(pattern: &[&str], file: &[&str]) -> bool {
    match (pattern, file) {
        (["**"], file) => !file.is_empty(),
        (["**", rest @ ..], file) => {
            (0..=file.len()).any(|at| parts(rest, file.get(at..).unwrap_or_default()))
        }
        ([one, rest @ ..], [name, below @ ..]) => part(one, name) && parts(rest, below),
        ([], file) => file.is_empty(),
        ([_, ..], []) => false,
    }
}

/// A component; of classes and single characters only what the patterns above have.
fn part(pattern: &str, name: &str) -> bool {
    match pattern {
        "[ab].ts" => matches!(name, "a.ts" | "b.ts"),
        "?.ts" => name == "a.ts",
        _ => stars(pattern, name),
    }
}

#[test]
fn p13_translated_paths_are_never_milder() {
    let cwd = AbsPath::parse("/home/u/work/app").unwrap();
    let session = imagined::session(&cwd);
    let mut milder = Vec::new();
    for (first, allow) in PATHS.into_iter().enumerate() {
        for (second, strict) in PATHS.into_iter().enumerate() {
            if (first + second) % 3 != 0 {
                continue;
            }
            let permissions = json!({
                "allow": [format!("Edit({allow})"), format!("Read({allow})")],
                "deny": [format!("Edit({strict})"), format!("Read({strict})")],
            });
            let text = json!({ "permissions": permissions }).to_string();
            let rules = rules(Source::ClaudeCode, text);
            for file in FILES {
                let there = if matches_path(strict, file) {
                    Some(Action::Deny)
                } else {
                    // A pattern for what lies in a directory is here one for the directory too.
                    let whole = allow.strip_suffix("/**");
                    let named = whole.is_some_and(|whole| matches_path(whole, file));
                    (allow == "*" || named || matches_path(allow, file)).then_some(Action::Allow)
                };
                for action in [
                    Call::Edit(vec![file.to_owned()]),
                    Call::Read(file.to_owned()),
                ] {
                    let mut call = imagined::shell("", &cwd);
                    call.action = action;
                    let found = imagined::verdict(&call, &session, &rules, rules.mode(None));
                    if is_milder(&found, there) {
                        milder.push(format!("allow {allow}, deny {strict}: {:?}", call.action));
                    }
                }
            }
        }
    }
    none(&milder);
}

#[track_caller]
fn none(milder: &[String]) {
    let first: Vec<&String> = milder.iter().take(40).collect();
    assert!(milder.is_empty(), "{} milder: {first:#?}", milder.len());
}

#[test]
fn p13_translated_rules_are_never_milder_where_the_strictest_decides() {
    let mut milder = Vec::new();
    for (first, allow) in PATTERNS.iter().enumerate() {
        for (second, strict) in PATTERNS.iter().enumerate() {
            if *allow != "*" && (first + second) % 9 != 0 {
                continue;
            }
            for action in [Action::Ask, Action::Deny] {
                let permissions = json!({
                    "allow": [format!("Bash({allow})")],
                    action.name(): [format!("Bash({strict})")],
                });
                let text = json!({ "permissions": permissions }).to_string();
                let rules = rules(Source::ClaudeCode, text);
                for command in COMMANDS {
                    let named = matches(allow, command) || matches(allow, &plain(command));
                    let there = if matches(strict, command) {
                        Some(action)
                    } else {
                        named.then_some(Action::Allow)
                    };
                    if is_milder(&verdict(&rules, command), there) {
                        milder.push(format!(
                            "allow {allow}, {} {strict}: {command}",
                            action.name()
                        ));
                    }
                }
            }
        }
    }
    none(&milder);
}

#[test]
fn p13_translated_rules_are_never_milder_where_the_last_decides() {
    let mut milder = Vec::new();
    let patterns = PATTERNS
        .iter()
        .filter(|pattern| !pattern.contains([':', '/']));
    let patterns: Vec<&str> = patterns
        .copied()
        .step_by(3)
        .chain(["*", "git *", "git push *"])
        .collect();
    for first in &patterns {
        for second in patterns.iter().filter(|second| *second != first) {
            for actions in [
                [Action::Allow, Action::Deny],
                [Action::Ask, Action::Allow],
                [Action::Deny, Action::Allow],
            ] {
                let [one, two] = actions.map(Action::name);
                let text = format!(
                    "{{\"permission\": {{\"bash\": {{\"{first}\": \"{one}\", \"{second}\": \"{two}\"}}}}}}"
                );
                let rules = rules(Source::OpenCode, text);
                for command in COMMANDS.iter().step_by(2) {
                    let plain = plain(command);
                    let last = |(pattern, action): (&str, Action)| {
                        let named = action == Action::Allow && matches(pattern, &plain);
                        (named || matches(pattern, command)).then_some(action)
                    };
                    let [one, two] = actions;
                    let there = last((second, two)).or(last((first, one)));
                    if is_milder(&verdict(&rules, command), there) {
                        let [one, two] = actions.map(Action::name);
                        milder.push(format!("{one} {first}, {two} {second}: {command}"));
                    }
                }
            }
        }
    }
    none(&milder);
}
