//! Matching of bash patterns against text; not the patterns of rules, which have a file of their own.

/// Whether a bash pattern matches the whole text. `*` and `?` match any character, slashes too.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p + 1, t));
            p += 1;
            continue;
        }
        let step = match text.get(t) {
            None if p == pattern.len() => return true,
            None => None,
            Some(&c) => one(&pattern, p, c),
        };
        match (step, retry) {
            (Some(next), _) => {
                p = next;
                t += 1;
            }
            (None, Some((after, from))) if from < text.len() => {
                retry = Some((after, from + 1));
                p = after;
                t = from + 1;
            }
            (None, _) => return false,
        }
    }
}

/// Whether a pattern has no wildcard.
pub(crate) fn is_literal(pattern: &str) -> bool {
    let mut escaped = false;
    pattern.chars().all(|c| {
        let live = !escaped && matches!(c, '*' | '?' | '[');
        escaped = !escaped && c == '\\';
        !live
    })
}

/// The text that a pattern without wildcards matches.
pub(crate) fn unescaped(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            other => out.push(other),
        }
    }
    out
}

/// The text without its shortest or longest prefix or suffix that matches.
pub(crate) fn trim(text: &str, pattern: &str, suffix: bool, longest: bool) -> String {
    let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    cuts.push(text.len());
    // The shortest prefix is tried from the front, the shortest suffix from the back.
    if suffix != longest {
        cuts.reverse();
    }
    for cut in cuts {
        let (front, back) = text.split_at(cut);
        let (part, rest) = if suffix { (back, front) } else { (front, back) };
        if matches(pattern, part) {
            return rest.to_owned();
        }
    }
    text.to_owned()
}

/// The position in the pattern after matching one character, if it does.
fn one(pattern: &[char], at: usize, c: char) -> Option<usize> {
    match pattern.get(at)? {
        '?' => Some(at + 1),
        '\\' => (pattern.get(at + 1) == Some(&c)).then_some(at + 2),
        '[' => match class(pattern, at, c) {
            Class::Matches(next) => Some(next),
            Class::Differs => None,
            Class::None => (c == '[').then_some(at + 1),
        },
        other => (*other == c).then_some(at + 1),
    }
}

/// What a bracket expression says of a character.
enum Class {
    /// It matches, and the pattern goes on here.
    Matches(usize),
    /// It does not match.
    Differs,
    /// There is no bracket expression.
    None,
}

fn class(pattern: &[char], at: usize, c: char) -> Class {
    let mut next = at + 1;
    let negated = matches!(pattern.get(next), Some('!' | '^'));
    next += usize::from(negated);
    let first = next;
    let mut found = false;
    while let Some(&item) = pattern.get(next) {
        if item == ']' && next > first {
            return if found == negated {
                Class::Differs
            } else {
                Class::Matches(next + 1)
            };
        }
        // Named classes are not told apart: they may match anything.
        if item == '[' && pattern.get(next + 1) == Some(&':') {
            let Some(end) = pattern.iter().skip(next).position(|c| *c == ']') else {
                return Class::None;
            };
            found = true;
            next += end + 1;
            continue;
        }
        match (pattern.get(next + 1), pattern.get(next + 2)) {
            (Some('-'), Some(last)) if *last != ']' => {
                found |= item <= c && c <= *last;
                next += 3;
            }
            _ => {
                found |= item == c;
                next += 1;
            }
        }
    }
    Class::None
}

#[cfg(test)]
mod tests {
    use super::{matches, trim};

    #[test]
    fn matches_as_bash_does() {
        for (pattern, text, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rsx", false),
            ("a?c", "abc", true),
            ("[a-c]*", "bx", true),
            ("[!a-c]*", "bx", false),
            (r"a\*b", "a*b", true),
            (r"a\*b", "axb", false),
            ("*a*b*", "xxaxxbxx", true),
            ("", "", true),
            ("[", "[", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn trims_as_bash_does() {
        assert_eq!(trim("a/b/c", "*/", false, false), "b/c");
        assert_eq!(trim("a/b/c", "*/", false, true), "c");
        assert_eq!(trim("a.b.c", ".*", true, false), "a.b");
        assert_eq!(trim("a.b.c", ".*", true, true), "a");
        assert_eq!(trim("abc", "x", true, true), "abc");
    }
}
