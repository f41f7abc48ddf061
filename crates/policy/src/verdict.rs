//! What the rules say of a call, with the whole trace of why; not yet what a person or a reviewer says.

use crate::action::Action;
use crate::effects::opacity::Opacity;
use crate::mode::Mode;
use crate::request::{Category, Floor, Request};
use crate::rules::confinement::Confinement;
use crate::rules::rule::RuleRef;

/// The verdict on a call: the maximum over its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What follows.
    pub action: Action,
    /// One finding per request, in the order of the requests.
    pub findings: Vec<Finding>,
    /// The mode in force.
    pub mode: Mode,
    /// True where the call's input did not have its tool's form; such a call is denied.
    pub malformed: Option<String>,
    /// The rule files that could not be read whole; while there are any, nothing is allowed without a person.
    pub broken: Vec<String>,
}

/// What was found for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The request.
    pub request: Request,
    /// What follows for it.
    pub action: Action,
    /// What decided.
    pub source: Source,
    /// Every rule that matched, in order of authority.
    pub matched: Vec<RuleRef>,
    /// Asks and denies that a narrower allow or their own exception lifted, each with what lifted it.
    pub lifted: Vec<Lifted>,
    /// True where only a person may answer (`person = true`).
    pub person_only: bool,
    /// How the command must be kept when it runs; the permit carries it.
    pub confine: Vec<Confinement>,
}

/// An ask or deny that was lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifted {
    /// The rule that would have decided.
    pub rule: RuleRef,
    /// The narrower allow, or nothing where the rule's own `unless` exempts the request.
    pub by: Option<RuleRef>,
}

/// What decided a finding (a closed list, row A8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The floor.
    Floor(Floor),
    /// A rule, certain to match.
    Rule(RuleRef),
    /// A deny or ask that may match, as part of the call cannot be told: a person decides.
    PerhapsRule(RuleRef),
    /// An allow whose confinement cannot be enforced here.
    Confinement(RuleRef),
    /// It cannot be told what happens.
    Opacity(Opacity),
    /// No rule decided: the mode answered for the category.
    Mode(Category),
    /// The user's own answer for the category (`category = { … }`).
    CategoryChoice(Category),
    /// An allow of the command itself settled what the mode would have asked about its own effect.
    SettledByCommand(RuleRef),
    /// The command does nothing beyond its own effects, which are asked in its stead.
    ItsEffects,
    /// A script of the project does it: the command that starts the script is asked in its stead.
    ItsStarter,
    /// The turn allows commands that begin with these words (row P7).
    ScopedAllow(String),
    /// It would have been allowed, but the turn only reads (row P7).
    ReadOnlyTurn,
    /// It would have been allowed, but a rule file is broken.
    BrokenRules,
}
