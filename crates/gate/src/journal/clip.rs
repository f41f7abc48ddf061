//! A foreign text of any length, cut in its middle so that it can be written; the full length is always said.

use serde::{Deserialize, Serialize};

/// The most bytes of a foreign word or sentence (a reason, a summary, an error) that a line keeps.
pub const WORDS_BYTES: usize = 1024;

/// A text with its head and tail kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// The start; the whole text where nothing was cut.
    pub head: String,
    /// The end, where the middle was cut out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
    /// The length of the whole text in bytes.
    pub bytes: u64,
}

impl Clip {
    /// Keeps at most `limit` bytes of `text`: half from its start and half from its end, never half a character.
    pub fn of(text: &str, limit: usize) -> Self {
        let bytes = text.len() as u64;
        if text.len() <= limit {
            return Self {
                head: text.to_owned(),
                tail: None,
                bytes,
            };
        }
        let head = boundary_before(text, limit / 2);
        let tail = boundary_after(text, text.len() - limit / 2);
        Self {
            head: text.get(..head).unwrap_or_default().to_owned(),
            tail: Some(text.get(tail..).unwrap_or_default().to_owned()),
            bytes,
        }
    }

    /// Whether the middle is missing.
    pub fn is_cut(&self) -> bool {
        self.tail.is_some()
    }
}

/// The last character boundary at or before `index`; std's own is younger than the oldest compiler we support.
fn boundary_before(text: &str, index: usize) -> usize {
    let found = (0..=index).rev().find(|&at| text.is_char_boundary(at));
    found.unwrap_or(0)
}

/// The first character boundary at or after `index`.
fn boundary_after(text: &str, index: usize) -> usize {
    let found = (index..=text.len()).find(|&at| text.is_char_boundary(at));
    found.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::Clip;

    #[test]
    fn short_texts_stay_whole() {
        let clip = Clip::of("häuser", 7);
        assert_eq!(
            (clip.head.as_str(), clip.is_cut(), clip.bytes),
            ("häuser", false, 7)
        );
    }

    #[test]
    fn long_texts_keep_both_ends() {
        let text = format!("a{}z", "é".repeat(100));
        for limit in 0..text.len() {
            let clip = Clip::of(&text, limit);
            let tail = clip.tail.clone().unwrap();
            assert!(clip.head.len() + tail.len() <= limit);
            assert!(text.starts_with(&clip.head) && text.ends_with(&tail));
            assert_eq!(clip.bytes, 202);
        }
    }
}
