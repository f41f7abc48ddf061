//! Walks a script's tree in the order in which bash would run it, following variables and the directory, and collects
//! the effects of every command that could run. Words and programs have files of their own.

use crate::effects::command::{Field, Why};
use crate::effects::discard::Discards;
use crate::effects::effect::{Act, Effect};
use crate::effects::env::{Env, Flow, join_options};
use crate::effects::opacity::Opacity;
use crate::effects::stream::Stream;
use crate::effects::value::Value;
use crate::request::Floor;
use crate::session::Session;
use countersign_shell::span::Span;
use countersign_shell::tree::{
    AndOr, AndOrOperator, ArithmeticFor, Case, CaseEnd, Command, CommandKind, Coprocess, Entry,
    For, Function, If, List, Loop, Pipeline, Test, Word,
};
use std::rc::Rc;

/// Commands that are walked for one call, loops and functions unrolled; more is opaque.
const MOST_COMMANDS: usize = 4096;
/// Nested texts (`bash -c "bash -c …"`) and function calls; more is opaque.
const DEEPEST: usize = 16;

/// Rounds of a function that calls itself with other arguments or in another state; more is opaque.
const MOST_ROUNDS: usize = 4;
/// Compound commands that are open at once, over all texts and functions; more is opaque, so that the stack holds.
const MOST_NESTED: usize = 160;
/// Programs that run one another (`sudo env nice …`), one inside the other; more is opaque.
const MOST_WRAPPED: usize = 32;
/// Programs that are read for one call, each time that a wrapper hands one on; more is opaque.
const MOST_PROGRAMS: usize = 8192;
/// Bytes of words that are put together for one call; beyond that words are not told.
const MOST_BYTES: usize = 8 << 20;

/// Programs that put down a file as they are told.
const PUTTING_DOWN: [&str; 12] = [
    "tee", "cp", "mv", "ln", "install", "dd", "sed", "curl", "wget", "base64", "xxd", "git",
];

/// Where a command stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At {
    /// The number of the command, by which its effects belong together.
    pub(crate) command: usize,
    /// The text that causes it.
    pub(crate) span: Span,
}

/// A function that is running.
struct Running {
    name: String,
    body: Rc<Command>,
    /// What it was called with, and the state in which it was.
    arguments: Option<Vec<Value>>,
    entered: Env,
    /// How many forks there were around its call.
    forks: usize,
    /// The states in which it was left by `return`.
    returned: Option<Env>,
    /// What variables were before the function declared its own of the same name.
    shadowed: Vec<(String, Option<Value>)>,
}

/// Walks scripts and collects effects.
pub(crate) struct Walker<'a> {
    /// Facts about the session.
    pub(crate) session: &'a Session,
    /// What was found, in order.
    pub(crate) effects: Vec<Effect>,
    /// The number of the next command.
    next: usize,
    /// How many compound commands are open.
    nested: usize,
    /// How many programs are open, one inside the other.
    wrapped: usize,
    /// How many programs were read.
    programs: usize,
    /// How many bytes of words may still be put together.
    pub(crate) budget: usize,
    /// How many texts and function calls are open.
    depth: usize,
    /// The functions that are running.
    calls: Vec<Running>,
    /// How many pipelines and background jobs are open.
    forks: usize,
    /// Functions by name that were defined and called; an uncalled one is walked at the end.
    defined: Vec<(String, Rc<Command>, Env)>,
    called: Vec<Rc<Command>>,
    /// What the command that is walked now gets as standard input, and with it the substitutions in its words.
    pub(crate) inherited: Stream,
    /// Places that the call itself has written to so far: what stands there now is not what would run.
    pub(crate) written: Vec<crate::path::AbsPath>,
    /// For each open loop, the states at which it was left from the middle.
    loops: Vec<Option<Env>>,
    /// The states in which expansions may have failed.
    pub(crate) discards: Discards,
    /// Where the text comes from that is walked now, when it is not the call's own text.
    outer: Option<Span>,
}

impl<'a> Walker<'a> {
    /// A walker that has found nothing yet.
    pub(crate) fn new(session: &'a Session) -> Self {
        Self {
            session,
            effects: Vec::new(),
            next: 0,
            nested: 0,
            wrapped: 0,
            programs: 0,
            budget: MOST_BYTES,
            depth: 0,
            calls: Vec::new(),
            forks: 0,
            defined: Vec::new(),
            called: Vec::new(),
            loops: Vec::new(),
            inherited: Stream::Outside,
            written: Vec::new(),
            discards: Discards::default(),
            outer: None,
        }
    }

    /// Enters a program, if there are not too many already, in a row or one inside the other.
    pub(crate) fn open_program(&mut self) -> bool {
        self.programs += 1;
        self.wrapped += 1;
        self.wrapped <= MOST_WRAPPED && self.programs <= MOST_PROGRAMS
    }

    /// Leaves the program that was entered.
    pub(crate) fn close_program(&mut self) {
        self.wrapped -= 1;
    }

    /// Walks a whole text; what is not understood is one opaque effect.
    pub(crate) fn text(&mut self, text: &str, env: Env, at: Option<At>) -> (Flow, Stream) {
        let script = match countersign_shell::read::read(text) {
            Ok(script) if self.depth < DEEPEST => script,
            Ok(_) => return self.lost(Opacity::TooLarge, env, at),
            Err(unread) => {
                let span = at.map_or(unread.span, |at| at.span);
                let at = At {
                    command: self.begin(),
                    span,
                };
                return self.lost(Opacity::Syntax, env, Some(at));
            }
        };
        let outer = self.outer;
        self.outer = self.outer.or(at.map(|at| at.span));
        self.depth += 1;
        let input = self.inherited.clone();
        let out = self.lines(&script.body, text, env, &input);
        if self.depth == 1 {
            self.uncalled();
        }
        self.depth -= 1;
        self.outer = outer;
        out
    }

    /// A number for a command that begins now.
    pub(crate) const fn begin(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Where a command stands that begins now.
    pub(crate) fn at(&mut self, span: Span) -> At {
        At {
            command: self.begin(),
            span: self.outer.unwrap_or(span),
        }
    }

    /// Records an effect that is not a program's own.
    pub(crate) fn push(&mut self, at: At, env: &Env, act: Act) {
        self.record(at, env, None, false, act);
    }

    /// Records an effect, once.
    pub(crate) fn record(&mut self, at: At, env: &Env, program: Option<&str>, own: bool, act: Act) {
        // What a compiler makes is the project's own code; what is put down as text may be anything.
        let puts_down = program.is_none_or(|name| PUTTING_DOWN.contains(&name));
        if let Act::Write(target) = &act
            && puts_down
            && self.written.len() < MOST_COMMANDS
        {
            self.written.extend(target.places.iter().cloned());
        }
        let effect = Effect {
            command: at.command,
            own,
            program: program.map(str::to_owned),
            cwd: env.cwd.to_vec(),
            within: None,
            span: Some(at.span),
            act,
        };
        // A loop is walked more than once; the same effect of the same command is one effect.
        if self.effects.last() != Some(&effect) {
            self.effects.push(effect);
        }
    }

    fn lost(&mut self, opacity: Opacity, env: Env, at: Option<At>) -> (Flow, Stream) {
        let at = at.unwrap_or(At {
            command: self.next,
            span: Span::default(),
        });
        self.push(at, &env, Act::Opaque(opacity));
        (Flow::same(env), Stream::Unknown)
    }

    /// Walks commands in sequence.
    pub(crate) fn list(&mut self, list: &List, env: Env, input: &Stream) -> (Flow, Stream) {
        let mut flow = Flow {
            success: Some(env),
            failure: None,
        };
        let mut output = Stream::Known(String::new());
        for entry in &list.entries {
            let Some(env) = flow.merged() else {
                return (Flow::never(), output);
            };
            let out;
            (flow, out) = self.entry(entry, env, input);
            output = if list.entries.len() == 1 {
                out
            } else {
                Stream::Unknown
            };
        }
        (flow, output)
    }

    pub(crate) fn entry(&mut self, entry: &Entry, env: Env, input: &Stream) -> (Flow, Stream) {
        if !entry.background {
            return self.and_or(&entry.chain, env, input);
        }
        self.forks += 1;
        self.apart(|walker| walker.and_or(&entry.chain, env.clone(), input));
        self.forks -= 1;
        (Flow::same(env), Stream::Unknown)
    }

    fn and_or(&mut self, chain: &AndOr, env: Env, input: &Stream) -> (Flow, Stream) {
        let (mut flow, mut output) = self.pipeline(&chain.first, env, input);
        for (operator, pipeline) in &chain.rest {
            let (taken, other) = match operator {
                AndOrOperator::And => (flow.success.take(), flow.failure.take()),
                AndOrOperator::Or => (flow.failure.take(), flow.success.take()),
            };
            let next = match taken {
                Some(env) => self.pipeline(pipeline, env, input).0,
                None => Flow::never(),
            };
            flow = match operator {
                AndOrOperator::And => Flow {
                    success: next.success,
                    failure: join_options(other, next.failure),
                },
                AndOrOperator::Or => Flow {
                    success: join_options(other, next.success),
                    failure: next.failure,
                },
            };
            output = Stream::Unknown;
        }
        (flow, output)
    }

    fn pipeline(&mut self, pipeline: &Pipeline, env: Env, input: &Stream) -> (Flow, Stream) {
        let (flow, output) = match pipeline.commands.as_slice() {
            [] => (Flow::same(env), Stream::Known(String::new())),
            [only] => self.command(only, env, input),
            several => {
                self.forks += 1;
                let mut stream = input.clone();
                for command in several {
                    stream = self.apart(|walker| walker.command(command, env.clone(), &stream).1);
                }
                self.forks -= 1;
                (Flow::same(env), stream)
            }
        };
        (
            if pipeline.negations % 2 == 1 {
                flow.negated()
            } else {
                flow
            },
            output,
        )
    }

    /// Walks one command.
    pub(crate) fn command(
        &mut self,
        command: &Command,
        env: Env,
        input: &Stream,
    ) -> (Flow, Stream) {
        if self.next > MOST_COMMANDS || self.nested > MOST_NESTED {
            return self.lost(Opacity::TooLarge, env, None);
        }
        let outer = std::mem::replace(&mut self.inherited, input.clone());
        let out = match &command.kind {
            CommandKind::Simple(simple) => self.simple(simple, command, env, input),
            kind => self.grouped(kind, command, env, input.clone()),
        };
        self.inherited = outer;
        out
    }

    fn grouped(
        &mut self,
        kind: &CommandKind,
        command: &Command,
        mut env: Env,
        mut input: Stream,
    ) -> (Flow, Stream) {
        // Where a redirection fails nothing of the command runs, and the shell goes on as it was.
        let before = command.redirects.iter().any(may_fail).then(|| env.clone());
        if !command.redirects.is_empty() {
            let at = self.at(command.span);
            input = self.redirects(&command.redirects, &mut env, at, input);
        }
        let written = command.redirects.iter().any(redirects_output);
        self.nested += 1;
        let (mut flow, output) = self.compound(kind, env, &input, command.span);
        self.nested -= 1;
        flow.failure = join_options(flow.failure, before);
        (flow, if written { Stream::Unknown } else { output })
    }

    fn compound(
        &mut self,
        kind: &CommandKind,
        mut env: Env,
        input: &Stream,
        span: Span,
    ) -> (Flow, Stream) {
        match kind {
            CommandKind::Simple(_) => (Flow::same(env), Stream::Unknown),
            CommandKind::Subshell(list) => {
                let (_, output) = self.apart(|walker| walker.list(list, env.clone(), input));
                (Flow::same(env), output)
            }
            CommandKind::Group(list) => self.list(list, env, input),
            CommandKind::If(command) => (self.condition(command, env, input), Stream::Unknown),
            CommandKind::Loop(command) => (self.repeat(command, &env, input), Stream::Unknown),
            CommandKind::For(command) | CommandKind::Select(command) => {
                (self.each(command, env, input), Stream::Unknown)
            }
            CommandKind::ArithmeticFor(command) => {
                (self.count(command, env, input, span), Stream::Unknown)
            }
            CommandKind::Case(command) => (self.choose(command, env, input), Stream::Unknown),
            CommandKind::Function(function) => (self.define(function, env), Stream::Unknown),
            CommandKind::Arithmetic(expression) => {
                let at = self.at(span);
                self.arithmetic(expression, &mut env, at);
                (Flow::same(env), Stream::Known(String::new()))
            }
            CommandKind::Test(test) => {
                let at = self.at(span);
                self.test(test, &mut env, at);
                (Flow::same(env), Stream::Known(String::new()))
            }
            CommandKind::Coprocess(coprocess) => {
                self.coprocess(coprocess, &mut env, span);
                (Flow::same(env), Stream::Unknown)
            }
        }
    }

    fn condition(&mut self, command: &If, env: Env, input: &Stream) -> Flow {
        let mut untaken = Some(env);
        let mut out: Option<Env> = None;
        for (condition, body) in &command.branches {
            let Some(env) = untaken.take() else { break };
            let flow = self.list(condition, env, input).0;
            if let Some(env) = flow.success {
                out = join_options(out, self.list(body, env, input).0.merged());
            }
            untaken = flow.failure;
        }
        if let (Some(body), Some(env)) = (&command.otherwise, untaken.clone()) {
            untaken = self.list(body, env, input).0.merged();
        }
        join_options(out, untaken).map_or(Flow::never(), Flow::same)
    }

    fn repeat(&mut self, command: &Loop, env: &Env, input: &Stream) -> Flow {
        let mut leave = None;
        let after = self.rounds(env, |walker, env| {
            let flow = walker.list(&command.condition, env, input).0;
            let (enter, left) = if command.until {
                (flow.failure, flow.success)
            } else {
                (flow.success, flow.failure)
            };
            leave = join_options(leave.take(), left);
            enter.and_then(|env| walker.list(&command.body, env, input).0.merged())
        });
        leave = join_options(leave, after);
        leave.map_or_else(|| Flow::same(env.clone()), Flow::same)
    }

    /// Walks the body of a loop until another round would see nothing new, and returns the state after it. A value that
    /// changes from round to round is not followed any further.
    fn rounds(
        &mut self,
        before: &Env,
        mut step: impl FnMut(&mut Self, Env) -> Option<Env>,
    ) -> Option<Env> {
        self.loops.push(None);
        let after = self.settled(before, &mut step);
        let left = self.loops.pop().flatten();
        join_options(after, left)
    }

    fn settled(
        &mut self,
        before: &Env,
        step: &mut impl FnMut(&mut Self, Env) -> Option<Env>,
    ) -> Option<Env> {
        let after = step(self, before.clone())?;
        if !after.differs(before) {
            return Some(after);
        }
        let second = widened(before, &after, true);
        let again = step(self, second.clone())?;
        if !again.differs(&second) {
            return Some(second);
        }
        let third = widened(&second, &again, false);
        step(self, third.clone());
        Some(third)
    }

    /// Notes the state in which a loop is left or begun anew from the middle of its body.
    pub(crate) fn left_loop(&mut self, env: &Env) {
        for level in &mut self.loops {
            *level = join_options(level.take(), Some(env.clone()));
        }
    }

    fn each(&mut self, command: &For, mut env: Env, input: &Stream) -> Flow {
        let fields: Vec<Field> = match &command.words {
            Some(words) => {
                let at = self.at(words.first().map_or(Span::default(), |word| word.span));
                words
                    .iter()
                    .flat_map(|word| self.expand(word, &mut env, at))
                    .collect()
            }
            None => match env.positional.clone() {
                Some(values) => values.into_iter().map(Value::field).collect(),
                None => vec![unknown(Why::Variable)],
            },
        };
        let span = command
            .words
            .iter()
            .flatten()
            .next()
            .map_or(Span::default(), |word| word.span);
        if env.readonly.contains(&command.name) {
            self.discards.note(&env);
        }
        let mut out = Some(env.clone());
        let mut current = Some(env);
        for field in fields {
            let Some(env) = current.take() else { break };
            let one = field.known().is_some();
            let value = Value::of(field);
            let round = |walker: &mut Self, mut env: Env| {
                let prompts = env.prompts;
                walker.set(&command.name, value.clone(), &mut env);
                if env.prompts && !prompts {
                    let at = walker.at(span);
                    walker.push(at, &env, Act::Opaque(Opacity::ShellChanged));
                }
                walker.list(&command.body, env, input).0.merged()
            };
            // A field that is not known stands for any number of rounds.
            current = if one {
                self.loops.push(None);
                let after = round(self, env);
                join_options(after, self.loops.pop().flatten())
            } else {
                self.rounds(&env, round)
            };
            out = join_options(out, current.clone());
        }
        out.map_or(Flow::never(), Flow::same)
    }

    fn count(&mut self, command: &ArithmeticFor, mut env: Env, input: &Stream, span: Span) -> Flow {
        let at = self.at(span);
        for expression in &command.expressions {
            self.arithmetic(expression, &mut env, at);
        }
        let after = self.rounds(&env, |walker, env| {
            walker.list(&command.body, env, input).0.merged()
        });
        join_options(Some(env), after).map_or(Flow::never(), Flow::same)
    }

    fn choose(&mut self, command: &Case, mut env: Env, input: &Stream) -> Flow {
        let at = self.at(command.word.span);
        self.expand(&command.word, &mut env, at);
        let mut out = Some(env.clone());
        let mut falling: Option<Env> = None;
        for arm in &command.arms {
            for pattern in &arm.patterns {
                self.expand(pattern, &mut env, at);
            }
            let start = join_options(Some(env.clone()), falling.take());
            let after = start.and_then(|env| self.list(&arm.body, env, input).0.merged());
            match arm.end {
                CaseEnd::Break | CaseEnd::Continue => {}
                CaseEnd::FallThrough => falling.clone_from(&after),
            }
            out = join_options(out, after);
        }
        out.map_or(Flow::never(), Flow::same)
    }

    fn define(&mut self, function: &Function, mut env: Env) -> Flow {
        let body = Rc::new((*function.body).clone());
        env.functions
            .insert(function.name.clone(), vec![Some(Rc::clone(&body))]);
        self.defined
            .push((function.name.clone(), body, env.clone()));
        Flow::same(env)
    }

    /// Runs a function of the script's own.
    pub(crate) fn call(
        &mut self,
        name: &str,
        body: &Rc<Command>,
        arguments: Option<Vec<Value>>,
        mut env: Env,
        input: &Stream,
        at: At,
    ) -> (Flow, Stream) {
        self.called.push(Rc::clone(body));
        let same = |running: &&Running| running.name == name && Rc::ptr_eq(&running.body, body);
        let rounds = self.calls.iter().filter(same).count();
        if let Some(first) = self.calls.iter().find(same) {
            if self.forks > first.forks {
                self.push(at, &env, Act::Breaks(Floor::ForkBomb));
                return (Flow::same(widen_all(env)), Stream::Unknown);
            }
            let alike = |running: &Running| {
                running.arguments == arguments && !running.entered.differs(&env)
            };
            if self.calls.iter().filter(same).any(alike) {
                // The same round is being walked already; another adds no other command.
                return (Flow::same(widen_all(env)), Stream::Unknown);
            }
        }
        if rounds >= MOST_ROUNDS {
            return self.lost(Opacity::TooLarge, env, Some(at));
        }
        if self.calls.len() >= DEEPEST {
            return self.lost(Opacity::TooLarge, env, Some(at));
        }
        let entered = env.clone();
        let positional = std::mem::replace(&mut env.positional, arguments.clone());
        let dropped = self.unwinding();
        self.calls.push(Running {
            name: name.to_owned(),
            body: Rc::clone(body),
            arguments,
            entered,
            forks: self.forks,
            returned: None,
            shadowed: Vec::new(),
        });
        let (mut flow, output) = self.command(body, env, input);
        let (shadowed, returned) = match self.calls.pop() {
            Some(running) => (running.shadowed, running.returned),
            None => (Vec::new(), None),
        };
        flow = Flow {
            success: join_options(flow.success, returned.clone()),
            failure: join_options(flow.failure, returned),
        };
        let undo = |env: &mut Env| {
            env.positional.clone_from(&positional);
            for (name, before) in &shadowed {
                // Where the declaration was not reached, the function has changed the outer variable.
                let inner = env.variables.remove(name).unwrap_or_else(Value::empty);
                let before = before.clone().unwrap_or(Value::Unknown(Why::Variable));
                env.variables.insert(name.clone(), before.join(&inner));
            }
        };
        flow.success.iter_mut().for_each(undo);
        flow.failure.iter_mut().for_each(undo);
        self.unwound(dropped, undo);
        (flow, output)
    }

    /// Notes the state in which the running function is left; what follows is walked all the same.
    pub(crate) fn left_function(&mut self, env: &Env) {
        if let Some(running) = self.calls.last_mut() {
            running.returned = join_options(running.returned.take(), Some(env.clone()));
        }
    }

    /// Whether a function is running.
    pub(crate) const fn in_function(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Notes that the running function declares a variable of its own; false where none is running, or has it already.
    pub(crate) fn shadow(&mut self, name: &str, env: &Env) -> bool {
        let Some(running) = self.calls.last_mut() else {
            return false;
        };
        let new = running.shadowed.iter().all(|(known, _)| known != name);
        if new {
            let before = env.variables.get(name).cloned();
            running.shadowed.push((name.to_owned(), before));
        }
        new
    }

    /// Walks what was defined and never called: a trap or a child of the shell might call it.
    fn uncalled(&mut self) {
        let defined = std::mem::take(&mut self.defined);
        for (name, body, env) in defined {
            if !self.called.iter().any(|called| Rc::ptr_eq(called, &body)) {
                let at = self.at(body.span);
                self.call(&name, &body, None, env, &Stream::Unknown, at);
            }
        }
    }

    fn test(&mut self, test: &Test, env: &mut Env, at: At) {
        match test {
            Test::Word(word) => {
                self.expand(word, env, at);
            }
            Test::Unary { operator, operand } => {
                let value = self.value(operand, env, at);
                if operator == "-v" || operator == "-R" {
                    self.named(&value, env, at);
                }
            }
            Test::Binary {
                left,
                operator,
                right,
            } => {
                let values = [self.value(left, env, at), self.value(right, env, at)];
                if matches!(
                    operator.as_str(),
                    "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"
                ) {
                    for value in &values {
                        self.evaluated(value, env, at);
                    }
                }
            }
            Test::Not(inner) | Test::Parenthesised(inner) => self.test(inner, env, at),
            Test::And(left, right) | Test::Or(left, right) => {
                self.test(left, env, at);
                self.test(right, env, at);
            }
        }
    }

    fn coprocess(&mut self, coprocess: &Coprocess, env: &mut Env, span: Span) {
        let at = self.at(span);
        self.forks += 1;
        self.apart(|walker| walker.command(&coprocess.command, env.clone(), &Stream::Unknown));
        self.forks -= 1;
        let named = coprocess
            .name
            .as_ref()
            .map(|word| self.value(word, env, at));
        match named
            .as_ref()
            .map_or(Some("COPROC"), Value::known)
            .map(str::to_owned)
        {
            Some(name) => {
                self.set(&format!("{name}_PID"), Value::Number, env);
                self.set(&name, Value::Unknown(Why::Variable), env);
            }
            None => self.push(at, env, Act::Opaque(Opacity::ShellChanged)),
        }
    }

    /// Expands a word and forgets the fields; its substitutions have been walked.
    pub(crate) fn value(&mut self, word: &Word, env: &mut Env, at: At) -> Value {
        self.joined(&word.parts, env, at)
    }
}

impl Walker<'_> {
    /// Whether a script that is to be run was written by this very call.
    pub(crate) fn has_written(&self, target: &crate::request::PathTarget) -> bool {
        target
            .places
            .iter()
            .any(|place| self.written.contains(place))
    }
}

/// A field of which nothing is known.
pub(crate) const fn unknown(why: Why) -> Field {
    Field::Unknown {
        why,
        prefix: String::new(),
        single: false,
    }
}

/// The state at the start of a later round of a loop. What a round changes is joined with what was before; where `keep`
/// is set, a value that is no exact text is taken as the round left it, to see whether it stays so.
fn widened(before: &Env, after: &Env, keep: bool) -> Env {
    let mut out = before.clone().join(after);
    for (name, value) in out.variables.iter_mut() {
        let left = after.variables.get(name);
        if before.variables.get(name) == left {
            continue;
        }
        *value = match left {
            Some(Value::Number) => Value::Number,
            Some(Value::Listed(_) | Value::Names(_) | Value::Known(_) | Value::Array(_))
                if keep =>
            {
                left.cloned().unwrap_or_else(Value::empty)
            }
            Some(Value::Unknown(why)) => Value::Unknown(*why),
            Some(Value::Listed(_) | Value::Names(_) | Value::Known(_) | Value::Array(_)) | None => {
                Value::Unknown(Why::TooMany)
            }
        };
    }
    if before.cwd != after.cwd {
        out.cwd.clear();
    }
    out
}

/// The state after a round of recursion that is not walked.
fn widen_all(mut env: Env) -> Env {
    for value in env.variables.values_mut() {
        *value = Value::Unknown(Why::TooMany);
    }
    env
}

/// Whether a redirection may fail: all but those to what is always there.
pub(crate) fn may_fail(redirect: &countersign_shell::tree::Redirect) -> bool {
    use countersign_shell::tree::{Part, RedirectKind};
    let is = |word: &Word, text: &str| matches!(word.parts.as_slice(), [Part::Literal(only)] if only == text);
    match &redirect.kind {
        RedirectKind::HereDocument(_) | RedirectKind::HereString(_) => false,
        RedirectKind::DuplicateOutput(word) => !is(word, "1"),
        RedirectKind::Read(word)
        | RedirectKind::ReadWrite(word)
        | RedirectKind::Write(word)
        | RedirectKind::Clobber(word)
        | RedirectKind::Append(word)
        | RedirectKind::WriteBoth(word)
        | RedirectKind::AppendBoth(word) => !is(word, "/dev/null"),
        RedirectKind::DuplicateInput(_) => true,
    }
}

fn redirects_output(redirect: &countersign_shell::tree::Redirect) -> bool {
    use countersign_shell::tree::{Descriptor, RedirectKind as Kind};
    if redirect.descriptor == Descriptor::Number(1) {
        return true;
    }
    match &redirect.kind {
        Kind::Write(_)
        | Kind::Clobber(_)
        | Kind::Append(_)
        | Kind::ReadWrite(_)
        | Kind::WriteBoth(_)
        | Kind::AppendBoth(_)
        | Kind::DuplicateOutput(_) => true,
        Kind::Read(_) | Kind::DuplicateInput(_) | Kind::HereDocument(_) | Kind::HereString(_) => {
            false
        }
    }
}
