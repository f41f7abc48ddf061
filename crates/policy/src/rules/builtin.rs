//! The built-in layer: countersign's own table, written in the rule language and compiled at build time; it lies below
//! every file.

use super::layer::Layer;
use super::pattern::Pattern;
use super::pattern::argument::Argument;
use super::rule::{Authority, Rule, Terms};
use crate::action::Action;
use crate::mode::Mode;
use crate::request::Kind;
use std::sync::Arc;

/// The text of the built-in table.
pub const TEXT: &str = include_str!("builtin.toml");

/// The name by which the table is known.
pub const ORIGIN: &str = "built-in";

/// The built-in layer. A pattern that could not be read would mark the layer broken, so that nothing is allowed; the
/// tests hold that none is.
pub fn builtin() -> Layer {
    let origin: Arc<str> = Arc::from(ORIGIN);
    let mut layer = Layer::empty(Authority::Builtin, ORIGIN);
    // A hook process reads the table anew for each call: nothing is copied as the list grows.
    layer
        .rules
        .reserve_exact(TABLE.iter().map(|entry| entry.patterns.len()).sum());
    for entry in TABLE {
        let terms = Arc::new(entry.terms());
        for (text, line) in entry.patterns {
            match Pattern::parse(entry.kind, text) {
                Ok(pattern) => layer.rules.push(Rule {
                    authority: Authority::Builtin,
                    action: entry.action,
                    kind: entry.kind,
                    pattern,
                    terms: Arc::clone(&terms),
                    origin: Arc::clone(&origin),
                    line: *line,
                }),
                Err(error) => layer.broken = Some(format!("{ORIGIN}:{line}: {}", error.message)),
            }
        }
    }
    layer
}

/// One entry of the compiled table.
struct Entry {
    action: Action,
    kind: Kind,
    patterns: &'static [(&'static str, usize)],
    id: Option<&'static str>,
    reason: Option<&'static str>,
    hint: Option<&'static str>,
    with: &'static [&'static str],
    without: &'static [&'static str],
    by: &'static [&'static str],
    recursive: bool,
    outside: bool,
    modes: &'static [Mode],
}

impl Entry {
    fn terms(&self) -> Terms {
        Terms {
            id: self.id.map(str::to_owned),
            reason: self.reason.map(str::to_owned),
            hint: self.hint.map(str::to_owned),
            with: arguments(self.with),
            without: arguments(self.without),
            by: self.by.iter().map(|name| (*name).to_owned()).collect(),
            recursive: self.recursive,
            outside: self.outside,
            modes: self.modes.to_vec(),
            ..Terms::default()
        }
    }
}

fn arguments(texts: &[&str]) -> Vec<Argument> {
    let parsed = texts.iter().map(|text| Argument::parse(text));
    parsed.filter_map(Result::ok).collect()
}

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

#[cfg(test)]
mod tests {
    use super::{ORIGIN, TEXT, builtin};
    use crate::rules::parse::parse;
    use crate::rules::rule::Authority;

    #[test]
    fn p3_the_compiled_table_is_what_the_language_reads() {
        let read = parse(TEXT, ORIGIN, Authority::Builtin);
        assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        let sorted = |layer: crate::rules::layer::Layer| {
            assert_eq!(layer.broken, None);
            let mut rules: Vec<String> = layer
                .rules
                .iter()
                .map(|rule| format!("{:05} {rule:?}", rule.line))
                .collect();
            rules.sort();
            rules
        };
        assert_eq!(sorted(builtin()), sorted(read.layer));
    }
}
