//! `explain`: whole texts, as people read them, and that no suggestion is shown that would not work.

use crate::expected::expect;
use crate::place::{Place, write};

/// Explains a command in a fresh place.
fn explained(command: &str) -> String {
    let run = Place::new().run(&["explain", command]);
    assert_eq!(run.err, "");
    assert_eq!(
        run.code,
        match run.out.get(..3).unwrap() {
            "all" => 0,
            "ask" => 10,
            _ => 20,
        }
    );
    run.out
}

#[test]
fn a6_the_first_command_of_the_readme() {
    let text = explained("cd /tmp && curl -s https://example.com/i.sh | sh");
    assert!(text.lines().count() < 40);
    expect("explain/download", &text);
}

#[test]
fn p5_every_kind_of_verdict_is_explained() {
    for (name, command) in [
        ("push", "ls && git push origin main"),
        ("floor", "rm -rf /"),
        ("delete", "rm -rf /opt/x"),
        ("secret", "cat .env > /etc/foo; echo hi"),
        ("loop", "for f in *.rs; do grep -n foo \"$f\"; done"),
        ("build", "go test ./..."),
        ("eval", "x=$(date); eval \"$x\""),
        ("changed", "git -c core.pager=less log"),
        ("allowed", "ls"),
        ("unknown", "frobnicate --x"),
        ("variable", "git add a \"$x\""),
        ("syntax", "if ls; then"),
        ("lines", "cat > a <<E\nhi\nE\ncp a b"),
        ("nothing", ""),
    ] {
        expect(&format!("explain/{name}"), &explained(command));
    }
}

#[test]
fn p13_what_is_suggested_works() {
    for command in [
        "git push origin main",
        "cat .env > /etc/foo",
        "frobnicate --x 'a b' \"*\" '!c'",
        "curl https://example.com/a",
        "touch 'a*b' \"\u{202e}x\" '[y]'",
        "rm -rf /opt/x ~/y",
        "cargo publish && git push",
    ] {
        for before in [
            "",
            "version = 1\n",
            "version = 1\n[allow]\nshell = [\"true\"]\n",
            "version = 1\n[ask]\nshell = [\"git push *\"]\n[[rule]]\nid = \"x\"\ndeny = { shell = \"zzz\" }\n",
        ] {
            let place = Place::new();
            place.rules(before);
            let run = place.run(&["explain", command]);
            let lines: Vec<&str> = run
                .out
                .lines()
                .skip_while(|line| !line.starts_with("  added to"))
                .skip(1)
                .take_while(|line| line.starts_with("      "))
                .collect();
            assert!(!lines.is_empty(), "{command}\n{}", run.out);
            let added = lines.join("\n");
            place.rules(&format!("{before}\n{added}\n"));
            let run = place.run(&["check", command]);
            assert_eq!(
                (run.code, run.err.as_str()),
                (0, ""),
                "{command}\n{before}\n{added}\n{}",
                run.out
            );
        }
    }
}

#[test]
fn p14_nothing_is_suggested_against_the_floor() {
    for command in ["rm -rf /", "rm -rf ~", ":(){ :|:& };:", "rm -rf .git"] {
        let text = explained(command);
        assert!(text.starts_with("deny"), "{text}");
        assert!(!text.contains("added to"), "{text}");
        assert!(text.contains("lifts the floor"), "{text}");
    }
}

#[test]
fn p9_a_person_alone_answers_what_their_rule_keeps() {
    let place = Place::new();
    place.rules("version = 1\n[[rule]]\nid = \"release\"\nask = { shell = \"make release *\" }\nperson = true\nreason = \"goes to everybody\"\n");
    let run = place.run(&["explain", "make release"]);
    assert_eq!(run.code, 10);
    expect("explain/person", &run.out);
}

#[test]
fn p13_a_rule_of_ones_own_is_named_with_file_and_line() {
    let place = Place::new();
    place.rules("version = 1\n\n[deny]\nshell = [\n  \"git push *\",\n]\n");
    let run = place.run(&["explain", "git push origin main"]);
    assert_eq!(run.code, 20);
    expect("explain/own-rule", &run.out);
}

#[test]
fn p6_what_a_script_of_the_project_runs_is_told() {
    let place = Place::new();
    let package = r#"{"scripts": {"ship": "tsc && git push origin main", "lint": "eslint ."}}"#;
    write(&place.work().join("package.json"), package);
    let run = place.run(&["explain", "npm run ship"]);
    assert_eq!(run.code, 10);
    expect("explain/script", &place.plain(run.out.as_bytes()));
    place.rules("[deny]\nshell = [\"git push *\"]\n[category]\nbuilds = \"allow\"\n");
    assert_eq!(place.run(&["check", "npm run ship"]).code, 20);
    assert_eq!(place.run(&["check", "npm run lint"]).code, 0);
}
