//! What is known of programs, as static tables made from `programs/*.toml` at build time; it reads no arguments itself.
//!
//! `programs/FORMAT.md` explains the source format.

use crate::request::Category;

/// What is known of a program or one of its subcommands.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The name.
    pub name: &'static str,
    /// Other names with the same description.
    pub aliases: &'static [&'static str],
    /// What it does in itself, where no option says otherwise.
    pub category: Category,
    /// Its options.
    pub options: &'static [Opt],
    /// What an option means that is not described.
    pub others: Others,
    /// How options are spelled.
    pub style: Style,
    /// What its operands mean.
    pub operands: Operands,
    /// What it works on where no operand names a path.
    pub default_operand: Option<&'static str>,
    /// True where `default_operand` counts only together with a recursive option (`grep -r`).
    pub default_needs_recursive: bool,
    /// A directory in which it writes files whose names it chooses, unless an option that is `@target` is given.
    pub into: Option<&'static str>,
    /// True where its path operands are meant with everything below them.
    pub recursive: bool,
    /// The category where there is any operand, in place of `category`.
    pub with_operands: Option<Category>,
    /// Bash patterns of whole operands with which the category is at least the one beside them (`kubectl get secret`).
    pub operand_raises: &'static [(Category, &'static [&'static str])],
    /// What it does with standard input.
    pub stdin: Stdin,
    /// True where a wrapped command runs as somebody else or elsewhere, so that it is a request of its own.
    pub apart: bool,
    /// The subcommands. Where there are any, the first operand names one.
    pub subcommands: &'static [Program],
    /// A reading in code, for programs whose arguments are a language of their own.
    pub special: Special,
    /// How many words make its family (row P9), counted with the program; 0 where it has none.
    pub family: u8,
    /// Files which, where there is one in the working directory or above it, settle which program runs.
    pub obeys: &'static [&'static str],
}

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct Opt {
    /// Its names; the first one stands for it in records.
    pub names: &'static [&'static str],
    /// Whether it takes a value.
    pub takes: Takes,
    /// What the value means.
    pub role: Role,
    /// What the option changes.
    pub tag: Tag,
}

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Never.
    No,
    /// Always: attached, after `=`, or the next word.
    Value,
    /// Only attached (`--color=auto`, `-i.bak`).
    Attached,
    /// Always the next word, never attached: letters that follow in a cluster are options of their own (`bash -oe x`).
    Next,
    /// Two words, always: a name, and a value that the role describes (`jq --slurpfile name file`).
    Pair,
}

/// What an option changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// Nothing that matters; it may be set aside.
    Inert,
    /// Paths are meant with everything below them.
    Recursive,
    /// It changes what runs; no allow rides on it when it stands in front of a subcommand, and the category is at least
    /// unknown.
    Changes,
    /// The category is at least this one.
    Raises(Category),
    /// Alone it makes the program say something of itself and end; with other words it changes nothing (`lua -v`).
    Alone,
    /// The category is this one in place of the program's own (`--dry-run`, `--list`).
    Becomes(Category),
    /// The pattern is given here, so that no operand is the pattern (`grep -e`).
    GivesPattern,
    /// Operands that are read are written too (`sed -i`).
    InPlace,
    /// Its value is the destination, so that the last operand is a source like those before it (`cp -t`).
    Target,
    /// The first operand is a text that a shell runs, whatever the operands' description says (`bash -c`).
    Shell,
    /// Nothing is run and the category is reads: what would be a command is a name, a script is only read (`command
    /// -v`, `bash -n`).
    Inspects,
    /// It cannot be told what happens.
    Opaque,
    /// Operands that follow are a command (`-exec`, `--`), whatever the operands' description says.
    Command,
}

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Data.
    Text,
    /// A path that is read.
    Read,
    /// A path that is created or changed.
    Write,
    /// A path that is read and changed.
    Edit,
    /// A path that is deleted.
    Delete,
    /// A path that is deleted at one place and read (`mv`'s source).
    Move,
    /// A directory in which the program works from here on.
    Directory,
    /// A host, a URL or `user@host:path`.
    Host,
    /// A text that a shell runs.
    Shell,
    /// The first word of a command; all that follow belong to it.
    Command,
    /// A program text in a language that is not read.
    Code,
    /// A file that is run.
    Script,
    /// A pattern, unless an option gives it.
    Pattern,
    /// `NAME=value` words that may stand here, before the operand that follows.
    Assignments,
}

/// What operands mean, in order: the first ones, any number in the middle, the last ones.
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    /// From the front.
    pub front: &'static [Role],
    /// Any number.
    pub middle: Option<Role>,
    /// From the back; they take precedence over the middle.
    pub back: &'static [Role],
}

/// What an option means that is not described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Nothing: no option of the program beyond those described writes, deletes, reaches out or runs anything.
    Inert,
    /// It cannot be said: the use of the program is of category unknown.
    Unknown,
}

/// How options are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `-abc` is a cluster, long options begin with `--` and may be abbreviated.
    Gnu,
    /// As `Gnu`, but options end at the first operand.
    GnuLeading,
    /// `-name` is one option; `-name=value` too (Go, find, java).
    SingleDash,
    /// As `SingleDash`, but options end at the first operand.
    SingleDashLeading,
    /// There are no options: every word is an operand.
    None,
}

/// What a program does with its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// It is data, or not read.
    Data,
    /// Without an operand it is a text that a shell runs.
    Shell,
    /// Without an operand it is a program text in a language that is not read.
    Code,
    /// It is a list of arguments for the wrapped command.
    Arguments,
}

/// A reading in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// None: the description says all.
    None,
    /// `find`: expressions with `-exec`, `-delete`, `-fprint`.
    Find,
    /// `sed`: scripts whose `w` and `e` commands write and run.
    Sed,
    /// `awk`: programs that may write, run and pipe.
    Awk,
    /// `git config`: writes a configuration file unless it only reads.
    GitConfig,
    /// `tar`: the first cluster may lack its dash, and it says what happens.
    Tar,
    /// `test` and `[`: operands are expressions.
    Test,
    /// `dd`: `if=` and `of=` operands.
    Dd,
    /// `python -m`, `-c` and script files.
    Python,
    /// `chmod` and `chown`: the first operand is a mode or an owner.
    Mode,
    /// `kill` and `pkill`: signals are options.
    Kill,
    /// `git` itself: an unknown subcommand may be an alias.
    Git,
    /// `git checkout`, `git switch`: operands may be branches or paths.
    GitCheckout,
    /// `curl`: URLs without a scheme, `-o`, `-d @file`.
    Curl,
    /// `ldd`: what lies in a place of the system's is let.
    Ldd,
    /// `gh api`: the method decides.
    GhApi,
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Every description, in no particular order.
pub fn all() -> &'static [Program] {
    PROGRAMS
}

/// The description of a program by its name without directory.
pub fn find(name: &str) -> Option<&'static Program> {
    // INDEX is sorted by name when it is made.
    let at = INDEX
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    INDEX
        .get(at)
        .and_then(|(_, program)| PROGRAMS.get(*program))
}

impl Program {
    /// The description of a subcommand.
    pub fn subcommand(&self, name: &str) -> Option<&'static Program> {
        self.subcommands
            .iter()
            .find(|sub| sub.name == name || sub.aliases.contains(&name))
    }

    /// The option that a spelling names exactly.
    pub fn option(&self, name: &str) -> Option<&'static Opt> {
        self.options
            .iter()
            .find(|option| option.names.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::{INDEX, PROGRAMS, Role, Tag, find};

    #[test]
    fn every_name_leads_to_its_program() {
        for (name, _) in INDEX {
            let program = find(name).unwrap();
            assert!(
                program.name == *name || program.aliases.contains(name),
                "{name}"
            );
        }
        assert!(
            PROGRAMS.len() >= 40,
            "only {} programs are described",
            PROGRAMS.len()
        );
        assert!(find("no-such-program").is_none());
    }

    #[test]
    fn options_that_do_more_are_not_inert() {
        for (words, option) in MORE {
            let mut words = words.split(' ');
            let mut program = find(words.next().unwrap()).unwrap();
            for word in words {
                program = program.subcommand(word).unwrap();
            }
            let found = program.option(option).unwrap();
            assert!(
                found.tag != Tag::Inert || found.role != Role::Text,
                "{} {option}",
                program.name
            );
        }
    }

    const MORE: &[(&str, &str)] = &[
        ("rg", "--pre"),
        ("rg", "--hostname-bin"),
        ("sort", "-o"),
        ("sort", "--compress-program"),
        ("fd", "-X"),
        ("find", "-fls"),
        ("tree", "-o"),
        ("tar", "--to-command"),
        ("xargs", "-a"),
        ("bash", "-c"),
        ("python", "-c"),
        ("node", "--require"),
        ("curl", "-K"),
        ("curl", "--unix-socket"),
        ("wget", "-e"),
        ("ssh", "-o"),
        ("rsync", "-e"),
        ("git", "-c"),
        ("git", "--exec-path"),
        ("git log", "--output"),
        ("git diff", "--ext-diff"),
        ("git grep", "-O"),
        ("git rebase", "--exec"),
        ("git fetch", "--upload-pack"),
        ("git push", "--receive-pack"),
        ("git clone", "--config"),
        ("git branch", "-D"),
        ("git checkout", "-f"),
        ("cargo build", "--config"),
        ("go test", "-exec"),
        ("go vet", "-vettool"),
        ("npm run", "--script-shell"),
        ("pytest", "-p"),
        ("make", "--eval"),
        ("docker run", "--privileged"),
        ("kubectl get", "--kubeconfig"),
        ("gh run download", "-D"),
        ("man", "-P"),
    ];

    fn twice<'a>(names: impl Iterator<Item = &'a &'static str>) -> Option<&'static str> {
        let mut names: Vec<_> = names.copied().collect();
        names.sort_unstable();
        names.windows(2).find_map(|pair| match pair {
            [a, b] if a == b => Some(*a),
            _ => None,
        })
    }

    #[test]
    fn options_have_one_meaning() {
        let mut left: Vec<_> = PROGRAMS.iter().collect();
        while let Some(program) = left.pop() {
            let options = program.options.iter().flat_map(|o| o.names);
            assert_eq!(twice(options), None, "{}: option", program.name);
            let subcommands = program.subcommands.iter();
            let names = subcommands.flat_map(|sub| sub.aliases.iter().chain([&sub.name]));
            assert_eq!(twice(names), None, "{}: subcommand", program.name);
            left.extend(program.subcommands);
        }
    }
}
