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

    /// Those that whoever works here can change.
    pub fn own(&self) -> impl Iterator<Item = PathBuf> {
        let own = [
            self.user.clone(),
            Some(self.project.clone()),
            Some(self.local.clone()),
        ];
        own.into_iter().flatten()
    }

    /// All of them, the administrator's too.
    pub fn all(&self) -> impl Iterator<Item = PathBuf> {
        self.own().chain(MANAGED.map(PathBuf::from))
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

    /// What a file let happen; nothing where there was none, or it could not be understood.
    pub fn file(&self, path: &Path) -> Option<&Surface> {
        self.files.get(&name(path))
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

    /// Keeps it for a session for which nothing was kept. What was stays: else whoever can call the hook could have
    /// taken for granted what he wrote himself.
    pub fn keep(&self, state: &Path, session: &str) -> Result<(), NotWritten> {
        let place = place(state, session);
        let guarded = Guarded::lock(&place)?;
        if fs::symlink_metadata(&place).is_ok() {
            return Ok(());
        }
        guarded.replace(None, &self.text())
    }

    /// Takes in what files let happen from now on, for a session for which something was kept.
    pub fn take_in(
        mut self,
        files: Vec<(PathBuf, Surface)>,
        state: &Path,
        session: &str,
    ) -> Result<(), NotWritten> {
        let place = place(state, session);
        let guarded = Guarded::lock(&place)?;
        let before = self.text();
        let named = files
            .into_iter()
            .map(|(path, surface)| (name(&path), surface));
        self.files.extend(named);
        guarded.replace(Some(&before), &self.text())
    }

    fn text(&self) -> String {
        // These types always serialise, and always in the same way.
        serde_json::to_string(self).unwrap_or_default()
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

/// Where a session's is kept.
fn place(state: &Path, session: &str) -> PathBuf {
    let name = SessionName::of(session);
    state.join("settings").join(format!("{name}.json"))
}

/// A file's name in the list: as hosts name it. Links are not followed, lest one that is put in a file's place lead to
/// another name.
fn name(path: &Path) -> String {
    path.display().to_string()
}
