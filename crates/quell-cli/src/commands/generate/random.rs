//! `quell generate random`.

use clap::{Args, ValueEnum};
use quell::generate::TableClass;
use quell_gen::Shape;

use super::Target;

/// The shapes of random systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShapeChoice {
    /// Any of the others
    Any,
    /// One to four flat dimensions
    Flat,
    /// The same with hierarchies
    Hierarchical,
    /// Two tables that share a margin
    Linked,
    /// Equations that come from no table
    General,
}

/// Options of the class random.
#[derive(Debug, Args)]
pub struct RandomArguments {
    #[command(flatten)]
    pub(super) target: Target,

    /// About the most cells
    #[arg(long, value_name = "N", default_value_t = 40)]
    size: u32,

    /// The shape
    #[arg(long, value_enum, default_value_t = ShapeChoice::Any)]
    shape: ShapeChoice,
}

impl RandomArguments {
    pub(super) fn class(&self) -> TableClass {
        let shape = match self.shape {
            ShapeChoice::Any => None,
            ShapeChoice::Flat => Some(Shape::Flat),
            ShapeChoice::Hierarchical => Some(Shape::Hierarchical),
            ShapeChoice::Linked => Some(Shape::Linked),
            ShapeChoice::General => Some(Shape::General),
        };
        TableClass::Random { size: self.size as usize, shape }
    }
}
