//! Replacing a small file of ours: whole, on the disk, and by one process at a time. What is in it is not looked at.

use rustix::fs::OFlags;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::fault::{Point, reach};

/// How long a process waits for another that replaces the same file.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// Between two looks whether it is done.
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Why a file was not replaced. It holds what it held before.
#[derive(Debug)]
pub struct NotWritten {
    /// The file.
    pub path: PathBuf,
    /// What was tried.
    pub what: &'static str,
    /// What happened.
    pub error: io::Error,
}

impl std::fmt::Display for NotWritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, what, error } = self;
        write!(f, "cannot {what} `{}`: {error}", path.display())
    }
}

impl std::error::Error for NotWritten {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// A file that one process may replace at a time.
#[derive(Debug)]
pub struct Guarded {
    path: PathBuf,
    /// Holding it open holds the lock.
    _lock: File,
}

impl Guarded {
    /// Waits until no other process replaces the file, for two seconds at most. Its directory is made where it is
    /// missing.
    ///
    /// # Errors
    ///
    /// Where directory or lock cannot be made, or another process keeps the lock.
    pub fn lock(path: &Path) -> Result<Self, NotWritten> {
        let failed = |what| {
            move |error| NotWritten {
                path: path.to_owned(),
                what,
                error,
            }
        };
        let directory = path.parent().unwrap_or(Path::new("/"));
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(failed("make the directory of"))?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        let flags = OFlags::NOFOLLOW.bits().cast_signed();
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .custom_flags(flags)
            .open(path.with_file_name(name))
            .map_err(failed("lock"))?;
        wait(&file).map_err(failed("lock"))?;
        Ok(Self {
            path: path.to_owned(),
            _lock: file,
        })
    }

    /// Puts a text in the file's place, if the file still holds `before` (nothing where there must be no file): written
    /// beside it, brought to the disk, and then given its name. The mode is 0600.
    ///
    /// # Errors
    ///
    /// Where it was changed meanwhile by somebody who does not lock, or cannot be written; the file is as it was.
    pub fn replace(&self, before: Option<&str>, text: &str) -> Result<(), NotWritten> {
        let failed = |what| {
            move |error| NotWritten {
                path: self.path.clone(),
                what,
                error,
            }
        };
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".new-{}", std::process::id()));
        let beside = self.path.with_file_name(name);
        // One that was left behind by a process of the same number, which is dead.
        let _ = fs::remove_file(&beside);
        let put = fill(&beside, text).and_then(|()| {
            reach(Point::Beside);
            if content(&self.path)?.as_deref() != before.map(str::as_bytes) {
                return Err(io::Error::other("it was changed meanwhile; try again"));
            }
            fs::rename(&beside, &self.path)
        });
        if put.is_err() {
            // It was ours, and nobody reads it.
            let _ = fs::remove_file(&beside);
        }
        put.map_err(failed("write"))?;
        reach(Point::Renamed);
        let directory = self.path.parent().unwrap_or(Path::new("/"));
        let synced = File::open(directory).and_then(|directory| directory.sync_all());
        synced.map_err(failed("bring to the disk"))
    }
}

fn fill(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// What a file holds; nothing where there is none.
fn content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match File::open(path) {
        Ok(mut file) => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn wait(file: &File) -> io::Result<()> {
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if began.elapsed() < LOCK_WAIT => {
                std::thread::sleep(LOCK_PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("another process keeps it"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
