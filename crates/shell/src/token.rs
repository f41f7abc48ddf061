//! Reserved words and classes of bytes as bash's lexer knows them; not the lexer, which has no life of its own here.

/// A word that is special at the start of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyword {
    /// `!`
    Bang,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[[`
    OpenTest,
    /// `]]`, which begins nothing, not even a command of that name.
    CloseTest,
    /// `case`
    Case,
    /// `coproc`
    Coproc,
    /// `do`
    Do,
    /// `done`
    Done,
    /// `elif`
    Elif,
    /// `else`
    Else,
    /// `esac`
    Esac,
    /// `fi`
    Fi,
    /// `for`
    For,
    /// `function`
    Function,
    /// `if`
    If,
    /// `in`
    In,
    /// `select`
    Select,
    /// `then`
    Then,
    /// `time`
    Time,
    /// `until`
    Until,
    /// `while`
    While,
}

impl Keyword {
    /// The longest reserved word.
    pub const LONGEST: usize = 8;

    /// The reserved word that is spelt so.
    pub fn spelt(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"!" => Self::Bang,
            b"{" => Self::OpenBrace,
            b"}" => Self::CloseBrace,
            b"[[" => Self::OpenTest,
            b"]]" => Self::CloseTest,
            b"case" => Self::Case,
            b"coproc" => Self::Coproc,
            b"do" => Self::Do,
            b"done" => Self::Done,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"esac" => Self::Esac,
            b"fi" => Self::Fi,
            b"for" => Self::For,
            b"function" => Self::Function,
            b"if" => Self::If,
            b"in" => Self::In,
            b"select" => Self::Select,
            b"then" => Self::Then,
            b"time" => Self::Time,
            b"until" => Self::Until,
            b"while" => Self::While,
            _ => return None,
        })
    }

    /// True for the words that end a list and never begin a command.
    pub fn closes(self) -> bool {
        match self {
            Self::CloseBrace
            | Self::CloseTest
            | Self::Do
            | Self::Done
            | Self::Elif
            | Self::Else
            | Self::Esac
            | Self::Fi
            | Self::In
            | Self::Then => true,
            Self::Bang
            | Self::OpenBrace
            | Self::OpenTest
            | Self::Case
            | Self::Coproc
            | Self::For
            | Self::Function
            | Self::If
            | Self::Select
            | Self::Time
            | Self::Until
            | Self::While => false,
        }
    }

    /// True for the words that begin a compound command (a function definition is not one).
    pub fn opens_compound(self) -> bool {
        match self {
            Self::OpenBrace
            | Self::OpenTest
            | Self::Case
            | Self::For
            | Self::If
            | Self::Select
            | Self::Until
            | Self::While => true,
            Self::Bang
            | Self::CloseBrace
            | Self::CloseTest
            | Self::Coproc
            | Self::Do
            | Self::Done
            | Self::Elif
            | Self::Else
            | Self::Esac
            | Self::Fi
            | Self::Function
            | Self::In
            | Self::Then
            | Self::Time => false,
        }
    }
}

/// True for the bytes that end a word: blanks, newline and the bytes of operators.
pub const fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
    )
}

/// True for blanks. A carriage return is not one.
pub const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// True for the first byte of a variable name.
pub const fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// True for the other bytes of a variable name.
pub const fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// True for the bytes that are parameters by themselves after a `$`.
pub const fn is_special_parameter(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

/// True where the whole text is a variable name.
pub fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(starts_name) && bytes.all(continues_name)
}

/// True for bytes without any meaning in an unquoted word.
pub const fn is_plain(byte: u8) -> bool {
    !is_meta(byte)
        && !matches!(
            byte,
            b'\\' | b'\'' | b'"' | b'`' | b'$' | b'*' | b'?' | b'[' | b'{' | b'~' | b'\0'
        )
}
