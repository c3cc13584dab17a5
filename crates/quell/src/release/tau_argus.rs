//! A table in the shape that the formats of τ-ARGUS are written from.

use quell_formats::argus::CellStatus;
use quell_formats::argus::arb::WriteOptions;
use quell_formats::argus::output::{CostName, OutputCell, OutputDimension, OutputTable, Values};
use quell_model::{CellId, NodeId, Reason, Status, Value};
use quell_tabulate::{Assessment, Attribution, Table};

use super::Statuses;
use crate::pipeline::Decided;

/// Whether a file may tell the values of hidden cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenValues {
    /// For the office.
    Told,
    /// For everyone.
    Left,
}

/// A table with what is decided of its cells.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The table.
    pub table: &'a Table,
    /// What rules and costs say.
    pub decided: &'a Decided,
    /// The status of each cell after protection.
    pub statuses: Vec<Status>,
    /// What is told of them.
    pub told: Statuses,
    /// What costs are called.
    pub cost: CostName,
    /// The codes of each dimension that mean "not known".
    pub missing: Vec<Vec<String>>,
    /// Whether a p% rule was used.
    pub p_percent: bool,
}

impl Shown<'_> {
    /// The table as the writers take it.
    pub fn output_table(&self, hidden: HiddenValues, options: WriteOptions) -> OutputTable {
        let mut dimensions = Vec::new();
        let mut places: Vec<Vec<u32>> = Vec::new();
        for (dimension, missing) in self.table.dimensions().iter().zip(&self.missing) {
            let (mut shown, nodes) = OutputDimension::of(&dimension.name, &dimension.hierarchy);
            shown.missing.clone_from(missing);
            let mut place = vec![0; dimension.hierarchy.len()];
            for (position, node) in nodes.into_iter().enumerate() {
                place[node as usize] = position as u32;
            }
            dimensions.push(shown);
            places.push(place);
        }
        let cells = 0..self.table.cells.len();
        OutputTable {
            dimensions,
            response: match &self.table.response {
                quell_tabulate::Response::Variable(name) => Some(name.clone()),
                quell_tabulate::Response::Frequency => None,
            },
            cost: self.cost.clone(),
            decimals: self.table.decimals,
            values: Values::Suppressed,
            p_percent: self.p_percent,
            cells: cells.map(|cell| self.cell(cell, &places, hidden, options)).collect(),
        }
    }

    fn cell(
        &self,
        cell: usize,
        places: &[Vec<u32>],
        hidden: HiddenValues,
        options: WriteOptions,
    ) -> OutputCell {
        let summary = &self.table.cells[cell];
        let contributors = match (&summary.holdings, options.holding) {
            (Some(holdings), true) => holdings.as_ref(),
            _ => &summary.respondents,
        };
        let protection = self.decided.assessments[cell].protection;
        let id = CellId::from_index(cell);
        let node = |dimension: usize| -> NodeId { self.table.cube.coordinate(id, dimension) };
        let at =
            places.iter().enumerate().map(|(dimension, place)| place[node(dimension) as usize]);
        let told = hidden == HiddenValues::Told || !self.statuses[cell].is_suppressed();
        OutputCell {
            at: at.collect(),
            status: self.status(cell),
            value: told.then(|| self.table.value(id)),
            released: None,
            frequency: u32::try_from(contributors.count).unwrap_or(u32::MAX),
            shadow: self.rescaled(contributors.size),
            cost: self.decided.costs[cell],
            tops: contributors
                .top
                .entries()
                .iter()
                .take(self.most_tops())
                .map(|entry| self.rescaled(entry.value))
                .collect(),
            lower: protection.lower,
            upper: protection.upper,
            audit: None,
        }
    }

    /// How many of the largest contributions are told: those that rules look at, of a table made
    /// of records, and all of those that are given.
    fn most_tops(&self) -> usize {
        match self.table.attribution {
            Attribution::Named => self.decided.rules.top_needed(),
            Attribution::Counted | Attribution::Unknown => usize::MAX,
        }
    }

    /// An amount of the shadow variable in the decimals of the table.
    fn rescaled(&self, amount: Value) -> Value {
        let (own, shown) = (self.table.shadow_decimals.scale(), self.table.decimals.scale());
        if own > shown { amount / (own / shown) } else { amount.saturating_mul(shown / own) }
    }

    /// τ-ARGUS' status of a cell; the same one for all that are hidden, if no more is told.
    fn status(&self, cell: usize) -> CellStatus {
        if self.told == Statuses::Hidden {
            return match self.statuses[cell] {
                status if status.is_suppressed() => CellStatus::Secondary,
                _ if self.table.cells[cell].respondents.count == 0 => CellStatus::Empty,
                _ => CellStatus::Safe,
            };
        }
        let Assessment { by_hand, status: before, .. } = self.decided.assessments[cell];
        match self.statuses[cell] {
            Status::Primary(_) if by_hand && before == Status::Secondary => {
                CellStatus::SecondaryManual
            }
            Status::Safe if by_hand => CellStatus::SafeManual,
            Status::Safe => CellStatus::Safe,
            Status::Protected if self.table.cells[cell].respondents.count == 0 => CellStatus::Empty,
            Status::Protected => CellStatus::Protected,
            Status::Secondary if by_hand => CellStatus::SecondaryManual,
            Status::Secondary => CellStatus::Secondary,
            Status::Primary(Reason::Dominance | Reason::PPercent) => CellStatus::UnsafeRule,
            Status::Primary(Reason::Request) => CellStatus::UnsafeRequest,
            Status::Primary(Reason::Frequency) => CellStatus::UnsafeFrequency,
            Status::Primary(Reason::Zero) => CellStatus::UnsafeZero,
            Status::Primary(Reason::Given | Reason::Manual) => CellStatus::UnsafeManual,
        }
    }
}
