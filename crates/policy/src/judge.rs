//! From rules, requests and circumstances to a verdict with its trace; it looks nothing up and words nothing.

use crate::action::Action;
use crate::effects::opacity::Opacity;
use crate::mode::Mode;
use crate::request::{Category, Kind, Request, Target};
use crate::rules::confinement::Confinement;
use crate::rules::layer::RuleSet;
use crate::rules::pattern::matching::Match;
use crate::rules::rule::{Authority, Rule};
use crate::session::Session;
use crate::verdict::{Finding, Lifted, Source, Verdict};

/// What a judgement depends on beside rules and requests.
#[derive(Debug, Clone)]
pub struct Circumstances<'a> {
    /// The mode that was chosen; project and administrator may tighten it.
    pub mode: Mode,
    /// The session's places.
    pub session: &'a Session,
    /// The time in seconds of the Unix clock.
    pub now: i64,
    /// The confinement that can be enforced here.
    pub enforceable: &'a [Confinement],
    /// What is wrong with the call's input, where it does not have its tool's form.
    pub malformed: Option<String>,
}

/// Judges the requests of one call. A call without requests touches nothing and is allowed; whoever cannot tell what a
/// call does hands in an opaque request.
pub fn judge(rules: &RuleSet, requests: &[Request], circumstances: &Circumstances<'_>) -> Verdict {
    let mode = rules.mode(Some(circumstances.mode));
    let court = Court {
        rules,
        mode,
        circumstances,
    };
    let mut rulings: Vec<Ruling<'_>> = requests
        .iter()
        .map(|request| court.rule_on(request))
        .collect();
    settle_by_command(&mut rulings);
    let broken: Vec<String> = rules.broken().map(str::to_owned).collect();
    let findings: Vec<Finding> = rulings
        .into_iter()
        .map(|ruling| ruling.finding)
        .map(|finding| {
            if broken.is_empty() {
                finding
            } else {
                distrusted(finding)
            }
        })
        .collect();
    let strictest = findings.iter().map(|finding| finding.action).max();
    let action = match &circumstances.malformed {
        Some(_) => Action::Deny,
        None => strictest.unwrap_or(Action::Allow),
    };
    Verdict {
        action,
        findings,
        mode,
        malformed: circumstances.malformed.clone(),
        broken,
    }
}

/// Everything that is the same for all requests of a call.
struct Court<'a> {
    rules: &'a RuleSet,
    mode: Mode,
    circumstances: &'a Circumstances<'a>,
}

/// A finding with the rule that decided it.
struct Ruling<'a> {
    finding: Finding,
    rule: Option<&'a Rule>,
}

/// The rules that match one request.
struct Matched<'a> {
    /// Asks and denies, with their certainty.
    strict: Vec<(&'a Rule, Match)>,
    /// Allows, which match only with certainty.
    allows: Vec<&'a Rule>,
    /// Asks and denies that are lifted, each with what lifted it.
    lifted: Vec<(&'a Rule, Option<&'a Rule>)>,
}

/// What decides a request.
struct Decision<'a> {
    action: Action,
    source: Source,
    rule: Option<&'a Rule>,
}

impl<'a> Court<'a> {
    /// The ruling on one request.
    fn rule_on(&self, request: &Request) -> Ruling<'a> {
        let matched = self.matched(request);
        let decision = self.decide(request, &matched);
        let strict = matched
            .strict
            .iter()
            .filter(|(rule, found)| is_told(request, rule, *found));
        let mut references: Vec<&Rule> = strict.map(|(rule, _)| *rule).collect();
        references.extend(&matched.allows);
        references.extend(matched.lifted.iter().map(|(rule, _)| *rule));
        references.sort_by_key(|rule| (rule.authority, rule.line));
        let confine = match decision.action {
            Action::Allow | Action::Ask => self.confinement(request, &matched, &decision.source),
            Action::Deny => Vec::new(),
        };
        let finding = Finding {
            request: request.clone(),
            action: decision.action,
            source: decision.source,
            matched: references.into_iter().map(Rule::reference).collect(),
            lifted: matched
                .lifted
                .iter()
                .map(|(rule, by)| Lifted {
                    rule: rule.reference(),
                    by: by.map(Rule::reference),
                })
                .collect(),
            person_only: matched.strict.iter().any(|(rule, _)| rule.terms.person),
            confine,
        };
        Ruling {
            finding,
            rule: decision.rule,
        }
    }

    /// The rules that match a request, those that are lifted set apart.
    fn matched(&self, request: &Request) -> Matched<'a> {
        let Circumstances { session, now, .. } = *self.circumstances;
        let mut out = Matched {
            strict: Vec::new(),
            allows: Vec::new(),
            lifted: Vec::new(),
        };
        for rule in self.rules.candidates(request, session) {
            if !rule.is_in_force(self.mode, now) {
                continue;
            }
            let found = rule.matches(request, session);
            if found == Match::No || is_beside_the_point(request, rule, found) {
                continue;
            }
            match (rule.action, rule.exempts(request, session)) {
                (Action::Allow, Match::No) if found == Match::Yes => out.allows.push(rule),
                (Action::Allow, Match::No | Match::Perhaps | Match::Yes) => {}
                (Action::Ask | Action::Deny, Match::Yes) => out.lifted.push((rule, None)),
                (Action::Ask | Action::Deny, exempt @ (Match::No | Match::Perhaps)) => {
                    let found = found.and(exempt.negate());
                    if !is_beside_the_point(request, rule, found) {
                        out.strict.push((rule, found));
                    }
                }
            }
        }
        self.lift(&mut out);
        out
    }

    /// Sets apart the asks and denies that a narrower allow lifts. An allow whose confinement cannot be enforced lifts
    /// nothing.
    fn lift(&self, matched: &mut Matched<'a>) {
        let strict = std::mem::take(&mut matched.strict);
        for (rule, found) in strict {
            let mut allows = matched
                .allows
                .iter()
                .filter(|allow| self.enforces(&allow.terms.confine));
            match allows.find(|allow| allow.lifts(rule)) {
                Some(allow) => matched.lifted.push((rule, Some(allow))),
                None => matched.strict.push((rule, found)),
            }
        }
    }

    /// What decides: the floor, the strictest rule that is not lifted, an allow, or the mode; what cannot be told at
    /// least asks.
    fn decide(&self, request: &Request, matched: &Matched<'a>) -> Decision<'a> {
        if let Some(floor) = request.floor {
            return Decision {
                action: Action::Deny,
                source: Source::Floor(floor),
                rule: None,
            };
        }
        // Before every rule: no allow lifts it.
        let broken = self
            .rules
            .broken_directories(request, self.circumstances.session);
        if let Some(limit) = broken {
            return Decision {
                action: Action::Deny,
                source: Source::Rule(limit),
                rule: None,
            };
        }
        let opacity = match request.target {
            Target::Opaque(opacity) => Some(opacity),
            Target::Command(_) | Target::Path(_) | Target::Host(_) | Target::Name(_) => None,
        };
        let strictest = matched.strict.iter().max_by_key(|(rule, found)| {
            // Of rules of one weight, the one that is certain, of the highest authority and written first is named.
            let weight = weight(rule, *found);
            (weight, *found, rule.authority, std::cmp::Reverse(rule.line))
        });
        match (strictest, opacity) {
            (Some((rule, Match::Yes)), _) => Decision {
                action: rule.action,
                source: Source::Rule(rule.reference()),
                rule: Some(rule),
            },
            // For what cannot be told every rule may match; that it cannot be told says more.
            (Some(_) | None, Some(opacity)) => self.opaque(opacity),
            (Some((rule, Match::No | Match::Perhaps)), None) => Decision {
                action: Action::Ask,
                source: Source::PerhapsRule(rule.reference()),
                rule: Some(rule),
            },
            (None, None) => self.without_objection(request, matched),
        }
    }

    /// What decides where no ask or deny stands: an allow, or else the mode.
    fn without_objection(&self, request: &Request, matched: &Matched<'a>) -> Decision<'a> {
        let usable = matched
            .allows
            .iter()
            .filter(|rule| rule.authority != Authority::Managed);
        let allows: Vec<&Rule> = usable.copied().collect();
        let unenforced = allows
            .iter()
            .find(|rule| !self.enforces(&rule.terms.confine));
        if let Some(rule) = unenforced {
            return Decision {
                action: Action::Ask,
                source: Source::Confinement(rule.reference()),
                rule: Some(rule),
            };
        }
        let first = allows
            .iter()
            .max_by_key(|rule| (rule.authority, std::cmp::Reverse(rule.line)));
        if let Some(rule) = first {
            return Decision {
                action: Action::Allow,
                source: Source::Rule(rule.reference()),
                rule: Some(rule),
            };
        }
        if !request.mode_applies {
            return Decision {
                action: Action::Allow,
                source: match request.within {
                    Some(_) => Source::ItsStarter,
                    None => Source::ItsEffects,
                },
                rule: None,
            };
        }
        self.by_category(request.category)
    }

    /// The answer for what cannot be told: an ask, or more where a category's choice says so.
    fn opaque(&self, opacity: Opacity) -> Decision<'a> {
        let answer = self.by_category(Category::Opaque);
        match answer.action {
            Action::Deny => answer,
            Action::Allow | Action::Ask => Decision {
                action: Action::Ask,
                source: Source::Opacity(opacity),
                rule: None,
            },
        }
    }

    /// The answer where no rule decides: the user's choice or the mode's, tightened by project and administrator.
    fn by_category(&self, category: Category) -> Decision<'a> {
        let choice = self.rules.category_choice(category);
        let confined = self.enforces(&Confinement::ALL);
        let base = choice.unwrap_or_else(|| self.mode.answer(category, confined));
        let action = base.max(self.rules.category_floor(category));
        let source = if choice.is_some() || action != base {
            Source::CategoryChoice(category)
        } else {
            Source::Mode(category)
        };
        Decision {
            action,
            source,
            rule: None,
        }
    }

    /// Whether all of this can be enforced here.
    fn enforces(&self, confine: &[Confinement]) -> bool {
        confine
            .iter()
            .all(|confinement| self.circumstances.enforceable.contains(confinement))
    }

    /// How the command must be kept: as every allow that matched it demands, and as builds are in a mode that allows
    /// them only so.
    fn confinement(
        &self,
        request: &Request,
        matched: &Matched<'_>,
        source: &Source,
    ) -> Vec<Confinement> {
        let mut out: Vec<Confinement> = matched
            .allows
            .iter()
            .flat_map(|rule| &rule.terms.confine)
            .copied()
            .collect();
        let by_mode = *source == Source::Mode(Category::Builds)
            && self.mode.answer(request.category, true)
                != self.mode.answer(request.category, false);
        if by_mode && self.enforces(&Confinement::ALL) {
            out.extend(Confinement::ALL);
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// Whether a rule says nothing of what a script of the project does. Whoever lets the project's code run has let it do
/// what projects do: a built-in ask is about what an agent does by itself. And a deny or ask that only perhaps matches
/// would ask about every script with a variable in it.
fn is_beside_the_point(request: &Request, rule: &Rule, found: Match) -> bool {
    let builtin_ask = rule.authority == Authority::Builtin && rule.action == Action::Ask;
    request.within.is_some() && (found != Match::Yes || builtin_ask)
}

/// Whether a rule that matched is worth telling: of what cannot be told every rule may be one that matches.
fn is_told(request: &Request, rule: &Rule, found: Match) -> bool {
    let vague = match &request.target {
        Target::Opaque(_) => true,
        Target::Path(target) => target.places.is_empty() && rule.authority == Authority::Builtin,
        Target::Command(_) | Target::Host(_) | Target::Name(_) => false,
    };
    found == Match::Yes || !vague
}

/// The weight of a matched rule: one that is not certain asks.
fn weight(rule: &Rule, found: Match) -> Action {
    match found {
        Match::Yes => rule.action,
        Match::No | Match::Perhaps => Action::Ask,
    }
}

/// Where a rule allows a command by name, it answers also for the command's own effects, as far as only the mode, or a
/// built-in ask about the program itself, asks for them.
fn settle_by_command(rulings: &mut [Ruling<'_>]) {
    let mut allowed: Vec<(usize, Source)> = Vec::new();
    let mut refused: Vec<usize> = Vec::new();
    let commands = rulings.iter().map(|ruling| &ruling.finding);
    let own = |finding: &&Finding| finding.request.within.is_none();
    for finding in commands
        .filter(own)
        .filter(|finding| finding.request.kind == Kind::Shell)
    {
        let command = finding.request.command;
        if let (Action::Allow, Source::Rule(rule)) = (finding.action, &finding.source) {
            allowed.push((command, Source::SettledByCommand(rule.clone())));
        } else {
            refused.push(command);
        }
    }
    allowed.retain(|(command, _)| !refused.contains(command));
    for ruling in rulings.iter_mut().filter(|ruling| is_settled(ruling)) {
        let command = ruling.finding.request.command;
        if let Some((_, source)) = allowed.iter().find(|(own, _)| *own == command) {
            ruling.finding.action = Action::Allow;
            ruling.finding.source = source.clone();
        }
    }
}

/// Whether an allow of the command settles this ruling.
fn is_settled(ruling: &Ruling<'_>) -> bool {
    let Ruling { finding, rule } = ruling;
    let told = match finding.request.target {
        Target::Command(_) | Target::Path(_) | Target::Host(_) | Target::Name(_) => true,
        Target::Opaque(_) => false,
    };
    let own = told && finding.request.own && finding.request.kind != Kind::ExternalDirectory;
    let by_program = rule.is_some_and(|rule| {
        rule.authority == Authority::Builtin
            && rule.action == Action::Ask
            && !rule.terms.by.is_empty()
    });
    let mild = match finding.source {
        Source::Mode(_) | Source::CategoryChoice(_) => true,
        Source::Rule(_) | Source::PerhapsRule(_) => by_program,
        Source::Floor(_)
        | Source::Confinement(_)
        | Source::Opacity(_)
        | Source::SettledByCommand(_)
        | Source::ItsEffects
        | Source::ItsStarter
        | Source::ScopedAllow(_)
        | Source::ReadOnlyTurn
        | Source::BrokenRules => false,
    };
    own && mild && !finding.person_only && finding.action == Action::Ask
}

/// A finding as it counts while a rule file is broken: the rule that would have spoken against it may be unreadable.
fn distrusted(finding: Finding) -> Finding {
    match finding.action {
        Action::Allow => Finding {
            action: Action::Ask,
            source: Source::BrokenRules,
            ..finding
        },
        Action::Ask | Action::Deny => finding,
    }
}
