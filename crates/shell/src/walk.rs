//! Visits every command and substitution of a tree in the order of the text; it judges none of them.

use crate::tree::{
    AndOr, Arithmetic, ArrayElement, AssignedValue, Assignment, Brace, Command, CommandKind, List,
    Parameter, ParameterOperation, Part, Pipeline, ProcessSubstitution, Redirect, RedirectKind,
    Script, Simple, Substitution, Test, Word,
};

/// Anything through which a command can come into a text.
#[derive(Debug, Clone, Copy)]
pub enum Visit<'t> {
    /// A command of any kind, before what is inside it.
    Command(&'t Command),
    /// `$(…)` or `` `…` ``, before its body.
    CommandSubstitution(&'t Substitution),
    /// `<(…)` or `>(…)`, before its body.
    ProcessSubstitution(&'t ProcessSubstitution),
}

/// Calls `see` for every command and substitution in the order of the text, at any depth. A here-document counts where
/// its operator stands.
pub fn visit<'t>(script: &'t Script, see: &mut impl FnMut(Visit<'t>)) {
    list(&script.body, see);
}

/// Every simple command of a script, also inside substitutions, here-documents, patterns and function bodies.
pub fn commands(script: &Script) -> Vec<&Simple> {
    let mut found = Vec::new();
    visit(script, &mut |visit| match visit {
        Visit::Command(command) => {
            if let CommandKind::Simple(simple) = &command.kind {
                found.push(simple);
            }
        }
        Visit::CommandSubstitution(_) | Visit::ProcessSubstitution(_) => {}
    });
    found
}

/// How many command and process substitutions a script holds, at any depth.
pub fn substitutions(script: &Script) -> usize {
    let mut count = 0;
    visit(script, &mut |visit| match visit {
        Visit::Command(_) => {}
        Visit::CommandSubstitution(_) | Visit::ProcessSubstitution(_) => count += 1,
    });
    count
}

/// Calls `see` for everything inside one list.
pub fn list<'t>(list: &'t List, see: &mut impl FnMut(Visit<'t>)) {
    for entry in &list.entries {
        and_or(&entry.chain, see);
    }
}

/// Calls `see` for everything inside one word.
pub fn word<'t>(word: &'t Word, see: &mut impl FnMut(Visit<'t>)) {
    parts(&word.parts, see);
}

fn and_or<'t>(chain: &'t AndOr, see: &mut impl FnMut(Visit<'t>)) {
    pipeline(&chain.first, see);
    for (_, next) in &chain.rest {
        pipeline(next, see);
    }
}

fn pipeline<'t>(pipeline: &'t Pipeline, see: &mut impl FnMut(Visit<'t>)) {
    for next in &pipeline.commands {
        command(next, see);
    }
}

fn command<'t>(command: &'t Command, see: &mut impl FnMut(Visit<'t>)) {
    see(Visit::Command(command));
    kind(&command.kind, see);
    for next in &command.redirects {
        redirect(next, see);
    }
}

fn kind<'t>(kind: &'t CommandKind, see: &mut impl FnMut(Visit<'t>)) {
    match kind {
        CommandKind::Simple(inner) => simple(inner, see),
        CommandKind::Subshell(body) | CommandKind::Group(body) => list(body, see),
        CommandKind::If(inner) => {
            for (condition, body) in &inner.branches {
                list(condition, see);
                list(body, see);
            }
            if let Some(body) = &inner.otherwise {
                list(body, see);
            }
        }
        CommandKind::Loop(inner) => {
            list(&inner.condition, see);
            list(&inner.body, see);
        }
        CommandKind::For(inner) | CommandKind::Select(inner) => {
            words(inner.words.as_deref().unwrap_or(&[]), see);
            list(&inner.body, see);
        }
        CommandKind::ArithmeticFor(inner) => {
            for expression in &inner.expressions {
                arithmetic(expression, see);
            }
            list(&inner.body, see);
        }
        CommandKind::Case(inner) => {
            word(&inner.word, see);
            for arm in &inner.arms {
                words(&arm.patterns, see);
                list(&arm.body, see);
            }
        }
        CommandKind::Function(inner) => command(&inner.body, see),
        CommandKind::Arithmetic(inner) => arithmetic(inner, see),
        CommandKind::Test(inner) => test(inner, see),
        CommandKind::Coprocess(inner) => {
            if let Some(name) = &inner.name {
                word(name, see);
            }
            command(&inner.command, see);
        }
    }
}

fn simple<'t>(simple: &'t Simple, see: &mut impl FnMut(Visit<'t>)) {
    for next in &simple.assignments {
        assignment(next, see);
    }
    words(&simple.words, see);
}

fn assignment<'t>(assignment: &'t Assignment, see: &mut impl FnMut(Visit<'t>)) {
    if let Some(subscript) = &assignment.subscript {
        arithmetic(subscript, see);
    }
    match &assignment.value {
        AssignedValue::Scalar(value) => word(value, see),
        AssignedValue::Array(elements) => {
            for element in elements {
                array_element(element, see);
            }
        }
    }
}

fn array_element<'t>(element: &'t ArrayElement, see: &mut impl FnMut(Visit<'t>)) {
    if let Some(subscript) = &element.subscript {
        arithmetic(subscript, see);
    }
    word(&element.value, see);
}

fn words<'t>(words: &'t [Word], see: &mut impl FnMut(Visit<'t>)) {
    for next in words {
        word(next, see);
    }
}

pub(crate) fn parts<'t>(parts: &'t [Part], see: &mut impl FnMut(Visit<'t>)) {
    for next in parts {
        part(next, see);
    }
}

fn part<'t>(part: &'t Part, see: &mut impl FnMut(Visit<'t>)) {
    match part {
        Part::Literal(_)
        | Part::Quoted(_)
        | Part::Tilde(_)
        | Part::Glob(_)
        | Part::Brace(Brace::Range { .. }) => {}
        Part::DoubleQuoted(inner) => parts(inner, see),
        Part::Parameter(inner) => parameter(inner, see),
        Part::CommandSubstitution(inner) => {
            see(Visit::CommandSubstitution(inner));
            list(&inner.body, see);
        }
        Part::Arithmetic(inner) => arithmetic(inner, see),
        Part::ProcessSubstitution(inner) => {
            see(Visit::ProcessSubstitution(inner));
            list(&inner.body, see);
        }
        Part::ExtendedGlob(inner) => words(&inner.alternatives, see),
        Part::Brace(Brace::Alternatives(inner)) => words(inner, see),
        Part::CompoundAssignment(inner) => assignment(inner, see),
    }
}

fn arithmetic<'t>(arithmetic: &'t Arithmetic, see: &mut impl FnMut(Visit<'t>)) {
    parts(&arithmetic.parts, see);
}

fn parameter<'t>(parameter: &'t Parameter, see: &mut impl FnMut(Visit<'t>)) {
    if let Some(subscript) = &parameter.subscript {
        arithmetic(subscript, see);
    }
    match &parameter.operation {
        ParameterOperation::Plain
        | ParameterOperation::Length
        | ParameterOperation::Transform(_)
        | ParameterOperation::Names
        | ParameterOperation::Indices => {}
        ParameterOperation::Fallback { word: inner, .. }
        | ParameterOperation::Trim { pattern: inner, .. }
        | ParameterOperation::Case { pattern: inner, .. } => word(inner, see),
        ParameterOperation::Replace {
            pattern,
            replacement,
            ..
        } => {
            word(pattern, see);
            if let Some(inner) = replacement {
                word(inner, see);
            }
        }
        ParameterOperation::Slice { offset, length } => {
            arithmetic(offset, see);
            if let Some(inner) = length {
                arithmetic(inner, see);
            }
        }
    }
}

fn redirect<'t>(redirect: &'t Redirect, see: &mut impl FnMut(Visit<'t>)) {
    match &redirect.kind {
        RedirectKind::Read(inner)
        | RedirectKind::Write(inner)
        | RedirectKind::Clobber(inner)
        | RedirectKind::Append(inner)
        | RedirectKind::ReadWrite(inner)
        | RedirectKind::WriteBoth(inner)
        | RedirectKind::AppendBoth(inner)
        | RedirectKind::DuplicateInput(inner)
        | RedirectKind::DuplicateOutput(inner)
        | RedirectKind::HereString(inner) => word(inner, see),
        RedirectKind::HereDocument(inner) => parts(&inner.body, see),
    }
}

fn test<'t>(tree: &'t Test, see: &mut impl FnMut(Visit<'t>)) {
    match tree {
        Test::Word(inner) | Test::Unary { operand: inner, .. } => word(inner, see),
        Test::Binary { left, right, .. } => {
            word(left, see);
            word(right, see);
        }
        Test::Not(inner) | Test::Parenthesised(inner) => test(inner, see),
        Test::And(left, right) | Test::Or(left, right) => {
            test(left, see);
            test(right, see);
        }
    }
}
