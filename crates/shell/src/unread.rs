//! Why a text was not read; not an opinion about what it would do.

use std::fmt;

use crate::span::Span;

/// A text that is not understood in full. Nothing of it may be taken for known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// What stopped the reader.
    pub kind: UnreadKind,
    /// Where it stopped.
    pub span: Span,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.span.start)
    }
}

impl std::error::Error for Unread {}

/// Every reason for not reading a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnreadKind {
    /// The text is longer than the limit.
    TooLong,
    /// Constructs are nested deeper than the limit.
    TooDeep,
    /// The reader took more steps than the limit.
    OutOfFuel,
    /// The text holds a NUL byte.
    Nul,
    /// The text holds one of the two bytes by which bash marks quoting in its own memory, and so loses or doubles.
    Control,
    /// The text ends inside a construct.
    UnexpectedEnd,
    /// Something stands where bash's grammar does not allow it.
    UnexpectedToken,
    /// A reserved word such as `then` or `done` is missing here.
    MissingKeyword,
    /// A compound command without any command inside.
    EmptyBody,
    /// A word is missing, such as the operand of a redirection.
    MissingWord,
    /// A quote or backquote that is never closed.
    UnclosedQuote,
    /// An expansion, substitution or pattern that is never closed.
    UnclosedExpansion,
    /// `${…}` with an inside that bash does not know.
    BadSubstitution,
    /// A function or loop variable whose name is not plain.
    BadName,
    /// An expression between `[[` and `]]` that bash rejects.
    BadTest,
    /// A `for ((` without exactly three expressions.
    BadArithmeticFor,
    /// Text that means one thing with extended patterns and another without them.
    ExtendedPattern,
    /// Quotes inside an expansion or arithmetic whose effect depends on more than the text.
    NestedQuotes,
    /// An escape in arithmetic or a subscript which bash evaluates a second time.
    ArithmeticEscape,
    /// Parentheses that could be arithmetic or commands and are neither clearly.
    AmbiguousParentheses,
    /// A process substitution where bash's own readers disagree.
    MisplacedProcessSubstitution,
    /// A here-document with a delimiter or place that is not plain.
    BadHereDocument,
    /// Text that bash 5.2 takes twice, so that it runs other commands than are written: inside `$(…)` it prints what it
    /// read and reads that again, and the operand of `>&` it expands again.
    Garbled,
    /// An array element that is not plain.
    BadArray,
    /// An escape in `$'…'` that does not make text.
    BadEscape,
}

impl fmt::Display for UnreadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the text is too long",
            Self::TooDeep => "the text is nested too deeply",
            Self::OutOfFuel => "the text takes too many steps to read",
            Self::Nul => "the text holds a NUL byte",
            Self::Control => "the text holds a byte that bash keeps for itself",
            Self::UnexpectedEnd => "the text ends too early",
            Self::UnexpectedToken => "unexpected token",
            Self::MissingKeyword => "a reserved word is missing",
            Self::EmptyBody => "a command is missing",
            Self::MissingWord => "a word is missing",
            Self::UnclosedQuote => "a quote is never closed",
            Self::UnclosedExpansion => "an expansion is never closed",
            Self::BadSubstitution => "a parameter expansion that bash does not know",
            Self::BadName => "a name that is not plain",
            Self::BadTest => "a conditional expression that bash rejects",
            Self::BadArithmeticFor => "an arithmetic loop needs three expressions",
            Self::ExtendedPattern => "an extended pattern that may not be enabled",
            Self::NestedQuotes => "quotes inside an expansion that cannot be told",
            Self::ArithmeticEscape => "an escape in arithmetic that cannot be told",
            Self::AmbiguousParentheses => "parentheses that are neither arithmetic nor commands",
            Self::MisplacedProcessSubstitution => "a process substitution in an unclear place",
            Self::BadHereDocument => "a here-document that is not plain",
            Self::Garbled => "a construct that bash reads or expands a second time",
            Self::BadArray => "an array element that is not plain",
            Self::BadEscape => "an escape that does not make text",
        })
    }
}
