//! The state of the shell at one point of a script, as far as it can be told: variables, directory, functions.

use crate::effects::command::Why;
use crate::effects::shared::Shared;
use crate::effects::value::Value;
use crate::path::AbsPath;
use countersign_shell::tree::Command;
use std::collections::BTreeMap;
use std::rc::Rc;

/// More directories than this at one point count as unknown.
const MOST_DIRECTORIES: usize = 4;

/// The state of the shell.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the shell"
)]
pub(crate) struct Env {
    /// Variables that the script has set; others come from outside.
    pub(crate) variables: Shared<BTreeMap<String, Value>>,
    /// Where the shell may stand; empty where that cannot be told.
    pub(crate) cwd: Shared<Vec<AbsPath>>,
    /// Functions that the script has defined; nothing among the bodies of a name where it may be no function.
    pub(crate) functions: Shared<BTreeMap<String, Vec<Option<Rc<Command>>>>>,
    /// `$1` and so on; nothing where they cannot be told.
    pub(crate) positional: Option<Vec<Value>>,
    /// Settings that change what programs run or do (`PATH`, `LD_PRELOAD` …), as words for a person.
    pub(crate) changed: Shared<Vec<String>>,
    /// True where a setting in force holds a command that some program will run (`GIT_SSH_COMMAND`, `LESSOPEN` …).
    pub(crate) hidden_command: bool,
    /// True in the text of a trap: every variable may have changed by the time at which it runs.
    pub(crate) volatile: bool,
    /// True where the script itself comes from standard input.
    pub(crate) from_input: bool,
    /// True where a prompt was set that the shell will evaluate, or a value that it has evaluated.
    pub(crate) prompts: bool,
    /// Variables that may be read-only, so that an assignment may do nothing.
    pub(crate) readonly: Shared<Vec<String>>,
    /// True where `exec` has put something else in place of standard input.
    pub(crate) other_input: bool,
    /// True where a variable was declared an integer, so that values are evaluated when they are assigned.
    pub(crate) integers: bool,
    /// True where `IFS` was set, so that words may split anywhere.
    pub(crate) other_separators: bool,
}

impl Env {
    /// A fresh shell in one directory.
    pub(crate) fn new(cwd: AbsPath) -> Self {
        Self {
            variables: Shared::default(),
            cwd: Shared::new(vec![cwd]),
            functions: Shared::default(),
            // A host may keep one shell for many calls, and an earlier one may have set them.
            positional: None,
            changed: Shared::default(),
            other_separators: false,
            hidden_command: false,
            volatile: false,
            from_input: false,
            prompts: false,
            readonly: Shared::default(),
            other_input: false,
            integers: false,
        }
    }

    /// The state where either of two may hold.
    pub(crate) fn join(self, other: &Self) -> Self {
        let mut out = self;
        out.join_variables(other);
        if out.cwd != other.cwd {
            out.cwd = Shared::new(join_directories(out.cwd.to_vec(), &other.cwd));
        }
        out.join_functions(other);
        if out.positional != other.positional {
            out.positional = None;
        }
        for word in other.changed.iter() {
            if !out.changed.contains(word) {
                out.changed.push(word.clone());
            }
        }
        out.other_separators |= other.other_separators;
        out.hidden_command |= other.hidden_command;
        out.prompts |= other.prompts;
        out.other_input |= other.other_input;
        for name in other.readonly.iter() {
            if !out.readonly.contains(name) {
                out.readonly.push(name.clone());
            }
        }
        out.integers |= other.integers;
        out
    }

    /// Whether two states differ in what a later command could see.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        self.variables != other.variables
            || self.cwd != other.cwd
            || self.positional != other.positional
            || self.changed != other.changed
            || self.other_separators != other.other_separators
            || self.hidden_command != other.hidden_command
            || self.other_input != other.other_input
            || self.readonly != other.readonly
            || self.prompts != other.prompts
            || self.integers != other.integers
            || self.functions != other.functions
    }

    fn join_functions(&mut self, other: &Self) {
        if self.functions == other.functions {
            return;
        }
        let none = vec![None];
        let names: Vec<String> = self
            .functions
            .keys()
            .chain(other.functions.keys())
            .cloned()
            .collect();
        for name in names {
            let mut bodies = self.functions.remove(&name).unwrap_or_else(|| none.clone());
            for body in other.functions.get(&name).unwrap_or(&none) {
                if !bodies.contains(body) {
                    bodies.push(body.clone());
                }
            }
            self.functions.insert(name, bodies);
        }
    }

    fn join_variables(&mut self, other: &Self) {
        if self.variables == other.variables {
            return;
        }
        let names: Vec<String> = self
            .variables
            .keys()
            .chain(other.variables.keys())
            .cloned()
            .collect();
        for name in names {
            let joined = match (self.variables.get(&name), other.variables.get(&name)) {
                (Some(a), Some(b)) => a.clone().join(b),
                // Set on one way only: on the other it has whatever it had outside, which is no worse than a number.
                (Some(Value::Number), None) | (None, Some(Value::Number)) => {
                    Value::Unknown(Why::Variable)
                }
                (Some(value), None) | (None, Some(value)) if value.is_integer() => {
                    Value::Unknown(Why::Variable)
                }
                (Some(_) | None, None) | (None, Some(_)) => Value::Unknown(Why::TooMany),
            };
            self.variables.insert(name, joined);
        }
    }
}

/// The directories of two states together; unknown where either is, or where there are too many.
pub(crate) fn join_directories(mut a: Vec<AbsPath>, b: &[AbsPath]) -> Vec<AbsPath> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    for directory in b {
        if !a.contains(directory) {
            a.push(directory.clone());
        }
    }
    if a.len() > MOST_DIRECTORIES {
        Vec::new()
    } else {
        a
    }
}

/// What follows a command: the state where it succeeded and where it failed; nothing where that cannot be.
#[derive(Debug, Clone)]
pub(crate) struct Flow {
    /// After success.
    pub(crate) success: Option<Env>,
    /// After failure.
    pub(crate) failure: Option<Env>,
}

impl Flow {
    /// The same state however it ended.
    pub(crate) fn same(env: Env) -> Self {
        Self {
            success: Some(env.clone()),
            failure: Some(env),
        }
    }

    /// Nothing follows.
    pub(crate) const fn never() -> Self {
        Self {
            success: None,
            failure: None,
        }
    }

    /// The state however it ended.
    pub(crate) fn merged(self) -> Option<Env> {
        join_options(self.success, self.failure)
    }

    /// With success and failure exchanged.
    pub(crate) fn negated(self) -> Self {
        Self {
            success: self.failure,
            failure: self.success,
        }
    }
}

/// The state where either of two may hold, if any does.
pub(crate) fn join_options(a: Option<Env>, b: Option<Env>) -> Option<Env> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.differs(&b) { a.join(&b) } else { a }),
        (a, b) => a.or(b),
    }
}
