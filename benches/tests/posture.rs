//! The verdicts that another system recorded under its default table (row P3), beside ours in `open`: every row agrees,
//! or falls under a kind of difference that is intended and has its reason.

#![expect(
    clippy::unwrap_used,
    reason = "a row without its form fails, also in a function that several rows share"
)]

use countersign_bench::peers::language::rule;
use countersign_bench::rows;
use countersign_gate::imagined;
use countersign_policy::action::Action;
use countersign_policy::call::{Call, CallId};
use countersign_policy::effects::tools;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Category, Kind as Asked};
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::RuleSet;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::verdict::{Source, Verdict};
use serde_json::Value;
use std::collections::BTreeMap;

/// Kinds of intended differences, each with its direction and reason.
const KINDS: [(&str, &str); 16] = [
    (
        "same rule",
        "stricter: their rule, which another spelling, wrapper or path slips by there",
    ),
    (
        "floor",
        "stricter: wiping the disk, a device or the home directory is never allowed",
    ),
    (
        "secrets",
        "stricter: reading keys and environment files asks for every program, not for one tool",
    ),
    (
        "persistence",
        "stricter: what runs later by itself asks to be written, which their edit tool allows",
    ),
    (
        "outside",
        "stricter: places outside the workspace ask for every tool and every way of naming them",
    ),
    ("opaque", "stricter: what cannot be told asks"),
    (
        "beyond recall",
        "stricter: deleting, changing something elsewhere and privilege ask in every mode",
    ),
    (
        "unknown tool",
        "stricter: a tool that nobody described asks in every mode",
    ),
    (
        "malformed",
        "stricter: the input of a known tool that does not have its form is denied",
    ),
    (
        "their order",
        "stricter: an allow lifts a deny only where it is narrower, not where it stands later",
    ),
    (
        "data",
        "laxer: what they deny is quoted, a comment or a here-document, and never runs",
    ),
    (
        "system place",
        "laxer: reading in system places and temporary ones harms nothing",
    ),
    (
        "another word",
        "laxer: `RM`, `.ENV`, `npm installx`, a bare `rm -rf`: not what the rule is about",
    ),
    (
        "a pattern",
        "laxer: what a glob in the place of the program runs is asked, not denied",
    ),
    (
        "a skill's name",
        "laxer: a skill is named, not read as a file of that name",
    ),
    (
        "their language",
        "laxer: a host stands for itself only, and a narrower allow holds wherever it stands",
    ),
];

/// Rows, counted from 1, where we are laxer, by kind; each was looked at by itself.
const LAXER: [(&str, &[usize]); 6] = [
    ("data", &[172, 175, 182, 183]),
    (
        "system place",
        &[111, 118, 119, 121, 122, 124, 153, 202, 207, 218, 284, 287],
    ),
    ("another word", &[19, 63, 88, 164, 208, 273, 274]),
    ("a pattern", &[275, 277]),
    ("a skill's name", &[220]),
    ("their language", &[243, 291]),
];

#[test]
fn p3_the_open_posture_differs_only_as_intended() {
    let Some(rows) = rows::recorded("open-posture.jsonl") else {
        println!("skipped: COUNTERSIGN_DATA does not hold open-posture.jsonl");
        return;
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut strange = Vec::new();
    for (number, row) in (1..).zip(rows) {
        let theirs = Action::parse(row["verdict"].as_str().unwrap()).unwrap();
        let verdict = ours(&row);
        if verdict.action == theirs {
            *counts.entry("agree").or_default() += 1;
            continue;
        }
        let stricter = verdict.action > theirs;
        let kind = if stricter {
            stricter_kind(&row, &verdict)
        } else {
            let mut lists = LAXER.iter();
            lists
                .find(|(_, rows)| rows.contains(&number))
                .map(|(kind, _)| *kind)
        };
        match kind {
            Some(kind) => *counts.entry(kind).or_default() += 1,
            None => strange.push(format!(
                "{number}: {} {} theirs {} ours {}",
                row["tool"],
                row["input"],
                theirs.name(),
                explain::reason(&verdict)
            )),
        }
    }
    for (kind, count) in &counts {
        let why = KINDS.iter().find(|(name, _)| name == kind);
        println!("{count:4} {kind:16} {}", why.map_or("", |(_, why)| why));
    }
    assert!(
        strange.is_empty(),
        "{}\n{}",
        strange.len(),
        strange.join("\n")
    );
}

/// Our verdict on a row: in `open`, with the user's rules that it names.
fn ours(row: &Value) -> Verdict {
    let cwd = AbsPath::parse("/repo").unwrap();
    let mut session = imagined::session(&cwd);
    session.home = AbsPath::parse("/home/u");
    let tool = row["tool"].as_str().unwrap();
    // Their tool says in another field whether the agent only reads.
    let mut input = row["input"].clone();
    if let (Some(fields), Some(true)) = (input.as_object_mut(), row["ro"].as_bool()) {
        fields.insert("read_only".to_owned(), Value::Bool(true));
    }
    let action = tools::native(tool, &input).unwrap_or(countersign_policy::call::Action::Unknown);
    let directory = tools::directory(tool, &input);
    let call = Call {
        id: CallId("row".to_owned()),
        tool: tool.to_owned(),
        input: input.to_string(),
        cwd: directory.map_or_else(|| cwd.clone(), |directory| cwd.join(directory)),
        action,
    };
    let user = parse(&user_rules(row), "rules", Authority::User);
    let broken = &user.layer.broken;
    assert!(broken.is_none(), "{row} {broken:?}");
    let rules = RuleSet::new(vec![builtin(), user.layer]);
    imagined::verdict(&call, &session, &rules, Mode::Open)
}

/// The user's rules of a row in our language.
fn user_rules(row: &Value) -> String {
    let mut out = String::from("version = 1\n");
    for theirs in row["rules"].as_array().into_iter().flatten() {
        let text = |name: &str| theirs[name].as_str().unwrap().to_owned();
        let (permission, pattern, action) = (text("Permission"), text("Pattern"), text("Action"));
        let every = [
            "shell",
            "read",
            "edit",
            "net",
            "mcp",
            "external_directory",
            "tool",
        ];
        let kinds: Vec<&str> = match permission.as_str() {
            "*" => every.to_vec(),
            "web_fetch" => vec!["net"],
            other => vec![every.into_iter().find(|kind| *kind == other).unwrap()],
        };
        for kind in kinds {
            for pattern in patterns(kind, &pattern) {
                out.push_str(&rule(&action, kind, &pattern));
            }
        }
    }
    for limit in row["caps"].as_array().into_iter().flatten() {
        if let Some(directory) = limit
            .as_str()
            .unwrap()
            .strip_prefix("mcp_filesystem_allowed_dir:")
        {
            let limit = ["[mcp_directories]\nfs = \"/", directory, "\"\n"];
            out.push_str(&limit.concat());
        }
    }
    out
}

/// One of their patterns in our language, where `*` also stands for a blank.
fn patterns(kind: &str, pattern: &str) -> Vec<String> {
    match (kind, pattern.strip_suffix('*')) {
        ("shell", _) if pattern.is_empty() => Vec::new(),
        ("shell", Some(front)) if front.ends_with(' ') || front.is_empty() => {
            vec![pattern.to_owned()]
        }
        ("shell", Some(front)) => vec![format!("{front} *"), pattern.to_owned()],
        ("net", _) => vec![pattern.trim_start_matches("host:").to_owned()],
        ("external_directory", Some(front)) if !front.is_empty() => vec![format!("/{front}*/**")],
        ("external_directory", None) => vec![format!("/{pattern}/*")],
        ("edit" | "read" | "external_directory", Some("")) => vec!["//**".to_owned()],
        ("edit", _) => vec![format!("/{pattern}")],
        _ => vec![pattern.to_owned()],
    }
}

/// Under which kind a stricter verdict falls.
fn stricter_kind(row: &Value, verdict: &Verdict) -> Option<&'static str> {
    if verdict.malformed.is_some() {
        return Some("malformed");
    }
    if row["rules"].is_array() {
        return Some("their order");
    }
    let finding = explain::decisive(verdict)?;
    match &finding.source {
        Source::Floor(_) => Some("floor"),
        Source::Opacity(_) if finding.request.kind == Asked::Tool => Some("unknown tool"),
        Source::Opacity(_) => Some("opaque"),
        Source::Mode(Category::Opaque) => Some("opaque"),
        Source::Mode(Category::Removes | Category::Remote | Category::Privilege) => {
            Some("beyond recall")
        }
        Source::Rule(rule) | Source::PerhapsRule(rule) => {
            let id = rule.id.as_deref().unwrap_or_default();
            Some(if id.starts_with("secret-") {
                "secrets"
            } else if id.starts_with("persist-") {
                "persistence"
            } else if finding.request.kind == Asked::ExternalDirectory {
                "outside"
            } else {
                "same rule"
            })
        }
        Source::Confinement(_)
        | Source::Mode(_)
        | Source::CategoryChoice(_)
        | Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => None,
    }
}
