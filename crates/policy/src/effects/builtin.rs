//! The builtins of bash: those that change the shell's own state, and those that only say something.

use crate::effects::command::{CommandLine, Field, Why};
use crate::effects::effect::{Act, Run};
use crate::effects::env::{Env, Flow, join_directories};
use crate::effects::invocation::ENVIRONMENT;
use crate::effects::locate;
use crate::effects::opacity::Opacity;
use crate::effects::output;
use crate::effects::parameter::is_many;
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::simple::{has_substitution, odd_options};
use crate::effects::started;
use crate::effects::stream::Stream;
use crate::effects::value::{NUMBER, Value, may_begin_with_dash};
use crate::path::AbsPath;
use crate::request::Category;

type Done = (Flow, Stream);

/// Builtins that neither change state that is followed nor touch anything.
const SAYING: [&str; 24] = [
    ":", "true", "false", "echo", "printf", "pwd", "test", "[", "wait", "jobs", "fg", "bg",
    "disown", "times", "umask", "ulimit", "type", "hash", "dirs", "caller", "help", "logout",
    "suspend", "compgen",
];

/// Builtins that are read in code.
const CHANGING: [&str; 32] = [
    "command",
    "builtin",
    "exec",
    "eval",
    "cd",
    "pushd",
    "popd",
    "export",
    "declare",
    "local",
    "readonly",
    "typeset",
    "unset",
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "source",
    ".",
    "trap",
    "set",
    "shift",
    "let",
    "exit",
    "return",
    "break",
    "continue",
    "shopt",
    "alias",
    "unalias",
    "enable",
    "bind",
];

/// Whether the shell itself runs a command of that name.
pub(crate) fn is_builtin(name: &str) -> bool {
    SAYING.contains(&name)
        || CHANGING.contains(&name)
        || matches!(name, "complete" | "compopt" | "history")
}

impl Walker<'_> {
    /// Runs a builtin, or gives the state back where there is none of that name.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        fields: &[Field],
        env: Env,
        input: &Stream,
        at: At,
    ) -> Result<Done, Env> {
        match name {
            "command" | "builtin" | "exec" => {
                return Ok(self.passes_on(name, fields, env, input, at));
            }
            "eval" => {
                let outer = std::mem::replace(&mut self.inherited, input.clone());
                let done = self.eval(fields, env, at);
                self.inherited = outer;
                return Ok(done);
            }
            _ => {}
        }
        if SAYING.contains(&name) {
            self.say(fields, &env, at);
            return Ok(self.saying(name, fields, env, input, at));
        }
        let flow = match name {
            "cd" | "pushd" | "popd" => self.change_directory(name, fields, env, at),
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                self.declaration(fields, env, at)
            }
            "unset" => self.unset(fields, env, at),
            "read" | "mapfile" | "readarray" | "getopts" => {
                self.read_names(name, fields, env, input, at)
            }
            "source" | "." => self.source(fields, env, at),
            "trap" => self.trap(fields, env, at),
            "set" | "shift" => self.positional(name, fields, env, at),
            "let" => self.evaluate(fields, env, at),
            "exit" | "return" | "break" | "continue" => self.leave(name, fields, env, at),
            "shopt" | "alias" | "unalias" | "enable" | "bind" | "complete" | "compopt"
            | "history" => self.shell_setting(name, fields, env, at),
            _ => return Err(env),
        };
        Ok((flow, Stream::Unknown))
    }

    /// Records a builtin as a command that only reads.
    fn say(&mut self, fields: &[Field], env: &Env, at: At) {
        let line = CommandLine {
            words: fields.to_vec(),
            options: Vec::new(),
            operands: fields.get(1..).unwrap_or(&[]).to_vec(),
            other_names: Vec::new(),
            changed_by: Vec::new(),
        };
        let run = Run {
            line,
            category: Category::Reads,
            by_effects: false,
            path: None,
            obeys: Vec::new(),
        };
        let name = fields.first().and_then(Field::known);
        self.record(at, env, name, false, Act::Run(run));
    }

    fn saying(
        &mut self,
        name: &str,
        fields: &[Field],
        mut env: Env,
        input: &Stream,
        at: At,
    ) -> Done {
        let arguments = fields.get(1..).unwrap_or(&[]);
        match name {
            "test" | "[" => self.expression(arguments, &env, at),
            "printf" => {
                if matches!(
                    arguments.first(),
                    Some(Field::Unknown { single: false, .. })
                ) {
                    self.evaluated(&Value::Unknown(Why::Output), &env, at);
                }
                let mut words = arguments.iter();
                while let Some(word) = words.next() {
                    let Some(option) = word.known() else {
                        // It may be `-v` with a name in it.
                        self.named(&Value::Unknown(Why::Output), &env, at);
                        break;
                    };
                    let Some(attached) = option.strip_prefix("-v") else {
                        break;
                    };
                    let name = match attached {
                        "" => words.next().cloned(),
                        name => Some(Field::Known(name.to_owned())),
                    };
                    let Some(name) = name else { break };
                    self.variable_named(&name, &env, at);
                    if let Some(name) = name.known() {
                        self.set(name, Value::Unknown(Why::Transformation), &mut env);
                    }
                }
            }
            "jobs" if arguments.first().and_then(Field::known) == Some("-x") => {
                let rest = arguments.get(1..).unwrap_or(&[]).to_vec();
                return self.dispatch(&rest, env, input, at);
            }
            "wait" => self.wait(arguments, &mut env, at),
            "compgen" | "hash" => {
                let runs = |field: &Field| {
                    !matches!(field.known(), Some(text) if !text.starts_with('-')
                    || matches!(text, "-r" | "-t" | "-l" | "-A" | "-c" | "-b" | "-k" | "-f" | "-d" | "-a"))
                };
                if arguments.iter().any(runs) {
                    self.push(at, &env, Act::Opaque(Opacity::ShellChanged));
                }
            }
            _ => {}
        }
        let output = output::of_builtin(name, arguments, &env, input);
        (Flow::same(env), output)
    }

    fn expression(&mut self, arguments: &[Field], env: &Env, at: At) {
        for argument in arguments {
            // Several words may be any expression, `-v` with a subscript among them.
            if let Field::Unknown {
                why, single: false, ..
            } = argument
            {
                self.evaluated(&Value::Unknown(*why), env, at);
            }
        }
        for pair in arguments.windows(2) {
            if let [Field::Known(operator), operand] = pair
                && matches!(operator.as_str(), "-v" | "-R")
            {
                self.named(&Value::of(operand.clone()), env, at);
            }
        }
    }

    fn wait(&mut self, arguments: &[Field], env: &mut Env, at: At) {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let name = match word.known() {
                Some("-p") => words.next().cloned(),
                Some(text) => text
                    .strip_prefix("-p")
                    .map(|name| Field::Known(name.to_owned())),
                None => Some(word.clone()),
            };
            let Some(name) = name else { continue };
            self.named(&Value::of(name.clone()), env, at);
            if let Some(name) = name.known() {
                self.set(name, Value::Number, env);
            }
        }
    }

    /// A word that names the variable which a builtin sets or removes. Where it cannot be told that may be any, those
    /// among them that decide what runs.
    fn variable_named(&mut self, field: &Field, env: &Env, at: At) {
        self.named(&Value::of(field.clone()), env, at);
        if field.known().is_none() {
            self.push(at, env, Act::Opaque(Opacity::ShellChanged));
        }
    }

    /// `command`, `builtin` and `exec` run the words that follow.
    fn passes_on(
        &mut self,
        name: &str,
        fields: &[Field],
        env: Env,
        input: &Stream,
        at: At,
    ) -> Done {
        let mut rest = fields.get(1..).unwrap_or(&[]);
        while let Some((first, tail)) = rest.split_first() {
            match (name, first.known()) {
                ("command", Some(text)) if text.starts_with('-') && text.contains(['v', 'V']) => {
                    self.say(fields, &env, at);
                    return (Flow::same(env), Stream::Unknown);
                }
                ("exec", Some("-a")) => {
                    // Where it may be no word or several, another one is the command.
                    if tail.first().is_none_or(|name| name.known().is_none()) {
                        self.push(at, &env, Act::Opaque(Opacity::ComputedCommand));
                    }
                    rest = tail.get(1..).unwrap_or(&[]);
                }
                (_, Some("--")) => {
                    rest = tail;
                    break;
                }
                ("command", Some("-p")) => rest = tail,
                ("exec", Some(text)) if text.starts_with('-') => rest = tail,
                _ => break,
            }
        }
        if rest.is_empty() {
            return (Flow::same(env), Stream::Unknown);
        }
        let mut inner = env.clone();
        inner.functions.clear();
        if name == "exec" {
            let output = self.program(rest, &inner, input, at, &[]);
            return (Flow::same(env), output);
        }
        let (mut flow, output) = self.dispatch(rest, inner, input, at);
        for after in flow.success.iter_mut().chain(flow.failure.iter_mut()) {
            after.functions = env.functions.clone();
        }
        (flow, output)
    }

    fn eval(&mut self, fields: &[Field], env: Env, at: At) -> Done {
        let arguments = fields.get(1..).unwrap_or(&[]);
        let texts: Option<Vec<&str>> = arguments.iter().map(Field::known).collect();
        let Some(texts) = texts else {
            self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
            return (Flow::same(env), Stream::Unknown);
        };
        let skip = usize::from(texts.first() == Some(&"--"));
        let text = texts.get(skip..).unwrap_or(&[]).join(" ");
        self.text(&text, env, Some(at))
    }

    fn change_directory(&mut self, name: &str, fields: &[Field], env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        let mut operands = fields.iter().skip(1).filter(|field| {
            !matches!(
                field.known(),
                Some("-L" | "-P" | "-e" | "-@" | "--" | "-LP" | "-PL" | "-n")
            )
        });
        let target = operands.next();
        let mut success = env.clone();
        success.cwd = Shared::new(match (name, target) {
            ("popd", _) | ("pushd", None) => Vec::new(),
            (_, None) => match self.variable("HOME", &env) {
                Value::Known(home) => locate::places(&home, &env.cwd).unwrap_or_default(),
                Value::Number
                | Value::Names(_)
                | Value::Listed(_)
                | Value::Array(_)
                | Value::Unknown(_) => Vec::new(),
            },
            (_, Some(Field::Known(text))) => entered(text, &env),
            (_, Some(Field::Names(pattern))) => self.made(pattern, &env),
            (_, Some(Field::Listed(_) | Field::Unknown { .. })) => Vec::new(),
        });
        success.variables.remove("PWD");
        Flow {
            success: Some(success),
            failure: Some(env),
        }
    }

    /// A directory that `mktemp` has just made, in which nothing is yet. Where it made none the shell stays.
    fn made(&self, pattern: &str, env: &Env) -> Vec<AbsPath> {
        let place = self.session.temporary.first();
        match place.filter(|place| output::made_in(place) == pattern) {
            Some(place) => join_directories(vec![place.join("tmp.XXXXXXXXXX")], &env.cwd),
            None => Vec::new(),
        }
    }

    /// A variable of a function's own without a value: it hides the one outside and is empty, but for one that stands
    /// in front of the call of the function, or with `-I`.
    fn own(&mut self, name: &str, inherits: bool, env: &mut Env) {
        if !self.shadow(name, env) {
            return;
        }
        let value = match env.variables.get(name) {
            Some(before) => before.clone().join(&Value::empty()),
            None if inherits => Value::Unknown(Why::Variable),
            None => Value::empty(),
        };
        self.set(name, value, env);
    }

    fn declaration(&mut self, fields: &[Field], mut env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        self.printed(fields, &env, at);
        let integer = |field: &Field| {
            field
                .known()
                .is_some_and(|text| text.starts_with('-') && text.contains('i'))
        };
        let converts = |field: &Field| {
            field
                .known()
                .is_some_and(|text| text.starts_with('-') && text.contains(['l', 'u', 'c', 'g']))
        };
        fixed(fields, &mut env);
        if fields.iter().skip(1).any(converts) {
            self.push(at, &env, Act::Opaque(Opacity::ShellChanged));
        }
        if fields.iter().any(integer) {
            env.integers = true;
            for name in fields.iter().skip(1).filter_map(Field::known) {
                if let Some(value) = env.variables.get(name).cloned() {
                    self.evaluated(&value, &env, at);
                }
            }
        }
        // With an option that it does not know it assigns nothing.
        let odd = odd_options(fields);
        let inherits = fields
            .iter()
            .filter_map(Field::known)
            .any(|text| text.starts_with('-') && text.contains('I'));
        let makes_own = matches!(
            fields.first().and_then(Field::known),
            Some("local" | "declare" | "typeset")
        );
        for field in fields.iter().skip(1) {
            match field.known() {
                // Functions in a child's environment, and other names for variables, are not followed.
                Some(text) if text.starts_with('-') && text.contains(['f', 'n']) => {
                    let only_names = matches!(text, "-F" | "-fp" | "-pf");
                    if !only_names {
                        self.push(at, &env, Act::Opaque(Opacity::ShellChanged));
                    }
                }
                Some(text) if text.contains('=') => {
                    let (name, value) = text.split_once('=').unwrap_or((text, ""));
                    self.named(&Value::Known(name.to_owned()), &env, at);
                    if makes_own {
                        self.shadow(name.trim_end_matches('+'), &env);
                    }
                    if has_substitution(value) {
                        self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
                    }
                    let name = name.trim_end_matches('+');
                    let value = assigned(value, odd, env.variables.get(name));
                    self.set(name, value, &mut env);
                }
                Some(text) => {
                    self.named(&Value::Known(text.to_owned()), &env, at);
                    if makes_own && !text.starts_with('-') {
                        self.own(text, inherits, &mut env);
                    }
                }
                None => self.push(at, &env, Act::Opaque(Opacity::ShellChanged)),
            }
        }
        Flow::same(env)
    }

    /// Without a name a declaration prints every variable.
    fn printed(&mut self, fields: &[Field], env: &Env, at: At) {
        let options = |field: &Field| {
            field.known().is_some_and(|text| {
                text.starts_with('-') && !text.contains(['f', 'F', 'a', 'A', 'i', 'r'])
            })
        };
        if fields.iter().skip(1).all(options)
            && let Ok(place) = locate::path(&Field::Known(ENVIRONMENT.to_owned()), &[])
        {
            let name = fields.first().and_then(Field::known);
            self.record(at, env, name, true, Act::Read(place));
        }
    }

    fn unset(&mut self, fields: &[Field], mut env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        for field in fields.iter().skip(1) {
            self.variable_named(field, &env, at);
            if let Some(name) = field.known() {
                if env.functions.contains_key(name) {
                    env.functions.insert(name.to_owned(), vec![None]);
                }
                if !name.starts_with('-') {
                    // A function of that name may be meant, or one variable behind another.
                    let value = Value::made_of(env.variables.get(name));
                    self.set(name, value, &mut env);
                }
            }
        }
        Flow::same(env)
    }

    fn read_names(
        &mut self,
        name: &str,
        fields: &[Field],
        mut env: Env,
        input: &Stream,
        at: At,
    ) -> Flow {
        self.say(fields, &env, at);
        let (names, callback) = named(name, fields.get(1..).unwrap_or(&[]));
        if callback {
            // A callback is evaluated as a command.
            self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
        }
        let mut names: Vec<String> = names
            .into_iter()
            .filter_map(|field| {
                self.variable_named(field, &env, at);
                field.known().map(str::to_owned)
            })
            .collect();
        let value = match (name, input, names.len()) {
            ("read", Stream::Listed(pattern), 0 | 1) => Value::Listed(pattern.clone()),
            ("read", Stream::Names(pattern), 0 | 1) => Value::Names(pattern.clone()),
            ("mapfile" | "readarray", Stream::Listed(pattern), _) => Value::Listed(pattern.clone()),
            _ => Value::Unknown(Why::Input),
        };
        if name == "getopts" {
            names.extend(["OPTARG".to_owned(), "OPTIND".to_owned()]);
        } else if names.is_empty() {
            names.push(if name == "read" { "REPLY" } else { "MAPFILE" }.to_owned());
        }
        for name in names {
            self.set(&name, value.clone(), &mut env);
        }
        Flow::same(env)
    }

    fn source(&mut self, fields: &[Field], mut env: Env, at: At) -> Flow {
        match fields.get(1) {
            // A name without a slash is searched for like a program.
            Some(Field::Known(text))
                if locate::is_stream(text, &env.cwd) || !text.contains('/') =>
            {
                self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
            }
            Some(Field::Known(text)) => {
                let field = Field::Known(text.clone());
                let place = locate::path(&field, &env.cwd).ok();
                if place
                    .as_ref()
                    .is_some_and(|target| self.has_written(target))
                {
                    self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
                }
                let line = CommandLine {
                    words: fields.to_vec(),
                    options: Vec::new(),
                    operands: vec![field],
                    other_names: Vec::new(),
                    changed_by: Vec::new(),
                };
                let category = self.own_code(place.as_ref());
                let run = Run {
                    line,
                    category,
                    by_effects: false,
                    path: None,
                    obeys: Vec::new(),
                };
                self.record(at, &env, Some("source"), false, Act::Run(run));
                if let Some(place) = place {
                    let script = started::file(&place, fields.get(2..).unwrap_or(&[]), &env.cwd);
                    self.record(at, &env, Some("source"), true, Act::Read(place));
                    if let Some(script) = script {
                        self.record(at, &env, Some("source"), true, script);
                    }
                }
            }
            Some(_) => self.push(at, &env, Act::Opaque(Opacity::ComputedScript)),
            None => {}
        }
        // The file may have set anything.
        for value in env.variables.values_mut() {
            *value = Value::made_of([&*value]);
        }
        Flow::same(env)
    }

    fn trap(&mut self, fields: &[Field], env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        let mut arguments = fields
            .iter()
            .skip(1)
            .filter(|field| field.known() != Some("--"));
        match (arguments.next(), arguments.next()) {
            (Some(Field::Known(text)), Some(_)) if !text.is_empty() && text != "-" => {
                let text = text.clone();
                let only_at_the_end = fields
                    .iter()
                    .skip(2)
                    .all(|signal| matches!(signal.known(), Some("EXIT" | "0")));
                // Only what the text itself sets is left in such a state.
                let mut later = Env {
                    volatile: true,
                    ..env.clone()
                };
                later.variables.clear();
                let after = self.apart(|walker| walker.text(&text, later, Some(at)).0.merged());
                let changes = after.is_none_or(|after| {
                    !after.variables.is_empty()
                        || after.functions != env.functions
                        || after.cwd != env.cwd
                });
                // It may run between any two commands from now on, and change what they do.
                if !only_at_the_end && changes {
                    self.push(at, &env, Act::Opaque(Opacity::ShellChanged));
                }
            }
            (Some(Field::Known(_)) | None, _) => {}
            (Some(Field::Names(_) | Field::Listed(_) | Field::Unknown { .. }), _) => {
                self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
            }
        }
        Flow::same(env)
    }

    fn positional(&mut self, name: &str, fields: &[Field], mut env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        let arguments = fields.get(1..).unwrap_or(&[]);
        if name == "set" && arguments.is_empty() {
            self.printed(fields, &env, at);
        }
        if name == "shift" {
            let count = arguments
                .first()
                .map_or(Some(1), |field| field.known()?.parse().ok());
            env.positional = match (env.positional, count) {
                // Of several words in one place only some may go.
                (Some(values), Some(count)) if values.iter().take(count).any(is_many) => None,
                // More than there are is an error, and nothing is shifted.
                (Some(values), Some(count)) => match values.get(count..) {
                    Some(rest) => Some(rest.to_vec()),
                    None => Some(values),
                },
                (_, _) => None,
            };
            return Flow::same(env);
        }
        match operands_of_set(arguments) {
            Operands::None => {}
            Operands::Words(values) => {
                let several = |field: &Field| matches!(field, Field::Unknown { single: false, .. });
                env.positional = (!values.iter().any(several))
                    .then(|| values.iter().cloned().map(Value::of).collect());
            }
            Operands::Unknown => {
                self.push(at, &env, Act::Opaque(Opacity::ShellChanged));
                env.positional = None;
            }
        }
        Flow::same(env)
    }

    fn evaluate(&mut self, fields: &[Field], mut env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        for field in fields.iter().skip(1) {
            self.evaluated(&Value::of(field.clone()), &env, at);
            if let Some(text) = field.known() {
                self.arithmetic_text(text, &mut env, at);
            }
        }
        Flow::same(env)
    }

    fn leave(&mut self, name: &str, fields: &[Field], env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        match (name, fields) {
            // More operands than one are an error after which the shell goes on.
            ("exit", [_]) => Flow::never(),
            ("exit", [_, Field::Names(number)]) if number == NUMBER => Flow::never(),
            // With another word than a number the shell may say what is wrong and go on.
            ("exit", [_, Field::Known(text)]) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Flow::never()
            }
            ("return", _) => {
                self.left_function(&env);
                Flow::same(env)
            }
            ("break" | "continue", _) => {
                self.left_loop(&env);
                Flow::same(env)
            }
            // `return` outside a function is an error after which the shell goes on.
            _ => Flow::same(env),
        }
    }

    fn shell_setting(&mut self, name: &str, fields: &[Field], env: Env, at: At) -> Flow {
        self.say(fields, &env, at);
        let known = |field: &Field| {
            matches!(
                (name, field.known()),
                (
                    "shopt",
                    Some("-s" | "-u" | "-q" | "-p" | "-o" | "errexit" | "nounset" | "pipefail")
                ) | ("alias", Some("-p"))
            ) || (name == "shopt"
                && (is_turning_off(fields)
                    || field
                        .known()
                        .is_some_and(|text| SHOPT_NAMES.contains(&text))))
                || name == "unalias"
                || (name == "history"
                    && matches!(field.known(), Some(text) if !text.starts_with('-')))
        };
        if !fields.iter().skip(1).all(known) {
            self.push(at, &env, Act::Opaque(Opacity::ShellChanged));
        }
        Flow::same(env)
    }
}

/// `shopt -u …` only switches behaviour off that would have had to be switched on.
fn is_turning_off(fields: &[Field]) -> bool {
    fields.get(1).and_then(Field::known) == Some("-u")
}

/// What a variable holds after a declaration: the value, or, where the declaration may have failed, that or what it
/// held before.
fn assigned(value: &str, may_fail: bool, before: Option<&Value>) -> Value {
    let value = Value::Known(value.to_owned());
    if may_fail {
        value.join(before.unwrap_or(&Value::Unknown(Why::Variable)))
    } else {
        value
    }
}

/// Notes the variables that a declaration makes read-only.
fn fixed(fields: &[Field], env: &mut Env) {
    let fixes = |text: &str| text == "readonly" || text.starts_with('-') && text.contains('r');
    if fields.iter().filter_map(Field::known).any(fixes) {
        let names = fields.iter().skip(1).filter_map(Field::known);
        let names = names.filter(|name| !name.starts_with('-'));
        let names = names.map(|name| name.split(['=', '+']).next().unwrap_or(name).to_owned());
        env.readonly.extend(names);
    }
}

/// What `set` makes of its words.
enum Operands<'f> {
    /// The positional parameters stay.
    None,
    /// These become the positional parameters.
    Words(&'f [Field]),
    /// An option is none that is followed: bash refuses it, or it changes how later commands are read.
    Unknown,
}

/// Reads the words of `set`.
fn operands_of_set(arguments: &[Field]) -> Operands<'_> {
    let mut rest = arguments;
    while let Some((first, tail)) = rest.split_first() {
        let Some(text) = first.known() else {
            return match first {
                Field::Names(pattern) if !may_begin_with_dash(pattern) => Operands::Words(rest),
                Field::Unknown { prefix, .. } if begins_plainly(prefix) => Operands::Words(rest),
                Field::Known(_) | Field::Names(_) | Field::Listed(_) | Field::Unknown { .. } => {
                    Operands::Unknown
                }
            };
        };
        match text {
            "--" => return Operands::Words(tail),
            "-" if tail.is_empty() => return Operands::None,
            "-" => return Operands::Words(tail),
            _ if !text.starts_with(['-', '+']) => return Operands::Words(rest),
            _ => rest = tail,
        }
        for letter in text.chars().skip(1) {
            // Each `o` takes a word where there is one.
            match (letter, rest.split_first()) {
                ('o', None) => {}
                ('o', Some((name, more))) => {
                    if !name.known().is_some_and(|name| SET_NAMES.contains(&name)) {
                        return Operands::Unknown;
                    }
                    rest = more;
                }
                _ if "abefhmnptuvxBCEHPT".contains(letter) => {}
                _ => return Operands::Unknown,
            }
        }
    }
    Operands::None
}

/// Whether a word that begins so is no option.
fn begins_plainly(prefix: &str) -> bool {
    !prefix.is_empty() && !prefix.starts_with(['-', '+'])
}

/// Names of options that change neither what later words mean nor what runs.
pub(crate) const SET_NAMES: [&str; 23] = [
    "allexport",
    "braceexpand",
    "emacs",
    "errexit",
    "errtrace",
    "functrace",
    "hashall",
    "histexpand",
    "history",
    "ignoreeof",
    "interactive-comments",
    "monitor",
    "noclobber",
    "noexec",
    "noglob",
    "nolog",
    "notify",
    "nounset",
    "onecmd",
    "physical",
    "pipefail",
    "verbose",
    "xtrace",
];

/// Names of `shopt` that change neither what names a pattern finds, but for directories below, nor what runs.
pub(crate) const SHOPT_NAMES: [&str; 6] = [
    "nullglob",
    "globstar",
    "extglob",
    "inherit_errexit",
    "checkwinsize",
    "nocasematch",
];

/// The words that `read`, `mapfile` or `getopts` take for names of variables, and whether a callback is given.
fn named<'f>(builtin: &str, words: &'f [Field]) -> (Vec<&'f Field>, bool) {
    let valued: &[char] = match builtin {
        "read" => &['d', 'n', 'N', 'p', 't', 'u', 'i'],
        "mapfile" | "readarray" => &['d', 'n', 'O', 's', 'u', 'c', 'C'],
        _ => &[],
    };
    let mut names = Vec::new();
    let mut callback = false;
    let mut rest = words.iter();
    let mut skip = usize::from(builtin == "getopts");
    while let Some(word) = rest.next() {
        let options = word
            .known()
            .and_then(|text| text.strip_prefix('-'))
            .filter(|text| !text.is_empty());
        let Some(letters) = options else {
            if skip == 0 {
                names.push(word);
            }
            skip = skip.saturating_sub(1);
            continue;
        };
        callback |= letters.contains('C') && builtin != "read";
        // A value is attached, or is the next word.
        if letters
            .chars()
            .last()
            .is_some_and(|last| valued.contains(&last))
        {
            rest.next();
        }
    }
    (names, callback)
}

/// Where `cd` leads.
fn entered(text: &str, env: &Env) -> Vec<crate::path::AbsPath> {
    let searched = env.variables.contains_key("CDPATH") && !text.starts_with(['/', '.']);
    if text.starts_with('-') || text.starts_with('+') || searched {
        return Vec::new();
    }
    if text.is_empty() {
        return env.cwd.to_vec();
    }
    locate::places(text, &env.cwd).unwrap_or_default()
}
