//! Reading the rule files from their places; what is in them is parsed in policy. A file that cannot be read whole
//! never loosens anything.

use countersign_policy::path::AbsPath;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::diagnostic::Diagnostic;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::ground;
use crate::world::environment::Environment;

/// A rule file larger than this, in bytes, is refused as a whole.
pub const MOST_BYTES: u64 = 4 << 20;

/// The rules in force, with what is wrong with their files.
#[derive(Debug)]
pub struct Rules {
    /// The layers.
    pub set: RuleSet,
    /// Per file, in the order of the layers: its path, and what is wrong with it.
    pub diagnostics: Vec<(PathBuf, Vec<Diagnostic>)>,
}

/// Reads the rules in force. `user` stands in for the user's own file where it is given, and must then exist.
pub fn load(user: Option<&Path>, session: &Session, environment: &Environment) -> Rules {
    let mut layers = vec![builtin()];
    let mut diagnostics = Vec::new();
    let usual = environment
        .config_dir()
        .map(|directory| directory.join("rules.toml"));
    let (path, required) = match (user, usual) {
        (Some(path), _) => (Some(path.to_owned()), true),
        (None, usual) => (usual.map(|path| PathBuf::from(path.as_str())), false),
    };
    if let Some(path) = path {
        let (layer, found) = layer(&path, required, session, environment);
        layers.extend(layer);
        if !found.is_empty() {
            diagnostics.push((path, found));
        }
    }
    Rules {
        set: RuleSet::new(layers),
        diagnostics,
    }
}

/// One file's layer: nothing where it is absent and need not exist.
fn layer(
    path: &Path,
    required: bool,
    session: &Session,
    environment: &Environment,
) -> (Option<Layer>, Vec<Diagnostic>) {
    let origin = path.display().to_string();
    let text = match read(path) {
        Ok(Some(text)) => text,
        Ok(None) if !required => return (None, Vec::new()),
        Ok(None) => {
            let why = "there is no such file";
            return (
                Some(Layer::unreadable(Authority::User, &origin, why)),
                Vec::new(),
            );
        }
        Err(why) => {
            return (
                Some(Layer::unreadable(Authority::User, &origin, &why)),
                Vec::new(),
            );
        }
    };
    let mut parsed = parse(&text, &origin, Authority::User);
    parsed.check_examples(session, &|text| {
        let cwd = session.workspace.clone().unwrap_or_else(AbsPath::root);
        ground::requests_of_text(text, cwd, session, environment)
    });
    (Some(parsed.layer), parsed.diagnostics)
}

/// The text of a rule file; nothing where there is no file, words where it cannot be read.
fn read(path: &Path) -> Result<Option<String>, String> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is larger than {MOST_BYTES} bytes"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let line = error
                .as_bytes()
                .iter()
                .take(error.utf8_error().valid_up_to());
            let line = line.filter(|byte| **byte == b'\n').count() + 1;
            Err(format!("it is not UTF-8 (line {line})"))
        }
    }
}
