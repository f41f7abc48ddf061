//! To what a grant is bound beside words: the program that ran and the files that a call runs, by what they hold; and
//! whether that still stands.

use crate::decide::Setting;
use crate::ground::ground;
use crate::world::environment::Environment;
use crate::world::{file_digest, look};
use countersign_policy::call::Call;
use countersign_policy::effects::command::Field;
use countersign_policy::effects::effect::{Act, Effect};
use countersign_policy::effects::read::read;
use countersign_policy::grant::offer::{Offer, offer};
use countersign_policy::grant::{Allowed, Exactly, Form, Grant, asking, line, text_of};
use countersign_policy::path::AbsPath;
use countersign_policy::request::{Category, PathTarget};
use countersign_policy::verdict::Verdict;
use countersign_policy::world::{Found, Lookup};
use std::collections::BTreeSet;
use std::fmt;

/// The most files to which one grant is bound.
const FILES: usize = 64;
/// What stands for the digest of a file that was not there.
const MISSING: &str = "missing";

/// Why a question has no wider answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unbound {
    /// Nothing wider than "once" is kept for it.
    Nothing(String),
    /// What it is to be bound to cannot be told.
    Untold(String),
}

impl fmt::Display for Unbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(why) => write!(f, "no wider answer is kept: {why}"),
            Self::Untold(why) => write!(f, "it cannot be bound to what it runs: {why}"),
        }
    }
}

impl std::error::Error for Unbound {}

impl Setting {
    /// What a wider answer to the question about a call would keep here.
    ///
    /// # Errors
    ///
    /// Where nothing is kept for such a question, or what the call runs cannot be told.
    pub fn wider(&self, call: &Call, verdict: &Verdict) -> Result<Vec<Allowed>, Unbound> {
        match offer(verdict) {
            Offer::Nothing(why) => Err(Unbound::Nothing(why)),
            Offer::Forms(forms) => {
                let bound = forms.into_iter().map(|form| self.bound(form));
                bound.collect()
            }
            Offer::Exactly(_) => Ok(vec![Allowed::Exactly(Exactly {
                tool: call.tool.clone(),
                text: text_of(call).to_owned(),
                cwd: call.cwd.clone(),
                asks: asking(verdict)
                    .map(line)
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect(),
                files: self.files(call)?,
            })]),
        }
    }

    /// Whether a grant is in force in a session, and all to which it is bound is what it was.
    pub fn holds(&self, grant: &Grant, session: &str, now: i64) -> bool {
        let timely = grant.until.is_none_or(|until| now <= until);
        let here = grant.session.as_ref().is_none_or(|own| own == session);
        timely && here && self.stands(&grant.allows)
    }

    fn stands(&self, allows: &Allowed) -> bool {
        match allows {
            Allowed::Form(Form::Command { family, program }) => {
                let name = family.program_name().unwrap_or_default();
                program_of(name, &self.environment).is_ok_and(|found| found == *program)
            }
            Allowed::Form(
                Form::Path { .. } | Form::Directory { .. } | Form::Host(_) | Form::Name { .. },
            ) => true,
            Allowed::Exactly(exactly) => exactly
                .files
                .iter()
                .all(|(file, digest)| held(file).is_ok_and(|found| found == *digest)),
        }
    }

    /// A form with the program that runs for its family now.
    fn bound(&self, form: Form) -> Result<Allowed, Unbound> {
        Ok(Allowed::Form(match form {
            Form::Command { family, .. } => {
                let name = family.program_name().unwrap_or_default();
                let program = program_of(name, &self.environment).map_err(Unbound::Untold)?;
                Form::Command { family, program }
            }
            form @ (Form::Path { .. }
            | Form::Directory { .. }
            | Form::Host(_)
            | Form::Name { .. }) => form,
        }))
    }

    /// The files that a call runs, or gives to what runs the project's code, with what they hold.
    fn files(&self, call: &Call) -> Result<Vec<(AbsPath, String)>, Unbound> {
        let effects = read(call, &self.session);
        let grounded = ground(&effects, &self.session, &self.environment);
        let mut files = BTreeSet::new();
        // What one command reads may reach another that runs it.
        let runs_code = grounded.effects.iter().any(is_code);
        for effect in &grounded.effects {
            run_by(effect, runs_code, &mut files);
            files.extend(self.own_program(effect));
        }
        if files.len() > FILES {
            let words = format!("it runs more than {FILES} files");
            return Err(Unbound::Untold(words));
        }
        files
            .into_iter()
            .filter(|file| !is_directory(file))
            .map(|file| {
                held(&file)
                    .map(|digest| (file, digest))
                    .map_err(Unbound::Untold)
            })
            .collect()
    }

    /// The program of a command by its name, where it lies in a place that the user may write to.
    fn own_program(&self, effect: &Effect) -> Option<AbsPath> {
        let Act::Run(run) = &effect.act else {
            return None;
        };
        let name = run.line.words.first().and_then(Field::known)?;
        let program = program_of(name, &self.environment).ok()??;
        let systems = ["/usr", "/bin", "/sbin", "/opt", "/nix", "/snap"];
        let system =
            |place: &&str| AbsPath::parse(place).is_some_and(|place| program.is_within(&place));
        let small = file_digest(&program).is_ok();
        (small && !systems.iter().any(system)).then_some(program)
    }
}

/// Adds the files that an effect runs, or, where the call runs code, reads.
fn run_by(effect: &Effect, runs_code: bool, files: &mut BTreeSet<AbsPath>) {
    files.extend(effect.within.clone());
    let places = |target: &PathTarget| target.places.clone();
    match &effect.act {
        Act::Run(run) => files.extend(run.path.as_ref().map(places).into_iter().flatten()),
        Act::Read(target) if runs_code && target.pattern.is_none() => {
            files.extend(places(target));
        }
        Act::Read(_)
        | Act::Write(_)
        | Act::Move(_)
        | Act::Delete(_)
        | Act::Discard(_)
        | Act::Net(_)
        | Act::WebSearch(_)
        | Act::Mcp(_)
        | Act::Memory(_)
        | Act::Task { .. }
        | Act::Terminal(_)
        | Act::Tool(_)
        | Act::Spread { .. }
        | Act::GitAlias { .. }
        | Act::Script(_)
        | Act::Breaks(_)
        | Act::Opaque(_) => {}
    }
}

/// Whether an effect is a command that may run what it, or another of the call, reads.
const fn is_code(effect: &Effect) -> bool {
    let Act::Run(run) = &effect.act else {
        return false;
    };
    match run.category {
        Category::Reads | Category::Writes | Category::Fetches => false,
        Category::Builds
        | Category::Installs
        | Category::Unknown
        | Category::Removes
        | Category::Remote
        | Category::Privilege
        | Category::Opaque => true,
    }
}

/// The file that runs for a name; nothing where the search finds none.
fn program_of(name: &str, environment: &Environment) -> Result<Option<AbsPath>, String> {
    match look(&Lookup::Program(name.to_owned()), environment) {
        Found::Program(program) => Ok(program),
        Found::Failed(why) => Err(why),
        Found::Path { .. } | Found::Text(_) | Found::Script(_) | Found::Names(_) => {
            Err("no program".to_owned())
        }
    }
}

fn held(file: &AbsPath) -> Result<String, String> {
    file_digest(file).map(|digest| digest.unwrap_or_else(|| MISSING.to_owned()))
}

fn is_directory(file: &AbsPath) -> bool {
    std::fs::metadata(file.as_str()).is_ok_and(|metadata| metadata.is_dir())
}
