//! `completions` and `man`: what a shell and a reader of manual pages want to know of the command line, from the table
//! by which it is read.

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::error::{CommandError, ErrorKind};
use crate::exit::Exit;
use crate::page::{self, Target};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

/// The program's name.
const NAME: &str = "countersign";

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, CommandError> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut out);
    print(&out)
}

/// Prints a manual page.
pub(crate) fn man(args: &ManArgs) -> Result<Exit, CommandError> {
    let mut command = Cli::command();
    // What every command has by itself is filled in.
    command.build();
    for verb in &args.verb {
        command = of_verb(&command, verb)?;
    }
    let mut out = Vec::new();
    let page = Man::new(command).source(concat!("countersign ", env!("CARGO_PKG_VERSION")));
    let written = page.render(&mut out);
    written.map_err(|error| CommandError::output(&error))?;
    print(&out)
}

/// A verb as its own page has it.
fn of_verb(command: &Command, verb: &str) -> Result<Command, CommandError> {
    let found = command.find_subcommand(verb).ok_or_else(|| {
        let words = format!("there is no command `{verb}`");
        CommandError::new(ErrorKind::Cli, words).hint("`countersign --help` lists them")
    })?;
    Ok(found.clone().version(env!("CARGO_PKG_VERSION")))
}

fn print(out: &[u8]) -> Result<Exit, CommandError> {
    page::write(Target::Output, out).map_err(|error| CommandError::output(&error))?;
    Ok(Exit::Done)
}
