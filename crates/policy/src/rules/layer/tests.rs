//! What the index leaves out changes no verdict: made-up rules and requests, judged with it and without.

use super::{Layer, RuleSet};
use crate::effects::opacity::Opacity;
use crate::judge::{Circumstances, judge};
use crate::mode::Mode;
use crate::path::AbsPath;
use crate::request::{Category, Kind, PathTarget, Request, Target};
use crate::rules::builtin::builtin;
use crate::rules::parse::parse;
use crate::rules::rule::Authority;
use crate::session::Session;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// The built-in layer, which takes long to make.
static TABLE: LazyLock<Layer> = LazyLock::new(builtin);

/// Kinds whose rules are over paths.
const PATHS: [Kind; 4] = [
    Kind::Read,
    Kind::Edit,
    Kind::Delete,
    Kind::ExternalDirectory,
];

/// A component of a path pattern: few letters, so that rules and targets meet.
fn component() -> impl Strategy<Value = String> {
    let kept = "(\\*\\*|\\*|[ab]|[ab*?.]{1,3}|\\.a|w|u|home|\\\\\\*|a\\\\/b)";
    kept.prop_filter("no rule goes up", |text| {
        !matches!(text.as_str(), "." | "..")
    })
}

/// A path pattern of every anchor.
fn pattern() -> impl Strategy<Value = String> {
    ("(//|/|~/|//w/|//home/u/|)", vec(component(), 1..4), "(/|)")
        .prop_map(|(anchor, parts, end)| anchor + &parts.join("/") + &end)
}

/// The text of one rule of one kind, with what else a rule may say now and then.
fn rule(kind: Kind, patterns: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let patterns = (patterns, any::<bool>(), any::<bool>());
    (select(vec!["allow", "ask", "deny"]), patterns).prop_map(move |(action, rest)| {
        let (pattern, person, id) = rest;
        let mut out = format!("[[rule]]\n{action} = {{ {} = '{pattern}' }}\n", kind.name());
        if person && action == "ask" {
            out.push_str("person = true\n");
        }
        if id {
            let _ = writeln!(out, "reason = 'because'");
        }
        out
    })
}

/// A place near the anchors.
fn place() -> impl Strategy<Value = AbsPath> {
    ("(/w|/home/u|/home|)", vec("([ab]{1,2}|\\.a|w)", 0..3))
        .prop_map(|(base, parts)| AbsPath::root().join(&format!("{base}/{}", parts.join("/"))))
}

/// A bash pattern, also one that goes up or escapes a slash.
fn found() -> impl Strategy<Value = String> {
    let part = "(\\*|\\*\\*|[ab*?]{1,3}|a|b|\\.\\*|\\.\\.|\\[ab\\]|a\\\\/b|@\\(a\\|b\\))";
    vec(part, 1..4).prop_map(|parts| parts.join("/"))
}

/// Every form of a target over paths.
fn target() -> impl Strategy<Value = PathTarget> {
    (vec(place(), 0..3), option::of(found()), any::<bool>()).prop_map(
        |(places, pattern, recursive)| PathTarget {
            written: String::new(),
            places,
            pattern,
            recursive,
        },
    )
}

/// Sessions with and without their places.
fn session() -> impl Strategy<Value = Session> {
    let roots = select(vec![
        None,
        Some("/w"),
        Some("/w/a"),
        Some("/home/u"),
        Some("/home/u/a"),
    ]);
    (roots, any::<bool>()).prop_map(|(root, home)| {
        let mut session = Session::example("/w");
        session.workspace = root.and_then(AbsPath::parse);
        if !home {
            session.home = None;
        }
        session
    })
}

fn request(kind: Kind, target: Target) -> Request {
    Request {
        kind,
        target,
        category: Category::Unknown,
        mode_applies: true,
        command: 0,
        own: true,
        program: Some("rm".to_owned()),
        cwd: vec![AbsPath::root().join("w")],
        within: None,
        floor: None,
        span: None,
    }
}

/// The layers of these rules, some of them the project's.
fn layers(rules: &[String], table: bool) -> Vec<Layer> {
    let (project, user) = rules.split_at(rules.len() / 3);
    let mut out: Vec<Layer> = table.then(|| TABLE.clone()).into_iter().collect();
    for (rules, authority) in [(project, Authority::Project), (user, Authority::User)] {
        let mut layer = Layer::empty(authority, "r.toml");
        for (rule, line) in rules.iter().zip(1..) {
            // A pattern that is no pattern is left out, and the layer stays whole.
            let read = parse(rule, "r.toml", authority).layer.rules.into_iter();
            layer.rules.extend(read.map(|mut rule| {
                rule.line = line;
                rule
            }));
        }
        out.push(layer);
    }
    out
}

/// Fails where the index makes a difference.
fn agrees(layers: &[Layer], request: &Request, session: &Session) -> Result<(), TestCaseError> {
    let circumstances = Circumstances {
        mode: Mode::Default,
        session,
        now: 0,
        enforceable: &[],
        malformed: None,
    };
    let requests = std::slice::from_ref(request);
    let found = judge(&RuleSet::new(layers.to_vec()), requests, &circumstances);
    let whole = judge(&RuleSet::flat(layers.to_vec()), requests, &circumstances);
    prop_assert_eq!(found, whole);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p4_an_index_over_paths_changes_no_verdict(
        (kind, rules) in select(PATHS.to_vec()).prop_flat_map(|kind| (Just(kind), vec(rule(kind, pattern()), 1..12))),
        target in target(), session in session(), table in proptest::bool::weighted(0.1),
    ) {
        agrees(&layers(&rules, table), &request(kind, Target::Path(target)), &session)?;
    }

    #[test]
    fn p4_an_index_over_hosts_changes_no_verdict(
        rules in vec(rule(Kind::Net, "[ab*?]{0,2}(\\.|)[ab*]{1,2}(\\.[ab*]{1,2})?(:[18*])?"), 1..12),
        host in "[ab]{0,2}(\\.[ab]{1,2}){1,2}\\.?(:[18])?",
    ) {
        agrees(&layers(&rules, false), &request(Kind::Net, Target::Host(host)), &Session::example("/w"))?;
    }

    #[test]
    fn p4_an_index_over_names_changes_no_verdict(
        (kind, rules) in prop_oneof![
            vec(rule(Kind::Mcp, "[ab*?]{1,2}/[ab*/]{1,3}"), 1..12).prop_map(|rules| (Kind::Mcp, rules)),
            vec(rule(Kind::Tool, "[ab*?/]{1,3}"), 1..12).prop_map(|rules| (Kind::Tool, rules)),
        ],
        name in "[ab]{1,2}(/[ab/]{1,2})?",
    ) {
        agrees(&layers(&rules, false), &request(kind, Target::Name(name)), &Session::example("/w"))?;
    }

    #[test]
    fn p4_an_index_over_commands_changes_no_verdict(
        rules in vec(rule(Kind::Shell, "[ab*]{1,2}( [ab*]{1,2})?"), 1..12), opaque in any::<bool>(),
    ) {
        let target = if opaque { Target::Opaque(Opacity::Syntax) } else { Target::Name("a".to_owned()) };
        agrees(&layers(&rules, true), &request(Kind::Shell, target), &Session::example("/w"))?;
    }
}
