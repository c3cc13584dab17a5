//! Where a long search keeps its state.

use std::path::PathBuf;

use clap::Args;
use quell::CheckpointPlace;

/// Where the state of a search is kept.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Long searches")]
pub struct CheckpointArguments {
    /// Keep the state of the search here, once a minute; not for publication
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint, if it is there
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

impl CheckpointArguments {
    /// The place, if one is asked for.
    pub fn place(&self) -> Option<CheckpointPlace> {
        let file = self.checkpoint.clone()?;
        Some(CheckpointPlace { file, resume: self.resume })
    }
}
