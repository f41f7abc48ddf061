//! The rules in force as one JSON document, with types made for the wire, whose keys stay. docs/cli.md lists them.

use super::answers::{Answer, answers};
use super::terms::terms;
use crate::record::{layer as name, visible};
use countersign_gate::rules::{RuleFile, Rules, Standing};
use countersign_policy::action::Action;
use countersign_policy::rules::layer::Layer;
use countersign_policy::rules::overlap::Remark;
use countersign_policy::rules::rule::{Authority, Rule};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
struct Record {
    version: u8,
    layers: Vec<LayerRecord>,
    answers: Vec<Answer>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
struct LayerRecord {
    layer: &'static str,
    origin: String,
    standing: &'static str,
    /// Why it is broken.
    why: Option<String>,
    /// How many allows are not in force as nobody trusts the file.
    allows_not_in_force: usize,
    /// Whether another content of it was trusted.
    changed: bool,
    diagnostics: Vec<DiagnosticRecord>,
    counts: BTreeMap<&'static str, usize>,
    /// Nothing where they were not asked for.
    rules: Option<Vec<RuleRecord>>,
    mcp_directories: Vec<DirectoriesRecord>,
}

#[derive(Debug, Serialize)]
struct DiagnosticRecord {
    severity: &'static str,
    line: usize,
    column: usize,
    message: String,
    hint: Option<String>,
}

#[derive(Debug, Serialize)]
struct RuleRecord {
    action: &'static str,
    kind: &'static str,
    pattern: String,
    terms: BTreeMap<&'static str, Vec<String>>,
    id: Option<String>,
    reason: Option<String>,
    hint: Option<String>,
    origin: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct DirectoriesRecord {
    server: String,
    patterns: Vec<String>,
    line: usize,
}

#[derive(Debug, Serialize)]
struct Warning {
    why: &'static str,
    message: String,
    hint: Option<String>,
    rule: String,
    origin: String,
    line: usize,
    other: Option<Other>,
}

#[derive(Debug, Serialize)]
struct Other {
    rule: String,
    origin: String,
    line: usize,
}

/// All of it on one line; `all` lists the built-in rules too.
pub(super) fn record(rules: &Rules, remarks: &[Remark<'_>], all: bool) -> String {
    let layers = rules.set.layers().iter().rev();
    let record = Record {
        version: 1,
        layers: layers.map(|layer| of_layer(layer, rules, all)).collect(),
        answers: answers(&rules.set),
        warnings: remarks.iter().map(warning).collect(),
    };
    // These types always serialise.
    let text = serde_json::to_string(&record).unwrap_or_default();
    format!("{}\n", visible(&text))
}

fn of_layer(layer: &Layer, rules: &Rules, all: bool) -> LayerRecord {
    let mut files = rules.files.iter();
    let file = files.find(|file| file.authority == layer.authority);
    let (standing, why, allows_not_in_force, changed) = match file.map(|file| &file.standing) {
        None | Some(Standing::InForce) => ("in-force", None, 0, false),
        Some(Standing::Broken(why)) => ("broken", Some(why.clone()), 0, false),
        Some(Standing::Untrusted {
            allows, changed, ..
        }) => ("untrusted", None, *allows, *changed),
    };
    let counts = Action::ALL.map(|action| {
        let own = layer.rules.iter().filter(|rule| rule.action == action);
        (action.name(), own.count())
    });
    let listed = all || layer.authority != Authority::Builtin;
    LayerRecord {
        layer: name(layer.authority),
        origin: layer.origin.clone(),
        standing,
        why,
        allows_not_in_force,
        changed,
        diagnostics: file.map(diagnostics).unwrap_or_default(),
        counts: counts.into(),
        rules: listed.then(|| layer.rules.iter().map(rule).collect()),
        mcp_directories: layer
            .directories
            .iter()
            .map(|limit| DirectoriesRecord {
                server: limit.server.clone(),
                patterns: limit.patterns.iter().map(ToString::to_string).collect(),
                line: limit.line,
            })
            .collect(),
    }
}

fn diagnostics(file: &RuleFile) -> Vec<DiagnosticRecord> {
    let all = file.diagnostics.iter();
    let record = all.map(|found| DiagnosticRecord {
        severity: found.severity.name(),
        line: found.line,
        column: found.column,
        message: found.message.clone(),
        hint: found.hint.clone(),
    });
    record.collect()
}

fn rule(rule: &Rule) -> RuleRecord {
    RuleRecord {
        action: rule.action.name(),
        kind: rule.kind.name(),
        pattern: rule.pattern.to_string(),
        terms: terms(&rule.terms).into_iter().collect(),
        id: rule.terms.id.clone(),
        reason: rule.terms.reason.clone(),
        hint: rule.terms.hint.clone(),
        origin: rule.origin.to_string(),
        line: rule.line,
    }
}

fn warning(remark: &Remark<'_>) -> Warning {
    let diagnostic = remark.diagnostic();
    Warning {
        why: remark.why.name(),
        message: diagnostic.message,
        hint: diagnostic.hint,
        rule: remark.rule.reference().label,
        origin: remark.rule.origin.to_string(),
        line: remark.rule.line,
        other: remark.why.other().map(|other| Other {
            rule: other.reference().label,
            origin: other.origin.to_string(),
            line: other.line,
        }),
    }
}
