//! What can be asked for.

use clap::{Parser, Subcommand};

use crate::commands::adjust::AdjustArguments;
use crate::commands::argus::ArgusArguments;
use crate::commands::audit::AuditArguments;
use crate::commands::compare::CompareArguments;
use crate::commands::convert::ConvertArguments;
use crate::commands::exposure::ExposureArguments;
use crate::commands::generate::GenerateArguments;
use crate::commands::init::InitArguments;
use crate::commands::micro::MicroArguments;
use crate::commands::protect::ProtectArguments;
use crate::commands::suppress::SuppressArguments;
use crate::commands::tabulate::TabulateArguments;
use crate::commands::unpick::UnpickArguments;

/// The ends of every help text.
const EXIT_CODES: &str = "\
Exit codes:
  0  done; the table is safe
  1  wrong input: arguments, files or tables
  2  not safe, or not proven safe within the budget
  3  an internal error

Tables are JJ files, with the contributors of T.jj in T.frq if they are known, or pairs of
CSV files: T.csv stands for T.cells.csv and T.equations.csv.";

/// Statistical disclosure control for tables.
///
/// Quell sees every table as cells tied by additive equations: k-way tables, hierarchies,
/// linked tables, JJ files.
#[derive(Debug, Parser)]
#[command(name = "quell", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: SubCommand,
}

/// The sub-commands.
#[derive(Debug, Subcommand)]
pub enum SubCommand {
    /// Protect a whole job: tabulate, apply the rules, hide cells, audit, release
    Protect(ProtectArguments),
    /// Write a commented first job file from a look at the data
    Init(InitArguments),
    /// Make the tables of a job and apply its rules, but protect nothing
    Tabulate(TabulateArguments),
    /// Choose secondaries until every primary is safe
    Suppress(SuppressArguments),
    /// Move sensitive values to a safe distance, and others a little, so that the table adds up
    Adjust(Box<AdjustArguments>),
    /// Compare methods on a table
    Compare(CompareArguments),
    /// Give every primary cell a proven verdict: safe or exposed
    Audit(AuditArguments),
    /// Show which primaries fall by simple subtraction, and in which order
    Unpick(UnpickArguments),
    /// Find the primaries that need protecting
    Exposure(ExposureArguments),
    /// Make a synthetic table of one of the classes in the literature
    Generate(GenerateArguments),
    /// Turn a table from one format into another
    Convert(ConvertArguments),
    /// Run batch files of τ-ARGUS as they are
    Argus(ArgusArguments),
    /// Protect microdata: risk, local suppression, recoding
    Micro(Box<MicroArguments>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
