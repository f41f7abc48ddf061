//! What a call would do, as written: the closed list of effects. Nothing has been looked up and nothing is judged.

/// Why it cannot be told what happens (a closed list; each asks in every mode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opacity {
    /// The text is not understood by the reader.
    Syntax,
    /// The name of the command is computed.
    ComputedCommand,
    /// A text is run as commands that cannot be told (`eval "$x"`, `bash -c "$x"`, `. "$file"`).
    ComputedScript,
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
    /// Input to something that is not a shell of ours.
    TerminalInput,
    /// A tool that nobody described.
    UnknownTool,
    /// Not UTF-8.
    NotUtf8,
    /// More nesting, commands or bytes than are read.
    TooLarge,
    /// More lookups than are made for one call.
    LookupsExhausted,
}
