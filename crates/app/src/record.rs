//! The verdict as a JSON record (`check --json`): types made for the wire, whose keys stay. docs/cli.md lists them.

use crate::judged::Judged;
use countersign_gate::journal::judged::{Code, Phase};
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::printable::is_hidden;
use countersign_policy::request::Target;
use countersign_policy::rules::rule::{Authority, RuleRef};
use countersign_policy::verdict::{Finding, Source, Verdict};
use serde::Serialize;
use std::fmt::Write as _;

/// The record.
#[derive(Debug, Serialize)]
struct Record {
    allow: bool,
    requires_approval: bool,
    action: &'static str,
    reason: String,
    hint: Option<String>,
    code: Code,
    phase: Phase,
    mode: &'static str,
    matched_rule: Option<Rule>,
    permission: Option<&'static str>,
    pattern: Option<String>,
    requirements: Vec<Requirement>,
    findings: Vec<FindingRecord>,
    malformed: Option<String>,
    broken: Vec<String>,
    call: CallRecord,
}

/// The call that was judged.
#[derive(Debug, Serialize)]
struct CallRecord {
    id: String,
    tool: String,
    cwd: String,
    digest: String,
}

/// One thing that somebody has to agree to.
#[derive(Debug, Serialize)]
struct Requirement {
    permission: &'static str,
    pattern: String,
    category: &'static str,
    reason: String,
    matched_rule: Option<Rule>,
    person_only: bool,
}

/// One finding.
#[derive(Debug, Serialize)]
struct FindingRecord {
    kind: &'static str,
    target: String,
    places: Vec<String>,
    category: &'static str,
    action: &'static str,
    source: &'static str,
    detail: Option<&'static str>,
    reason: String,
    rule: Option<Rule>,
    program: Option<String>,
    cwd: Vec<String>,
    within: Option<String>,
    command: usize,
    span: Option<SpanRecord>,
    person_only: bool,
}

/// A part of the command text, in bytes.
#[derive(Debug, Serialize)]
struct SpanRecord {
    start: usize,
    end: usize,
}

/// A rule.
#[derive(Debug, Serialize)]
struct Rule {
    id: Option<String>,
    label: String,
    layer: &'static str,
    origin: String,
    line: usize,
}

/// The record as one line. For a terminal every invisible character is written as `\u….`, which means the same.
pub(crate) fn text(judged: &Judged, terminal: bool) -> String {
    // These types always serialise; an empty record is none, which no reader takes for an allow.
    let mut text = serde_json::to_string(&Record::of(judged)).unwrap_or_default();
    if terminal {
        text = visible(&text);
    }
    text.push('\n');
    text
}

/// JSON that shows what it holds; characters outside ASCII stand in strings only.
pub(crate) fn visible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

impl Record {
    fn of(judged: &Judged) -> Self {
        let Judged { verdict, call, .. } = judged;
        let decisive = explain::decisive(verdict);
        Self {
            allow: verdict.action == Action::Allow,
            requires_approval: verdict.action == Action::Ask,
            action: verdict.action.name(),
            reason: explain::reason(verdict),
            hint: explain::hint(verdict).map(str::to_owned),
            code: Code::of(verdict),
            phase: Phase::PreCheck,
            mode: verdict.mode.name(),
            matched_rule: decisive.and_then(Rule::of_finding),
            permission: decisive.map(|finding| finding.request.kind.name()),
            pattern: decisive.map(|finding| explain::target(&finding.request.target)),
            requirements: requirements(verdict),
            findings: verdict.findings.iter().map(FindingRecord::of).collect(),
            malformed: verdict.malformed.clone(),
            broken: verdict.broken.clone(),
            call: CallRecord {
                id: call.id.0.clone(),
                tool: call.tool.clone(),
                cwd: call.cwd.as_str().to_owned(),
                digest: call.digest().to_string(),
            },
        }
    }
}

/// Everything that somebody has to agree to; nothing where no agreement helps.
fn requirements(verdict: &Verdict) -> Vec<Requirement> {
    if verdict.action != Action::Ask {
        return Vec::new();
    }
    explain::deciding(verdict)
        .map(|finding| Requirement {
            permission: finding.request.kind.name(),
            pattern: explain::target(&finding.request.target),
            category: finding.request.category.name(),
            reason: explain::because(finding),
            matched_rule: Rule::of_finding(finding),
            person_only: finding.person_only,
        })
        .collect()
}

impl FindingRecord {
    fn of(finding: &Finding) -> Self {
        let request = &finding.request;
        let (source, detail) = source(&finding.source);
        Self {
            kind: request.kind.name(),
            target: explain::target(&request.target),
            places: places(&request.target),
            category: request.category.name(),
            action: finding.action.name(),
            source,
            detail,
            reason: explain::because(finding),
            rule: Rule::of_finding(finding),
            program: request.program.clone(),
            cwd: request.cwd.iter().map(ToString::to_string).collect(),
            within: request.within.as_ref().map(ToString::to_string),
            command: request.command,
            span: request.span.map(|span| SpanRecord {
                start: span.start,
                end: span.end,
            }),
            person_only: finding.person_only,
        }
    }
}

fn places(target: &Target) -> Vec<String> {
    match target {
        Target::Path(path) => path.places.iter().map(ToString::to_string).collect(),
        Target::Command(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => Vec::new(),
    }
}

/// A source by its name, with what it is about.
const fn source(source: &Source) -> (&'static str, Option<&'static str>) {
    match source {
        Source::Floor(floor) => ("floor", Some(floor.name())),
        Source::Rule(_) => ("rule", None),
        Source::PerhapsRule(_) => ("perhaps_rule", None),
        Source::Confinement(_) => ("confinement", None),
        Source::Opacity(why) => ("opacity", Some(why.name())),
        Source::Mode(category) => ("mode", Some(category.name())),
        Source::CategoryChoice(category) => ("category_choice", Some(category.name())),
        Source::SettledByCommand(_) => ("settled_by_command", None),
        Source::ItsStarter => ("its_starter", None),
        Source::ItsEffects => ("its_effects", None),
        Source::ScopedAllow(_) => ("scoped_allow", None),
        Source::ReadOnlyTurn => ("read_only_turn", None),
        Source::BrokenRules => ("broken_rules", None),
    }
}

impl Rule {
    fn of_finding(finding: &Finding) -> Option<Self> {
        explain::rule(&finding.source).map(Self::of)
    }

    fn of(rule: &RuleRef) -> Self {
        Self {
            id: rule.id.clone(),
            label: rule.label.clone(),
            layer: layer(rule.authority),
            origin: rule.origin.clone(),
            line: rule.line,
        }
    }
}

/// The name of a layer.
pub(crate) const fn layer(authority: Authority) -> &'static str {
    match authority {
        Authority::Builtin => "built-in",
        Authority::Project => "project",
        Authority::User => "user",
        Authority::Managed => "managed",
    }
}
