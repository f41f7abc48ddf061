//! Untrusted text in the only form in which it may reach a screen: whatever is invisible, or moves what is visible, is
//! spelled out. It shortens nothing, colours nothing and wraps nothing.

use std::fmt;
use std::fmt::Write as _;

/// A text that can be shown: control, bidirectional, zero-width, tag and other invisible characters are written as
/// `‹U+202E›`, a newline as `‹newline›` and a tab as `‹tab›`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printable<'t> {
    text: &'t str,
    form: Form,
}

/// What becomes of newlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// They are spelled out.
    Line,
    /// They are kept.
    Lines,
}

impl<'t> Printable<'t> {
    /// The text on one line.
    pub const fn line(text: &'t str) -> Self {
        Self {
            text,
            form: Form::Line,
        }
    }

    /// The text with its newlines; for a place that is prepared for more than one line.
    pub const fn lines(text: &'t str) -> Self {
        Self {
            text,
            form: Form::Lines,
        }
    }
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.text.chars() {
            match (c, self.form) {
                ('\n', Form::Lines) => f.write_char('\n')?,
                ('\n', Form::Line) => f.write_str("‹newline›")?,
                ('\t', Form::Line | Form::Lines) => f.write_str("‹tab›")?,
                (c, Form::Line | Form::Lines) if is_hidden(c) => {
                    write!(f, "‹U+{:04X}›", u32::from(c))?;
                }
                (c, Form::Line | Form::Lines) => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Whether a character cannot be seen, cannot be told from a plain space, or changes how others are shown.
pub const fn is_hidden(c: char) -> bool {
    matches!(
        c,
        // Control characters, C0, DEL and C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Spaces that are not the one that separates words.
        | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{2800}' | '\u{3000}'
        // Soft hyphen, joiners, fillers and vowel separators that are not drawn.
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{ffa0}'
        // Zero-width characters, marks and embeddings of direction, line and paragraph separators, operators.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Prepended marks of number and text, which stretch over what follows.
        | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        // Variation selectors, the byte order mark, interlinear annotation, noncharacters.
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}' | '\u{ffff}'
        // Format controls of single scripts, shorthand and music.
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1345f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        // Private use: drawn as whatever a font likes.
        | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'
        // Tags, variation selectors and everything reserved beside them.
        | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::{Printable, is_hidden};

    #[test]
    fn a6_spells_out_what_cannot_be_seen() {
        for (text, expected) in [
            ("ls -la", "ls -la"),
            ("a\u{202e}b", "a‹U+202E›b"),
            ("\u{1b}[2J", "‹U+001B›[2J"),
            ("a\r\nb\tc", "a‹U+000D›‹newline›b‹tab›c"),
            ("x\u{200b}y\u{feff}", "x‹U+200B›y‹U+FEFF›"),
            ("\u{e0061}\u{9b}31m", "‹U+E0061›‹U+009B›31m"),
            ("rm\u{a0}-rf", "rm‹U+00A0›-rf"),
            ("häuser 日本 🦀", "häuser 日本 🦀"),
        ] {
            assert_eq!(Printable::line(text).to_string(), expected);
        }
        assert_eq!(Printable::lines("a\nb\r").to_string(), "a\nb‹U+000D›");
    }

    #[test]
    fn a6_what_is_shown_hides_nothing() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = c.to_string();
            let shown = Printable::line(&text).to_string();
            assert!(shown.chars().all(|c| !is_hidden(c)), "{c:?}");
            assert_eq!(Printable::line(&shown).to_string(), shown);
        }
    }
}
