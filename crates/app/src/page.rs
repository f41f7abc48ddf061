//! The only way to the screen: lines of inked pieces, made printable, wrapped to the width and coloured where colours
//! are wanted. It knows nothing of what it shows.

use anstyle::{AnsiColor, Style};
use countersign_policy::printable::Printable;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use unicode_width::UnicodeWidthChar as _;

/// The width of what is not a terminal, unless nothing is to be wrapped there.
const WIDTH: usize = 100;
/// A narrower terminal is written to as if it were this wide.
const LEAST_WIDTH: usize = 40;

/// What a piece of text is, from which its colour follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Words.
    Plain,
    /// A headline.
    Strong,
    /// What only those look for who need it.
    Faint,
    /// Something allowed, or right.
    Good,
    /// Something asked, or a warning.
    Careful,
    /// Something denied, or an error.
    Bad,
}

impl Ink {
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Strong => Style::new().bold(),
            Self::Faint => Style::new().dimmed(),
            Self::Good => colour(AnsiColor::Green).bold(),
            Self::Careful => colour(AnsiColor::Yellow).bold(),
            Self::Bad => colour(AnsiColor::Red).bold(),
        }
    }
}

/// A piece of text in one ink, already printable.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    ink: Ink,
    text: String,
}

impl Piece {
    /// A piece of any text.
    pub(crate) fn new(ink: Ink, text: &str) -> Self {
        Self {
            ink,
            text: Printable::line(text).to_string(),
        }
    }

    /// Plain words.
    pub(crate) fn plain(text: &str) -> Self {
        Self::new(Ink::Plain, text)
    }
}

/// Where a page goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output: results.
    Output,
    /// Standard error: messages.
    Messages,
}

/// How a page is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The width in columns; nothing where lines are not wrapped.
    pub(crate) width: Option<usize>,
    /// Whether colours are wanted.
    pub(crate) colour: bool,
}

impl Layout {
    /// Prose: wrapped everywhere.
    pub(crate) fn prose(target: Target) -> Self {
        let terminal = terminal_width(target);
        Self {
            width: Some(terminal.unwrap_or(WIDTH)),
            colour: wants_colour(target),
        }
    }

    /// Records: one per line, wrapped on a terminal only.
    pub(crate) fn records(target: Target) -> Self {
        Self {
            width: terminal_width(target),
            colour: wants_colour(target),
        }
    }
}

/// Lines to be shown.
#[derive(Debug)]
pub(crate) struct Page {
    layout: Layout,
    out: String,
}

impl Page {
    /// An empty page.
    pub(crate) const fn new(layout: Layout) -> Self {
        Self {
            layout,
            out: String::new(),
        }
    }

    /// The width within which a quoted text must stay, given its indent.
    pub(crate) fn columns(&self, indent: usize) -> usize {
        self.layout
            .width
            .map_or(usize::MAX, |width| width.saturating_sub(indent).max(10))
    }

    /// The heading of a section.
    pub(crate) fn section(&mut self, title: &str) {
        self.line((0, 2), &[Piece::new(Ink::Strong, title)]);
    }

    /// An empty line.
    pub(crate) fn gap(&mut self) {
        self.out.push('\n');
    }

    /// A line that begins at `indent` and goes on, where it is wrapped, at `hang`.
    pub(crate) fn line(&mut self, (indent, hang): (usize, usize), pieces: &[Piece]) {
        let cells: Vec<Cell> = pieces
            .iter()
            .flat_map(|piece| {
                let ink = piece.ink;
                piece.text.chars().map(move |c| Cell { c, ink })
            })
            .collect();
        let mut rest = cells.as_slice();
        let mut margin = indent;
        loop {
            let (row, after) = split(rest, self.columns(margin));
            self.row(margin, row);
            if after.is_empty() {
                return;
            }
            rest = after;
            margin = hang;
        }
    }

    /// A line that is meant to be copied: it is never wrapped here, as a string cannot go on after a line break.
    pub(crate) fn verbatim(&mut self, indent: usize, piece: &Piece) {
        let ink = piece.ink;
        let cells: Vec<Cell> = piece.text.chars().map(|c| Cell { c, ink }).collect();
        self.row(indent, &cells);
    }

    /// One row, as it stands.
    fn row(&mut self, margin: usize, cells: &[Cell]) {
        let mut line = " ".repeat(margin);
        for run in cells.chunk_by(|one, other| one.ink == other.ink) {
            let text: String = run.iter().map(|cell| cell.c).collect();
            let style = run.first().map_or(Style::new(), |cell| cell.ink.style());
            if self.layout.colour && style != Style::new() {
                // Writing to a string cannot fail.
                let _ = write!(line, "{style}{text}{style:#}");
            } else {
                line.push_str(&text);
            }
        }
        self.out.push_str(line.trim_end_matches(' '));
        self.out.push('\n');
    }

    /// Writes the page.
    pub(crate) fn write(&self, target: Target) -> std::io::Result<()> {
        write(target, self.out.as_bytes())
    }
}

/// Writes bytes that are printable already, or that no terminal reads.
pub(crate) fn write(target: Target, bytes: &[u8]) -> std::io::Result<()> {
    match target {
        Target::Output => {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()
        }
        Target::Messages => std::io::stderr().lock().write_all(bytes),
    }
}

/// Whether a person sees what is written there.
pub(crate) fn is_terminal(target: Target) -> bool {
    match target {
        Target::Output => std::io::stdout().is_terminal(),
        Target::Messages => std::io::stderr().is_terminal(),
    }
}

/// The columns that a character takes.
pub(crate) fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// One character in its ink.
#[derive(Debug, Clone, Copy)]
struct Cell {
    c: char,
    ink: Ink,
}

/// Splits cells after the last word that fits, or within a word that is longer than the width. Nothing but the spaces
/// at the split is left out.
fn split(cells: &[Cell], width: usize) -> (&[Cell], &[Cell]) {
    let mut used = 0;
    let mut space = None;
    for (at, cell) in cells.iter().enumerate() {
        if cell.c == ' ' {
            space = Some(at);
        }
        used += columns(cell.c);
        if used > width && at > 0 {
            let end = space.filter(|space| *space > 0).unwrap_or(at);
            let (row, rest) = cells.split_at(end);
            let spaces = rest.iter().take_while(|cell| cell.c == ' ').count();
            return (row, rest.split_at(spaces).1);
        }
    }
    (cells, &[])
}

fn terminal_width(target: Target) -> Option<usize> {
    if !is_terminal(target) {
        return None;
    }
    let size = match target {
        Target::Output => rustix::termios::tcgetwinsize(std::io::stdout()),
        Target::Messages => rustix::termios::tcgetwinsize(std::io::stderr()),
    };
    let columns = size.map_or(0, |size| usize::from(size.ws_col));
    match columns {
        0 => Some(WIDTH),
        columns => Some(columns.max(LEAST_WIDTH)),
    }
}

/// Colours are for terminals whose owner did not say otherwise.
fn wants_colour(target: Target) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    is_terminal(target) && !refused && !dumb
}

#[cfg(test)]
mod tests {
    use super::{Ink, Layout, Page, Piece};

    fn shown(width: usize, colour: bool, text: &str) -> String {
        let layout = Layout {
            width: Some(width),
            colour,
        };
        let mut page = Page::new(layout);
        page.line((2, 4), &[Piece::new(Ink::Good, text)]);
        page.out
    }

    #[test]
    fn wraps_without_losing_text() {
        assert_eq!(
            shown(14, false, "one two three four"),
            "  one two\n    three four\n"
        );
        assert_eq!(
            shown(14, false, "abcdefghijklmnopqrst"),
            "  abcdefghijkl\n    mnopqrst\n"
        );
        assert_eq!(shown(14, false, ""), "\n");
    }

    #[test]
    fn a6_colours_are_ours_only() {
        assert_eq!(shown(80, false, "\u{1b}[31mx"), "  ‹U+001B›[31mx\n");
        assert!(shown(80, true, "x").contains("\u{1b}["));
    }
}
