//! What a person allowed for longer than once (rows P9, A14): by what each request is known again, and whether it
//! covers another call. Where grants are kept, and what a program or file is now, is found out elsewhere.

pub mod offer;
pub mod text;

use crate::action::Action;
use crate::call::{self, Call};
use crate::effects::command::{CommandLine, Field};
use crate::explain;
use crate::path::AbsPath;
use crate::request::{Category, Kind, Request, Target};
use crate::rules::pattern::command::CommandPattern;
use crate::rules::pattern::matching::{Match, Sense};
use crate::session::Session;
use crate::verdict::{Finding, Verdict};

/// An answer that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Its name in lists and records.
    pub id: String,
    /// What it allows.
    pub allows: Allowed,
    /// The last second in which it holds, by the Unix clock; nothing where it holds until it is revoked.
    pub until: Option<i64>,
    /// The session for which it holds; nothing where it holds for the project.
    pub session: Option<String>,
    /// When it was kept, as a timestamp.
    pub saved: String,
    /// Who said so.
    pub by: String,
    /// The call from whose question it comes.
    pub question: String,
    /// What was asked then, for a person.
    pub asked: String,
    /// Who asked: `mode CATEGORY`, or the label of a rule. A rule that is written later asks all the same.
    pub askers: Vec<String>,
}

/// What a grant allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// Every request of this form.
    Form(Form),
    /// This call and no other, while nothing of it changes.
    Exactly(Exactly),
}

/// By what a request is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A command of this family, run by this program.
    Command {
        /// The family.
        family: CommandPattern,
        /// The file that ran; nothing where the shell itself did it.
        program: Option<AbsPath>,
    },
    /// Reading or changing this file or directory, by its literal path.
    Path {
        /// What is done to it.
        kind: Kind,
        /// Where it lies.
        place: AbsPath,
    },
    /// Reaching this directory outside the workspace, and what is below it.
    Directory {
        /// The directory.
        place: AbsPath,
        /// Whether changing it is meant too.
        changes: bool,
    },
    /// This host, literally.
    Host(String),
    /// This name of another kind, literally.
    Name {
        /// The kind.
        kind: Kind,
        /// The name.
        name: String,
    },
}

/// A call that is known again as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exactly {
    /// The tool.
    pub tool: String,
    /// The command text, or the input of another tool.
    pub text: String,
    /// The working directory.
    pub cwd: AbsPath,
    /// What was asked about then, with the places of paths: nothing else is answered.
    pub asks: Vec<String>,
    /// The files that the call runs, with the SHA-256 of what they held.
    pub files: Vec<(AbsPath, String)>,
}

/// The text by which a call is known again: of a command its text, as a host adds words of its own to the input.
pub fn text_of(call: &Call) -> &str {
    match &call.action {
        call::Action::Shell(text) => text,
        call::Action::Exec(_)
        | call::Action::Read(_)
        | call::Action::List(_)
        | call::Action::Search(_)
        | call::Action::SearchNames { .. }
        | call::Action::Edit(_)
        | call::Action::Fetch(_)
        | call::Action::WebSearch(_)
        | call::Action::Mcp { .. }
        | call::Action::Memory
        | call::Action::Task { .. }
        | call::Action::Terminal { .. }
        | call::Action::Control
        | call::Action::Unknown
        | call::Action::Malformed(_) => &call.input,
    }
}

/// The findings of a verdict that need an answer.
pub fn asking(verdict: &Verdict) -> impl Iterator<Item = &Finding> {
    let findings = verdict.findings.iter();
    findings.filter(|finding| finding.action == Action::Ask)
}

/// What a finding asks about, with the places of a path, in one line: by it an exact grant knows it again.
pub fn line(finding: &Finding) -> String {
    let request = &finding.request;
    let mut line = format!(
        "{} {}",
        request.kind.name(),
        explain::target(&request.target)
    );
    if let Target::Path(path) = &request.target {
        for place in &path.places {
            line.push_str(" @ ");
            line.push_str(place.as_str());
        }
    }
    if let Target::Command(command) = &request.target {
        for changed in &command.changed_by {
            line.push_str(" @ ");
            line.push_str(changed);
        }
    }
    line
}

/// Who asks about a finding: the rule by its label, or the mode by the category.
pub fn asker(finding: &Finding) -> String {
    match explain::rule(&finding.source) {
        Some(rule) => rule.label.clone(),
        None => format!("mode {}", finding.request.category.name()),
    }
}

/// Who asks about a verdict, each once.
pub fn askers(verdict: &Verdict) -> Vec<String> {
    let mut out: Vec<String> = asking(verdict).map(asker).collect();
    out.sort();
    out.dedup();
    out
}

/// The grants that answer all that a verdict asks, in the order of its findings; nothing where one question is left.
/// `holds` says whether a grant is in force now, and whether program and files are what they were.
pub fn answering<'g>(
    grants: &'g [Grant],
    verdict: &Verdict,
    call: &Call,
    session: &Session,
    holds: &dyn Fn(&Grant) -> bool,
) -> Option<Vec<&'g Grant>> {
    let answerable = verdict.action == Action::Ask
        && verdict.broken.is_empty()
        && verdict.malformed.is_none()
        && asking(verdict).next().is_some();
    if !answerable {
        return None;
    }
    let mut used: Vec<&Grant> = Vec::new();
    for finding in asking(verdict) {
        let mut grants = grants.iter();
        let covers = |grant: &&Grant| {
            grant.covers(finding, call)
                && (grant.is_exact() || stays_inside(finding, verdict, session))
        };
        let found = grants.find(|grant| covers(grant) && holds(grant))?;
        if !used.contains(&found) {
            used.push(found);
        }
    }
    Some(used)
}

/// Whether a command works in the project alone: where it runs, and what it is given by a path. A family is allowed for
/// this project's code, not for whatever lies elsewhere under the same words.
fn stays_inside(finding: &Finding, verdict: &Verdict, session: &Session) -> bool {
    let Target::Command(_) = &finding.request.target else {
        return true;
    };
    let inside = |path: &AbsPath| {
        let root = session.workspace.as_ref();
        root.is_some_and(|root| path.is_within(root))
    };
    let cwd = &finding.request.cwd;
    let command = finding.request.command;
    let requests = verdict.findings.iter().map(|finding| &finding.request);
    !cwd.is_empty()
        && cwd.iter().all(inside)
        && requests
            .filter(|request| request.command == command && request.own)
            .all(|request| match &request.target {
                Target::Path(path) => path.places.iter().all(inside),
                Target::Command(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => true,
            })
}

impl Grant {
    /// Whether it is for one call only.
    const fn is_exact(&self) -> bool {
        match self.allows {
            Allowed::Exactly(_) => true,
            Allowed::Form(_) => false,
        }
    }

    /// Whether it answers what a finding of this call asks; not whether it is in force.
    fn covers(&self, finding: &Finding, call: &Call) -> bool {
        if finding.person_only || !self.askers.contains(&asker(finding)) {
            return false;
        }
        match &self.allows {
            Allowed::Form(form) => form.covers(&finding.request),
            Allowed::Exactly(exactly) => exactly.covers(finding, call),
        }
    }

    /// The rule as it is shown and recorded.
    pub fn rule(&self) -> String {
        self.allows.to_string()
    }
}

impl Form {
    /// Whether a request is of this form.
    fn covers(&self, request: &Request) -> bool {
        // What stands in a file of the project may be another thing tomorrow; what deletes is no form of anything.
        if request.within.is_some() || is_single(request.category) {
            return false;
        }
        match (self, &request.target) {
            (Self::Command { family, .. }, Target::Command(line)) => {
                line.changed_by.is_empty()
                    && family.matches(line, Sense::Grant) == Match::Yes
                    && names_no_more(line)
            }
            (Self::Path { kind, place }, Target::Path(path)) => {
                *kind == request.kind
                    && path.pattern.is_none()
                    && !path.recursive
                    && path.places == [place.clone()]
            }
            (Self::Directory { place, changes }, Target::Path(path)) => {
                request.kind == Kind::ExternalDirectory
                    && (*changes || request.category == Category::Reads)
                    && !path.places.is_empty()
                    && path.places.iter().all(|other| other.is_within(place))
            }
            (Self::Host(host), Target::Host(other)) => host == other,
            (Self::Name { kind, name }, Target::Name(other)) => {
                *kind == request.kind && name == other
            }
            (
                Self::Command { .. }
                | Self::Path { .. }
                | Self::Directory { .. }
                | Self::Host(_)
                | Self::Name { .. },
                Target::Command(_)
                | Target::Path(_)
                | Target::Host(_)
                | Target::Name(_)
                | Target::Opaque(_),
            ) => false,
        }
    }
}

/// Whether a runner of targets is given one only: a second one is another family (`make lint deploy`).
fn names_no_more(line: &CommandLine) -> bool {
    const RUNNERS: [&str; 6] = ["make", "gmake", "just", "rake", "task", "ninja"];
    let name = line.words.first().and_then(Field::known);
    !name.is_some_and(|name| RUNNERS.contains(&name)) || line.operands.len() <= 1
}

/// Categories of which each request is asked about by itself.
pub(crate) const fn is_single(category: Category) -> bool {
    match category {
        Category::Removes | Category::Privilege | Category::Opaque => true,
        Category::Reads
        | Category::Writes
        | Category::Builds
        | Category::Fetches
        | Category::Installs
        | Category::Unknown
        | Category::Remote => false,
    }
}

impl Exactly {
    fn covers(&self, finding: &Finding, call: &Call) -> bool {
        self.tool == call.tool
            && self.text == text_of(call)
            && self.cwd == call.cwd
            && self.asks.contains(&line(finding))
    }
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Form(Form::Command { family, .. }) => write!(f, "allow shell {family}"),
            Self::Form(Form::Path { kind, place }) => write!(f, "allow {} {place}", kind.name()),
            Self::Form(Form::Directory { place, changes }) => {
                let access = if *changes { "change" } else { "read" };
                write!(f, "allow external_directory {place} ({access})")
            }
            Self::Form(Form::Host(host)) => write!(f, "allow net {host}"),
            Self::Form(Form::Name { kind, name }) => write!(f, "allow {} {name}", kind.name()),
            Self::Exactly(exactly) => {
                let Exactly {
                    tool, text, cwd, ..
                } = exactly;
                write!(f, "allow exactly {tool} `{text}` in {cwd}")
            }
        }
    }
}
