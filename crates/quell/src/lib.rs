//! The `quell` command: one file a sub-command.
//!
//! - [`command_line`]: what can be asked for;
//! - [`protect`], [`tabulate`], [`job`]: whole jobs, from records to a release;
//! - [`argus`]: batch files of τ-ARGUS;
//! - [`adjust`]: controlled tabular adjustment, of tables and jobs;
//! - [`suppress`], [`compare`], [`audit`], [`unpick`], [`exposure`], [`generate`],
//!   [`convert`]: the sub-commands for tables; [`micro`]: those for microdata;
//! - [`prepare`]: the tables of a job with what rules and people say of them;
//! - [`pipeline`]: from tables to an audited release, for jobs and batch files alike;
//! - [`release`], [`report`]: protected tables as files, and what was done to them;
//! - [`table_file`]: reading and writing tables by file name, with all faults shown;
//! - [`attacked_table`], [`csv_file`]: a table with what is hidden of it, results as CSV files;
//! - [`given`]: tables that someone else made;
//! - [`columns`], [`rda_microdata`], [`hst_entries`]: data files and what describes them;
//! - [`failure`], [`exit`], [`guard`]: what goes wrong, how it is shown, what the caller learns;
//! - [`interrupt`], [`limits`], [`progress_bar`]: stopping, budgets, and what is told meanwhile;
//! - [`checkpoint_file`]: the state of a long search, so that it survives a reboot;
//! - [`output`], [`together`]: results on the standard output, files that appear together.

pub mod adjust;
pub mod argus;
pub mod attacked_table;
pub mod audit;
pub mod checkpoint_file;
pub mod columns;
pub mod command_line;
pub mod compare;
pub mod convert;
pub mod csv_file;
pub mod exit;
pub mod exposure;
pub mod failure;
pub mod generate;
pub mod given;
pub mod guard;
pub mod hst_entries;
pub mod interrupt;
pub mod job;
pub mod limits;
pub mod micro;
pub mod output;
pub mod pipeline;
pub mod prepare;
pub mod progress_bar;
pub mod protect;
pub mod rda_microdata;
pub mod release;
pub mod report;
pub mod suppress;
pub mod table_file;
pub mod tabulate;
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
        SubCommand::Protect(arguments) => protect::run(arguments),
        SubCommand::Init(arguments) => job::init::run(arguments),
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
