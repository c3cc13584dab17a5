//! What is told about a file: text for people, JSON for programs.

use quell_micro::{Combination, Microdata, Minucs, Suppressions};
use serde::Serialize;

use crate::output;

/// One combination of variables.
#[derive(Debug, Serialize)]
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
#[derive(Debug, Serialize)]
pub struct VariableSummary {
    /// Its name.
    pub name: String,
    /// Its categories.
    pub categories: u32,
    /// Records with an unsafe combination that has the variable.
    pub risky_records: u64,
}

/// The unsafe combinations of a file.
#[derive(Debug, Serialize)]
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

    /// Prints the summary, the riskiest combinations first.
    pub fn print(&self) {
        output::line(format_args!(
            "{} of {} records have an unsafe combination; {} minimum unsafe combinations in all",
            self.risky_records, self.records, self.minuc_occurrences
        ));
        output::line(format_args!("{:<24}{:>12}{:>16}", "variable", "categories", "risky records"));
        for variable in &self.variables {
            output::line(format_args!(
                "{:<24}{:>12}{:>16}",
                variable.name, variable.categories, variable.risky_records
            ));
        }
        let mut order: Vec<&CombinationSummary> = self.combinations.iter().collect();
        order.sort_by_key(|combination| std::cmp::Reverse(combination.records));
        if order.is_empty() {
            return;
        }
        output::line(format_args!(
            "{:<40}{:>8}{:>12}{:>12}",
            "combination", "minimum", "MINUCs", "records"
        ));
        for combination in order.iter().take(SHOWN) {
            output::line(format_args!(
                "{:<40}{:>8}{:>12}{:>12}",
                combination.variables.join(" × "),
                combination.minimum,
                combination.minucs,
                combination.records
            ));
        }
        if order.len() > SHOWN {
            output::line(format_args!(
                "and {} more combinations; --json has them all",
                order.len() - SHOWN
            ));
        }
    }
}

/// Combinations that are printed.
const SHOWN: usize = 15;

/// One suppressed category.
#[derive(Debug, Serialize)]
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
#[derive(Debug, Serialize)]
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
    /// The summary of suppressions.
    pub fn new(
        data: &Microdata,
        suppressions: &Suppressions,
        weight: f64,
        category_weight: f64,
        bound: f64,
        proved: bool,
    ) -> Self {
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
            weight,
            category_weight,
            bound,
            proved,
            by_variable: data
                .keys()
                .iter()
                .zip(&counts)
                .map(|(column, counts)| (column.name().to_owned(), counts.iter().sum()))
                .collect(),
            by_category,
        }
    }

    /// Prints the summary.
    pub fn print(&self) {
        output::line(format_args!(
            "{} values suppressed in {} records, {} categories affected; {}",
            self.suppressions,
            self.records,
            self.categories,
            if self.proved { "proved optimal" } else { "not proved optimal" }
        ));
        for (name, count) in &self.by_variable {
            output::line(format_args!("{name:<24}{count:>12}"));
        }
    }
}
