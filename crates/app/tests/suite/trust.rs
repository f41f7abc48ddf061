//! `trust` and `untrust`: a person says yes at a terminal, and the project's file counts until it changes.

use crate::place::{Place, write};
use crate::terminal::typed;
use std::fs;

/// A project with a rule file that allows something and denies something.
fn project() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.work().join(".git")).unwrap();
    let rules = "[allow]\nshell = [\"make *\"]\n[deny]\nshell = [\"ls -l *\"]\n";
    write(&place.work().join(".countersign/rules.toml"), rules);
    place
}

#[test]
fn p14_only_a_person_at_a_terminal_trusts() {
    let place = project();
    let run = place.run_with(&["trust"], "yes\n");
    assert_eq!(run.code, 1);
    assert!(
        run.err.contains("needs a person at a terminal"),
        "{}",
        run.err
    );
    assert_eq!(place.run(&["check", "make"]).code, 10);

    let (code, _, shown) = typed(&place, &["trust"], "y");
    assert_eq!(code, 1);
    assert!(
        shown.contains("allow shell make *") && shown.contains("sha256 "),
        "{shown}"
    );
    assert_eq!(place.run(&["check", "make"]).code, 10);

    let (code, out, _) = typed(&place, &["trust"], "yes");
    assert_eq!(
        (code, out.contains("is trusted until it changes")),
        (0, true),
        "{out}"
    );
    assert_eq!(place.run(&["check", "make"]).code, 0);
    assert_eq!(place.run(&["check", "ls -l"]).code, 20);
    let (code, out, _) = typed(&place, &["trust"], "yes");
    assert_eq!((code, out.contains("trusted already")), (0, true), "{out}");
}

#[test]
fn p14_a_changed_file_is_untrusted_again_and_says_so() {
    let place = project();
    typed(&place, &["trust"], "yes");
    let file = place.work().join(".countersign/rules.toml");
    let text = fs::read_to_string(&file).unwrap();
    write(&file, &text.replace("make *", "sh *"));
    let run = place.run(&["check", "make"]);
    assert_eq!(run.code, 10);
    assert!(run.err.contains("any more, as it changed"), "{}", run.err);
    write(&file, &text);
    assert_eq!(place.run(&["check", "make"]).code, 0);
    assert_eq!(place.run(&["untrust"]).code, 0);
    assert_eq!(place.run(&["check", "make"]).code, 10);
}

#[test]
fn p14_what_cannot_be_read_whole_is_not_trusted() {
    let place = project();
    write(&place.work().join(".countersign/rules.toml"), "[allow\n");
    let (code, _, shown) = typed(&place, &["trust"], "yes");
    assert_eq!(code, 2);
    assert!(shown.contains("cannot be read whole"), "{shown}");
    let empty = Place::new();
    let run = empty.run(&["trust"]);
    assert_eq!(
        (run.code, run.err.contains("there is no")),
        (1, true),
        "{}",
        run.err
    );
}
