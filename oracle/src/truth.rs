//! What bash itself runs: every command that it looks up is recorded instead of run.

use std::io;

use crate::argv::{Argv, parse};
use crate::sandbox::Sandbox;

/// A newline would make bash write the record in pieces, between which another command's could come; so it is written
/// as a record separator.
///
/// Bash reads this first. Every external command fails to be found and so comes to the handler, which records it. The
/// builtins that could reach other processes are taken away and are recorded as well.
const PREAMBLE: &str = r#"exec 198>&2 2>/dev/null
ulimit -f 64 -t 1 -u 200 -v 1000000 -c 0
enable -n kill suspend ulimit umask history fc bind disown
command_not_found_handle() {
  builtin printf '%s\0' "$#" "${@//$'\n'/$'\036'}" >&198
  case $1 in n*|f*|mk1|mk3) return 1;; esac
  return 0
}
"#;

/// Real bash with every external command replaced.
#[derive(Debug)]
pub struct Truth {
    sandbox: Sandbox,
}

/// What was seen of one text.
#[derive(Debug)]
pub struct Seen {
    /// The commands that bash looked up.
    pub commands: Vec<Argv>,
    /// Whether it had to be ended.
    pub ended: bool,
}

impl Truth {
    /// A fresh place.
    pub fn new() -> io::Result<Self> {
        let sandbox = Sandbox::new(PREAMBLE, "")?;
        Ok(Self { sandbox })
    }

    /// Runs a text of our own.
    pub fn run(&mut self, text: &str) -> io::Result<Seen> {
        let run = self.sandbox.run(text)?;
        Ok(Seen {
            commands: parse(&run.recorded),
            ended: run.ended,
        })
    }
}
