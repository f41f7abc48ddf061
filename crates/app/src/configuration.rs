//! What is wrong with the rule files: shown with the line, a caret and a hint; and what follows for the exit code.

use crate::exit::Exit;
use crate::ink;
use crate::judged::Judged;
use crate::page::{Ink, Layout, Page, Piece, Target};
use crate::quote::{Mark, quote};
use countersign_gate::rules::{MOST_BYTES, RuleFile, Rules, Standing};
use countersign_policy::rules::overlap::Remark;
use countersign_policy::rules::parse::diagnostic::{Diagnostic, Severity};
use countersign_shell::span::Span;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The most problems that are shown of one file; how many more there are is said.
const MOST_SHOWN: usize = 20;

/// The exit code of a verdict: that of its action, unless a rule file is broken.
pub(crate) fn exit(judged: &Judged) -> Exit {
    if judged.verdict.broken.is_empty() {
        Exit::from(judged.verdict.action)
    } else {
        Exit::Usage
    }
}

/// Shows what is wrong with the rule files, on standard error. That it cannot be shown changes nothing.
pub(crate) fn report(rules: &Rules) {
    let mut page = Page::new(Layout::prose(Target::Messages));
    for file in &rules.files {
        report_file(&mut page, file, &file.diagnostics, MOST_SHOWN);
    }
    // Whoever closed standard error does not want to know.
    let _ = page.write(Target::Messages);
}

/// Shows the same without leaving anything out, and with it the rules that do nothing.
pub(crate) fn report_all(rules: &Rules, remarks: &[Remark<'_>]) {
    let mut page = Page::new(Layout::prose(Target::Messages));
    for file in &rules.files {
        let origin = file.path.display().to_string();
        let text = source(&file.path).unwrap_or_default();
        let own = remarks
            .iter()
            .filter(|remark| *remark.rule.origin == origin);
        let mut all: Vec<Diagnostic> = own.map(|remark| placed(remark, &text)).collect();
        all.extend(file.diagnostics.iter().cloned());
        all.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        report_file(&mut page, file, &all, usize::MAX);
    }
    let _ = page.write(Target::Messages);
}

/// What is said of a rule, at its pattern's place in the line.
fn placed(remark: &Remark<'_>, text: &str) -> Diagnostic {
    let diagnostic = remark.diagnostic();
    let line = text.lines().nth(diagnostic.line.saturating_sub(1));
    let quoted = format!("\"{}\"", remark.rule.pattern);
    let before = line.and_then(|line| line.split_once(&quoted));
    let column = before.map_or(1, |(before, _)| before.chars().count() + 1);
    Diagnostic {
        column,
        ..diagnostic
    }
}

fn report_file(page: &mut Page, file: &RuleFile, diagnostics: &[Diagnostic], most: usize) {
    let RuleFile { path, standing, .. } = file;
    let text = source(path).unwrap_or_default();
    for diagnostic in diagnostics.iter().take(most) {
        show(page, path, &text, diagnostic);
    }
    if diagnostics.len() > most {
        let more = diagnostics.len() - most;
        let words = format!("{more} more in `{}`", path.display());
        page.line((0, 2), &[Piece::plain(&words)]);
    }
    match standing {
        // A file that could not be read at all has no lines to point at.
        Standing::Broken(why) if diagnostics.is_empty() => {
            headline(page, Severity::Error, &format!("{}: {why}", path.display()));
        }
        Standing::Untrusted { allows: 0, .. } | Standing::InForce | Standing::Broken(_) => {}
        Standing::Untrusted {
            allows, changed, ..
        } => untrusted(page, path, *allows, *changed),
    }
}

/// What a project's file would allow if it were trusted.
fn untrusted(page: &mut Page, path: &Path, allows: usize, changed: bool) {
    let since = if changed {
        " any more, as it changed"
    } else {
        ""
    };
    let rules = if allows == 1 {
        "allow is"
    } else {
        "allows are"
    };
    let words = format!(
        "you do not trust `{}`{since}: its {allows} {rules} not in force",
        path.display()
    );
    headline(page, Severity::Warning, &words);
    page.line(
        (2, 4),
        &[Piece::plain("hint: read it, then run `countersign trust`")],
    );
    page.gap();
}

/// The text of a rule file, as far as it can be read.
pub(crate) fn source(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

fn show(page: &mut Page, path: &Path, text: &str, diagnostic: &Diagnostic) {
    let Diagnostic { line, column, .. } = *diagnostic;
    headline(page, diagnostic.severity, &diagnostic.message);
    let place = format!("{}:{line}:{column}", path.display());
    page.line(
        (2, 4),
        &[Piece::new(Ink::Faint, "at "), Piece::plain(&place)],
    );
    if let Some(source) = text.lines().nth(line.saturating_sub(1)) {
        let span = mark(source, column);
        let mark = Mark { span, sign: '^' };
        quote(
            page,
            4,
            source,
            &[mark],
            ink::of_severity(diagnostic.severity),
        );
    }
    if let Some(hint) = &diagnostic.hint {
        page.line((2, 4), &[Piece::plain(&format!("hint: {hint}"))]);
    }
    page.gap();
}

fn headline(page: &mut Page, severity: Severity, message: &str) {
    let name = Piece::new(ink::of_severity(severity), severity.name());
    page.line((0, 2), &[name, Piece::plain(&format!(": {message}"))]);
}

/// The word at a column: up to the next character that ends one.
fn mark(line: &str, column: usize) -> Span {
    let skipped: usize = line
        .chars()
        .take(column.saturating_sub(1))
        .map(char::len_utf8)
        .sum();
    let rest = line.get(skipped..).unwrap_or_default();
    let ends = |c: char| c.is_whitespace() || matches!(c, '=' | ',' | ']' | '}' | ')');
    let length = match rest.strip_prefix('"') {
        Some(inside) => inside.find('"').map_or(rest.len(), |at| at + 2),
        None => rest.find(ends).unwrap_or(rest.len()),
    };
    let first = rest.chars().next().map_or(1, char::len_utf8);
    Span::new(skipped, skipped + length.max(first))
}
