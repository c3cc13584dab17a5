//! What the equations of a table give away one at a time.

use quell_attack::Unpicked;
use quell_model::{Pattern, Problem};

use crate::Context;

/// Unpicks a table as seen without the cells of `pattern`: the quick attack of serpell-2013.
///
/// What it finds is exposed; what it does not find may be exposed all the same: see
/// [`audit`](crate::audit()). Its text and JSON forms are made by
/// [`UnpickReport`](crate::text::UnpickReport).
///
/// ```
/// use quell::generate::{Ons, TableClass, generate};
/// use quell::text::UnpickReport;
/// use quell::{Context, Pattern, unpick};
///
/// let dimensions = vec!["7".parse()?, "6".parse()?, "5".parse()?];
/// let problem = generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1)?;
/// let pattern = Pattern::of_primaries(&problem);
/// let unpicked = unpick(&problem, &pattern, &Context::default());
/// assert!(!unpicked.exposures.is_empty());
/// println!("{}", UnpickReport::new(&problem, &pattern, &unpicked).text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unpick(problem: &Problem, pattern: &Pattern, context: &Context<'_>) -> Unpicked {
    context.progress.stage("unpicking", None);
    quell_attack::unpick(problem, pattern)
}
