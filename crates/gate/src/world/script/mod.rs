//! What a script of the project says: the file is found as its runner finds it, and read as far as that is simple.
//! Nothing is run, and nothing found here makes a verdict milder.

mod cargo;
mod just;
mod make;
mod make_text;
mod package;
mod shell;
mod source;

use countersign_policy::project::{Runner, ScriptText};
use countersign_policy::world::Found;
pub(super) use source::Asked;
use source::TEXTS;

/// The most bytes of one text.
const TEXT_BYTES: usize = 64 * 1024;

/// Answers the question for a script.
pub(super) fn look(asked: Asked<'_>) -> Found {
    let found = match asked.runner {
        Runner::Package => package::look(&asked),
        Runner::Make => make::look(&asked),
        Runner::Just => just::look(&asked),
        Runner::Cargo => cargo::look(&asked),
        Runner::Shell => shell::look(&asked),
    };
    match found {
        Ok(found) => Found::Script(found.map(bounded)),
        Err(why) => Found::Failed(why),
    }
}

/// A script with no more than is read of one.
fn bounded(mut script: ScriptText) -> ScriptText {
    script.texts.retain(|text| text.len() <= TEXT_BYTES);
    script.texts.truncate(TEXTS);
    script
}
