//! The command `quell`: arguments become typed options, the library does the work, the result is
//! shown.

mod args;
mod command_line;
mod commands;
mod diagnostics;
mod exit;
mod guard;
mod output;
mod progress;
mod signals;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use quell::Error;

use command_line::{CommandLine, SubCommand};
use commands::{
    adjust, argus, audit, compare, convert, exposure, generate, init, micro, protect, suppress,
    tabulate, unpick,
};
use exit::Exit;

fn main() -> ExitCode {
    run(std::env::args_os()).into()
}

/// Runs the command with its arguments, the program's name first.
fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let command = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line.command,
        Err(error) => {
            // A help text that nobody reads to its end is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::WrongInput } else { Exit::Done };
        }
    };
    output::finish(guard::guarded(|| dispatch(&command).unwrap_or_else(diagnostics::show)))
}

fn dispatch(command: &SubCommand) -> Result<Exit, Error> {
    match command {
        SubCommand::Protect(arguments) => protect::run(arguments),
        SubCommand::Init(arguments) => init::run(arguments),
        SubCommand::Tabulate(arguments) => tabulate::run(arguments),
        SubCommand::Suppress(arguments) => suppress::run(arguments),
        SubCommand::Adjust(arguments) => adjust::run(arguments),
        SubCommand::Compare(arguments) => compare::run(arguments),
        SubCommand::Audit(arguments) => audit::run(arguments),
        SubCommand::Unpick(arguments) => unpick::run(arguments),
        SubCommand::Exposure(arguments) => exposure::run(arguments),
        SubCommand::Generate(arguments) => generate::run(arguments),
        SubCommand::Convert(arguments) => convert::run(arguments),
        SubCommand::Argus(arguments) => argus::run(arguments),
        SubCommand::Micro(arguments) => micro::run(arguments),
    }
}
