//! Whether contributors are attackers.

use clap::{Args, ValueEnum};
use quell::ContributorAttackers;

/// Whether contributors are attackers beside the outsider.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ContributorArguments {
    /// Whether contributors are attackers, too: auto (the usual) if it is known how many there are
    /// (T.frq), yes or nothing more if they must be, no
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "yes")]
    pub contributors: Option<When>,
}

/// When contributors are attackers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If it is known how many there are
    Auto,
    /// Always; a table that does not say how many there are is refused
    Yes,
    /// Never
    No,
}

impl ContributorArguments {
    /// In the words of the library; none if nothing was said.
    pub fn attackers(self) -> Option<ContributorAttackers> {
        self.contributors.map(|when| match when {
            When::Auto => ContributorAttackers::IfKnown,
            When::Yes => ContributorAttackers::Yes,
            When::No => ContributorAttackers::No,
        })
    }
}
