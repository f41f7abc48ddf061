//! A home and a workspace that vanish after a test, and the binary run in them.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A home with a workspace, both empty. Its path always has the same length, so that texts are wrapped alike.
pub(crate) struct Place {
    _directory: tempfile::TempDir,
    root: PathBuf,
}

/// What a run of the binary left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let directory = tempfile::Builder::new()
            .prefix("cs-")
            .rand_bytes(6)
            .tempdir_in("/tmp")
            .unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("home")).unwrap();
        std::fs::create_dir_all(root.join("work/.git")).unwrap();
        Self {
            _directory: directory,
            root,
        }
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The settings of Claude Code in this home.
    pub(crate) fn settings(&self) -> PathBuf {
        self.home().join(".claude/settings.json")
    }

    /// The directory of the journals.
    pub(crate) fn state(&self) -> PathBuf {
        self.root.join("home/.local/state/countersign")
    }

    /// Writes the user's rules.
    pub(crate) fn rules(&self, text: &str) -> PathBuf {
        let path = self.root.join("home/.config/countersign/rules.toml");
        write(&path, text);
        path
    }

    /// The binary in the workspace, with an environment of its own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command
            .args(arguments)
            .current_dir(self.work())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.root.join("home"))
            .env("TERM", "xterm")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.finish(self.command(arguments), "")
    }

    /// The same with a text on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped());
        self.finish(command, input)
    }

    pub(crate) fn finish(&self, mut command: Command, input: &str) -> Run {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if let Some(mut stdin) = child.stdin.take() {
            // Whoever ends without reading what is sent is judged by what it says.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap(),
            out: self.plain(&output.stdout),
            err: self.plain(&output.stderr),
        }
    }

    /// Output with this place's own path replaced.
    pub(crate) fn plain(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.replace(self.root.to_str().unwrap(), "/ROOT")
    }
}

pub(crate) fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
