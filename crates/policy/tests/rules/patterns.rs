//! Patterns by example.

use crate::world::{command, place, session};
use countersign_policy::request::Kind;
use countersign_policy::rules::pattern::command::CommandPattern;
use countersign_policy::rules::pattern::host::HostPattern;
use countersign_policy::rules::pattern::matching::{Match, Sense};
use countersign_policy::rules::pattern::name::NamePattern;
use countersign_policy::rules::pattern::path::{PathPattern, Touch};
use countersign_policy::rules::pattern::{Pattern, contained, covered};

/// Matches a command pattern as an allow and as a deny.
fn check(pattern: &str, text: &str, allow: Match, deny: Match) {
    let parsed = CommandPattern::parse(pattern).unwrap();
    let command = command(text);
    assert_eq!(
        parsed.matches(&command, Sense::Grant),
        allow,
        "allow `{pattern}` `{text}`"
    );
    assert_eq!(
        parsed.matches(&command, Sense::Forbid),
        deny,
        "deny `{pattern}` `{text}`"
    );
}

#[test]
fn p4_words_are_matched_one_by_one() {
    use Match::{No, Yes};
    for (pattern, text, allow, deny) in [
        ("git push *", "git push", Yes, Yes),
        ("git push *", "git push origin main", Yes, Yes),
        ("git push *", "git pushx", No, No),
        ("git push*", "git pushx", Yes, Yes),
        ("git push", "git push origin", No, No),
        ("git * main", "git push main", Yes, Yes),
        ("git * main", "git push origin main", No, No),
        ("*", "anything at all", Yes, Yes),
        ("npm run test:*", "npm run test:unit", Yes, Yes),
        ("npm run ?", "npm run ab", No, No),
        // A wildcard in an allow stays on its side of a refspec; in a deny it does not.
        (
            "git push origin feature/*",
            "git push origin feature/x",
            Yes,
            Yes,
        ),
        (
            "git push origin feature/*",
            "git push origin feature/x:main",
            No,
            Yes,
        ),
        ("git push origin *", "git push origin a:b", Yes, Yes),
        ("curl http*", "curl http://x", Yes, Yes),
    ] {
        check(pattern, text, allow, deny);
    }
}

#[test]
fn p4_options_of_a_deny_match_by_meaning() {
    use Match::{No, Yes};
    for (pattern, text, allow, deny) in [
        ("rm -rf *", "rm -rf x", Yes, Yes),
        ("rm -rf *", "rm -r -f x", No, Yes),
        ("rm -rf *", "rm -fr x", No, Yes),
        ("rm -rf *", "rm --recursive --force x", No, Yes),
        ("rm -rf *", "rm x -rf", No, Yes),
        ("rm -rf *", "rm -Rvf x", No, Yes),
        ("rm -rf *", "rm -r x", No, No),
        ("rm -r *", "rm -- -r", No, No),
        ("git push --force *", "git push origin main -f", No, Yes),
        ("git push origin *", "git push -f origin main", No, Yes),
        ("git checkout -- *", "git checkout main", No, No),
        ("git checkout -- *", "git checkout main -- x", No, Yes),
        ("git push --force", "git push --force --quiet", No, No),
        ("ls --color=always *", "ls --color=always", Yes, Yes),
        ("ls --color=a* *", "ls -l --color=auto", No, Yes),
        ("ls --color=never *", "ls -l --color=auto", No, No),
    ] {
        check(pattern, text, allow, deny);
    }
}

#[test]
fn p4_what_cannot_be_told_is_perhaps() {
    use Match::{No, Perhaps, Yes};
    for (pattern, text, allow, deny) in [
        ("git push *", "git push $x", Yes, Yes),
        ("git push origin", "git push $x", Perhaps, Perhaps),
        ("git push origin", "git push \"$x\"", Perhaps, Perhaps),
        ("git push origin", "git push upstream$x", No, No),
        ("git push origin main", "git push \"$x\" dev", No, No),
        ("git push --force *", "git push $x", Perhaps, Perhaps),
        ("git push", "git push $x", Perhaps, Perhaps),
        ("git push", "git push \"$x\"", No, No),
        ("rm *.db", "rm *", Perhaps, Perhaps),
        ("rm *.db", "rm *.md", No, No),
    ] {
        check(pattern, text, allow, deny);
    }
}

#[test]
fn p4_other_names_and_changes() {
    let push = CommandPattern::parse("git push *").unwrap();
    let mut line = command("g push");
    line.other_names.push("git".to_owned());
    assert_eq!(push.matches(&line, Sense::Grant), Match::No);
    assert_eq!(push.matches(&line, Sense::Forbid), Match::Yes);
    let mut line = command("git push");
    line.changed_by.push("PATH=x".to_owned());
    assert_eq!(push.matches(&line, Sense::Grant), Match::No);
    assert_eq!(push.matches(&line, Sense::Forbid), Match::Yes);
}

#[test]
fn a14_quoting_makes_text_literal() {
    use Match::{No, Yes};
    for (pattern, text, found) in [
        (r"cat a\*b", "cat a*b", Yes),
        ("cat 'a*b'", "cat a*b", Yes),
        ("cat \"a?b\"", "cat axb", No),
        ("cat !x", "cat !x", Yes),
        ("cat [x]", "cat [x]", Yes),
    ] {
        let words: Vec<&str> = text.split(' ').collect();
        let mut line = command("cat x");
        line.words = words
            .iter()
            .map(|word| countersign_policy::effects::command::Field::Known((*word).to_owned()))
            .collect();
        let parsed = CommandPattern::parse(pattern).unwrap();
        assert_eq!(parsed.matches(&line, Sense::Grant), found, "{pattern}");
    }
    let literal = CommandPattern::literal(&["cat", "a*b", "it's", "", "x\ny", "ü"]);
    assert_eq!(literal.to_string(), "cat a\\*b it\\'s '' x\\\ny ü");
    assert_eq!(CommandPattern::parse(&literal.to_string()), Ok(literal));
}

#[test]
fn p14_paths() {
    for (pattern, path, allow, deny) in [
        ("/src/**", "/w/src", true, true),
        ("/src/**", "/w/src/a/b", true, true),
        ("/src/**", "/w/srcx", false, false),
        ("/src", "/w/src/a", false, true),
        ("src/a", "/w/src/a", true, true),
        ("src/a", "/w/x/src/a", false, false),
        ("*.env", "/w/x/prod.env", true, true),
        ("*.env", "/elsewhere/.env", true, true),
        ("build/", "/w/x/build/y", true, true),
        ("**/build/x", "/q/build/x", true, true),
        ("//etc/*", "/etc/hosts", true, true),
        ("//etc/*", "/etc/ssl/x", false, true),
        ("//etc/*", "/w/etc/hosts", false, false),
        ("~/.ssh/**", "/home/u/.ssh", true, true),
        ("~", "/home/u", true, true),
        ("/a/**/b", "/w/a/b", true, true),
        ("/a/**/b", "/w/a/x/y/b", true, true),
        ("**", "/", true, true),
        ("*", "/x/y", true, true),
        (r"/a\*b", "/w/a*b", true, true),
        (r"/a\*b", "/w/axb", false, false),
        ("/ü?", "/w/üö", true, true),
        ("./x", "/w/x", true, true),
    ] {
        let parsed = PathPattern::parse(pattern).unwrap();
        let found = |sense| parsed.matches(&place(path), Touch::Reads, &session(), sense);
        assert_eq!(
            found(Sense::Grant),
            Match::sure(allow),
            "allow {pattern} {path}"
        );
        assert_eq!(
            found(Sense::Forbid),
            Match::sure(deny),
            "deny {pattern} {path}"
        );
    }
}

#[test]
fn p14_paths_that_stand_for_several() {
    use Match::{No, Perhaps, Yes};
    for (pattern, path, allow, reads, changes) in [
        ("/src/**", "/w/src/.", Yes, Yes, Yes),
        ("/src/keep/**", "/w/src/.", No, Perhaps, Perhaps),
        ("*.db", "/w/src/.", No, No, Perhaps),
        ("*.db", "/w|*.db", Yes, Yes, Yes),
        ("*.db", "/w|*", No, No, Perhaps),
        ("*.db", "/w|a*", No, Perhaps, Perhaps),
        ("*.db", "/w|*.md", No, No, No),
        (".db", "/w|*", No, No, No),
        (".db", "/w|.*", No, Perhaps, Perhaps),
        ("/a/*", "/w|a/x[0-9]", Yes, Yes, Yes),
        ("/a/*", "/w|../a/x*", No, Perhaps, Perhaps),
        ("/secret.txt", "/w|*", No, Perhaps, Perhaps),
        ("~/x", "/w/.", No, No, No),
        ("~/x", "relative", No, Perhaps, Perhaps),
        ("**", "relative", No, Yes, Yes),
    ] {
        let parsed = PathPattern::parse(pattern).unwrap();
        let target = place(path);
        let found = |touch, sense| parsed.matches(&target, touch, &session(), sense);
        assert_eq!(
            found(Touch::Reads, Sense::Grant),
            allow,
            "allow {pattern} {path}"
        );
        assert_eq!(
            found(Touch::Reads, Sense::Forbid),
            reads,
            "read {pattern} {path}"
        );
        assert_eq!(
            found(Touch::Changes, Sense::Forbid),
            changes,
            "edit {pattern} {path}"
        );
    }
    // As written and as it stands: an allow holds for all of them, a deny for any.
    let mut linked = place("/w/x");
    linked.places.extend(place("/etc/x").places);
    let etc = PathPattern::parse("//etc/**").unwrap();
    assert_eq!(
        etc.matches(&linked, Touch::Reads, &session(), Sense::Grant),
        No
    );
    assert_eq!(
        etc.matches(&linked, Touch::Reads, &session(), Sense::Forbid),
        Yes
    );
    // Without a workspace an allow has no place, a deny holds anywhere.
    let mut session = session();
    session.workspace = None;
    let anchored = PathPattern::parse("/secrets/**").unwrap();
    let inside = place("/q/secrets/x");
    assert_eq!(
        anchored.matches(&inside, Touch::Reads, &session, Sense::Grant),
        No
    );
    assert_eq!(
        anchored.matches(&inside, Touch::Reads, &session, Sense::Forbid),
        Yes
    );
}

#[test]
fn p14_hosts_and_names() {
    for (pattern, host, allow, deny) in [
        ("*.example.org", "example.org", false, false),
        ("*.example.org", "a.b.example.org", true, true),
        ("*.example.org", "notexample.org", false, false),
        ("Example.ORG", "example.org", true, true),
        ("example.org", "example.org.", true, true),
        ("example.org", "example.org:8080", false, true),
        ("example.org:8080", "example.org:8080", true, true),
        ("example.org:*", "example.org", true, true),
        ("*", "[::1]:80", true, true),
    ] {
        let parsed = HostPattern::parse(pattern).unwrap();
        assert_eq!(
            parsed.matches(host, Sense::Grant),
            allow,
            "allow {pattern} {host}"
        );
        assert_eq!(
            parsed.matches(host, Sense::Forbid),
            deny,
            "deny {pattern} {host}"
        );
    }
    let tools = NamePattern::parse_qualified("github/get_*").unwrap();
    assert!(tools.matches("github/get_issue"));
    assert!(!tools.matches("github/set"));
    assert!(
        !NamePattern::parse_qualified("git*/x")
            .unwrap()
            .matches("git/hub/x")
    );
}

#[test]
fn p4_containment() {
    for (kind, narrow, wide, expected) in [
        (Kind::Shell, "git push origin *", "git push *", true),
        (Kind::Shell, "git push *", "git push *", true),
        (Kind::Shell, "git push", "git push *", true),
        (Kind::Shell, "git push *", "git push origin *", false),
        (Kind::Shell, "git push*", "git push *", false),
        (Kind::Shell, "git push a*", "git * *", true),
        (Kind::Shell, "git push a*b", "git push a*", true),
        (Kind::Shell, "git push a:*", "git push a*", false),
        (Kind::Read, "/src/a", "/src/**", true),
        (Kind::Read, "/src/**", "**", true),
        (Kind::Read, "~/x/*.env", "*.env", true),
        (Kind::Read, "~/x", "//home/u/x", false),
        (Kind::Read, "/**/*", "/*/**", true),
        (Kind::Read, "*.env.example", "*.env.*", true),
        (Kind::Net, "a.example.org", "*.example.org", true),
        (Kind::Net, "*", "*", true),
        (Kind::Net, "*:80", "*", true),
        (Kind::Mcp, "github/get_*", "github/*", true),
        (Kind::Mcp, "github/*", "*", true),
    ] {
        let read = |text| Pattern::parse(kind, text).unwrap();
        assert_eq!(
            contained(&read(narrow), &read(wide)),
            expected,
            "{narrow} in {wide}"
        );
    }
    let covers = |narrow, wide| {
        let read = |text| Pattern::parse(Kind::Shell, text).unwrap();
        covered(&read(narrow), &read(wide))
    };
    assert!(covers("rm build -r", "rm -r *"));
    assert!(covers("git push -f origin main", "git push -f *"));
    assert!(!covers("git push origin *", "git push -f *"));
}

#[test]
fn a14_patterns_print_as_they_are_read() {
    for (kind, text, printed) in [
        (Kind::Shell, "git  push   *", "git push *"),
        (Kind::Shell, "a 'b c' \"d*\"", r"a b\ c d\*"),
        (Kind::Read, "src/a", "/src/a"),
        (Kind::Read, "*.env", "**/*.env"),
        (Kind::Read, "//etc/**", "//etc/**"),
        (Kind::Read, "*", "**"),
        (Kind::Read, "build/", "**/build/**"),
        (Kind::Read, "~/.ssh/**", "~/.ssh/**"),
        (Kind::Net, "*.Example.org:80", "*.example.org:80"),
        (Kind::Mcp, "a/b*", "a/b*"),
    ] {
        let parsed = Pattern::parse(kind, text).unwrap();
        assert_eq!(parsed.to_string(), printed);
        assert_eq!(Pattern::parse(kind, printed), Ok(parsed));
    }
}
