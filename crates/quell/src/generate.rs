//! Synthetic tables of the classes in the literature, and a survey. The same class and seed
//! always give the same table.

use quell_gen::{Shape, random_problem, random_problem_of, survey_classifications, survey_csv};
use quell_model::{Problem, Random};

use crate::Error;

pub use quell_gen::{Cta, Herrington, Ons, Survey};

/// A class of tables.
#[derive(Debug, Clone, PartialEq)]
pub enum TableClass {
    /// k-way tables with hierarchies and contributors (serpell-2011, serpell-2013).
    Ons(Ons),
    /// Large two-way tables with few primaries (herrington-2015).
    Herrington(Herrington),
    /// Tables for controlled tabular adjustment (cox-2005).
    Cta(Cta),
    /// Small random systems, corner cases included, for tests.
    Random {
        /// About the most cells.
        size: usize,
        /// The shape; any if not given.
        shape: Option<Shape>,
    },
}

impl Default for TableClass {
    fn default() -> Self {
        Self::Ons(Ons::default())
    }
}

/// Makes a table of a class.
///
/// ```
/// use quell::generate::{Herrington, TableClass, generate};
///
/// let class = TableClass::Herrington(Herrington { rows: 20, columns: 10, ..Herrington::default() });
/// let problem = generate(&class, 1)?;
/// assert_eq!(problem.cell_count(), 21 * 11);
/// # Ok::<(), quell::Error>(())
/// ```
///
/// # Errors
/// If a parameter of the class makes no table.
pub fn generate(class: &TableClass, seed: u64) -> Result<Problem, Error> {
    Ok(match class {
        TableClass::Ons(class) => class.generate(seed)?,
        TableClass::Herrington(class) => class.generate(seed)?,
        TableClass::Cta(class) => class.generate(seed)?,
        TableClass::Random { size, shape: None } => {
            random_problem(&mut Random::new(seed, 0), *size)
        }
        TableClass::Random { size, shape: Some(shape) } => {
            random_problem_of(*shape, &mut Random::new(seed, 0), *size)
        }
    })
}

/// The microdata of a fictional business survey, with its classifications, as files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyFiles {
    /// How many firms it has.
    pub firms: usize,
    /// The names of the files and what is in them.
    pub files: Vec<(String, String)>,
}

/// Makes a survey.
///
/// # Errors
/// If it would have too few or too many firms.
pub fn generate_survey(survey: &Survey, seed: u64) -> Result<SurveyFiles, Error> {
    let firms = survey.generate(seed)?;
    let mut files = vec![("survey.csv".to_owned(), survey_csv(&firms))];
    for classification in survey_classifications() {
        files.push((format!("{}.hrc", classification.name), classification.hierarchy));
        files.push((format!("{}.cdl", classification.name), classification.labels));
    }
    Ok(SurveyFiles { firms: firms.len(), files })
}
