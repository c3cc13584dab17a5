//! The `quell` command: one file a sub-command.
//!
//! - [`command_line`]: what can be asked for;
//! - [`audit`], [`unpick`], [`exposure`], [`generate`], [`convert`]: the sub-commands for
//!   tables; [`micro`]: those for microdata;
//! - [`table_file`]: reading and writing tables by file name, with all faults shown;
//! - [`attacked_table`], [`csv_file`]: a table with what is hidden of it, results as CSV files;
//! - [`failure`], [`exit`], [`guard`]: what goes wrong, how it is shown, what the caller learns;
//! - [`interrupt`], [`limits`], [`progress_bar`]: stopping, budgets, and what is told meanwhile;
//! - [`release`], [`report`]: protected tables as files, and what was done to them;
//! - [`output`], [`together`]: results on the standard output, files that appear together.

pub mod attacked_table;
pub mod audit;
pub mod command_line;
pub mod convert;
pub mod csv_file;
pub mod exit;
pub mod exposure;
pub mod failure;
pub mod generate;
pub mod guard;
pub mod interrupt;
pub mod limits;
pub mod micro;
pub mod output;
pub mod progress_bar;
pub mod release;
pub mod report;
pub mod table_file;
pub mod together;
pub mod unpick;

use std::ffi::OsString;

use clap::Parser;

use command_line::{CommandLine, SubCommand};
use exit::Exit;
use failure::Failure;

/// Runs the command with its arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let command = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line.command,
        Err(error) => {
            // A help text that nobody reads to its end is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::WrongInput } else { Exit::Done };
        }
    };
    guard::guarded(|| dispatch(&command).unwrap_or_else(|failure| failure.show()))
}

fn dispatch(command: &SubCommand) -> Result<Exit, Failure> {
    match command {
        SubCommand::Audit(arguments) => audit::run(arguments),
        SubCommand::Unpick(arguments) => unpick::run(arguments),
        SubCommand::Exposure(arguments) => exposure::run(arguments),
        SubCommand::Generate(arguments) => generate::run(arguments),
        SubCommand::Convert(arguments) => convert::run(arguments),
        SubCommand::Micro(arguments) => micro::run(arguments),
    }
}
