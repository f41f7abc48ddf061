//! Runs a command line in real bash with harmless programs, and tells whether the marker ran.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use crate::sandbox::Sandbox;

/// Programs that are there besides the marker: they only move text or run what they are told to.
const PROGRAMS: &[&str] = &[
    "env", "xargs", "find", "timeout", "nice", "nohup", "bash", "sh", "sed", "awk", "cat", "echo",
    "printf", "tr", "head", "tail", "sort", "tee", "dirname", "basename", "seq", "base64",
    "stdbuf", "setsid", "rev", "cut", "grep", "sleep", "true", "false", "test", "which", "time",
    "tac", "paste", "uniq", "wc",
];

/// Bash reads this first. Nothing is replaced; only limits are set.
// The descriptor stays open as long as anything runs, which is how the end is noticed.
const PREAMBLE: &str =
    "exec 198>&2 2>/dev/null\nunset BASH_ENV\nulimit -f 64 -t 1 -u 300 -v 2000000 -c 0\n";

/// A place with the marker program.
#[derive(Debug)]
pub struct Marker {
    sandbox: Sandbox,
    record: PathBuf,
}

impl Marker {
    /// A fresh place.
    pub fn new() -> io::Result<Self> {
        let mut sandbox = Sandbox::new(PREAMBLE, "")?;
        let programs = sandbox.root().join("bin");
        fs::create_dir_all(&programs)?;
        for program in PROGRAMS {
            symlink(format!("/usr/bin/{program}"), programs.join(program))?;
        }
        let record = sandbox.root().join("record");
        fs::write(&record, "")?;
        fs::set_permissions(&record, fs::Permissions::from_mode(0o666))?;
        // A shell that reads the file as a script (`. mk`) does not run the command `mk`; only the kernel adds the
        // option.
        let script = format!(
            "#!/bin/sh -C\ncase $- in *C*) IFS=' '; echo \"mk $*\" >> {};; esac\n",
            record.display()
        );
        fs::write(programs.join("mk"), script)?;
        fs::set_permissions(programs.join("mk"), fs::Permissions::from_mode(0o755))?;
        sandbox.set_path(programs.display().to_string());
        Ok(Self { sandbox, record })
    }

    /// How the marker was called, where it ran at all.
    pub fn run(&mut self, text: &str) -> io::Result<Option<String>> {
        fs::write(&self.record, "")?;
        self.sandbox.run(text)?;
        let recorded = fs::read_to_string(&self.record).unwrap_or_else(|_| "mk ?".to_owned());
        Ok((!recorded.is_empty()).then_some(recorded))
    }
}
