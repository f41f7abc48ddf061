//! A command as rules see it: canonical words with options by meaning; not its effects.

/// One argument of a command, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    /// Exactly this text.
    Known(String),
    /// The names of existing files that match this bash pattern, or the pattern itself where none does. A backslash in
    /// the pattern makes the next character literal.
    Names(String),
    /// As `Names` (`**` may cross slashes), but the names come from the output of a listing (`$(ls)`, `find |
    /// xargs`), so that a strange file name may be any text at all. Only a reader of files may be given such words.
    Listed(String),
    /// One or more fields that cannot be told.
    Unknown {
        /// Why not.
        why: Why,
        /// Text with which the first field certainly begins, quotes undone.
        prefix: String,
        /// True where it is certainly one field: it was quoted.
        single: bool,
    },
}

impl Field {
    /// The text where it is known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Names(_) | Self::Listed(_) | Self::Unknown { .. } => None,
        }
    }
}

/// Why a word cannot be told from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// A variable that the script does not set to known text.
    Variable,
    /// The output of a command.
    Output,
    /// An arithmetic value.
    Arithmetic,
    /// A file name of a process substitution.
    Pipe,
    /// A transformation of a value that is not followed.
    Transformation,
    /// More values than are followed.
    TooMany,
    /// Names read from standard input or a file (`xargs`, `read`).
    Input,
}

/// A command line in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommandLine {
    /// Program name without its directory, then subcommands, options and operands in the order written; wrappers,
    /// assignments and options in front of the subcommand are set aside. Deny and ask rules match these words.
    pub words: Vec<Field>,
    /// Options by meaning: clusters taken apart, each under its first listed name, with its value.
    pub options: Vec<OptionUse>,
    /// Words that are neither program, subcommand, option nor an option's value.
    pub operands: Vec<Field>,
    /// Other names under which the program is known: what a link or another path leads to. Deny and ask match them too.
    pub other_names: Vec<String>,
    /// What was set aside and changes what runs (`PATH=…`, `-c core.pager=…`, a program that is not the one of that
    /// name). An allow never rides on it: where this is not empty no allow matches.
    pub changed_by: Vec<String>,
}

/// One option as used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OptionUse {
    /// Every name of the option in the program's data (`-f` and `--force`), or as written where it is not described.
    pub names: Vec<String>,
    /// Its value where it takes one.
    pub value: Option<Field>,
}
