//! What the host's settings let happen when a session began, kept among our own files, so that a change can be told
//! from what was there. Nothing is decided here.

use crate::surface::Surface;
use countersign_gate::durable::{Guarded, NotWritten};
use countersign_gate::journal::name::SessionName;
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// A larger file of settings is not read, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// The administrator's settings.
const MANAGED: [&str; 2] = [
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
];

/// What the settings let happen, file by file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    files: BTreeMap<String, Surface>,
}

/// Where the host's settings are, as far as that is known.
#[derive(Debug, Clone)]
pub struct Places {
    /// The user's.
    pub user: Option<PathBuf>,
    /// The project's.
    pub project: PathBuf,
    /// The user's for the project.
    pub local: PathBuf,
}

impl Places {
    /// The places for a session in a project.
    pub fn of(environment: &Environment, project: &AbsPath) -> Self {
        let below = |name: &str| PathBuf::from(project.join(".claude").join(name).as_str());
        let user = environment.claude_settings();
        Self {
            user: user.map(|path| PathBuf::from(path.as_str())),
            project: below("settings.json"),
            local: below("settings.local.json"),
        }
    }

    /// All of them, the administrator's too.
    pub fn all(&self) -> impl Iterator<Item = PathBuf> {
        let own = [
            self.user.clone(),
            Some(self.project.clone()),
            Some(self.local.clone()),
        ];
        let managed = MANAGED.map(|path| Some(PathBuf::from(path)));
        own.into_iter().chain(managed).flatten()
    }
}

impl Baseline {
    /// What the files let happen now. One that cannot be understood is left out: the host does not go by it either, and
    /// whatever it says later is new.
    pub fn now(places: &Places) -> Self {
        let files = places.all().filter_map(|path| {
            let surface = surface(&path).ok()??;
            Some((name(&path), surface))
        });
        Self {
            files: files.collect(),
        }
    }

    /// What a file lets happen; a file that was not there let nothing happen.
    pub fn file(&self, path: &Path) -> Surface {
        self.files.get(&name(path)).cloned().unwrap_or_default()
    }

    /// What all files let happen.
    pub fn surfaces(&self) -> impl Iterator<Item = &Surface> {
        self.files.values()
    }

    /// What was kept for a session; nothing where nothing was, or where it cannot be read.
    pub fn kept(state: &Path, session: &str) -> Option<Self> {
        let text = read(&place(state, session)).ok()??;
        serde_json::from_str(&text).ok()
    }

    /// Keeps it for a session, in the place of what was kept.
    pub fn keep(&self, state: &Path, session: &str) -> Result<(), NotWritten> {
        // These types always serialise.
        let text = serde_json::to_string(self).unwrap_or_default();
        put(&place(state, session), &text)
    }

    /// Takes in what a file lets happen from now on, for a session for which something was kept.
    pub fn take_in(
        mut self,
        (path, surface): (&Path, Surface),
        state: &Path,
        session: &str,
    ) -> Result<(), NotWritten> {
        self.files.insert(name(path), surface);
        self.keep(state, session)
    }
}

/// What a file of settings lets happen; nothing where there is no file.
pub fn surface(path: &Path) -> Result<Option<Surface>, String> {
    let at = |why: String| format!("`{}`: {why}", path.display());
    let Some(text) = read(path).map_err(|error| at(error.to_string()))? else {
        return Ok(None);
    };
    Surface::of(&text)
        .map(Some)
        .map_err(|why| at(why.to_string()))
}

/// A regular file's text; nothing where there is no file.
pub fn read(path: &Path) -> io::Result<Option<String>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    let mut file = File::open(path)?.take(MOST_BYTES + 1);
    file.read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("too large"));
    }
    Ok(Some(text))
}

fn put(path: &Path, text: &str) -> Result<(), NotWritten> {
    let guarded = Guarded::lock(path)?;
    let before = read(path).map_err(|error| NotWritten {
        path: path.to_owned(),
        what: "read",
        error,
    })?;
    guarded.replace(before.as_deref(), text)
}

/// Where a session's is kept.
fn place(state: &Path, session: &str) -> PathBuf {
    let name = SessionName::of(session);
    state.join("settings").join(format!("{name}.json"))
}

/// A file's name in the list, links followed as far as that can be done: hosts name the same file in several ways.
fn name(path: &Path) -> String {
    let whole = fs::canonicalize(path).or_else(|_| {
        let directory = fs::canonicalize(path.parent().unwrap_or(Path::new("/")))?;
        io::Result::Ok(directory.join(path.file_name().unwrap_or_default()))
    });
    whole
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string()
}
