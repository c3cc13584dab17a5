//! Which combinations of variables are checked, how often is enough, and what "safe" means.

use quell_micro::{Combinations, ListedCombination, Meaning, Result, Thresholds};

use super::records::KeyedRecords;

/// What is checked.
///
/// ```
/// use quell::micro::{Check, KeyedRecords, Scope};
/// use quell_micro::{Column, Microdata};
///
/// let column = |name: &str| Column::from_labels(name, ["1", "2"], &[]);
/// let data = Microdata::new(vec![column("age"), column("sex"), column("town")])?;
/// // Fewer than 3 are unsafe for the pair, and 5 or fewer for all three.
/// let list = vec!["age*sex<3".parse()?, "age*sex*town<=5".parse()?];
/// let check = Check { scope: Scope::Listed { list, parts: false }, ..Check::default() };
/// let combinations = check.combinations(&KeyedRecords::from(data))?;
/// let minima: Vec<u32> = combinations.as_slice().iter().map(|own| own.minimum).collect();
/// assert_eq!(minima, [3, 6]);
/// # Ok::<(), quell_micro::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Check {
    /// Which combinations.
    pub scope: Scope,
    /// How often is enough, where a combination does not say it itself; three times if nobody
    /// says.
    pub thresholds: Option<Thresholds>,
    /// What "safe" means.
    pub meaning: Meaning,
}

/// Which combinations of variables are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of up to so many variables.
    UpTo(usize),
    /// These only, or with all their parts.
    Listed {
        /// The combinations.
        list: Vec<ListedCombination>,
        /// Whether their parts are checked too.
        parts: bool,
    },
    /// All variables together: k-anonymity.
    AllTogether {
        /// Whether all smaller combinations are checked too.
        parts: bool,
    },
    /// Those that the identification levels of the file's description make.
    IdentificationLevels,
}

impl Default for Scope {
    fn default() -> Self {
        Self::UpTo(3)
    }
}

impl Check {
    /// The combinations with the smallest frequency that is safe for each.
    ///
    /// # Errors
    /// If a variable is unknown, or a combination has no threshold.
    pub fn combinations(&self, records: &KeyedRecords) -> Result<Combinations> {
        let data = records.data();
        let thresholds = self.thresholds.clone().unwrap_or_default();
        match &self.scope {
            Scope::UpTo(most) => {
                let keys = data.keys().len();
                Combinations::by_dimension(keys, &thresholds.up_to((*most).min(keys))?)
            }
            Scope::Listed { list, parts } => {
                Combinations::listed(data, list, self.thresholds.as_ref(), *parts)
            }
            Scope::AllTogether { parts } => {
                let all = ListedCombination::of(data.keys().iter().map(|column| column.name()));
                Combinations::listed(data, &[all], self.thresholds.as_ref(), *parts)
            }
            Scope::IdentificationLevels => {
                let levels = identification_levels(records);
                let deepest = levels.iter().copied().max().unwrap_or(0) as usize;
                Combinations::identification_levels(&levels, &thresholds.up_to(deepest)?)
            }
        }
    }
}

/// The level of every identifying variable; none without a description.
fn identification_levels(records: &KeyedRecords) -> Vec<u32> {
    let level = |name: &str| {
        records
            .metadata()
            .and_then(|all| all.variable(name))
            .map_or(0, |variable| variable.identification)
    };
    records.data().keys().iter().map(|column| level(column.name())).collect()
}
