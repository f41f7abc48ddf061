//! Why it cannot be told what happens: a closed list with names and words; what follows from it is the judge's.

/// Why it cannot be told what happens (a closed list; each asks in every mode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opacity {
    /// The text is not understood by the reader.
    Syntax,
    /// The name of the command is computed.
    ComputedCommand,
    /// A text is run as commands that cannot be told (`eval "$x"`, `bash -c "$x"`, `. "$file"`).
    ComputedScript,
    /// A download is run as commands.
    DownloadedScript,
    /// A program text in a language that is not read (`python -c`, `perl -e`).
    ForeignCode,
    /// Arguments that decide what the program does cannot be told.
    ComputedArguments,
    /// A path that is written to, deleted or read cannot be told.
    ComputedPath,
    /// A host that is reached cannot be told.
    ComputedHost,
    /// The working directory cannot be told.
    UnknownDirectory,
    /// The shell's own behaviour is changed in a way that is not followed (`alias`, `trap`, `enable -f`, `shopt` …).
    ShellChanged,
    /// Arithmetic on a value that may hold a subscript, which bash would evaluate.
    Arithmetic,
    /// A raw connection that the shell itself opens (`/dev/tcp`), over which anything may go.
    RawConnection,
    /// Input to something that is not a shell of ours.
    TerminalInput,
    /// A tool that nobody described.
    UnknownTool,
    /// Not UTF-8.
    NotUtf8,
    /// More nesting, commands or bytes than are read.
    TooLarge,
    /// git would obey a directory that is not called `.git`, the settings of which may name programs.
    BareRepository,
    /// More lookups than are made for one call.
    LookupsExhausted,
}

impl Opacity {
    /// Its name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::ComputedCommand => "computed-command",
            Self::ComputedScript => "computed-script",
            Self::DownloadedScript => "downloaded-script",
            Self::ForeignCode => "foreign-code",
            Self::ComputedArguments => "computed-arguments",
            Self::ComputedPath => "computed-path",
            Self::ComputedHost => "computed-host",
            Self::UnknownDirectory => "unknown-directory",
            Self::ShellChanged => "shell-changed",
            Self::Arithmetic => "arithmetic",
            Self::RawConnection => "raw-connection",
            Self::TerminalInput => "terminal-input",
            Self::UnknownTool => "unknown-tool",
            Self::NotUtf8 => "not-utf8",
            Self::TooLarge => "too-large",
            Self::BareRepository => "bare-repository",
            Self::LookupsExhausted => "lookups-exhausted",
        }
    }

    /// Whether the call says all that there is to know, though nobody can tell what follows from it: the same call
    /// means the same another time. Else something that is known only when it runs decides.
    pub const fn is_constant(self) -> bool {
        match self {
            Self::ForeignCode | Self::UnknownTool => true,
            Self::Syntax
            | Self::ComputedCommand
            | Self::ComputedScript
            | Self::DownloadedScript
            | Self::ComputedArguments
            | Self::ComputedPath
            | Self::ComputedHost
            | Self::UnknownDirectory
            | Self::ShellChanged
            | Self::Arithmetic
            | Self::RawConnection
            | Self::TerminalInput
            | Self::NotUtf8
            | Self::TooLarge
            | Self::BareRepository
            | Self::LookupsExhausted => false,
        }
    }

    /// It in words, to be read after "because".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Syntax => "the text is not understood as shell",
            Self::ComputedCommand => "the name of the command is computed",
            Self::ComputedScript => "a text that cannot be told is run as commands",
            Self::DownloadedScript => "a download is run as commands",
            Self::ForeignCode => "a program text in a language that is not read is run",
            Self::ComputedArguments => "arguments that decide what the program does cannot be told",
            Self::ComputedPath => "a path cannot be told",
            Self::ComputedHost => "a host cannot be told",
            Self::UnknownDirectory => "the working directory cannot be told",
            Self::ShellChanged => "the behaviour of the shell itself is changed",
            Self::Arithmetic => "a value that may hold a command is evaluated as arithmetic",
            Self::RawConnection => "the shell opens a connection over which anything may go",
            Self::TerminalInput => "input goes to a program that is running already",
            Self::UnknownTool => "nobody described the tool",
            Self::NotUtf8 => "the text is not UTF-8",
            Self::TooLarge => "there is more to read than is read for one call",
            Self::BareRepository => {
                "git takes its settings, which may name programs, from a directory not called `.git`"
            }
            Self::LookupsExhausted => {
                "more would have to be looked up than is looked up for one call"
            }
        }
    }
}
