//! Properties that hold for any input. Each function fails loudly where its property does not hold.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use countersign_hooks::asked::Message;
use countersign_hooks::claude_code;
use countersign_oracle::verdict::Judge;
use countersign_policy::mode::Mode;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::action::Action;
use countersign_shell::print::print;
use countersign_shell::read::read;
use countersign_shell::walk;

/// A small text must be judged within this.
const PATIENCE: Duration = Duration::from_millis(50);

/// What counts as small.
const SMALL: usize = 2048;

/// The reader ends on any text, and what it prints of a tree reads and prints as the same again.
pub fn read_anything(text: &str) {
    let Ok(script) = read(text) else { return };
    let printed = print(&script);
    let again = read(&printed).unwrap_or_else(|unread| panic!("{printed:?} of {text:?}: {unread}"));
    assert_eq!(print(&again), printed, "{text:?}");
    assert_eq!(
        walk::commands(&again).len(),
        walk::commands(&script).len(),
        "{text:?}"
    );
    assert_eq!(
        walk::substitutions(&again),
        walk::substitutions(&script),
        "{text:?}"
    );
}

/// Two judges of which the second has one rule more, which only denies.
struct Pair {
    plain: Judge,
    stricter: Judge,
}

/// Rules of a user that allow and ask much, so that a deny has something to be stronger than.
const PLAIN: &str = r#"version = 1
[allow]
shell = ["git *", "mk *", "a *", "sh *", "env *"]
edit = ["/**", "//tmp/**"]
read = ["~/**"]
[ask]
shell = ["b *", "mk x*"]
"#;

/// The rules that are added.
const DENIES: &str = r#"
[deny]
shell = ["mk *", "* x", "b c *", "sed -i *"]
edit = ["*.o", "//tmp/x/**"]
read = ["*.env"]
net = ["*.example.org"]
"#;

thread_local! {
    static PAIRS: OnceCell<Vec<Pair>> = const { OnceCell::new() };
}

/// Any text is judged without failing and in good time; a stricter mode or one more deny never loosens the verdict.
pub fn judge_anything(text: &str) {
    PAIRS.with(|pairs| judge_with(text, pairs.get_or_init(pairs_of_all_modes)));
}

fn pairs_of_all_modes() -> Vec<Pair> {
    Mode::ALL
        .into_iter()
        .map(|mode| Pair {
            plain: Judge::with(PLAIN, mode),
            stricter: Judge::with(&format!("{PLAIN}{DENIES}"), mode),
        })
        .collect()
}

fn timed(judge: &Judge, text: &str) -> (Duration, Action) {
    let began = Instant::now();
    let action = judge.of_shell(text).action;
    (began.elapsed(), action)
}

fn judge_with(text: &str, pairs: &[Pair]) {
    let mut before = Action::Deny;
    for pair in pairs {
        let (mut took, plain) = timed(&pair.plain, text);
        // A busy machine makes one measurement long; only what is always long is slow.
        for _ in 0..4 {
            if took >= PATIENCE {
                took = took.min(timed(&pair.plain, text).0);
            }
        }
        assert!(
            took < PATIENCE || text.len() > SMALL,
            "{took:?} for {text:?}"
        );
        let stricter = pair.stricter.of_shell(text).action;
        assert!(
            stricter >= plain,
            "one more deny: {plain:?} became {stricter:?}: {text:?}"
        );
        // The modes come from the strictest.
        assert!(
            plain <= before,
            "a laxer mode: {before:?} became {plain:?}: {text:?}"
        );
        before = plain;
    }
}

/// A hook's message is read without failing, and a call that it names is judged without failing.
pub fn call_json(text: &str) {
    if let Message::Call(asked) = claude_code::read(text) {
        PAIRS.with(|pairs| {
            for pair in pairs.get_or_init(pairs_of_all_modes) {
                let plain = pair.plain.of(&asked.call).action;
                let stricter = pair.stricter.of(&asked.call).action;
                assert!(
                    stricter >= plain,
                    "one more deny: {plain:?} became {stricter:?}: {text:?}"
                );
            }
        });
    }
}

/// The parser of rules ends on any text, and tells a place inside the text for everything that is wrong.
pub fn rules_anything(text: &str) {
    for authority in [Authority::Project, Authority::User, Authority::Managed] {
        let parsed = parse(text, "rules.toml", authority);
        let lines = text.lines().count() + 1;
        for diagnostic in &parsed.diagnostics {
            assert!(
                (1..=lines).contains(&diagnostic.line),
                "{diagnostic:?} of {text:?}"
            );
        }
    }
}
