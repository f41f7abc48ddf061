//! `completions` and `man`: every shell, every page.

use crate::expected::expect;
use crate::place::Place;

#[test]
fn every_shell_has_its_completions() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = place.run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shell}");
        for word in ["explain", "with-mine"] {
            assert!(run.out.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(place.run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn every_command_has_its_page() {
    let place = Place::new();
    let run = place.run(&["man"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    expect("man/countersign", &run.out);
    let verbs = run.out.lines().filter_map(|line| {
        let verb = line.strip_prefix("countersign\\-")?;
        verb.strip_suffix("(1)")
    });
    let verbs: Vec<&str> = verbs.collect();
    assert!(verbs.len() >= 12, "{verbs:?}");
    for verb in verbs {
        let run = place.run(&["man", verb]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{verb}");
        let title = format!(".TH countersign-{verb} 1");
        assert!(run.out.contains(&title), "{verb}: {}", run.out);
    }
    let run = place.run(&["man", "log", "why"]);
    assert!(run.out.contains("identity"), "{}", run.out);
    let run = place.run(&["man", "moon"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
}
