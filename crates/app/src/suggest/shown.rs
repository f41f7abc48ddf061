//! Suggestions as a rule file whose comments say why, and as JSON.

use super::asked::{Ask, Asked};
use super::found::{Suggestion, entries};
use crate::counted::counted;
use crate::page::{Ink, Layout, Page, Piece, Target};
use crate::record::visible;
use serde::Serialize;
use std::collections::BTreeSet;

/// How many calls of each kind are shown.
const SHOWN: usize = 5;

/// A rule file: what is shown can be copied as it is.
pub(super) fn page(asked: &Asked, suggestions: &[Suggestion<'_>]) -> Page {
    let mut page = Page::new(Layout::records(Target::Output));
    comment(&mut page, &summary(asked));
    for suggestion in suggestions {
        let Suggestion {
            rules,
            covers,
            also,
        } = suggestion;
        page.gap();
        comment(&mut page, &counted(covers.len(), "question"));
        calls(&mut page, covers);
        if !also.is_empty() {
            comment(&mut page, &format!("and {} more:", also.len()));
            calls(&mut page, also);
        }
        for line in entries(rules).lines() {
            page.verbatim(0, &Piece::plain(line));
        }
    }
    page
}

/// What was looked through, in a sentence.
fn summary(asked: &Asked) -> String {
    let Asked {
        asks,
        for_persons,
        refused,
        settled,
        unread,
        ..
    } = asked;
    let rest = [
        (*for_persons, "a person should answer each time"),
        (*refused, "did not run"),
        (*settled, "not asked about any more"),
        (*unread, "not read"),
    ];
    let mut words = format!(
        "{} that rules could answer",
        counted(asks.len(), "question")
    );
    for (count, what) in rest.iter().filter(|(count, _)| *count > 0) {
        words = format!("{words}, {count} {what}");
    }
    words
}

fn comment(page: &mut Page, words: &str) {
    page.verbatim(0, &Piece::new(Ink::Faint, &format!("# {words}")));
}

fn calls(page: &mut Page, asks: &[&Ask]) {
    let texts = texts(asks);
    for text in texts.iter().take(SHOWN) {
        comment(page, &format!("  {text}"));
    }
    if texts.len() > SHOWN {
        comment(page, &format!("  … and {} more", texts.len() - SHOWN));
    }
}

/// Each text once, in the order in which it first came.
fn texts<'a>(asks: &[&'a Ask]) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    let texts = asks.iter().map(|ask| ask.text.as_str());
    texts.filter(|text| seen.insert(*text)).collect()
}

#[derive(Debug, Serialize)]
struct Record<'a> {
    version: u8,
    questions: usize,
    for_persons: usize,
    refused: usize,
    settled: usize,
    unread: usize,
    suggestions: Vec<SuggestionRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct SuggestionRecord<'a> {
    rules: &'a [String],
    toml: String,
    questions: usize,
    calls: Vec<&'a str>,
    also: usize,
    also_calls: Vec<&'a str>,
}

/// All of it as one JSON document.
pub(super) fn json(asked: &Asked, suggestions: &[Suggestion<'_>]) -> String {
    let record = Record {
        version: 1,
        questions: asked.asks.len(),
        for_persons: asked.for_persons,
        refused: asked.refused,
        settled: asked.settled,
        unread: asked.unread,
        suggestions: suggestions
            .iter()
            .map(|found| SuggestionRecord {
                rules: &found.rules,
                toml: entries(&found.rules),
                questions: found.covers.len(),
                calls: texts(&found.covers).into_iter().take(SHOWN).collect(),
                also: found.also.len(),
                also_calls: texts(&found.also).into_iter().take(SHOWN).collect(),
            })
            .collect(),
    };
    // These types always serialise.
    let text = serde_json::to_string(&record).unwrap_or_default();
    format!("{}\n", visible(&text))
}
