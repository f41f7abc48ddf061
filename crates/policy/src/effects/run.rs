//! What a program does with its words: the effects that its description, or the lack of one, tells.

use crate::effects::argv;
use crate::effects::command::{CommandLine, Field};
use crate::effects::effect::{Act, Run};
use crate::effects::env::Env;
use crate::effects::invocation::{Invocation, base_category, changed_by, explained};
use crate::effects::locate::{self, is_nothing, looks_like_path};
use crate::effects::opacity::Opacity;
use crate::effects::operands::{by_name, says_only};
use crate::effects::output;
use crate::effects::programs::{self, Program, Role, Special, Tag};
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::special;
use crate::effects::started;
use crate::effects::stream::Stream;
use crate::effects::wrapped::wrapped as wrapped_words;
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
        let out = if self.open_program() {
            self.program_within(fields, env, input, at, changed)
        } else {
            self.push(at, env, Act::Opaque(Opacity::TooLarge));
            Stream::Unknown
        };
        self.close_program();
        out
    }

    /// The same, within the limits.
    fn program_within(
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
        // git's own programs are its commands by another name.
        if let Some(command) = name
            .strip_prefix("git-")
            .filter(|command| !command.is_empty())
        {
            let mut words = vec![
                Field::Known("git".to_owned()),
                Field::Known(command.to_owned()),
            ];
            words.extend(fields.iter().skip(1).cloned());
            return self.program(&words, env, input, at, &changed);
        }
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
            if run.category == Category::Unknown {
                looked_at(&mut run);
            }
            let name = run.name.clone();
            by_name(&name, &mut run);
        }
        self.emit(inner, run, env, at, place)
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
            wrapped_words(inner, wrapped, &run)
        };
        // A wrapper that only passes on says nothing itself, unless one of its own options matters.
        let silent = transparent && run.category <= Category::Reads && run.acts.is_empty();
        if !silent {
            let by_effects = explained(run.category, &run.acts);
            let scripts = started::scripts(&run);
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
                obeys: run.argv.obeys(),
            });
            let at_env = Env {
                cwd: Shared::new(run.cwd.clone()),
                ..env.clone()
            };
            self.record(at, &at_env, Some(&run.name), false, act);
            for act in run.acts.into_iter().chain(scripts) {
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
        for value in path_words(fields) {
            if let Ok(target) = locate::path(&Field::Known(value.to_owned()), &env.cwd)
                && !target.places.iter().all(|place| is_nothing(place.as_str()))
            {
                acts.push(Act::Read(target));
            }
        }
        let category = match &place {
            Some(_) => self.own_code(place.as_ref()),
            None => Category::Unknown,
        };
        let script = place
            .as_ref()
            .and_then(|place| started::file(place, arguments, &env.cwd));
        acts.extend(script);
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
            obeys: Vec::new(),
        });
        self.record(at, env, Some(name), false, act);
        for act in acts {
            self.record(at, env, Some(name), true, act);
        }
    }
}

/// A use that the description does not cover: what looks like a path may be read, as for a program that nobody
/// described.
fn looked_at(run: &mut Invocation<'_>) {
    for value in path_words(run.fields) {
        let told = |act: &Act| act.target().is_some_and(|target| target.written == value);
        if !run.acts.iter().any(told) {
            run.act(Role::Read, &Field::Known(value.to_owned()), false);
        }
    }
}

/// The words after the program's name, or the values of its options, that look like paths.
fn path_words(fields: &[Field]) -> impl Iterator<Item = &str> {
    let values = fields.iter().skip(1).filter_map(Field::known);
    values
        .map(|text| text.split_once('=').map_or(text, |(_, value)| value))
        .filter(|value| looks_like_path(value) && !value.starts_with('-'))
}

fn is_system(target: &PathTarget) -> bool {
    target.pattern.is_none()
        && !target.places.is_empty()
        && target
            .places
            .iter()
            .all(|place| SYSTEM_PROGRAMS.contains(&place.parent().as_str()))
}
