//! Reads the `[[rule]]` entries of a rule file.

use super::parsed::Example;
use super::reader::{Place, Reader};
use super::timestamp;
use crate::action::Action;
use crate::mode::Mode;
use crate::request::Kind;
use crate::rules::confinement::Confinement;
use crate::rules::pattern::argument::Argument;
use crate::rules::pattern::path::PathPattern;
use crate::rules::pattern::{Pattern, contained};
use crate::rules::rule::{Authority, Terms};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of an entry.
const KEYS: [&str; 15] = [
    "id",
    "allow",
    "ask",
    "deny",
    "with",
    "without",
    "unless",
    "in",
    "until",
    "person",
    "confine",
    "reason",
    "hint",
    "matches",
    "not_matches",
];

/// A kind with its patterns, where they could be read.
type Subject = (Option<Kind>, Vec<(Place, Pattern)>);

/// What an entry says so far.
#[derive(Default)]
struct Entry {
    /// The action with its place and its patterns.
    actions: Vec<(Place, Action, Subject)>,
    /// Everything else.
    terms: Terms,
    /// The exception with its place.
    unless: Option<(Place, Kind, Pattern)>,
    /// Where keys stand whose meaning depends on others.
    keys: Vec<(&'static str, Place)>,
    /// Examples: text, whether it should match, and where it stands.
    examples: Vec<(String, bool, Place)>,
}

/// Reads all entries.
pub(super) fn entries(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) {
    match value.get_ref() {
        DeValue::Array(items) => {
            for item in items {
                match item.get_ref() {
                    DeValue::Table(table) => entry(reader, table, item.span()),
                    DeValue::String(_)
                    | DeValue::Integer(_)
                    | DeValue::Float(_)
                    | DeValue::Boolean(_)
                    | DeValue::Datetime(_)
                    | DeValue::Array(_) => reader.wrong_type(item, "the rule", "`[[rule]]`"),
                }
            }
        }
        DeValue::Table(table) => {
            reader.error(
                value.span(),
                "`rule` is one table",
                "write `[[rule]]`, with two brackets, above each rule",
            );
            // It is clear what was meant, so that its asks and denies hold.
            entry(reader, table, value.span());
        }
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => reader.wrong_type(value, "`rule`", "`[[rule]]`"),
    }
}

/// Reads one entry.
fn entry(reader: &mut Reader<'_>, table: &DeTable<'_>, span: Place) {
    let errors = reader.errors();
    let mut entry = Entry::default();
    for (key, value) in table {
        read_key(reader, &mut entry, key, value);
    }
    let Some((kind, action)) = check(reader, &mut entry, span) else {
        return;
    };
    // An allow of which a part is lost may have become wider; an ask or deny in that state only asks too much.
    if action == Action::Allow && reader.errors() > errors {
        return;
    }
    let Entry {
        actions,
        terms,
        examples,
        ..
    } = entry;
    let terms = Arc::new(terms);
    let first = reader.layer.rules.len();
    for (span, pattern) in actions
        .into_iter()
        .flat_map(|(_, _, (_, patterns))| patterns)
    {
        reader.push(action, kind, pattern, &terms, span.start);
    }
    let rules = first..reader.layer.rules.len();
    for (text, expected, span) in examples {
        let place = reader.place(span.start);
        reader.examples.push(Example {
            rules: rules.clone(),
            text,
            expected,
            place,
        });
    }
}

/// Reads one key of an entry.
fn read_key(
    reader: &mut Reader<'_>,
    entry: &mut Entry,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) {
    let name = key.get_ref().as_ref();
    if let Some(action) = Action::parse(name) {
        let subject = kind_and_patterns(reader, name, value);
        entry.actions.push((key.span(), action, subject));
        return;
    }
    if let Some(known) = KEYS.into_iter().find(|known| *known == name) {
        entry.keys.push((known, key.span()));
    }
    let terms = &mut entry.terms;
    match name {
        "id" => terms.id = id(reader, value),
        "reason" => terms.reason = reader.string(value, "reason").map(str::to_owned),
        "hint" => terms.hint = reader.string(value, "hint").map(str::to_owned),
        "with" => {
            let errors = reader.errors();
            terms.with = arguments(reader, value);
            // With one of several lost the rule would say less than was meant; without `with` it says more.
            if reader.errors() > errors {
                terms.with.clear();
            }
        }
        "without" => terms.without = arguments(reader, value),
        "unless" => {
            let (kind, patterns) = kind_and_patterns(reader, name, value);
            entry.unless = kind
                .zip(one(reader, value, patterns))
                .map(|(kind, pattern)| (value.span(), kind, pattern));
        }
        "in" => terms.directory = directory(reader, value),
        "until" => terms.until = until(reader, value),
        "person" => terms.person = boolean(reader, value, "`person`"),
        "confine" => terms.confine = confinement(reader, value),
        "matches" | "not_matches" => {
            let texts = reader.strings(value, "example");
            let expected = name == "matches";
            entry.examples.extend(
                texts
                    .into_iter()
                    .map(|(at, text)| (text.to_owned(), expected, at)),
            );
        }
        _ if reader.layer.authority == Authority::Builtin => {
            read_private_key(reader, terms, key, value);
        }
        _ => reader.unknown(key.span(), "key", name, &KEYS),
    }
}

/// Reads a key that only the built-in table has.
fn read_private_key(
    reader: &mut Reader<'_>,
    terms: &mut Terms,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) {
    match key.get_ref().as_ref() {
        "by" => {
            let programs = reader.strings(value, "program");
            terms.by = programs
                .into_iter()
                .map(|(_, text)| text.to_owned())
                .collect();
        }
        "recursive" => terms.recursive = boolean(reader, value, "`recursive`"),
        "outside" => terms.outside = boolean(reader, value, "`outside`"),
        "modes" => {
            let names = Mode::ALL.map(Mode::name);
            for (span, text) in reader.strings(value, "mode") {
                match Mode::parse(text) {
                    Some(mode) => terms.modes.push(mode),
                    None => reader.unknown(span, "mode", text, &names),
                }
            }
        }
        other => reader.unknown(key.span(), "key", other, &KEYS),
    }
}

/// Checks what depends on several keys; nothing where no rule comes of the entry.
fn check(reader: &mut Reader<'_>, entry: &mut Entry, span: Place) -> Option<(Kind, Action)> {
    entry.actions.sort_by_key(|(place, ..)| place.start);
    if let [_, (second, ..), ..] = entry.actions.as_slice() {
        reader.error(
            second.clone(),
            "a rule has one action",
            "write a `[[rule]]` of its own for the other action",
        );
        // The strictest one is what is kept.
        entry
            .actions
            .sort_by_key(|(_, action, ..)| std::cmp::Reverse(*action));
        entry.actions.truncate(1);
    }
    let unless = entry.unless.take();
    let Some((_, action, (kind, patterns))) = entry.actions.first() else {
        reader.error(
            span,
            "the rule has no action",
            "add one like `ask = { shell = \"git push *\" }`",
        );
        return None;
    };
    let (action, kind) = (*action, (*kind)?);
    entry.terms.unless = unless.and_then(|unless| exception(reader, unless, kind, patterns));
    check_arguments(reader, entry, kind);
    check_action(reader, entry, action);
    Some((kind, action))
}

/// Checks `unless`; nothing where it cannot hold.
fn exception(
    reader: &mut Reader<'_>,
    (span, unless_kind, unless): (Place, Kind, Pattern),
    kind: Kind,
    patterns: &[(Place, Pattern)],
) -> Option<Pattern> {
    if unless_kind != kind {
        reader.error(
            span,
            format!(
                "`unless` is about `{}`, the rule about `{}`",
                unless_kind.name(),
                kind.name()
            ),
            "an exception is of the same kind as its rule",
        );
        return None;
    }
    if !patterns.is_empty()
        && patterns
            .iter()
            .all(|(_, pattern)| contained(pattern, &unless))
    {
        reader.warning(
            span,
            "the rule can never match: `unless` exempts all of it",
            "make the exception narrower",
        );
    }
    Some(unless)
}

/// Checks `with` and `without`.
fn check_arguments(reader: &mut Reader<'_>, entry: &Entry, kind: Kind) {
    let terms = &entry.terms;
    let keys = entry
        .keys
        .iter()
        .filter(|(key, _)| matches!(*key, "with" | "without"));
    for (key, span) in keys {
        if kind != Kind::Shell {
            reader.error(
                span.clone(),
                format!(
                    "`{key}` is about the arguments of a command, the rule about `{}`",
                    kind.name()
                ),
                "use it with `shell` only",
            );
        } else if *key == "without"
            && !terms.with.is_empty()
            && terms.with.iter().all(|with| terms.without.contains(with))
        {
            reader.warning(
                span.clone(),
                "the rule can never match: `without` excludes all that `with` wants",
                "remove one of the two",
            );
        }
    }
}

/// Checks the keys that only some actions have.
fn check_action(reader: &mut Reader<'_>, entry: &mut Entry, action: Action) {
    for (key, span) in std::mem::take(&mut entry.keys) {
        match (key, action) {
            ("person", Action::Allow | Action::Deny) => reader.error(
                span,
                format!(
                    "`person` says nothing in a rule that is `{}`",
                    action.name()
                ),
                "use it with `ask`",
            ),
            ("confine", Action::Ask | Action::Deny) => reader.error(
                span,
                format!(
                    "`confine` says nothing in a rule that is `{}`",
                    action.name()
                ),
                "use it with `allow`",
            ),
            _ => {}
        }
    }
}

/// Reads `{ kind = pattern }`.
fn kind_and_patterns(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Subject {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong_type(
            value,
            &format!("`{key}`"),
            "a kind with a pattern, like `{ shell = \"git push *\" }`",
        );
        return (None, Vec::new());
    };
    let mut found = None;
    let mut pairs: Vec<_> = table.iter().collect();
    pairs.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in pairs {
        let Some(kind) = Kind::parse(key.get_ref()) else {
            reader.unknown(
                key.span(),
                "kind",
                key.get_ref(),
                &Kind::ALL.map(Kind::name),
            );
            continue;
        };
        if found.is_some() {
            reader.error(
                key.span(),
                "a rule is about one kind",
                "write a `[[rule]]` of its own for the other kind",
            );
            continue;
        }
        let patterns = reader.patterns(kind, value);
        found = Some((kind, patterns));
    }
    if found.is_none() && table.is_empty() {
        reader.error(
            value.span(),
            format!("`{key}` is empty"),
            "add a kind with a pattern, like `{ shell = \"git push *\" }`",
        );
    }
    found.map_or((None, Vec::new()), |(kind, patterns)| {
        (Some(kind), patterns)
    })
}

/// The only pattern of an exception.
fn one(
    reader: &mut Reader<'_>,
    value: &Spanned<DeValue<'_>>,
    patterns: Vec<(Place, Pattern)>,
) -> Option<Pattern> {
    if patterns.len() > 1 {
        reader.error(
            value.span(),
            "an exception has one pattern",
            "write one rule for each exception",
        );
    }
    patterns.into_iter().next().map(|(_, pattern)| pattern)
}

/// Reads `id`, which is unique in its file.
fn id(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let text = reader.string(value, "id")?;
    let (line, _) = reader.place(value.span().start);
    if text.is_empty() {
        reader.error(
            value.span(),
            "the id is empty",
            "write a short name like `no-force`",
        );
        return None;
    }
    let earlier = reader
        .ids
        .iter()
        .find(|(id, _)| id == text)
        .map(|(_, line)| *line);
    if let Some(earlier) = earlier {
        reader.error(
            value.span(),
            format!("the id `{text}` is taken by the rule in line {earlier}"),
            "give each rule an id of its own",
        );
    }
    reader.ids.push((text.to_owned(), line));
    Some(text.to_owned())
}

/// Reads `with` or `without`.
fn arguments(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Argument> {
    let mut out = Vec::new();
    for (span, text) in reader.strings(value, "argument") {
        match Argument::parse(text) {
            Ok(argument) => out.push(argument),
            Err(error) => reader.pattern_error(span, error),
        }
    }
    out
}

/// Reads `in`.
fn directory(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<PathPattern> {
    let patterns = reader.patterns(Kind::Read, value);
    match one(reader, value, patterns)? {
        Pattern::Path(pattern) => Some(pattern),
        Pattern::Command(_) | Pattern::Host(_) | Pattern::Name(_) => None,
    }
}

/// Reads `until`, a timestamp or a string that holds one.
fn until(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<i64> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Datetime(datetime) => datetime.to_string(),
        DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => {
            reader.wrong_type(value, "`until`", "a timestamp like `2027-01-31T18:00:00Z`");
            return None;
        }
    };
    let seconds = timestamp::seconds(&text);
    if seconds.is_none() {
        reader.error(
            value.span(),
            format!("`{text}` is not a timestamp with an offset"),
            "write one like `2027-01-31T18:00:00Z`",
        );
    }
    seconds
}

/// Reads true or false.
fn boolean(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, what: &str) -> bool {
    if let DeValue::Boolean(value) = value.get_ref() {
        return *value;
    }
    reader.wrong_type(value, what, "`true` or `false`");
    false
}

/// Reads `confine`.
fn confinement(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Confinement> {
    let names = Confinement::ALL.map(Confinement::name);
    let mut out = Vec::new();
    for (span, text) in reader.strings(value, "confinement") {
        match Confinement::parse(text) {
            Some(confinement) => out.push(confinement),
            None => reader.unknown(span, "confinement", text, &names),
        }
    }
    out
}
