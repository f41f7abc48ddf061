//! Writes the pieces of words, with the escapes that their surroundings ask for.

use crate::print::printer::Printer;
use crate::tree::{
    Arithmetic, Brace, FallbackKind, List, Parameter, ParameterOperation, Part, ReplaceScope,
};

/// What surrounds a piece, which decides what has to be escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// Nothing.
    None,
    /// Double quotes.
    Double,
    /// The body of a here-document.
    Here,
    /// The operand of a fallback inside double quotes or a here-document.
    Operand,
    /// Arithmetic, or a subscript or offset.
    Arithmetic,
    /// A pattern or replacement inside double quotes or a here-document.
    Pattern,
}

impl Printer {
    pub(super) fn parts(&mut self, parts: &[Part], around: Surroundings) {
        let mut in_single = false;
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Literal(text) => self.literal(text, around, &mut in_single),
                Part::Quoted(text) => {
                    let after_dollar = at > 0 && self.out.ends_with('$');
                    self.quoted_after(text, after_dollar);
                }
                Part::Parameter(parameter) => {
                    self.parameter(parameter, parts.get(at + 1), around);
                }
                other => self.part(other, around),
            }
        }
    }

    /// Writes text in single quotes, and in quotes with escapes the two bytes that no text may hold as they are.
    pub(super) fn quoted(&mut self, text: &str) {
        self.out.push('\'');
        for character in text.chars() {
            match character {
                '\'' => self.out.push_str(r"'\''"),
                '\u{1}' => self.out.push_str(r"'$'\001''"),
                '\u{7f}' => self.out.push_str(r"'$'\177''"),
                other => self.out.push(other),
            }
        }
        self.out.push('\'');
    }

    pub(super) fn arithmetic(&mut self, arithmetic: &Arithmetic) {
        self.parts(&arithmetic.parts, Surroundings::Arithmetic);
    }

    fn quoted_after(&mut self, text: &str, after_dollar: bool) {
        let mut characters = text.chars();
        match characters.next() {
            // A quote behind a dollar would be another kind of quote.
            Some(first) if after_dollar && first != '\n' => {
                self.out.push('\\');
                self.out.push(first);
                if !characters.as_str().is_empty() {
                    self.quoted(characters.as_str());
                }
            }
            _ => self.quoted(text),
        }
    }

    fn literal(&mut self, text: &str, around: Surroundings, in_single: &mut bool) {
        let escaped: &[char] = match around {
            Surroundings::None | Surroundings::Pattern | Surroundings::Arithmetic => {
                self.out.push_str(text);
                return;
            }
            Surroundings::Double => &['$', '`', '"', '\\'],
            Surroundings::Here => &['$', '`', '\\'],
            Surroundings::Operand => &['$', '`', '"', '\\', '}'],
        };
        for character in text.chars() {
            if around == Surroundings::Operand && character == '\'' {
                *in_single = !*in_single;
            } else if !*in_single && escaped.contains(&character) {
                self.out.push('\\');
            }
            self.out.push(character);
        }
    }

    fn part(&mut self, part: &Part, around: Surroundings) {
        match part {
            // These three need to know their neighbours and are written above.
            Part::Literal(_) | Part::Quoted(_) | Part::Parameter(_) => {}
            Part::DoubleQuoted(inner) => {
                self.text("\"");
                self.parts(inner, Surroundings::Double);
                self.text("\"");
            }
            Part::Tilde(user) => {
                self.text("~");
                self.text(user);
            }
            Part::CommandSubstitution(inner) if inner.backquoted => self.backquoted(&inner.body),
            Part::CommandSubstitution(inner) => self.substitution("$(", &inner.body),
            Part::ProcessSubstitution(inner) => {
                self.substitution(if inner.reads { "<(" } else { ">(" }, &inner.body);
            }
            Part::Arithmetic(inner) => {
                let (open, close) = if balanced(inner) {
                    ("$((", "))")
                } else {
                    ("$[", "]")
                };
                self.text(open);
                self.arithmetic(inner);
                self.text(close);
            }
            Part::Glob(text) => self.text(text),
            Part::ExtendedGlob(inner) => {
                self.extended |= !self.in_test;
                self.out.push(inner.operator);
                self.text("(");
                for (at, alternative) in inner.alternatives.iter().enumerate() {
                    if at > 0 {
                        self.text("|");
                    }
                    self.parts(&alternative.parts, around);
                }
                self.text(")");
            }
            Part::Brace(Brace::Alternatives(words)) => {
                self.text("{");
                for (at, word) in words.iter().enumerate() {
                    if at > 0 {
                        self.text(",");
                    }
                    self.parts(&word.parts, around);
                }
                self.text("}");
            }
            Part::Brace(Brace::Range { from, to, step }) => {
                self.text("{");
                self.text(from);
                self.text("..");
                self.text(to);
                if let Some(step) = step {
                    self.text("..");
                    self.text(step);
                }
                self.text("}");
            }
            Part::CompoundAssignment(assignment) => self.assignment(assignment),
        }
    }

    fn substitution(&mut self, open: &str, body: &List) {
        let outer = std::mem::take(&mut self.pending);
        let in_test = std::mem::replace(&mut self.in_test, false);
        self.text(open);
        let start = self.out.len();
        self.list(body);
        if self
            .out
            .get(start..)
            .is_some_and(|text| text.starts_with('('))
        {
            // Two parentheses together would be arithmetic.
            self.out.insert(start, ' ');
        }
        self.text(")");
        self.pending = outer;
        self.in_test = in_test;
    }

    fn backquoted(&mut self, body: &List) {
        let mut inner = Self::default();
        inner.list(body);
        self.extended |= inner.extended;
        self.text("`");
        for character in inner.out.chars() {
            if matches!(character, '`' | '\\') {
                self.out.push('\\');
            }
            self.out.push(character);
        }
        self.text("`");
    }

    fn parameter(&mut self, parameter: &Parameter, next: Option<&Part>, around: Surroundings) {
        let plain = parameter.operation == ParameterOperation::Plain
            && parameter.subscript.is_none()
            && !parameter.indirect;
        let number = parameter.name.bytes().all(|byte| byte.is_ascii_digit());
        let joins = match next {
            Some(Part::Literal(text)) => {
                text.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
            }
            Some(_) | None => false,
        };
        if plain && !joins && (!number || parameter.name.len() == 1) {
            self.text("$");
            self.text(&parameter.name);
            return;
        }
        self.text("${");
        if parameter.indirect {
            self.text("!");
        } else if parameter.operation == ParameterOperation::Length {
            self.text("#");
        }
        self.text(&parameter.name);
        if let Some(subscript) = &parameter.subscript {
            self.text("[");
            self.arithmetic(subscript);
            self.text("]");
        }
        self.operation(&parameter.operation, around);
        self.text("}");
    }

    fn operation(&mut self, operation: &ParameterOperation, around: Surroundings) {
        let (operand, pattern) = match around {
            Surroundings::None => (Surroundings::None, Surroundings::None),
            Surroundings::Double
            | Surroundings::Here
            | Surroundings::Operand
            | Surroundings::Arithmetic
            | Surroundings::Pattern => (Surroundings::Operand, Surroundings::Pattern),
        };
        match operation {
            ParameterOperation::Plain
            | ParameterOperation::Length
            | ParameterOperation::Indices => {}
            ParameterOperation::Fallback {
                kind,
                or_empty,
                word,
            } => {
                self.text(if *or_empty { ":" } else { "" });
                self.text(fallback_sign(*kind));
                self.parts(&word.parts, operand);
            }
            ParameterOperation::Trim {
                suffix,
                longest,
                pattern: word,
            } => {
                let sign = if *suffix { "%" } else { "#" };
                self.text(sign);
                self.text(if *longest { sign } else { "" });
                self.parts(&word.parts, pattern);
            }
            ParameterOperation::Replace {
                scope,
                pattern: word,
                replacement,
            } => {
                self.text(replace_sign(*scope));
                self.parts(&word.parts, pattern);
                if let Some(word) = replacement {
                    self.text("/");
                    self.parts(&word.parts, pattern);
                }
            }
            ParameterOperation::Slice { offset, length } => {
                self.text(":");
                self.arithmetic(offset);
                if let Some(length) = length {
                    self.text(":");
                    self.arithmetic(length);
                }
            }
            ParameterOperation::Case {
                operator,
                pattern: word,
            } => {
                self.text(operator);
                self.parts(&word.parts, pattern);
            }
            ParameterOperation::Transform(letter) => {
                self.text("@");
                self.out.push(*letter);
            }
            ParameterOperation::Names => self.text("@"),
        }
    }
}

fn fallback_sign(kind: FallbackKind) -> &'static str {
    match kind {
        FallbackKind::Use => "-",
        FallbackKind::Assign => "=",
        FallbackKind::Fail => "?",
        FallbackKind::Alternative => "+",
    }
}

fn replace_sign(scope: ReplaceScope) -> &'static str {
    match scope {
        ReplaceScope::First => "/",
        ReplaceScope::All => "//",
        ReplaceScope::Prefix => "/#",
        ReplaceScope::Suffix => "/%",
    }
}

/// True where the parentheses of an expression match, so that it can stand between parentheses.
fn balanced(arithmetic: &Arithmetic) -> bool {
    let mut level = 0_i64;
    for part in &arithmetic.parts {
        if let Part::Literal(text) = part {
            for byte in text.bytes() {
                match byte {
                    b'(' => level += 1,
                    b')' => level -= 1,
                    _ => {}
                }
                if level < 0 {
                    return false;
                }
            }
        }
    }
    level == 0
}
