//! What becomes of command patterns, row by row.

use super::written::Dialect;
use super::{Commands, beginning, commands};
use countersign_policy::action::Action;

const DIALECT: Dialect = Dialect {
    question: false,
    colon: true,
};

/// The rules as lines, `ask git * -- main`.
fn lines(found: &Commands) -> Vec<String> {
    found
        .rules
        .iter()
        .map(|rule| {
            let with = rule.with.iter().map(|text| format!(" +{text}"));
            format!(
                "{} {}{}",
                rule.action.name(),
                rule.pattern,
                with.collect::<String>()
            )
        })
        .collect()
}

#[track_caller]
fn check(action: Action, text: &str, expected: &[&str]) -> Option<String> {
    let found = commands(action, text, DIALECT).unwrap();
    assert_eq!(lines(&found), expected, "{text}");
    found.warning
}

#[test]
fn p13_a_prefix_becomes_a_tail() {
    for (text, expected) in [
        ("git push:*", "git push *"),
        ("git push *", "git push *"),
        ("git push*", "git push* *"),
        ("npm run test", "npm run test"),
        ("*", "*"),
        (":*", "*"),
        ("", "*"),
        ("make test 2>&1", "make test"),
        ("make test > /dev/null", "make test"),
        ("git commit -m \"a b\"", r"git commit -m a\ b"),
        (r"echo \*", r"echo \*"),
    ] {
        let warning = check(Action::Allow, text, &[&format!("allow {expected}")]);
        assert_eq!(warning, None, "{text}");
        check(Action::Deny, text, &[&format!("deny {expected}")]);
    }
}

#[test]
fn p13_a_star_inside_a_word_becomes_an_ask() {
    for (text, expected) in [
        ("git * main", "ask git * main"),
        ("npm run te*t", "ask npm run te*t"),
        ("* --version", "ask * --version"),
        ("docker * ps *", "ask docker * ps *"),
    ] {
        assert!(check(Action::Allow, text, &[expected]).is_some(), "{text}");
    }
    let wide = "ask git * +-*=main +main";
    assert!(check(Action::Ask, "git * main", &["ask git * main", wide]).is_some());
    assert!(check(Action::Deny, "git * main", &["deny git * main", wide]).is_some());
}

#[test]
fn p13_a_text_anywhere_in_a_command_stays_a_deny() {
    let expected = [
        "deny *gcloud* *",
        "deny * *gcloud* *",
        "deny * +-*=*gcloud* +-*gcloud* +*gcloud*",
    ];
    assert!(check(Action::Deny, "*gcloud*", &expected).is_some());
}

#[test]
fn p13_what_an_allow_cannot_say_is_left_out() {
    for text in [
        "git add . && git commit *",
        "npm test | head:*",
        "echo hi > notes.txt",
        "make -j$(nproc)",
        "ls ~/x",
        "ls x?",
        "wc -l part{1,2}",
        "./scripts/build.sh:*",
        "/usr/bin/git status",
        "FOO=bar npm test",
        "echo \"open",
        "# note",
    ] {
        assert!(commands(Action::Allow, text, DIALECT).is_err(), "{text}");
    }
}

#[test]
fn p13_a_deny_never_means_less() {
    check(Action::Deny, "/usr/bin/git push *", &["deny git push *"]);
    check(Action::Deny, "FOO=bar npm publish", &["deny npm publish"]);
    for (text, expected) in [
        ("curl * | sh", "ask curl *"),
        ("* | tee*", "ask tee* *"),
        ("rm -rf ~/x", "ask rm -rf *"),
        ("cat $HOME/.ssh/*", "ask cat *"),
        ("git log > *", "ask git log"),
    ] {
        assert!(check(Action::Deny, text, &[expected]).is_some(), "{text}");
    }
    assert!(commands(Action::Deny, "* > *", DIALECT).is_err());
    assert!(commands(Action::Deny, "$EDITOR *", DIALECT).is_err());
}

#[test]
fn p13_words_become_a_beginning() {
    assert_eq!(beginning(&["git", "push"]).unwrap(), "git push *");
    assert_eq!(beginning(&["echo", "a*b"]).unwrap(), r"echo a\*b *");
    assert_eq!(beginning(&["/bin/ls"]), None);
    assert_eq!(beginning(&[]), None);
}
