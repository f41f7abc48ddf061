//! What a wider answer to a question would keep: a form for each request, or the exact call, or nothing. It is no
//! wider than what is shown.

use super::{Form, asking, is_single};
use crate::action::Action;
use crate::effects::command::{CommandLine, Field};
use crate::effects::opacity::Opacity;
use crate::effects::programs::{self, Program};
use crate::explain;
use crate::request::{Kind, PathTarget, Request, Target};
use crate::rules::pattern::command::CommandPattern;
use crate::rules::rule::Authority;
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
    if let Some(file) = verdict.broken.first() {
        return Offer::Nothing(format!("a rule file is broken ({file})"));
    }
    if verdict.malformed.is_some() {
        return nothing("the input does not have the tool's form");
    }
    if asking(verdict).any(|finding| finding.person_only) {
        return nothing("its rule has a person answer each time");
    }
    if let Some(opacity) = asking(verdict).find_map(changing) {
        return Offer::Nothing(format!(
            "{}, and may be another thing each time",
            opacity.words()
        ));
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

/// Why the same words may do another thing the next time.
fn changing(finding: &Finding) -> Option<Opacity> {
    match &finding.request.target {
        Target::Opaque(opacity) => Some(*opacity).filter(|opacity| !opacity.is_constant()),
        Target::Path(path) => path.places.is_empty().then_some(Opacity::ComputedPath),
        Target::Command(_) | Target::Host(_) | Target::Name(_) => None,
    }
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
        // What a built-in rule asks about is a place from which something runs later: what is put there matters.
        Target::Path(_) if request.kind != Kind::Read && by_builtin(finding) => {
            Err(format!("{subject}: {}", explain::because(finding)))
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

/// Whether a built-in rule about a place asks, not the one about what lies outside.
fn by_builtin(finding: &Finding) -> bool {
    let rule = explain::rule(&finding.source);
    finding.request.kind != Kind::ExternalDirectory
        && rule.is_some_and(|rule| rule.authority == Authority::Builtin)
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
