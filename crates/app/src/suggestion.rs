//! Rule lines under which a call would be allowed, as narrow as its requests. They are tried before they are shown: the
//! user's file with the lines added is read and the call is judged by it.

use crate::configuration;
use crate::judged::Judged;
use countersign_policy::action::Action;
use countersign_policy::effects::command::Field;
use countersign_policy::path::AbsPath;
use countersign_policy::printable::is_hidden;
use countersign_policy::request::{Kind, PathTarget, Request, Target};
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::pattern::command::CommandPattern;
use countersign_policy::rules::pattern::host::HostPattern;
use countersign_policy::rules::pattern::name::NamePattern;
use countersign_policy::rules::pattern::path::PathPattern;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use countersign_policy::verdict::Verdict;
use std::fmt::Write as _;

/// More lines than this are no suggestion any more.
const MOST_LINES: usize = 12;

/// What one line would allow.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    kind: Kind,
    pattern: String,
}

/// Lines under which the call is allowed; nothing where there are none.
pub(crate) fn suggest(judged: &Judged) -> Option<Vec<String>> {
    let mut lines: Vec<Line> = Vec::new();
    for finding in &judged.verdict.findings {
        if finding.action != Action::Allow {
            let line = line(&finding.request, &judged.setting.session)?;
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    if lines.len() > MOST_LINES || !holds(judged, &lines) {
        return None;
    }
    // A line that is not needed would only allow more.
    for line in lines.clone() {
        let fewer: Vec<Line> = lines
            .iter()
            .filter(|other| **other != line)
            .cloned()
            .collect();
        if holds(judged, &fewer) {
            lines = fewer;
        }
    }
    let text = [tables(&lines), entries(&lines)]
        .into_iter()
        .find(|text| allows(judged, text))?;
    Some(text.lines().map(str::to_owned).collect())
}

/// A pattern as the rule language writes it, for exactly what a request asks for; nothing where no rule could say it.
pub(crate) fn pattern(request: &Request, session: &Session) -> Option<String> {
    match &request.target {
        Target::Command(line) if line.changed_by.is_empty() => {
            let words: Option<Vec<&str>> = line.words.iter().map(Field::known).collect();
            Some(CommandPattern::literal(&words?).to_string())
        }
        Target::Command(_) | Target::Opaque(_) => None,
        Target::Path(path) => path_pattern(path, session),
        Target::Host(host) => Some(HostPattern::literal(host).to_string()),
        Target::Name(name) => Some(match (request.kind, name.split_once('/')) {
            (Kind::Mcp, Some((server, tool))) => {
                NamePattern::literal_qualified(server, tool).to_string()
            }
            (_, _) => NamePattern::literal(name).to_string(),
        }),
    }
}

/// A line of a table, written as TOML.
pub(crate) fn written(kind: Kind, pattern: &str) -> String {
    format!("{} = {}", kind.name(), quoted(pattern))
}

fn line(request: &Request, session: &Session) -> Option<Line> {
    Some(Line {
        kind: request.kind,
        pattern: pattern(request, session)?,
    })
}

/// The pattern of one place, or of everything below it; several places need several rules, and are left to a person.
fn path_pattern(path: &PathTarget, session: &Session) -> Option<String> {
    let [place] = path.places.as_slice() else {
        return None;
    };
    let wide = path.recursive || path.pattern.is_some();
    let literal = |path: &AbsPath| {
        if wide {
            PathPattern::directory(path).to_string()
        } else {
            PathPattern::literal(path).to_string()
        }
    };
    let below = |base: &Option<AbsPath>| {
        let rest = place.below(base.as_ref()?)?;
        let text = literal(&AbsPath::root().join(rest));
        text.strip_prefix('/').map(str::to_owned)
    };
    if let Some(text) = below(&session.workspace) {
        return Some(text);
    }
    match below(&session.home) {
        Some(text) => Some(format!("~{text}")),
        None => Some(literal(place)),
    }
}

/// Whether the call would be allowed with these lines.
fn holds(judged: &Judged, lines: &[Line]) -> bool {
    allows(judged, &entries(lines))
}

/// Whether the call would be allowed with this text added to the user's file.
fn allows(judged: &Judged, text: &str) -> bool {
    with(judged, text).is_some_and(|verdict| verdict.action == Action::Allow)
}

/// The verdict with this text added to the user's file; nothing where the file would not be in order.
fn with(judged: &Judged, text: &str) -> Option<Verdict> {
    let rules = &judged.setting.rules.set;
    let path = judged.rules.as_ref()?;
    let origin = path.display().to_string();
    let before = configuration::source(path).unwrap_or_default();
    let known = parse(&before, &origin, Authority::User).diagnostics.len();
    let parsed = parse(&format!("{before}\n{text}"), &origin, Authority::User);
    if parsed.diagnostics.len() > known || parsed.layer.broken.is_some() {
        return None;
    }
    let others = rules.layers().iter();
    let mut layers: Vec<Layer> = others
        .filter(|layer| layer.authority != Authority::User)
        .cloned()
        .collect();
    layers.push(parsed.layer);
    let rules = RuleSet::new(layers);
    Some(judged.again(&rules, judged.setting.mode))
}

/// The lines as one table, the form that a person would write; a file that has the table already cannot take it.
fn tables(lines: &[Line]) -> String {
    let mut out = "[allow]\n".to_owned();
    for kind in Kind::ALL {
        let patterns: Vec<String> = lines
            .iter()
            .filter(|line| line.kind == kind)
            .map(|line| quoted(&line.pattern))
            .collect();
        if !patterns.is_empty() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{} = [{}]", kind.name(), patterns.join(", "));
        }
    }
    out
}

/// The lines as entries, which any file can take at its end.
fn entries(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        let _ = writeln!(
            out,
            "[[rule]]\nallow = {{ {} }}",
            written(line.kind, &line.pattern)
        );
    }
    out
}

/// A text as a TOML string. What cannot be seen is escaped, so that what is copied from the screen means the same.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if is_hidden(c) => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn p13_strings_mean_the_same_after_they_were_shown() {
        assert_eq!(quoted("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(quoted("a\nb\u{202e}"), r#""a\U0000000Ab\U0000202E""#);
    }
}
