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

use std::time::{Duration, Instant};

use quell_model::{Budget, Progress};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::stop_check::StopCheck;
use crate::{Combinations, Error, KeySet, Meaning, Microdata, Minucs, Result, safety};

/// What is to be as small as can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// §5: total weight of suppressed values.
    #[default]
    Suppressions,
    /// §6: total weight of categories suppressed in some record.
    Categories,
    /// §7: §5, and of its optima one that affects the *most* categories.
    #[serde(rename = "suppressions-spread")]
    SuppressionsThenMostCategories,
    /// §7: §5, and of its optima one that affects the fewest categories.
    #[serde(rename = "suppressions-categories")]
    SuppressionsThenFewestCategories,
    /// §7: §6, and of its optima one with the fewest suppressions.
    #[serde(rename = "categories-suppressions")]
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

    /// Its name on the command line and in jobs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suppressions => "suppressions",
            Self::Categories => "categories",
            Self::SuppressionsThenMostCategories => "suppressions-spread",
            Self::SuppressionsThenFewestCategories => "suppressions-categories",
            Self::CategoriesThenSuppressions => "categories-suppressions",
        }
    }
}

impl std::str::FromStr for Objective {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::error::named(text, "objective", &Self::ALL, |objective| objective.name())
    }
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

impl Solution {
    /// Nothing is suppressed, and nothing need be.
    fn nothing() -> Self {
        Self {
            suppressions: Suppressions::default(),
            weight: 0.0,
            category_weight: 0.0,
            bound: 0.0,
            proved: true,
        }
    }
}

/// How much of the time left may be kept back for verifying, at most.
const MOST_KEPT_BACK: u32 = 2;

/// The budget of a search that leaves time to verify what it finds: counting once more takes
/// about as long as it took first, and some time is lost to writing tables anew.
pub(crate) fn leaving_time_to_verify(budget: &Budget, counting: Duration) -> Budget {
    let most = budget.time_left().unwrap_or_default() / MOST_KEPT_BACK;
    budget.keeping_back((2 * counting).min(most), 0)
}

/// Suppresses values so that the file is safe, and verifies that it is.
///
/// *Guarantee*: the released file is safe under the chosen meaning; this is checked by
/// counting it anew. Optimality: for [`Meaning::Static`] always, given time; for the
/// other meanings on small files, elsewhere a good solution. Cancelled or out of time, it is
/// the best safe solution that is known by then; `proved` tells.
///
/// # Errors
/// If the request contradicts itself, the solver fails, or with [`Error::Stopped`] if the
/// budget is spent before a safe solution is known and verified.
pub fn suppress(request: &Request, budget: &Budget, progress: &dyn Progress) -> Result<Solution> {
    suppress_within(request, budget, budget, progress)
}

/// [`suppress`] with a budget for the search, and one for verifying what it finds: whoever ends
/// the search may still want its result.
///
/// # Errors
/// As [`suppress`].
pub fn suppress_within(
    request: &Request,
    budget: &Budget,
    verification: &Budget,
    progress: &dyn Progress,
) -> Result<Solution> {
    request.importance.check(request.data)?;
    let (data, combinations, meaning) = (request.data, request.combinations, request.meaning);
    let mut search = budget.clone();
    // Under the static meaning the MINUCs tell; the others would start a search.
    if meaning != Meaning::Static {
        let (none, began) = (Suppressions::default(), Instant::now());
        let found = safety::violations(data, &none, combinations, meaning, budget, progress)?;
        if found.is_empty() {
            return Ok(Solution::nothing());
        }
        search = leaving_time_to_verify(budget, began.elapsed());
    }
    let solution = if request.household.is_empty() {
        alone(request, &search, progress)?
    } else {
        crate::household::suppress(request, &search, progress)?
    };
    let found = &solution.suppressions;
    safety::verify(data, found, combinations, meaning, verification, progress)?;
    Ok(solution)
}

/// Suppression where nobody has values in common.
fn alone(request: &Request, budget: &Budget, progress: &dyn Progress) -> Result<Solution> {
    let Request { data, combinations, objective, importance, .. } = *request;
    if request.meaning == Meaning::Static {
        let began = Instant::now();
        let minucs = Minucs::find(data, combinations, budget, progress)?;
        let search = leaving_time_to_verify(budget, began.elapsed());
        progress.stage("choosing what to suppress", None);
        return suppress_static(data, &minucs, objective, importance, &search);
    }
    progress.stage("choosing what to suppress", None);
    if small::fits(request) {
        match small::suppress(request, budget) {
            Err(Error::Stopped(_)) => {}
            found => return found,
        }
    }
    match request.meaning {
        Meaning::Wildcard => wildcard::suppress(request, budget),
        _ => identical::suppress(request, budget),
    }
}

/// Optimal suppression of given MINUCs (dewaal-1998, static meaning); out of budget a safe
/// one, record by record if there is nothing better.
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
    let found = match objective {
        Objective::Suppressions => Ok(record_by_record(data, minucs, importance, budget)),
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
    };
    match found {
        Err(Error::Stopped(_)) => {
            let found = record_by_record(data, minucs, importance, budget);
            // Whatever it is the optimum of, it is not what was asked for.
            Ok(Solution { bound: 0.0, proved: false, ..found })
        }
        found => found,
    }
}

/// §5.
fn record_by_record(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Solution {
    let stop = StopCheck::silent(budget);
    let suppressions = fewest(data, minucs, importance, &stop);
    let weight = suppressions.weight(data, importance);
    let proved = !stop.has_stopped();
    Solution {
        category_weight: suppressions.category_weight(data, importance),
        suppressions,
        weight,
        bound: if proved { weight } else { 0.0 },
        proved,
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
    use quell_model::{Random, Silent};

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
                let suppressed = &own.suppressions;
                let left =
                    safety::violations(&data, suppressed, &combinations, meaning, &budget, &Silent)
                        .unwrap();
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
            let without = Budget::default().with_work(0);
            let solution = suppress(&request, &without, &Silent).unwrap();
            assert!(solution.suppressions.count() > 0);
            let solution_with_time = suppress(&request, &Budget::default(), &Silent).unwrap();
            assert!(solution_with_time.weight <= solution.weight, "{meaning:?}");
        }
    }
}
