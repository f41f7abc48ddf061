//! From grounded effects to the permission questions that they raise, with the floor marked; nothing is judged here.

use crate::effects::command::{CommandLine, Field};
use crate::effects::effect::{Act, Effect, Run};
use crate::effects::ground::Grounded;
use crate::effects::mcp;
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
    out.iter_mut().for_each(as_of_a_script);
    out
}

/// What a script of the project does is answered by the command that starts it, but for what reaches beyond this
/// machine or asks for privilege: that is not what a project's code is allowed for.
fn as_of_a_script(request: &mut Request) {
    if request.within.is_none() {
        return;
    }
    let beyond = match request.category {
        Category::Remote | Category::Privilege => request.kind == Kind::Shell,
        Category::Reads
        | Category::Writes
        | Category::Builds
        | Category::Fetches
        | Category::Installs
        | Category::Unknown
        | Category::Removes
        | Category::Opaque => false,
    };
    request.mode_applies &= beyond;
    // A place that cannot be told is none that certainly breaks the floor.
    let told = match &request.target {
        Target::Path(target) => !target.places.is_empty() && target.pattern.is_none(),
        Target::Command(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => true,
    };
    request.floor = request.floor.filter(|_| told);
}

fn push(effect: &Effect, session: &Session, out: &mut Vec<Request>) {
    let name =
        |kind, name: &str, category| request(effect, kind, Target::Name(name.to_owned()), category);
    match &effect.act {
        Act::Run(run) => {
            let target = Target::Command(run.line.clone());
            let mut request = request(effect, Kind::Shell, target, run.category);
            request.mode_applies = !run.by_effects;
            request.floor = floor::command(&run.line, session);
            out.push(request);
            directories(effect, run, session, out);
        }
        Act::Read(target)
        | Act::Write(target)
        | Act::Move(target)
        | Act::Delete(target)
        | Act::Discard(target) => {
            out.push(path(effect, target, session));
            if matches!(effect.act, Act::Move(_)) && target.pattern.is_none() {
                // What is moved away is gone from where it was: rules on deleting hold, but no mode asks for it.
                let target = Target::Path(target.clone());
                let mut gone = request(effect, Kind::Delete, target, Category::Writes);
                gone.mode_applies = false;
                out.push(gone);
            }
            let changes = !matches!(effect.act, Act::Read(_));
            outside(effect, target, changes, session, out);
        }
        Act::Net(host) => {
            out.push(request(
                effect,
                Kind::Net,
                Target::Host(host.clone()),
                Category::Fetches,
            ));
        }
        Act::WebSearch(query) => out.push(name(Kind::WebSearch, query, Category::Fetches)),
        Act::Mcp(tool) => out.push(name(Kind::Mcp, tool, Category::Unknown)),
        Act::Memory(tool) => out.push(name(Kind::Memory, tool, Category::Writes)),
        Act::Task { read_only: true } => out.push(name(Kind::Task, "readonly", Category::Reads)),
        Act::Task { read_only: false } => out.push(name(Kind::Task, "mutating", Category::Unknown)),
        Act::Terminal(input) => out.push(name(Kind::Terminal, input, Category::Unknown)),
        Act::Tool(tool) => out.push(name(Kind::Tool, tool, Category::Unknown)),
        Act::GitAlias { .. } => out.push(opaque(effect, Opacity::ComputedCommand)),
        Act::Script(_) => {}
        // Grounding puts what arrives in its place; the paths themselves have effects of their own.
        Act::Spread { .. } => {}
        Act::Breaks(broken) => {
            let mut request = opaque(effect, Opacity::TooLarge);
            request.floor = Some(*broken);
            out.push(request);
        }
        Act::Opaque(opacity) => out.push(opaque(effect, *opacity)),
    }
}

/// The request of an effect on a path, with the floor that it would break.
fn path(effect: &Effect, target: &PathTarget, session: &Session) -> Request {
    let (kind, category, floor) = match &effect.act {
        Act::Read(_) => (Kind::Read, Category::Reads, floor::reads(target, session)),
        Act::Move(_) => (Kind::Edit, Category::Writes, floor::moves(target, session)),
        Act::Delete(_) => (
            Kind::Delete,
            Category::Removes,
            floor::deletes(target, session),
        ),
        Act::Discard(_) => (Kind::Edit, Category::Removes, None),
        Act::Write(_)
        | Act::Run(_)
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
        | Act::Breaks(_)
        | Act::Opaque(_) => (Kind::Edit, Category::Writes, floor::writes(target, session)),
    };
    let mut request = request(effect, kind, Target::Path(target.clone()), category);
    request.floor = floor;
    // What a server does with a path that it is given is asked by its tool's own name; here explicit rules speak.
    request.mode_applies = effect.program.as_deref().and_then(mcp::server).is_none();
    request
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
        within: effect.within.clone(),
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
