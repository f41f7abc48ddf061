//! `test`: cases that hold and cases that do not, one's own rules beneath them, and the page that explains rules.

use crate::expected::expect;
use crate::place::{Place, write};
use std::path::Path;

const CASES: &str = "# Mine\n\nProse.\n\n## prose\nNothing to run.\n\n## pushing\n```rules\n[deny]\nshell = [\"git push *\"]\n```\n```cases\ndeny  git push\nallow  git status\n```\n\n## a verdict\n```call\nshell: git fetch\n```\n```verdict\nask\n```\n";

#[test]
fn p13_cases_that_hold() {
    let place = Place::new();
    write(&place.work().join("mine.md"), CASES);
    let run = place.run(&["test", "mine.md"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(run.out, "1 file, 3 cases, no failure\n");
}

#[test]
fn p13_cases_that_do_not_hold() {
    let place = Place::new();
    let text = CASES.replace("allow  git status", "ask  git status\nmaybe  x");
    let text = text.replace("```verdict\nask", "```verdict\nallow");
    write(&place.work().join("mine.md"), &text);
    write(&place.work().join("empty.md"), "# Nothing\n\n## yet\n");
    write(
        &place.work().join("faults.md"),
        "## a\n```caess\n```\n## b\n```cases\nask  x\n",
    );
    write(
        &place.work().join("gaps.md"),
        "## a\n```cases\nknown-gap allow  git push\nknown-gap ask  git push\n```\n",
    );
    let run = place.run(&["test", "mine.md", "empty.md", "faults.md", "gaps.md"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    expect("test/failures", &run.out);
}

#[test]
fn p13_ones_own_rules_lie_beneath() {
    let place = Place::new();
    let text = "## a\n```cases\nallow  cargo build\ndeny  git push\nallow  touch a\n```\n";
    write(&place.work().join("mine.md"), text);
    let run = place.run(&["test", "mine.md", "--with-mine"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    place.rules(
        "mode = \"accept-edits\"\n[allow]\nshell = [\"cargo build *\"]\n[deny]\nshell = [\"git push *\"]\n",
    );
    assert_eq!(place.run(&["test", "mine.md"]).code, 1);
    let run = place.run(&["test", "--with-mine", "mine.md"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "1 file, 3 cases, no failure\n")
    );
    place.rules("[alow]\n");
    let run = place.run(&["test", "--with-mine", "mine.md"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("rules.toml:1"), "{}", run.err);
}

#[test]
fn p13_a_file_that_cannot_be_read_is_an_error() {
    let place = Place::new();
    let run = place.run(&["test", "absent.md"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("cannot read `absent.md`"), "{}", run.err);
}

#[test]
fn p13_the_page_on_rules_says_what_is_so() {
    let place = Place::new();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let run = place.run(&["test", page.to_str().unwrap()]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let cases: usize = run.out.split(' ').nth(2).unwrap().parse().unwrap();
    assert!(cases >= 35, "{}", run.out);
}
