//! Which cells of a table are hidden.

use std::path::PathBuf;

use clap::Args;
use quell::attacked_table::HiddenCells;

/// Which cells are hidden.
#[derive(Debug, Clone, Args)]
pub struct HiddenArguments {
    /// Hide only the primaries: the table before protection
    #[arg(long)]
    primaries_only: bool,

    /// Hide the cells that another file of the same table calls primary or secondary
    #[arg(long, value_name = "FILE", conflicts_with = "primaries_only")]
    pattern: Option<PathBuf>,
}

impl HiddenArguments {
    /// In the words of the library.
    pub fn hidden(&self) -> HiddenCells {
        match &self.pattern {
            Some(file) => HiddenCells::AsIn(file.clone()),
            None if self.primaries_only => HiddenCells::Primaries,
            None => HiddenCells::AsItsStatuses,
        }
    }
}
