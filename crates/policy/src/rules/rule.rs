//! One rule and the reference by which findings, journal and words name it.

/// By which a verdict names a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RuleRef {
    /// The layer.
    pub authority: Authority,
    /// The rule's `id`, where it has one.
    pub id: Option<String>,
    /// The rule as text: `deny shell git push *`.
    pub label: String,
    /// The file as the user knows it, or `built-in`.
    pub origin: String,
    /// The line in that file, counted from 1.
    pub line: usize,
    /// To the person.
    pub reason: Option<String>,
    /// To the model.
    pub hint: Option<String>,
}

/// The layers, in order of authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Authority {
    /// countersign's own table.
    Builtin,
    /// The repository's file; its allows exist only once it is trusted, and lift built-in rules only.
    Project,
    /// The user's file.
    User,
    /// The administrator's file; it only tightens and is final.
    Managed,
}
