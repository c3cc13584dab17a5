//! The methods: one file or folder each, named as in the literature, and the list of them.
//!
//! No method imports another; what several use is in [`search`](crate::search),
//! [`genetic`](crate::genetic) or [`bound`](crate::bound). Only [`auto`], which chooses among
//! them, and the list below, which builds them, know more than one.

mod auto;
mod elimination_lp;
mod exact;
mod gapn;
mod gauss;
mod gensup;
mod heurgene;
mod hybrid;
mod hypercube;
mod kelly_ilp;
mod kelly_lp;
mod local_lp;
mod modular;
mod parallel_bound_and_path;
mod shortest_path;

pub use self::auto::Auto;
pub use self::elimination_lp::{EliminationLp, Removal};
pub use self::exact::Exact;
pub use self::gapn::Gapn;
pub use self::gauss::Gauss;
pub use self::gensup::{GenSup, Mutation, Seeds};
pub use self::heurgene::{HeurGene, Strategy};
pub use self::hybrid::{
    Candidates, Evolution, Extra, Hybrid, HybridRun, HybridSettings, MutationChoice,
    OrderCrossover, OrderMutation, Preselection, SurrogateLevels,
};
pub use self::hypercube::Hypercube;
pub use self::kelly_ilp::KellyIlp;
pub use self::kelly_lp::KellyLp;
pub use self::local_lp::LocalLp;
pub use self::modular::Modular;
pub use self::parallel_bound_and_path::ParallelBoundAndPath;
pub use self::shortest_path::ShortestPath;

use crate::{Error, Method};

/// The names of all methods, the default first.
pub const METHODS: &[&str] = &[
    "auto",
    "exact",
    "local-lp",
    "kelly-lp",
    "hybrid",
    "elimination-lp",
    "kelly-ilp",
    "hypercube",
    "shortest-path",
    "heurgene",
    "parallel-bound-and-path",
    "gensup",
    "gapn",
    "modular",
    "gauss",
];

/// The method of a name with its usual settings.
///
/// ```
/// use quell_gen::{DimensionSize, Ons};
/// use quell_model::{Budget, Silent};
/// use quell_suppress::{method, protect};
///
/// let table = Ons { dimensions: [8, 6].map(DimensionSize::flat).to_vec(), ..Ons::default() };
/// let problem = table.generate(1)?;
/// let method = method("kelly-lp")?;
/// let outcome = protect(method.as_ref(), &problem, &Budget::default().with_seed(1), &Silent)?;
///
/// assert!(outcome.audit.is_safe());
/// assert_eq!(outcome.secondaries, outcome.pattern.secondaries(&problem).count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is none of that name.
pub fn method(name: &str) -> Result<Box<dyn Method>, Error> {
    Ok(match name {
        "elimination-lp" => Box::new(EliminationLp::default()),
        "kelly-ilp" => Box::new(KellyIlp::default()),
        "modular" => Box::new(Modular { inner: Box::new(KellyLp::default()) }),
        "gauss" => Box::new(Gauss::default()),
        "auto" => Box::new(Auto),
        "exact" => Box::new(Exact),
        "local-lp" => Box::new(LocalLp::default()),
        "kelly-lp" => Box::new(KellyLp::default()),
        "hybrid" => Box::new(Hybrid::default()),
        "hypercube" => Box::new(Hypercube),
        "shortest-path" => Box::new(ShortestPath),
        "gapn" => Box::new(Gapn::default()),
        "gensup" => Box::new(GenSup::default()),
        "parallel-bound-and-path" => Box::new(ParallelBoundAndPath),
        "heurgene" => Box::new(HeurGene::default()),
        _ => {
            let (name, known) = (name.to_owned(), METHODS.join(", "));
            return Err(Error::UnknownMethod { name, known });
        }
    })
}
