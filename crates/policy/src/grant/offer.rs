//! What a wider answer to a question would keep: a form for each request, or the exact call, or nothing. It is no
//! wider than what is shown.

use super::{Form, asking, is_single};
use crate::action::Action;
use crate::effects::command::{CommandLine, Field};
use crate::effects::programs::{self, Program};
use crate::explain;
use crate::request::{Kind, PathTarget, Request, Target};
use crate::rules::pattern::command::CommandPattern;
use crate::verdict::{Finding, Verdict};

/// What would be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offer {
    /// Nothing, and why.
    Nothing(String),
    /// The exact call in its directory, and why no more.
    Exactly(String),
    /// Requests of these forms. The program of a family is not known yet.
    Forms(Vec<Form>),
}

/// What an "always" to the question about a call would keep.
pub fn offer(verdict: &Verdict) -> Offer {
    let nothing = |why: &str| Offer::Nothing(why.to_owned());
    match verdict.action {
        Action::Allow => return nothing("nothing is asked"),
        Action::Deny => return nothing("a call that is denied is not asked about"),
        Action::Ask => {}
    }
    if !verdict.broken.is_empty() {
        return nothing("a rule file is broken");
    }
    if verdict.malformed.is_some() {
        return nothing("the input does not have the tool's form");
    }
    if asking(verdict).any(|finding| finding.person_only) {
        return nothing("its rule has a person answer each time");
    }
    let mut forms: Vec<Form> = Vec::new();
    // What decided comes first, as it says best why nothing wider is kept.
    for finding in explain::decisive(verdict)
        .into_iter()
        .chain(asking(verdict))
    {
        match form(finding) {
            Ok(form) if forms.contains(&form) => {}
            Ok(form) => forms.push(form),
            Err(why) => return Offer::Exactly(why),
        }
    }
    Offer::Forms(forms)
}

/// The form of one request, or why it has none.
fn form(finding: &Finding) -> Result<Form, String> {
    let request = &finding.request;
    let subject = explain::subject(request);
    let none = || format!("{subject} is no more than itself");
    if request.within.is_some() {
        return Err(format!("{subject} is there today and may change"));
    }
    if is_single(request.category) {
        return Err(format!("{subject}: {}", explain::because(finding)));
    }
    match &request.target {
        Target::Command(line) => {
            let family = family(line);
            let family = family.ok_or_else(|| format!("{subject} is of no family of commands"))?;
            Ok(Form::Command {
                family,
                program: None,
            })
        }
        Target::Path(path) => of_path(request, path).ok_or_else(none),
        Target::Host(host) => Ok(Form::Host(host.clone())),
        Target::Name(name) => Ok(Form::Name {
            kind: request.kind,
            name: name.clone(),
        }),
        Target::Opaque(_) => Err(none()),
    }
}

/// The form of a path that stands at one place only.
fn of_path(request: &Request, path: &PathTarget) -> Option<Form> {
    let [place] = path.places.as_slice() else {
        return None;
    };
    let place = place.clone();
    if request.kind == Kind::ExternalDirectory {
        let changes = request.category > crate::request::Category::Reads;
        return Some(Form::Directory { place, changes });
    }
    (path.pattern.is_none() && !path.recursive).then_some(Form::Path {
        kind: request.kind,
        place,
    })
}

/// The family of a command, where its program has one and nothing changes what runs.
pub fn family(line: &CommandLine) -> Option<CommandPattern> {
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
    line.changed_by
        .is_empty()
        .then(|| CommandPattern::family(head))
}
