//! Local suppression: which values of which records are set to missing.
//!
//! | file | model |
//! |---|---|
//! | [`record`] | one record's MINUCs: least hitting sets, all of them if asked |
//! | [`fewest`] | §5: least total weight of suppressions, record by record |
//! | [`categories`] | §6: fewest affected categories |
//! | [`lexicographic`] | §7: the three mixtures |
//! | [`wildcard`], [`identical`] | the other two meanings of "safe", for large files |
//! | [`small`] | all objectives under all meanings as one program, for small files |

mod categories;
mod fewest;
mod identical;
mod importance;
mod lexicographic;
mod record;
mod small;
mod types;
mod wildcard;

pub(crate) use fewest::fewest;
pub use importance::Importance;
pub(crate) use record::least_hitting_set;

use quell_model::Budget;
use rustc_hash::FxHashMap;

use crate::{Combinations, Error, KeySet, Meaning, Microdata, Minucs, Result, safety};

/// What is to be as small as can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// §5: total weight of suppressed values.
    Suppressions,
    /// §6: total weight of categories suppressed in some record.
    Categories,
    /// §7: §5, and of its optima one that affects the *most* categories.
    SuppressionsThenMostCategories,
    /// §7: §5, and of its optima one that affects the fewest categories.
    SuppressionsThenFewestCategories,
    /// §7: §6, and of its optima one with the fewest suppressions.
    CategoriesThenSuppressions,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Self; 5] = [
        Self::Suppressions,
        Self::Categories,
        Self::SuppressionsThenMostCategories,
        Self::SuppressionsThenFewestCategories,
        Self::CategoriesThenSuppressions,
    ];
}

/// The suppressed values: for every record that loses some, which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suppressions {
    records: Vec<u32>,
    sets: Vec<KeySet>,
}

impl Suppressions {
    /// From records and sets of variables; records in any order, each once.
    pub fn new(pairs: impl IntoIterator<Item = (u32, KeySet)>) -> Self {
        let mut pairs: Vec<(u32, KeySet)> =
            pairs.into_iter().filter(|(_, set)| !set.is_empty()).collect();
        pairs.sort_unstable();
        let mut found = Self::default();
        for (record, set) in pairs {
            if found.records.last() == Some(&record) {
                if let Some(last) = found.sets.last_mut() {
                    last.0 |= set.0;
                }
            } else {
                found.records.push(record);
                found.sets.push(set);
            }
        }
        found
    }

    /// Every record with its suppressed variables, rising.
    pub fn iter(&self) -> impl Iterator<Item = (usize, KeySet)> + Clone {
        self.records.iter().zip(&self.sets).map(|(&record, &set)| (record as usize, set))
    }

    /// The suppressed variables of a record.
    pub fn of(&self, record: usize) -> KeySet {
        self.records.binary_search(&(record as u32)).map_or(KeySet::EMPTY, |place| self.sets[place])
    }

    /// Number of suppressed values.
    pub fn count(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    /// Number of records that lose a value.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Total weight of the suppressed values.
    pub fn weight(&self, data: &Microdata, importance: &Importance) -> f64 {
        self.iter()
            .map(|(record, set)| {
                set.iter().map(|key| importance.of(data, record, key)).sum::<f64>()
            })
            .sum()
    }

    /// How often each category of each variable is suppressed: `[variable][code]`.
    pub fn by_category(&self, data: &Microdata) -> Vec<Vec<u64>> {
        let mut counts: Vec<Vec<u64>> =
            data.keys().iter().map(|column| vec![0; column.labels().len()]).collect();
        for (record, set) in self.iter() {
            for key in set.iter() {
                counts[key][data.keys()[key].codes().get(record) as usize] += 1;
            }
        }
        counts
    }

    /// Number of categories that are suppressed in some record.
    pub fn categories(&self, data: &Microdata) -> usize {
        self.by_category(data).iter().flatten().filter(|&&count| count > 0).count()
    }

    /// Total weight of the categories that are suppressed in some record.
    pub fn category_weight(&self, data: &Microdata, importance: &Importance) -> f64 {
        let counts = self.by_category(data);
        let mut weight = 0.0;
        for (key, counts) in counts.iter().enumerate() {
            for (code, &count) in counts.iter().enumerate() {
                if count > 0 {
                    weight += importance.category(key, code as u32);
                }
            }
        }
        weight
    }
}

/// What to do.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The file.
    pub data: &'a Microdata,
    /// What is checked.
    pub combinations: &'a Combinations,
    /// What "safe" means.
    pub meaning: Meaning,
    /// What is to be small.
    pub objective: Objective,
    /// How much each value matters.
    pub importance: &'a Importance,
    /// Variables that a household has in common.
    pub household: KeySet,
}

/// A safe file, and how good it is.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The suppressed values.
    pub suppressions: Suppressions,
    /// Their total weight.
    pub weight: f64,
    /// Total weight of the affected categories.
    pub category_weight: f64,
    /// A bound on the first objective (weight or category weight): no safe file has less.
    pub bound: f64,
    /// Whether all objectives are proved to be at their optimum.
    pub proved: bool,
}

/// Suppresses values so that the file is safe, and verifies that it is.
///
/// *Guarantee*: the released file is safe under the chosen meaning; this is checked by
/// counting it anew. Optimality: for [`Meaning::Static`] always, given time; for the
/// other meanings on small files, elsewhere a good solution.
///
/// # Errors
/// If the request contradicts itself, or the solver fails.
pub fn suppress(request: &Request, budget: &Budget) -> Result<Solution> {
    request.importance.check(request.data)?;
    let check = |suppressions: &Suppressions| {
        safety::violations(request.data, suppressions, request.combinations, request.meaning)
    };
    // Under the static meaning the MINUCs tell; the others would start a search.
    if request.meaning != Meaning::Static && check(&Suppressions::default()).is_empty() {
        return Ok(Solution {
            suppressions: Suppressions::default(),
            weight: 0.0,
            category_weight: 0.0,
            bound: 0.0,
            proved: true,
        });
    }
    let solution = if !request.household.is_empty() {
        crate::household::suppress(request, budget)?
    } else {
        match request.meaning {
            Meaning::Static => {
                let minucs = Minucs::find(request.data, request.combinations);
                suppress_static(
                    request.data,
                    &minucs,
                    request.objective,
                    request.importance,
                    budget,
                )?
            }
            Meaning::Wildcard if small::fits(request) => small::suppress(request, budget)?,
            Meaning::IdenticalTuple if small::fits(request) => small::suppress(request, budget)?,
            Meaning::Wildcard => wildcard::suppress(request, budget)?,
            Meaning::IdenticalTuple => identical::suppress(request, budget)?,
        }
    };
    let violations = check(&solution.suppressions);
    if violations.is_empty() {
        Ok(solution)
    } else {
        Err(Error::Solver(format!(
            "the suppressed file is not safe in {} places; this is a mistake of ours",
            violations.len()
        )))
    }
}

/// Optimal suppression of given MINUCs (dewaal-1998, static meaning).
///
/// # Errors
/// If the solver fails.
pub fn suppress_static(
    data: &Microdata,
    minucs: &Minucs,
    objective: Objective,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    match objective {
        Objective::Suppressions => {
            let suppressions = fewest(data, minucs, importance);
            let weight = suppressions.weight(data, importance);
            Ok(Solution {
                category_weight: suppressions.category_weight(data, importance),
                suppressions,
                weight,
                bound: weight,
                proved: true,
            })
        }
        Objective::Categories => categories::fewest_categories(data, minucs, importance, budget),
        Objective::SuppressionsThenFewestCategories => {
            lexicographic::fewest_categories(data, minucs, importance, budget)
        }
        Objective::SuppressionsThenMostCategories => {
            lexicographic::most_categories(data, minucs, importance, budget)
        }
        Objective::CategoriesThenSuppressions => {
            lexicographic::categories_first(data, minucs, importance, budget)
        }
    }
}

/// All categories of all variables in one numbering.
pub(crate) struct CategoryNumbers {
    offsets: Vec<u32>,
}

impl CategoryNumbers {
    pub(crate) fn new(data: &Microdata) -> Self {
        let mut offsets = vec![0];
        let mut total = 0;
        for column in data.keys() {
            total += column.labels().len() as u32;
            offsets.push(total);
        }
        Self { offsets }
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0) as usize
    }

    pub(crate) fn number(&self, key: usize, code: u32) -> u32 {
        self.offsets[key] + code
    }

    /// Variable and code of a number.
    pub(crate) fn parts(&self, number: u32) -> (usize, u32) {
        let key = self.offsets.partition_point(|&offset| offset <= number) - 1;
        (key, number - self.offsets[key])
    }

    pub(crate) fn weights(&self, importance: &Importance) -> Vec<f64> {
        (0..self.len() as u32)
            .map(|number| {
                let (key, code) = self.parts(number);
                importance.category(key, code)
            })
            .collect()
    }
}

/// A memo of solved records.
pub(crate) type Memo<K> = FxHashMap<K, KeySet>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Threshold};
    use quell_model::Random;

    fn file(random: &mut Random, records: usize) -> Microdata {
        let columns = (0..3)
            .map(|key| {
                let categories = 2 + random.below(3);
                let labels: Vec<String> = (0..records)
                    .map(|_| {
                        let missing = random.chance(0.05);
                        if missing { "?".into() } else { random.below(categories).to_string() }
                    })
                    .collect();
                Column::from_labels(&format!("v{key}"), labels.iter().map(String::as_str), &["?"])
            })
            .collect();
        Microdata::new(columns).unwrap()
    }

    /// The methods for large files, on files small enough to know the truth.
    #[test]
    fn methods_for_large_files_are_safe_and_never_better_than_the_optimum() {
        let (mut exact, mut found) = ([0.0; 2], [0.0; 2]);
        for task in 0..60 {
            let mut random = Random::new(81, task);
            let records = 4 + random.below(5);
            let data = file(&mut random, records);
            let dimension = 1 + random.below(3);
            let combinations =
                Combinations::up_to(3, dimension, Threshold::FewerThan(2 + random.below(2) as u32))
                    .unwrap();
            let importance = Importance::equal().with_keys(vec![1.0, 2.0, 1.0]);
            for (place, meaning) in
                [Meaning::Wildcard, Meaning::IdenticalTuple].into_iter().enumerate()
            {
                let request = Request {
                    data: &data,
                    combinations: &combinations,
                    meaning,
                    objective: Objective::Suppressions,
                    importance: &importance,
                    household: KeySet::EMPTY,
                };
                let budget = Budget::default();
                let truth = small::suppress(&request, &budget).unwrap();
                let own = match meaning {
                    Meaning::Wildcard => wildcard::suppress(&request, &budget),
                    _ => identical::suppress(&request, &budget),
                }
                .unwrap();
                let left = safety::violations(&data, &own.suppressions, &combinations, meaning);
                assert!(left.is_empty(), "task {task}, {meaning:?}: {left:?}");
                assert!(own.weight >= truth.weight - 1e-6, "task {task}, {meaning:?}");
                exact[place] += truth.weight;
                found[place] += own.weight;
            }
        }
        // Not optimal, but of the right size.
        assert!(found[0] <= 1.5 * exact[0], "wildcard {} of {}", found[0], exact[0]);
        assert!(found[1] <= 2.0 * exact[1], "identical {} of {}", found[1], exact[1]);
    }

    /// Without time the methods for large files still end safe.
    #[test]
    fn methods_for_large_files_are_safe_without_time() {
        let data = file(&mut Random::new(82, 0), 300);
        let combinations = Combinations::up_to(3, 3, Threshold::FewerThan(45)).unwrap();
        for meaning in [Meaning::Wildcard, Meaning::IdenticalTuple] {
            let request = Request {
                data: &data,
                combinations: &combinations,
                meaning,
                objective: Objective::Suppressions,
                importance: &Importance::equal(),
                household: KeySet::EMPTY,
            };
            let solution = suppress(&request, &Budget::default().with_work(0)).unwrap();
            assert!(solution.suppressions.count() > 0);
            let solution_with_time = suppress(&request, &Budget::default()).unwrap();
            assert!(solution_with_time.weight <= solution.weight, "{meaning:?}");
        }
    }
}
