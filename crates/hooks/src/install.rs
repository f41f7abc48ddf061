//! Putting our entry into an agent's settings file and taking it out again: whole, durable, or not at all.

use crate::entry::{self, Hook, Unfit};
use countersign_gate::world::environment::Environment;
use std::fmt;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown,
};
use std::path::{Path, PathBuf};

/// A settings file larger than this, in bytes, is left alone.
const MOST_BYTES: u64 = 4 << 20;

/// What installing did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installed {
    /// The entry is new, or was brought up to date.
    Written {
        /// The file that was written, links followed.
        settings: PathBuf,
        /// What it held before; nothing where there was no file.
        backup: Option<PathBuf>,
    },
    /// The entry was there as it has to be. Nothing was written.
    Already {
        /// The file, links followed.
        settings: PathBuf,
    },
}

/// What uninstalling did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uninstalled {
    /// The file is byte by byte what it was before the entry was installed.
    Restored {
        /// The file, links followed.
        settings: PathBuf,
    },
    /// The file held nothing but the entry and was deleted.
    Deleted {
        /// The file, links followed.
        settings: PathBuf,
    },
    /// The file was changed since, and only the entry was taken out.
    TakenOut {
        /// The file, links followed.
        settings: PathBuf,
        /// What it held before.
        backup: PathBuf,
    },
    /// There was no entry. Nothing was written.
    NotThere,
}

/// Why nothing was installed or uninstalled. The settings file is as it was.
#[derive(Debug)]
pub enum InstallError {
    /// It is not known where the settings are.
    NoHome,
    /// The program cannot be what a host runs.
    Program {
        /// The program.
        path: PathBuf,
        /// Why not.
        why: &'static str,
    },
    /// The settings file cannot be edited.
    Settings {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: Unfit,
    },
    /// There is something that is left alone.
    Strange {
        /// Where.
        path: PathBuf,
        /// What it is.
        why: &'static str,
    },
    /// Somebody else changed the file meanwhile.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused a step.
    Io {
        /// What was being done.
        step: &'static str,
        /// To what.
        path: PathBuf,
        /// Why it was refused.
        source: io::Error,
    },
}

impl InstallError {
    fn io(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            step,
            path: path.to_owned(),
            source,
        }
    }

    /// What a person can do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoHome => "set `HOME` to an absolute path",
            Self::Program { .. } => "name the file of `countersign-hook` by its absolute path",
            Self::Settings { .. } => "put the file in order, then try again",
            Self::Strange { .. } => "look at it, and move it away if it is not needed",
            Self::Changed { .. } => "try again",
            Self::Io { .. } => "see that the file and its directory are yours and writable",
        }
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => f.write_str("it is not known where the settings are"),
            Self::Program { path, why } | Self::Strange { path, why } => {
                write!(f, "`{}` {why}", path.display())
            }
            Self::Settings { path, why } => write!(f, "`{}`: {why}", path.display()),
            Self::Changed { path } => {
                write!(
                    f,
                    "`{}` was changed by somebody else meanwhile",
                    path.display()
                )
            }
            Self::Io { step, path, source } => {
                write!(f, "cannot {step} `{}`: {source}", path.display())
            }
        }
    }
}

impl std::error::Error for InstallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Settings { why, .. } => Some(why),
            Self::Io { source, .. } => Some(source),
            Self::NoHome | Self::Program { .. } | Self::Strange { .. } | Self::Changed { .. } => {
                None
            }
        }
    }
}

/// The user's settings file of Claude Code (`CLAUDE_CONFIG_DIR`, else `~/.claude`).
pub fn settings(environment: &Environment) -> Result<PathBuf, InstallError> {
    let path = environment.claude_settings().ok_or(InstallError::NoHome)?;
    Ok(PathBuf::from(path.as_str()))
}

/// The arguments that pin the hook to this user's rules and journals: a project's own settings may set variables for
/// hooks, and must not lead it to other rules.
pub fn pins(environment: &Environment) -> Vec<String> {
    let places = [
        ("--config-home", environment.config_base()),
        ("--state-home", environment.state_base()),
    ];
    let known = places
        .into_iter()
        .filter_map(|(name, place)| Some((name, place?)));
    known
        .flat_map(|(name, place)| [name.to_owned(), place.as_str().to_owned()])
        .collect()
}

/// Sees to it that the host of these settings asks `program` about every call; `pins` are its further arguments.
pub fn install(
    settings: &Path,
    program: &Path,
    pins: &[String],
) -> Result<Installed, InstallError> {
    let command = Hook {
        program: runnable(program)?,
        pins,
    };
    let Some(held) = Held::read(settings)? else {
        let path = fresh(settings)?;
        let text = entry::alone(command).map_err(|why| unfit(&path, why))?;
        write(&path, text.as_bytes(), None)?;
        return Ok(Installed::Written {
            settings: path,
            backup: None,
        });
    };
    let text = held.text()?;
    let at = |why| unfit(&held.path, why);
    let Some(new) = entry::with_entry(text, command).map_err(at)? else {
        return Ok(Installed::Already {
            settings: held.path,
        });
    };
    // Another program of ours gives way, and the copy of the file without either stays.
    let bare = entry::without_entry(text).map_err(at)?;
    let new = match &bare {
        Some(bare) => entry::with_entry(bare, command).map_err(at)?.unwrap_or(new),
        None => new,
    };
    let kept = bare
        .map(|_| backup(&held.path))
        .filter(|path| path.exists());
    let backup = match kept {
        Some(backup) => backup,
        None => held.back_up()?,
    };
    held.replace(&new)?;
    Ok(Installed::Written {
        settings: held.path,
        backup: Some(backup),
    })
}

/// Takes out what [`install`] put in. Where nothing else was changed since, the file is what it was before.
pub fn uninstall(settings: &Path) -> Result<Uninstalled, InstallError> {
    let Some(held) = Held::read(settings)? else {
        return Ok(Uninstalled::NotThere);
    };
    let text = held.text()?;
    let at = |why| unfit(&held.path, why);
    let Some(less) = entry::without_entry(text).map_err(at)? else {
        return Ok(Uninstalled::NotThere);
    };
    let entries = entry::entries(text).map_err(at)?;
    let first = entries.first();
    let hook = Hook {
        program: first.map_or("", |entry| entry.program.as_str()),
        pins: first
            .and_then(|entry| entry.arguments.get(1..))
            .unwrap_or(&[]),
    };
    let backup = backup(&held.path);
    let before = fs::read_to_string(&backup).ok();
    let comes_from = |before: &String| entry::with_entry(before, hook) == Ok(Some(text.to_owned()));
    if let Some(before) = before.filter(comes_from) {
        held.replace(&before)?;
        // It says the same as the file now; where it stays, it does no harm.
        let _ = fs::remove_file(&backup);
        return Ok(Uninstalled::Restored {
            settings: held.path,
        });
    }
    if entry::alone(hook).as_deref() == Ok(text) {
        held.check_unchanged()?;
        fs::remove_file(&held.path).map_err(InstallError::io("delete", &held.path))?;
        return Ok(Uninstalled::Deleted {
            settings: held.path,
        });
    }
    let backup = held.back_up()?;
    held.replace(&less)?;
    Ok(Uninstalled::TakenOut {
        settings: held.path,
        backup,
    })
}

/// A settings file as it was read.
struct Held {
    /// The file itself, links followed.
    path: PathBuf,
    bytes: Vec<u8>,
    metadata: Metadata,
}

impl Held {
    /// Reads a settings file, following links; nothing where there is none.
    fn read(settings: &Path) -> Result<Option<Self>, InstallError> {
        let path = match fs::canonicalize(settings) {
            Ok(path) => path,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return match fs::symlink_metadata(settings) {
                    Ok(_) => Err(InstallError::Strange {
                        path: settings.to_owned(),
                        why: "is a link that leads nowhere",
                    }),
                    Err(_) => Ok(None),
                };
            }
            Err(error) => return Err(InstallError::io("find", settings)(error)),
        };
        let metadata = fs::metadata(&path).map_err(InstallError::io("look at", &path))?;
        let strange = |why| InstallError::Strange {
            path: path.clone(),
            why,
        };
        if !metadata.is_file() {
            return Err(strange("is not a regular file"));
        }
        if metadata.len() > MOST_BYTES {
            return Err(strange("is too large for settings"));
        }
        let bytes = bytes(&path)?;
        Ok(Some(Self {
            path,
            bytes,
            metadata,
        }))
    }

    fn text(&self) -> Result<&str, InstallError> {
        std::str::from_utf8(&self.bytes).map_err(|error| {
            let good = self.bytes.iter().take(error.valid_up_to());
            let column = good
                .clone()
                .rev()
                .take_while(|byte| **byte != b'\n')
                .count()
                + 1;
            unfit(
                &self.path,
                Unfit::NotJson {
                    line: good.filter(|byte| **byte == b'\n').count() + 1,
                    column,
                    why: "not UTF-8".to_owned(),
                },
            )
        })
    }

    /// Keeps what the file holds beside it.
    fn back_up(&self) -> Result<PathBuf, InstallError> {
        let backup = backup(&self.path);
        write(&backup, &self.bytes, Some(&self.metadata))?;
        Ok(backup)
    }

    /// Puts another text in the file's place, unless somebody changed it since it was read.
    fn replace(&self, text: &str) -> Result<(), InstallError> {
        self.check_unchanged()?;
        write(&self.path, text.as_bytes(), Some(&self.metadata))
    }

    fn check_unchanged(&self) -> Result<(), InstallError> {
        if bytes(&self.path)? == self.bytes {
            return Ok(());
        }
        Err(InstallError::Changed {
            path: self.path.clone(),
        })
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, InstallError> {
    let file = File::open(path).map_err(InstallError::io("open", path))?;
    let mut bytes = Vec::new();
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(InstallError::io("read", path))?;
    Ok(bytes)
}

/// The place of a settings file that does not exist, with its directory made and links of that followed.
fn fresh(settings: &Path) -> Result<PathBuf, InstallError> {
    let directory = settings.parent().unwrap_or(Path::new("/"));
    let made = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory);
    made.map_err(InstallError::io("make the directory", directory))?;
    let directory = fs::canonicalize(directory).map_err(InstallError::io("find", directory))?;
    Ok(directory.join(settings.file_name().unwrap_or_default()))
}

/// What the settings file held before, beside it.
fn backup(settings: &Path) -> PathBuf {
    let mut name = settings.file_name().unwrap_or_default().to_owned();
    name.push(".before-countersign");
    settings.with_file_name(name)
}

/// Puts a file in its place whole: it is written beside it, brought to the disk, and then takes the name.
fn write(path: &Path, bytes: &[u8], like: Option<&Metadata>) -> Result<(), InstallError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".countersign-{}", std::process::id()));
    let beside = path.with_file_name(name);
    let mut options = OpenOptions::new();
    let opened = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside);
    let file = opened.map_err(InstallError::io("make", &beside))?;
    let put = fill(&file, bytes, like)
        .map_err(InstallError::io("write", &beside))
        .and_then(|()| fs::rename(&beside, path).map_err(InstallError::io("replace", path)));
    if put.is_err() {
        // It was ours, and nobody reads it.
        let _ = fs::remove_file(&beside);
        return put;
    }
    let directory = path.parent().unwrap_or(Path::new("/"));
    let synced = File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(InstallError::io("sync", directory))
}

fn fill(mut file: &File, bytes: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(like) = like {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            fchown(file, Some(like.uid()), Some(like.gid()))?;
        }
        file.set_permissions(Permissions::from_mode(like.mode() & 0o7777))?;
    }
    file.sync_all()
}

/// The command by which a host runs the program.
fn runnable(program: &Path) -> Result<&str, InstallError> {
    let unfit = |why| InstallError::Program {
        path: program.to_owned(),
        why,
    };
    if !program.is_absolute() {
        return Err(unfit("is not an absolute path"));
    }
    if program.file_name() != Some(entry::PROGRAM.as_ref()) {
        return Err(unfit("is not `countersign-hook`"));
    }
    let metadata = fs::metadata(program).map_err(InstallError::io("find", program))?;
    if !metadata.is_file() || metadata.mode() & 0o111 == 0 {
        return Err(unfit("is not a program"));
    }
    program.to_str().ok_or_else(|| unfit("is not UTF-8"))
}

fn unfit(path: &Path, why: Unfit) -> InstallError {
    InstallError::Settings {
        path: path.to_owned(),
        why,
    }
}
