//! Changes scripts: markers in odd places, quotes and operators spliced in, pieces cut, doubled and exchanged.

use crate::random::Random;

/// What is put in. `@` stands for a marker of its own number.
const PIECES: &[&str] = &[
    "@",
    " @ ",
    ";@;",
    "$(@)",
    "`@`",
    "\n@\n",
    "<(@)",
    ">(@)",
    "(@)",
    "{ @; }",
    "&@&",
    "|@",
    "&&@",
    "||@ ",
    "\"$(@)\"",
    "${x:-$(@)}",
    "${x:-`@`}",
    "$((1+$(@)))",
    "$((`@`0))",
    "a[$(@)]=1",
    "((`@`))",
    "[[ `@` ]]",
    "<<<$(@)",
    "<<<`@`",
    "<<E\n$(@)\nE\n",
    "<<'E'\n@\nE\n",
    "<<E\n`@`\nE\n",
    "\n@ #",
    "x=`@` ",
    "x=($(@))",
    "${x/$(@)/`@`}",
    "${x#`@`}",
    "${x:$(@)}",
    "\"${x:+`@`}\"",
    "; @ ;",
    "|& @ ",
    "case x in (x) @;; esac",
    "if @; then @; fi",
    "while @; do break; done",
    "f() { @; }; f",
    "! @",
    "time @",
    "{ @\n}",
    "( @\n)",
    "&& { @; }",
    "for i in 1; do @; done",
    "$(<<E\n$(@)\nE\n)",
    "\\\n@",
    "@\\\n",
    "[[ -n $(@) && a =~ `@` ]]",
    "@ 2>&1",
    ">x @",
    "<x @ ",
    "2>$(@)",
    "$'@'",
    "$\"`@`\"",
    "\"`@`\"",
    "'`@`'",
    "\"`echo \\`@\\``\"",
    "`echo \\`@\\``",
    "{a,$(@)}",
    "{`@`,b}",
    "~`@`",
    "$[`@`]",
    "coproc @",
    "coproc N { @; }",
    "@;:",
    "do @",
    "then @",
    "else @",
    "in @",
    ") @",
    "} @",
    ";; @",
    "$(case x in x) @;; esac)",
    "$(: #)\n@\n)",
    "`: #\\`\n@\n`",
    "$( (@) )",
    "((@)",
    "( (@))",
    "$((@) )",
    "function g { @; }; g",
    "function g() (@); g",
    "select i in 1; do @; break; done",
    "@=1 @",
    "'",
    "\"",
    "\\",
    "#",
    "$",
    "${",
    "}",
    "(",
    ")",
    "<<E\n",
    "<<-E\n\t",
    "<<'E'\n",
    "\nE\n",
    "\n",
    "$((",
    "))",
    "[[",
    "]]",
    "!",
    "=",
    "$'",
    "{",
    ",",
    "\\\n",
    "`",
    "<",
    ">",
    "*",
    "~",
    "case",
    "in",
    "esac",
    "do",
    "done",
    "then",
    "fi",
    "if",
    "else",
    " ",
    "\t",
    ";",
    ";;",
    ";&",
    ";;&",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    ">&",
    "<&",
    "&>",
    ">>",
    "<>",
    ">|",
    "<<<",
    "$\"",
    "$(",
    "${x",
    "${x:-",
    "${x/",
    "${#",
    "${!",
    "[",
    "]",
    "a[",
    "@(x)",
    "?(",
    "+(",
    "\r",
    "\u{b}",
    "\u{a0}",
    "é",
    "\\'",
    "\\\"",
    "\\`",
    "\\$",
    "''",
    "\"\"",
    " #",
    "# ",
    "E",
    "x=",
    "x+=",
    "x=(",
    "2>",
    "{fd}>",
    "0",
    "1",
    "-",
    "--",
    ":",
    "/",
    ".",
    "..",
    "{1..3}",
    "\u{7f}",
    "\u{1}",
    "function ",
    "coproc ",
    "time ",
    "time -p ",
    "select ",
    "for ",
    "while ",
    "until ",
    "()",
    "(( ",
    " ))",
    "$[",
    "E\n",
    "\nE",
];

/// Texts that are put around a whole script; `@` is the script.
const AROUND: &[&str] = &[
    "$(@)",
    "(@)",
    "{ @\n}",
    "f() { @\n}; f",
    "\"$(@)\"",
    "echo ${x:-$(@)}",
    "`@`",
    "if @\nthen b; fi",
    "( (@) )",
    "cat <<E\n$(@)\nE\n",
    "cat <(@)",
    "case x in x) @\n;; esac",
    "while @\ndo break; done",
    "x=$(@\n)",
    "! @",
    "for i in 1; do @\ndone",
    "a; @",
    "@\nz",
    "[[ $(@) ]]",
    "(($(@)))",
    "a=($(@))",
    "echo $(( $(@) + 0 ))",
    "@ | z",
    "z && @",
    "eval_() { @\n}; eval_ a",
    "coproc { @\n}; wait",
    "\\\n@",
    "#\n@",
    "{ @\n} <<E\n$(h)\nE\n",
];

/// A changed script whose markers are `mk0`, `mk1` …
pub fn mutant(seeds: &[&str], random: &mut Random) -> String {
    let mut text = (*random.pick(seeds)).to_owned();
    let mut marker = 0;
    for _ in 0..=random.below(4) {
        change(&mut text, seeds, &mut marker, random);
    }
    text
}

fn change(text: &mut String, seeds: &[&str], marker: &mut usize, random: &mut Random) {
    match random.below(16) {
        0 => cut(text, random),
        1 => double(text, random),
        2 => {
            let other = *random.pick(seeds);
            let joint = *random.pick(&["\n", "; ", " ", " | ", " && ", " & ", ""]);
            *text = format!("{text}{joint}{other}");
        }
        3 => {
            let around = *random.pick(AROUND);
            *text = around.replacen('@', text, 1);
        }
        4 => {
            // A piece of another script, wherever it begins and ends.
            let other = *random.pick(seeds);
            let from = place(other, random);
            let to = place(other, random);
            let piece = other
                .get(from.min(to)..from.max(to))
                .unwrap_or("")
                .to_owned();
            let at = place(text, random);
            text.insert_str(at, &piece);
        }
        5 => {
            let at = place(text, random);
            if let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
                text.replace_range(at..at + character.len_utf8(), "");
                text.insert_str(at, &piece(marker, random));
            }
        }
        _ => {
            let at = place(text, random);
            text.insert_str(at, &piece(marker, random));
        }
    }
}

/// A piece with its markers numbered.
fn piece(marker: &mut usize, random: &mut Random) -> String {
    let mut piece = (*random.pick(PIECES)).to_owned();
    while piece.contains('@') && !piece.contains("@(x)") {
        piece = piece.replacen('@', &format!("mk{marker}"), 1);
        *marker += 1;
    }
    piece
}

fn cut(text: &mut String, random: &mut Random) {
    let from = place(text, random);
    let to = place(text, random);
    let short = from.min(to) + from.abs_diff(to).min(6);
    if text.is_char_boundary(short) {
        text.replace_range(from.min(to)..short, "");
    }
}

fn double(text: &mut String, random: &mut Random) {
    let from = place(text, random);
    let to = place(text, random);
    let piece = text
        .get(from.min(to)..from.max(to))
        .unwrap_or("")
        .to_owned();
    text.insert_str(from.max(to), &piece);
}

/// A place between two characters.
fn place(text: &str, random: &mut Random) -> usize {
    let places: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    *random.pick(&places)
}
