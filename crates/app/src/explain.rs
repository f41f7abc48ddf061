//! `explain`: the verdict on a call with everything that led to it, and what would change it. It records nothing.

use crate::always::{self, Kept};
use crate::changes::{self, Change};
use crate::cli::JudgeArgs;
use crate::configuration;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::grants;
use crate::ink;
use crate::judged::Judged;
use crate::page::{Ink, Layout, Page, Piece, Target};
use crate::quote::{Mark, quote};
use crate::trace;
use countersign_gate::grants::Store;
use countersign_policy::action::Action;
use countersign_policy::explain;
use countersign_policy::grant::{Grant, answering};

/// Judges a call and prints how.
pub(crate) fn run(args: &JudgeArgs) -> Result<Exit, CommandError> {
    let judged = Judged::of(args)?;
    let exit = configuration::exit(&judged);
    configuration::report(&judged.setting.rules);
    let mut page = Page::new(Layout::prose(Target::Output));
    headline(&mut page, &judged);
    call(&mut page, &judged);
    trace::commands(&mut page, &judged);
    trace::untold(&mut page, &judged);
    change(&mut page, &judged);
    granted(&mut page, &judged);
    keep(&mut page, &judged);
    match page.write(Target::Output) {
        Ok(()) => Ok(exit),
        Err(error) => {
            let error = CommandError::output(&error);
            // Whoever reads only the headline still gets its exit code.
            if error.is_broken_pipe() {
                Ok(exit)
            } else {
                Err(error)
            }
        }
    }
}

/// The verdict with its reason.
fn headline(page: &mut Page, judged: &Judged) {
    let verdict = &judged.verdict;
    let name = Piece::new(ink::of(verdict.action), verdict.action.name());
    let reason = explain::reason(verdict);
    let reason = reason.strip_prefix("allowed: ").unwrap_or(&reason);
    page.line(
        (0, 2),
        &[name, Piece::new(Ink::Strong, &format!(": {reason}"))],
    );
    let circumstances = format!(
        "{}; mode {}, in {}",
        explain::action_words(verdict.action),
        verdict.mode.name(),
        judged.call.cwd
    );
    page.line((2, 4), &[Piece::new(Ink::Faint, &circumstances)]);
    if let Some(hint) = explain::hint(verdict) {
        page.line(
            (2, 4),
            &[Piece::plain(&format!("hint to the model: {hint}"))],
        );
    }
    page.gap();
}

/// The call itself, with the parts marked that decided.
fn call(page: &mut Page, judged: &Judged) {
    if let Some(text) = judged.text() {
        let ink = ink::of(judged.verdict.action);
        quote(page, 4, text, &marks(judged), ink);
    } else {
        let call = &judged.call;
        let words = format!("{} {}", call.tool, call.input);
        page.line((4, 6), &[Piece::plain(&words)]);
    }
    page.gap();
}

/// `^` below what decided, `-` below what would have decided without it.
fn marks(judged: &Judged) -> Vec<Mark> {
    let verdict = &judged.verdict;
    if verdict.action == Action::Allow {
        return Vec::new();
    }
    let decisive = explain::decisive(verdict).and_then(|finding| finding.request.span);
    let others = explain::deciding(verdict).filter_map(|finding| finding.request.span);
    let first = decisive.map(|span| Mark { span, sign: '^' });
    let others = others.map(|span| Mark { span, sign: '-' });
    first.into_iter().chain(others).collect()
}

/// What would change the verdict.
fn change(page: &mut Page, judged: &Judged) {
    page.section("what would change the verdict");
    for change in changes::changes(judged) {
        match change {
            Change::Words(words) => page.line((2, 4), &[Piece::plain(&words)]),
            Change::Rules { words, lines } => {
                page.line((2, 4), &[Piece::plain(&words)]);
                for line in lines {
                    page.verbatim(6, &Piece::new(Ink::Strong, &line));
                }
            }
        }
    }
    page.gap();
}

/// The answers that were kept in this project and answer the call in every session.
fn granted(page: &mut Page, judged: &Judged) {
    let Judged {
        setting,
        call,
        verdict,
        ..
    } = judged;
    let store = Store::of(&setting.session, &setting.environment);
    let Some(store) = store.filter(|_| verdict.action == Action::Ask) else {
        return;
    };
    let words = match store.load() {
        Err(why) => vec![format!(
            "nothing is granted, as `{}` is not in order: {why}",
            store.file().display()
        )],
        Ok(grants) => {
            let holds = |grant: &Grant| setting.holds(grant, "", grants::now());
            let used =
                answering(&grants, verdict, call, &setting.session, &holds).unwrap_or_default();
            let words = used.into_iter();
            words
                .map(|grant| format!("grant {}: {}", grant.id, grant.rule()))
                .collect()
        }
    };
    if words.is_empty() {
        return;
    }
    page.section("what answers it already");
    for words in words {
        page.line((2, 4), &[Piece::plain(&words)]);
    }
    page.gap();
}

/// What an "always" would keep.
fn keep(page: &mut Page, judged: &Judged) {
    page.section("what an \"always\" would save");
    match always::kept(&judged.verdict) {
        Kept::Nothing(why) => page.line((2, 4), &[Piece::plain(&format!("nothing: {why}"))]),
        Kept::Exact(why) => {
            let words = format!("nothing wider than this exact call in this directory: {why}");
            page.line((2, 4), &[Piece::plain(&words)]);
        }
        Kept::Rules(rules) => {
            let words = "in this project only, exactly:";
            page.line((2, 4), &[Piece::plain(words)]);
            for rule in rules {
                page.verbatim(6, &Piece::new(Ink::Strong, &rule));
            }
        }
    }
}
