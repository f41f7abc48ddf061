//! The command line of countersign: what is typed becomes a command, and what comes back an exit code. It judges
//! nothing.

mod cli;
mod check;
mod explain;
mod trace;
mod changes;
mod suggestion;
mod always;
mod log;
mod trust;
mod allow;
mod last;
mod grants;
mod confirm;
mod rules;
mod test;
mod suggest;
mod replay;
mod bench;
mod init;
mod install;
mod uninstall;
mod doctor;
mod manual;
mod settings;
mod judged;
mod wire;
mod record;
mod configuration;
mod quote;
mod counted;
mod page;
mod progress;
mod percentile;
mod ink;
mod error;
mod exit;

use clap::Parser as _;
use clap::error::ErrorKind as ClapKind;
use cli::{Cli, Command};
use countersign_policy::printable::Printable;
use error::CommandError;
use exit::Exit;
use page::{Ink, Layout, Page, Piece, Target};
use std::process::ExitCode;

fn main() -> ExitCode {
    let exit = match Cli::try_parse() {
        Ok(cli) => dispatch(&cli.command).unwrap_or_else(|error| report(&error)),
        Err(error) => misused(&error),
    };
    ExitCode::from(exit)
}

fn dispatch(command: &Command) -> Result<Exit, CommandError> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Log(args) => log::run(args),
        Command::Trust(args) => trust::trust(args),
        Command::Untrust(args) => trust::untrust(args),
        Command::Allow(args) => allow::run(args),
        Command::Grants(args) => grants::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Test(args) => test::run(args),
        Command::Suggest(args) => suggest::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Init(args) => init::run(args),
        Command::Install(args) => install::run(args),
        Command::Uninstall(args) => uninstall::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    }
}

/// Shows why a command failed.
fn report(error: &CommandError) -> Exit {
    if !error.is_broken_pipe() {
        let mut page = Page::new(Layout::prose(Target::Messages));
        let message = Piece::plain(&format!(": {}", error.error));
        page.line((0, 2), &[Piece::new(Ink::Bad, "error"), message]);
        for hint in &error.hints {
            page.line((2, 4), &[Piece::plain(&format!("hint: {hint}"))]);
        }
        // Whoever closed standard error does not want to know.
        let _ = page.write(Target::Messages);
    }
    error.exit()
}

/// Shows help where it was asked for, and else what is wrong with what was typed: that is foreign text.
fn misused(error: &clap::Error) -> Exit {
    match error.kind() {
        ClapKind::DisplayHelp | ClapKind::DisplayVersion => {
            let text = error.render().to_string();
            // Whoever closed standard output has read enough.
            let _ = page::write(Target::Output, text.as_bytes());
            Exit::Done
        }
        _ => {
            let text = error.render().to_string();
            let text = Printable::lines(&text).to_string();
            let _ = page::write(Target::Messages, text.as_bytes());
            Exit::Usage
        }
    }
}
