//! Simple commands: assignments, redirections, and who takes the words: a function, a builtin or a program.

use crate::effects::command::{Field, Why};
use crate::effects::effect::Act;
use crate::effects::env::{Env, Flow, join_options};
use crate::effects::locate::{self, is_nothing};
use crate::effects::opacity::Opacity;
use crate::effects::script::{At, Walker, may_fail, unknown};
use crate::effects::stream::Stream;
use crate::effects::value::{Value, literal_prefix};
use crate::effects::variables::{changes_by_name, is_level};
use crate::request::PathTarget;
use countersign_shell::tree::{
    Assignment, Command, Descriptor, HereDocument, Part, Redirect, RedirectKind, Simple, Word,
};

/// Builtins whose arguments `name=value` are assignments, not words.
const DECLARATIONS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl Walker<'_> {
    /// Walks a simple command.
    pub(crate) fn simple(
        &mut self,
        simple: &Simple,
        command: &Command,
        env: Env,
        input: &Stream,
    ) -> (Flow, Stream) {
        let at = self.at(command.span);
        let prompts = env.prompts;
        let (flow, output) = self.simple_within(simple, command, env, input, at);
        let set = |env: &Option<Env>| env.as_ref().is_some_and(|env| env.prompts);
        if let Some(env) = flow.success.as_ref().or(flow.failure.as_ref())
            && !prompts
            && (set(&flow.success) || set(&flow.failure))
        {
            // The shell evaluates its prompts at later commands.
            self.push(at, &env.clone(), Act::Opaque(Opacity::ShellChanged));
        }
        (flow, output)
    }

    fn simple_within(
        &mut self,
        simple: &Simple,
        command: &Command,
        mut env: Env,
        input: &Stream,
        at: At,
    ) -> (Flow, Stream) {
        let inherited = if env.other_input {
            Stream::Unknown
        } else {
            input.clone()
        };
        // Where a redirection fails the command does not run, and some shells do not even assign.
        let before = command.redirects.iter().any(may_fail).then(|| env.clone());
        let fields = self.fields(&simple.words, &mut env, at);
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                self.assign(assignment, &mut env, at);
            }
            let input = self.redirects(&command.redirects, &mut env, at, Stream::Outside);
            // `$(<file)` is what the file holds.
            let output = match input {
                Stream::Outside => Stream::Known(String::new()),
                _ => Stream::Unknown,
            };
            let mut flow = Flow::same(env);
            flow.failure = join_options(flow.failure, before);
            return (flow, output);
        }
        let input = self.redirects(&command.redirects, &mut env, at, inherited);
        // Redirections of a bare `exec` stay.
        let stays = fields
            .iter()
            .filter_map(Field::known)
            .find(|word| !matches!(*word, "command" | "builtin" | "-p" | "--"))
            == Some("exec");
        if stays && input != Stream::Outside {
            env.other_input = true;
            if env.from_input {
                // The shell reads on from what stands there now.
                self.push(at, &env, Act::Opaque(Opacity::ComputedScript));
            }
        }
        if simple.assignments.is_empty() {
            return self.dispatch_redirected(command, &fields, (env, before), &input, at);
        }
        // Assignments in front hold for this command only.
        let outer = env.clone();
        let dropped = self.unwinding();
        for assignment in &simple.assignments {
            self.assign(assignment, &mut env, at);
        }
        let (mut flow, output) =
            self.dispatch_redirected(command, &fields, (env, before), &input, at);
        let special = fields
            .first()
            .and_then(Field::known)
            .is_some_and(|name| SPECIAL.contains(&name));
        let undo = |env: &mut Env| restore(env, &outer, &simple.assignments, special);
        flow.success.iter_mut().for_each(undo);
        flow.failure.iter_mut().for_each(undo);
        self.unwound(dropped, undo);
        (flow, output)
    }

    /// Runs the words of a command whose redirections are made. Where one of them failed the command did not run, and
    /// the shell goes on all the same, also behind `exit`.
    fn dispatch_redirected(
        &mut self,
        command: &Command,
        fields: &[Field],
        (env, before): (Env, Option<Env>),
        input: &Stream,
        at: At,
    ) -> (Flow, Stream) {
        let fallible = before.is_some();
        let (mut flow, output) = self.dispatch(fields, env, input, at);
        flow.failure = join_options(flow.failure, before);
        let output = match redirected(command, output) {
            // Where a file cannot be opened nothing is printed.
            Stream::Known(_) if fallible => Stream::Unknown,
            other => other,
        };
        (flow, output)
    }

    fn fields(&mut self, words: &[Word], env: &mut Env, at: At) -> Vec<Field> {
        let declares = words
            .first()
            .is_some_and(|word| match word.parts.as_slice() {
                [Part::Literal(text)] => DECLARATIONS.contains(&text.as_str()),
                _ => false,
            });
        let makes_own = words
            .first()
            .is_some_and(|word| match word.parts.as_slice() {
                [Part::Literal(text)] => matches!(text.as_str(), "local" | "declare" | "typeset"),
                _ => false,
            });
        let mut fields = Vec::with_capacity(words.len());
        let mut declarations = Vec::new();
        for (index, word) in words.iter().enumerate() {
            match (declares && index > 0).then(|| declared(word)).flatten() {
                Some((name, append, parts)) => {
                    let value = if name == "PATH" {
                        self.search_path(&parts, env, at)
                    } else {
                        self.joined(&parts, env, at)
                    };
                    fields.push(Field::Known(name.clone()));
                    declarations.push((name, append, value));
                }
                // `eval a=(1) x` is handed the text once more.
                None if !declares
                    && matches!(word.parts.as_slice(), [Part::CompoundAssignment(_)]) =>
                {
                    self.touch(&word.parts, env, at);
                    fields.push(unknown(Why::Transformation));
                }
                None => {
                    // The list is assigned as it is expanded; a function's own one hides the one outside before that.
                    let list = match word.parts.as_slice() {
                        [Part::CompoundAssignment(list)] if declares => Some(list.name.clone()),
                        _ => None,
                    };
                    if let Some(name) = list.as_ref().filter(|_| makes_own) {
                        self.shadow(name, env);
                    }
                    let before = list
                        .as_ref()
                        .and_then(|name| env.variables.get(name).cloned());
                    fields.extend(self.expand(word, env, at));
                    if let Some(name) = list.filter(|_| odd_options(&fields)) {
                        let before = before.unwrap_or(Value::Unknown(Why::Variable));
                        let after = env.variables.get(&name).cloned();
                        let after = after.unwrap_or_else(Value::empty);
                        self.set(&name, after.join(&before), env);
                    }
                }
            }
        }
        self.declarations(&fields, declarations, env, at);
        fields
    }

    /// Performs the assignments among the words of a declaration.
    fn declarations(
        &mut self,
        fields: &[Field],
        declarations: Vec<(String, bool, Value)>,
        env: &mut Env,
        at: At,
    ) {
        // All words are expanded before the builtin runs: `declare a=1 b=$a` gives `b` what `a` was.
        let builtin = fields
            .first()
            .and_then(Field::known)
            .unwrap_or("")
            .to_owned();
        let fixes = builtin == "readonly"
            || fields.iter().skip(1).any(|field| {
                field
                    .known()
                    .is_some_and(|text| text.starts_with('-') && text.contains('r'))
            });
        for (name, append, value) in declarations {
            if builtin != "export" && builtin != "readonly" {
                self.shadow(&name, env);
            }
            // Outside a function `local` fails and assigns nothing, and so does an option that it does not know or that
            // only prints.
            let fails = builtin == "local" && !self.in_function() || odd_options(fields);
            let before = env.variables.get(&name).cloned();
            self.declare(&name, append, value, env, at);
            if fails {
                let before = before.unwrap_or(Value::Unknown(Why::Variable));
                let after = env
                    .variables
                    .get(&name)
                    .cloned()
                    .unwrap_or_else(Value::empty);
                self.set(&name, after.join(&before), env);
            }
            if fixes {
                env.readonly.push(name);
            }
        }
    }

    fn declare(&mut self, name: &str, append: bool, value: Value, env: &mut Env, at: At) {
        // Bash expands a quoted compound assignment once more.
        if value
            .known()
            .is_some_and(|text| text.starts_with('(') && has_substitution(text))
        {
            self.push(at, env, Act::Opaque(Opacity::ComputedScript));
        }
        let value = match (append, env.variables.get(name), value) {
            (false, _, value) => value,
            (true, Some(Value::Known(front)), Value::Known(back)) => {
                Value::Known(format!("{front}{back}"))
            }
            (true, before, value) => Value::made_of(before.into_iter().chain([&value])),
        };
        self.set(name, value, env);
    }

    /// Runs words that are not empty: a function first, then a builtin, then a program, as bash does.
    pub(crate) fn dispatch(
        &mut self,
        fields: &[Field],
        env: Env,
        input: &Stream,
        at: At,
    ) -> (Flow, Stream) {
        let Some((first, arguments)) = fields.split_first() else {
            return (Flow::same(env), Stream::Unknown);
        };
        let Some(name) = first.known() else {
            self.push(at, &env, Act::Opaque(Opacity::ComputedCommand));
            return (Flow::same(env), Stream::Unknown);
        };
        let Some(bodies) = env.functions.get(name).cloned() else {
            return self.builtin_or_program(name, fields, env, input, at);
        };
        let known = arguments
            .iter()
            .all(|field| !matches!(field, Field::Unknown { single: false, .. }));
        let mut out: Option<(Flow, Stream)> = None;
        for body in bodies {
            let env = env.clone();
            let next = match body {
                Some(body) => {
                    let values = known.then(|| arguments.iter().cloned().map(Value::of).collect());
                    self.call(name, &body, values, env, input, at)
                }
                None => self.builtin_or_program(name, fields, env, input, at),
            };
            out = Some(match out {
                None => next,
                Some((flow, _)) => (
                    Flow {
                        success: join_options(flow.success, next.0.success),
                        failure: join_options(flow.failure, next.0.failure),
                    },
                    Stream::Unknown,
                ),
            });
        }
        out.unwrap_or_else(|| (Flow::same(env), Stream::Unknown))
    }

    fn builtin_or_program(
        &mut self,
        name: &str,
        fields: &[Field],
        env: Env,
        input: &Stream,
        at: At,
    ) -> (Flow, Stream) {
        match self.builtin(name, fields, env, input, at) {
            Ok(done) => done,
            Err(env) => {
                let output = self.program(fields, &env, input, at, &[]);
                (Flow::same(env), output)
            }
        }
    }

    /// Performs redirections and returns what standard input is afterwards.
    pub(crate) fn redirects(
        &mut self,
        redirects: &[Redirect],
        env: &mut Env,
        at: At,
        mut input: Stream,
    ) -> Stream {
        for redirect in redirects {
            if let Descriptor::Variable(name) = &redirect.descriptor {
                self.set(name, Value::Number, env);
            }
            let standard = matches!(
                redirect.descriptor,
                Descriptor::Default | Descriptor::Number(0)
            );
            if let Some(stream) = self.redirect(redirect, env, at)
                && standard
            {
                input = stream;
            }
        }
        input
    }

    /// Performs one redirection; what comes in where it is one for input.
    fn redirect(&mut self, redirect: &Redirect, env: &mut Env, at: At) -> Option<Stream> {
        match &redirect.kind {
            RedirectKind::Read(word) => {
                if let [Part::ProcessSubstitution(substitution)] = word.parts.as_slice() {
                    let inner = env.clone();
                    let walk = |walker: &mut Self| {
                        walker.list(&substitution.body, inner, &Stream::Outside).1
                    };
                    return Some(self.apart(walk));
                }
                let field = self.redirect_target(word, env, at);
                self.redirect_path(&field, env, at, Act::Read);
                Some(match field.known() {
                    Some("/dev/null") => Stream::Known(String::new()),
                    Some(_) | None => Stream::Unknown,
                })
            }
            RedirectKind::Write(word)
            | RedirectKind::Clobber(word)
            | RedirectKind::Append(word)
            | RedirectKind::WriteBoth(word)
            | RedirectKind::AppendBoth(word) => {
                let field = self.redirect_target(word, env, at);
                self.redirect_path(&field, env, at, Act::Write);
                None
            }
            RedirectKind::ReadWrite(word) => {
                let field = self.redirect_target(word, env, at);
                self.redirect_path(&field, env, at, Act::Write);
                Some(Stream::Unknown)
            }
            RedirectKind::DuplicateInput(word) => {
                self.duplicate(word, env, at);
                Some(Stream::Unknown)
            }
            RedirectKind::DuplicateOutput(word) => {
                self.duplicate(word, env, at);
                None
            }
            RedirectKind::HereDocument(document) => Some(self.here_document(document, env, at)),
            RedirectKind::HereString(word) => Some(Stream::of(&self.joined(&word.parts, env, at))),
        }
    }

    fn here_document(&mut self, document: &HereDocument, env: &mut Env, at: At) -> Stream {
        Stream::of(&self.joined(&document.body, env, at))
    }

    /// `2>&1` and `>&-` touch nothing; what is neither a number nor `-` may be a file.
    fn duplicate(&mut self, word: &Word, env: &mut Env, at: At) {
        match self.joined(&word.parts, env, at) {
            Value::Number => {}
            Value::Known(text)
                if text
                    .trim_end_matches('-')
                    .bytes()
                    .all(|byte| byte.is_ascii_digit()) => {}
            Value::Known(_)
            | Value::Names(_)
            | Value::Listed(_)
            | Value::Array(_)
            | Value::Unknown(_) => self.push(at, env, Act::Opaque(Opacity::ComputedPath)),
        }
    }

    fn redirect_target(&mut self, word: &Word, env: &mut Env, at: At) -> Field {
        let mut fields = self.expand(word, env, at);
        match (fields.pop(), fields.is_empty()) {
            (Some(only), true) => only,
            // Bash refuses a redirection to several words or none.
            (Some(_), false) | (None, _) => Field::Unknown {
                why: Why::TooMany,
                prefix: String::new(),
                single: false,
            },
        }
    }

    fn redirect_path(
        &mut self,
        field: &Field,
        env: &Env,
        at: At,
        act: impl FnOnce(PathTarget) -> Act,
    ) {
        let start = match field {
            Field::Known(text) => text.clone(),
            Field::Names(pattern) | Field::Listed(pattern) => literal_prefix(pattern),
            Field::Unknown { prefix, .. } => prefix.clone(),
        };
        // Bash itself opens a connection for these names.
        if let Some(rest) = start
            .strip_prefix("/dev/tcp/")
            .or(start.strip_prefix("/dev/udp/"))
        {
            let host = rest.split('/').next().unwrap_or(rest).to_ascii_lowercase();
            self.push(at, env, Act::Net(host));
            self.push(at, env, Act::Opaque(Opacity::RawConnection));
            return;
        }
        match locate::path(field, &env.cwd) {
            // A listed name may be any path at all.
            Ok(_) if matches!(field, Field::Listed(_)) => {
                self.push(at, env, Act::Opaque(Opacity::ComputedPath));
            }
            Ok(target)
                if target.pattern.is_none()
                    && target.places.iter().all(|place| is_nothing(place.as_str())) => {}
            Ok(target) if target.pattern.is_some() && start.starts_with("/dev/fd/") => {}
            Ok(target) => self.push(at, env, act(target)),
            Err(opacity) => self.push(at, env, Act::Opaque(opacity)),
        }
    }

    /// Whether setting a variable changes what programs run or do.
    pub(crate) fn changes(&self, name: &str, value: &Value) -> bool {
        let known = value.known();
        match name {
            "PATH" => !known.is_some_and(|path| self.is_plain_search_path(path)),
            "PAGER" | "GIT_PAGER" | "MANPAGER" | "GH_PAGER" | "AWS_PAGER" | "SYSTEMD_PAGER"
            | "BAT_PAGER" | "GLAB_PAGER" | "DPKG_PAGER" => {
                !matches!(known, Some("" | "cat" | "less" | "more"))
            }
            // Letters that say how lines are shown.
            "LESS" => !known.is_some_and(|text| text.chars().all(|c| "-FRXSKMNirge ".contains(c))),
            "EDITOR" | "VISUAL" | "GIT_EDITOR" | "GIT_SEQUENCE_EDITOR" => {
                !matches!(known, Some("true" | ":" | "cat"))
            }
            "RUSTFLAGS" | "RUSTDOCFLAGS" => {
                !known.is_some_and(|flags| !flags.contains("linker") && !flags.contains('/'))
            }
            // These only say how much is built and printed.
            "CARGO_INCREMENTAL"
            | "CARGO_NET_OFFLINE"
            | "CARGO_TERM_COLOR"
            | "CARGO_TERM_VERBOSE"
            | "CARGO_TERM_PROGRESS_WHEN" => false,
            "TMPDIR" | "CARGO_TARGET_DIR" => !known
                .and_then(crate::path::AbsPath::parse)
                .is_some_and(|place| {
                    let roots = self.session.temporary.iter().chain(&self.session.workspace);
                    roots.clone().any(|root| place.is_within(root))
                }),
            // Options, and for bzip2 files too, in front of what the call says.
            "XZ_OPT" | "XZ_DEFAULTS" | "GZIP" | "PIGZ" | "BZIP" | "BZIP2" => {
                !known.is_some_and(is_level)
            }
            "GIT_TERMINAL_PROMPT" | "GIT_OPTIONAL_LOCKS" | "GIT_MERGE_AUTOEDIT" => false,
            _ if name.starts_with("GIT_AUTHOR_") || name.starts_with("GIT_COMMITTER_") => false,
            _ => changes_by_name(name),
        }
    }

    /// Whether every directory of a search path is absolute and neither the workspace's nor temporary, so that nothing
    /// that was written in this session can be found through it.
    fn is_plain_search_path(&self, path: &str) -> bool {
        path.split(':').all(|entry| {
            crate::path::AbsPath::parse(entry).is_some_and(|place| {
                !self
                    .session
                    .workspace
                    .as_ref()
                    .is_some_and(|root| place.is_within(root))
                    && !self
                        .session
                        .temporary
                        .iter()
                        .any(|root| place.is_within(root))
            })
        })
    }

    /// The value of a search path that is put together from the one in force.
    pub(crate) fn search_path(&mut self, parts: &[Part], env: &mut Env, at: At) -> Value {
        let before = env
            .variables
            .insert("PATH".to_owned(), Value::Known("/usr/bin".to_owned()));
        let value = self.joined(parts, env, at);
        match before {
            Some(before) => env.variables.insert("PATH".to_owned(), before),
            None => env.variables.remove("PATH"),
        };
        value
    }
}

/// The output of a command, unless its redirections send it elsewhere.
fn redirected(command: &Command, output: Stream) -> Stream {
    let away = command
        .redirects
        .iter()
        .any(|redirect| match &redirect.descriptor {
            // Whatever is put in its place, it is not what it was.
            Descriptor::Number(1) => true,
            Descriptor::Number(_) | Descriptor::Variable(_) => false,
            Descriptor::Default => match &redirect.kind {
                RedirectKind::Write(_)
                | RedirectKind::Clobber(_)
                | RedirectKind::Append(_)
                | RedirectKind::WriteBoth(_)
                | RedirectKind::AppendBoth(_)
                | RedirectKind::DuplicateOutput(_) => true,
                RedirectKind::Read(_)
                | RedirectKind::ReadWrite(_)
                | RedirectKind::DuplicateInput(_)
                | RedirectKind::HereDocument(_)
                | RedirectKind::HereString(_) => false,
            },
        });
    if away { Stream::Unknown } else { output }
}

/// Whether a text holds a command substitution that an evaluation would run.
pub(crate) fn has_substitution(text: &str) -> bool {
    text.contains("$(") || text.contains('`') || text.contains("${")
}

/// Whether a declaration has options with which it may assign nothing.
pub(crate) fn odd_options(fields: &[Field]) -> bool {
    let known = match fields.first().and_then(Field::known).unwrap_or("") {
        "export" => "n",
        "readonly" => "aA",
        _ => "aAgiIlnrtux",
    };
    fields
        .iter()
        .skip(1)
        .map_while(Field::known)
        .take_while(|word| word.len() > 1 && word.starts_with(['-', '+']) && *word != "--")
        .any(|word| !word.chars().skip(1).all(|c| known.contains(c)))
}

/// Builtins in front of which an assignment stays in some shells and modes.
const SPECIAL: [&str; 18] = [
    "declare", "typeset", "local", ":", ".", "source", "eval", "exec", "exit", "export",
    "readonly", "return", "set", "shift", "times", "trap", "unset", "break",
];

fn restore(env: &mut Env, outer: &Env, assignments: &[Assignment], special: bool) {
    for assignment in assignments {
        let before = outer.variables.get(&assignment.name).cloned();
        let inside = env.variables.remove(&assignment.name);
        let value = match (special, before, inside) {
            (false, before, _) => before,
            (true, Some(before), Some(inside)) => Some(before.join(&inside)),
            (true, before, inside) => Some(Value::made_of(before.iter().chain(&inside))),
        };
        if let Some(value) = value {
            env.variables.insert(assignment.name.clone(), value);
        }
    }
    env.changed.clone_from(&outer.changed);
    env.other_separators = outer.other_separators;
    env.hidden_command = outer.hidden_command;
}

/// `name=value` as an argument of a declaration.
fn declared(word: &Word) -> Option<(String, bool, Vec<Part>)> {
    let (Part::Literal(text), rest) = word.parts.split_first()? else {
        return None;
    };
    let (name, value) = text.split_once('=')?;
    let (name, append) = match name.strip_suffix('+') {
        Some(name) => (name, true),
        None => (name, false),
    };
    if !crate::effects::argv::is_assignment(&format!("{name}=")) {
        return None;
    }
    let mut parts = vec![Part::Literal(value.to_owned())];
    parts.extend_from_slice(rest);
    Some((name.to_owned(), append, parts))
}
