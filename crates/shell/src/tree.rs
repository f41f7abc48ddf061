//! The closed tree of what a script says.
//!
//! Every construct of bash has one variant here and there is no catch-all: what the reader cannot place makes the whole
//! text unread (see `read`). Spans are byte ranges of the text that was read. The tree holds text as bash would see it
//! after quotes and escapes are undone; it expands nothing and says nothing about meaning.

use crate::span::Span;

/// A whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The commands, in order. Empty for a text of only blanks and comments.
    pub body: List,
    /// The comments, in order; they are data and are kept only so that every byte has an owner.
    pub comments: Vec<Span>,
}

/// Commands separated by `;`, `&` or newlines. Empty only where bash allows it (a whole script, `$( )`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct List {
    /// The entries in the order of the text.
    pub entries: Vec<Entry>,
    /// From the first entry to the last.
    pub span: Span,
}

/// One and-or chain of a list, with what ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The pipelines joined by `&&` and `||`.
    pub chain: AndOr,
    /// True where the entry ends in `&` and runs in the background.
    pub background: bool,
    /// Includes the terminator where there is one.
    pub span: Span,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// The following ones, each with the operator in front of it.
    pub rest: Vec<(AndOrOperator, Pipeline)>,
}

/// `&&` or `||`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AndOrOperator {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` and `|&`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// How many `!` stand in front; bash allows several.
    pub negations: usize,
    /// `time` in front of the pipeline, which bash treats as a reserved word.
    pub timed: Option<Timed>,
    /// The commands. Empty only for a bare `time` or a bare `!`.
    pub commands: Vec<Command>,
    /// The operators between the commands: one fewer than there are commands.
    pub operators: Vec<PipeOperator>,
    /// From the first reserved word to the last command.
    pub span: Span,
}

/// The reserved word `time` and its option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// True for `time -p`.
    pub posix: bool,
}

/// `|` or `|&`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PipeOperator {
    /// `|`
    Output,
    /// `|&`, which passes standard error too.
    OutputAndError,
}

/// One command with the redirections that follow a compound command, or stand anywhere in a simple one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What kind of command it is.
    pub kind: CommandKind,
    /// All redirections in the order of the text.
    pub redirects: Vec<Redirect>,
    /// The whole command with its redirections (here-document bodies excluded, which stand later in the text).
    pub span: Span,
}

/// Every kind of command that bash has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandKind {
    /// Assignments and words.
    Simple(Simple),
    /// `( list )`
    Subshell(List),
    /// `{ list; }`
    Group(List),
    /// `if`, with its `elif` branches.
    If(If),
    /// `while` and `until`.
    Loop(Loop),
    /// `for name in words` and `for name`.
    For(For),
    /// `for ((init; test; step))`.
    ArithmeticFor(ArithmeticFor),
    /// `select name in words`.
    Select(For),
    /// `case word in …`.
    Case(Case),
    /// `name() body` and `function name body`.
    Function(Function),
    /// `((expression))`
    Arithmetic(Arithmetic),
    /// `[[ expression ]]`
    Test(Test),
    /// `coproc [name] command`.
    Coprocess(Coprocess),
}

/// Assignments in front, then words. Both may be empty where there is a redirection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simple {
    /// `name=value` words in front of the command name.
    pub assignments: Vec<Assignment>,
    /// The command name and its arguments. Arguments of declaration builtins (`declare`, `export`, `local`, `readonly`,
    /// `typeset`, `eval`, `let` …) that are compound assignments `name=(…)` are kept as [`Part::CompoundAssignment`].
    pub words: Vec<Word>,
}

/// `name=value`, `name[subscript]=value`, `name+=value`, `name=(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The text between the brackets, with its expansions.
    pub subscript: Option<Arithmetic>,
    /// True for `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue,
    /// The whole assignment.
    pub span: Span,
}

/// The right-hand side of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignedValue {
    /// One word, empty for `name=`.
    Scalar(Word),
    /// `(a b [i]=c)`
    Array(Vec<ArrayElement>),
}

/// One element of a compound assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayElement {
    /// The text between the brackets where the element is `[subscript]=value` or `[subscript]+=value`.
    pub subscript: Option<Arithmetic>,
    /// True for `[subscript]+=value`.
    pub append: bool,
    /// The value.
    pub value: Word,
}

/// A word: pieces that stand without a blank between them. Empty parts only for the empty value of `name=`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The pieces in order.
    pub parts: Vec<Part>,
    /// The whole word.
    pub span: Span,
}

/// One piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Unquoted text without any special meaning.
    Literal(String),
    /// Text that was quoted: `\c`, `'…'`, `$'…'` (decoded). It undergoes no expansion of any kind. Inside double quotes
    /// a backslash escape that bash removes is merged into the neighbouring [`Part::Literal`].
    Quoted(String),
    /// `"…"` and `$"…"`. Literal text inside is quoted text; only expansions are live.
    DoubleQuoted(Vec<Part>),
    /// `~` or `~user` where bash expands it (start of a word, after `=` or `:` of an assignment). The name without `~`.
    Tilde(String),
    /// `$name`, `${name…}`, `$1`, `$@` …
    Parameter(Box<Parameter>),
    /// `$(…)` or `` `…` ``.
    CommandSubstitution(Substitution),
    /// `$((…))` or `$[…]`.
    Arithmetic(Arithmetic),
    /// `<(…)` or `>(…)`.
    ProcessSubstitution(ProcessSubstitution),
    /// `*`, `?` or a bracket expression (text as written with quotes undone, `[a-z]`).
    Glob(String),
    /// `?(…)`, `*(…)`, `+(…)`, `@(…)`, `!(…)`.
    ExtendedGlob(ExtendedGlob),
    /// `{a,b}` or `{1..9}` where bash would expand it.
    Brace(Brace),
    /// `name=(…)` as an argument of a declaration builtin; always the only part of its word.
    CompoundAssignment(Box<Assignment>),
}

/// `${…}` and its short forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The variable, positional number or special character (`@`, `*`, `#`, `?`, `-`, `$`, `!`, `0`).
    pub name: String,
    /// True for `${!name…}`: the variable named by the value of `name`, or the names with a prefix.
    pub indirect: bool,
    /// `${name[subscript]}`.
    pub subscript: Option<Arithmetic>,
    /// What is done with the value.
    pub operation: ParameterOperation,
    /// The whole expansion with its `$`.
    pub span: Span,
}

/// What a parameter expansion does with the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterOperation {
    /// Nothing: `$name`, `${name}`.
    Plain,
    /// `${#name}`
    Length,
    /// `${name:-word}`, `${name-word}`, `:=`, `=`, `:?`, `?`, `:+`, `+`.
    Fallback {
        /// Which of the four.
        kind: FallbackKind,
        /// True with the colon: an empty value counts as unset.
        or_empty: bool,
        /// The operand.
        word: Word,
    },
    /// `${name#pattern}`, `##`, `%`, `%%`.
    Trim {
        /// True for `%` and `%%`.
        suffix: bool,
        /// True for the doubled operator.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${name/pattern/replacement}` and its kin.
    Replace {
        /// Where it applies.
        scope: ReplaceScope,
        /// The pattern.
        pattern: Word,
        /// The replacement, absent in `${name/pattern}`.
        replacement: Option<Word>,
    },
    /// `${name:offset}` and `${name:offset:length}`.
    Slice {
        /// The offset.
        offset: Arithmetic,
        /// The length.
        length: Option<Arithmetic>,
    },
    /// `${name^pattern}`, `^^`, `,`, `,,`, `~`, `~~`.
    Case {
        /// The operator as written.
        operator: String,
        /// The pattern, empty where none is given.
        pattern: Word,
    },
    /// `${name@Q}` and the other transformations. `@P` expands the value as a prompt, which can run commands.
    Transform(char),
    /// `${!prefix*}` and `${!prefix@}`: names of variables.
    Names,
    /// `${!name[@]}` and `${!name[*]}`: the indices of an array.
    Indices,
}

/// Which fallback a `${name:-word}` form is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FallbackKind {
    /// `-`
    Use,
    /// `=`
    Assign,
    /// `?`
    Fail,
    /// `+`
    Alternative,
}

/// Where a replacement applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplaceScope {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Prefix,
    /// `/%`
    Suffix,
}

/// A command substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitution {
    /// The commands inside. Spans of a backquoted body that holds escapes point at the whole substitution.
    pub body: List,
    /// True for the backquoted form.
    pub backquoted: bool,
    /// The whole substitution with its delimiters.
    pub span: Span,
}

/// `<(…)` or `>(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessSubstitution {
    /// True for `<(…)`: the command's output is read.
    pub reads: bool,
    /// The commands inside.
    pub body: List,
    /// The whole substitution.
    pub span: Span,
}

/// The inside of arithmetic, a subscript or an offset: text with the expansions that bash performs in it first.
///
/// Bash evaluates names in arithmetic again as expressions, so that a *value* such as `a[$(cmd)]` runs `cmd`; whoever
/// judges must look at the names in the literal text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arithmetic {
    /// Literal text and expansions in order. Only `Literal`, `Quoted`, `DoubleQuoted`, `Parameter`,
    /// `CommandSubstitution`, `Arithmetic` and `ProcessSubstitution` parts occur.
    pub parts: Vec<Part>,
    /// Without the delimiters.
    pub span: Span,
}

/// An extended pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtendedGlob {
    /// One of `?`, `*`, `+`, `@`, `!`.
    pub operator: char,
    /// The alternatives.
    pub alternatives: Vec<Word>,
    /// The whole pattern.
    pub span: Span,
}

/// A brace expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Brace {
    /// `{a,b,c}`; alternatives may hold any part, and may be empty.
    Alternatives(Vec<Word>),
    /// `{from..to}` and `{from..to..step}`, the texts as written.
    Range {
        /// The first value.
        from: String,
        /// The last value.
        to: String,
        /// The step.
        step: Option<String>,
    },
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// What stands in front of the operator.
    pub descriptor: Descriptor,
    /// The operator and its operand.
    pub kind: RedirectKind,
    /// Operator and operand; the body of a here-document stands elsewhere.
    pub span: Span,
}

/// What stands in front of a redirection operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Descriptor {
    /// Nothing.
    Default,
    /// A number.
    Number(u32),
    /// `{name}`: bash assigns the number to the variable.
    Variable(String),
}

/// The redirection operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectKind {
    /// `< word`
    Read(Word),
    /// `> word`
    Write(Word),
    /// `>| word`
    Clobber(Word),
    /// `>> word`
    Append(Word),
    /// `<> word`
    ReadWrite(Word),
    /// `&> word` and the old `>& word`.
    WriteBoth(Word),
    /// `&>> word`
    AppendBoth(Word),
    /// `<& word`: a number, `-`, or a number followed by `-`.
    DuplicateInput(Word),
    /// `>& word` where the word is a number, `-` or cannot be told.
    DuplicateOutput(Word),
    /// `<< delimiter` and `<<- delimiter`.
    HereDocument(HereDocument),
    /// `<<< word`
    HereString(Word),
}

/// A here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HereDocument {
    /// True for `<<-`: leading tabs are removed.
    pub strip_tabs: bool,
    /// True where any part of the delimiter was quoted: the body is plain text.
    pub quoted: bool,
    /// The delimiter with quotes undone.
    pub delimiter: String,
    /// The body. Text is quoted text; only expansions are live (none where `quoted`).
    pub body: Vec<Part>,
    /// The body in the source, with the delimiter line.
    pub body_span: Span,
}

/// `if … then … elif … else … fi`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct If {
    /// Condition and body of `if` and of each `elif`.
    pub branches: Vec<(List, List)>,
    /// The body of `else`.
    pub otherwise: Option<List>,
}

/// `while` or `until`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// True for `until`.
    pub until: bool,
    /// The condition.
    pub condition: List,
    /// The body.
    pub body: List,
}

/// `for name [in words]; do …; done`, and `select`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct For {
    /// The variable.
    pub name: String,
    /// The words, or nothing where `in` is absent and the positional parameters are meant.
    pub words: Option<Vec<Word>>,
    /// The body.
    pub body: List,
}

/// `for ((init; test; step)); do …; done`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArithmeticFor {
    /// The three expressions.
    pub expressions: [Arithmetic; 3],
    /// The body.
    pub body: List,
}

/// `case word in … esac`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The word that is matched.
    pub word: Word,
    /// The arms.
    pub arms: Vec<CaseArm>,
}

/// One arm of a `case`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseArm {
    /// The patterns.
    pub patterns: Vec<Word>,
    /// The body, possibly empty.
    pub body: List,
    /// How the arm ends.
    pub end: CaseEnd,
}

/// How an arm of a `case` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;`, or nothing in the last arm.
    Break,
    /// `;&`
    FallThrough,
    /// `;;&`
    Continue,
}

/// A function definition. Nothing runs yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The body, a compound command with its redirections.
    pub body: Box<Command>,
}

/// `[[ … ]]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// A lone word: true where it is not empty.
    Word(Word),
    /// `-f word` and the other unary operators, the operator as written.
    Unary {
        /// The operator.
        operator: String,
        /// Its operand.
        operand: Word,
    },
    /// `a = b`, `a =~ b`, `a -nt b` … The right side of `=`, `==`, `!=` and `=~` is a pattern.
    Binary {
        /// The left side.
        left: Word,
        /// The operator.
        operator: String,
        /// The right side.
        right: Word,
    },
    /// `! test`
    Not(Box<Test>),
    /// `a && b`
    And(Box<Test>, Box<Test>),
    /// `a || b`
    Or(Box<Test>, Box<Test>),
    /// `( test )`
    Parenthesised(Box<Test>),
}

/// `coproc [name] command`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coprocess {
    /// The name as written; bash expands it, so that a substitution inside it runs. Absent where none is given.
    pub name: Option<Word>,
    /// The command.
    pub command: Box<Command>,
}
