//! The door of the module: a call becomes its effects as written.

use crate::call::{Action, Call, Exec};
use crate::effects::command::Field;
use crate::effects::effect::{Act, Effect};
use crate::effects::env::Env;
use crate::effects::locate::{self, Reached};
use crate::effects::mcp;
use crate::effects::opacity::Opacity;
use crate::effects::script::{At, Walker};
use crate::effects::shared::Shared;
use crate::effects::stream::Stream;
use crate::effects::value::{Value, literal_pattern};
use crate::path::AbsPath;
use crate::project::ScriptText;
use crate::request::PathTarget;
use crate::session::Session;
use countersign_shell::span::Span;
use std::collections::{BTreeMap, HashSet};

/// The effects of a call as written, in the order in which they would happen. A control-plane tool has none.
pub fn read(call: &Call, session: &Session) -> Vec<Effect> {
    let mut walker = Walker::new(session);
    let env = Env::new(call.cwd.clone());
    match &call.action {
        Action::Shell(text) => {
            walker.text(text, env, None);
        }
        Action::Exec(exec) => execute(&mut walker, exec, &env),
        Action::Read(path) => one(
            &mut walker,
            &env,
            file(path, &env, session, false, Act::Read),
        ),
        Action::List(path) => {
            let path = path.as_deref().unwrap_or(".");
            one(
                &mut walker,
                &env,
                file(path, &env, session, false, Act::Read),
            );
        }
        Action::Search(path) => {
            let path = path.as_deref().unwrap_or(".");
            one(
                &mut walker,
                &env,
                file(path, &env, session, true, Act::Read),
            );
        }
        Action::SearchNames { path, names } => {
            search_names(&mut walker, &env, path.as_deref().unwrap_or("."), names);
        }
        Action::Edit(paths) => {
            for path in paths {
                one(
                    &mut walker,
                    &env,
                    file(path, &env, session, false, Act::Write),
                );
            }
        }
        Action::Fetch(url) => one(&mut walker, &env, fetch(url)),
        Action::WebSearch(query) => one(&mut walker, &env, Act::WebSearch(query.clone())),
        Action::Mcp {
            server,
            tool,
            paths,
        } => {
            one(&mut walker, &env, Act::Mcp(format!("{server}/{tool}")));
            named(&mut walker, &env, server, paths.as_deref());
        }
        Action::Memory => one(&mut walker, &env, Act::Memory(call.tool.clone())),
        Action::Task { read_only } => one(
            &mut walker,
            &env,
            Act::Task {
                read_only: *read_only,
            },
        ),
        Action::Terminal { input } if input.is_empty() => {}
        Action::Terminal { .. } => one(&mut walker, &env, Act::Opaque(Opacity::TerminalInput)),
        Action::Unknown => {
            one(&mut walker, &env, Act::Tool(call.tool.clone()));
            one(&mut walker, &env, Act::Opaque(Opacity::UnknownTool));
        }
        Action::Control | Action::Malformed(_) => {}
    }
    distinct(walker.effects)
}

/// A loop's body is walked more than once, and so are texts that run twice; the same command with the same effects is
/// kept once.
fn distinct(effects: Vec<Effect>) -> Vec<Effect> {
    let mut seen: HashSet<Vec<Effect>> = HashSet::new();
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, effect) in effects.iter().enumerate() {
        groups.entry(effect.command).or_default().push(index);
    }
    // What was walked twice stands at the same place of the text.
    let mut places: Vec<_> = groups
        .values()
        .filter_map(|indices| effects.get(*indices.first()?)?.span)
        .collect();
    places.sort_unstable();
    if groups.len() < 2 || !places.windows(2).any(|pair| pair.first() == pair.last()) {
        return effects;
    }
    let mut dropped = HashSet::new();
    for (command, indices) in groups {
        // Compared as if all were one command's; the numbers tell walks apart, not commands.
        let group: Vec<Effect> = indices
            .iter()
            .filter_map(|index| effects.get(*index))
            .map(|effect| Effect {
                command: 0,
                ..effect.clone()
            })
            .collect();
        if !seen.insert(group) {
            dropped.insert(command);
        }
    }
    effects
        .into_iter()
        .filter(|effect| !dropped.contains(&effect.command))
        .collect()
}

/// The effects of `git` with the words that an alias stands for, in place of the alias.
pub(crate) fn expand_alias(
    alias: &str,
    words: &[Field],
    effect: &Effect,
    session: &Session,
) -> Vec<Effect> {
    let mut walker = Walker::new(session);
    let cwd = effect.cwd.first().cloned().unwrap_or_else(AbsPath::root);
    let env = Env {
        cwd: Shared::new(effect.cwd.clone()),
        ..Env::new(cwd)
    };
    let at = At {
        command: effect.command,
        span: effect.span.unwrap_or_default(),
    };
    if let Some(text) = alias.strip_prefix('!') {
        // Git appends the words to the text as further arguments of the shell.
        if words.is_empty() {
            walker.text(text, env, Some(at));
        } else {
            walker.push(at, &env, Act::Opaque(Opacity::ComputedScript));
        }
    } else {
        let mut fields = vec![Field::Known("git".to_owned())];
        fields.extend(
            alias
                .split_whitespace()
                .map(|word| Field::Known(word.to_owned())),
        );
        fields.extend(words.iter().cloned());
        if alias.contains(['\'', '"', '\\']) {
            walker.push(at, &env, Act::Opaque(Opacity::ComputedArguments));
        }
        walker.program(&fields, &env, &Stream::Outside, at, &[]);
    }
    for found in &mut walker.effects {
        found.command = effect.command;
    }
    walker.effects
}

/// What a script of the project does, as far as it can be told: effects of the command that starts it.
pub(crate) fn expand_script(
    script: &ScriptText,
    words: &[String],
    effect: &Effect,
    session: &Session,
) -> Vec<Effect> {
    let mut walker = Walker::new(session);
    let at = At {
        command: effect.command,
        span: effect.span.unwrap_or_default(),
    };
    let positional: Vec<Value> = words.iter().cloned().map(Value::Known).collect();
    for text in &script.texts {
        let env = Env {
            positional: Some(positional.clone()),
            ..Env::new(script.directory.clone())
        };
        walker.text(text, env, Some(at));
    }
    let told = |found: &Effect| !matches!(found.act, Act::Opaque(_) | Act::GitAlias { .. });
    let mut effects: Vec<Effect> = walker.effects.into_iter().filter(told).collect();
    for found in &mut effects {
        found.command = effect.command;
        found.span = effect.span;
        found.own = true;
        found.within = Some(script.file.clone());
    }
    effects
}

/// A search for contents in files of certain names: what is named is read by its name, wherever it lies.
fn search_names(walker: &mut Walker<'_>, env: &Env, path: &str, names: &str) {
    let all = file(path, env, walker.session, true, Act::Read);
    one(walker, env, all);
    if !names.starts_with('!') {
        let front = literal_pattern(path.trim_end_matches('/'));
        let pattern = Field::Names(format!("{front}/**/{names}"));
        let found = locate::path(&pattern, &env.cwd).map_or_else(Act::Opaque, Act::Read);
        one(walker, env, found);
    }
}

/// The paths that are named to an MCP server: it may read and change them, and its directories bind it (row P10).
fn named(walker: &mut Walker<'_>, env: &Env, server: &str, paths: Option<&[String]>) {
    let at = walker.at(Span::default());
    let program = mcp::program(server);
    let Some(paths) = paths else {
        let act = Act::Opaque(Opacity::TooLarge);
        walker.record(at, env, Some(&program), true, act);
        return;
    };
    for path in paths {
        for act in [Act::Read, Act::Write] {
            let act = file(path, env, walker.session, false, act);
            walker.record(at, env, Some(&program), true, act);
        }
    }
}

fn one(walker: &mut Walker<'_>, env: &Env, act: Act) {
    let at = walker.at(Span::default());
    walker.push(at, env, act);
}

fn execute(walker: &mut Walker<'_>, exec: &Exec, env: &Env) {
    let at = walker.at(Span::default());
    let mut fields = vec![Field::Known(exec.program.clone())];
    fields.extend(exec.argv.iter().skip(1).cloned().map(Field::Known));
    let changed: Vec<String> = exec
        .environment
        .iter()
        .filter(|(name, value)| {
            walker.changes(name, &crate::effects::value::Value::Known(value.clone()))
        })
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    walker.program(&fields, env, &Stream::Outside, at, &changed);
}

/// The effect on a path that a tool names: `~` is the home directory there as well.
fn file(
    path: &str,
    env: &Env,
    session: &Session,
    recursive: bool,
    act: impl FnOnce(PathTarget) -> Act,
) -> Act {
    let expanded = match (path.strip_prefix('~'), &session.home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            format!("{}{rest}", home.as_str())
        }
        _ => path.to_owned(),
    };
    match locate::path(&Field::Known(expanded.clone()), &env.cwd) {
        Ok(target) => act(PathTarget {
            written: if locate::climbs(&expanded) {
                expanded
            } else {
                path.to_owned()
            },
            recursive,
            ..target
        }),
        Err(opacity) => Act::Opaque(opacity),
    }
}

fn fetch(url: &str) -> Act {
    match locate::host(&Field::Known(url.to_owned())) {
        Reached::Host(host) => Act::Net(host),
        Reached::Local(_) | Reached::Unknown => Act::Opaque(Opacity::ComputedHost),
    }
}
