//! From grounded effects to the permission questions that they raise, with the floor marked; nothing is judged here.

use crate::effects::command::{CommandLine, Field};
use crate::effects::effect::{Act, Effect, Run};
use crate::effects::ground::Grounded;
use crate::effects::opacity::Opacity;
use crate::floor;
use crate::path::AbsPath;
use crate::places::{Place, place};
use crate::request::{Category, Kind, PathTarget, Request, Target};
use crate::session::Session;

/// The requests of a call, in the order of its effects.
pub fn requests(grounded: &Grounded, session: &Session) -> Vec<Request> {
    let mut out = Vec::new();
    for effect in &grounded.effects {
        push(effect, session, &mut out);
    }
    out
}

fn push(effect: &Effect, session: &Session, out: &mut Vec<Request>) {
    let ask = |kind, target, category| request(effect, kind, target, category);
    match &effect.act {
        Act::Run(run) => {
            let mut request = ask(Kind::Shell, Target::Command(run.line.clone()), run.category);
            request.mode_applies = !run.by_effects;
            request.floor = floor::command(&run.line, session);
            out.push(request);
            directories(effect, run, session, out);
        }
        Act::Read(target) => {
            let mut read = ask(Kind::Read, Target::Path(target.clone()), Category::Reads);
            read.floor = floor::reads(target, session);
            out.push(read);
            outside(effect, target, false, session, out);
        }
        Act::Write(target) => {
            let mut write = ask(Kind::Edit, Target::Path(target.clone()), Category::Writes);
            write.floor = floor::writes(target, session);
            out.push(write);
            outside(effect, target, true, session, out);
        }
        Act::Move(target) => {
            let mut moved = ask(Kind::Edit, Target::Path(target.clone()), Category::Writes);
            moved.floor = floor::moves(target, session);
            out.push(moved);
            outside(effect, target, true, session, out);
        }
        Act::Delete(target) => {
            let mut delete = ask(
                Kind::Delete,
                Target::Path(target.clone()),
                Category::Removes,
            );
            delete.floor = floor::deletes(target, session);
            out.push(delete);
            outside(effect, target, true, session, out);
        }
        Act::Discard(target) => {
            out.push(ask(
                Kind::Edit,
                Target::Path(target.clone()),
                Category::Removes,
            ));
            outside(effect, target, true, session, out);
        }
        Act::Net(host) => out.push(ask(
            Kind::Net,
            Target::Host(host.clone()),
            Category::Fetches,
        )),
        Act::WebSearch(query) => {
            out.push(ask(
                Kind::WebSearch,
                Target::Name(query.clone()),
                Category::Fetches,
            ));
        }
        Act::Mcp(name) => out.push(ask(
            Kind::Mcp,
            Target::Name(name.clone()),
            Category::Unknown,
        )),
        Act::Memory(name) => {
            out.push(ask(
                Kind::Memory,
                Target::Name(name.clone()),
                Category::Writes,
            ));
        }
        Act::Task { read_only } => {
            let (name, category) = if *read_only {
                ("readonly", Category::Reads)
            } else {
                ("mutating", Category::Unknown)
            };
            out.push(ask(Kind::Task, Target::Name(name.to_owned()), category));
        }
        Act::Terminal(name) => {
            out.push(ask(
                Kind::Terminal,
                Target::Name(name.clone()),
                Category::Unknown,
            ));
        }
        Act::Tool(name) => out.push(ask(
            Kind::Tool,
            Target::Name(name.clone()),
            Category::Unknown,
        )),
        Act::GitAlias { .. } => out.push(opaque(effect, Opacity::ComputedCommand)),
        Act::Breaks(broken) => {
            let mut request = opaque(effect, Opacity::TooLarge);
            request.floor = Some(*broken);
            out.push(request);
        }
        Act::Opaque(opacity) => out.push(opaque(effect, *opacity)),
    }
}

fn opaque(effect: &Effect, opacity: Opacity) -> Request {
    let kind = if opacity == Opacity::UnknownTool {
        Kind::Tool
    } else {
        Kind::Shell
    };
    request(effect, kind, Target::Opaque(opacity), Category::Opaque)
}

fn request(effect: &Effect, kind: Kind, target: Target, category: Category) -> Request {
    Request {
        kind,
        target,
        category,
        mode_applies: true,
        command: effect.command,
        own: effect.own,
        program: effect.program.clone(),
        cwd: effect.cwd.clone(),
        floor: None,
        span: effect.span,
    }
}

/// The part of a target that lies outside workspace and temporary places, as a request of its own.
fn outside(
    effect: &Effect,
    target: &PathTarget,
    changes: bool,
    session: &Session,
    out: &mut Vec<Request>,
) {
    let places: Vec<AbsPath> = target
        .places
        .iter()
        .filter(|path| is_outside(path, changes, session))
        .cloned()
        .collect();
    if places.is_empty() {
        return;
    }
    let target = PathTarget {
        places,
        ..target.clone()
    };
    external(effect, target, changes, out);
}

/// A command that works in a directory outside: it may read, and change, what lies there.
fn directories(effect: &Effect, run: &Run, session: &Session, out: &mut Vec<Request>) {
    if is_silent(&run.line) {
        return;
    }
    let changes = run.category > Category::Reads;
    for path in effect
        .cwd
        .iter()
        .filter(|path| is_outside(path, changes, session))
    {
        let target = PathTarget {
            written: path.as_str().to_owned(),
            places: vec![path.clone()],
            pattern: None,
            recursive: false,
        };
        external(effect, target, changes, out);
    }
}

fn external(effect: &Effect, target: PathTarget, changes: bool, out: &mut Vec<Request>) {
    let category = if changes {
        Category::Writes
    } else {
        Category::Reads
    };
    let mut request = request(
        effect,
        Kind::ExternalDirectory,
        Target::Path(target),
        category,
    );
    request.own = false;
    let known = |other: &Request| other.kind == request.kind && other.target == request.target;
    if !out.iter().any(known) {
        out.push(request);
    }
}

fn is_outside(path: &AbsPath, changes: bool, session: &Session) -> bool {
    match place(path, session) {
        Place::Workspace | Place::Temporary => false,
        Place::System => changes,
        Place::Home | Place::Elsewhere => true,
    }
}

/// Builtins that say something without looking at the directory.
fn is_silent(line: &CommandLine) -> bool {
    line.words
        .first()
        .and_then(Field::known)
        .is_some_and(|name| {
            matches!(
                name,
                ":" | "true"
                    | "false"
                    | "echo"
                    | "printf"
                    | "cd"
                    | "pwd"
                    | "test"
                    | "["
                    | "exit"
                    | "return"
                    | "break"
                    | "continue"
                    | "export"
                    | "declare"
                    | "local"
                    | "readonly"
                    | "typeset"
                    | "unset"
                    | "read"
                    | "set"
                    | "shift"
                    | "wait"
                    | "shopt"
                    | "trap"
                    | "sleep"
                    | "date"
                    | "whoami"
                    | "id"
                    | "uname"
                    | "hostname"
                    | "nproc"
                    | "seq"
                    | "tr"
                    | "type"
            )
        })
}
