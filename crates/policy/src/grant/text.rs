//! Grants as the TOML file in which they are kept, strictly read: a file that is not in order grants nothing. Adding
//! and taking out change no other line, so that comments and order stay.

use super::{Allowed, Exactly, Form, Grant};
use crate::path::AbsPath;
use crate::printable::is_hidden;
use crate::request::Kind;
use crate::rules::parse::timestamp::seconds;
use crate::rules::pattern::command::CommandPattern;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The version of the file.
const VERSION: &str = "1";
/// The most grants of one project.
const MOST: usize = 4096;

/// The beginning of a new file, for the repository with this name.
pub fn head(project: &str) -> String {
    format!(
        "# What you allowed for longer than once in this project. `countersign grants` lists and revokes.\n\
         version = {VERSION}\nproject = {}\n",
        quoted(project)
    )
}

/// The text of the file with one more grant.
pub fn with(text: &str, grant: &Grant) -> String {
    let mut out = text.to_owned();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push('\n');
    out.push_str(&entry(grant));
    out
}

/// The text of the file without a grant, nothing where it has none of that name or the rest would not stay as it is.
pub fn without(text: &str, id: &str) -> Option<String> {
    let before = read(text).ok()?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let heads: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.trim() == "[[grant]]")
        .map(|(at, _)| at)
        .collect();
    for (number, start) in heads.iter().enumerate() {
        let end = heads.get(number + 1).copied().unwrap_or(lines.len());
        // Comments and blank lines in front of the next grant are its own.
        let body = lines.get(*start..end)?;
        let tail = body
            .iter()
            .rev()
            .take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
            .count();
        let rest = lines.get(..*start)?.concat() + &lines.get(end - tail..)?.concat();
        let expected: Vec<&Grant> = before.iter().filter(|grant| grant.id != id).collect();
        if expected.len() < before.len()
            && read(&rest).is_ok_and(|after| after.iter().eq(expected.iter().copied()))
        {
            return Some(rest);
        }
    }
    None
}

/// One grant as text.
fn entry(grant: &Grant) -> String {
    let mut out = String::from("[[grant]]\n");
    let mut line = |key: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{key} = {value}");
    };
    line("id", &quoted(&grant.id));
    match &grant.allows {
        Allowed::Form(form) => {
            let (key, value) = match form {
                Form::Command { family, .. } => ("shell", family.to_string()),
                Form::Path { kind, place } => (kind.name(), place.to_string()),
                Form::Directory { place, .. } => ("external_directory", place.to_string()),
                Form::Host(host) => ("net", host.clone()),
                Form::Name { kind, name } => (kind.name(), name.clone()),
            };
            line("allow", &format!("{{ {key} = {} }}", quoted(&value)));
            if let Form::Command {
                program: Some(program),
                ..
            } = form
            {
                line("program", &quoted(program.as_str()));
            }
            if let Form::Directory { changes, .. } = form {
                line("changes", if *changes { "true" } else { "false" });
            }
        }
        Allowed::Exactly(exactly) => {
            line("tool", &quoted(&exactly.tool));
            line("call", &quoted(&exactly.text));
            line("in", &quoted(exactly.cwd.as_str()));
            let asks: Vec<String> = exactly.asks.iter().map(|ask| quoted(ask)).collect();
            line("asks", &format!("[{}]", asks.join(", ")));
            let files = exactly.files.iter();
            let files: Vec<String> = files
                .map(|(file, digest)| format!("{} = {}", quoted(file.as_str()), quoted(digest)))
                .collect();
            line("files", &format!("{{ {} }}", files.join(", ")));
        }
    }
    if let Some(until) = grant.until {
        line("until", &until.to_string());
    }
    if let Some(session) = &grant.session {
        line("session", &quoted(session));
    }
    line("saved", &quoted(&grant.saved));
    line("by", &quoted(&grant.by));
    line("question", &quoted(&grant.question));
    line("asked", &quoted(&grant.asked));
    let askers: Vec<String> = grant.askers.iter().map(|asker| quoted(asker)).collect();
    line("askers", &format!("[{}]", askers.join(", ")));
    out
}

/// The grants of a file, or what is wrong with it and on which line.
pub fn read(text: &str) -> Result<Vec<Grant>, String> {
    let at = |offset: usize| {
        text.bytes()
            .take(offset)
            .filter(|byte| *byte == b'\n')
            .count()
            + 1
    };
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| at(span.start));
        format!("line {line}: {}", error.message())
    })?;
    let mut fields = Fields::of(table.get_ref());
    let version = fields.take("version");
    if version.and_then(|value| number(value.get_ref())) != VERSION.parse().ok() {
        return Err(format!("line 1: its version is not {VERSION}"));
    }
    fields.text("project")?;
    let entries = match fields.take("grant").map(Spanned::get_ref) {
        None => Vec::new(),
        Some(DeValue::Array(entries)) => entries.iter().collect(),
        Some(_) => return Err("`grant` is not a list of tables".to_owned()),
    };
    fields.nothing_else()?;
    if entries.len() > MOST {
        return Err(format!("it has more than {MOST} grants"));
    }
    let mut out: Vec<Grant> = Vec::new();
    for entry in entries {
        let line = at(entry.span().start);
        let wrong = |why: String| format!("line {line}: {why}");
        let fields = entry.get_ref().as_table();
        let fields = fields.ok_or_else(|| wrong("`grant` is not a table".to_owned()))?;
        let grant = grant(Fields::of(fields)).map_err(wrong)?;
        if out.iter().any(|known| known.id == grant.id) {
            return Err(wrong(format!("`{}` stands there twice", grant.id)));
        }
        out.push(grant);
    }
    Ok(out)
}

fn grant(mut fields: Fields<'_>) -> Result<Grant, String> {
    let allows = match fields.take("allow") {
        Some(value) => {
            let allow = value.get_ref().as_table().ok_or("`allow` is not a table")?;
            Allowed::Form(form(Fields::of(allow), &mut fields)?)
        }
        None => Allowed::Exactly(exactly(&mut fields)?),
    };
    let until = match fields.take("until").map(Spanned::get_ref) {
        None => None,
        Some(value) => Some(until(value).ok_or("`until` is no time")?),
    };
    let grant = Grant {
        id: fields.text("id")?,
        allows,
        until,
        session: fields.optional("session")?,
        saved: fields.text("saved")?,
        by: fields.text("by")?,
        question: fields.text("question")?,
        asked: fields.text("asked")?,
        askers: fields.texts("askers")?,
    };
    fields.nothing_else()?;
    Ok(grant)
}

/// Seconds of the Unix clock, or a timestamp.
fn until(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Datetime(time) => seconds(&time.to_string()),
        value => number(value),
    }
}

fn number(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

fn form(mut allow: Fields<'_>, around: &mut Fields<'_>) -> Result<Form, String> {
    let (key, _) = allow.left.iter().next().ok_or("`allow` is empty")?;
    let key = (*key).to_owned();
    let kind = Kind::parse(&key).ok_or_else(|| format!("`{key}` is no kind"))?;
    let value = allow.text(&key)?;
    allow.nothing_else()?;
    let place = || AbsPath::parse(&value).ok_or_else(|| format!("`{value}` is no absolute path"));
    Ok(match kind {
        Kind::Shell => Form::Command {
            family: CommandPattern::parse(&value).map_err(|error| error.message)?,
            program: around.path("program")?,
        },
        Kind::Read | Kind::Edit | Kind::Delete => Form::Path {
            kind,
            place: place()?,
        },
        Kind::ExternalDirectory => Form::Directory {
            place: place()?,
            changes: match around.take("changes").map(Spanned::get_ref) {
                Some(DeValue::Boolean(changes)) => *changes,
                Some(_) | None => return Err("`changes` is neither true nor false".to_owned()),
            },
        },
        Kind::Net => Form::Host(value),
        Kind::Terminal | Kind::WebSearch | Kind::Mcp | Kind::Memory | Kind::Task | Kind::Tool => {
            Form::Name { kind, name: value }
        }
    })
}

fn exactly(fields: &mut Fields<'_>) -> Result<Exactly, String> {
    let cwd = fields.path("in")?.ok_or("`in` is missing")?;
    let asks = fields.texts("asks")?;
    let files = match fields.take("files").map(Spanned::get_ref) {
        Some(DeValue::Table(files)) => files
            .iter()
            .map(|(file, digest)| {
                let file = AbsPath::parse(file.get_ref())?;
                Some((file, digest.get_ref().as_str()?.to_owned()))
            })
            .collect::<Option<_>>()
            .ok_or("`files` does not hold digests")?,
        Some(_) | None => return Err("`files` is missing".to_owned()),
    };
    Ok(Exactly {
        tool: fields.text("tool")?,
        text: fields.text("call")?,
        cwd,
        asks,
        files,
    })
}

/// The fields of a table that nobody has taken yet.
struct Fields<'t> {
    left: BTreeMap<&'t str, &'t Spanned<DeValue<'t>>>,
}

impl<'t> Fields<'t> {
    fn of(table: &'t DeTable<'t>) -> Self {
        let fields = table.iter();
        Self {
            left: fields
                .map(|(key, value)| (key.get_ref().as_ref(), value))
                .collect(),
        }
    }

    fn take(&mut self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.left.remove(key)
    }

    fn optional(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.take(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.to_string())),
            Some(_) => Err(format!("`{key}` is not a string")),
        }
    }

    fn text(&mut self, key: &str) -> Result<String, String> {
        self.optional(key)?
            .ok_or_else(|| format!("`{key}` is missing"))
    }

    fn texts(&mut self, key: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("`{key}` is not a list of strings");
        match self.take(key).map(Spanned::get_ref) {
            Some(DeValue::Array(texts)) => texts
                .iter()
                .map(|text| text.get_ref().as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) | None => Err(wrong()),
        }
    }

    fn path(&mut self, key: &str) -> Result<Option<AbsPath>, String> {
        let Some(text) = self.optional(key)? else {
            return Ok(None);
        };
        let path = AbsPath::parse(&text);
        path.map(Some)
            .ok_or_else(|| format!("`{key}` is no absolute path"))
    }

    fn nothing_else(&self) -> Result<(), String> {
        match self.left.keys().next() {
            Some(key) => Err(format!("`{key}` is no key that grants have")),
            None => Ok(()),
        }
    }
}

/// A text as a TOML string. What cannot be seen is escaped, so that what is copied from a screen means the same.
pub fn quoted(text: &str) -> String {
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
