//! A program's invocation while its effects are collected: its words, its category so far, its own effects so far.

use crate::effects::argv::{Argv, harmless};
use crate::effects::command::Field;
use crate::effects::effect::Act;
use crate::effects::locate::{self, Reached, is_nothing};
use crate::effects::opacity::Opacity;
use crate::effects::programs::{Opt, Role, Tag};
use crate::effects::stream::Stream;
use crate::path::AbsPath;
use crate::request::{Category, PathTarget};

/// Where the kernel shows the environment: what stands for printing all of it.
pub(crate) const ENVIRONMENT: &str = "/proc/self/environ";

/// A program's invocation while its effects are collected.
pub(crate) struct Invocation<'f> {
    /// The words.
    pub(crate) fields: &'f [Field],
    /// The words by the description.
    pub(crate) argv: Argv,
    /// The program's name without directory.
    pub(crate) name: String,
    /// The directories in which it works.
    pub(crate) cwd: Vec<AbsPath>,
    /// What comes in.
    pub(crate) input: Stream,
    /// The category so far.
    pub(crate) category: Category,
    /// Its own effects so far.
    pub(crate) acts: Vec<Act>,
    /// What changes what runs.
    pub(crate) changed: Vec<String>,
}

impl Invocation<'_> {
    /// Raises the category.
    pub(crate) fn raise(&mut self, category: Category) {
        if category == Category::Opaque {
            // No rule for the command may settle what cannot be told.
            self.opaque(Opacity::ComputedArguments);
            return;
        }
        self.category = self.category.max(category);
    }

    /// The program itself only runs a text that is judged on its own.
    pub(crate) fn only_passes_on(&mut self) {
        if self.category == Category::Builds {
            self.category = Category::Reads;
        }
    }

    /// The whole environment is printed, and with it whatever keys it holds.
    pub(crate) fn prints_environment(&mut self) {
        if self.argv.operands.is_empty() {
            self.category = self.category.min(Category::Unknown);
            if self.category == Category::Unknown && self.changed.is_empty() {
                self.category = Category::Reads;
            }
            self.act(Role::Read, &Field::Known(ENVIRONMENT.to_owned()), false);
        }
    }

    /// Adds an opaque effect.
    pub(crate) fn opaque(&mut self, opacity: Opacity) {
        self.acts.push(Act::Opaque(opacity));
    }

    /// Adds the effect that a word has in a role which names a path or a host.
    pub(crate) fn act(&mut self, role: Role, field: &Field, recursive: bool) {
        let url = match field {
            Field::Known(text) => text.contains("://"),
            Field::Unknown { prefix, .. } => prefix.contains("://"),
            Field::Names(_) | Field::Listed(_) => false,
        };
        if role == Role::Host || url {
            self.host(field);
            return;
        }
        // What a process substitution stands for has been walked.
        if matches!(field, Field::Names(pattern) if pattern.starts_with("/dev/fd/")) {
            return;
        }
        let listed_for_change = matches!(field, Field::Listed(_)) && role != Role::Read;
        let target = match locate::path(field, &self.cwd) {
            Ok(target) if !listed_for_change => PathTarget {
                recursive,
                ..target
            },
            Ok(_) => return self.unknown_path(role, Opacity::ComputedPath, recursive, field),
            Err(opacity) => return self.unknown_path(role, opacity, recursive, field),
        };
        if matches!(field, Field::Known(text) if text == "-" || text.is_empty())
            || target.places.iter().all(|place| is_nothing(place.as_str()))
                && target.pattern.is_none()
        {
            return;
        }
        match role {
            Role::Read => self.acts.push(Act::Read(target)),
            Role::Write => self.acts.push(Act::Write(target)),
            Role::Edit => {
                self.acts.push(Act::Read(target.clone()));
                self.acts.push(Act::Write(target));
            }
            Role::Move => {
                self.acts.push(Act::Read(target.clone()));
                self.acts.push(Act::Move(target));
            }
            Role::Delete => self.acts.push(Act::Delete(target)),
            Role::Script => self.script(target),
            Role::Text
            | Role::Directory
            | Role::Host
            | Role::Shell
            | Role::Command
            | Role::Code
            | Role::Pattern
            | Role::Assignments => {}
        }
    }

    /// Adds that what lies below one path arrives below another. Paths that cannot be told have been asked about.
    pub(crate) fn spread(&mut self, from: &Field, to: &Field) {
        let from = locate::path(from, &self.cwd);
        if let (Ok(from), Ok(to)) = (from, locate::path(to, &self.cwd)) {
            self.acts.push(Act::Spread { from, to });
        }
    }

    fn unknown_path(&mut self, role: Role, opacity: Opacity, recursive: bool, field: &Field) {
        let target = PathTarget {
            written: written(field),
            places: Vec::new(),
            pattern: None,
            recursive,
        };
        if role == Role::Delete {
            // Rules on deleting hold for a path that cannot be told, too.
            self.acts.push(Act::Delete(target));
        }
        self.opaque(opacity);
    }

    /// A file that is run as a script.
    fn script(&mut self, target: PathTarget) {
        self.raise(Category::Unknown);
        self.acts.push(Act::Read(target));
    }

    /// A host that is reached.
    pub(crate) fn host(&mut self, field: &Field) {
        match locate::host(field) {
            Reached::Host(host) => self.acts.push(Act::Net(host)),
            Reached::Local(path) => {
                if !path.is_empty() {
                    self.act(Role::Read, &Field::Known(path), true);
                }
            }
            Reached::Unknown => self.opaque(Opacity::ComputedHost),
        }
    }
}

/// A word as a person wrote it, as far as it is known.
pub(crate) fn written(field: &Field) -> String {
    match field {
        Field::Known(text) => text.clone(),
        Field::Names(pattern) | Field::Listed(pattern) => pattern.clone(),
        Field::Unknown { prefix, .. } => format!("{prefix}…"),
    }
}

/// The category before options and operands that raise it.
pub(crate) fn base_category(argv: &Argv) -> Category {
    let Some(program) = argv.program() else {
        return Category::Unknown;
    };
    let base = match program.with_operands {
        Some(category) if !argv.operands.is_empty() || argv.wrapped.is_some() => category,
        // What is unknown alone (`env` prints secrets) only passes on once it wraps a command.
        Some(Category::Unknown) | None
            if program.category == Category::Unknown
                && argv.wrapped.is_some()
                && !program.apart =>
        {
            Category::Reads
        }
        Some(_) | None => program.category,
    };
    became(argv).unwrap_or(base)
}

/// The category that the options put in place of the program's own. Only those of the innermost description count: a
/// letter that means the version of a program means something else behind one of its commands (`docker rm -v`).
pub(crate) fn became(argv: &Argv) -> Option<Category> {
    let innermost = argv.program()?;
    let own = argv.options.iter().filter(|used| !used.global);
    own.filter_map(|used| used.option)
        .filter(|option| {
            innermost
                .options
                .iter()
                .any(|own| std::ptr::eq(own, *option))
        })
        .filter_map(becomes)
        .max()
}

/// The category that an option puts in place of the program's own.
const fn becomes(option: &'static Opt) -> Option<Category> {
    match option.tag {
        Tag::Becomes(category) => Some(category),
        Tag::Inspects => Some(Category::Reads),
        Tag::Inert
        | Tag::Recursive
        | Tag::Changes
        | Tag::Alone
        | Tag::Raises(_)
        | Tag::GivesPattern
        | Tag::InPlace
        | Tag::Target
        | Tag::Shell
        | Tag::Opaque
        | Tag::Command => None,
    }
}

/// Whether a command's own effects say all that it does.
pub(crate) fn explained(category: Category, acts: &[Act]) -> bool {
    acts.iter().any(|act| match (category, act) {
        (Category::Reads, Act::Read(_))
        | (Category::Writes, Act::Write(_) | Act::Move(_))
        | (Category::Removes, Act::Delete(_))
        | (Category::Fetches, Act::Net(_)) => true,
        (
            Category::Reads
            | Category::Writes
            | Category::Builds
            | Category::Fetches
            | Category::Installs
            | Category::Unknown
            | Category::Removes
            | Category::Remote
            | Category::Privilege
            | Category::Opaque,
            Act::Run(_)
            | Act::Read(_)
            | Act::Write(_)
            | Act::Move(_)
            | Act::Delete(_)
            | Act::Discard(_)
            | Act::Net(_)
            | Act::WebSearch(_)
            | Act::Mcp(_)
            | Act::Memory(_)
            | Act::Task { .. }
            | Act::Terminal(_)
            | Act::Tool(_)
            | Act::Spread { .. }
            | Act::GitAlias { .. }
            | Act::Script(_)
            | Act::Breaks(_)
            | Act::Opaque(_),
        ) => false,
    })
}

/// What no allow may ride on.
pub(crate) fn changed_by(run: &Invocation<'_>) -> Vec<String> {
    let mut out = run.changed.clone();
    if run.argv.uncertain && !harmless(&run.argv.chain) {
        out.push("arguments that cannot be told".to_owned());
    }
    out
}
