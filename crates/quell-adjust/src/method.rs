//! What a method is, and the list of them.

use quell_model::{Budget, Progress, Value};

use crate::methods::{
    Auto, BlockCoordinateDescent, Exact, Hybrid, Learning, Ordering, RandomDirections, Scatter,
};
use crate::{Error, Instance};

/// What a method is given.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The instance.
    pub instance: &'a Instance<'a>,
    /// What may be used.
    pub budget: &'a Budget,
    /// Whom to tell.
    pub progress: &'a dyn Progress,
}

/// What a method gives.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// How far each cell moves, in the table's units; `None` if nothing was found.
    pub movement: Option<Vec<Value>>,
    /// No adjusted table costs less; infinite if there is none.
    pub lower_bound: f64,
}

/// A way to choose directions.
///
/// A method is *anytime*: when its budget ends it gives the best it has.
pub trait Method: Sync {
    /// The name users know it by.
    fn name(&self) -> &'static str;

    /// Adjusts a table.
    ///
    /// # Errors
    /// If the solver fails.
    fn adjust(&self, task: &Task) -> Result<Proposal, Error>;
}

/// The names of all methods, the default first.
pub const METHODS: &[&str] = &[
    "auto",
    "exact",
    "ordering",
    "random",
    "hybrid",
    "hybrid-swaps",
    "scatter",
    "learning",
    "bcd",
];

/// The method of a name with its usual settings.
///
/// # Errors
/// If there is none of that name.
pub fn method(name: &str) -> Result<Box<dyn Method>, Error> {
    Ok(match name {
        "auto" => Box::new(Auto),
        "exact" => Box::new(Exact::default()),
        "ordering" => Box::new(Ordering),
        "random" => Box::new(RandomDirections::default()),
        "hybrid" => Box::new(Hybrid::default()),
        "hybrid-swaps" => Box::new(Hybrid { swaps: true, ..Hybrid::default() }),
        "scatter" => Box::new(Scatter::default()),
        "learning" => Box::new(Learning::default()),
        "bcd" => Box::new(BlockCoordinateDescent::default()),
        _ => {
            let (name, known) = (name.to_owned(), METHODS.join(", "));
            return Err(Error::UnknownMethod { name, known });
        }
    })
}
