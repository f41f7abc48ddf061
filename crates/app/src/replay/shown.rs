//! A replay as a page for people.

use super::report::{Report, Spread, Verdicts};
use crate::page::{Layout, Page, Piece, Target};

/// The page, with so many reasons.
pub(super) fn page(report: &Report, reasons: usize) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    let mut line = |text: String| page.line((0, 4), &[Piece::plain(&text)]);
    line(format!(
        "{} calls of {} sessions, mode {}",
        report.calls(),
        report.sessions(),
        report.mode.name()
    ));
    let (skipped, named) = report.lines_skipped();
    if skipped > 0 {
        line(format!("{skipped} lines were not read:"));
        for place in named {
            line(format!("  {place}"));
        }
    }
    line(String::new());
    line(row(
        "tool",
        ["calls", "allow", "ask", "deny"].map(str::to_owned),
    ));
    let mut all = Verdicts::default();
    for (tool, counts) in &report.tools {
        line(row(tool, numbers(*counts)));
        all.allow += counts.allow;
        all.ask += counts.ask;
        all.deny += counts.deny;
    }
    line(row("all", numbers(all)));
    line(String::new());
    let (every, families) = report.spreads();
    line(row(
        "questions in a session",
        ["p50", "p75", "p90", "most"].map(str::to_owned),
    ));
    line(row("one for each family", spread(families)));
    line(row("every one", spread(every)));
    line(String::new());
    line("commonest reasons: families, calls, sessions".to_owned());
    for told in report.reasons().into_iter().take(reasons) {
        line(format!(
            "{:6} {:6} {:5}  {}  (first: {})",
            told.families, told.calls, told.sessions, told.why, told.example
        ));
    }
    page
}

fn row(name: &str, columns: [String; 4]) -> String {
    let [first, second, third, fourth] = columns;
    format!("{name:40} {first:>7} {second:>7} {third:>7} {fourth:>7}")
}

fn numbers(counts: Verdicts) -> [String; 4] {
    [counts.all(), counts.allow, counts.ask, counts.deny].map(|count| count.to_string())
}

fn spread(spread: Spread) -> [String; 4] {
    [spread.p50, spread.p75, spread.p90, spread.most].map(|count| count.to_string())
}
