//! Runs a text of our own in real bash, confined: an unprivileged user, an empty directory, small limits, one second.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getuid, kill_process_group};

/// The user that owns nothing.
const NOBODY: u32 = 65534;

/// A text that takes longer is ended.
const PATIENCE: Duration = Duration::from_millis(700);

/// What is recorded of one run at the most; a loop without end writes without end.
const MOST_RECORDED: u64 = 1 << 16;

/// A place in which texts run, with the preamble that bash reads first.
#[derive(Debug)]
pub struct Sandbox {
    root: PathBuf,
    path: String,
    runs: u64,
}

/// What came of a run.
#[derive(Debug)]
pub struct Run {
    /// What the text wrote to the recording descriptor.
    pub recorded: Vec<u8>,
    /// Whether it was ended because it took too long.
    pub ended: bool,
}

impl Sandbox {
    /// A sandbox below the system's temporary directory. `preamble` is read by bash before every text, and `path` is
    /// the search path; an empty one leads nowhere.
    pub fn new(preamble: &str, path: &str) -> io::Result<Self> {
        let name = format!("countersign-oracle-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        fs::create_dir_all(root.join("empty"))?;
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755))?;
        fs::write(root.join("preamble"), preamble)?;
        let empty = root.join("empty").display().to_string();
        let path = if path.is_empty() {
            empty
        } else {
            path.to_owned()
        };
        Ok(Self {
            root,
            path,
            runs: 0,
        })
    }

    /// The directory that holds the sandbox.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Uses another search path from now on.
    pub fn set_path(&mut self, path: String) {
        self.path = path;
    }

    /// Runs a text in a directory of its own. Its standard error is what is recorded; the preamble moves it away.
    pub fn run(&mut self, text: &str) -> io::Result<Run> {
        self.runs += 1;
        let place = self.root.join(format!("run-{}", self.runs));
        fs::create_dir(&place)?;
        // Anybody may write here, so that the unprivileged user can.
        fs::set_permissions(&place, fs::Permissions::from_mode(0o777))?;
        let run = self.run_in(text, &place);
        // What a killed process still holds open may keep the directory for a moment; it is only temporary.
        drop(fs::remove_dir_all(&place));
        run
    }

    fn run_in(&self, text: &str, place: &Path) -> io::Result<Run> {
        let mut command = Command::new("/bin/bash");
        command
            .args(["--norc", "--noprofile", "-c", text])
            .env_clear()
            .env("BASH_ENV", self.root.join("preamble"))
            .env("PATH", &self.path)
            .env("HOME", place)
            .env("LC_ALL", "C.UTF-8")
            .current_dir(place)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0);
        if getuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (sender, receiver) = mpsc::channel();
        if let Some(pipe) = child.stderr.take() {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                drop(pipe.take(MOST_RECORDED).read_to_end(&mut bytes));
                drop(sender.send(bytes));
            });
        }
        let first = receiver.recv_timeout(PATIENCE);
        let ended = first.is_err();
        if let Some(group) = group {
            // Background jobs outlive the shell; none may stay.
            let _gone = kill_process_group(group, Signal::KILL);
        }
        let recorded = first.or_else(|_| receiver.recv_timeout(PATIENCE));
        child.wait()?;
        Ok(Run {
            recorded: recorded.unwrap_or_default(),
            ended,
        })
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.root));
    }
}
