//! Texts that a program hands to a shell: in an operand, in an option, on standard input.

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::invocation::{Invocation, became};
use crate::effects::locate;
use crate::effects::opacity::Opacity;
use crate::effects::programs::{Program, Stdin, Tag};
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::stream::Stream;
use crate::effects::value::Value;
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
        if NOT_BASH.contains(&run.name.as_str()) && !is_plain(text) {
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
        let reads_input = run
            .argv
            .operands
            .iter()
            .all(|field| field.known() == Some("-"))
            || run.argv.uses("-s");
        let given =
            run.argv.has(Tag::Shell) || ["-c", "-e", "-m"].iter().any(|name| run.argv.uses(name));
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

/// Shells that read some texts in another way than bash does.
const NOT_BASH: [&str; 8] = ["sh", "dash", "ash", "ksh", "mksh", "zsh", "busybox", "yash"];

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
pub(crate) fn is_stream(field: &Field) -> bool {
    match field {
        Field::Known(text) => locate::is_stream(text),
        Field::Names(pattern) | Field::Listed(pattern) => locate::is_stream(pattern),
        Field::Unknown { prefix, .. } => locate::is_stream(prefix),
    }
}
