//! `quell generate random`.

use clap::{Args, ValueEnum};
use quell_gen::{Shape, random_problem, random_problem_of};
use quell_model::{Problem, Random};

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
    pub(super) fn generate(&self) -> Problem {
        let random = &mut Random::new(self.target.seed, 0);
        let size = self.size as usize;
        match self.shape {
            ShapeChoice::Any => random_problem(random, size),
            ShapeChoice::Flat => random_problem_of(Shape::Flat, random, size),
            ShapeChoice::Hierarchical => random_problem_of(Shape::Hierarchical, random, size),
            ShapeChoice::Linked => random_problem_of(Shape::Linked, random, size),
            ShapeChoice::General => random_problem_of(Shape::General, random, size),
        }
    }
}
