//! A place of its own for one way: home, workspace, the marker program, and what the way's mechanism wants to be there.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use countersign_corpus::filling::{Filling, Payload, fill};
use countersign_corpus::way::{Kind, Step};
use rustix::process::getuid;

/// The user that owns nothing.
pub const NOBODY: u32 = 65534;

/// What stands in files of the home directory before anything runs.
const BEFORE: &str = "# nothing yet\n";

/// A place below the system's temporary directory; it goes away with its value.
#[derive(Debug)]
pub struct Stage {
    root: PathBuf,
    /// A word that occurs nowhere else.
    token: String,
}

impl Stage {
    /// A place with home, workspace and marker. `number` tells it from others of this process.
    pub fn new(number: usize, token: &str) -> io::Result<Self> {
        let name = format!("countersign-proved-{}-{number}", std::process::id());
        let stage = Self {
            root: std::env::temp_dir().join(name),
            token: token.to_owned(),
        };
        fs::create_dir(&stage.root)?;
        fs::set_permissions(&stage.root, fs::Permissions::from_mode(0o755))?;
        for name in [
            "home",
            "home/u",
            "home/u/.ssh",
            "home/u/docs",
            "repo",
            "bin",
            "seen",
        ] {
            directory(&stage.root.join(name))?;
        }
        let home = stage.home();
        let identity = "[user]\nname = u\nemail = u@example.com\n[init]\ndefaultBranch = main\n";
        file(&home.join(".gitconfig"), identity, 0o644)?;
        file(&home.join(".bashrc"), BEFORE, 0o644)?;
        file(&home.join(".ssh/id_rsa"), &format!("{token}\n"), 0o600)?;
        file(&home.join("docs/a.txt"), BEFORE, 0o644)?;
        file(&stage.workspace().join("a.txt"), "a text\n", 0o644)?;
        for seen in ["record", "out", "err"] {
            file(&stage.seen(seen), "", 0o666)?;
        }
        // A shell that reads the file as a script (`. mk`) does not run the command `mk`; only the kernel adds the
        // option.
        let script = format!(
            "#!/bin/sh -C\ncase $- in *C*) IFS=' '; echo \"mk $*\" >> {};; esac\n",
            stage.seen("record").display()
        );
        file(&stage.programs().join("mk"), &script, 0o755)?;
        Ok(stage)
    }

    /// What is filled into a template here.
    pub fn filling(&self, kind: Kind) -> Filling {
        let payload = match kind {
            Kind::Runs => Payload::Command(vec!["mk".to_owned(), self.token.clone()]),
            Kind::Writes => Payload::Path("~/.bashrc".to_owned()),
            Kind::Reads => Payload::Path("~/.ssh/id_rsa".to_owned()),
            Kind::Deletes => Payload::Path("~/docs".to_owned()),
        };
        Filling {
            payload,
            programs: self.programs().display().to_string(),
            home: self.home().display().to_string(),
            workspace: self.workspace().display().to_string(),
        }
    }

    /// Prepares what a mechanism wants to be there.
    pub fn set_up(&self, steps: &[Step], filling: &Filling) -> io::Result<()> {
        let filled = |text: &str| fill(text, filling).map_err(io::Error::other);
        for step in steps {
            match step {
                Step::File(path, text) => {
                    file(&self.path(&filled(path)?), &filled(text)?, 0o644)?;
                }
                Step::Program(path, text) => {
                    file(&self.path(&filled(path)?), &filled(text)?, 0o755)?;
                }
                Step::Directory(path) => directory(&self.path(&filled(path)?))?,
                Step::Link(path, target) => symlink(filled(target)?, self.path(&filled(path)?))?,
                Step::Repository => {
                    for words in ["init -q", "add a.txt", "commit -q -m first"] {
                        self.git(words)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the effect of that kind is there.
    pub fn is_proven(&self, kind: Kind, with_arguments: bool) -> bool {
        match kind {
            Kind::Runs => {
                let recorded = fs::read_to_string(self.seen("record")).unwrap_or_default();
                recorded.lines().any(|line| {
                    line.starts_with("mk ") && (!with_arguments || line.contains(&self.token))
                })
            }
            Kind::Writes => {
                let after = fs::read(self.home().join(".bashrc"));
                after.is_ok_and(|after| after != BEFORE.as_bytes())
            }
            Kind::Reads => {
                let shown = [self.seen("out"), self.seen("err")];
                shown.iter().any(|file| self.holds_token(file))
                    || self.is_token_below(&self.workspace(), 4)
            }
            Kind::Deletes => !self.home().join("docs/a.txt").exists(),
        }
    }

    /// Whether a file below a directory holds the token; a link may lead to the secret itself and does not count.
    fn is_token_below(&self, directory: &Path, depth: usize) -> bool {
        let Ok(entries) = fs::read_dir(directory) else {
            return false;
        };
        entries.filter_map(Result::ok).any(|entry| {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => depth > 0 && self.is_token_below(&path, depth - 1),
                Ok(kind) if kind.is_file() => self.holds_token(&path),
                Ok(_) | Err(_) => false,
            }
        })
    }

    fn holds_token(&self, file: &Path) -> bool {
        let bytes = fs::read(file).unwrap_or_default();
        let token = self.token.as_bytes();
        bytes.windows(token.len()).any(|window| window == token)
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.root.join("home/u")
    }

    /// The workspace.
    pub fn workspace(&self) -> PathBuf {
        self.root.join("repo")
    }

    /// Where the marker lies.
    pub fn programs(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// A file of what was seen: `out`, `err`, `record`, `ended`.
    pub fn seen(&self, name: &str) -> PathBuf {
        self.root.join("seen").join(name)
    }

    fn path(&self, text: &str) -> PathBuf {
        match text.strip_prefix("~/") {
            Some(rest) => self.home().join(rest),
            None => self.workspace().join(text),
        }
    }

    fn git(&self, words: &str) -> io::Result<()> {
        let mut command = Command::new("git");
        command
            .args(words.split(' '))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(self.workspace())
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if getuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        if command.status()?.success() {
            return Ok(());
        }
        Err(io::Error::other(format!("`git {words}` failed")))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What has just been ended may still make a file while the others are taken away.
        for _ in 0..50 {
            if fs::remove_dir_all(&self.root).is_ok() || !self.root.exists() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A directory, and those that hold it.
fn directory(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    give(path)
}

/// A file with its mode, and the directory that holds it.
fn file(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    if let Some(parent) = path.parent().filter(|parent| !parent.exists()) {
        directory(parent)?;
    }
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    give(path)
}

/// Gives a path to the unprivileged user.
fn give(path: &Path) -> io::Result<()> {
    if getuid().is_root() {
        chown(path, Some(NOBODY), Some(NOBODY))?;
    }
    Ok(())
}
