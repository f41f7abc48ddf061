//! What a hook process says to its host: two streams and an exit code. Nothing is decided here.

use std::io::Write as _;

/// What goes back to the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// For the host's machinery; empty where there is nothing to say.
    pub stdout: String,
    /// For whoever reads along.
    pub stderr: String,
    /// The exit code.
    pub code: i32,
}

impl Said {
    /// Writes both streams. An error means that the host may not have heard.
    pub fn write(&self) -> std::io::Result<()> {
        if !self.stderr.is_empty() {
            // What matters is on stdout and in the exit code.
            let _ = writeln!(std::io::stderr().lock(), "{}", self.stderr);
        }
        if self.stdout.is_empty() {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", self.stdout)?;
        out.flush()
    }
}
