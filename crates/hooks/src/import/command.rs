//! Command patterns as agents write them, text with stars, into ours, which go word by word; whose they are is not
//! known here.

pub(super) mod written;

use self::written::{Dialect, Piece, Segment, Word, segments};
use countersign_policy::action::Action;
use countersign_policy::rules::pattern::command::CommandPattern;

/// Our rules for one pattern of theirs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Commands {
    /// The rules.
    pub(super) rules: Vec<Draft>,
    /// What is to be said of it.
    pub(super) warning: Option<String>,
}

/// One rule for commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    /// What follows.
    pub(super) action: Action,
    /// What it matches.
    pub(super) pattern: String,
    /// One of these arguments is present.
    pub(super) with: Vec<String>,
}

/// The pattern for a command that begins with these words.
pub(super) fn beginning(words: &[&str]) -> Option<String> {
    let program = words.first()?;
    (!program.contains('/')).then(|| CommandPattern::family(words).to_string())
}

/// Translates a pattern. An allow is never wider than there, an ask or deny never narrower; what cannot be said so is
/// refused in words.
pub(super) fn commands(action: Action, text: &str, dialect: Dialect) -> Result<Commands, String> {
    let segments = segments(text, dialect)?;
    let several = segments.len() > 1;
    // Of several commands the one that says most: all of them are there where the pattern matches.
    let said = |segment: &Segment| segment.words.iter().map(Word::literals).sum::<usize>();
    let Some(mut segment) = segments.into_iter().max_by_key(said) else {
        return Ok(one(action, "*".to_owned()));
    };
    let tail = tail(&mut segment, dialect);
    if action == Action::Allow {
        allowed(&segment, tail, several)
    } else {
        forbidden(action, &segment, tail, several)
    }
}

/// A single rule about which nothing is to be said.
fn one(action: Action, pattern: String) -> Commands {
    let rule = Draft {
        action,
        pattern,
        with: Vec::new(),
    };
    Commands {
        rules: vec![rule],
        warning: None,
    }
}

/// Takes what ends a pattern and means any more words off: ` *`, a star behind the last word, or `:*`. Says whether
/// there was any.
fn tail(segment: &mut Segment, dialect: Dialect) -> bool {
    let Some(word) = segment.words.last_mut() else {
        return false;
    };
    if word.pieces.last() != Some(&Piece::Star) {
        return false;
    }
    let before = word.pieces.len().checked_sub(2);
    let colon = before.and_then(|at| word.pieces.get(at)) == Some(&Piece::Char(':'));
    if dialect.colon && colon {
        word.pieces.truncate(word.pieces.len() - 2);
    }
    let empty = word.pieces.is_empty() || word.pieces == [Piece::Star];
    if empty {
        segment.words.pop();
    }
    true
}

/// An allow: only what has the same meaning word by word.
fn allowed(segment: &Segment, tail: bool, several: bool) -> Result<Commands, String> {
    let Some(program) = segment.words.first() else {
        return Ok(one(Action::Allow, "*".to_owned()));
    };
    let expands = segment.words.iter().any(|word| word.expands);
    let why = if several {
        "it spans several commands, and each is judged by itself; write a rule for each"
    } else if segment.redirects {
        "it has a redirection, which the kinds `read` and `edit` are about"
    } else if expands {
        "what its words are is only known when it runs"
    } else if program.pieces.contains(&Piece::Char('/')) {
        "a program is named without its directory here, and another of that name would be allowed"
    } else if program.is_assignment() {
        "it sets a variable, which may change what runs"
    } else {
        let inner = inner(&segment.words, tail);
        if inner.is_none() {
            return Ok(one(Action::Allow, pattern(&segment.words, tail)));
        }
        let warning = "a `*` there spans words, here it is one word at most: it asks. Write an allow that ends in ` *`";
        return Ok(Commands {
            warning: Some(warning.to_owned()),
            ..one(Action::Ask, pattern(&segment.words, tail))
        });
    };
    Err(why.to_owned())
}

/// An ask or deny: all that it may mean.
fn forbidden(
    action: Action,
    segment: &Segment,
    tail: bool,
    several: bool,
) -> Result<Commands, String> {
    let assigned = segment.words.iter().take_while(|word| word.is_assignment());
    let mut words = segment
        .words
        .get(assigned.count()..)
        .unwrap_or(&[])
        .to_vec();
    if let Some(program) = words.first_mut() {
        program.without_directory();
    }
    let mut tail = tail;
    let mut vague = several || segment.redirects;
    let told = words.iter().take_while(|word| !word.expands).count();
    if told < words.len() {
        words.truncate(told);
        tail = true;
        vague = true;
    }
    if words.is_empty() || (vague && words.iter().all(Word::is_any)) {
        if vague || segment.words.len() != words.len() {
            return Err(
                "no command can be told from it; redirections are asked by the kind `edit`"
                    .to_owned(),
            );
        }
        return Ok(one(action, "*".to_owned()));
    }
    if let Some(at) = inner(&words, tail) {
        return Ok(spanning(action, &words, tail, at));
    }
    if vague {
        let warning = "it says more than the words of one command, and asks about every command that begins so";
        return Ok(Commands {
            warning: Some(warning.to_owned()),
            ..one(Action::Ask, pattern(&words, tail))
        });
    }
    Ok(one(action, pattern(&words, tail)))
}

/// A star that may span words: what certainly is meant keeps its action, and whatever may be meant asks.
fn spanning(action: Action, words: &[Word], tail: bool, at: usize) -> Commands {
    let rest = words.get(at..).unwrap_or(&[]);
    let mut rules = Vec::new();
    let mut push = |action, pattern, with| {
        rules.push(Draft {
            action,
            pattern,
            with,
        });
    };
    let front = words.get(..at).unwrap_or(&[]);
    let longest = rest.iter().max_by_key(|word| word.literals());
    let with = longest
        .filter(|word| word.literals() > 0)
        .map(arguments)
        .unwrap_or_default();
    if words.len() > 1 {
        let mut shape = words.to_vec();
        shape.iter_mut().for_each(Word::without_leading_star);
        push(action, pattern(&shape, tail), Vec::new());
    }
    if let ([word], true) = (words, tail) {
        // A text anywhere in a command: its program, a word of it, or an argument.
        push(action, pattern(words, true), Vec::new());
        push(
            action,
            pattern(&[Word::any(), word.clone()], true),
            Vec::new(),
        );
        push(action, "*".to_owned(), with);
    } else {
        push(Action::Ask, pattern(front, true), with);
    }
    rules.dedup();
    let warning = if action == Action::Deny {
        "a `*` there spans words, here it is one word: it denies where that is certain, and else asks"
    } else {
        "a `*` there spans words, here it is one word: it asks wherever that may be meant"
    };
    Commands {
        rules,
        warning: Some(warning.to_owned()),
    }
}

/// A word as arguments of a command: an operand, or the value of an option; where it begins with a star, the option
/// itself.
fn arguments(word: &Word) -> Vec<String> {
    let text = pattern(std::slice::from_ref(word), false);
    if text.starts_with('-') {
        return vec![text];
    }
    let mut out = vec![format!("-*={text}")];
    if let Some(rest) = text.strip_prefix('*') {
        out.push(format!("-{text}"));
        out.extend(rest.starts_with('-').then(|| rest.to_owned()));
    }
    out.push(text);
    out
}

/// The first word with a star that is not the tail.
fn inner(words: &[Word], tail: bool) -> Option<usize> {
    let last = words.len().checked_sub(1);
    words.iter().enumerate().position(|(at, word)| {
        let mut pieces = word.pieces.as_slice();
        if let (true, [front @ .., Piece::Star]) = (tail && Some(at) == last, pieces) {
            pieces = front;
        }
        pieces.contains(&Piece::Star)
    })
}

/// Words as a pattern of ours.
fn pattern(words: &[Word], tail: bool) -> String {
    let mut out: Vec<String> = words.iter().map(Word::to_string).collect();
    if tail {
        out.push("*".to_owned());
    }
    out.join(" ")
}

#[cfg(test)]
mod tests;
