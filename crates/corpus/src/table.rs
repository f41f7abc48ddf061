//! Holds the claims of a `programs` table against the product: each case shows what it says, no reason is contradicted.

use crate::claim::{Claim, Said};
use crate::evidence::{Evidence, Kind, evidence, is_described, is_name_of};
use crate::shown;
use crate::situation::Situation;
use countersign_policy::effects::effect::Effect;
use countersign_policy::effects::programs::{Program, find};

/// What came of one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It holds.
    Holds,
    /// Something else is shown than what stands behind the arrow, and may stand there.
    Differs(String),
    /// It is wrong, in words.
    Wrong(String),
}

/// Judges the claims of a table, each with what came of it.
pub fn judged(claims: &[Claim], situation: &Situation) -> Vec<Judged> {
    let effects: Vec<Vec<Effect>> = claims
        .iter()
        .map(|claim| match &claim.said {
            Said::Case { command, .. } => situation.effects(&situation.told.shell(command)),
            Said::Reason(_) => Vec::new(),
        })
        .collect();
    let mut out = Vec::new();
    for (claim, own) in claims.iter().zip(&effects) {
        let Some(program) = find(&claim.program).filter(|found| found.name == claim.program) else {
            let words = format!("no description has the name `{}`", claim.program);
            out.push(Judged::Wrong(words));
            continue;
        };
        out.push(match &claim.said {
            Said::Case { command, shows } => case(claim.kind, program, command, shows, own),
            Said::Reason(_) => {
                let same = claims.iter().zip(&effects);
                let of_it = same.filter(|(other, _)| other.program == claim.program);
                let all: Vec<Effect> = of_it.flat_map(|(_, effects)| effects.clone()).collect();
                reason(claim.kind, program, &all)
            }
        });
    }
    out
}

fn case(kind: Kind, program: &Program, command: &str, shows: &str, effects: &[Effect]) -> Judged {
    let mut words = command.split(|c: char| c.is_whitespace() || "/;|(\"'".contains(c));
    if !words.any(|word| is_name_of(program, word)) {
        return Judged::Wrong("the command does not name the program".to_owned());
    }
    let found: Evidence = evidence(kind, program, effects);
    let words = shown::plain(&found.words());
    if words != shows {
        return Judged::Differs(words);
    }
    if found.is_some() {
        Judged::Holds
    } else {
        Judged::Wrong(format!("`{}` is not shown", kind.name()))
    }
}

/// How a program text in a language that is not read is shown.
const FOREIGN: &str = "opaque foreign-code";

/// A reason stands only where neither the description nor another line of the program's shows the kind.
fn reason(kind: Kind, program: &Program, effects: &[Effect]) -> Judged {
    if is_described(kind, program) {
        let words = format!("the description says that it `{}`", kind.name());
        return Judged::Wrong(words);
    }
    // What cannot be told says nothing of reading and writing.
    let counts =
        |words: &String| !words.starts_with("opaque ") || words == FOREIGN && kind == Kind::Runs;
    let shown = evidence(kind, program, effects).effects;
    match shown.into_iter().find(counts) {
        Some(words) => Judged::Wrong(format!("another line shows `{words}`")),
        None => Judged::Holds,
    }
}
