//! A rule of which it is told that it does nothing can be taken out, and no verdict changes.

use crate::world::{path, request, session, shell, with_confinement};
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::{Category, Kind, Request, Target};
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::confinement::Confinement;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::overlap::remarks;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Write as _;

const NOW: i64 = 1_800_000_000;

/// Patterns that lie in one another in all ways, and targets around them.
const PATTERNS: [(&str, &[&str]); 3] = [
    (
        "shell",
        &[
            "*",
            "git *",
            "git push *",
            "git push",
            "git push origin *",
            "git push origin",
            "git push * main",
            "git push -f *",
            "git push -f origin *",
            "git push origin -f",
            "git push --force *",
            "git p* *",
            "rm *",
            "rm -rf *",
            "rm -r *",
            "rm -r -f *",
            "rm a*",
            "* push *",
            "git push -- *",
            "rm -f a",
            "git push o* *",
        ],
    ),
    (
        "read",
        &[
            "*",
            "/a/**",
            "/a/b/**",
            "/a",
            "/a/*",
            "/a/b",
            "*.env",
            "/a/*.env",
            "/a/b/x.env",
            "b/",
            "//etc/**",
            "//etc/passwd",
            "~/.ssh/**",
            "~/.ssh/id",
            "**/b/**",
            "/a/**/x.env",
            "/*/b",
        ],
    ),
    (
        "net",
        &[
            "*",
            "example.org",
            "*.example.org",
            "a.example.org",
            "a.example.org:8080",
            "*.example.org:*",
            "*:8080",
        ],
    ),
];

/// What else a rule may say.
const TERMS: [&str; 10] = [
    "",
    "",
    "",
    "",
    "with = [\"-f\"]",
    "without = [\"-f\"]",
    "in = \"/src\"",
    "until = \"2020-01-01T00:00:00Z\"",
    "until = \"2100-01-01T00:00:00Z\"",
    "unless",
];

fn requests() -> Vec<Request> {
    let commands = [
        "git",
        "git push",
        "git push origin",
        "git push origin main",
        "git push -f",
        "git push -f origin",
        "git push origin -f",
        "git push origin main -f",
        "git push --force origin",
        "git push -- origin",
        "git push $x",
        "git push \"$x\"",
        "git pull",
        "git push origin * ",
        "rm a",
        "rm -rf a",
        "rm -r -f a",
        "rm a -rf",
        "rm -f a",
        "rm -f -r",
        "rm $x",
        "make push x",
        "rm a*",
        "git push -f origin main",
        "git push o -f p",
    ];
    let paths = [
        "/w/a",
        "/w/a/b",
        "/w/a/b/c",
        "/w/a/x.env",
        "/w/a/b/x.env",
        "/w/x.env",
        "/w/a/.",
        "/w/.",
        "/etc/passwd",
        "/home/u/.ssh/id",
        "/home/u/.",
        "/w/a|*",
        "/w/a|*.env",
        "/w|*/b",
        "/w/c/b/d",
        "/w|**",
        "/w/a/b|x*",
    ];
    let hosts = [
        "example.org",
        "a.example.org",
        "a.example.org:8080",
        "b.example.org",
        "example.com:8080",
        "a.b.example.org:1",
    ];
    let mut out: Vec<Request> = commands.iter().map(|text| shell(text.trim())).collect();
    out.extend(paths.iter().map(|text| path(Kind::Read, text)));
    let host = |text: &&str| {
        request(
            Kind::Net,
            Target::Host((*text).to_owned()),
            Category::Fetches,
        )
    };
    out.extend(hosts.iter().map(host));
    out
}

/// One rule: layer, action, pattern by its place in the table, terms.
type Written = (usize, usize, usize, usize);

fn layers(kind: usize, rules: &[Written]) -> Vec<Layer> {
    let (name, patterns) = PATTERNS[kind];
    let mut out = vec![builtin()];
    for (at, authority) in [Authority::Project, Authority::User, Authority::Managed]
        .into_iter()
        .enumerate()
    {
        let mut text = String::new();
        for (_, action, pattern, terms) in rules.iter().filter(|rule| rule.0 == at) {
            let action = Action::ALL[*action].name();
            let pattern = patterns[pattern % patterns.len()];
            let terms = TERMS[*terms];
            let only_shell = terms.starts_with("with") && name != "shell";
            let terms = match terms {
                "unless" => format!(
                    "unless = {{ {name} = \"{}\" }}",
                    patterns[patterns.len() / 2]
                ),
                _ if only_shell => String::new(),
                terms => terms.to_owned(),
            };
            let _ = write!(
                text,
                "[[rule]]\n{action} = {{ {name} = \"{pattern}\" }}\n{terms}\n"
            );
        }
        let parsed = parse(&text, &format!("{authority:?}"), authority);
        assert_eq!(parsed.layer.broken, None, "{text}");
        out.push(parsed.layer);
    }
    out
}

fn actions(layers: &[Layer], requests: &[Request]) -> Vec<Action> {
    let set = RuleSet::new(layers.to_vec());
    let modes = [Mode::Default, Mode::Open];
    let each = modes.into_iter().flat_map(|mode| {
        let verdict = |request: &Request| {
            with_confinement(&set, mode, std::slice::from_ref(request), &Confinement::ALL).action
        };
        requests.iter().map(verdict).collect::<Vec<_>>()
    });
    each.collect()
}

/// Few in the usual run, as each judges hundreds of times; as many as `PROPTEST_CASES` says.
fn cases() -> ProptestConfig {
    if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default()
    } else {
        ProptestConfig::with_cases(64)
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn p13_a_rule_that_does_nothing_can_be_taken_out(
        kind in 0_usize..3,
        rules in vec((0_usize..3, 0_usize..3, 0_usize..21, 0_usize..10), 2..9),
    ) {
        let _ = session();
        let layers = layers(kind, &rules);
        let mut requests = requests();
        requests.retain(|request| request.kind.name() == PATTERNS[kind].0);
        let set = RuleSet::new(layers.clone());
        let before = actions(&layers, &requests);
        for remark in remarks(&set, NOW) {
            let mut fewer = layers.clone();
            for layer in &mut fewer {
                layer.rules.retain(|rule| !(rule.origin == remark.rule.origin && rule.line == remark.rule.line));
            }
            let after = actions(&fewer, &requests);
            let changed = before.iter().zip(&after).position(|(before, after)| before != after);
            let words = changed.map(|at| format!(
                "{:?} {:?} -> {:?}: {}", requests[at % requests.len()].target, before[at], after[at],
                remark.diagnostic().message
            ));
            prop_assert_eq!(words, None);
        }
    }
}
