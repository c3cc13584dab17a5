//! Statuses, costs and levels that someone sets before protection (τ-ARGUS' `.hst`).

use quell_model::{CellId, NodeId, Protection, Reason, Status};
use thiserror::Error;

use super::Rules;
use super::amounts::percentage;
use super::assess::{Assessment, protection};
use crate::Table;

/// What is known or wanted of some cells beforehand.
#[derive(Debug, Clone, PartialEq)]
pub struct Apriori {
    /// The cell's codes, one per dimension; an empty one is the total.
    pub codes: Vec<String>,
    /// What is said of it.
    pub directive: Directive,
}

/// What an a-priori line says of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Directive {
    /// `S`: it is safe.
    Safe,
    /// `U`: it is unsafe.
    Unsafe,
    /// `P`: it must be published.
    Protected,
    /// `M`: it is suppressed, by hand.
    SuppressedByHand,
    /// `ML`: it is suppressed, as an earlier run decided.
    Suppressed,
    /// `C` or `W`: suppressing it costs this much.
    Cost(f64),
    /// `PL`: these are the protection levels of an unsafe cell, as amounts.
    Levels {
        /// The lower protection level.
        lower: f64,
        /// The upper protection level.
        upper: f64,
    },
}

/// Whether a line is meant for the cells above and below that show the same, because a code
/// has one part only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrivialLevels {
    /// Only the cell itself.
    #[default]
    Apart,
    /// The whole chain of single parts, in every dimension.
    Together,
}

/// Why an a-priori line has no effect. The caller decides whether that is an error.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Refusal {
    /// Not one code a dimension.
    #[error("entry {entry}: found {found} codes, expected {expected}, one for each dimension")]
    WrongCodes {
        /// Position of the entry, from 1.
        entry: usize,
        /// Number of codes.
        found: usize,
        /// Number of dimensions.
        expected: usize,
    },
    /// A code that its dimension does not have.
    #[error("entry {entry}: \"{code}\" is not a code of {dimension}")]
    UnknownCode {
        /// Position of the entry, from 1.
        entry: usize,
        /// The code.
        code: String,
        /// The dimension.
        dimension: String,
    },
    /// A cell without records.
    #[error("entry {entry}: the cell {cell} is empty")]
    Empty {
        /// Position of the entry, from 1.
        entry: usize,
        /// The cell by its codes.
        cell: String,
    },
    /// A status that this one may not follow.
    #[error("entry {entry}: the cell {cell} is {now} and cannot become {wanted}")]
    NotAllowed {
        /// Position of the entry, from 1.
        entry: usize,
        /// The cell by its codes.
        cell: String,
        /// What it is.
        now: &'static str,
        /// What it should become.
        wanted: &'static str,
    },
    /// An amount that is negative or no number.
    #[error(
        "entry {entry}: {amount} is not a cost or protection level; give a number of 0 or more"
    )]
    BadAmount {
        /// Position of the entry, from 1.
        entry: usize,
        /// The amount.
        amount: f64,
    },
}

/// Applies a-priori lines in order to what the rules said of a table and to its costs.
/// Gives the lines that had no effect.
pub fn apply_apriori(
    entries: &[Apriori],
    trivial: TrivialLevels,
    table: &Table,
    rules: &Rules,
    assessments: &mut [Assessment],
    costs: &mut [f64],
) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    for (position, apriori) in entries.iter().enumerate() {
        let outcome = cells_of(position + 1, apriori, trivial, table).and_then(|cells| {
            cells.into_iter().try_for_each(|cell| {
                let target = &mut assessments[cell.index()];
                let cost = &mut costs[cell.index()];
                one(position + 1, apriori.directive, cell, table, rules, target, cost)
            })
        });
        refusals.extend(outcome.err());
    }
    refusals
}

fn one(
    entry: usize,
    directive: Directive,
    cell: CellId,
    table: &Table,
    rules: &Rules,
    assessment: &mut Assessment,
    cost: &mut f64,
) -> Result<(), Refusal> {
    let now = assessment.status;
    let (wanted, status, by_hand, allowed) = match directive {
        Directive::Safe => ("safe", Status::Safe, true, now != Status::Secondary),
        Directive::Unsafe => {
            let allowed = now == Status::Safe || now.is_primary();
            ("unsafe", Status::Primary(Reason::Manual), true, allowed)
        }
        Directive::Protected => ("protected", Status::Protected, true, now == Status::Safe),
        Directive::SuppressedByHand => ("suppressed", Status::Secondary, true, now == Status::Safe),
        Directive::Suppressed => ("suppressed", Status::Secondary, false, now == Status::Safe),
        Directive::Cost(amount) => {
            if !(amount >= 0.0 && amount.is_finite()) {
                return Err(Refusal::BadAmount { entry, amount });
            }
            // A cost of nothing would make any cell a free secondary: τ-ARGUS takes 1.
            *cost = if amount == 0.0 { 1.0 } else { amount };
            return Ok(());
        }
        Directive::Levels { lower, upper } => {
            let units = |amount: f64| {
                let good = amount >= 0.0;
                let value = table.decimals.round(amount).ok().filter(|_| good);
                value.ok_or(Refusal::BadAmount { entry, amount })
            };
            let levels = Protection { lower: units(lower)?, upper: units(upper)?, sliding: 0 };
            if !now.is_primary() {
                let cell = table.cell_name(cell);
                let wanted = "given protection levels, which only unsafe cells have";
                return Err(Refusal::NotAllowed { entry, cell, now: name(now), wanted });
            }
            assessment.protection = levels;
            return Ok(());
        }
    };
    if !allowed {
        let cell = table.cell_name(cell);
        return Err(Refusal::NotAllowed { entry, cell, now: name(now), wanted });
    }
    assessment.status = status;
    assessment.by_hand = by_hand;
    assessment.protection = match status {
        Status::Primary(_) => {
            let value = table.value(cell);
            protection(percentage(rules.manual_margin, value), value, table.decimals, rules)
        }
        _ => Protection::default(),
    };
    Ok(())
}

fn name(status: Status) -> &'static str {
    match status {
        Status::Safe => "safe",
        Status::Protected => "protected",
        Status::Primary(_) => "unsafe",
        Status::Secondary => "suppressed",
    }
}

fn cells_of(
    entry: usize,
    apriori: &Apriori,
    trivial: TrivialLevels,
    table: &Table,
) -> Result<Vec<CellId>, Refusal> {
    let (found, expected) = (apriori.codes.len(), table.dimensions().len());
    if found != expected {
        return Err(Refusal::WrongCodes { entry, found, expected });
    }
    let mut combinations: Vec<Vec<NodeId>> = vec![Vec::new()];
    for (code, dimension) in apriori.codes.iter().zip(table.dimensions()) {
        let hierarchy = &dimension.hierarchy;
        let mut codes = hierarchy.codes().iter();
        let node = if code.trim().is_empty() {
            0
        } else {
            let exact = codes.clone().position(|own| own == code);
            let trimmed = || codes.position(|own| own.trim() == code.trim());
            exact.or_else(trimmed).ok_or_else(|| Refusal::UnknownCode {
                entry,
                code: code.clone(),
                dimension: dimension.name.clone(),
            })? as NodeId
        };
        let nodes = match trivial {
            TrivialLevels::Apart => vec![node],
            TrivialLevels::Together => chain(hierarchy, node),
        };
        combinations = combinations
            .iter()
            .flat_map(|start| {
                nodes.iter().map(|&node| start.iter().copied().chain([node]).collect())
            })
            .collect();
    }
    let cells: Vec<CellId> =
        combinations.iter().filter_map(|coordinates| table.cube.find(coordinates)).collect();
    if cells.is_empty() {
        return Err(Refusal::Empty { entry, cell: apriori.codes.join(" × ") });
    }
    Ok(cells)
}

/// A code with all codes that are the same sum through single parts.
fn chain(hierarchy: &quell_model::Hierarchy, node: NodeId) -> Vec<NodeId> {
    let mut chain = vec![node];
    let mut next = 0;
    while let Some(&current) = chain.get(next) {
        next += 1;
        let above = hierarchy.part_of(current).iter();
        for &sum in above.chain(hierarchy.total_of(current)) {
            let sum = &hierarchy.sums()[sum as usize];
            if let [part] = sum.parts[..] {
                for other in [part, sum.total] {
                    if !chain.contains(&other) {
                        chain.push(other);
                    }
                }
            }
        }
    }
    chain
}
