//! One rule and the reference by which findings, journal and words name it.

use super::confinement::Confinement;
use super::pattern::argument::Argument;
use super::pattern::glob::Barrier;
use super::pattern::matching::{Match, Sense};
use super::pattern::path::PathPattern;
use super::pattern::{Pattern, contained, covered};
use crate::action::Action;
use crate::effects::command::CommandLine;
use crate::mode::Mode;
use crate::request::{Kind, Request, Target};
use crate::session::Session;
use std::sync::Arc;

/// One rule: an action for what a pattern matches, under terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The layer from which it comes.
    pub authority: Authority,
    /// What follows.
    pub action: Action,
    /// The requests to which it applies.
    pub kind: Kind,
    /// What it matches.
    pub pattern: Pattern,
    /// Everything else that it says; shared by the rules of one entry with several patterns.
    pub terms: Arc<Terms>,
    /// The file as the user knows it, or `built-in`.
    pub origin: Arc<str>,
    /// The line in that file, counted from 1.
    pub line: usize,
}

/// What a rule says beside action, kind and pattern.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// The name in refusals, journal and explanations.
    pub id: Option<String>,
    /// To the person.
    pub reason: Option<String>,
    /// To the model.
    pub hint: Option<String>,
    /// One of these is present.
    pub with: Vec<Argument>,
    /// None of these is.
    pub without: Vec<Argument>,
    /// What is exempt.
    pub unless: Option<Pattern>,
    /// Only with this working directory, or one below (`in`).
    pub directory: Option<PathPattern>,
    /// The last second in which it is in force, by the Unix clock.
    pub until: Option<i64>,
    /// No grant, reviewer or mode may answer.
    pub person: bool,
    /// How a command must be kept where this allow lets it run.
    pub confine: Vec<Confinement>,
    /// Built-in only: the request is caused by one of these programs.
    pub by: Vec<String>,
    /// Built-in only: everything below is meant too.
    pub recursive: bool,
    /// Built-in only: some of it lies outside workspace and temporary places.
    pub outside: bool,
    /// Built-in only: the modes in which it is in force; all where empty.
    pub modes: Vec<Mode>,
}

impl Rule {
    /// Whether it applies in this mode at this time (seconds of the Unix clock).
    pub fn is_in_force(&self, mode: Mode, now: i64) -> bool {
        let timely = self.terms.until.is_none_or(|until| now <= until);
        timely && (self.terms.modes.is_empty() || self.terms.modes.contains(&mode))
    }

    /// Whether it asks or denies.
    pub fn is_strict(&self) -> bool {
        self.action != Action::Allow
    }

    /// Whether it matches a request, its own exception left aside.
    pub fn matches(&self, request: &Request, session: &Session) -> Match {
        if self.kind != request.kind {
            return Match::No;
        }
        let sense = self.sense();
        // The parts stop at the first that fails, the cheapest ones in front.
        let parts: [&dyn Fn() -> Match; 4] = [
            &|| self.cause_matches(request),
            &|| self.pattern.matches(request, session, sense),
            &|| self.arguments_match(request, sense),
            &|| self.place_matches(request, session, sense),
        ];
        let mut result = Match::Yes;
        for part in parts {
            result = result.and(part());
            if result == Match::No {
                break;
            }
        }
        result
    }

    /// Whether its own exception exempts a request; an ask or deny is exempted by certainty only.
    pub fn exempts(&self, request: &Request, session: &Session) -> Match {
        let Some(unless) = &self.terms.unless else {
            return Match::No;
        };
        match self.action {
            Action::Allow => unless.matches(request, session, Sense::Forbid),
            Action::Ask | Action::Deny => unless.matches(request, session, Sense::Grant),
        }
    }

    /// Whether this allow is entitled to lift `other`: provably narrower and of the same layer, or of a higher one.
    pub fn lifts(&self, other: &Self) -> bool {
        let entitled = match (self.authority, other.authority) {
            // The administrator's file only tightens: its allows are exceptions to its own rules.
            (Authority::Managed, other) => other == Authority::Managed,
            (own, other) => own >= other,
        };
        entitled
            && self.action == Action::Allow
            && self.kind == other.kind
            && self.is_within(other)
            && (self.authority > other.authority || !other.is_within_plain(self))
    }

    /// Whether `other`, an ask or deny, certainly speaks whenever this allow does, and is not lifted by it.
    pub(super) fn is_stopped_by(&self, other: &Self) -> bool {
        let (own, terms) = (&self.terms, &other.terms);
        let without = terms
            .without
            .iter()
            .all(|argument| own.without.contains(argument));
        let unless = terms.unless.is_none() || terms.unless == own.unless;
        let long_enough = match (own.until, terms.until) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own <= other,
        };
        without && unless && long_enough && self.is_within(other) && !self.lifts(other)
    }

    /// The reference by which others name it.
    pub fn reference(&self) -> RuleRef {
        RuleRef {
            authority: self.authority,
            id: self.terms.id.clone(),
            label: format!(
                "{} {} {}",
                self.action.name(),
                self.kind.name(),
                self.pattern
            ),
            origin: self.origin.to_string(),
            line: self.line,
            reason: self.terms.reason.clone(),
            hint: self.terms.hint.clone(),
        }
    }

    /// For whose benefit its pattern is read.
    fn sense(&self) -> Sense {
        match (self.action, self.authority) {
            (Action::Allow, _) => Sense::Grant,
            (Action::Ask | Action::Deny, Authority::Builtin) => Sense::Caution,
            (
                Action::Ask | Action::Deny,
                Authority::Project | Authority::User | Authority::Managed,
            ) => Sense::Forbid,
        }
    }

    /// Whether everything that it allows is matched by `other`, whose exceptions do not count: what is narrower than a
    /// rule is so with or without them.
    fn is_within(&self, other: &Self) -> bool {
        let own = &self.terms;
        let terms = &other.terms;
        let with = terms.with.is_empty() || self.has_one_of(&terms.with);
        let directory = match (&own.directory, &terms.directory) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(narrow), Some(wide)) => narrow.is_within_meaning(wide),
        };
        // The built-in conditions describe the request; where this allow matches it, they hold for it as they did
        // there.
        with && directory && covered(&self.pattern, &other.pattern)
    }

    /// The same for two rules of one layer, to tell an equal pattern from a narrower one.
    fn is_within_plain(&self, allow: &Self) -> bool {
        let own = &allow.terms;
        let wider = own.with.is_empty() && own.without.is_empty() && own.unless.is_none();
        let anywhere = own.directory.is_none() || own.directory == self.terms.directory;
        let same = own.with == self.terms.with && own.without == self.terms.without;
        let whoever = own.by.is_empty() || own.by == self.terms.by;
        (wider || same) && anywhere && whoever && contained(&self.pattern, &allow.pattern)
    }

    /// Whether whatever it matches certainly has one of these arguments.
    fn has_one_of(&self, arguments: &[Argument]) -> bool {
        let own = &self.terms.with;
        let named = !own.is_empty()
            && own
                .iter()
                .all(|narrow| arguments.iter().any(|wide| narrow.is_within(wide)));
        let spelled = match &self.pattern {
            Pattern::Command(pattern) => arguments.iter().any(|wide| pattern.has_argument(wide)),
            Pattern::Path(_) | Pattern::Host(_) | Pattern::Name(_) => false,
        };
        named || spelled
    }

    /// Whether the program that causes the request and what it does to directories are meant.
    fn cause_matches(&self, request: &Request) -> Match {
        let terms = &self.terms;
        let by = terms.by.is_empty()
            || request
                .program
                .as_ref()
                .is_some_and(|program| terms.by.contains(program));
        let recursive = match &request.target {
            Target::Path(target) => target.recursive,
            Target::Command(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => true,
        };
        Match::sure(by && (recursive || !terms.recursive))
    }

    /// Whether `with` and `without` hold.
    fn arguments_match(&self, request: &Request, sense: Sense) -> Match {
        let terms = &self.terms;
        if terms.with.is_empty() && terms.without.is_empty() {
            return Match::Yes;
        }
        let Target::Command(command) = &request.target else {
            return Match::possible(sense != Sense::Grant);
        };
        // A wildcard for an operand is read narrowly where matching it permits, widely where it forbids.
        let (with, without) = match sense {
            Sense::Grant => (Barrier::Refspec, Barrier::None),
            Sense::Forbid | Sense::Caution => (Barrier::None, Barrier::Refspec),
        };
        let present = if terms.with.is_empty() {
            Match::Yes
        } else {
            any_argument(&terms.with, command, with)
        };
        present.and(any_argument(&terms.without, command, without).negate())
    }

    /// Whether `in` and `outside` hold.
    fn place_matches(&self, request: &Request, session: &Session, sense: Sense) -> Match {
        let inside = self
            .terms
            .directory
            .as_ref()
            .map_or(Match::Yes, |directory| {
                let mut all = request.cwd.iter();
                let lies = |cwd| directory.has_above(cwd, session);
                match (sense, request.cwd.is_empty()) {
                    (Sense::Grant, empty) => Match::sure(!empty && all.all(lies)),
                    (Sense::Forbid | Sense::Caution, true) => Match::Perhaps,
                    (Sense::Forbid | Sense::Caution, false) => Match::sure(all.any(lies)),
                }
            });
        if self.terms.outside {
            inside.and(lies_outside(request, session))
        } else {
            inside
        }
    }
}

/// Whether one of the arguments is present.
fn any_argument(arguments: &[Argument], command: &CommandLine, barrier: Barrier) -> Match {
    arguments
        .iter()
        .map(|argument| argument.matches(command, barrier))
        .fold(Match::No, Match::or)
}

/// Whether some of what is asked for lies outside the workspace and temporary places.
fn lies_outside(request: &Request, session: &Session) -> Match {
    let Target::Path(target) = &request.target else {
        return Match::Perhaps;
    };
    let climbs = target
        .pattern
        .as_ref()
        .is_some_and(|pattern| pattern.split('/').any(|part| part == ".."));
    if target.places.is_empty() || climbs {
        return Match::Perhaps;
    }
    let inner = || session.workspace.iter().chain(&session.temporary);
    Match::sure(
        !target
            .places
            .iter()
            .all(|place| inner().any(|directory| place.is_within(directory))),
    )
}

/// By which a verdict names a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RuleRef {
    /// The layer.
    pub authority: Authority,
    /// The rule's `id`, where it has one.
    pub id: Option<String>,
    /// The rule as text: `deny shell git push *`.
    pub label: String,
    /// The file as the user knows it, or `built-in`.
    pub origin: String,
    /// The line in that file, counted from 1.
    pub line: usize,
    /// To the person.
    pub reason: Option<String>,
    /// To the model.
    pub hint: Option<String>,
}

/// The layers, in order of authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Authority {
    /// countersign's own table.
    Builtin,
    /// The repository's file; its allows exist only once it is trusted, and lift built-in rules only.
    Project,
    /// The user's file.
    User,
    /// The administrator's file; it only tightens and is final.
    Managed,
}
