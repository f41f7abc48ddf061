//! Writes imported rules as a commented rule file. Foreign text stands in it only where it cannot be anything but a
//! string or a comment.

use super::imported::{Imported, ImportedRule, Remark};
use countersign_policy::action::Action;
use countersign_policy::printable::Printable;
use countersign_policy::request::Kind;
use std::fmt::Write as _;

/// The most text of a remark, in characters.
const MOST_SHOWN: usize = 100;

/// The rule file for what was imported. `origin` names from where.
pub fn written(imported: &Imported, origin: &str) -> String {
    let mut out = String::new();
    head(&mut out, imported, origin);
    for action in [Action::Allow, Action::Ask, Action::Deny] {
        table(&mut out, action, &imported.rules);
    }
    for rule in imported.rules.iter().filter(|rule| !is_plain(rule)) {
        out.push('\n');
        comment(&mut out, "", &format!("from {}", rule.from));
        out.push_str(&entry(rule));
    }
    remarks(&mut out, "Not translated:", &imported.untranslated);
    remarks(
        &mut out,
        "Translated otherwise, or left out:",
        &imported.warnings,
    );
    out
}

/// One rule as an entry of its own.
pub(super) fn entry(rule: &ImportedRule) -> String {
    let mut out = "[[rule]]\n".to_owned();
    // Nothing can go wrong in writing to a string.
    let _ = writeln!(
        out,
        "{} = {{ {} = {} }}",
        rule.action.name(),
        rule.kind.name(),
        string(&rule.pattern)
    );
    if !rule.with.is_empty() {
        let with: Vec<String> = rule.with.iter().map(|text| string(text)).collect();
        let _ = writeln!(out, "with = [{}]", with.join(", "));
    }
    if let Some(reason) = &rule.reason {
        let _ = writeln!(out, "reason = {}", string(reason));
    }
    out
}

/// What holds for the whole file.
fn head(out: &mut String, imported: &Imported, origin: &str) {
    comment(
        out,
        "",
        &format!("Rules of countersign, translated from {origin}."),
    );
    comment(
        out,
        "",
        "What they mean: docs/rules.md. Behind each rule stands what it was there.",
    );
    out.push_str("version = 1\n");
    if let Some(mode) = imported.mode {
        let _ = writeln!(out, "mode = \"{}\"", mode.name());
    }
    if let Some(approvals) = imported.approvals {
        let _ = writeln!(out, "approvals = \"{}\"", approvals.name());
    }
    if !imported.category.is_empty() {
        let choice = imported.category.iter();
        let choices: Vec<String> = choice
            .map(|(category, action)| format!("{} = \"{}\"", category.name(), action.name()))
            .collect();
        let _ = writeln!(out, "category = {{ {} }}", choices.join(", "));
    }
}

/// The rules without conditions of one action.
fn table(out: &mut String, action: Action, rules: &[ImportedRule]) {
    let own = |rule: &&ImportedRule| rule.action == action && is_plain(rule);
    let own: Vec<&ImportedRule> = rules.iter().filter(own).collect();
    if own.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n[{}]", action.name());
    for kind in Kind::ALL {
        let mut of_kind = own.iter().filter(|rule| rule.kind == kind).peekable();
        if of_kind.peek().is_none() {
            continue;
        }
        let _ = writeln!(out, "{} = [", kind.name());
        for rule in of_kind {
            let pattern = format!("  {},", string(&rule.pattern));
            comment(out, &pattern, &rule.from);
        }
        out.push_str("]\n");
    }
}

/// Whether a rule says nothing but action, kind and pattern.
fn is_plain(rule: &ImportedRule) -> bool {
    rule.with.is_empty() && rule.reason.is_none()
}

fn remarks(out: &mut String, title: &str, remarks: &[Remark]) {
    if remarks.is_empty() {
        return;
    }
    out.push('\n');
    comment(out, "", title);
    for remark in remarks {
        comment(
            out,
            "",
            &format!("- {}: {}", shown(&remark.what), remark.why),
        );
    }
}

/// A line with a comment; whatever could end the line is spelled out.
fn comment(out: &mut String, front: &str, text: &str) {
    let space = if front.is_empty() { "" } else { " " };
    let _ = writeln!(out, "{front}{space}# {}", Printable::line(&shown(text)));
}

/// A text that is not longer than a person reads.
fn shown(text: &str) -> String {
    if text.chars().count() <= 3 * MOST_SHOWN {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST_SHOWN).collect();
    format!("{head} …")
}

/// A basic string of TOML.
fn string(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if countersign_policy::printable::is_hidden(c) => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
