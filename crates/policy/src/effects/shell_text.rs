//! Texts that a program hands to a shell: in an operand, in an option, on standard input.

use crate::effects::builtin::{SET_NAMES, SHOPT_NAMES};
use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::glob;
use crate::effects::invocation::{Invocation, became};
use crate::effects::locate;
use crate::effects::opacity::Opacity;
use crate::effects::programs::{Program, Stdin, Tag};
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::stream::Stream;
use crate::effects::value::{Value, split_pattern};
use crate::path::AbsPath;
use crate::request::Category;

impl Walker<'_> {
    /// A text that the program hands to a shell: judged as a script of its own, with the operands after the first
    /// `skip` as its positional parameters.
    pub(crate) fn nested(
        &mut self,
        text: &str,
        skip: usize,
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        let name = run.name.as_str();
        let other = NOT_BASH.contains(&name) && !is_plain(text);
        if other || KEEPING.contains(&name) && pipes_into_itself(text) {
            run.opaque(Opacity::Syntax);
        }
        let inner = Env {
            variables: Shared::default(),
            functions: Shared::default(),
            cwd: Shared::new(run.cwd.clone()),
            positional: Some(
                run.argv
                    .operands
                    .iter()
                    .skip(skip)
                    .cloned()
                    .map(Value::of)
                    .collect(),
            ),
            changed: Shared::new(run.changed.clone()),
            other_separators: env.other_separators,
            hidden_command: env.hidden_command,
            other_input: env.other_input,
            volatile: env.volatile,
            from_input: skip == 0,
            prompts: false,
            readonly: Shared::default(),
            integers: false,
        };
        let outer = std::mem::replace(&mut self.inherited, run.input.clone());
        self.apart(|walker| walker.text(text, inner, Some(at)));
        self.inherited = outer;
    }

    /// `bash -c text name arguments…`.
    pub(crate) fn shell_operand(
        &mut self,
        operands: &[Field],
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        match operands.first() {
            Some(Field::Known(text)) => {
                let text = text.clone();
                run.only_passes_on();
                self.nested(&text, 2, run, env, at);
            }
            Some(_) => run.opaque(Opacity::ComputedScript),
            None => run.raise(Category::Unknown),
        }
    }

    pub(crate) fn standard_input(
        &mut self,
        inner: &'static Program,
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        if inner.name == "bash" {
            self.starting(run);
        }
        let reads_input = run
            .argv
            .operands
            .iter()
            .all(|field| field.known() == Some("-"))
            || run.argv.uses("-s");
        // To an interpreter these are programs or modules; to a shell they are options without a word.
        let given = run.argv.has(Tag::Shell)
            || inner.stdin != Stdin::Shell
                && ["-c", "-e", "-m"].iter().any(|name| run.argv.uses(name));
        let only_says = became(&run.argv) == Some(Category::Reads);
        if !reads_input || given || only_says || run.argv.wrapped.is_some() {
            return;
        }
        match inner.stdin {
            Stdin::Data | Stdin::Arguments => {}
            Stdin::Shell => match run.input.clone() {
                Stream::Known(text) => {
                    run.only_passes_on();
                    self.nested(&text, 0, run, env, at);
                }
                Stream::Download => run.opaque(Opacity::DownloadedScript),
                Stream::Outside => run.raise(Category::Unknown),
                Stream::Listed(_) | Stream::Names(_) | Stream::Number | Stream::Unknown => {
                    run.opaque(Opacity::ComputedScript);
                }
            },
            Stdin::Code => match run.input {
                Stream::Download => run.opaque(Opacity::DownloadedScript),
                Stream::Outside => run.raise(Category::Unknown),
                Stream::Known(_)
                | Stream::Listed(_)
                | Stream::Names(_)
                | Stream::Number
                | Stream::Unknown => run.opaque(Opacity::ForeignCode),
            },
        }
    }
}

impl Walker<'_> {
    /// What a shell does before it reads its text: files that it runs first, options that change how it reads.
    fn starting(&self, run: &mut Invocation<'_>) {
        let zsh = run.name == "zsh";
        let reads = zsh
            || ["-i", "-l", "--login"]
                .iter()
                .any(|name| run.argv.uses(name));
        if reads
            && self
                .written
                .iter()
                .any(|place| STARTUP.contains(&place.name()))
        {
            run.opaque(Opacity::ComputedScript);
        }
        let changes = run.argv.options.iter().any(|used| {
            let value = used
                .value
                .as_ref()
                .map(|value| value.known().unwrap_or("?"));
            match (used.spelled.as_str(), value) {
                ("-k", _) => true,
                ("-o" | "+o", Some(name)) => !zsh && name != "posix" && !SET_NAMES.contains(&name),
                ("-O" | "+O", Some(name)) => !SHOPT_NAMES.contains(&name),
                _ => false,
            }
        });
        if changes {
            run.opaque(Opacity::ShellChanged);
        }
    }
}

/// Files that some shell runs before anything else.
const STARTUP: [&str; 14] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".profile",
    ".zshenv",
    ".zshrc",
    ".zprofile",
    ".zlogin",
    ".kshrc",
    ".mkshrc",
    ".shrc",
    ".shinit",
    ".dashrc",
    ".yashrc",
];

/// Shells that read some texts in another way than bash does.
const NOT_BASH: [&str; 8] = ["sh", "dash", "ash", "ksh", "mksh", "zsh", "busybox", "yash"];

/// Shells that run the last command of a pipe themselves, so that it changes their own state.
const KEEPING: [&str; 5] = ["zsh", "ksh", "ksh93", "mksh", "rksh"];

/// Whether the last command of a pipe may change the state of the shell that runs it.
fn pipes_into_itself(text: &str) -> bool {
    let changing = ["read", "=", "cd", "while", "for", "set", "eval", "."];
    text.replace("||", "").contains('|') && changing.iter().any(|word| text.contains(word))
}

/// Whether every shell of the Bourne family reads a text in the same way, as far as can be seen.
fn is_plain(text: &str) -> bool {
    const OWN: [&str; 17] = [
        "((",
        "[[",
        "&>",
        ">&",
        "<(",
        ">(",
        "<<<",
        "$'",
        "$\"",
        "${!",
        "function ",
        "+=",
        "=(",
        "|&",
        ";&",
        "coproc",
        "select ",
    ];
    let duplicates = text
        .replace("2>&1", "")
        .replace(">&2", "")
        .replace("1>&2", "");
    let escapes = text.contains("echo") && text.contains('\\');
    let braces = text.contains('{') && (text.contains(',') || text.contains(".."));
    !escapes && !braces && !OWN.iter().any(|word| duplicates.contains(word))
}

/// Whether a word names a script that is no file: a process substitution or an open descriptor.
pub(crate) fn is_stream(field: &Field, cwd: &[AbsPath]) -> bool {
    match field {
        Field::Known(text) => locate::is_stream(text, cwd),
        Field::Names(pattern) | Field::Listed(pattern) => {
            let (directory, _) = split_pattern(pattern);
            let named = [
                "/dev/stdin",
                "/dev/fd/0",
                "/proc/self/fd/0",
                "/proc/thread-self/fd/0",
            ];
            named.iter().any(|name| glob::matches(pattern, name))
                || ["", "stdin"]
                    .iter()
                    .any(|end| locate::is_stream(&format!("{directory}{end}"), cwd))
        }
        Field::Unknown { prefix, .. } => locate::is_stream(prefix, cwd),
    }
}
