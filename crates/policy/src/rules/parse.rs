//! Reads a rule file: everything that is wrong with it is collected, and what can be read of it holds all the same.

pub mod diagnostic;
mod entry;
mod nearest;
pub mod parsed;
mod reader;
pub(crate) mod timestamp;

use self::parsed::Parsed;
use self::reader::Reader;
use super::approvals::Approvals;
use super::directories::Directories;
use super::pattern::path::PathPattern;
use super::rule::Authority;
use crate::action::Action;
use crate::mode::Mode;
use crate::request::{Category, Kind};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The version of the language.
const VERSION: &str = "1";

/// The keys of a file.
const KEYS: [&str; 9] = [
    "version",
    "mode",
    "approvals",
    "category",
    "allow",
    "ask",
    "deny",
    "rule",
    "mcp_directories",
];

/// Reads a rule file. `origin` is the file as the user knows it. Examples are checked by [`Parsed::check_examples`].
pub fn parse(text: &str, origin: &str, authority: Authority) -> Parsed {
    let mut reader = Reader::new(text, origin, authority);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        reader.syntax_error(&error);
    }
    let document = document.get_ref();
    for (key, value) in document {
        let name = key.get_ref().as_ref();
        match name {
            "version" => version(&mut reader, value),
            "mode" => {
                let names = Mode::ALL.map(Mode::name);
                reader.layer.mode = reader.name(value, "mode", &names).and_then(Mode::parse);
            }
            "approvals" => {
                let names = Approvals::ALL.map(Approvals::name);
                reader.layer.approvals = reader
                    .name(value, "answer to `approvals`", &names)
                    .and_then(Approvals::parse);
            }
            "category" => categories(&mut reader, value),
            "rule" => entry::entries(&mut reader, value),
            "mcp_directories" => directories(&mut reader, value),
            _ => match Action::parse(name) {
                Some(action) => table(&mut reader, action, value),
                None => reader.unknown(key.span(), "key", name, &KEYS),
            },
        }
    }
    reader.finish()
}

/// Reads `version`.
fn version(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) {
    match value.get_ref() {
        DeValue::Integer(number) if number.as_str() == VERSION && number.radix() == 10 => {}
        DeValue::Integer(number) => reader.error(
            value.span(),
            format!("version `{number}` is not known"),
            format!("write `version = {VERSION}`, or update countersign"),
        ),
        DeValue::String(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => reader.wrong_type(value, "`version`", "a number"),
    }
}

/// Reads `category`.
fn categories(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong_type(value, "`category`", "a table like `{ builds = \"allow\" }`");
        return;
    };
    let names = Category::ALL.map(Category::name);
    for (key, value) in table {
        let Some(category) = Category::parse(key.get_ref()) else {
            reader.unknown(key.span(), "category", key.get_ref(), &names);
            continue;
        };
        let action = reader.name(value, "action", &Action::ALL.map(Action::name));
        match action.and_then(Action::parse) {
            Some(Action::Allow) if category == Category::Opaque => reader.error(
                value.span(),
                "what cannot be told is never allowed",
                "write `ask` or `deny` for `opaque`",
            ),
            Some(action) => reader.layer.category.push((category, action)),
            None => {}
        }
    }
}

/// Reads `mcp_directories`: servers, each with the directories in which the paths that it is given must lie.
fn directories(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) {
    let DeValue::Table(table) = value.get_ref() else {
        let wanted = "a table of servers, like `files = [\"~/notes\"]`";
        reader.wrong_type(value, "`mcp_directories`", wanted);
        return;
    };
    for (key, value) in table {
        let mut patterns = Vec::new();
        for (span, text) in reader.strings(value, "directory") {
            if !text.starts_with(['/', '~']) {
                reader.error(
                    span,
                    format!("`{text}` does not say where it begins"),
                    "begin with `/` (project), `//` (disk) or `~` (home)",
                );
                continue;
            }
            match PathPattern::parse(text) {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => reader.pattern_error(span, error),
            }
        }
        // A server whose directories are wrong gets none: the limit holds all the same.
        let (line, _) = reader.place(key.span().start);
        reader.layer.directories.push(Directories {
            server: key.get_ref().to_string(),
            patterns,
            line,
        });
    }
}

/// Reads `[allow]`, `[ask]` or `[deny]`.
fn table(reader: &mut Reader<'_>, action: Action, value: &Spanned<DeValue<'_>>) {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong_type(
            value,
            &format!("`{}`", action.name()),
            "a table of kinds, like `shell = [\"git fetch *\"]`",
        );
        return;
    };
    let terms = std::sync::Arc::default();
    for (key, value) in table {
        let Some(kind) = Kind::parse(key.get_ref()) else {
            reader.unknown(
                key.span(),
                "kind",
                key.get_ref(),
                &Kind::ALL.map(Kind::name),
            );
            continue;
        };
        for (span, pattern) in reader.patterns(kind, value) {
            reader.push(action, kind, pattern, &terms, span.start);
        }
    }
}
