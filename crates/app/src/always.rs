//! What an "always" to a question would keep: one key per request, by the family of a command where it has one (row
//! P9).

use crate::suggestion;
use countersign_policy::action::Action;
use countersign_policy::effects::command::{CommandLine, Field};
use countersign_policy::effects::programs::{self, Program};
use countersign_policy::explain;
use countersign_policy::request::{Category, Target};
use countersign_policy::rules::pattern::command::CommandPattern;
use countersign_policy::session::Session;
use countersign_policy::verdict::{Finding, Verdict};

/// What would be kept.
#[derive(Debug)]
pub(crate) enum Kept {
    /// Nothing, and why.
    Nothing(String),
    /// The exact call in its directory, and why no more.
    Exact(String),
    /// These rules.
    Rules(Vec<String>),
}

/// What an "always" to the question about a call would keep.
pub(crate) fn kept(verdict: &Verdict, session: &Session) -> Kept {
    let nothing = |why: &str| Kept::Nothing(why.to_owned());
    match verdict.action {
        Action::Allow => return nothing("nothing is asked"),
        Action::Deny => return nothing("a call that is denied is not asked about"),
        Action::Ask => {}
    }
    if !verdict.broken.is_empty() {
        return nothing("a rule file is broken");
    }
    if explain::deciding(verdict).any(|finding| finding.person_only) {
        return nothing("its rule has a person answer each time");
    }
    let mut rules: Vec<String> = Vec::new();
    // What decided comes first, as it says best why nothing wider is kept.
    let findings = explain::decisive(verdict)
        .into_iter()
        .chain(explain::deciding(verdict));
    for finding in findings {
        match key(session, finding) {
            Ok(rule) if rules.contains(&rule) => {}
            Ok(rule) => rules.push(rule),
            Err(why) => return Kept::Exact(why),
        }
    }
    Kept::Rules(rules)
}

/// The rule for one request, or why there is none.
fn key(session: &Session, finding: &Finding) -> Result<String, String> {
    let request = &finding.request;
    let subject = explain::subject(request);
    let none = || format!("{subject} is no more than itself");
    if request.within.is_some() {
        return Err(format!("{subject} is there today and may change"));
    }
    match request.category {
        Category::Removes => return Err(format!("{subject} deletes what may not come back")),
        Category::Privilege => return Err(format!("{subject} needs privilege")),
        Category::Opaque => return Err(explain::because(finding)),
        Category::Reads
        | Category::Writes
        | Category::Builds
        | Category::Fetches
        | Category::Installs
        | Category::Unknown
        | Category::Remote => {}
    }
    let pattern = match &request.target {
        Target::Command(line) => {
            family(line).ok_or_else(|| format!("{subject} is of no family of commands"))?
        }
        Target::Path(path) if path.pattern.is_some() => return Err(none()),
        Target::Path(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => {
            suggestion::pattern(request, session).ok_or_else(none)?
        }
    };
    Ok(format!(
        "allow {}",
        suggestion::written(request.kind, &pattern)
    ))
}

/// The family of a command, where its program has one and nothing changes what runs.
pub(crate) fn family(line: &CommandLine) -> Option<String> {
    let words: Vec<&str> = line.words.iter().map_while(Field::known).collect();
    let mut program: &Program = programs::find(words.first()?)?;
    for word in words.iter().skip(1) {
        match program.subcommand(word) {
            Some(subcommand) => program = subcommand,
            None => break,
        }
    }
    let length = usize::from(program.family);
    let head = words.get(..length).filter(|head| !head.is_empty())?;
    let changed = !line.changed_by.is_empty();
    (!changed).then(|| CommandPattern::family(head).to_string())
}
