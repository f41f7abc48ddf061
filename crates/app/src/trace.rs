//! The trace of a verdict for a person: each command of the text with what it would do and what decided that.

use crate::ink;
use crate::judged::Judged;
use crate::page::{Ink, Page, Piece};
use countersign_policy::effects::command::{CommandLine, Field};
use countersign_policy::explain;
use countersign_policy::path::AbsPath;
use countersign_policy::request::Target;
use countersign_policy::rules::rule::RuleRef;
use countersign_policy::verdict::{Finding, Source};
use countersign_shell::span::Span;

/// The findings of one part of the text.
struct Part<'v> {
    span: Option<Span>,
    findings: Vec<&'v Finding>,
}

/// Every part of the call with its findings.
pub(crate) fn commands(page: &mut Page, judged: &Judged) {
    let verdict = &judged.verdict;
    if let Some(words) = &verdict.malformed {
        page.line(
            (0, 2),
            &[Piece::plain(&format!("not judged further: {words}"))],
        );
        page.gap();
    } else if verdict.findings.is_empty() {
        page.line(
            (0, 2),
            &[Piece::plain("it touches nothing that is asked about")],
        );
        page.gap();
    }
    for (at, part) in parts(&verdict.findings).iter().enumerate() {
        let number = format!("{:<3}", at + 1);
        let (title, more) = title(judged, part);
        let mut pieces = vec![
            Piece::new(Ink::Faint, &number),
            Piece::new(Ink::Strong, &title),
        ];
        if more > 0 {
            let words = format!(" … and {more} more lines, all shown above");
            pieces.push(Piece::new(Ink::Faint, &words));
        }
        if let Some(words) = directory(judged, part) {
            pieces.push(Piece::new(Ink::Faint, &words));
        }
        page.line((0, 5), &pieces);
        let of_starter = |finding: &&&Finding| finding.source == Source::ItsStarter;
        for finding in part.findings.iter().filter(|finding| !of_starter(finding)) {
            show(page, judged, finding, &title);
        }
        inside(page, part);
        page.gap();
    }
}

/// What scripts of the project run, in one paragraph for each command that starts one.
fn inside(page: &mut Page, part: &Part<'_>) {
    const MOST: usize = 24;
    let mut commands: Vec<usize> = part
        .findings
        .iter()
        .map(|found| found.request.command)
        .collect();
    commands.dedup();
    for command in commands {
        let findings = part.findings.iter().copied();
        if let Some(words) = explain::inside(findings, command, MOST) {
            page.line(
                (3, 10),
                &[Piece::new(Ink::Faint, &format!("runs   {words}"))],
            );
        }
    }
}

/// What could not be told, and why.
pub(crate) fn untold(page: &mut Page, judged: &Judged) {
    let mut told: Vec<String> = Vec::new();
    let own = |finding: &&Finding| finding.request.within.is_none();
    for finding in judged.verdict.findings.iter().filter(own) {
        let words = match &finding.request.target {
            Target::Opaque(why) => {
                Some(format!("{}: {}", why.words(), explain::opacity_words(*why)))
            }
            Target::Path(path) if path.places.is_empty() => {
                Some(format!("where `{}` lies", path.written))
            }
            Target::Command(line) => words_untold(line),
            Target::Path(_) | Target::Host(_) | Target::Name(_) => None,
        };
        if let Some(words) = words
            && !told.contains(&words)
        {
            told.push(words);
        }
    }
    if told.is_empty() {
        return;
    }
    page.section("what could not be told");
    for words in told {
        page.line((2, 4), &[Piece::plain(&words)]);
    }
    page.gap();
}

/// The words of a command that are known only when it runs.
fn words_untold(line: &CommandLine) -> Option<String> {
    let why = line.words.iter().find_map(|field| match field {
        Field::Unknown { why, .. } => Some(*why),
        Field::Known(_) | Field::Names(_) | Field::Listed(_) => None,
    })?;
    let command = explain::command_words(line);
    Some(format!(
        "what `‹…›` is in `{command}`: {}",
        explain::why_words(why)
    ))
}

/// The findings by the part of the text from which they come, in the order of the text. What a loop that is read twice
/// says twice is said once.
fn parts(findings: &[Finding]) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for finding in findings {
        let span = finding.request.span;
        let known = parts.iter_mut().find(|part| part.span == span);
        match known {
            Some(part) if part.findings.iter().any(|known| is_same(known, finding)) => {}
            Some(part) => part.findings.push(finding),
            None => parts.push(Part {
                span,
                findings: vec![finding],
            }),
        }
    }
    parts.sort_by_key(|part| part.span.map(|span| (span.start, span.end)));
    parts
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    one.request.kind == other.request.kind
        && one.request.target == other.request.target
        && one.action == other.action
        && one.source == other.source
}

/// The part of the text on one line, and how many lines it has beyond that.
fn title(judged: &Judged, part: &Part<'_>) -> (String, usize) {
    let quoted = judged.text().zip(part.span);
    let text = quoted.and_then(|(text, span)| span.text(text));
    match text.filter(|text| !text.is_empty()) {
        Some(text) => {
            let first = text.lines().next().unwrap_or_default();
            (first.to_owned(), text.lines().count().saturating_sub(1))
        }
        // What is not understood has no text of its own.
        None if judged.text().is_some() => ("the text".to_owned(), 0),
        None => (judged.call.tool.clone(), 0),
    }
}

/// The directory in which the part happens, where it is another than the call's.
fn directory(judged: &Judged, part: &Part<'_>) -> Option<String> {
    let first = part.findings.first()?;
    let cwd = &first.request.cwd;
    if *cwd == [judged.call.cwd.clone()] {
        return None;
    }
    let names: Vec<&str> = cwd.iter().map(AbsPath::as_str).collect();
    Some(match names.as_slice() {
        [] => "  (in a directory that cannot be told)".to_owned(),
        names => format!("  (in {})", names.join(" or ")),
    })
}

/// One finding: its action, what would happen and what decided.
fn show(page: &mut Page, judged: &Judged, finding: &Finding, title: &str) {
    let action = format!("{:<6}", finding.action.name());
    let does = match &finding.request.target {
        Target::Command(line) if is_title(line, title) => "the command itself".to_owned(),
        Target::Command(_)
        | Target::Path(_)
        | Target::Host(_)
        | Target::Name(_)
        | Target::Opaque(_) => explain::does(&finding.request),
    };
    let why = explain::decided_by(finding, judged.verdict.mode);
    let person = if finding.person_only {
        "; only a person may answer"
    } else {
        ""
    };
    page.line(
        (3, 10),
        &[
            Piece::new(ink::of(finding.action), &action),
            Piece::plain(&format!(" {does}: {why}{person}")),
        ],
    );
    for lifted in &finding.lifted {
        let words = format!("({})", explain::lifted_words(lifted));
        page.line((10, 12), &[Piece::new(Ink::Faint, &words)]);
    }
    let mut names: Vec<String> = others(finding).map(explain::rule_name).collect();
    names.dedup();
    if !names.is_empty() {
        let words = format!("(also matched: {})", names.join(", "));
        page.line((10, 12), &[Piece::new(Ink::Faint, &words)]);
    }
}

/// The rules that matched, beside the one that decided and those that were lifted.
fn others(finding: &Finding) -> impl Iterator<Item = &RuleRef> {
    let decided = explain::rule(&finding.source);
    let lifted = |rule: &RuleRef| finding.lifted.iter().any(|lifted| lifted.rule == *rule);
    let matched = finding.matched.iter();
    matched.filter(move |rule| decided != Some(rule) && !lifted(rule))
}

/// Whether the canonical words are what stands in the text, so that they need not be said again.
fn is_title(line: &CommandLine, title: &str) -> bool {
    line.changed_by.is_empty() && explain::command_words(line) == title
}
