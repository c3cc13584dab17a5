//! What is said to people about records: lines of text.

use std::fmt::Write;

use super::recode::Recoded;
use super::risk::Risk;
use super::summary::{CombinationSummary, RiskSummary, SuppressionSummary};
use super::suppress::Suppressed;
use super::verify::Verdict;
use crate::text::counted;

/// Combinations that are listed.
const LISTED: usize = 15;

/// Adds a line.
macro_rules! line {
    ($text:expr, $($format:tt)*) => {{
        // Writing into a string cannot fail.
        let _ = writeln!($text, $($format)*);
    }};
}

/// How many records are at risk.
fn unsafe_records(risky: usize, all: usize) -> String {
    let have = if risky == 1 { "has" } else { "have" };
    format!("{risky} of {} {have} an unsafe combination", counted(all, "record"))
}

impl RiskSummary {
    /// The unsafe combinations, the riskiest first.
    pub fn text(&self) -> String {
        let mut text = String::new();
        line!(
            text,
            "{}; {} in all",
            unsafe_records(self.risky_records, self.records),
            counted(self.minuc_occurrences as usize, "minimum unsafe combination")
        );
        line!(text, "{:<24}{:>12}{:>16}", "variable", "categories", "risky records");
        for variable in &self.variables {
            let (name, categories) = (&variable.name, variable.categories);
            line!(text, "{name:<24}{categories:>12}{:>16}", variable.risky_records);
        }
        self.list_combinations(&mut text);
        text.trim_end().to_owned()
    }

    fn list_combinations(&self, text: &mut String) {
        let mut order: Vec<&CombinationSummary> = self.combinations.iter().collect();
        order.sort_by_key(|combination| std::cmp::Reverse(combination.records));
        if order.is_empty() {
            return;
        }
        line!(text, "{:<40}{:>8}{:>12}{:>12}", "combination", "minimum", "MINUCs", "records");
        for combination in order.iter().take(LISTED) {
            line!(
                text,
                "{:<40}{:>8}{:>12}{:>12}",
                combination.variables.join(" × "),
                combination.minimum,
                combination.minucs,
                combination.records
            );
        }
        if order.len() > LISTED {
            line!(text, "and {} more combinations; --json has them all", order.len() - LISTED);
        }
    }
}

impl Risk {
    /// What was found.
    pub fn text(&self) -> String {
        let mut text = self.summary.text() + "\n";
        let uniques = &self.uniques;
        line!(
            text,
            "all variables together: {}-anonymous, {} records alone in the file",
            uniques.k_anonymity,
            uniques.sample_uniques
        );
        if let (Some(population), Some(links), Some(largest)) = (
            uniques.expected_population_uniques,
            uniques.expected_correct_links,
            uniques.largest_individual_risk,
        ) {
            line!(
                text,
                "expected: {population:.1} alone in the population, {links:.1} correct links; \
                 largest individual risk {largest:.4}"
            );
        }
        for sensitive in &self.sensitive {
            line!(
                text,
                "{}: {} distinct values at least, entropy l {:.2}, t {:.3} (ordered {:.3})",
                sensitive.variable,
                sensitive.distinct_l,
                sensitive.entropy_l,
                sensitive.t_equal,
                sensitive.t_ordered
            );
        }
        if let Some(suda) = &self.suda {
            line!(
                text,
                "SUDA: {} records score, at most {}; DIS at most {:.4}; minimal uniques by size {:?}",
                suda.records_with_score,
                suda.largest_score,
                suda.largest_dis,
                suda.minimal_uniques_by_size
            );
        }
        text.trim_end().to_owned()
    }
}

impl SuppressionSummary {
    /// What was suppressed, by variable.
    pub fn text(&self) -> String {
        let mut text = String::new();
        line!(
            text,
            "{} suppressed in {}, {} affected; {}",
            counted(self.suppressions, "value"),
            counted(self.records, "record"),
            counted(self.categories, "category"),
            if self.proved { "proved optimal" } else { "not proved optimal" }
        );
        for (name, count) in &self.by_variable {
            line!(text, "{name:<24}{count:>12}");
        }
        text.trim_end().to_owned()
    }
}

impl Suppressed {
    /// What was done.
    pub fn text(&self) -> String {
        format!(
            "{}\n{}",
            unsafe_records(self.before.risky_records, self.before.records),
            self.suppression.text()
        )
    }
}

impl Recoded {
    /// What was done.
    pub fn text(&self) -> String {
        let mut text = String::new();
        line!(
            text,
            "{} before recoding",
            unsafe_records(self.before.risky_records, self.before.records)
        );
        line!(text, "{:<24}{:>10}{:>10}{:>12}", "variable", "before", "after", "level");
        for variable in &self.recoding.variables {
            line!(
                text,
                "{:<24}{:>10}{:>10}{:>12}",
                variable.name,
                variable.categories_before,
                variable.categories_after,
                format!("{} of {}", variable.level, variable.levels - 1)
            );
        }
        line!(
            text,
            "loss {:.1} by recoding and {:.1} by suppression; {} ({} of {} choices counted)",
            self.recoding.coding_loss,
            self.recoding.suppression_loss,
            if self.recoding.proved { "proved least" } else { "not proved least" },
            self.recoding.evaluated,
            self.recoding.choices
        );
        text + &self.suppression.text()
    }
}

impl Verdict {
    /// What was found.
    pub fn text(&self) -> String {
        if self.safe {
            let are = if self.suppressions == 1 { "is" } else { "are" };
            return format!("safe; {} {are} hidden", counted(self.suppressions, "value"));
        }
        let mut text = String::new();
        line!(text, "not safe: {}", counted(self.violations, "unsafe combination"));
        for place in &self.shown {
            line!(
                text,
                "record {}: {} occurs fewer than {} times",
                place.record,
                place.variables.join(" × "),
                place.minimum
            );
        }
        text.trim_end().to_owned()
    }
}
