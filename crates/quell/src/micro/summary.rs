//! What is found in records and done to them, as values that can be serialised.

use quell_micro::{Combination, Microdata, Minucs, Solution};
use serde::Serialize;

/// One combination of variables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CombinationSummary {
    /// The variables.
    pub variables: Vec<String>,
    /// The smallest frequency that is safe.
    pub minimum: u32,
    /// Different minimum unsafe combinations of values.
    pub minucs: u64,
    /// Records with one of them.
    pub records: u64,
}

/// One variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableSummary {
    /// Its name.
    pub name: String,
    /// Its categories.
    pub categories: u32,
    /// Records with an unsafe combination that has the variable.
    pub risky_records: u64,
}

/// The unsafe combinations of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskSummary {
    /// Records in the file.
    pub records: usize,
    /// Records with an unsafe combination.
    pub risky_records: usize,
    /// Minimum unsafe combinations, counted in every record.
    pub minuc_occurrences: u64,
    /// By variable.
    pub variables: Vec<VariableSummary>,
    /// By combination; only those with MINUCs.
    pub combinations: Vec<CombinationSummary>,
}

/// Names of a combination's variables.
pub fn names(data: &Microdata, combination: Combination) -> Vec<String> {
    combination.keys.iter().map(|key| data.keys()[key].name().to_owned()).collect()
}

impl RiskSummary {
    /// The summary of a file.
    pub fn new(data: &Microdata, minucs: &Minucs) -> Self {
        let mut by_key = vec![0; data.keys().len()];
        let mut uses = vec![0_u64; minucs.signatures()];
        for position in 0..minucs.records().len() {
            uses[minucs.signature_of(position)] += 1;
        }
        for (signature, &uses) in uses.iter().enumerate() {
            for (key, count) in by_key.iter_mut().enumerate() {
                if minucs.sets(signature).any(|set| set.contains(key)) {
                    *count += uses;
                }
            }
        }
        Self {
            records: data.records(),
            risky_records: minucs.records().len(),
            minuc_occurrences: minucs.occurrences(),
            variables: data
                .keys()
                .iter()
                .zip(by_key)
                .map(|(column, risky_records)| VariableSummary {
                    name: column.name().to_owned(),
                    categories: column.categories(),
                    risky_records,
                })
                .collect(),
            combinations: minucs
                .combinations()
                .iter()
                .filter(|risk| risk.minucs > 0)
                .map(|risk| CombinationSummary {
                    variables: names(data, risk.combination),
                    minimum: risk.combination.minimum,
                    minucs: risk.minucs,
                    records: risk.records,
                })
                .collect(),
        }
    }
}

/// All variables together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UniquesSummary {
    /// The smallest number of records that look alike.
    pub k_anonymity: u32,
    /// Records that nobody looks like.
    pub sample_uniques: usize,
    /// How many of these are expected to be alone in the population, if there are weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_population_uniques: Option<f64>,
    /// Records that an intruder is expected to link to the right person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_correct_links: Option<f64>,
    /// The largest chance of one record to be linked to the right person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_individual_risk: Option<f64>,
}

/// One sensitive variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SensitiveSummary {
    /// Its name.
    pub variable: String,
    /// Distinct l-diversity.
    pub distinct_l: usize,
    /// Entropy l-diversity.
    pub entropy_l: f64,
    /// The c of recursive (c, 2)-diversity; none if some class has one value only.
    pub recursive_c: Option<f64>,
    /// t-closeness, all values equally far.
    pub t_equal: f64,
    /// t-closeness, values in their order.
    pub t_ordered: f64,
}

/// Special uniques.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SudaSummary {
    /// Minimal sample uniques by number of variables, from 1.
    pub minimal_uniques_by_size: Vec<u64>,
    /// Records with one.
    pub records_with_score: usize,
    /// The largest SUDA score.
    pub largest_score: f64,
    /// The largest DIS score.
    pub largest_dis: f64,
    /// By variable: its share of all scores.
    pub contributions: Vec<(String, f64)>,
}

/// One suppressed category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategorySummary {
    /// The variable.
    pub variable: String,
    /// The code.
    pub code: String,
    /// Records that have it.
    pub records: u64,
    /// Records in which it is suppressed.
    pub suppressed: u64,
}

/// What was suppressed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuppressionSummary {
    /// Suppressed values.
    pub suppressions: usize,
    /// Records that lose a value.
    pub records: usize,
    /// Categories suppressed in some record.
    pub categories: usize,
    /// Total weight of the suppressed values.
    pub weight: f64,
    /// Total weight of the affected categories.
    pub category_weight: f64,
    /// No safe file has less of the first objective.
    pub bound: f64,
    /// Whether the optimum is proved.
    pub proved: bool,
    /// By variable: suppressed values.
    pub by_variable: Vec<(String, u64)>,
    /// By category; only those suppressed.
    pub by_category: Vec<CategorySummary>,
}

impl SuppressionSummary {
    /// The summary of a solution.
    pub fn new(data: &Microdata, solution: &Solution) -> Self {
        let suppressions = &solution.suppressions;
        let counts = suppressions.by_category(data);
        let mut by_category = Vec::new();
        for (column, counts) in data.keys().iter().zip(&counts) {
            let frequencies = column.frequencies();
            for (code, &suppressed) in counts.iter().enumerate() {
                if suppressed > 0 {
                    by_category.push(CategorySummary {
                        variable: column.name().to_owned(),
                        code: column.labels()[code].clone(),
                        records: frequencies[code],
                        suppressed,
                    });
                }
            }
        }
        Self {
            suppressions: suppressions.count(),
            records: suppressions.records(),
            categories: by_category.len(),
            weight: solution.weight,
            category_weight: solution.category_weight,
            bound: solution.bound,
            proved: solution.proved,
            by_variable: data
                .keys()
                .iter()
                .zip(&counts)
                .map(|(column, counts)| (column.name().to_owned(), counts.iter().sum()))
                .collect(),
            by_category,
        }
    }
}

/// What recoding did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecodingSummary {
    /// By variable: name, categories before and after, level chosen, levels there are.
    pub variables: Vec<RecodedVariable>,
    /// Loss by recoding.
    pub coding_loss: f64,
    /// Loss by suppression.
    pub suppression_loss: f64,
    /// No choice loses less.
    pub bound: f64,
    /// Whether the choice is proved to be best.
    pub proved: bool,
    /// Choices counted, of how many.
    pub evaluated: usize,
    /// Choices there are.
    pub choices: f64,
}

/// One variable's recoding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecodedVariable {
    /// Its name.
    pub name: String,
    /// Categories in the file as read.
    pub categories_before: u32,
    /// Categories released.
    pub categories_after: u32,
    /// Level chosen, 0 for the finest.
    pub level: usize,
    /// Levels there are.
    pub levels: usize,
}
