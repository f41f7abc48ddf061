//! What a program does with its words: the effects that its description, or the lack of one, tells.

use crate::effects::argv::{self, Argv, Used, harmless};
use crate::effects::command::{CommandLine, Field, Why};
use crate::effects::effect::{Act, Run};
use crate::effects::env::Env;
use crate::effects::glob;
use crate::effects::locate::{self, Reached, is_nothing, looks_like_path};
use crate::effects::opacity::Opacity;
use crate::effects::output;
use crate::effects::programs::{self, Operands, Opt, Program, Role, Special, Stdin, Tag};
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::simple::hides_command;
use crate::effects::special;
use crate::effects::stream::Stream;
use crate::effects::value::{Value, literal_pattern};
use crate::effects::word::pattern_of;
use crate::path::AbsPath;
use crate::request::{Category, PathTarget};

/// Directories whose programs are the ones that their names say.
const SYSTEM_PROGRAMS: [&str; 8] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/usr/local/go/bin",
];

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
    fn only_passes_on(&mut self) {
        if self.category == Category::Builds {
            self.category = Category::Reads;
        }
    }

    /// The whole environment is printed, and with it whatever keys it holds.
    fn prints_environment(&mut self) {
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
        if role == Role::Host {
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

impl Walker<'_> {
    /// Collects the effects of running a program that is no function and no builtin of the shell.
    pub(crate) fn program(
        &mut self,
        fields: &[Field],
        env: &Env,
        input: &Stream,
        at: At,
        changed: &[String],
    ) -> Stream {
        let Some((first, _)) = fields.split_first() else {
            return Stream::Known(String::new());
        };
        let Some(path) = first.known() else {
            self.push(at, env, Act::Opaque(Opacity::ComputedCommand));
            return Stream::Unknown;
        };
        // The shell itself under another name, and the loader that runs what it is given.
        let hidden = path.starts_with("/proc/")
            || path.rsplit('/').next().is_some_and(|name| {
                ["ld-linux", "ld.so", "ld-musl", "ld64"]
                    .iter()
                    .any(|front| name.starts_with(front))
            });
        if path.starts_with('-') || hidden {
            // An option of a wrapper's stands where its command was expected.
            self.push(at, env, Act::Opaque(Opacity::ComputedCommand));
            return Stream::Unknown;
        }
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let mut changed = changed.to_vec();
        for word in env.changed.iter() {
            if !changed.contains(word) {
                changed.push(word.clone());
            }
        }
        let place = path
            .contains('/')
            .then(|| locate::path(first, &env.cwd).ok())
            .flatten();
        if place
            .as_ref()
            .is_some_and(|target| self.has_written(target))
        {
            self.push(at, env, Act::Opaque(Opacity::ComputedScript));
        }
        let foreign = place.as_ref().is_some_and(|place| !is_system(place));
        let Some(program) = programs::find(&name) else {
            self.undescribed(&name, fields, env, at, (place, changed));
            return Stream::Unknown;
        };
        let mut run = Self::invocation(program, &name, fields, env, input, changed);
        if foreign {
            run.raise(self.own_code(place.as_ref()));
        }
        self.described(program, run, env, at, place)
    }

    /// The category of a program that is a file named by its path: the project's own code, or nobody's.
    pub(crate) fn own_code(&self, place: Option<&PathTarget>) -> Category {
        let inside = place.is_some_and(|target| {
            !target.places.is_empty()
                && target.places.iter().all(|place| {
                    self.session
                        .workspace
                        .as_ref()
                        .is_some_and(|root| place.is_within(root))
                })
        });
        if inside {
            Category::Builds
        } else {
            Category::Unknown
        }
    }

    fn invocation<'f>(
        program: &'static Program,
        name: &str,
        fields: &'f [Field],
        env: &Env,
        input: &Stream,
        changed: Vec<String>,
    ) -> Invocation<'f> {
        let argv = argv::read(program, name, fields);
        let mut run = Invocation {
            fields,
            name: name.to_owned(),
            cwd: env.cwd.to_vec(),
            input: input.clone(),
            category: base_category(&argv),
            acts: Vec::new(),
            changed,
            argv,
        };
        if !run.changed.is_empty() {
            run.raise(Category::Unknown);
        }
        if env.hidden_command {
            run.opaque(Opacity::ComputedScript);
        }
        run
    }

    fn described(
        &mut self,
        program: &'static Program,
        mut run: Invocation<'_>,
        env: &Env,
        at: At,
        place: Option<PathTarget>,
    ) -> Stream {
        let inner = run.argv.program().unwrap_or(program);
        let only_says = run.changed.is_empty() && says_only(&run.argv);
        if only_says {
            run.category = Category::Reads;
        } else {
            self.options(&mut run, env, at);
            self.assignments(&mut run);
            if run.argv.uncertain {
                run.opaque(Opacity::ComputedArguments);
            }
            if run.argv.unknown_subcommand.is_some() && inner.special != Special::Git {
                run.raise(Category::Unknown);
            }
            if special::read(self, inner.special, &mut run, env, at).is_continue() {
                self.operands(inner, &mut run, env, at);
            }
            self.standard_input(inner, &mut run, env, at);
            let name = run.name.clone();
            Self::by_name(&name, &mut run);
        }
        self.emit(inner, run, env, at, place)
    }

    /// What some programs do that no description can say.
    fn by_name(name: &str, run: &mut Invocation<'_>) {
        match name {
            "env" | "printenv" if run.argv.wrapped.is_none() => run.prints_environment(),
            // Without a command it starts a shell, which reads what comes in.
            "script" if run.argv.wrapped.is_none() && !run.argv.uses("-c") => {
                run.opaque(Opacity::ComputedScript);
            }
            "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" | "lz4"
            | "uncompress" => {
                for operand in run.argv.operands.clone() {
                    let bare = operand.known().and_then(|text| text.rsplit_once('.'));
                    if let Some((bare, _)) = bare {
                        run.act(Role::Write, &Field::Known(bare.to_owned()), false);
                    }
                }
            }
            // What an interactive or login shell reads first is found by settings that were changed.
            "bash" | "sh" | "dash" | "zsh" | "ksh"
                if !run.changed.is_empty()
                    && ["-i", "-l", "--login", "--rcfile", "--init-file"]
                        .iter()
                        .any(|name| run.argv.uses(name)) =>
            {
                run.opaque(Opacity::ComputedScript);
            }
            "grep" => included(run),
            _ => {}
        }
    }

    /// Emits the run with its effects, or, for a wrapper, the wrapped command's.
    fn emit(
        &mut self,
        inner: &'static Program,
        run: Invocation<'_>,
        env: &Env,
        at: At,
        place: Option<PathTarget>,
    ) -> Stream {
        let inspects = run.argv.has(Tag::Inspects);
        let wrapped = run
            .argv
            .wrapped
            .filter(|_| !inspects)
            .and_then(|from| run.fields.get(from..))
            .unwrap_or(&[]);
        let transparent = !wrapped.is_empty() && !inner.apart;
        let stdout = output::of(self.session, &run, env);
        let nested = if inspects {
            None
        } else {
            Self::wrapped(inner, wrapped, &run)
        };
        // A wrapper that only passes on says nothing itself, unless one of its own options matters.
        let silent = transparent && run.category <= Category::Reads && run.acts.is_empty();
        if !silent {
            let by_effects = explained(run.category, &run.acts);
            let line = CommandLine {
                options: run.argv.option_uses(),
                operands: run.argv.operands.clone(),
                words: run.argv.words.clone(),
                other_names: Vec::new(),
                changed_by: changed_by(&run),
            };
            let act = Act::Run(Run {
                line,
                category: run.category,
                by_effects,
                path: place,
            });
            let at_env = Env {
                cwd: Shared::new(run.cwd.clone()),
                ..env.clone()
            };
            self.record(at, &at_env, Some(&run.name), false, act);
            for act in run.acts {
                self.record(at, &at_env, Some(&run.name), true, act);
            }
        }
        let Some(nested) = nested else { return stdout };
        let at = if silent {
            at
        } else {
            At {
                command: self.begin(),
                span: at.span,
            }
        };
        let inner_env = Env {
            cwd: Shared::new(run.cwd),
            functions: Shared::default(),
            ..env.clone()
        };
        self.program(&nested, &inner_env, &run.input, at, &run.changed)
    }

    /// The words of the wrapped command, with what standard input adds to them.
    fn wrapped(
        inner: &'static Program,
        wrapped: &[Field],
        run: &Invocation<'_>,
    ) -> Option<Vec<Field>> {
        if inner.stdin != Stdin::Arguments {
            return (!wrapped.is_empty()).then(|| wrapped.to_vec());
        }
        let mut words = wrapped.to_vec();
        if words.is_empty() {
            words.push(Field::Known("echo".to_owned()));
        }
        let more = match &run.input {
            _ if ["-a", "-d", "-0", "-E", "-L"]
                .iter()
                .any(|name| run.argv.uses(name))
                && !matches!(run.input, Stream::Listed(_)) =>
            {
                vec![input_field()]
            }
            _ if run.argv.uses("-a") => vec![input_field()],
            Stream::Known(text) => text
                .split_whitespace()
                .map(|word| Field::Known(word.to_owned()))
                .collect(),
            Stream::Listed(pattern) => vec![Field::Listed(pattern.clone())],
            Stream::Names(pattern) => vec![Field::Names(pattern.clone())],
            Stream::Number | Stream::Outside | Stream::Download | Stream::Unknown => {
                vec![input_field()]
            }
        };
        let mark = run.argv.option("-I").or(run.argv.option("-i")).map(|used| {
            used.value
                .as_ref()
                .and_then(Field::known)
                .unwrap_or("{}")
                .to_owned()
        });
        let Some(mark) = mark else {
            words.extend(more);
            return Some(words);
        };
        let one = match <[Field; 1]>::try_from(more) {
            Ok([only]) => only,
            Err(_) => input_field(),
        };
        Some(
            words
                .into_iter()
                .map(|word| replaced(word, &mark, &one))
                .collect(),
        )
    }

    fn options(&mut self, run: &mut Invocation<'_>, env: &Env, at: At) {
        let used = std::mem::take(&mut run.argv.options);
        for option in &used {
            self.apply(option, run, env, at);
        }
        run.argv.options = used;
    }

    /// Applies what an option changes and what its value means.
    pub(crate) fn apply(&mut self, used: &Used, run: &mut Invocation<'_>, env: &Env, at: At) {
        if used.unknown {
            run.raise(Category::Unknown);
        }
        let Some(option) = used.option else { return };
        match option.tag {
            Tag::Inert
            | Tag::Recursive
            | Tag::GivesPattern
            | Tag::InPlace
            | Tag::Target
            | Tag::Shell
            | Tag::Inspects
            | Tag::Command
            | Tag::Becomes(_) => {}
            Tag::Raises(category) => run.raise(category),
            Tag::Opaque => run.opaque(Opacity::ComputedScript),
            Tag::Changes if special::is_inert_setting(&run.name, used.value.as_ref()) => {}
            Tag::Changes => {
                // A setting of git's may hold a command.
                if run.name == "git" && used.spelled.starts_with("-c") {
                    run.opaque(Opacity::ComputedScript);
                }
                run.raise(Category::Unknown);
                let value = used
                    .value
                    .as_ref()
                    .map_or(String::new(), |v| format!(" {}", written(v)));
                run.changed.push(format!("{}{value}", used.spelled));
            }
        }
        if let Some(value) = &used.value {
            // Programs that write to a pipe take its command for a file name that begins so.
            if option.role == Role::Write
                && value
                    .known()
                    .is_some_and(|text| text.starts_with(['|', '!']))
            {
                run.opaque(Opacity::ComputedScript);
            }
            self.role(option.role, value, run, env, at);
        }
    }

    /// The effect of a word in its role.
    pub(crate) fn role(
        &mut self,
        role: Role,
        field: &Field,
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        let recursive =
            run.argv.has(Tag::Recursive) || run.argv.chain.iter().any(|program| program.recursive);
        match role {
            Role::Text | Role::Pattern | Role::Assignments | Role::Command => {}
            Role::Directory => match locate::path(field, &run.cwd) {
                Ok(target) if target.pattern.is_none() && !locate::climbs(&target.written) => {
                    run.cwd = target.places;
                }
                Ok(_) | Err(_) => run.cwd.clear(),
            },
            Role::Shell => match field.known() {
                Some(text) => self.nested(text, 1, run, env, at),
                None => run.opaque(Opacity::ComputedScript),
            },
            Role::Code => run.opaque(Opacity::ForeignCode),
            Role::Script if run.argv.has(Tag::Inspects) => run.act(Role::Read, field, false),
            Role::Script if is_stream(field) => run.opaque(Opacity::ComputedScript),
            Role::Script => {
                let inside = locate::path(field, &run.cwd).ok();
                if inside
                    .as_ref()
                    .is_some_and(|target| self.has_written(target))
                {
                    run.opaque(Opacity::ComputedScript);
                }
                let category = self.own_code(inside.as_ref());
                let before = run.category;
                run.act(role, field, false);
                run.category = before.max(category);
            }
            Role::Read | Role::Write | Role::Edit | Role::Delete | Role::Move | Role::Host => {
                if let Some(role) = became(role, &run.argv) {
                    run.act(role, field, recursive);
                }
            }
        }
    }

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
            other_input: env.other_input || run.input != Stream::Outside,
            readonly: Shared::default(),
            integers: false,
        };
        self.text(text, inner, Some(at));
    }

    fn assignments(&self, run: &mut Invocation<'_>) {
        let mut hidden = false;
        for field in &run.argv.assignments {
            let Some((name, value)) = field.known().and_then(|word| word.split_once('=')) else {
                continue;
            };
            if self.changes(name, &Value::Known(value.to_owned())) {
                run.changed.push(format!("{name}={value}"));
                if hides_command(name, &Value::Known(value.to_owned())) {
                    hidden = true;
                }
            }
        }
        if hidden {
            run.opaque(Opacity::ComputedScript);
        }
    }

    /// The effects of the operands by their roles.
    pub(crate) fn operands(
        &mut self,
        inner: &'static Program,
        run: &mut Invocation<'_>,
        env: &Env,
        at: At,
    ) {
        let operands = run.argv.operands.clone();
        if run.argv.has(Tag::Shell) {
            self.shell_operand(&operands, run, env, at);
            return;
        }
        let roles = roles(&inner.operands, operands.len(), &run.argv);
        let mut paths = 0;
        let mut text = Vec::new();
        for (field, role) in operands.iter().zip(&roles) {
            paths += usize::from(!matches!(role, Role::Text | Role::Pattern));
            match role {
                Role::Shell => text.push(field.clone()),
                role => self.role(*role, field, run, env, at),
            }
        }
        if !text.is_empty() {
            // The words of a text for a shell are joined by blanks.
            let known: Option<Vec<&str>> = text.iter().map(Field::known).collect();
            match known {
                Some(words) => self.nested(&words.join(" "), operands.len(), run, env, at),
                None => run.opaque(Opacity::ComputedScript),
            }
        }
        if operands.len() > roles.len() {
            run.raise(Category::Unknown);
        }
        entered(&operands, &roles, run);
        raised(inner, &operands, run);
        let names_output = run.argv.options.iter().any(|used| {
            used.value.is_some() && used.option.is_some_and(|option| option.role == Role::Write)
        });
        if let Some(into) = inner.into
            && !names_output
            && let Some(role) = became(Role::Write, &run.argv)
            && role == Role::Write
        {
            run.act(role, &Field::Known(into.to_owned()), true);
        }
        let recursive = inner.recursive || run.argv.has(Tag::Recursive);
        if let (0, Some(default)) = (paths, inner.default_operand)
            && (recursive || !inner.default_needs_recursive)
        {
            run.act(Role::Read, &Field::Known(default.to_owned()), recursive);
        }
    }

    /// `bash -c text name arguments…`.
    fn shell_operand(&mut self, operands: &[Field], run: &mut Invocation<'_>, env: &Env, at: At) {
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

    fn standard_input(
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
        let only_says = run
            .argv
            .options
            .iter()
            .filter_map(|used| used.option)
            .filter_map(becomes)
            .max()
            == Some(Category::Reads);
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

    /// A program that nobody described: what looks like a path may be read.
    fn undescribed(
        &mut self,
        name: &str,
        fields: &[Field],
        env: &Env,
        at: At,
        (place, changed): (Option<PathTarget>, Vec<String>),
    ) {
        let arguments = fields.get(1..).unwrap_or(&[]);
        let mut acts = Vec::new();
        for field in arguments {
            let Some(text) = field.known() else { continue };
            let value = text.split_once('=').map_or(text, |(_, value)| value);
            if looks_like_path(value) && !value.starts_with('-') {
                let value = Field::Known(value.to_owned());
                if let Ok(target) = locate::path(&value, &env.cwd)
                    && !target.places.iter().all(|place| is_nothing(place.as_str()))
                {
                    acts.push(Act::Read(target));
                }
            }
        }
        let category = match &place {
            Some(_) => self.own_code(place.as_ref()),
            None => Category::Unknown,
        };
        let mut words = vec![Field::Known(name.to_owned())];
        words.extend(arguments.iter().cloned());
        let line = CommandLine {
            words,
            options: Vec::new(),
            operands: arguments.to_vec(),
            other_names: Vec::new(),
            changed_by: changed,
        };
        let act = Act::Run(Run {
            line,
            category,
            by_effects: false,
            path: place,
        });
        self.record(at, env, Some(name), false, act);
        for act in acts {
            self.record(at, env, Some(name), true, act);
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
fn is_stream(field: &Field) -> bool {
    match field {
        Field::Known(text) => locate::is_stream(text),
        Field::Names(pattern) | Field::Listed(pattern) => locate::is_stream(pattern),
        Field::Unknown { prefix, .. } => locate::is_stream(prefix),
    }
}

/// A word that comes from standard input.
const fn input_field() -> Field {
    Field::Unknown {
        why: Why::Input,
        prefix: String::new(),
        single: false,
    }
}

/// A word with every mark in it replaced by what comes in.
fn replaced(word: Field, mark: &str, with: &Field) -> Field {
    let Field::Known(text) = &word else {
        return word;
    };
    let Some((front, back)) = text.split_once(mark) else {
        return word;
    };
    let literal = literal_pattern;
    match with {
        Field::Known(value) => Field::Known(text.replace(mark, value)),
        Field::Names(pattern) => Field::Names(literal(front) + pattern + &literal(back)),
        Field::Listed(pattern) => Field::Listed(literal(front) + pattern + &literal(back)),
        // `xargs -I` puts a whole line into one word.
        Field::Unknown { why, .. } => Field::Unknown {
            why: *why,
            prefix: front.to_owned(),
            single: true,
        },
    }
}

fn is_system(target: &PathTarget) -> bool {
    target.pattern.is_none()
        && !target.places.is_empty()
        && target
            .places
            .iter()
            .all(|place| SYSTEM_PROGRAMS.contains(&place.parent().as_str()))
}

/// The category before options and operands that raise it.
fn base_category(argv: &Argv) -> Category {
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
    let becomes = argv
        .options
        .iter()
        .filter_map(|used| used.option)
        .filter_map(becomes);
    becomes.max().unwrap_or(base)
}

/// The category that an option puts in place of the program's own.
const fn becomes(option: &'static Opt) -> Option<Category> {
    match option.tag {
        Tag::Becomes(category) => Some(category),
        Tag::Inspects => Some(Category::Reads),
        Tag::Inert
        | Tag::Recursive
        | Tag::Changes
        | Tag::Raises(_)
        | Tag::GivesPattern
        | Tag::InPlace
        | Tag::Target
        | Tag::Shell
        | Tag::Opaque
        | Tag::Command => None,
    }
}

/// Whether the words only ask a described program for its help or version.
fn says_only(argv: &Argv) -> bool {
    argv.operands.is_empty()
        && argv.unknown_subcommand.is_none()
        && argv.wrapped.is_none()
        && matches!(argv.options.as_slice(), [only]
            if matches!(only.spelled.as_str(), "--help" | "--version") && only.value.is_none())
}

/// What each operand is.
fn roles(operands: &Operands, count: usize, argv: &Argv) -> Vec<Role> {
    let pattern_given = argv.has(Tag::GivesPattern);
    let front: Vec<Role> = operands
        .front
        .iter()
        .copied()
        .filter(|role| *role != Role::Assignments && !(pattern_given && *role == Role::Pattern))
        .collect();
    let leading = front.len().min(count);
    // Where an option gives the destination, every operand is a source.
    let back: &[Role] = if argv.has(Tag::Target) {
        &[]
    } else {
        operands.back
    };
    let trailing = back.len().min(count - leading);
    let between = count - leading - trailing;
    let mut out: Vec<Role> = front.into_iter().take(leading).collect();
    if let Some(role) = operands.middle {
        out.extend(std::iter::repeat_n(role, between));
    }
    out.extend(back.iter().skip(back.len() - trailing).copied());
    out
}

/// Whether a command's own effects say all that it does.
fn explained(category: Category, acts: &[Act]) -> bool {
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
            | Act::GitAlias { .. }
            | Act::Breaks(_)
            | Act::Opaque(_),
        ) => false,
    })
}

/// `grep -r --include=NAME` reads what has that name, wherever it is.
fn included(run: &mut Invocation<'_>) {
    let names: Vec<String> = run
        .argv
        .options
        .iter()
        .filter(|used| used.spelled == "--include")
        .filter_map(|used| {
            used.value
                .as_ref()
                .and_then(Field::known)
                .map(str::to_owned)
        })
        .collect();
    for name in names {
        run.act(Role::Read, &Field::Names(format!("./**/{name}")), false);
    }
}

/// A file that is copied or moved to a directory gets its own name there, whether or not there is such a directory yet.
fn entered(operands: &[Field], roles: &[Role], run: &mut Invocation<'_>) {
    let target = run.argv.options.iter().find_map(|used| {
        let option = used.option.filter(|option| option.tag == Tag::Target)?;
        (option.role == Role::Write)
            .then(|| used.value.clone())
            .flatten()
    });
    let destination = match (target, operands.last(), roles.last()) {
        (Some(target), _, _) => target,
        (None, Some(last), Some(Role::Write)) if operands.len() > 1 => last.clone(),
        (None, _, _) => return,
    };
    let Some(front) = pattern_of(&destination) else {
        return;
    };
    let front = front.trim_end_matches('/').to_owned();
    for (source, role) in operands.iter().zip(roles) {
        if !matches!(role, Role::Read | Role::Move) {
            continue;
        }
        let name = match source {
            Field::Known(text) => literal_pattern(
                text.trim_end_matches('/')
                    .rsplit('/')
                    .next()
                    .unwrap_or(text),
            ),
            Field::Names(pattern) => pattern.rsplit('/').next().unwrap_or("*").to_owned(),
            Field::Listed(_) | Field::Unknown { .. } => continue,
        };
        let inside = format!("{front}/{name}");
        let inside = if glob::is_literal(&inside) {
            Field::Known(glob::unescaped(&inside))
        } else {
            Field::Names(inside)
        };
        run.act(Role::Write, &inside, false);
    }
}

/// Operands that make a use graver than it is without them.
fn raised(inner: &'static Program, operands: &[Field], run: &mut Invocation<'_>) {
    for (category, patterns) in inner.operand_raises {
        for operand in operands {
            let text = operand.known();
            let hit =
                text.is_none_or(|text| patterns.iter().any(|pattern| glob::matches(pattern, text)));
            if !hit {
                continue;
            }
            run.raise(*category);
            if let Some(setting) = text.filter(|text| text.contains('=')) {
                run.changed.push(setting.to_owned());
            }
        }
    }
}

/// What a role is once options have had their say: edited in place, only read, or nothing.
fn became(role: Role, argv: &Argv) -> Option<Role> {
    let options = argv.options.iter().filter_map(|used| used.option);
    match (role, options.filter_map(becomes).max()) {
        (Role::Host, _) => Some(role),
        (_, Some(Category::Reads)) => Some(Role::Read),
        (Role::Delete, Some(Category::Writes)) => None,
        (Role::Read, _) if argv.has(Tag::InPlace) => Some(Role::Edit),
        (_, _) => Some(role),
    }
}

/// What no allow may ride on.
fn changed_by(run: &Invocation<'_>) -> Vec<String> {
    let mut out = run.changed.clone();
    if run.argv.uncertain && !harmless(&run.argv.chain) {
        out.push("arguments that cannot be told".to_owned());
    }
    out
}
