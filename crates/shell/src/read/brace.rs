//! Finds the brace expansions of a word by bash's own rules; it expands nothing.

use crate::tree::{Brace, Part, Word};
use crate::unread::UnreadKind;

/// How many braces without a partner one word may hold; each costs a look at the rest of the word.
const MOST_UNMATCHED: usize = 64;

/// Puts [`Part::Brace`] where bash would expand. `depth` is how deep alternatives may nest.
pub(super) fn expand_braces(parts: Vec<Part>, depth: usize) -> Result<Vec<Part>, UnreadKind> {
    let mut atoms = Vec::new();
    let mut opaque = Vec::new();
    for part in parts {
        if let Part::Literal(text) = &part {
            atoms.extend(text.chars().map(Atom::Char));
        } else {
            atoms.push(Atom::Part(opaque.len()));
            opaque.push(Some(part));
        }
    }
    let mut finder = Finder {
        opaque,
        unmatched: 0,
    };
    finder.expand(&atoms, depth, true)
}

/// An unquoted character, or a piece that braces do not look into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Atom {
    Char(char),
    Part(usize),
}

struct Finder {
    opaque: Vec<Option<Part>>,
    unmatched: usize,
}

impl Finder {
    fn expand(
        &mut self,
        atoms: &[Atom],
        depth: usize,
        first: bool,
    ) -> Result<Vec<Part>, UnreadKind> {
        let depth = depth.checked_sub(1).ok_or(UnreadKind::TooDeep)?;
        let mut parts = Vec::new();
        let mut rest = atoms;
        while let Some((open, close)) = self.next_pair(rest)? {
            let before = rest.get(..open).unwrap_or(&[]);
            let inside = rest.get(open + 1..close).unwrap_or(&[]);
            self.emit(before, first && parts.is_empty(), &mut parts);
            if inside.contains(&Atom::Char(',')) {
                let leads = first && parts.is_empty();
                let mut alternatives = Vec::new();
                for alternative in split(inside) {
                    let parts = self.expand(alternative, depth, leads)?;
                    alternatives.push(Word {
                        parts,
                        ..Word::default()
                    });
                }
                parts.push(Part::Brace(Brace::Alternatives(alternatives)));
            } else if let Some(range) = range(inside) {
                parts.push(Part::Brace(range));
            } else {
                let whole = rest.get(open..=close).unwrap_or(&[]);
                self.emit(whole, false, &mut parts);
            }
            rest = rest.get(close + 1..).unwrap_or(&[]);
        }
        self.emit(rest, first && parts.is_empty(), &mut parts);
        Ok(parts)
    }

    /// The next brace that has a partner, with the partner.
    fn next_pair(&mut self, atoms: &[Atom]) -> Result<Option<(usize, usize)>, UnreadKind> {
        for (at, &atom) in atoms.iter().enumerate() {
            if atom != Atom::Char('{') {
                continue;
            }
            let next = atoms.get(at + 1);
            if at == 0 && matches!(next, None | Some(Atom::Char('}'))) {
                continue;
            }
            if let Some(close) = partner(atoms, at) {
                return Ok(Some((at, close)));
            }
            self.unmatched += 1;
            if self.unmatched > MOST_UNMATCHED {
                return Err(UnreadKind::TooDeep);
            }
        }
        Ok(None)
    }

    fn emit(&mut self, atoms: &[Atom], leads: bool, parts: &mut Vec<Part>) {
        let mut text = String::new();
        if let Some(Part::Literal(_)) = parts.last()
            && let Some(Part::Literal(before)) = parts.pop()
        {
            text = before;
        }
        for &atom in atoms {
            match atom {
                Atom::Char(character) => text.push(character),
                Atom::Part(index) => {
                    if !text.is_empty() {
                        parts.push(Part::Literal(std::mem::take(&mut text)));
                    }
                    parts.extend(self.opaque.get_mut(index).and_then(Option::take));
                }
            }
        }
        if !text.is_empty() {
            parts.push(Part::Literal(text));
        }
        if leads {
            lead_with_tilde(parts);
        }
    }
}

/// A tilde at the start of the first alternative comes to stand at the start of the word.
fn lead_with_tilde(parts: &mut Vec<Part>) {
    let Some(Part::Literal(text)) = parts.first() else {
        return;
    };
    let Some(after) = text.strip_prefix('~') else {
        return;
    };
    let (user, rest) = after
        .split_once('/')
        .map_or((after, None), |(user, rest)| (user, Some(rest)));
    let plain = user
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_.-+".contains(&byte));
    if !plain || (rest.is_none() && parts.len() > 1) {
        return;
    }
    let tilde = Part::Tilde(user.to_owned());
    let rest = rest.map(|rest| Part::Literal(format!("/{rest}")));
    parts.splice(0..1, std::iter::once(tilde).chain(rest));
}

/// The brace that closes the one at `open`: it needs a comma or `..` between, outside of inner braces.
fn partner(atoms: &[Atom], open: usize) -> Option<usize> {
    let mut level = 0_usize;
    let mut separated = false;
    for (at, &atom) in atoms.iter().enumerate().skip(open + 1) {
        match atom {
            Atom::Char('}') if level == 0 && separated => return Some(at),
            Atom::Char('}') => level = level.saturating_sub(1),
            Atom::Char('{') => level += 1,
            Atom::Char(',') if level == 0 => separated = true,
            Atom::Char('.') if level == 0 => {
                separated |= atoms.get(at + 1) == Some(&Atom::Char('.'))
                    && atoms.get(at + 2) != Some(&Atom::Char('}'));
            }
            Atom::Char(_) | Atom::Part(_) => {}
        }
    }
    None
}

/// Splits at the commas outside of inner braces.
fn split(atoms: &[Atom]) -> Vec<&[Atom]> {
    let mut pieces = Vec::new();
    let mut level = 0_usize;
    let mut start = 0;
    for (at, &atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Char('{') => level += 1,
            Atom::Char('}') => level = level.saturating_sub(1),
            Atom::Char(',') if level == 0 => {
                pieces.push(atoms.get(start..at).unwrap_or(&[]));
                start = at + 1;
            }
            Atom::Char(_) | Atom::Part(_) => {}
        }
    }
    pieces.push(atoms.get(start..).unwrap_or(&[]));
    pieces
}

/// `from..to` and `from..to..step` where bash takes them for a range.
fn range(atoms: &[Atom]) -> Option<Brace> {
    let mut text = String::new();
    for &atom in atoms {
        match atom {
            Atom::Char(character) => text.push(character),
            Atom::Part(_) => return None,
        }
    }
    let (from, rest) = text.split_once("..")?;
    let (to, step) = match rest.split_once("..") {
        Some((to, step)) => (to, Some(step)),
        None => (rest, None),
    };
    let letters = is_letter(from) && is_letter(to);
    let numbers = is_number(from) && is_number(to);
    let steps = step.is_none_or(is_number);
    if !(letters || numbers) || !steps {
        return None;
    }
    Some(Brace::Range {
        from: from.to_owned(),
        to: to.to_owned(),
        step: step.map(str::to_owned),
    })
}

fn is_letter(text: &str) -> bool {
    text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_number(text: &str) -> bool {
    // Bash skips white space in front of a number, and of that these three can stand in a word.
    let text = text.trim_start_matches(['\u{b}', '\u{c}', '\r']);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<i64>().is_ok()
}
