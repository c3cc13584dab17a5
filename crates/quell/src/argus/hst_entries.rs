//! The entries of an a-priori file in the words of the rules.

use quell_formats::argus::CellStatus;
use quell_formats::argus::hst::{self, Change};
use quell_tabulate::{Apriori, Directive};

/// The entries that change something; a status no file can give is left out.
pub fn entries(lines: &[hst::Apriori]) -> Vec<Apriori> {
    let entry = |line: &hst::Apriori| {
        let directive = match line.change {
            Change::Status(CellStatus::SafeManual) => Directive::Safe,
            Change::Status(CellStatus::UnsafeManual) => Directive::Unsafe,
            Change::Status(CellStatus::Protected) => Directive::Protected,
            Change::Status(CellStatus::SecondaryManual) => Directive::SuppressedByHand,
            Change::Status(CellStatus::Secondary) => Directive::Suppressed,
            Change::Status(_) => return None,
            Change::Cost(cost) => Directive::Cost(cost),
            Change::Levels { lower, upper } => {
                Directive::Levels { lower: lower.to_f64(), upper: upper.to_f64() }
            }
        };
        Some(Apriori { codes: line.codes.clone(), directive })
    };
    lines.iter().filter_map(entry).collect()
}
