//! Properties of patterns and of the file reader over made-up input.

use crate::world::{command, session};
use countersign_policy::effects::command::{CommandLine, Field};
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Kind, PathTarget};
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::pattern::command::CommandPattern;
use countersign_policy::rules::pattern::host::HostPattern;
use countersign_policy::rules::pattern::matching::{Match, Sense};
use countersign_policy::rules::pattern::path::{PathPattern, Touch};
use countersign_policy::rules::pattern::{Pattern, contained, covered};
use countersign_policy::rules::rule::Authority;
use proptest::collection::vec;
use proptest::prelude::*;

/// A command whose words are all known.
fn line(words: &[String]) -> CommandLine {
    let mut line = command("x");
    line.words = words.iter().cloned().map(Field::Known).collect();
    line.operands = line.words.iter().skip(1).cloned().collect();
    line
}

/// A path and nothing else.
fn target(path: &AbsPath) -> PathTarget {
    PathTarget {
        written: path.to_string(),
        places: vec![path.clone()],
        pattern: None,
        recursive: false,
    }
}

/// Words with characters that mean something in patterns, shells and file names.
fn odd_word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a*b".to_owned()),
        Just("!x".to_owned()),
        Just("[x]".to_owned()),
        Just("~".to_owned()),
        Just("-rf".to_owned()),
        Just("a b".to_owned()),
        Just("a\nb".to_owned()),
        Just("ünï\u{3000}x".to_owned()),
        "[a-z*?\\\\'\" \\[\\]!~#:=-]{0,5}",
        any::<String>(),
    ]
}

/// Text of a command pattern over a small alphabet.
fn pattern_text() -> impl Strategy<Value = String> {
    let word = "(-[ab]|[ab:*?]{1,4}|\\*|a|b)";
    (vec(word, 1..4), any::<bool>())
        .prop_map(|(words, tail)| words.join(" ") + if tail { " *" } else { "" })
}

/// Words of the same alphabet.
fn small_words() -> impl Strategy<Value = Vec<String>> {
    vec("(-[ab]|[ab:]{0,4}|a|b|git)", 1..5)
}

/// Text of a path pattern over a small alphabet.
fn path_text() -> impl Strategy<Value = String> {
    let part = "(\\*\\*|\\*|[ab]|[ab*?]{1,3})";
    ("(//|/|~/|)", vec(part, 1..4), "(/|)")
        .prop_map(|(anchor, parts, end)| anchor + &parts.join("/") + &end)
}

/// Paths near the anchors of the test session.
fn small_path() -> impl Strategy<Value = AbsPath> {
    ("(/w|/home/u|)", vec("[ab]{1,2}", 0..4))
        .prop_map(|(base, parts)| AbsPath::root().join(&format!("{base}/{}", parts.join("/"))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a14_literal_words_print_and_match_themselves(words in vec(odd_word(), 1..5), other in vec(odd_word(), 1..5)) {
        let literal = CommandPattern::literal(&words);
        prop_assert_eq!(CommandPattern::parse(&literal.to_string()), Ok(literal.clone()));
        prop_assert_eq!(literal.matches(&line(&words), Sense::Grant), Match::Yes);
        prop_assert_eq!(literal.matches(&line(&other), Sense::Grant), Match::sure(words == other));
        let family = CommandPattern::family(&words);
        prop_assert_eq!(CommandPattern::parse(&family.to_string()), Ok(family));
    }

    #[test]
    fn a14_literal_paths_print_and_match_themselves(parts in vec(odd_word(), 0..4), other in vec(odd_word(), 0..4)) {
        let path = |parts: &[String]| AbsPath::parse(&format!("/{}", parts.join("/").replace('\0', "")));
        let (Some(path), Some(other)) = (path(&parts), path(&other)) else { return Ok(()) };
        for literal in [PathPattern::literal(&path), PathPattern::directory(&path)] {
            prop_assert_eq!(PathPattern::parse(&literal.to_string()), Ok(literal.clone()));
        }
        let literal = PathPattern::literal(&path);
        let found = |path| literal.matches(&target(path), Touch::Reads, &session(), Sense::Grant);
        prop_assert_eq!(found(&path), Match::Yes);
        prop_assert_eq!(found(&other), Match::sure(path == other));
    }

    #[test]
    fn a14_print_then_parse_is_identity(text in prop_oneof![pattern_text(), path_text(), "[a-c*?.:/~\\\\ '-]{1,8}"]) {
        for kind in [Kind::Shell, Kind::Read, Kind::Net, Kind::Mcp, Kind::Tool] {
            if let Ok(pattern) = Pattern::parse(kind, &text) {
                prop_assert_eq!(Pattern::parse(kind, &pattern.to_string()), Ok(pattern.clone()), "{}", pattern);
            }
        }
    }

    #[test]
    fn p4_containment_of_commands_is_sound(narrow in pattern_text(), wide in pattern_text(), words in small_words()) {
        let narrow = Pattern::parse(Kind::Shell, &narrow).unwrap();
        let wide = Pattern::parse(Kind::Shell, &wide).unwrap();
        let (Pattern::Command(one), Pattern::Command(two)) = (&narrow, &wide) else { return Ok(()) };
        let line = crate::world::command(&words.join(" "));
        if one.matches(&line, Sense::Grant) == Match::Yes {
            prop_assert_eq!(one.matches(&line, Sense::Forbid), Match::Yes);
            if contained(&narrow, &wide) {
                prop_assert_eq!(two.matches(&line, Sense::Grant), Match::Yes);
            }
            if covered(&narrow, &wide) {
                prop_assert_eq!(two.matches(&line, Sense::Forbid), Match::Yes);
            }
        }
        prop_assert!(contained(&narrow, &narrow));
    }

    #[test]
    fn p4_containment_of_paths_is_sound(narrow in path_text(), wide in path_text(), path in small_path()) {
        let narrow = Pattern::parse(Kind::Read, &narrow).unwrap();
        let wide = Pattern::parse(Kind::Read, &wide).unwrap();
        let (Pattern::Path(one), Pattern::Path(two)) = (&narrow, &wide) else { return Ok(()) };
        let found = |pattern: &PathPattern, sense| pattern.matches(&target(&path), Touch::Reads, &session(), sense);
        if found(one, Sense::Grant) == Match::Yes {
            prop_assert_eq!(found(one, Sense::Forbid), Match::Yes);
            prop_assert_eq!(found(one, Sense::Caution), Match::Yes);
            if contained(&narrow, &wide) {
                prop_assert_eq!(found(two, Sense::Grant), Match::Yes);
            }
            if covered(&narrow, &wide) {
                prop_assert_eq!(found(two, Sense::Forbid), Match::Yes);
            }
        }
        prop_assert!(contained(&narrow, &narrow));
    }

    #[test]
    fn p4_containment_of_hosts_is_sound(narrow in "[ab*]{1,3}(\\.[ab*]{1,2})?(:[18*]{1,2})?", wide in "[ab*]{1,3}(\\.[ab*]{1,2})?(:[18*]{1,2})?", host in "[ab]{1,3}(\\.[ab]{1,2})?(:[18]{1,2})?") {
        let one = HostPattern::parse(&narrow).unwrap();
        let two = HostPattern::parse(&wide).unwrap();
        if one.matches(&host, Sense::Grant) {
            prop_assert!(one.matches(&host, Sense::Forbid));
            for sense in [Sense::Grant, Sense::Forbid] {
                prop_assert!(!one.is_within(&two, sense) || two.matches(&host, sense));
            }
        }
    }

    #[test]
    fn p14_a_glob_that_is_matched_for_certain_yields_matched_names_only(
        pattern in path_text(), glob in "[ab*?]{1,3}", name in "[ab]{1,3}", base in small_path(),
    ) {
        let pattern = PathPattern::parse(&pattern).unwrap();
        let globbed = PathTarget { pattern: Some(glob.clone()), ..target(&base) };
        let named = target(&base.join(&name));
        // A deny of the glob's text stands in for bash: what one matches, the other yields.
        let yields = PathPattern::parse(&format!("/{glob}")).unwrap();
        let here = target(&AbsPath::root().join("w").join(&name));
        if yields.matches(&here, Touch::Reads, &session(), Sense::Grant) != Match::Yes {
            return Ok(());
        }
        let found = |target, sense| pattern.matches(target, Touch::Changes, &session(), sense);
        for sense in [Sense::Grant, Sense::Forbid] {
            if found(&globbed, sense) == Match::Yes {
                prop_assert_eq!(found(&named, sense), Match::Yes);
            }
        }
        if found(&named, Sense::Forbid) == Match::Yes {
            prop_assert_ne!(found(&globbed, Sense::Forbid), Match::No);
        }
    }

    #[test]
    fn p13_any_text_is_read_without_a_panic(text in prop_oneof![any::<String>(), "[a-z\\[\\]={}'\"\n *#.,0-9]{0,60}"]) {
        let parsed = parse(&text, "r.toml", Authority::User);
        prop_assert!(parsed.diagnostics.iter().all(|found| found.line > 0 && found.column > 0));
    }
}
