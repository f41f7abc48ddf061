//! What a host is to be told of a verdict, by what it does itself where we say nothing. It is not written here.

use crate::asked::{Asked, Prompting};
use crate::granted::Granted;
use crate::printable::printable;
use countersign_policy::action::Action;
use countersign_policy::call::Action as Wanted;
use countersign_policy::explain;
use countersign_policy::grant::Allowed;
use countersign_policy::grant::offer::{Offer, offer};
use countersign_policy::outcome::{self, Outcome};
use countersign_policy::request::Category;
use countersign_policy::turn::only_reads;
use countersign_policy::verdict::{Finding, Source, Verdict};

/// What can be done where a question cannot be put.
const UNASKED: &str =
    "run the command yourself and give its output, or allow it by a rule of yours";

/// What a host is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may run, without a question of the host's.
    Allow(String),
    /// The host is to ask its user.
    Ask(String),
    /// Nothing: the host goes its own way.
    Nothing,
    /// Nothing is decided, and the person is told something.
    Tell(String),
    /// It may not run.
    Deny(Denial),
}

/// Why something may not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The reason, for the model.
    pub reason: String,
    /// What the model may do instead.
    pub hint: Option<String>,
    /// What the person has to know, where the fault is on our side.
    pub person: Option<String>,
}

impl Answer {
    /// What follows from a verdict and from what is kept of earlier answers, and how the outcome is settled with it.
    pub fn with(
        verdict: &Verdict,
        asked: &Asked,
        granted: &Granted,
    ) -> (Self, Option<outcome::Answer>) {
        let own = Self::of(verdict, asked);
        match (granted, own) {
            (Granted::By(grants), _) => {
                let rules: Vec<String> = grants
                    .iter()
                    .map(|grant| format!("`{}` (grant {})", grant.rule(), grant.id))
                    .collect();
                let reason = words(&format!("you allowed {}", rules.join(", ")));
                (Self::Allow(reason), Some(outcome::Answer::Granted))
            }
            (Granted::Broken(why), Self::Ask(reason)) => {
                let why = printable(why);
                let reason = format!(
                    "{reason}; nothing that you granted counts until this is mended: {why}"
                );
                (Self::Ask(reason), Some(outcome::Answer::HostAsks))
            }
            (Granted::No | Granted::Broken(_), own) => {
                let settles = own.settles();
                (own, settles)
            }
        }
    }

    /// The same where the rules say that nobody is asked (`approvals = "never"`): what would be a question is refused.
    #[must_use]
    pub fn without_asking(
        self,
        verdict: &Verdict,
        settles: Option<outcome::Answer>,
    ) -> (Self, Option<outcome::Answer>) {
        let reason = match self {
            Self::Ask(reason) => reason,
            Self::Nothing if verdict.action == Action::Ask => words(&explain::reason(verdict)),
            said @ (Self::Allow(_) | Self::Nothing | Self::Deny(_) | Self::Tell(_)) => {
                return (said, settles);
            }
        };
        let denial = Denial {
            reason: format!("{reason}; it needs approval, and `approvals = \"never\"` asks nobody"),
            hint: explain::hint(verdict).map(printable),
            person: None,
        };
        (Self::Deny(denial), Some(outcome::Answer::Unavailable))
    }

    /// What follows from a verdict.
    pub fn of(verdict: &Verdict, asked: &Asked) -> Self {
        let reason = || words(&explain::reason(verdict));
        match verdict.action {
            Action::Deny => Self::Deny(Denial {
                reason: reason(),
                hint: explain::hint(verdict).map(printable),
                person: None,
            }),
            Action::Ask if asked.caution.is_none() && host_asks(asked.prompting, verdict) => {
                Self::Nothing
            }
            Action::Ask => Self::question(asked, reason() + &wider(verdict)),
            Action::Allow => match asked.caution {
                Some(caution) => Self::question(asked, words(caution)),
                None if asked.call.action == Wanted::Control => Self::Nothing,
                None if asked.reads_only && !only_reads(verdict) => Self::Nothing,
                None => Self::Allow(reason()),
            },
        }
    }

    /// A question by the host, where it can ask.
    fn question(asked: &Asked, reason: String) -> Self {
        match asked.prompting {
            Prompting::Always
            | Prompting::Commands
            | Prompting::CommandsBeyondFiles
            | Prompting::Never => Self::Ask(reason),
            Prompting::Impossible => Self::Deny(Denial {
                reason: format!("{reason}; it needs approval, and nobody can be asked here"),
                hint: Some(UNASKED.to_owned()),
                person: None,
            }),
        }
    }

    /// The answer to a call of which the host was told before, when it asked first: never laxer than `before` was.
    #[must_use]
    pub fn not_laxer_than(self, before: Outcome) -> Self {
        match (before, self) {
            // Where the host asks although we allowed it, its own user wants to be asked.
            (Outcome::Deferred | Outcome::Allowed, Self::Allow(_)) => Self::Nothing,
            (Outcome::Allowed | Outcome::Deferred, answer) | (_, answer @ Self::Deny(_)) => answer,
            (
                Outcome::Rejected | Outcome::Cancelled | Outcome::Unavailable,
                Self::Allow(_) | Self::Ask(_) | Self::Nothing | Self::Tell(_),
            ) => Self::Deny(Denial {
                reason: words("it was refused when the host asked about it first"),
                hint: Some(
                    "call the tool anew; it is judged by the rules that hold by then".to_owned(),
                ),
                person: None,
            }),
        }
    }

    /// The same with how the outcome is settled: what is not allowed any more is settled by nothing that was kept.
    #[must_use]
    pub fn settled_not_laxer_than(
        self,
        before: Outcome,
        settles: Option<outcome::Answer>,
    ) -> (Self, Option<outcome::Answer>) {
        match self.not_laxer_than(before) {
            said @ Self::Allow(_) => (said, settles),
            said @ (Self::Ask(_) | Self::Nothing | Self::Deny(_) | Self::Tell(_)) => {
                let settles = said.settles();
                (said, settles)
            }
        }
    }

    /// What follows for a text from the answers to the commands within it: the first refusal, or nothing.
    pub fn of_all(answers: Vec<Self>) -> Self {
        let mut refused = answers.into_iter().filter(|answer| match answer {
            Self::Deny(_) => true,
            Self::Allow(_) | Self::Ask(_) | Self::Nothing | Self::Tell(_) => false,
        });
        refused.next().unwrap_or(Self::Nothing)
    }

    /// A refusal because something failed on our side. `remedy` is what a person can do about it.
    pub fn failure(why: &str, remedy: Option<&str>) -> Self {
        let reason = words(&format!("refused, as it could not be decided: {why}"));
        let person = match remedy {
            Some(remedy) => format!("{reason}\nhint: {}", printable(remedy)),
            None => reason.clone(),
        };
        Self::Deny(Denial {
            reason,
            hint: remedy.map(printable),
            person: Some(person),
        })
    }

    /// Something that a person has to know, without a decision.
    pub fn tell(what: &str) -> Self {
        Self::Tell(words(what))
    }

    /// How the outcome is settled with it.
    pub const fn settles(&self) -> Option<outcome::Answer> {
        match self {
            Self::Allow(_) | Self::Deny(_) => None,
            Self::Ask(_) | Self::Nothing | Self::Tell(_) => Some(outcome::Answer::HostAsks),
        }
    }

    /// What is said aloud beside the machine's answer: only what refuses.
    pub fn aloud(&self) -> String {
        match self {
            Self::Allow(_) | Self::Ask(_) | Self::Nothing | Self::Tell(_) => String::new(),
            Self::Deny(denial) => match &denial.hint {
                Some(hint) => format!("{}\nhint: {hint}", denial.reason),
                None => denial.reason.clone(),
            },
        }
    }
}

/// What a wider answer would keep, and how it is given.
fn wider(verdict: &Verdict) -> String {
    let kept = match offer(verdict) {
        Offer::Nothing(_) => return String::new(),
        Offer::Exactly(_) => "exactly this call".to_owned(),
        Offer::Forms(forms) => {
            let rules = forms
                .into_iter()
                .map(|form| format!("`{}`", Allowed::Form(form)));
            rules.collect::<Vec<_>>().join(", ")
        }
    };
    let kept = printable(&kept);
    format!("; `countersign allow --last --always` would keep: {kept}")
}

fn words(text: &str) -> String {
    format!("countersign: {}", printable(text))
}

/// Whether the host asks its user by itself, so that nothing needs to be said: only where nothing but our mode asks.
fn host_asks(prompting: Prompting, verdict: &Verdict) -> bool {
    let mut asking = verdict
        .findings
        .iter()
        .filter(|finding| finding.action == Action::Ask);
    let by_mode = asking.clone().all(is_by_mode) && verdict.broken.is_empty();
    by_mode
        && match prompting {
            Prompting::Always => true,
            Prompting::Commands => asking.any(|finding| match finding.request.category {
                Category::Reads => false,
                Category::Writes
                | Category::Builds
                | Category::Fetches
                | Category::Installs
                | Category::Unknown
                | Category::Removes
                | Category::Remote
                | Category::Privilege
                | Category::Opaque => true,
            }),
            Prompting::CommandsBeyondFiles => {
                asking.any(|finding| match finding.request.category {
                    // A program that nobody described may be one that the host takes for harmless.
                    Category::Reads | Category::Writes | Category::Removes | Category::Unknown => {
                        false
                    }
                    Category::Builds
                    | Category::Fetches
                    | Category::Installs
                    | Category::Remote
                    | Category::Privilege
                    | Category::Opaque => true,
                })
            }
            Prompting::Never | Prompting::Impossible => false,
        }
}

fn is_by_mode(finding: &Finding) -> bool {
    !finding.person_only
        && match finding.source {
            Source::Mode(_) => true,
            Source::Floor(_)
            | Source::Rule(_)
            | Source::PerhapsRule(_)
            | Source::Confinement(_)
            | Source::Opacity(_)
            | Source::CategoryChoice(_)
            | Source::SettledByCommand(_)
            | Source::ItsEffects
            | Source::ItsStarter
            | Source::ScopedAllow(_)
            | Source::ReadOnlyTurn
            | Source::BrokenRules => false,
        }
}
