//! Parameters: what `${…}` gives, and what assignments leave behind.

use crate::effects::command::Why;
use crate::effects::effect::Act;
use crate::effects::env::Env;
use crate::effects::glob;
use crate::effects::opacity::Opacity;
use crate::effects::script::{At, Walker};
use crate::effects::simple::has_substitution;
use crate::effects::value::{NUMBER, Value};
use crate::effects::variables::hides_command;
use crate::effects::word::{is_all, is_harmless, single};
use countersign_shell::tree::{
    AssignedValue, Assignment, FallbackKind, Parameter, ParameterOperation, ReplaceScope, Word,
};

impl Walker<'_> {
    /// The value of a parameter expansion; its operands are walked whatever the value is.
    pub(crate) fn parameter(&mut self, parameter: &Parameter, env: &mut Env, at: At) -> Value {
        if let Some(subscript) = &parameter.subscript
            && !is_all(subscript, '@')
            && !is_all(subscript, '*')
        {
            self.arithmetic(subscript, env, at);
        }
        if self.budget == 0 {
            return Value::Unknown(Why::TooMany);
        }
        let value = if parameter.indirect {
            // The value names a variable; a subscript in it is evaluated.
            let name = self.variable(&parameter.name, env);
            self.evaluated(&name, env, at);
            self.discards.note(env);
            Value::Unknown(Why::Transformation)
        } else {
            self.plain(parameter, env)
        };
        // Putting a long value together again and again takes time; what is spent bounds it.
        self.budget = self
            .budget
            .saturating_sub(value.known().map_or(64, str::len));
        match &parameter.operation {
            ParameterOperation::Plain => value,
            ParameterOperation::Length => Value::Number,
            ParameterOperation::Names | ParameterOperation::Indices => {
                Value::Unknown(Why::Transformation)
            }
            ParameterOperation::Fallback {
                kind,
                or_empty,
                word,
            } => self.fallback(parameter, value, (*kind, *or_empty, word), env, at),
            ParameterOperation::Trim {
                suffix,
                longest,
                pattern,
            } => {
                let pattern = self.pattern(pattern, env, at);
                trim(&value, pattern.as_deref(), *suffix, *longest)
            }
            ParameterOperation::Replace {
                scope,
                pattern,
                replacement,
            } => {
                let pattern = self.pattern(pattern, env, at);
                let replacement = replacement
                    .as_ref()
                    .map_or_else(Value::empty, |word| self.joined(&word.parts, env, at));
                replace(&value, *scope, pattern.as_deref(), &replacement)
            }
            ParameterOperation::Slice { offset, length } => {
                self.arithmetic(offset, env, at);
                if let Some(length) = length {
                    self.arithmetic(length, env, at);
                    // A negative one that goes too far is an error.
                    self.discards.note(env);
                }
                Value::Unknown(Why::Transformation)
            }
            ParameterOperation::Case { operator, pattern } => {
                self.touch(&pattern.parts, env, at);
                cased(&value, operator)
            }
            ParameterOperation::Transform(operator) => self.transformed(&value, *operator, env, at),
        }
    }

    fn transformed(&mut self, value: &Value, operator: char, env: &Env, at: At) -> Value {
        let live = |text: &str| text.contains(['$', '`', '\\']);
        // A value that is expanded as a prompt is evaluated like a script.
        if operator == 'P' && value.known().is_none_or(live) {
            self.push(at, env, Act::Opaque(Opacity::ComputedScript));
        }
        Value::Unknown(Why::Transformation)
    }

    fn plain(&self, parameter: &Parameter, env: &Env) -> Value {
        if let Some(subscript) = &parameter.subscript {
            let all = is_all(subscript, '@') || is_all(subscript, '*');
            return match (env.variables.get(&parameter.name), all) {
                (Some(Value::Array(items)), true) => Value::Array(items.clone()),
                (Some(value), true) => value.clone(),
                (Some(Value::Array(items)), false) => index(subscript)
                    .and_then(|at| items.get(at).cloned())
                    .unwrap_or(Value::Unknown(Why::Variable)),
                (Some(_), false) | (None, _) => Value::Unknown(Why::Variable),
            };
        }
        self.variable(&parameter.name, env)
    }

    /// The value of a variable: what the script has set, what the session says, else not known.
    pub(crate) fn variable(&self, name: &str, env: &Env) -> Value {
        let special = name.chars().all(|c| !c.is_ascii_alphabetic() && c != '_');
        if env.volatile && !special {
            return Value::Unknown(Why::TooMany);
        }
        if let Some(value) = env.variables.get(name) {
            return value.clone();
        }
        if let Ok(position) = name.parse::<usize>() {
            return match (&env.positional, position) {
                (_, 0) | (None, _) => Value::Unknown(Why::Variable),
                // What stands behind words of which there may be none or several is any of them.
                (Some(values), _) if values.iter().take(position - 1).any(is_many) => {
                    Value::Unknown(Why::TooMany)
                }
                (Some(values), _) => values
                    .get(position - 1)
                    .cloned()
                    .unwrap_or_else(Value::empty),
            };
        }
        let session = |path: Option<&crate::path::AbsPath>| {
            path.map_or(Value::Unknown(Why::Variable), |path| {
                Value::Known(path.as_str().to_owned())
            })
        };
        match name {
            "HOME" => session(self.session.home.as_ref()),
            "TMPDIR" => session(self.session.temporary.first()),
            "PWD" => single(&env.cwd).map_or(Value::Unknown(Why::Variable), Value::Known),
            "USER" | "LOGNAME" => self
                .session
                .user
                .clone()
                .map_or(Value::Unknown(Why::Variable), Value::Known),
            "@" | "*" => env
                .positional
                .clone()
                .map_or(Value::Unknown(Why::Variable), Value::Array),
            "#" | "?" | "$" | "!" | "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID"
            | "BASHPID" | "SRANDOM" | "EPOCHSECONDS" => Value::Number,
            _ => Value::Unknown(Why::Variable),
        }
    }

    fn fallback(
        &mut self,
        parameter: &Parameter,
        value: Value,
        (kind, or_empty, word): (FallbackKind, bool, &Word),
        env: &mut Env,
        at: At,
    ) -> Value {
        let other = self.joined(&word.parts, env, at);
        if kind == FallbackKind::Fail {
            // It ends a shell that runs a script, but not one at a terminal.
            self.discards.note(env);
        }
        let absent = parameter.name.parse::<usize>().is_ok_and(|position| {
            env.positional
                .as_ref()
                .is_some_and(|values| position > values.len())
        });
        let set = match value.scalar() {
            Value::Known(_) if absent => Some(false),
            Value::Known(text) => Some(!(or_empty && text.is_empty())),
            Value::Number | Value::Names(_) | Value::Listed(_) => Some(true),
            Value::Array(_) | Value::Unknown(_) => None,
        };
        match (kind, set) {
            (FallbackKind::Use | FallbackKind::Assign | FallbackKind::Fail, Some(true)) => value,
            (FallbackKind::Alternative, Some(true)) | (FallbackKind::Use, Some(false)) => other,
            (FallbackKind::Assign, Some(false)) => {
                self.set(&parameter.name, other.clone(), env);
                other
            }
            (FallbackKind::Alternative | FallbackKind::Fail, Some(false)) => Value::empty(),
            (FallbackKind::Alternative, None) => other.join(&Value::empty()),
            (FallbackKind::Fail, None) => value,
            (FallbackKind::Use, None) => value.join(&other),
            (FallbackKind::Assign, None) => {
                let joined = value.join(&other);
                self.set(&parameter.name, joined.clone(), env);
                joined
            }
        }
    }

    /// A word as a pattern; nothing where it cannot be told.
    fn pattern(&mut self, word: &Word, env: &mut Env, at: At) -> Option<String> {
        let mut pattern = String::new();
        let mut told = true;
        for part in &word.parts {
            match part {
                countersign_shell::tree::Part::Glob(text) => pattern.push_str(text),
                // Every part is walked, whatever the others are.
                other => match self.joined(std::slice::from_ref(other), env, at) {
                    // An extended pattern may stand here as plain text.
                    Value::Known(text) if !text.contains('(') => {
                        super::value::push_literal(&mut pattern, &text);
                    }
                    Value::Known(_)
                    | Value::Number
                    | Value::Names(_)
                    | Value::Listed(_)
                    | Value::Array(_)
                    | Value::Unknown(_) => told = false,
                },
            }
        }
        told.then_some(pattern)
    }

    /// Performs an assignment.
    pub(crate) fn assign(&mut self, assignment: &Assignment, env: &mut Env, at: At) {
        if let Some(subscript) = &assignment.subscript {
            self.arithmetic(subscript, env, at);
            self.discards.note(env);
        }
        if env.readonly.contains(&assignment.name)
            || READ_ONLY.contains(&assignment.name.as_str())
            || env.integers
        {
            self.discards.note(env);
        }
        let value = match &assignment.value {
            AssignedValue::Scalar(word) if assignment.name == "PATH" => {
                self.search_path(&word.parts, env, at)
            }
            AssignedValue::Scalar(word) => self.joined(&word.parts, env, at),
            AssignedValue::Array(elements) => {
                let mut items = Vec::new();
                let mut plain = true;
                for element in elements {
                    if let Some(subscript) = &element.subscript {
                        self.arithmetic(subscript, env, at);
                        self.discards.note(env);
                        plain = false;
                    }
                    let fields = self.expand(&element.value, env, at);
                    items.extend(fields.into_iter().map(Value::of));
                }
                if plain {
                    Value::Array(items)
                } else {
                    Value::made_of(&items)
                }
            }
        };
        let before = env.variables.get(&assignment.name).cloned();
        if env.integers {
            self.evaluated(&value, env, at);
        }
        let value = match (
            assignment.append,
            assignment.subscript.is_some(),
            before,
            value,
        ) {
            (false, false, _, value) => value,
            (true, false, Some(Value::Array(mut items)), Value::Array(more)) => {
                items.extend(more);
                Value::Array(items)
            }
            (true, false, Some(Value::Known(front)), Value::Known(back)) => {
                Value::Known(front + &back)
            }
            // An element, or a text behind one that is not known.
            (_, _, before, value) => Value::made_of(before.iter().chain([&value])),
        };
        // The shell itself evaluates its prompts.
        if env.integers {
            self.evaluated(&value, env, at);
        }
        if matches!(assignment.name.as_str(), "POSIXLY_CORRECT" | "FUNCNEST") {
            self.push(at, env, Act::Opaque(Opacity::ShellChanged));
        }
        self.set(&assignment.name, value, env);
    }

    /// Sets a variable, noting settings that change what later commands do.
    pub(crate) fn set(&self, name: &str, value: Value, env: &mut Env) {
        // The shell keeps these itself; what is assigned is lost.
        let own = matches!(
            name,
            "FUNCNAME"
                | "BASH_COMMAND"
                | "GROUPS"
                | "DIRSTACK"
                | "PIPESTATUS"
                | "BASH_SOURCE"
                | "BASH_LINENO"
                | "BASH_SUBSHELL"
                | "BASH_ARGC"
                | "BASH_ARGV"
                | "EPOCHREALTIME"
                | "EPOCHSECONDS"
                | "PPID"
                | "UID"
                | "EUID"
        );
        let mut value = if own {
            Value::Unknown(Why::TooMany)
        } else {
            bounded(value)
        };
        if env.readonly.iter().any(|known| known == name) {
            let before = env.variables.get(name).cloned();
            value = value.join(&before.unwrap_or(Value::Unknown(Why::Variable)));
        }
        let known = value.known();
        env.prompts |= match name {
            "PS0" | "PS1" | "PS2" | "PS4" => known.is_none_or(has_substitution),
            "PROMPT_COMMAND" => known != Some(""),
            // Integers by birth: what is assigned is evaluated.
            "RANDOM" | "SRANDOM" | "OPTIND" | "HISTCMD" | "SECONDS" | "LINENO" | "BASHPID" => {
                !is_harmless(&value, env)
            }
            _ => false,
        };
        if name == "IFS" {
            env.other_separators = true;
        }
        if self.changes(name, &value) {
            let words = format!("{name}=…");
            if !env.changed.contains(&words) {
                env.changed.push(words);
            }
            env.hidden_command |= hides_command(name, &value);
        }
        env.variables.insert(name.to_owned(), value);
    }
}

/// Variables that no shell lets a script assign.
const READ_ONLY: [&str; 6] = [
    "UID",
    "EUID",
    "PPID",
    "BASHOPTS",
    "SHELLOPTS",
    "BASH_VERSINFO",
];

/// A value that is not told once it has grown large: a text that doubles in each round would fill the memory.
fn bounded(value: Value) -> Value {
    let large = match &value {
        Value::Known(text) | Value::Names(text) | Value::Listed(text) => text.len() > 1 << 16,
        Value::Array(items) => items.len() > 1 << 10,
        Value::Number | Value::Unknown(_) => false,
    };
    if large {
        Value::Unknown(Why::TooMany)
    } else {
        value
    }
}

/// Whether a value may have been no word, or several.
pub(crate) const fn is_many(value: &Value) -> bool {
    match value {
        Value::Names(_) | Value::Listed(_) => true,
        Value::Known(_) | Value::Number | Value::Array(_) | Value::Unknown(_) => false,
    }
}

/// The literal index of a subscript.
fn index(subscript: &countersign_shell::tree::Arithmetic) -> Option<usize> {
    match subscript.parts.as_slice() {
        [countersign_shell::tree::Part::Literal(text)] => text.parse().ok(),
        _ => None,
    }
}

/// `${name^^}` and `${name,,}`.
fn cased(value: &Value, operator: &str) -> Value {
    match (value.scalar(), operator) {
        (Value::Known(text), "^^") => Value::Known(text.to_uppercase()),
        (Value::Known(text), ",,") => Value::Known(text.to_lowercase()),
        _ => Value::Unknown(Why::Transformation),
    }
}

/// `${name#pattern}` and its kin.
fn trim(value: &Value, pattern: Option<&str>, suffix: bool, longest: bool) -> Value {
    let unknown = Value::Unknown(Why::Transformation);
    let Some(pattern) = pattern else {
        return unknown;
    };
    match value.scalar() {
        // Trying every cut of a long text would take too long.
        Value::Known(text) if text.len() * pattern.len().max(8) > 1 << 14 => unknown,
        Value::Known(text) => Value::Known(glob::trim(&text, pattern, suffix, longest)),
        // `${file##*/}` and `${file%/*}` of a name that was listed stay inside what was listed.
        Value::Names(names) if !suffix && longest && pattern == "*/" => {
            Value::Names(some_name(names.rsplit('/').next().unwrap_or("*")))
        }
        Value::Listed(names) if !suffix && longest && pattern == "*/" => {
            Value::Listed(names.rsplit('/').next().unwrap_or("*").to_owned())
        }
        Value::Names(names) if suffix => match names.strip_suffix(pattern) {
            Some(rest) if glob::is_literal(pattern) => Value::Names(some_name(rest)),
            _ => unknown,
        },
        Value::Number
        | Value::Names(_)
        | Value::Listed(_)
        | Value::Array(_)
        | Value::Unknown(_) => unknown,
    }
}

/// A pattern of names, which is never that of a number: a name may be any text that it matches.
fn some_name(pattern: &str) -> String {
    let more = if pattern == NUMBER { "*" } else { "" };
    format!("{pattern}{more}")
}

/// `${name/pattern/replacement}` where all of it is known.
fn replace(value: &Value, scope: ReplaceScope, pattern: Option<&str>, with: &Value) -> Value {
    let (Value::Known(text), Some(pattern), Some(with)) = (value.scalar(), pattern, with.known())
    else {
        return Value::Unknown(Why::Transformation);
    };
    // Only plain text is followed; `&` in a replacement may stand for the match.
    if !glob::is_literal(pattern) || with.contains('&') || pattern.contains('\\') {
        return Value::Unknown(Why::Transformation);
    }
    Value::Known(match scope {
        ReplaceScope::First => text.replacen(pattern, with, 1),
        ReplaceScope::All => text.replace(pattern, with),
        ReplaceScope::Prefix => match text.strip_prefix(pattern) {
            Some(rest) => format!("{with}{rest}"),
            None => text,
        },
        ReplaceScope::Suffix => match text.strip_suffix(pattern) {
            Some(rest) => format!("{rest}{with}"),
            None => text,
        },
    })
}
