//! What a `find` may find: patterns of the paths that the tests of its expression let through. To `find` a wildcard
//! matches a leading dot as any other character, and a hidden directory is a directory.

use crate::effects::command::Field;
use crate::effects::env::Env;
use crate::effects::glob;
use crate::effects::locate;
use crate::effects::word::pattern_of;
use crate::session::Session;

/// Paths that may be found, as far as they differ in what is asked about them.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What every use of a found path is judged with.
    pub(crate) plain: Vec<Field>,
    /// What a command that only reads is judged with as well: a name that is asked for, in hidden directories.
    pub(crate) named: Vec<Field>,
    /// What a command that changes files is judged with as well: hidden files and hidden directories.
    pub(crate) hidden: Vec<Field>,
}

/// The tests of an expression, as far as they are followed.
#[derive(Debug, Default)]
struct Tests {
    /// Patterns of names, one of which every found path has unless `open` is set.
    names: Vec<String>,
    /// Patterns of names that are asked for, beside others that cannot be told.
    also: Vec<String>,
    /// True where something may be found that has none of the names.
    open: bool,
    /// True where no found path has a hidden component below the start.
    visible: bool,
    /// True where only what lies in the starting directory itself is found.
    flat: bool,
}

/// Endings of files in which tools keep settings, so that a hidden directory is likely to hold some.
const SETTINGS: [&str; 12] = [
    "json", "jsonc", "json5", "toml", "yml", "yaml", "sh", "xml", "conf", "cfg", "ini", "lock",
];

/// Names that hold secrets by the built-in rules, hidden ones first.
const SECRETS: [&str; 17] = [
    ".env",
    ".env.local",
    ".netrc",
    ".pypirc",
    ".git-credentials",
    "x.env",
    "x.env.x",
    "x.pem",
    "x.key",
    "x.p12",
    "x.pfx",
    "x.jks",
    "x.keystore",
    "x.ppk",
    "x.kdbx",
    "id_rsa",
    "id_ed25519",
];

/// Tests and actions that take one word.
pub(crate) const WITH_VALUE: [&str; 41] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-atime",
    "-ctime",
    "-mmin",
    "-amin",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-newermt",
    "-samefile",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-maxdepth",
    "-mindepth",
    "-links",
    "-inum",
    "-fstype",
    "-printf",
    "-regextype",
    "-used",
    "-context",
    "-newerat",
    "-newerct",
    "-newermm",
];

/// What may be found below the starting points by an action behind some tests of an expression.
pub(crate) fn found(
    starts: &[Field],
    (before, words): (&[Field], &[Field]),
    env: &Env,
    session: &Session,
) -> Found {
    let mut tests = Tests::of(before, true);
    // These hold wherever they stand.
    tests.flat |= Tests::of(words, false).flat;
    let links = words
        .iter()
        .any(|word| matches!(word.known(), Some("-L" | "-H" | "-follow")));
    let mut out = Found::default();
    for start in starts {
        let Some(pattern) = pattern_of(start) else {
            out.plain.push(start.clone());
            continue;
        };
        let front = pattern.trim_end_matches('/');
        let names = |path: &str, to: &mut Vec<Field>| {
            let asked = tests.names.iter().chain(&tests.also);
            for name in asked.flat_map(|name| dotted(name)) {
                to.push(Field::Names(format!("{front}/{path}{name}")));
            }
        };
        let below = if tests.flat { "" } else { "**/" };
        names(below, &mut out.plain);
        if tests.open {
            out.plain.push(Field::Names(format!("{front}/**")));
        }
        if tests.visible {
            continue;
        }
        if tests.open {
            out.hidden.push(Field::Names(format!("{front}/**/.*")));
        }
        if tests.flat {
            continue;
        }
        names("**/.*/**/", &mut out.named);
        if tests.open {
            out.hidden.push(Field::Names(format!("{front}/**/.*/**")));
        }
        if tests.open
            || links
            || !tests.names.iter().all(|name| is_source(name))
            || !is_inside(start, env, session)
        {
            names("**/.*/**/", &mut out.hidden);
        }
    }
    out
}

/// The one pattern of what an expression prints, where there is one.
pub(crate) fn listed(start: &Field, expression: &[Field]) -> Option<String> {
    let printing = |word: &Field| matches!(word.known(), Some("-print" | "-print0"));
    let (tests, prints) = match expression.split_last() {
        Some((last, front)) if printing(last) => (front, true),
        Some(_) | None => (expression, false),
    };
    if tests.iter().any(printing) {
        return None;
    }
    // Without an action everything is printed that the whole lets through.
    let tests = Tests::of(tests, prints);
    let pattern = pattern_of(start)?;
    let front = pattern.trim_end_matches('/');
    let secret = |name: &String| SECRETS.iter().any(|secret| glob::matches(name, secret));
    let starred = |name: &String| name.starts_with(['*', '?', '[']);
    let depth = if tests.flat { "" } else { "**/" };
    if tests.also.iter().any(secret) {
        return None;
    }
    match tests.names.as_slice() {
        [] => Some(format!("{front}/**")),
        [only] if !(tests.open || starred(only) && secret(only)) => {
            Some(format!("{front}/{depth}{only}"))
        }
        names if names.iter().any(secret) => None,
        _ if tests.open => Some(format!("{front}/**")),
        // Several such patterns leave out what begins with a dot.
        names if names.iter().all(starred) => Some(format!("{front}/**/*")),
        _ => None,
    }
}

impl Tests {
    /// Reads the tests in front of an action. Where no parentheses group them, only those behind the last `-o` count.
    fn of(expression: &[Field], before_action: bool) -> Self {
        let grouped = expression
            .iter()
            .any(|word| matches!(word.known(), Some("(" | ",")));
        let is_or = |word: &Field| matches!(word.known(), Some("-o" | "-or"));
        let from = expression
            .iter()
            .rposition(is_or)
            .filter(|_| before_action && !grouped);
        let mut tests = Self::default();
        let mut reader = Reader {
            rest: expression.get(from.map_or(0, |at| at + 1)..).unwrap_or(&[]),
        };
        // Of each alternative, whether it has a test of names.
        let mut alternatives = vec![false];
        let mut negated = false;
        while let Some((word, value)) = reader.next() {
            let before = std::mem::take(&mut negated);
            match word {
                "!" | "-not" => {
                    negated = true;
                    // What a negated group finds is not followed.
                    tests.open |= before || reader.begins_group();
                }
                "(" => tests.open |= before,
                "," => tests.open = true,
                "-o" | "-or" => alternatives.push(false),
                "-maxdepth" => tests.flat |= matches!(value, Some("0" | "1")),
                _ if before => {
                    tests.visible |= word == "-path" && matches!(value, Some("*/.*" | "*/\\.*"));
                }
                _ => {
                    let names = tested(word, value);
                    if names.is_empty() {
                        tests.also.extend(hinted(word, value));
                    }
                    if let (Some(last), false) = (alternatives.last_mut(), names.is_empty()) {
                        *last = true;
                    }
                    tests.names.extend(names);
                }
            }
        }
        tests.open |= alternatives.contains(&false);
        tests.visible &= !grouped && alternatives.len() == 1;
        tests
    }
}

/// The words of an expression, each with the value that it takes.
struct Reader<'f> {
    rest: &'f [Field],
}

impl<'f> Reader<'f> {
    /// The next word; what cannot be told is empty.
    fn next(&mut self) -> Option<(&'f str, Option<&'f str>)> {
        let (word, tail) = self.rest.split_first()?;
        let text = word.known().unwrap_or("");
        let values = match text {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end = tail
                    .iter()
                    .position(|word| matches!(word.known(), Some(";" | "+")));
                end.map_or(tail.len(), |end| end + 1)
            }
            "-fprintf" => 2,
            "-fprint" | "-fprint0" | "-fls" | "-files0-from" => 1,
            _ => usize::from(WITH_VALUE.contains(&text)),
        };
        let value = tail.first().filter(|_| values == 1).and_then(Field::known);
        self.rest = tail.get(values..).unwrap_or(&[]);
        Some((text, value))
    }

    /// Whether a group or another negation follows.
    fn begins_group(&self) -> bool {
        self.rest
            .first()
            .is_some_and(|word| matches!(word.known(), Some("(" | "!" | "-not") | None))
    }
}

/// The patterns of the names that a test lets through, one of which a name has; none where it says nothing of names.
fn tested(test: &str, value: Option<&str>) -> Vec<String> {
    let Some(value) = value else {
        return Vec::new();
    };
    let names = match test {
        "-name" | "-iname" if value.contains('/') => Vec::new(),
        "-name" | "-iname" => vec![value.to_owned()],
        "-regex" | "-iregex" => endings(value),
        // A wildcard of these crosses slashes, so that only what stands behind the last one is certain.
        "-path" | "-ipath" | "-wholename" | "-iwholename" => {
            let last = value.rsplit('/').next().unwrap_or(value);
            vec![match last.rfind(['*', '?', ']']) {
                Some(at) => format!("*{}", last.get(at + 1..).unwrap_or("")),
                None => last.to_owned(),
            }]
        }
        _ => Vec::new(),
    };
    // Only stars say nothing.
    if names.iter().any(|name| name.chars().all(|c| c == '*')) {
        return Vec::new();
    }
    let folded = test.starts_with("-i");
    let folded = |name: String| if folded { either_case(&name) } else { name };
    names.into_iter().map(folded).collect()
}

/// The pattern of names that a test asks for although it lets others through as well: a star of `-path` crosses
/// slashes, and a regular expression that ends in one may mean any name.
fn hinted(test: &str, value: Option<&str>) -> Option<String> {
    let value = value?;
    let folded = test.starts_with("-i");
    let name = match test {
        "-path" | "-ipath" | "-wholename" | "-iwholename" => {
            let last = value.rsplit('/').next().unwrap_or(value);
            let says = last.chars().any(|c| !"*?[]".contains(c));
            says.then(|| last.to_owned())
        }
        "-regex" | "-iregex" if value.chars().any(|c| c.is_ascii_alphanumeric()) => {
            Some("?*".to_owned())
        }
        _ => None,
    }?;
    Some(if folded { either_case(&name) } else { name })
}

/// The patterns of names for which a regular expression stands: by the plain text at its end, or by several such texts
/// in parentheses. One that is not understood may stand for any name, hidden ones too.
fn endings(expression: &str) -> Vec<String> {
    let expression = expression
        .trim_end_matches('$')
        .replace("\\(", "(")
        .replace("\\)", ")")
        .replace("\\|", "|");
    let group = expression
        .strip_suffix(')')
        .and_then(|inside| inside.rsplit_once('('));
    let (front, last) = group.unwrap_or((&expression, ""));
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    if front.contains('|') || !last.split('|').all(plain) {
        return vec!["?*".to_owned()];
    }
    let front = literal_end(front);
    last.split('|')
        .map(|end| format!("*{front}{end}"))
        .collect()
}

/// The plain text with which everything ends that a regular expression matches.
fn literal_end(expression: &str) -> String {
    let mut out = Vec::new();
    let mut chars = expression.chars().rev().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.peek() == Some(&'\\');
        let plain = c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        match (plain, escaped) {
            (true, false) => out.push(c),
            (false, true) if c == '.' => {
                chars.next();
                out.push(c);
            }
            (_, _) => break,
        }
    }
    out.iter().rev().collect()
}

/// A pattern that matches letters in either case.
fn either_case(pattern: &str) -> String {
    if pattern.contains(['[', '\\']) {
        return "?*".to_owned();
    }
    let mut out = String::new();
    for c in pattern.chars() {
        if c.is_ascii_alphabetic() {
            out.extend(['[', c.to_ascii_lowercase(), c.to_ascii_uppercase(), ']']);
        } else {
            out.push(c);
        }
    }
    out
}

/// A pattern with the small letter for each class of one letter in either case, as names of settings are written.
fn lower(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let class: Vec<char> = rest.chars().take(4).collect();
        if let ['[', small, large, ']'] = class.as_slice()
            && small.is_ascii_lowercase()
            && small.to_ascii_uppercase() == *large
        {
            out.push(*small);
            rest = rest.get(4..).unwrap_or("");
            continue;
        }
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or("");
    }
    out
}

/// A pattern of `find` as patterns of bash: where it begins with a wildcard, it matches hidden names as well.
pub(crate) fn dotted(pattern: &str) -> Vec<String> {
    let mut out = vec![pattern.to_owned()];
    let stars = pattern.trim_start_matches('*');
    if stars.len() < pattern.len() {
        out.push(format!(".*{stars}"));
        if stars.starts_with('.') {
            out.push(lower(stars));
        } else if stars.starts_with(['?', '[', '\\']) {
            out.extend(dotted(stars).into_iter().skip(1));
        }
    } else if let Some(rest) = pattern.strip_prefix('?') {
        out.push(format!(".{rest}"));
    } else if let Some(class) = pattern.strip_prefix('[') {
        let rest = class.split_once(']').map_or("*", |(_, rest)| rest);
        // Only classes of letters and digits have no dot in them.
        let plain = class
            .split(']')
            .next()
            .is_some_and(|inside| inside.chars().all(char::is_alphanumeric));
        if !plain {
            out.push(format!(".{rest}"));
        }
    }
    out
}

/// The ending of a pattern that says nothing else: `rs` of `*.rs`.
fn ending(pattern: &str) -> Option<&str> {
    let end = pattern.strip_prefix("*.")?;
    end.chars()
        .all(|c| c.is_ascii_alphanumeric())
        .then_some(end)
}

/// Whether a pattern only names an ending of sources and texts.
fn is_source(pattern: &str) -> bool {
    ending(pattern).is_some_and(|end| !SETTINGS.contains(&end))
}

/// Whether a starting point is a directory below the root of the workspace that is named in plain text.
fn is_inside(start: &Field, env: &Env, session: &Session) -> bool {
    let Some(text) = start.known() else {
        return false;
    };
    // A link is followed where a slash stands behind it.
    let hidden = text
        .split('/')
        .any(|part| part.starts_with('.') && part != ".");
    let places = locate::places(text, &env.cwd).unwrap_or_default();
    !text.ends_with('/')
        && !hidden
        && !places.is_empty()
        && session.workspace.as_ref().is_some_and(|root| {
            places
                .iter()
                .all(|place| place.is_within(root) && place != root)
        })
}
