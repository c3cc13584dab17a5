//! Which primaries of a table need protecting; the others are safe once those are.

use quell_attack::ExposureSets;
use quell_model::Problem;

use crate::{Context, Error};

pub use quell_attack::CandidateAlgorithm;

/// The sets of serpell-2013 of a table before protection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposed {
    /// The sets, by the paper's names.
    pub sets: ExposureSets,
    /// Whether all was settled. If the time ended or the call was cancelled before, what was not
    /// settled counts as exposed: candidates may be too many, never too few.
    pub decided: bool,
}

/// Finds the sets E, E_f, E_p, E_u, E_n, K_1, K_pl, K_nv and K_s of a table of which only the
/// primaries are hidden. Their text and JSON forms, with the candidates for initially exposed
/// cells, are made by [`ExposureReport`](crate::text::ExposureReport).
///
/// ```
/// use quell::exposure::CandidateAlgorithm;
/// use quell::generate::{Ons, TableClass, generate};
/// use quell::text::ExposureReport;
/// use quell::{Context, exposure};
///
/// let dimensions = vec!["7".parse()?, "6".parse()?, "5".parse()?];
/// let problem = generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1)?;
/// let exposed = exposure(&problem, &Context::default())?;
/// let candidates = exposed.sets.candidates(CandidateAlgorithm::K5);
/// assert!(candidates.len() <= problem.primaries().count());
/// println!("{}", ExposureReport::new(&problem, &exposed, CandidateAlgorithm::K5).text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the table is faulty, or the solver fails.
pub fn exposure(problem: &Problem, context: &Context<'_>) -> Result<Exposed, Error> {
    let sets = ExposureSets::find(problem, &context.budget, context.progress)?;
    Ok(Exposed { sets, decided: context.budget.stop().is_none() })
}
