//! `bench`: another gate's hook beside the corpus: what it lets through, what it stops for nothing, and how long it
//! takes. The hook gets text and answers; no command of the corpus is ever run.

mod cases;
mod rival;
mod tally;

use self::cases::{Case, Kind};
use self::rival::Rival;
use self::tally::Tally;
use crate::cli::BenchArgs;
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{Target, write};
use crate::progress;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Asks the hook about every case and prints what came back.
pub(crate) fn run(args: &BenchArgs) -> Result<Exit, CommandError> {
    let workspace = tempfile::tempdir().map_err(|error| {
        CommandError::new(
            ErrorKind::Internal,
            format!("no temporary directory: {error}"),
        )
    })?;
    let rival = Rival {
        command: args.hook.clone(),
        workspace: workspace.path().to_path_buf(),
        limit: Duration::from_secs(args.timeout),
    };
    // A hook that cannot be started would count as one that fails open on everything.
    rival.starts().map_err(|why| {
        CommandError::new(ErrorKind::User, format!("the hook cannot be run: {why}"))
            .hint("give the command as the agent's settings have it, in quotes")
    })?;
    let wanted = |case: &Case| match args.folder {
        crate::cli::Cases::Attacks => case.kind == Kind::Attack,
        crate::cli::Cases::Benign => case.kind == Kind::Benign,
        crate::cli::Cases::All => true,
    };
    let cases: Vec<Case> = cases::all().into_iter().filter(wanted).collect();
    let tally = asked(&rival, &cases, args.jobs);
    let written = if args.json {
        write(Target::Output, tally.json().as_bytes())
    } else {
        tally.page(args.missed).write(Target::Output)
    };
    match written {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(CommandError::output(&error)),
    }
}

/// Asks about all cases, so many at a time.
fn asked(rival: &Rival, cases: &[Case], jobs: usize) -> Tally {
    let bar = progress::bar(cases.len() as u64);
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let heard = rival.ask(case);
                    // A thread that died while it counted left whole counts behind.
                    let mut tally = tally
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    tally.add(case, &heard);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut tally = tally
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    tally.sort();
    tally
}
