//! Nothing makes the reader crash, hang or overflow; every limit is an answer.

use countersign_shell::read::{Limits, read, read_counted, read_with};
use countersign_shell::unread::UnreadKind;

use crate::data::{rows, text};

const SIZE: usize = 1 << 20;

/// What opens something, or begins what goes on.
const OPENING: [&str; 50] = [
    "(",
    "$(",
    "{ ",
    "`",
    "'",
    "\"",
    "${",
    "((",
    "$((",
    "\"$(",
    "$[",
    "a[",
    "<(",
    "{",
    "[",
    "[[ ( ",
    "[[ ! ",
    "! ",
    "time ",
    "if ",
    "while ",
    "case x in x) ",
    "f() { ",
    "f() ",
    "cat <<E\n",
    "<<E ",
    "cat <<E\n$(",
    "a=(",
    "@(",
    "((a) ",
    "$((a) ",
    "${x:-",
    "\"${x:-",
    "${x/",
    "coproc ",
    "\\`",
    "\\",
    "a\\\n",
    "{a,",
    "{a,b}",
    "{..",
    "[a",
    "\"`",
    "$'",
    "$\"",
    "case x in (",
    "for ((",
    "select x in ",
    "[[ a =~ (",
    "[[ a && ",
];

/// What looks so in some places only, what ends something, and what is nothing at all.
const AMBIGUOUS: [&str; 38] = [
    "~",
    "a:~",
    "#",
    "# \n",
    ";",
    "&",
    "|",
    "a | ",
    "a && ",
    "a;",
    "a\n",
    "\r",
    "é",
    "\u{f0000}",
    "${#",
    "${!",
    "$",
    "<",
    ">",
    "<<<",
    "2>&1 ",
    "}",
    ")",
    "fi ",
    "`a` ",
    "x=~",
    "a=:~",
    "=~",
    "<<'E'\n",
    "<<-E\n\t",
    "extglob !(",
    "extglob @(",
    "a[$((",
    "${a[",
    "`\\`",
    "((`",
    "(($((",
    "{a,{",
];

/// Texts of about 1 MiB that nest without end, or look as if they did.
fn bombs() -> Vec<(&'static str, String)> {
    OPENING
        .iter()
        .chain(&AMBIGUOUS)
        .map(|unit| (*unit, unit.repeat(SIZE / unit.len())))
        .collect()
}

#[test]
fn p5_a_megabyte_of_anything_ends_on_a_small_stack() {
    for (unit, bomb) in bombs() {
        let started = std::time::Instant::now();
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let handle = thread.spawn(move || {
            let (script, steps) = read_counted(&bomb, Limits::default());
            (script.map(drop).map_err(|unread| unread.kind), steps)
        });
        let (kind, steps) = handle.unwrap().join().unwrap();
        assert!(steps <= 64 * SIZE as u64, "{unit:?} {kind:?} {steps}");
        if std::env::var_os("COUNTERSIGN_VERBOSE").is_some() {
            println!("{unit:?} {kind:?} {steps} {:?}", started.elapsed());
        }
    }
}

#[test]
fn p5_steps_grow_with_the_length_and_nothing_else() {
    let units = [
        "echo a b >c\n",
        "cat <<E\n$(echo \"${x:-$(id)}\")\nE\n",
        "((a)) ; ( (b); (c) ); ((d) | (e))\n",
        "echo $((1 + 2)) $((f) | (g)) `h \\`i\\``\n",
        "case x in (a|b) c;; *) d;; esac; x=(1 2 $(j)); echo {a,b{1..3}} [a-z]* ~/k\n",
        "((((((a) ) ) ) ) )\n",
    ];
    for unit in units {
        let steps = |times: usize| {
            let (script, steps) = read_counted(&unit.repeat(times), Limits::default());
            assert!(script.is_ok(), "{unit} {script:?}");
            steps
        };
        let (short, long) = (steps(100), steps(1000));
        assert!(long <= short * 11, "{unit} {short} {long}");
    }
}

#[test]
fn p5_ambiguous_parentheses_do_not_explode() {
    for (open, close) in [
        ("((", ") )"),
        ("$((", ") )"),
        ("((x; ", "); )"),
        ("echo $((a) ; ", ")"),
    ] {
        let steps = |depth: usize| {
            let text = format!("{}x{}", open.repeat(depth), close.repeat(depth));
            read_counted(&text, Limits::default()).1
        };
        let (half, full) = (steps(14), steps(28));
        assert!(full <= half * 8, "{open} {half} {full}");
    }
}

#[test]
fn p5_every_limit_is_an_answer() {
    let kind = |source: &str, limits| read_with(source, limits).map_err(|unread| unread.kind);
    let defaults = Limits::default();
    assert_eq!(
        kind(
            "echo a",
            Limits {
                length: 5,
                ..defaults
            }
        ),
        Err(UnreadKind::TooLong)
    );
    assert_eq!(kind(&"( ".repeat(65), defaults), Err(UnreadKind::TooDeep));
    assert_eq!(kind("echo \0", defaults), Err(UnreadKind::Nul));
    let fuel = Limits {
        steps_per_byte: 0,
        ..defaults
    };
    assert_eq!(
        kind(&"echo a\n".repeat(1000), fuel),
        Err(UnreadKind::OutOfFuel)
    );
    let deep = format!("{}:{}", "( ".repeat(60), " )".repeat(60));
    assert!(read(&deep).is_ok());
}

#[test]
fn p5_no_row_and_no_cut_row_panics() {
    for (file, field) in [("grammar.jsonl", "script"), ("agent-commands.jsonl", "cmd")] {
        let Some(rows) = rows(file) else { return };
        for row in &rows {
            let source = text(row, field);
            drop(read(source));
            let cuts = source
                .char_indices()
                .map(|(at, _)| at)
                .filter(|at| at % 10 == 0);
            for cut in cuts.take(40) {
                drop(read(source.get(..cut).unwrap_or_default()));
                drop(read(source.get(cut..).unwrap_or_default()));
            }
        }
    }
}
