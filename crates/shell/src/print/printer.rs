//! The text that is being written; what is written for which node stands elsewhere.

/// Text so far, and the here-documents whose bodies the next newline begins.
#[derive(Debug, Default)]
pub(super) struct Printer {
    pub(super) out: String,
    pub(super) pending: Vec<String>,
    /// True where an extended pattern was written outside of a test.
    pub(super) extended: bool,
    pub(super) in_test: bool,
    /// True once a here-document was written: bash drops a `;` behind one inside `$(…)`, so newlines separate from
    /// there.
    pub(super) after_body: bool,
}

impl Printer {
    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
}
