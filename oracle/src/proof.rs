//! Proves a way: its template, filled in with something harmless, really brings the effect about in real bash.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use countersign_corpus::filling::{fill, holds_arguments};
use countersign_corpus::way::{Step, Way};
use rustix::process::getuid;

use crate::stage::{NOBODY, Stage};

/// A text that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long what a text left behind may still work; it is ended then, with all that it started.
const AFTER: Duration = Duration::from_millis(1500);

/// How often it is looked whether the effect is there.
const PAUSE: Duration = Duration::from_millis(5);

/// The first process of a run. It outlives the text, so that what that left in the background can go on; when it is
/// ended the kernel ends all the others.
const FIRST: &str = r#"ended=$1; shift; "$@"; : > "$ended"; exec sleep 30"#;

/// What a run may use: bytes of a file, seconds of a processor, processes, bytes of memory; and it leaves no core.
const LIMITS: [&str; 5] = [
    "--fsize=4000000",
    "--cpu=10",
    "--nproc=400",
    "--data=3000000000",
    "--core=0",
];

/// What came of a way.
#[derive(Debug)]
pub struct Proof {
    /// Whether the effect was there.
    pub proven: bool,
    /// The text that ran.
    pub text: String,
    /// What it wrote to its standard output and error.
    pub said: String,
}

/// Runs a way in a place of its own. `number` tells the place from others of this process, `token` is a word that
/// occurs nowhere else.
pub fn prove(way: &Way, setup: &[Step], number: usize, token: &str) -> io::Result<Proof> {
    let stage = Stage::new(number, token)?;
    let filling = stage.filling(way.kind);
    let text = fill(&way.template, &filling).map_err(io::Error::other)?;
    stage.set_up(setup, &filling)?;
    let prepared = setup.iter().flat_map(Step::texts).any(holds_arguments);
    let with_arguments = prepared || holds_arguments(&way.template);
    let is_proven = || stage.is_proven(way.kind, with_arguments);
    if is_proven() {
        return Err(io::Error::other("the effect is there before the way"));
    }
    let mut child = start(&stage, &text)?;
    let began = Instant::now();
    let mut ended = None;
    let mut proven = is_proven();
    while !proven && began.elapsed() < PATIENCE {
        thread::sleep(PAUSE);
        if ended.is_none() && stage.seen("ended").exists() {
            ended = Some(Instant::now());
        }
        proven = is_proven();
        if ended.is_some_and(|at: Instant| at.elapsed() > AFTER) || child.try_wait()?.is_some() {
            break;
        }
    }
    // The launcher's end is the end of the namespace's first process, and so of all of them.
    child.kill()?;
    child.wait()?;
    let said = said(&stage);
    Ok(Proof {
        proven: proven || is_proven(),
        text,
        said,
    })
}

/// Whether a program can be found.
pub fn is_here(program: &str) -> bool {
    SEARCH
        .split(':')
        .any(|place| Path::new(place).join(program).exists())
}

/// Where real programs are looked for.
const SEARCH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// Starts a text in a network and a process tree of its own, as a user that owns nothing.
fn start(stage: &Stage, text: &str) -> io::Result<Child> {
    let mut command = Command::new("/usr/bin/unshare");
    if !getuid().is_root() {
        // Who is not root gets the right to make the others by a user namespace.
        command.arg("--map-root-user");
    }
    command.args([
        "--net",
        "--pid",
        "--mount-proc",
        "--fork",
        "--kill-child",
        "--",
    ]);
    command
        .args(["/bin/sh", "-c", FIRST, "sh"])
        .arg(stage.seen("ended"));
    if getuid().is_root() {
        let user = NOBODY.to_string();
        command.args(["/usr/bin/setpriv", "--reuid", &user, "--regid", &user]);
        command.args(["--clear-groups", "--no-new-privs", "--"]);
    }
    command.arg("/usr/bin/prlimit").args(LIMITS).arg("--");
    command.args(["/bin/bash", "--norc", "--noprofile", "-c", text]);
    command
        .env_clear()
        .env("PATH", format!("{}:{SEARCH}", stage.programs().display()))
        .env("HOME", stage.home())
        .env("USER", "u")
        .env("SHELL", "/bin/bash")
        .env("TERM", "dumb")
        .env("LC_ALL", "C.UTF-8")
        .env("TMPDIR", stage.workspace())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(stage.workspace())
        .stdin(Stdio::null())
        .stdout(File::options().append(true).open(stage.seen("out"))?)
        .stderr(File::options().append(true).open(stage.seen("err"))?);
    command.spawn()
}

fn said(stage: &Stage) -> String {
    let read = |name: &str| {
        let bytes = fs::read(stage.seen(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes)
            .chars()
            .take(2000)
            .collect::<String>()
    };
    format!("{}{}", read("out"), read("err"))
}
