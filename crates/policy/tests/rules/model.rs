//! Every set of up to three rules of a small universe, judged by the shipped judge: what must hold whatever the rules
//! say.

use crate::world::{path, request, session, shell, with_confinement};
use countersign_policy::action::Action;
use countersign_policy::effects::opacity::Opacity;
use countersign_policy::mode::Mode;
use countersign_policy::outcome::{Answer, Outcome, Review};
use countersign_policy::request::{Category, Floor, Kind, Request, Target};
use countersign_policy::rules::confinement::Confinement;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::pattern::matching::Match;
use countersign_policy::rules::rule::{Authority, Rule};
use countersign_policy::verdict::{Finding, Verdict};
use std::collections::HashMap;

const AUTHORITIES: [Authority; 4] = [
    Authority::Builtin,
    Authority::Project,
    Authority::User,
    Authority::Managed,
];

/// The rules of the universe.
fn universe() -> Vec<Rule> {
    let mut out = Vec::new();
    let mut add = |authority, text: &str| {
        let parsed = parse(text, "r.toml", authority);
        assert_eq!(parsed.diagnostics, [], "{text}");
        out.extend(parsed.layer.rules);
    };
    for authority in AUTHORITIES {
        for action in Action::ALL {
            for pattern in ["a *", "a b *", "a b"] {
                add(
                    authority,
                    &format!("[{}]\nshell = ['{pattern}']", action.name()),
                );
            }
        }
    }
    for text in [
        "[deny]\nshell = ['a -f *']",
        "[allow]\nedit = ['/x']",
        "[ask]\nedit = ['**']",
        "[[rule]]\ndeny = { shell = 'a *' }\nwith = ['-f']",
        "[[rule]]\nallow = { shell = 'a *' }\nwith = ['-f']",
        "[[rule]]\nallow = { shell = 'a *' }\nwithout = ['-f']",
        "[[rule]]\nask = { shell = 'a *' }\nunless = { shell = 'a b *' }",
        "[[rule]]\nallow = { shell = 'a b *' }\nin = '/sub'",
        "[[rule]]\nallow = { shell = 'a b *' }\nconfine = ['no-network']",
        "[[rule]]\nask = { shell = 'a b *' }\nperson = true",
    ] {
        add(Authority::User, text);
    }
    out
}

/// The requests, each of a command of its own.
fn requests() -> Vec<Request> {
    let mut wipe = path(Kind::Delete, "/");
    wipe.floor = Some(Floor::WipesRoot);
    let mut inert = shell("a b");
    inert.mode_applies = false;
    let mut out = vec![
        wipe,
        request(
            Kind::Shell,
            Target::Opaque(Opacity::Syntax),
            Category::Opaque,
        ),
        shell("a"),
        shell("a b"),
        shell("a b -f"),
        shell("a c $x"),
        path(Kind::Edit, "/w/x"),
        inert,
    ];
    for (command, request) in out.iter_mut().enumerate() {
        request.command = command;
    }
    out
}

/// Rules as layers.
fn set(rules: &[&Rule]) -> RuleSet {
    let layers = AUTHORITIES.into_iter().map(|authority| {
        let own = rules.iter().filter(|rule| rule.authority == authority);
        Layer {
            rules: own.map(|rule| (*rule).clone()).collect(),
            ..Layer::empty(authority, "r.toml")
        }
    });
    RuleSet::new(layers.collect())
}

fn judged(rules: &[&Rule], mode: Mode, requests: &[Request]) -> Verdict {
    with_confinement(&set(rules), mode, requests, &[Confinement::Workspace])
}

/// The places of all sets of at most `most` of `count` rules.
fn sets(count: usize, most: usize) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new()];
    let mut last = out.clone();
    for _ in 0..most {
        let mut next = Vec::new();
        for set in &last {
            let from = set.last().map_or(0, |last| last + 1);
            next.extend((from..count).map(|rule| [set.as_slice(), &[rule]].concat()));
        }
        out.extend(next.iter().cloned());
        last = next;
    }
    out
}

#[test]
fn p4_whatever_the_rules_say() {
    let rules = universe();
    let requests = requests();
    for mode in [Mode::Default, Mode::Open] {
        let mut actions: HashMap<Vec<usize>, Vec<Action>> = HashMap::new();
        for places in sets(rules.len(), 3) {
            let chosen: Vec<&Rule> = places.iter().map(|place| &rules[*place]).collect();
            let verdict = judged(&chosen, mode, &requests);
            check_floor_and_opacity(&verdict);
            check_lifting(&verdict, &rules);
            check_order(&chosen, mode, &requests, &verdict);
            let found: Vec<Action> = verdict
                .findings
                .iter()
                .map(|finding| finding.action)
                .collect();
            // An ask or deny more never makes anything laxer.
            for place in places
                .iter()
                .filter(|place| rules[**place].action != Action::Allow)
            {
                let fewer: Vec<usize> = places
                    .iter()
                    .filter(|other| *other != place)
                    .copied()
                    .collect();
                for (less, more) in actions[&fewer].iter().zip(&found) {
                    assert!(less <= more, "{:?}\n{chosen:#?}", rules[*place]);
                }
            }
            actions.insert(places, found);
        }
    }
}

/// The floor denies and what cannot be told at least asks.
fn check_floor_and_opacity(verdict: &Verdict) {
    assert_eq!(verdict.findings[0].action, Action::Deny);
    assert!(verdict.findings[1].action >= Action::Ask);
    assert_eq!(verdict.action, Action::Deny);
}

/// Only a narrower allow of sufficient authority lifts, judged by what it matches and not by its text.
fn check_lifting(verdict: &Verdict, rules: &[Rule]) {
    for finding in &verdict.findings {
        for lifted in finding.lifted.iter().filter(|lifted| lifted.by.is_some()) {
            let by = lifted.by.as_ref().unwrap();
            let (allow, strict) = (by.authority, lifted.rule.authority);
            assert!(allow >= strict, "{lifted:?}");
            assert!(
                allow != Authority::Managed || strict == Authority::Managed,
                "{lifted:?}"
            );
            let of = |authority, label: &str| -> Vec<&Rule> {
                let all = rules.iter().filter(|rule| rule.authority == authority);
                all.filter(|rule| rule.reference().label == label).collect()
            };
            let covered = of(allow, &by.label).iter().any(|allow| {
                of(strict, &lifted.rule.label)
                    .iter()
                    .any(|strict| is_narrower(allow, strict))
            });
            assert!(covered, "{lifted:?}");
        }
    }
}

/// Whether all commands of a sample that the allow matches are matched by the other.
fn is_narrower(allow: &Rule, strict: &Rule) -> bool {
    let session = session();
    [
        "a", "b", "a b", "a c", "a b c", "a -f", "a b -f", "a -f b", "a c -f",
    ]
    .iter()
    .all(|text| {
        let mut sample = shell(text);
        sample.cwd = vec![session.workspace.clone().unwrap().join("sub")];
        allow.matches(&sample, &session) != Match::Yes
            || strict.matches(&sample, &session) == Match::Yes
    }) || allow.kind != Kind::Shell
}

/// The order of rules in a file says nothing.
fn check_order(chosen: &[&Rule], mode: Mode, requests: &[Request], verdict: &Verdict) {
    let reversed: Vec<&Rule> = chosen.iter().rev().copied().collect();
    let other = judged(&reversed, mode, requests);
    let tell = |finding: &Finding| (finding.action, finding.person_only, finding.lifted.len());
    let one: Vec<_> = verdict.findings.iter().map(tell).collect();
    let two: Vec<_> = other.findings.iter().map(tell).collect();
    assert_eq!(one, two, "{chosen:#?}");
}

#[test]
fn p4_one_request_more_never_makes_a_call_laxer() {
    let rules = universe();
    let effects = [
        path(Kind::Edit, "/w/x"),
        path(Kind::Read, "/w/y"),
        Request {
            own: false,
            ..path(Kind::Edit, "/w/z")
        },
        request(
            Kind::Net,
            Target::Opaque(Opacity::ComputedHost),
            Category::Opaque,
        ),
        Request {
            command: 1,
            ..shell("a b")
        },
    ];
    for places in sets(rules.len(), 2) {
        let chosen: Vec<&Rule> = places.iter().map(|place| &rules[*place]).collect();
        for mode in Mode::ALL {
            for subset in 0..1 << effects.len() {
                let with = |bits: usize| {
                    let kept = effects
                        .iter()
                        .enumerate()
                        .filter(|(bit, _)| bits & (1 << bit) != 0);
                    let kept = kept.map(|(_, request)| request.clone());
                    let all: Vec<Request> = [shell("a b")].into_iter().chain(kept).collect();
                    judged(&chosen, mode, &all).action
                };
                if subset == 0 || places.len() < 2 {
                    for bit in 0..effects.len() {
                        assert!(with(subset) <= with(subset | 1 << bit), "{chosen:#?}");
                    }
                }
            }
        }
    }
}

#[test]
fn p1_an_answer_settles_asks_only() {
    let rules = universe();
    let answers = [
        None,
        Some(Answer::Allow),
        Some(Answer::Deny),
        Some(Answer::Cancelled),
        Some(Answer::Unavailable),
        Some(Answer::HostAsks),
    ];
    for rule in &rules {
        for request in requests() {
            let verdict = judged(&[rule], Mode::Default, &[request]);
            for answer in answers {
                assert_eq!(verdict.settle(answer, Review::Block), Outcome::Rejected);
                let outcome = verdict.settle(answer, Review::Pass);
                match verdict.action {
                    Action::Deny => assert_eq!(outcome, Outcome::Rejected),
                    Action::Ask => {
                        assert_eq!(outcome == Outcome::Allowed, answer == Some(Answer::Allow));
                    }
                    Action::Allow => {}
                }
            }
        }
    }
}
