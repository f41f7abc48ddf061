//! What the reader remembers of here-documents between their operators and their bodies; it reads neither.

use crate::span::Span;

/// A here-document whose body has not begun.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    /// Where its operator stands.
    pub(super) operator: usize,
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
}

/// Where a body is.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyPlace {
    /// The text of the body.
    pub(super) body: Span,
    /// Where the delimiter line ends.
    pub(super) end: usize,
}
