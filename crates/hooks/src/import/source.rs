//! The agents whose settings are known, where they keep them, and what all files of one say together.

use super::imported::{Imported, Unreadable};
use super::settle::{Precedence, settled};
use super::{claude_code, codex, gemini, opencode};
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// A settings file larger than this, in bytes, is not read.
const MOST_BYTES: u64 = 4 << 20;

/// An agent whose permission settings can be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// `OpenCode`
    OpenCode,
}

/// A file with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where it lies.
    pub path: PathBuf,
    /// What it holds.
    pub text: String,
}

/// Why nothing was translated.
#[derive(Debug)]
pub enum ImportError {
    /// It is not known where the settings are.
    NoHome,
    /// There are none.
    Absent {
        /// Where they were looked for.
        path: PathBuf,
    },
    /// The system refused it.
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// It is not what settings of this agent are.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Unreadable,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => f.write_str("it is not known where the settings are"),
            Self::Absent { path } => write!(f, "there are no settings at `{}`", path.display()),
            Self::Io { path, error } => write!(f, "cannot read `{}`: {error}", path.display()),
            Self::Unreadable { path, error } => {
                write!(f, "`{}` cannot be translated: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoHome | Self::Absent { .. } => None,
            Self::Io { error, .. } => Some(error),
            Self::Unreadable { error, .. } => Some(error),
        }
    }
}

impl Source {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::OpenCode => "OpenCode",
        }
    }

    /// Reads the settings: the files that are named, else the user's own.
    pub fn read(
        self,
        named: &[PathBuf],
        environment: &Environment,
    ) -> Result<Vec<Settings>, ImportError> {
        if !named.is_empty() {
            return named.iter().map(|path| required(path)).collect();
        }
        let places = self.places(environment).ok_or(ImportError::NoHome)?;
        let mut out = Vec::new();
        for path in &places {
            out.extend(file(path)?);
        }
        match (places.into_iter().next(), out.is_empty()) {
            (Some(path), true) => Err(ImportError::Absent { path }),
            (Some(_) | None, _) => Ok(out),
        }
    }

    /// What the files say together.
    pub fn translate(self, files: &[Settings]) -> Result<Imported, ImportError> {
        let mut out = Imported::default();
        for Settings { path, text } in files {
            let is_rules = path
                .extension()
                .is_some_and(|extension| extension == "rules");
            let read = match self {
                Self::ClaudeCode => claude_code::settings(text),
                Self::Codex if is_rules => codex::rules(text),
                Self::Codex => codex::settings(text),
                Self::Gemini => gemini::settings(text),
                Self::OpenCode => opencode::settings(text),
            };
            let read = read.map_err(|error| ImportError::Unreadable {
                path: path.clone(),
                error,
            })?;
            out = out.and(read);
        }
        let precedence = match self {
            Self::ClaudeCode | Self::Codex | Self::Gemini => Precedence::Strictest,
            Self::OpenCode => Precedence::Last,
        };
        Ok(settled(out, precedence))
    }

    /// Where the user's own settings may lie.
    fn places(self, environment: &Environment) -> Option<Vec<PathBuf>> {
        let at = |base: &AbsPath, rest: &str| PathBuf::from(base.join(rest).as_str());
        Some(match self {
            Self::ClaudeCode => vec![PathBuf::from(environment.claude_settings()?.as_str())],
            Self::Codex => {
                let home = environment.home()?;
                let mut out = vec![at(home, ".codex/config.toml")];
                out.extend(rule_files(&at(home, ".codex/rules")));
                out
            }
            Self::Gemini => vec![at(environment.home()?, ".gemini/settings.json")],
            Self::OpenCode => {
                let base = environment.config_base()?;
                let names = ["opencode/opencode.json", "opencode/opencode.jsonc"];
                names.iter().map(|name| at(&base, name)).collect()
            }
        })
    }
}

/// The rule files of a directory, by their names.
fn rule_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut out: Vec<PathBuf> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "rules")
        })
        .collect();
    out.sort();
    out
}

/// A file that must be there.
fn required(path: &Path) -> Result<Settings, ImportError> {
    let absent = || ImportError::Absent {
        path: path.to_owned(),
    };
    file(path)?.ok_or_else(absent)
}

/// A file; nothing where there is none.
fn file(path: &Path) -> Result<Option<Settings>, ImportError> {
    let failed = |error| ImportError::Io {
        path: path.to_owned(),
        error,
    };
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // A pipe would make us wait.
    if !metadata.is_file() {
        return Err(failed(io::Error::other("it is not a regular file")));
    }
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(failed)?;
    if text.len() as u64 > MOST_BYTES {
        let words = format!("it is larger than {MOST_BYTES} bytes");
        return Err(failed(io::Error::other(words)));
    }
    Ok(Some(Settings {
        path: path.to_owned(),
        text,
    }))
}
