//! Expands words as bash would, as far as the values can be told, and walks every substitution on the way.

use crate::effects::command::{Field, Why};
use crate::effects::discard::is_certain;
use crate::effects::effect::Act;
use crate::effects::env::Env;
use crate::effects::opacity::Opacity;
use crate::effects::script::{At, Walker, unknown};
use crate::effects::stream::Stream;
use crate::effects::value::{MADE, NUMBER, Value, literal_pattern, literal_prefix, push_literal};
use countersign_shell::tree::{Arithmetic, Brace, Parameter, ParameterOperation, Part, Word};

/// Longer fields than this, in bytes, are not told.
const MOST_FIELD: usize = 1 << 17;

/// The bytes of a field, as far as it is told.
fn size(field: &Field) -> usize {
    match field {
        Field::Known(text) | Field::Names(text) | Field::Listed(text) => text.len(),
        Field::Unknown { prefix, .. } => prefix.len(),
    }
}

/// More words than this from one word's braces are not followed.
const MOST_WORDS: usize = 512;

impl Walker<'_> {
    /// The fields of a word, with brace expansion, splitting and pathname patterns.
    pub(crate) fn expand(&mut self, word: &Word, env: &mut Env, at: At) -> Vec<Field> {
        if let [Part::Literal(text)] = word.parts.as_slice() {
            return vec![Field::Known(text.clone())];
        }
        let braced = word.parts.iter().any(|part| matches!(part, Part::Brace(_)));
        let alternatives = if braced {
            braces(&word.parts)
        } else {
            Some(Vec::new())
        };
        let Some(alternatives) = alternatives else {
            self.touch(&word.parts, env, at);
            return vec![unknown(Why::TooMany)];
        };
        let mut fields = Vec::new();
        if !braced {
            fields = self.fields_of(&word.parts, env, at);
        }
        for parts in &alternatives {
            fields.extend(self.fields_of(parts, env, at));
        }
        let bytes: usize = fields.iter().map(size).sum();
        let Some(left) = self.budget.checked_sub(bytes) else {
            return vec![unknown(Why::TooMany)];
        };
        self.budget = left;
        fields
    }

    /// The fields of a word without braces.
    fn fields_of(&mut self, parts: &[Part], env: &mut Env, at: At) -> Vec<Field> {
        let mut builder = Builder::default();
        for part in parts {
            self.part(part, env, at, false, &mut builder);
        }
        builder.finish()
    }

    /// The value of parts that are neither split nor matched against files: an assignment, a here-document.
    pub(crate) fn joined(&mut self, parts: &[Part], env: &mut Env, at: At) -> Value {
        let mut builder = Builder {
            quoted: true,
            ..Builder::default()
        };
        for part in parts {
            self.part(part, env, at, true, &mut builder);
        }
        let mut fields = builder.finish();
        if fields.len() > 1 {
            // `"$@"` that is not split is joined by blanks.
            let texts: Option<Vec<&str>> = fields.iter().map(Field::known).collect();
            return texts.map_or(Value::Unknown(Why::TooMany), |texts| {
                Value::Known(texts.join(" "))
            });
        }
        fields.pop().map_or_else(Value::empty, Value::of)
    }

    /// Walks the substitutions of parts whose text does not matter.
    pub(crate) fn touch(&mut self, parts: &[Part], env: &mut Env, at: At) {
        let mut builder = Builder::default();
        for part in parts {
            self.part(part, env, at, true, &mut builder);
        }
    }

    fn part(&mut self, part: &Part, env: &mut Env, at: At, quoted: bool, out: &mut Builder) {
        match part {
            Part::Literal(text) | Part::Quoted(text) => out.literal(text),
            Part::DoubleQuoted(parts) => {
                out.quoted = true;
                for part in parts {
                    match part {
                        Part::Parameter(parameter) => {
                            self.quoted_parameter(parameter, env, at, out);
                        }
                        other => self.part(other, env, at, true, out),
                    }
                }
            }
            Part::Tilde(user) => {
                let home = self.tilde(user, env);
                out.value(home, true, env.other_separators);
            }
            Part::Parameter(parameter) if quoted => self.quoted_parameter(parameter, env, at, out),
            Part::Parameter(parameter) => {
                let value = self.parameter(parameter, env, at);
                out.value(value, false, env.other_separators);
            }
            Part::CommandSubstitution(substitution) => {
                let input = self.inherited.clone();
                let inside = env.clone();
                let output = self.apart(|walker| walker.list(&substitution.body, inside, &input).1);
                out.value(output.value(), quoted, env.other_separators);
            }
            Part::Arithmetic(expression) => {
                self.arithmetic(expression, env, at);
                out.value(Value::Number, true, env.other_separators);
            }
            Part::ProcessSubstitution(substitution) => {
                let inside = env.clone();
                self.apart(|walker| walker.list(&substitution.body, inside, &Stream::Unknown));
                out.value(
                    Value::Names("/dev/fd/[0-9]*".to_owned()),
                    true,
                    env.other_separators,
                );
            }
            Part::Glob(pattern) if quoted => out.literal(pattern),
            Part::Glob(pattern) => out.written(pattern),
            Part::ExtendedGlob(glob) => {
                for word in &glob.alternatives {
                    self.touch(&word.parts, env, at);
                }
                // Only a negated one names nothing.
                if glob.operator == '!' {
                    out.glob("*");
                } else {
                    out.value(Value::Unknown(Why::TooMany), true, env.other_separators);
                }
            }
            Part::Brace(Brace::Alternatives(words)) => {
                for word in words {
                    self.touch(&word.parts, env, at);
                }
                out.value(Value::Unknown(Why::TooMany), quoted, env.other_separators);
            }
            Part::Brace(Brace::Range { .. }) => {
                out.value(Value::Unknown(Why::TooMany), quoted, env.other_separators);
            }
            Part::CompoundAssignment(assignment) => {
                self.assign(assignment, env, at);
                out.literal(&assignment.name);
            }
        }
    }

    /// A parameter inside double quotes: `"$@"` and `"${a[@]}"` stay several fields.
    fn quoted_parameter(
        &mut self,
        parameter: &Parameter,
        env: &mut Env,
        at: At,
        out: &mut Builder,
    ) {
        let all = parameter.name == "@"
            || parameter
                .subscript
                .as_ref()
                .is_some_and(|subscript| is_all(subscript, '@'));
        if !(all && parameter.operation == ParameterOperation::Plain && !parameter.indirect) {
            let value = self.parameter(parameter, env, at);
            let joined = if all {
                several(value)
            } else {
                value.scalar_or_joined(parameter, env)
            };
            out.value(joined, true, env.other_separators);
            return;
        }
        match self.parameter(parameter, env, at) {
            Value::Array(items) => {
                // `"$@"` without any value is no field at all, unlike `""`.
                if items.is_empty() && out.is_empty() {
                    out.quoted = false;
                }
                for (index, item) in items.into_iter().enumerate() {
                    if index > 0 {
                        out.separate();
                        out.quoted = true;
                    }
                    out.value(item, true, env.other_separators);
                }
            }
            other => out.value(several(other), false, env.other_separators),
        }
    }

    fn tilde(&self, user: &str, env: &Env) -> Value {
        let home = || {
            self.session
                .home
                .as_ref()
                .map(|home| home.as_str().to_owned())
        };
        let path = match user {
            "" => match env.variables.get("HOME") {
                Some(value) => return value.clone(),
                None => home(),
            },
            "+" => match env.variables.get("PWD") {
                Some(value) => return value.clone(),
                None => single(&env.cwd),
            },
            "root" => Some("/root".to_owned()),
            name if self.session.user.as_deref() == Some(name) => home(),
            _ => None,
        };
        path.map_or(Value::Unknown(Why::Variable), Value::Known)
    }

    /// Walks an arithmetic expression. Bash evaluates the values of its names again, so that a value with a subscript
    /// in it can run a command.
    pub(crate) fn arithmetic(&mut self, expression: &Arithmetic, env: &mut Env, at: At) {
        let mut values = Vec::new();
        for part in &expression.parts {
            if matches!(part, Part::Literal(_)) {
                continue;
            }
            let value = self.joined(std::slice::from_ref(part), env, at);
            self.evaluated(&value, env, at);
            values.push(value);
        }
        if !is_certain(expression, &values, env) {
            self.discards.note(env);
        }
        for part in &expression.parts {
            if let Part::Literal(text) = part {
                self.arithmetic_text(text, env, at);
            }
        }
    }

    /// Walks the names in the text of an arithmetic expression.
    pub(crate) fn arithmetic_text(&mut self, text: &str, env: &mut Env, at: At) {
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let (before, tail) = rest.split_at(start);
            let end = tail
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(tail.len());
            let (name, after) = tail.split_at(end);
            rest = after;
            // Digits in front: a number such as 0x1F or 16#ff.
            if before.ends_with(|c: char| c.is_ascii_digit() || c == '#') {
                continue;
            }
            if let Some(value) = env.variables.get(name).cloned() {
                self.evaluated(&value, env, at);
            }
            if assigns(before, after) {
                self.set(name, Value::Number, env);
            }
        }
    }

    /// A value that bash takes for the name of a variable: a subscript in it is evaluated.
    pub(crate) fn named(&mut self, value: &Value, env: &Env, at: At) {
        if !is_harmless_within(value, env, 0)
            && value
                .known()
                .is_none_or(|text| text.contains(['[', '$', '`']))
        {
            self.push(at, env, Act::Opaque(Opacity::Arithmetic));
        }
    }

    /// A value that bash evaluates as arithmetic.
    pub(crate) fn evaluated(&mut self, value: &Value, env: &Env, at: At) {
        if !is_harmless(value, env) {
            self.push(at, env, Act::Opaque(Opacity::Arithmetic));
        }
    }
}

/// How many variables are followed whose value names the next.
const MOST_HOPS: usize = 8;

/// Whether evaluating a value runs nothing: it holds no subscript, and neither do the variables that it names.
pub(crate) fn is_harmless(value: &Value, env: &Env) -> bool {
    is_harmless_within(value, env, MOST_HOPS)
}

fn is_harmless_within(value: &Value, env: &Env, hops: usize) -> bool {
    match value {
        Value::Number => true,
        Value::Known(text) if text.contains(['[', '$', '`']) => false,
        Value::Known(text) => text
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
            .filter_map(|name| env.variables.get(name))
            .all(|value| hops > 0 && is_harmless_within(value, env, hops - 1)),
        // What comes from outside the script was not written by whoever wrote the script.
        Value::Unknown(Why::Variable | Why::Arithmetic) => true,
        Value::Array(items) => items.iter().all(|item| is_harmless_within(item, env, hops)),
        Value::Names(pattern) => pattern == NUMBER,
        Value::Listed(_) | Value::Unknown(_) => false,
    }
}

/// Whether an arithmetic name between two texts is assigned: `++x`, `x++`, `x = 1`, `x += 1`.
fn assigns(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    let after = after.trim_start();
    let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    before.ends_with("++")
        || before.ends_with("--")
        || after.starts_with("++")
        || after.starts_with("--")
        || (operator.starts_with('=') && !operator.starts_with("=="))
}

/// Whether a subscript is `@` or `*`.
pub(crate) fn is_all(subscript: &Arithmetic, sign: char) -> bool {
    match subscript.parts.as_slice() {
        [Part::Literal(text)] => text.chars().eq([sign]),
        [Part::Glob(text)] => text.chars().eq([sign]),
        _ => false,
    }
}

/// The one directory where the shell stands, if there is just one.
pub(crate) fn single(cwd: &[crate::path::AbsPath]) -> Option<String> {
    match cwd {
        [only] => Some(only.as_str().to_owned()),
        _ => None,
    }
}

/// A value that stands for any number of fields.
fn several(value: Value) -> Value {
    match value {
        Value::Array(items) => match <[Value; 1]>::try_from(items) {
            Ok([only]) => only,
            Err(items) if items.is_empty() => Value::empty(),
            Err(_) => Value::Unknown(Why::TooMany),
        },
        Value::Known(_)
        | Value::Number
        | Value::Names(_)
        | Value::Listed(_)
        | Value::Unknown(_) => value,
    }
}

impl Value {
    /// How a parameter without `@` stands in double quotes: `$*` and `${a[*]}` are joined by blanks.
    fn scalar_or_joined(self, parameter: &Parameter, env: &Env) -> Self {
        let star = parameter.name == "*"
            || parameter
                .subscript
                .as_ref()
                .is_some_and(|subscript| is_all(subscript, '*'));
        match (&self, star) {
            // They are joined by the first separator, whatever that is now.
            (Self::Array(_), true) if env.other_separators => Self::Unknown(Why::Transformation),
            (Self::Array(items), true) => {
                let texts: Option<Vec<_>> = items.iter().map(Self::known).collect();
                texts.map_or(Self::Unknown(Why::TooMany), |texts| {
                    Self::Known(texts.join(" "))
                })
            }
            _ => self.scalar(),
        }
    }
}

/// Collects the fields of one word.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the current field"
)]
struct Builder {
    fields: Vec<Field>,
    /// The text of the current field while it is known.
    text: String,
    /// The current field as a pattern.
    pattern: String,
    kind: Kind,
    /// Some of its literal text would run if the value were evaluated.
    live: bool,
    /// The current field exists even if it is empty.
    quoted: bool,
    /// The current field began with the value of a number.
    number: bool,
    /// Some of the pattern of the current field stands in the text.
    written: bool,
}

/// What the current field is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[default]
    Known,
    Names,
    Listed,
    Unknown {
        why: Why,
        single: bool,
    },
}

impl Builder {
    fn is_empty(&self) -> bool {
        self.kind == Kind::Known && self.text.is_empty()
    }

    fn literal(&mut self, text: &str) {
        self.live |= text.contains(['[', '$', '`']);
        if self.pattern.len() > MOST_FIELD {
            self.value(Value::Unknown(Why::TooMany), false, false);
        }
        match self.kind {
            Kind::Known => {
                self.text.push_str(text);
                push_literal(&mut self.pattern, text);
            }
            Kind::Names | Kind::Listed => push_literal(&mut self.pattern, text),
            Kind::Unknown { .. } => {}
        }
        if text.is_empty() {
            self.quoted = true;
        }
    }

    /// A pattern that stands in the text.
    fn written(&mut self, pattern: &str) {
        self.written = true;
        self.glob(pattern);
    }

    fn glob(&mut self, pattern: &str) {
        if self.pattern.len() > MOST_FIELD {
            self.value(Value::Unknown(Why::TooMany), false, false);
        }
        match self.kind {
            Kind::Known => self.kind = Kind::Names,
            Kind::Names | Kind::Listed | Kind::Unknown { .. } => {}
        }
        self.pattern.push_str(pattern);
    }

    fn value(&mut self, value: Value, quoted: bool, other_separators: bool) {
        match value {
            Value::Known(text) if quoted => self.literal(&text),
            Value::Known(text) => self.split(&text, other_separators),
            // Without quotes it may be no word at all: a program that fails prints none.
            Value::Number if !quoted => self.glob(&format!("{NUMBER}*")),
            Value::Number => {
                self.number = self.pattern.is_empty();
                self.glob(NUMBER);
            }
            Value::Names(pattern) => {
                self.number = self.pattern.is_empty() && pattern == NUMBER;
                self.glob(&pattern);
            }
            Value::Listed(pattern) => {
                self.glob(&pattern);
                if self.kind == Kind::Names {
                    self.kind = Kind::Listed;
                }
            }
            Value::Array(items) => {
                for (index, item) in items.into_iter().enumerate() {
                    if index > 0 {
                        self.separate();
                    }
                    self.value(item, quoted, other_separators);
                }
            }
            Value::Unknown(why) => match &mut self.kind {
                Kind::Unknown { single, .. } => *single &= quoted,
                Kind::Known | Kind::Names | Kind::Listed => {
                    // What is certain so far is the literal text in front.
                    self.text = literal_prefix(&self.pattern);
                    self.kind = Kind::Unknown {
                        why,
                        single: quoted,
                    };
                }
            },
        }
    }

    /// An unquoted value: it splits at blanks, and its wildcards are live.
    fn split(&mut self, text: &str, other_separators: bool) {
        if other_separators {
            self.value(Value::Unknown(Why::Transformation), false, true);
            return;
        }
        let mut rest = text;
        while !rest.is_empty() {
            if rest.starts_with([' ', '\t', '\n']) {
                self.separate();
                rest = rest.trim_start_matches([' ', '\t', '\n']);
                continue;
            }
            let end = rest.find([' ', '\t', '\n']).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(end);
            if word.contains(['*', '?', '[']) {
                // A backslash in a value is not an escape of the shell's text, so it stands for itself.
                self.written(&word.replace('\\', "\\\\"));
            } else {
                self.literal(word);
            }
            rest = tail;
        }
    }

    /// Ends the current field where it has anything in it.
    fn separate(&mut self) {
        let mut pattern = std::mem::take(&mut self.pattern);
        let text = std::mem::take(&mut self.text);
        let quoted = std::mem::take(&mut self.quoted);
        let live = std::mem::take(&mut self.live);
        let number = std::mem::take(&mut self.number);
        if std::mem::take(&mut self.written) && pattern.contains(MADE) {
            // What is there already under such a name may be a link.
            pattern = pattern.replace(MADE, "[0-9a-zA-Z]");
        }
        match std::mem::take(&mut self.kind) {
            Kind::Known if text.is_empty() && !quoted => {}
            Kind::Known => self.fields.push(Field::Known(text)),
            // What the text itself writes like the pattern of a number matches names of files, which may be anything.
            Kind::Names if pattern == NUMBER && !number => {
                self.fields.push(Field::Names(pattern + "*"));
            }
            Kind::Names => self.fields.push(Field::Names(pattern)),
            Kind::Listed => self.fields.push(Field::Listed(pattern)),
            Kind::Unknown { why, single } => {
                let why = if live { Why::TooMany } else { why };
                self.fields.push(Field::Unknown {
                    why,
                    prefix: text,
                    single,
                });
            }
        }
    }

    fn finish(mut self) -> Vec<Field> {
        self.separate();
        self.fields
    }
}

/// The words that brace expansion makes of one; nothing where there are too many.
fn braces(parts: &[Part]) -> Option<Vec<Vec<Part>>> {
    let mut out: Vec<Vec<Part>> = vec![Vec::new()];
    for part in parts {
        let choices: Vec<Vec<Part>> = match part {
            Part::Brace(Brace::Alternatives(words)) => {
                let mut choices = Vec::new();
                for word in words {
                    choices.extend(braces(&word.parts)?);
                }
                choices
            }
            Part::Brace(Brace::Range { from, to, step }) => range(from, to, step.as_deref())?
                .into_iter()
                .map(|text| vec![Part::Literal(text)])
                .collect(),
            other => {
                for word in &mut out {
                    word.push(other.clone());
                }
                continue;
            }
        };
        if out.len().saturating_mul(choices.len()) > MOST_WORDS {
            return None;
        }
        let front = std::mem::take(&mut out);
        for word in &front {
            out.extend(
                choices
                    .iter()
                    .map(|choice| word.iter().chain(choice).cloned().collect()),
            );
        }
    }
    Some(out)
}

/// The texts of `{from..to..step}`.
fn range(from: &str, to: &str, step: Option<&str>) -> Option<Vec<String>> {
    let step = step
        .map_or(Some(1), |step| step.parse::<i64>().ok())?
        .unsigned_abs()
        .max(1);
    let most = u64::try_from(MOST_WORDS).ok()?;
    if let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) {
        if first.abs_diff(last) / step > most {
            return None;
        }
        let padded = [from, to]
            .iter()
            .any(|text| text.trim_start_matches('-').starts_with('0') && text.len() > 1);
        let width = if padded { from.len().max(to.len()) } else { 0 };
        let count = first.abs_diff(last) / step;
        return (0..=count)
            .map(|index| {
                let distance = i64::try_from(index.checked_mul(step)?).ok()?;
                let value = if first <= last {
                    first + distance
                } else {
                    first - distance
                };
                Some(format!("{value:0width$}"))
            })
            .collect();
    }
    let (first, last) = (single_char(from)?, single_char(to)?);
    let (low, high) = (u64::from(u32::from(first)), u64::from(u32::from(last)));
    let count = low.abs_diff(high) / step;
    (0..=count)
        .map(|index| {
            let distance = index * step;
            let code = if low <= high {
                low + distance
            } else {
                low - distance
            };
            u32::try_from(code)
                .ok()
                .and_then(char::from_u32)
                .map(String::from)
        })
        .collect()
}

fn single_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars
        .next()
        .filter(|c| c.is_ascii() && chars.next().is_none())
}

/// A field's text as a pattern, where it has one.
pub(crate) fn pattern_of(field: &Field) -> Option<String> {
    match field {
        Field::Known(text) => Some(literal_pattern(text)),
        Field::Names(pattern) | Field::Listed(pattern) => Some(pattern.clone()),
        Field::Unknown { .. } => None,
    }
}
