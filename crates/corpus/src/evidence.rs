//! What a program can do, of four kinds, and how a call's effects or a description show it; nothing is compared here.

use countersign_policy::effects::effect::{Act, Effect, Run};
use countersign_policy::effects::programs::{Program, Role, Stdin, Tag};
use countersign_policy::explain;
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Category, PathTarget};

/// What a program can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It reads.
    Reads,
    /// It writes, moves or deletes.
    Writes,
    /// It runs another program, or a program text.
    Runs,
    /// It reaches a host.
    Reaches,
}

impl Kind {
    /// Those of which every described program says something.
    pub const NEEDED: [Self; 3] = [Self::Reads, Self::Writes, Self::Runs];

    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Runs => "runs",
            Self::Reaches => "reaches",
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Reads, Self::Writes, Self::Runs, Self::Reaches]
            .into_iter()
            .find(|kind| kind.name() == word)
    }

    /// Whether a use of that category does at least this, for all that a rule can tell.
    const fn covered_by(self, category: Category) -> bool {
        match (self, category) {
            (Self::Writes | Self::Runs | Self::Reaches, Category::Reads)
            | (Self::Runs | Self::Reaches, Category::Writes | Category::Removes)
            | (Self::Writes | Self::Runs, Category::Fetches)
            | (Self::Reaches, Category::Builds) => false,
            (Self::Reads, _)
            | (Self::Writes, Category::Writes | Category::Builds | Category::Removes)
            | (Self::Runs, Category::Builds)
            | (Self::Reaches, Category::Fetches)
            | (
                _,
                Category::Installs
                | Category::Unknown
                | Category::Remote
                | Category::Privilege
                | Category::Opaque,
            ) => true,
        }
    }
}

/// What the effects of a call show of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Effects of that kind, each in words.
    pub effects: Vec<String>,
    /// What stands for them where there are none: the category of the program's own use.
    pub category: Option<Category>,
}

impl Evidence {
    /// It on one line.
    pub fn words(&self) -> String {
        match (self.effects.as_slice(), self.category) {
            ([], Some(category)) => format!("category {}", category.name()),
            ([], None) => "nothing".to_owned(),
            (effects, _) => effects.join(", "),
        }
    }

    /// Whether there is any.
    pub fn is_some(&self) -> bool {
        !self.effects.is_empty() || self.category.is_some()
    }
}

/// What a call's effects show that the program itself does.
pub fn evidence(kind: Kind, program: &Program, effects: &[Effect]) -> Evidence {
    let mut out = Evidence::default();
    for effect in effects {
        let name = effect.program.as_deref();
        let own = name.is_some_and(|name| is_name_of(program, name));
        if let Some(words) = words(kind, &effect.act, own && effect.own, own)
            && !out.effects.contains(&words)
        {
            out.effects.push(words);
        }
        if let Act::Run(run) = &effect.act
            && own
            && !run.by_effects
            && kind.covered_by(run.category)
        {
            out.category = out.category.max(Some(run.category));
        }
    }
    out
}

/// Whether a program goes by that name.
pub fn is_name_of(program: &Program, name: &str) -> bool {
    program.name == name || program.aliases.contains(&name)
}

/// An effect in words where it is of that kind and the program's own: `within` for what it does, `own` for its run.
fn words(kind: Kind, act: &Act, within: bool, own: bool) -> Option<String> {
    match (kind, act) {
        (Kind::Reads | Kind::Writes | Kind::Runs | Kind::Reaches, Act::Opaque(opacity)) => {
            Some(format!("opaque {}", opacity.name()))
        }
        (Kind::Reads, Act::Read(target)) if within => Some(path("read", target)),
        (Kind::Writes, Act::Write(target)) if within => Some(path("write", target)),
        (Kind::Reads | Kind::Writes, Act::Move(target)) if within => Some(path("move", target)),
        (Kind::Writes, Act::Delete(target)) if within => Some(path("delete", target)),
        (Kind::Writes, Act::Discard(target)) if within => Some(path("discard", target)),
        (Kind::Runs, Act::Run(run)) if !own => Some(format!("run {}", command(run))),
        (Kind::Reaches, Act::Net(host)) if within => Some(format!("net {host}")),
        (
            Kind::Reads | Kind::Writes | Kind::Runs | Kind::Reaches,
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
            | Act::Breaks(_),
        ) => None,
    }
}

/// A command as written: a program that is named by its path keeps it.
fn command(run: &Run) -> String {
    let words = explain::command_words(&run.line);
    match &run.path {
        Some(path) => {
            let rest = words.split_once(' ').map_or("", |(_, rest)| rest);
            format!("{} {rest}", path.written).trim_end().to_owned()
        }
        None => words,
    }
}

fn path(word: &str, target: &PathTarget) -> String {
    let places: Vec<&str> = target.places.iter().map(AbsPath::as_str).collect();
    let below = if target.recursive { " and below" } else { "" };
    let place = target.pattern.clone().unwrap_or_else(|| places.join(" "));
    format!("{word} {place}{below}")
}

/// Whether the description itself says that the program does this, so that no reason may deny it.
pub fn is_described(kind: Kind, program: &Program) -> bool {
    let own = match kind {
        Kind::Reads => false,
        Kind::Writes => {
            program.into.is_some()
                || matches!(program.category, Category::Writes | Category::Removes)
        }
        Kind::Runs => {
            program.stdin != Stdin::Data
                || matches!(
                    program.category,
                    Category::Builds | Category::Installs | Category::Opaque
                )
        }
        Kind::Reaches => program.category == Category::Fetches,
    };
    let operands = &program.operands;
    let mut roles = operands
        .front
        .iter()
        .chain(&operands.middle)
        .chain(operands.back);
    own || roles.any(|role| is_role_of(kind, *role))
        || program
            .options
            .iter()
            .any(|option| is_role_of(kind, option.role) || is_tag_of(kind, option.tag))
        || program
            .subcommands
            .iter()
            .any(|sub| is_described(kind, sub))
}

const fn is_role_of(kind: Kind, role: Role) -> bool {
    match role {
        Role::Read => matches!(kind, Kind::Reads),
        Role::Write | Role::Delete => matches!(kind, Kind::Writes),
        Role::Edit | Role::Move => matches!(kind, Kind::Reads | Kind::Writes),
        Role::Host => matches!(kind, Kind::Reaches),
        Role::Script => matches!(kind, Kind::Reads | Kind::Runs),
        Role::Shell | Role::Command | Role::Code => matches!(kind, Kind::Runs),
        Role::Text | Role::Directory | Role::Pattern | Role::Assignments => false,
    }
}

const fn is_tag_of(kind: Kind, tag: Tag) -> bool {
    match tag {
        Tag::InPlace => matches!(kind, Kind::Writes),
        Tag::Shell | Tag::Command => matches!(kind, Kind::Runs),
        Tag::Raises(category) | Tag::Becomes(category) => match category {
            Category::Writes | Category::Removes => matches!(kind, Kind::Writes),
            Category::Builds | Category::Installs => matches!(kind, Kind::Runs),
            Category::Reads
            | Category::Fetches
            | Category::Unknown
            | Category::Remote
            | Category::Privilege
            | Category::Opaque => false,
        },
        Tag::Inert
        | Tag::Recursive
        | Tag::Changes
        | Tag::Alone
        | Tag::GivesPattern
        | Tag::Target
        | Tag::Inspects
        | Tag::Opaque => false,
    }
}
