//! Public reports about permission systems: what their settings give once they are translated. The rows are read,
//! never quoted and never run.

use countersign_gate::imagined;
use countersign_hooks::import::file::written;
use countersign_hooks::import::imported::Imported;
use countersign_hooks::import::source::{ImportError, Settings, Source};
use countersign_hooks::recorded;
use countersign_policy::action::Action;
use countersign_policy::call::Call;
use countersign_policy::effects::ground::{Grounded, Step, step};
use countersign_policy::effects::read::read;
use countersign_policy::judge::{Circumstances, judge};
use countersign_policy::path::AbsPath;
use countersign_policy::requests::requests;
use countersign_policy::rules::approvals::Approvals;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use countersign_policy::world::{FileKind, Found, Lookup, World};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Where a row's call is made, where that is another place than the one that its paths suggest.
const DIRECTORIES: [(&str, &str); 3] = [
    ("claude-code#15894", "/Users/u/projects"),
    ("claude-code#25137", "/home/u/work/a/b"),
    ("claude-code#46672", "/p"),
];

/// The links of which a row tells: how far above the path of its call, and where they lead.
const LINKS: [(&str, usize, &str); 5] = [
    ("claude-code#47821", 0, "/elsewhere/x"),
    ("CVE-2026-25724 (<2.1.7)", 0, "/etc/passwd"),
    ("claude-code-changelog:2.1.69", 1, "/elsewhere"),
    ("claude-code-changelog:2.1.89", 0, "/etc/hosts"),
    ("opencode#43336", 1, "/elsewhere"),
];

/// Rows whose answer hangs on something else than rules and a call.
const APART: [&str; 9] = [
    // Nobody answers; the words of a refusal; a grant that was given in a dialog.
    "claude-code#37913",
    "claude-code#81289",
    "claude-code#67072",
    // Paths and a shell of another system.
    "claude-code#66609",
    "claude-code#67849",
    "claude-code#78752",
    "claude-code#48118",
    "claude-code#29935",
    "claude-code#81862",
];

/// Why a row does not give the verdict that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Its own words name another one that is right too.
    Words,
    /// The gate judges so whatever the rules are.
    Gate,
    /// The language of rules cannot say it, or the translation is stricter.
    Translation,
}

/// The rows that give another verdict, each with the one that they give. Why is told in docs/importing.md.
const DIFFERENT: [(&str, Action, Cause); 11] = [
    ("claude-code#49350", Action::Allow, Cause::Words),
    ("claude-code#49874", Action::Deny, Cause::Words),
    ("claude-code#92034", Action::Ask, Cause::Words),
    ("claude-code#12232", Action::Allow, Cause::Words),
    ("claude-code-changelog:2.1.145", Action::Allow, Cause::Gate),
    ("claude-code-changelog:2.1.221", Action::Allow, Cause::Gate),
    ("claude-code-changelog:2.1.214c", Action::Allow, Cause::Gate),
    ("claude-code#61573", Action::Ask, Cause::Gate),
    ("claude-code#5471", Action::Ask, Cause::Translation),
    ("claude-code#54468", Action::Ask, Cause::Translation),
    ("claude-code#26068", Action::Ask, Cause::Translation),
];

/// The rows, or nothing where they are absent.
fn rows() -> Option<Vec<Value>> {
    let directory = std::env::var_os("COUNTERSIGN_DATA").map(PathBuf::from)?;
    let text = std::fs::read_to_string(directory.join("bug-cases.jsonl")).ok()?;
    let row = |line| serde_json::from_str(line).unwrap_or_default();
    Some(text.lines().map(row).collect())
}

fn text<'r>(value: &'r Value, field: &str) -> &'r str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The calls of a row that tells of rules, and not of what another hook said.
fn calls(row: &Value) -> Vec<Value> {
    let config = row["config"].as_object();
    let hooked = config.is_some_and(|config| config.len() == 1 && config.contains_key("hooks"));
    if hooked || row.get("expect").is_none() || APART.contains(&text(row, "id")) {
        return Vec::new();
    }
    let input = &row["input"];
    let several = input.get("parallel").and_then(Value::as_array).cloned();
    let mut calls = several.unwrap_or_else(|| vec![input.clone()]);
    calls.retain(|call| call.get("tool").is_some());
    calls
}

/// The settings of a row in the form of its agent, translated, with those of the project's own file.
fn rules(row: &Value) -> Result<Layer, ImportError> {
    let config = row["config"].as_object().cloned().unwrap_or_default();
    if text(row, "id").starts_with("opencode#") {
        let imported = Source::OpenCode.translate(&[file(of_opencode(&config).to_string())])?;
        return Ok(layer(&imported));
    }
    let mut permissions = config;
    let mut settings = Map::new();
    if let Some(sandbox) = permissions.remove("sandbox") {
        settings.insert("sandbox".to_owned(), sandbox);
    }
    let state = permissions.remove("file_state").unwrap_or_default();
    if state == "rule removed" {
        permissions.remove("allow");
    }
    // What is told of the row, and is no setting.
    permissions.retain(|key, _| {
        !matches!(
            key.as_str(),
            "hooks" | "cli" | "scope" | "cwd" | "callback" | "repo"
        )
    });
    let mut project = Map::new();
    for (list, rules) in &mut permissions {
        let Some(rules) = rules.as_array_mut() else {
            continue;
        };
        let in_project = |rule: &Value| {
            let rule = rule.as_str()?.strip_suffix(" in project file")?;
            Some(json!(rule))
        };
        let own: Vec<Value> = rules.iter().filter_map(in_project).collect();
        rules.retain(|rule| in_project(rule).is_none());
        project.insert(list.clone(), Value::Array(own));
    }
    settings.insert("permissions".to_owned(), Value::Object(permissions));
    let comma = if state == "trailing comma" { "," } else { "" };
    let settings = Value::Object(settings).to_string();
    let settings = settings.strip_suffix('}').unwrap_or(&settings);
    let project = json!({ "permissions": project }).to_string();
    let imported =
        Source::ClaudeCode.translate(&[file(format!("{settings}{comma}}}")), file(project)])?;
    Ok(layer(&imported))
}

fn file(text: String) -> Settings {
    Settings {
        path: PathBuf::from("settings.json"),
        text,
    }
}

/// Lists of allows and denies in the form in which the last that matches decides.
fn of_opencode(config: &Map<String, Value>) -> Value {
    let mut bash = Map::new();
    let mut permission = Map::new();
    for action in ["deny", "allow"] {
        let patterns = config.get(action).and_then(Value::as_array);
        for pattern in patterns.into_iter().flatten().filter_map(Value::as_str) {
            if pattern == "external_directory" {
                permission.insert(pattern.to_owned(), json!(action));
            } else {
                bash.insert(pattern.to_owned(), json!(action));
            }
        }
    }
    permission.insert("bash".to_owned(), Value::Object(bash));
    json!({ "permission": permission })
}

fn layer(imported: &Imported) -> Layer {
    let file = written(imported, "a row");
    let parsed = parse(&file, "rules.toml", Authority::User);
    assert!(
        parsed.diagnostics.is_empty(),
        "{file}\n{:?}",
        parsed.diagnostics
    );
    parsed.layer
}

/// The directory in which a row's call is made.
fn cwd(row: &Value) -> AbsPath {
    let own = DIRECTORIES.iter().find(|(id, _)| *id == text(row, "id"));
    let told = row.to_string();
    let named = |place: &&str| {
        let mut after = told
            .match_indices(place)
            .map(|(at, found)| told.get(at + found.len()..).unwrap_or_default());
        after.any(|rest| rest.starts_with(['/', '"', '\\', ' ']))
    };
    let place = own
        .map(|(_, cwd)| *cwd)
        .or(["/proj", "/repo"].into_iter().find(named));
    AbsPath::parse(place.unwrap_or("/home/u/work/app")).unwrap()
}

/// What is said of a row's call.
fn judged(row: &Value, input: &Value) -> Action {
    let Ok(layer) = rules(row) else {
        // Nothing is translated, and nothing runs by rules that there are not.
        return Action::Deny;
    };
    let rules = RuleSet::new(vec![builtin(), layer]);
    let mut fields = input.as_object().cloned().unwrap_or_default();
    let tool = fields.remove("tool").unwrap_or_default();
    for (field, value) in [
        ("content", "x"),
        ("old_string", "x"),
        ("new_string", "y"),
        ("prompt", "x"),
    ] {
        fields.entry(field).or_insert(json!(value));
    }
    if let Some(Value::String(command)) = fields.get_mut("command") {
        *command = command.replace("<10001 chars>", &"x".repeat(10_001));
        *command = command.replace("<200 tabs>", &"\t".repeat(200));
    }
    let cwd = cwd(row);
    let session = imagined::session(&cwd);
    let call = recorded::call(
        tool.as_str().unwrap_or_default(),
        &Value::Object(fields),
        "1",
        &cwd,
    );
    let link = LINKS.iter().find(|(id, ..)| *id == text(row, "id"));
    let action = match link {
        None => imagined::verdict(&call, &session, &rules, rules.mode(None)).action,
        Some((_, above, to)) => {
            let path = cwd.join(text(input, "file_path"));
            let link = (0..*above).fold(path, |path, _| path.parent());
            let to = AbsPath::parse(to).unwrap();
            linked(&call, &session, &rules, (&link, &to))
        }
    };
    match action {
        Action::Ask if rules.approvals(None) == Approvals::Never => Action::Deny,
        Action::Allow | Action::Ask | Action::Deny => action,
    }
}

/// The same on a machine with a link.
fn linked(call: &Call, session: &Session, rules: &RuleSet, link: (&AbsPath, &AbsPath)) -> Action {
    let effects = read(call, session);
    let mut world = World::new();
    let grounded: Grounded = loop {
        match step(&effects, session, &world) {
            Step::Ready(grounded) => break grounded,
            Step::Need(lookups) => lookups.into_iter().for_each(|lookup| {
                let found = looked_up(&lookup, link);
                world.insert(lookup, found);
            }),
        }
    };
    let circumstances = Circumstances {
        mode: rules.mode(None),
        session,
        now: 0,
        enforceable: &[],
        malformed: call.action.malformed().map(str::to_owned),
    };
    judge(rules, &requests(&grounded, session), &circumstances).action
}

fn looked_up(lookup: &Lookup, (from, to): (&AbsPath, &AbsPath)) -> Found {
    match lookup {
        Lookup::Path(path) => {
            let resolved = path.below(from).map(|rest| to.join(rest));
            Found::Path {
                resolved: resolved.unwrap_or_else(|| path.clone()),
                kind: FileKind::Missing,
            }
        }
        Lookup::Program(name) => Found::Program(AbsPath::parse(&format!("/usr/bin/{name}"))),
        Lookup::GitAlias { .. } => Found::Text(None),
        Lookup::Script { .. } => Found::Script(None),
        Lookup::Protected(_) | Lookup::NamedByGit(_) => Found::Names(Vec::new()),
        Lookup::BareRepository(path) => Found::Path {
            resolved: path.clone(),
            kind: FileKind::Missing,
        },
    }
}

#[test]
fn p13_reported_settings_give_what_their_writers_meant() {
    let Some(rows) = rows() else {
        println!("skipped: the environment names no COUNTERSIGN_DATA with bug-cases.jsonl");
        return;
    };
    let mut all = 0;
    let mut different = Vec::new();
    for row in &rows {
        let id = text(row, "id");
        let Some(found) = calls(row).iter().map(|call| judged(row, call)).max() else {
            continue;
        };
        all += 1;
        let known = DIFFERENT.iter().find(|(known, ..)| *known == id);
        if found.name() == text(row, "expect") {
            assert_eq!(known, None, "{id} gives what it names, and is listed");
        } else {
            different.push((id.to_owned(), found, known.map(|(_, _, cause)| *cause)));
        }
    }
    let count = |cause| {
        different
            .iter()
            .filter(|(.., own)| *own == Some(cause))
            .count()
    };
    println!(
        "{all} rows, {} as they name it; of the others {} by their words, {} by the gate, {} by the translation",
        all - different.len(),
        count(Cause::Words),
        count(Cause::Gate),
        count(Cause::Translation),
    );
    for (id, found, cause) in &different {
        let known = DIFFERENT.iter().find(|(known, ..)| known == id);
        let known = known.map(|(_, action, cause)| (*action, Some(*cause)));
        assert_eq!(known, Some((*found, *cause)), "{id}");
    }
    assert!(count(Cause::Translation) * 20 <= all, "{different:?}");
}
