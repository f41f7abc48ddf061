//! A verdict as it is recorded: call, action and every finding with what decided it, in words short enough for a line.

use super::clip::{Clip, WORDS_BYTES};
use super::name::short_identity;
use super::named;
use countersign_policy::action::Action;
use countersign_policy::call::Call;
use countersign_policy::explain;
use countersign_policy::mode::Mode;
use countersign_policy::request::{Category, Kind, Target};
use countersign_policy::rules::directories;
use countersign_policy::rules::rule::{Authority, RuleRef};
use countersign_policy::verdict::{Finding, Source, Verdict};
use serde::{Deserialize, Serialize};

/// The most bytes of a call's input that a line keeps, half from its start and half from its end.
pub const INPUT_BYTES: usize = 16 * 1024;
/// The most findings that a line keeps. The strictest come first where there are more.
pub const FINDINGS: usize = 256;

const TARGET_BYTES: usize = 512;
const PLACE_BYTES: usize = 256;
const PLACES: usize = 4;
const BROKEN_FILES: usize = 16;

/// The event of a call that the rules were asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallJudged {
    /// The call's identity.
    pub call: String,
    /// The tool as the host spells it.
    pub tool: Clip,
    /// The working directory.
    pub cwd: Clip,
    /// The digest of tool, directory and the whole input, in hexadecimal.
    pub digest: String,
    /// The input.
    pub input: Clip,
    /// What follows from the rules.
    #[serde(with = "named::action")]
    pub action: Action,
    /// The machine-readable reason.
    pub code: Code,
    /// Where on its way the call was judged.
    pub phase: Phase,
    /// The permission mode in force.
    #[serde(with = "named::mode")]
    pub mode: Mode,
    /// What was found for each request.
    pub findings: Vec<FindingLine>,
    /// How many findings more there were than a line keeps.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub findings_left_out: u64,
    /// What was wrong with the input's form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<Clip>,
    /// The rule files that could not be read whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<Clip>,
    /// The time that judging took, in microseconds.
    pub micros: u64,
}

/// Machine-readable reasons (row P1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Allowed.
    PermissionAllow,
    /// A person decides.
    PermissionRequired,
    /// Denied.
    PermissionDenied,
    /// Outside the directories that the MCP server may touch.
    McpAllowedDirsDenied,
    /// Allowed by a scoped prefix.
    ScopedAllowPrefix,
    /// Not read-only in a turn that is.
    ReadOnlyTurnDenied,
    /// An exec without a program.
    InvalidExecBoundary,
    /// The child's profile makes its tools ask.
    ChildToolApprovalRequired,
    /// The input did not have its tool's form.
    InvalidArguments,
    /// Allowed by the rules, but a rule file is broken.
    RulesBroken,
}

impl Code {
    /// The code that follows from a verdict alone.
    pub fn of(verdict: &Verdict) -> Self {
        let by = |is: fn(&Source) -> bool| {
            let mut findings = verdict.findings.iter();
            findings.any(|finding| finding.action == verdict.action && is(&finding.source))
        };
        match (verdict.action, verdict.malformed.is_some()) {
            (Action::Allow | Action::Ask | Action::Deny, true) => Self::InvalidArguments,
            (Action::Allow, false) if by(|source| matches!(source, Source::ScopedAllow(_))) => {
                Self::ScopedAllowPrefix
            }
            (Action::Allow, false) => Self::PermissionAllow,
            (Action::Ask, false) => Self::PermissionRequired,
            (Action::Deny, false) if by(is_of_directories) => Self::McpAllowedDirsDenied,
            (Action::Deny, false) if by(|source| *source == Source::ReadOnlyTurn) => {
                Self::ReadOnlyTurnDenied
            }
            (Action::Deny, false) => Self::PermissionDenied,
        }
    }
}

/// Whether a deny comes from the directories that bind an MCP server.
fn is_of_directories(source: &Source) -> bool {
    let rule = explain::rule(source);
    rule.is_some_and(|rule| rule.id.as_deref() == Some(directories::ID))
}

/// Where on its way a call was judged (rows A1, A5, P8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before anybody is asked.
    PreCheck,
    /// Again after the answer, right before it runs.
    Execution,
    /// At the moment of an exec below a running call.
    ExecBoundary,
}

/// What was found for one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingLine {
    /// The kind of the request.
    #[serde(with = "named::kind")]
    pub kind: Kind,
    /// What was asked for.
    pub target: Clip,
    /// Where a path stands, as written and with links followed; the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Clip>,
    /// The file of the project in whose text it stands, where a script of the project does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Clip>,
    /// The category.
    #[serde(with = "named::category")]
    pub category: Category,
    /// What follows for the request.
    #[serde(with = "named::action")]
    pub action: Action,
    /// What decided it.
    pub source: SourceLine,
    /// Whether only a person may answer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub person_only: bool,
}

/// What decided a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SourceLine {
    /// The floor.
    Floor {
        /// What it forbids.
        floor: String,
    },
    /// A rule.
    Rule {
        /// The rule.
        rule: RuleLine,
    },
    /// A deny or ask that may match.
    PerhapsRule {
        /// The rule.
        rule: RuleLine,
    },
    /// An allow whose confinement cannot be enforced here.
    Confinement {
        /// The rule.
        rule: RuleLine,
    },
    /// It cannot be told what happens.
    Opacity {
        /// Why not.
        why: String,
    },
    /// The mode answered.
    Mode {
        /// For this category.
        #[serde(with = "named::category")]
        category: Category,
    },
    /// The user's own answer for a category.
    CategoryChoice {
        /// The category.
        #[serde(with = "named::category")]
        category: Category,
    },
    /// The allow of the command settled it.
    SettledByCommand {
        /// The rule.
        rule: RuleLine,
    },
    /// The command's effects are asked in its stead.
    ItsEffects {},
    /// A script of the project does it, and the command that starts the script is asked in its stead.
    ItsStarter {},
    /// The turn allows commands with this prefix.
    ScopedAllow {
        /// The words.
        prefix: String,
    },
    /// The turn only reads.
    ReadOnlyTurn {},
    /// A rule file is broken.
    BrokenRules {},
}

/// By which a line names a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleLine {
    /// The rule's own `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Clip>,
    /// The rule as text.
    pub label: Clip,
    /// The layer.
    pub layer: String,
    /// The file, or `built-in`.
    pub origin: Clip,
    /// The line in that file, counted from 1.
    pub line: u64,
}

impl CallJudged {
    /// The record of a verdict on a call; `micros` is how long judging took.
    pub fn of(call: &Call, verdict: &Verdict, (code, phase): (Code, Phase), micros: u64) -> Self {
        let left_out = verdict.findings.len().saturating_sub(FINDINGS);
        let mut findings: Vec<&Finding> = verdict.findings.iter().collect();
        if left_out > 0 {
            // What decided must not be among what is left out; the sort is stable, so order stays within an action.
            findings.sort_by_key(|finding| std::cmp::Reverse(finding.action));
        }
        let words = |text: &String| Clip::of(text, WORDS_BYTES);
        Self {
            call: short_identity(&call.id.0),
            tool: Clip::of(&call.tool, PLACE_BYTES),
            cwd: Clip::of(call.cwd.as_str(), 4 * WORDS_BYTES),
            digest: call.digest().to_string(),
            input: Clip::of(&call.input, INPUT_BYTES),
            action: verdict.action,
            code,
            phase,
            mode: verdict.mode,
            findings: findings
                .into_iter()
                .take(FINDINGS)
                .map(FindingLine::of)
                .collect(),
            findings_left_out: left_out as u64,
            malformed: verdict.malformed.as_ref().map(words),
            broken: verdict
                .broken
                .iter()
                .take(BROKEN_FILES)
                .map(words)
                .collect(),
            micros,
        }
    }
}

impl FindingLine {
    fn of(finding: &Finding) -> Self {
        let request = &finding.request;
        Self {
            kind: request.kind,
            target: Clip::of(&explain::target(&request.target), TARGET_BYTES),
            places: places(&request.target),
            within: request
                .within
                .as_ref()
                .map(|file| Clip::of(file.as_str(), PLACE_BYTES)),
            category: request.category,
            action: finding.action,
            source: SourceLine::of(&finding.source),
            person_only: finding.person_only,
        }
    }
}

impl SourceLine {
    fn of(source: &Source) -> Self {
        match source {
            Source::Floor(what) => Self::Floor {
                floor: what.name().to_owned(),
            },
            Source::Rule(rule) => Self::Rule {
                rule: RuleLine::of(rule),
            },
            Source::PerhapsRule(rule) => Self::PerhapsRule {
                rule: RuleLine::of(rule),
            },
            Source::Confinement(rule) => Self::Confinement {
                rule: RuleLine::of(rule),
            },
            Source::Opacity(why) => Self::Opacity {
                why: why.name().to_owned(),
            },
            Source::Mode(category) => Self::Mode {
                category: *category,
            },
            Source::CategoryChoice(category) => Self::CategoryChoice {
                category: *category,
            },
            Source::SettledByCommand(rule) => Self::SettledByCommand {
                rule: RuleLine::of(rule),
            },
            Source::ItsEffects => Self::ItsEffects {},
            Source::ItsStarter => Self::ItsStarter {},
            Source::ScopedAllow(prefix) => Self::ScopedAllow {
                prefix: prefix.clone(),
            },
            Source::ReadOnlyTurn => Self::ReadOnlyTurn {},
            Source::BrokenRules => Self::BrokenRules {},
        }
    }
}

impl RuleLine {
    fn of(rule: &RuleRef) -> Self {
        let layer = match rule.authority {
            Authority::Builtin => "built-in",
            Authority::Project => "project",
            Authority::User => "user",
            Authority::Managed => "managed",
        };
        Self {
            id: rule.id.as_ref().map(|id| Clip::of(id, PLACE_BYTES)),
            label: Clip::of(&rule.label, PLACE_BYTES),
            layer: layer.to_owned(),
            origin: Clip::of(&rule.origin, PLACE_BYTES),
            line: rule.line as u64,
        }
    }
}

/// The first few places of a path.
fn places(target: &Target) -> Vec<Clip> {
    match target {
        Target::Path(path) => {
            let places = path.places.iter().take(PLACES);
            places
                .map(|place| Clip::of(place.as_str(), PLACE_BYTES))
                .collect()
        }
        Target::Command(_) | Target::Host(_) | Target::Name(_) | Target::Opaque(_) => Vec::new(),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
