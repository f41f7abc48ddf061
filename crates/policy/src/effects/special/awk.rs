//! `awk`: tells programs that only compute and print from those that write, run or pipe.

use crate::effects::invocation::Invocation;
use crate::effects::opacity::Opacity;
use crate::effects::programs::Role;
use std::ops::ControlFlow;

/// Reads the program text; the operands after it are read, but for assignments.
pub(crate) fn read(run: &mut Invocation<'_>) -> ControlFlow<()> {
    let from_option = run.argv.uses("-f") || run.argv.uses("-e");
    let operands = run.argv.operands.clone();
    let mut files = operands.as_slice();
    if from_option {
        run.opaque(Opacity::ForeignCode);
    } else if let Some((program, rest)) = operands.split_first() {
        files = rest;
        if !program.known().is_some_and(only_prints) {
            run.opaque(Opacity::ForeignCode);
        }
    }
    for file in files {
        if !file
            .known()
            .is_some_and(crate::effects::argv::is_assignment)
        {
            run.act(Role::Read, file, false);
        }
    }
    ControlFlow::Break(())
}

/// Whether a program neither runs commands, nor writes files, nor loads code, nor reads files that it names itself.
fn only_prints(program: &str) -> bool {
    let Some(code) = without_literals(program) else {
        return false;
    };
    let words: Vec<&str> = code
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '@'))
        .filter(|word| !word.is_empty())
        .collect();
    let runs = words.iter().any(|word| {
        matches!(
            *word,
            "system" | "getline" | "close" | "fflush" | "ARGV" | "ARGC" | "PROCINFO" | "ENVIRON"
        ) || word.starts_with('@')
    });
    !runs && !code.replace("||", "").contains('|') && !redirects(&code)
}

/// The program with strings and regular expressions emptied; nothing where one does not end.
fn without_literals(program: &str) -> Option<String> {
    let mut out = String::with_capacity(program.len());
    let mut chars = program.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => skip(&mut chars, '"')?,
            '#' => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        break;
                    }
                }
                out.push('\n');
                continue;
            }
            '/' if begins_regex(&out) => pattern(&mut chars)?,
            _ => {}
        }
        out.push(c);
    }
    Some(out)
}

/// Skips to behind the end of a regular expression; nothing where a bracket holds what variants of awk take for its
/// end, or for the beginning of a text.
fn pattern(chars: &mut std::str::Chars<'_>) -> Option<()> {
    let mut bracket = false;
    loop {
        match chars.next()? {
            '\\' => {
                chars.next()?;
            }
            '/' | '"' if bracket => return None,
            '/' => return Some(()),
            '[' => bracket = true,
            ']' => bracket = false,
            _ => {}
        }
    }
}

/// Skips to behind the end of a literal.
fn skip(chars: &mut std::str::Chars<'_>, end: char) -> Option<()> {
    loop {
        match chars.next()? {
            '\\' => {
                chars.next()?;
            }
            c if c == end => return Some(()),
            _ => {}
        }
    }
}

/// Whether a slash after this code begins a regular expression and does not divide.
fn begins_regex(before: &str) -> bool {
    match before.trim_end().chars().last() {
        None => true,
        Some(c) => matches!(
            c,
            '(' | ',' | '{' | '}' | ';' | '!' | '~' | '&' | '|' | '\n' | '='
        ),
    }
}

/// Whether a `print` or `printf` is redirected to a file: a `>` behind it outside parentheses.
fn redirects(code: &str) -> bool {
    code.split([';', '}', '\n', '{']).any(|statement| {
        let Some(at) = statement.find("print") else {
            return false;
        };
        let mut depth = 0_i32;
        statement.get(at..).unwrap_or("").chars().any(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            c == '>' && depth <= 0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    #[test]
    fn p5_awk_programs() {
        for program in [
            "{print $1}",
            "NR>=10 && NR<=20",
            "/x|y/ {print}",
            "$3 > 5 {print $1, \"a|b > c\"}",
            "BEGIN{FS=\":\"} {s+=$2} END{print s/NR}",
            "!seen[$0]++",
            "a || b",
            "{print ($1 > 2)}",
        ] {
            assert!(only_prints(program), "{program}");
        }
        for program in [
            "BEGIN{system(\"id\")}",
            "{print > \"f\"}",
            "{print | \"sh\"}",
            "{\"id\" | getline x}",
            "@load \"x\"",
            "{print $1 >> $2}",
            "{printf \"%s\", $1 > \"x\"}",
            "{print \"a",
        ] {
            assert!(!only_prints(program), "{program}");
        }
    }
}
