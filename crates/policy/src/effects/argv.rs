//! Reads the words of a command with a program's description: subcommands, options by meaning, operands. It says
//! nothing of what they do.

use crate::effects::command::{Field, OptionUse};
use crate::effects::programs::{Opt, Others, Program, Role, Stdin, Style, Tag, Takes};
use crate::effects::value::{NUMBER, literal_prefix, may_begin_with_dash};

/// The words of a command, read.
#[derive(Debug)]
pub(crate) struct Argv {
    /// The program and the subcommands that were found, outermost first.
    pub(crate) chain: Vec<&'static Program>,
    /// The first operand, where subcommands are described and it names none of them.
    pub(crate) unknown_subcommand: Option<Field>,
    /// The options in order.
    pub(crate) options: Vec<Used>,
    /// Words that are none of the above.
    pub(crate) operands: Vec<Field>,
    /// `NAME=value` words where the description lets them stand.
    pub(crate) assignments: Vec<Field>,
    /// Where the wrapped command begins among the words.
    pub(crate) wrapped: Option<usize>,
    /// The words in canonical form: program, subcommands, then what follows the last subcommand.
    pub(crate) words: Vec<Field>,
    /// True where some word cannot be told and may be an option.
    pub(crate) uncertain: bool,
}

/// One option as used.
#[derive(Debug)]
pub(crate) struct Used {
    /// Its description, where there is one.
    pub(crate) option: Option<&'static Opt>,
    /// As it was spelled, without a value.
    pub(crate) spelled: String,
    /// Its value.
    pub(crate) value: Option<Field>,
    /// True where it stands in front of a subcommand.
    pub(crate) global: bool,
    /// True where what it means is not described and matters.
    pub(crate) unknown: bool,
}

impl Argv {
    /// The innermost description.
    pub(crate) fn program(&self) -> Option<&'static Program> {
        self.chain.last().copied()
    }

    /// Files that settle which program runs, of all descriptions in force.
    pub(crate) fn obeys(&self) -> Vec<&'static str> {
        self.chain
            .iter()
            .flat_map(|program| program.obeys)
            .copied()
            .collect()
    }

    /// Whether an option with this tag was used.
    pub(crate) fn has(&self, tag: Tag) -> bool {
        self.options
            .iter()
            .any(|used| used.option.is_some_and(|option| option.tag == tag))
    }

    /// Whether an option of this name was used, by any of its names.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// The last use of an option, by any of its names.
    pub(crate) fn option(&self, name: &str) -> Option<&Used> {
        self.options.iter().rev().find(|used| {
            used.spelled == name
                || used
                    .option
                    .is_some_and(|option| option.names.contains(&name))
        })
    }

    /// The options as rules see them.
    pub(crate) fn option_uses(&self) -> Vec<OptionUse> {
        self.options
            .iter()
            .map(|used| OptionUse {
                names: used.option.map_or_else(
                    || vec![used.spelled.clone()],
                    |option| option.names.iter().map(|name| (*name).to_owned()).collect(),
                ),
                value: used.value.clone(),
            })
            .collect()
    }
}

/// Reads `fields`, the first of which names `program`.
pub(crate) fn read(program: &'static Program, name: &str, fields: &[Field]) -> Argv {
    let mut reader = Reader {
        fields,
        at: 1,
        current: program,
        canonical_from: 1,
        front: 0,
        ended: false,
        out: Argv {
            chain: vec![program],
            unknown_subcommand: None,
            options: Vec::new(),
            operands: Vec::new(),
            assignments: Vec::new(),
            wrapped: None,
            words: vec![Field::Known(name.to_owned())],
            uncertain: false,
        },
    };
    while reader.out.wrapped.is_none() && reader.step() {}
    let mut out = reader.out;
    // Where a word in front may be none or several, the command that is run may begin elsewhere.
    let front = out.wrapped.and_then(|at| fields.get(1..at));
    out.uncertain |= front.is_some_and(|front| front.iter().any(is_many));
    out.words.extend(
        fields
            .get(reader.canonical_from..)
            .into_iter()
            .flatten()
            .cloned(),
    );
    out
}

/// Whether a word may be none, or several.
fn is_many(field: &Field) -> bool {
    match field {
        Field::Names(pattern) => pattern != NUMBER,
        Field::Listed(_) => true,
        Field::Known(_) | Field::Unknown { .. } => false,
    }
}

struct Reader<'f> {
    fields: &'f [Field],
    at: usize,
    current: &'static Program,
    /// Where the words after the last subcommand begin.
    canonical_from: usize,
    /// How many of the leading operand roles are used up.
    front: usize,
    /// True after `--`, or after the first operand where options lead.
    ended: bool,
    out: Argv,
}

impl Reader<'_> {
    /// Reads one word; false at the end.
    fn step(&mut self) -> bool {
        let Some(field) = self.fields.get(self.at) else {
            return false;
        };
        let start = match field {
            Field::Known(text) => text.clone(),
            Field::Names(pattern) | Field::Listed(pattern) => literal_prefix(pattern),
            Field::Unknown { prefix, .. } => prefix.clone(),
        };
        self.at += 1;
        if self.ended || self.current.style == Style::None {
            self.operand(field.clone());
            return true;
        }
        match field {
            Field::Known(text) if text == "--" => self.double_dash(),
            // To a shell a bare plus is an option without letters, and one dash is two.
            Field::Known(text) if text == "+" && self.current.stdin == Stdin::Shell => {}
            Field::Known(text) if text == "-" && self.current.stdin == Stdin::Shell => {
                self.double_dash();
            }
            Field::Known(text) if text.len() > 1 && text.starts_with(['-', '+']) => {
                let text = text.clone();
                self.option(&text);
            }
            Field::Known(_) => self.operand(field.clone()),
            Field::Names(pattern) => {
                let may_be_option = start.is_empty() && may_begin_with_dash(pattern);
                self.out.uncertain |= may_be_option && may_run(&self.out.chain, pattern);
                self.operand(field.clone());
            }
            Field::Listed(_) | Field::Unknown { .. } => {
                let may_be_option = start.is_empty() || start.starts_with('-');
                self.out.uncertain |= may_be_option && !harmless(&self.out.chain);
                self.several(field);
                if start.starts_with('-') {
                    self.push(None, start, Some(field.clone()));
                } else {
                    self.operand(field.clone());
                }
            }
        }
        true
    }

    /// A word that may be several, or none: what the words after it are cannot be told, but where all are only text.
    fn several(&mut self, field: &Field) {
        if matches!(field, Field::Unknown { single: false, .. }) {
            self.out.uncertain |= !textual(&self.out.chain);
        }
        if matches!(field, Field::Listed(_)) {
            self.out.uncertain |= !harmless(&self.out.chain);
        }
    }

    fn double_dash(&mut self) {
        self.ended = true;
        if self
            .current
            .option("--")
            .is_some_and(|option| option.tag == Tag::Command)
        {
            self.out.wrapped = Some(self.at);
        }
    }

    /// The subcommand of a name; npm takes any beginning of one, so that the gravest that it may be counts.
    fn subcommand(&self, name: &str) -> Option<&'static Program> {
        let exact = self.current.subcommand(name);
        if exact.is_some() || self.current.name != "npm" || name.is_empty() {
            return exact;
        }
        let begins = |sub: &&Program| {
            sub.name.starts_with(name) || sub.aliases.iter().any(|alias| alias.starts_with(name))
        };
        self.current
            .subcommands
            .iter()
            .filter(begins)
            .max_by_key(|sub| sub.category)
    }

    fn operand(&mut self, field: Field) {
        if !self.current.subcommands.is_empty() && self.out.unknown_subcommand.is_none() {
            if let Some(sub) = field.known().and_then(|name| self.subcommand(name)) {
                let short = field
                    .known()
                    .and_then(|name| folded(self.current.name, name));
                self.current = sub;
                self.out.chain.push(sub);
                self.out
                    .words
                    .push(short.map_or(field, |name| Field::Known(name.to_owned())));
                for used in &mut self.out.options {
                    used.global = true;
                }
                self.canonical_from = self.at;
                self.front = 0;
                return;
            }
            let first = self.current.operands.front.first();
            let wraps = matches!(first, Some(Role::Command | Role::Script));
            self.out.uncertain |= self.out.operands.is_empty() && is_many(&field);
            if self.out.operands.is_empty() && !wraps {
                self.out.unknown_subcommand = Some(field.clone());
                self.canonical_from = self.at - 1;
            }
        }
        let front = self.current.operands.front;
        if front.get(self.front) == Some(&Role::Assignments) {
            // What has a name that no shell could set (`BASH_FUNC_f%%`) is an assignment here, too.
            if field
                .known()
                .is_some_and(|text| text.contains('=') && !text.starts_with('-'))
            {
                self.out.assignments.push(field);
                return;
            }
            self.front += 1;
        }
        let role = front
            .get(self.front)
            .copied()
            .or(self.current.operands.middle);
        if role == Some(Role::Command) {
            self.out.wrapped = Some(self.at - 1);
            return;
        }
        self.front += 1;
        self.ended |= matches!(
            self.current.style,
            Style::GnuLeading | Style::SingleDashLeading
        );
        self.out.operands.push(field);
    }

    fn option(&mut self, text: &str) {
        if text.starts_with('+') && self.lookup(text).is_none() {
            if self.current.stdin == Stdin::Shell {
                // A shell reads letters behind a plus as it does behind a dash, `c` and all.
                self.cluster(text);
                return;
            }
            self.operand(Field::Known(text.to_owned()));
            return;
        }
        if let Some(option) = self.lookup(text) {
            self.take(option, text.to_owned(), None);
            return;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Field::Known(value.to_owned()))),
            None => (text, None),
        };
        let single = matches!(
            self.current.style,
            Style::SingleDash | Style::SingleDashLeading
        );
        if text.starts_with("--") || single {
            match self.abbreviated(name) {
                // `--help=false` may take back what `--help` says.
                Some(option) if option.takes == Takes::No && value.is_some() => {
                    self.out.uncertain |= option.tag == Tag::Command;
                    self.push(None, name.to_owned(), value);
                }
                Some(option) => self.take(option, name.to_owned(), value),
                None => self.push(None, name.to_owned(), value),
            }
            return;
        }
        self.cluster(text);
    }

    /// `-abc`, `-n5`.
    fn cluster(&mut self, text: &str) {
        let letters = text.get(1..).unwrap_or("");
        for (at, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or("");
            let Some(option) = self.lookup(&name) else {
                self.push(None, name, None);
                continue;
            };
            if option.tag == Tag::Command && !rest.is_empty() {
                // The command is attached (`-xrm`).
                self.out.uncertain = true;
                self.push(Some(option), name, None);
                return;
            }
            match option.takes {
                Takes::No | Takes::Next => self.take(option, name, None),
                Takes::Value | Takes::Attached | Takes::Pair if !rest.is_empty() => {
                    let rest = rest.strip_prefix('=').unwrap_or(rest);
                    self.take(option, name, Some(Field::Known(rest.to_owned())));
                    return;
                }
                Takes::Value | Takes::Attached | Takes::Pair => {
                    self.take(option, name, None);
                    return;
                }
            }
        }
    }

    /// Records a described option and takes its value from the next word where it needs one.
    fn take(&mut self, option: &'static Opt, spelled: String, mut value: Option<Field>) {
        let words = match option.takes {
            Takes::No | Takes::Attached => 0,
            Takes::Value | Takes::Next => usize::from(value.is_none()),
            Takes::Pair => 1 + usize::from(value.is_none()),
        };
        for _ in 0..words {
            value = self.fields.get(self.at).cloned();
            if let Some(field) = &value {
                self.several(&field.clone());
            }
            self.at += usize::from(value.is_some());
        }
        self.push(Some(option), spelled, value);
        if option.tag == Tag::Command && option.takes == Takes::No {
            self.out.wrapped = Some(self.at);
        }
    }

    fn push(&mut self, option: Option<&'static Opt>, spelled: String, value: Option<Field>) {
        let unknown = option.is_none()
            && self.current.others == Others::Unknown
            && !matches!(spelled.as_str(), "--help" | "--version");
        self.out.options.push(Used {
            option,
            spelled,
            value,
            global: false,
            unknown,
        });
    }

    fn lookup(&self, name: &str) -> Option<&'static Opt> {
        self.out
            .chain
            .iter()
            .rev()
            .find_map(|program| program.option(name))
    }

    /// The option that a long name names, whole or as the only one that it begins.
    fn abbreviated(&self, name: &str) -> Option<&'static Opt> {
        if let Some(option) = self.lookup(name) {
            return Some(option);
        }
        if name.len() < 3 {
            return None;
        }
        let mut found = self
            .current
            .options
            .iter()
            .filter(|option| option.names.iter().any(|known| known.starts_with(name)));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// The whole name of a subcommand that its program knows by a short one, so that rules hold for both.
fn folded(program: &str, name: &str) -> Option<&'static str> {
    Some(match (program, name) {
        ("cargo", "b") => "build",
        ("cargo", "c") => "check",
        ("cargo", "d") => "doc",
        ("cargo", "r") => "run",
        ("cargo", "t") => "test",
        ("npm" | "pnpm" | "bun", "i") => "install",
        ("npm" | "pnpm", "t" | "tst") => "test",
        ("npm", "pub" | "publ" | "publi" | "publis") => "publish",
        _ => return None,
    })
}

/// Whether no argument whatever makes a program do more than read.
pub(crate) fn harmless(chain: &[&'static Program]) -> bool {
    let inert = chain
        .last()
        .is_some_and(|program| program.others == Others::Inert);
    inert
        && chain.iter().all(|program| {
            program.options.iter().all(|option| {
                matches!(
                    option.tag,
                    Tag::Inert
                        | Tag::Recursive
                        | Tag::GivesPattern
                        | Tag::Becomes(_)
                        | Tag::Target
                        | Tag::Inspects
                ) && matches!(option.role, Role::Text | Role::Pattern | Role::Read)
            }) && program
                .operands
                .front
                .iter()
                .chain(&program.operands.middle)
                .chain(program.operands.back)
                .all(|role| matches!(role, Role::Text | Role::Pattern | Role::Read))
        })
}

/// Whether a program neither does anything but print, nor takes the name of a file.
fn textual(chain: &[&'static Program]) -> bool {
    let text = |role: &Role| matches!(role, Role::Text | Role::Pattern);
    harmless(chain)
        && chain.iter().all(|program| {
            program.options.iter().all(|option| text(&option.role))
                && program.operands.front.iter().all(text)
                && program.operands.middle.iter().all(text)
                && program.operands.back.iter().all(text)
        })
}

/// Whether a file's name that a pattern finds may be an option that makes a program run something.
fn may_run(chain: &[&'static Program], pattern: &str) -> bool {
    let ends_plainly = pattern
        .rsplit_once('.')
        .is_some_and(|(_, end)| !end.is_empty() && end.chars().all(|c| c.is_ascii_alphanumeric()));
    match chain {
        // It starts what `--pre` names without a shell, by the search path, and so nothing named `x.txt`.
        [only] if only.name == "rg" => !ends_plainly || pattern.contains('/'),
        // Git's own options stand in front of the command.
        [first, .., last] if first.name == "git" => {
            runs_things(&[*last]) || last.options.iter().any(|option| option.role == Role::Write)
        }
        _ => runs_things(chain),
    }
}

/// Whether an option of a program can make it run something.
fn runs_things(chain: &[&'static Program]) -> bool {
    chain.iter().any(|program| {
        program.options.iter().any(|option| {
            matches!(
                option.tag,
                Tag::Opaque | Tag::Changes | Tag::Command | Tag::Shell
            ) || matches!(
                option.role,
                Role::Shell | Role::Command | Role::Code | Role::Script
            )
        })
    })
}

/// Whether a word is `NAME=value`.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
