//! A text shown with carets under parts of it: the command of a call, or a line of a rule file. Every character is
//! shown.

use crate::page::{Ink, Page, Piece, columns};
use countersign_policy::printable::Printable;
use countersign_shell::span::Span;

/// A part of a text that is marked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// The part.
    pub(crate) span: Span,
    /// What stands below it.
    pub(crate) sign: char,
}

/// Shows a text line by line at an indent, with carets below what is marked.
pub(crate) fn quote(page: &mut Page, indent: usize, text: &str, marks: &[Mark], ink: Ink) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let shown = line.strip_suffix('\n').unwrap_or(line);
        row(page, indent, shown, start, marks, ink);
        start += line.len();
    }
    if text.is_empty() {
        page.line((indent, indent), &[Piece::new(Ink::Faint, "(empty)")]);
    }
}

/// One character as it is shown.
struct Glyph {
    text: String,
    width: usize,
    /// What stands below it; the first mark counts.
    sign: char,
}

/// One line of the text, in as many rows as it needs.
fn row(page: &mut Page, indent: usize, line: &str, start: usize, marks: &[Mark], ink: Ink) {
    let glyphs: Vec<Glyph> = line
        .char_indices()
        .map(|(at, c)| {
            let at = start + at;
            let mut bytes = [0; 4];
            let text = Printable::line(c.encode_utf8(&mut bytes)).to_string();
            let width = text.chars().map(columns).sum();
            let mark = marks
                .iter()
                .find(|mark| mark.span.start <= at && at < mark.span.end.max(mark.span.start + 1));
            let sign = mark.map_or(' ', |mark| mark.sign);
            Glyph { text, width, sign }
        })
        .collect();
    let end = start + line.len();
    let glyphs = glyphs
        .into_iter()
        .chain(end_mark(end, marks))
        .collect::<Vec<_>>();
    let limit = page.columns(indent);
    let mut rest = glyphs.as_slice();
    loop {
        let (now, after) = rest.split_at(fitting(rest, limit));
        let text: String = now.iter().map(|glyph| glyph.text.as_str()).collect();
        page.line((indent, indent), &[Piece::plain(&text)]);
        carets(page, indent, now, ink);
        if after.is_empty() {
            return;
        }
        rest = after;
    }
}

/// A mark that stands where the line ends: something is missing there.
fn end_mark(end: usize, marks: &[Mark]) -> Option<Glyph> {
    let mark = marks
        .iter()
        .find(|mark| mark.span.start == end && mark.span.end <= end + 1)?;
    Some(Glyph {
        text: " ".to_owned(),
        width: 1,
        sign: mark.sign,
    })
}

/// How many glyphs fit, at least one where there is any.
fn fitting(glyphs: &[Glyph], limit: usize) -> usize {
    let mut used = 0_usize;
    let fit = glyphs.iter().take_while(|glyph| {
        used = used.saturating_add(glyph.width);
        used <= limit
    });
    fit.count().max(1).min(glyphs.len())
}

/// The carets below a row, where anything in it is marked.
fn carets(page: &mut Page, indent: usize, glyphs: &[Glyph], ink: Ink) {
    if !glyphs.iter().any(|glyph| glyph.sign != ' ') {
        return;
    }
    let below: String = glyphs
        .iter()
        .map(|glyph| glyph.sign.to_string().repeat(glyph.width))
        .collect();
    page.line((indent, indent), &[Piece::new(ink, &below)]);
}
