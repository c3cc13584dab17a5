//! Validation that reports every fault with its place, not only the first.

use thiserror::Error;

use crate::{CellId, EquationId, Problem, Value};

/// One thing that is wrong with a [`Problem`]. Amounts are in the table's units.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Fault {
    /// The values of an equation do not add up.
    #[error("{equation} does not add up: its sum differs by {difference} units")]
    NotAdditive {
        /// Which equation.
        equation: EquationId,
        /// `Σ M a − b`.
        difference: i128,
    },
    /// A value outside the attacker's prior bounds: the attacker's system is contradictory.
    #[error("{cell}: value {value} is outside its bounds {lower}..{upper} (in units)")]
    OutsideBounds {
        /// Which cell.
        cell: CellId,
        /// Its value.
        value: Value,
        /// Its lower bound.
        lower: Value,
        /// Its upper bound.
        upper: Value,
    },
    /// A negative protection level.
    #[error("{cell}: a protection level is negative")]
    NegativeLevel {
        /// Which cell.
        cell: CellId,
    },
    /// A primary cell whose protection reaches beyond what its bounds allow: no pattern
    /// can ever protect it.
    #[error("{cell}: its protection levels reach beyond its bounds, so nothing can protect it")]
    BeyondBounds {
        /// Which cell.
        cell: CellId,
    },
    /// A weight that is negative or not a number.
    #[error("{cell}: weight {weight} is not a cost")]
    BadWeight {
        /// Which cell.
        cell: CellId,
        /// Its weight.
        weight: f64,
    },
    /// An equation without cells and a constant other than zero, or none at all.
    #[error("{equation} has no cells")]
    EmptyEquation {
        /// Which equation.
        equation: EquationId,
    },
}

impl Fault {
    /// Whether work can go on in spite of it. A primary that cannot be protected is
    /// something the audit reports, not a reason to refuse the table.
    pub fn is_warning(&self) -> bool {
        matches!(self, Self::BeyondBounds { .. })
    }

    /// The fault in the words of its table: names of cells, amounts with decimals.
    pub fn describe(&self, problem: &Problem) -> String {
        let decimals = problem.decimals();
        match *self {
            Self::NotAdditive { equation, difference } => {
                let first = problem.system().cells_of(equation).next();
                let of = first.map(|(cell, _)| format!(" (of {})", problem.cell_name(cell)));
                let amount = i64::try_from(difference)
                    .map_or_else(|_| difference.to_string(), |units| decimals.format(units));
                format!("{equation}{} does not add up: off by {amount}", of.unwrap_or_default())
            }
            Self::OutsideBounds { cell, value, lower, upper } => format!(
                "{}: value {} is outside its bounds {}..{}",
                problem.cell_name(cell),
                decimals.format(value),
                decimals.format(lower),
                decimals.format(upper)
            ),
            Self::NegativeLevel { cell } => {
                format!("{}: a protection level is negative", problem.cell_name(cell))
            }
            Self::BeyondBounds { cell } => format!(
                "{}: its protection levels reach beyond its bounds, so nothing can protect it",
                problem.cell_name(cell)
            ),
            Self::BadWeight { cell, weight } => {
                format!("{}: weight {weight} is not a cost", problem.cell_name(cell))
            }
            Self::EmptyEquation { equation } => format!("{equation} has no cells"),
        }
    }
}

pub(crate) fn faults(problem: &Problem) -> Vec<Fault> {
    let system = problem.system();
    let mut faults = Vec::new();
    for id in system.cells() {
        let cell = problem.cell(id);
        if cell.value < cell.lower_bound || cell.value > cell.upper_bound {
            faults.push(Fault::OutsideBounds {
                cell: id,
                value: cell.value,
                lower: cell.lower_bound,
                upper: cell.upper_bound,
            });
        }
        let levels = cell.protection;
        if levels.lower < 0 || levels.upper < 0 || levels.sliding < 0 {
            faults.push(Fault::NegativeLevel { cell: id });
        }
        let (down, up) = (problem.room_down(id), problem.room_up(id));
        let beyond =
            levels.lower > down || levels.upper > up || levels.sliding > down.saturating_add(up);
        if cell.status.is_primary() && beyond {
            faults.push(Fault::BeyondBounds { cell: id });
        }
        if !(cell.weight >= 0.0 && cell.weight.is_finite()) {
            faults.push(Fault::BadWeight { cell: id, weight: cell.weight });
        }
    }
    for equation in system.equations() {
        let difference = system.imbalance(equation, problem.values());
        if difference != 0 {
            faults.push(Fault::NotAdditive { equation, difference });
        } else if system.cells_of(equation).len() == 0 {
            faults.push(Fault::EmptyEquation { equation });
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Decimals, Labels, Protection, Reason, Status, SystemBuilder};

    #[test]
    fn every_fault_is_reported_with_its_place() {
        let cell = |value, status, upper: Value| Cell {
            value,
            weight: 1.0,
            status,
            lower_bound: 0,
            upper_bound: 100,
            protection: Protection { lower: 1, upper, sliding: 0 },
        };
        let mut builder = SystemBuilder::new(4);
        builder.equation([(CellId(0), -1), (CellId(1), 1), (CellId(2), 1)], 0);
        builder.equation([], 0);
        let primary = Status::Primary(Reason::Given);
        let mut cells = [
            cell(101, Status::Safe, 0),
            cell(60, primary, 50),
            cell(30, Status::Safe, -1),
            cell(5, Status::Safe, 0),
        ];
        cells[3].weight = f64::NAN;
        let problem = Problem::new(builder.build(), Decimals(1), cells)
            .with_labels(Labels::Named(["T", "a", "b", "c"].map(String::from).to_vec()));
        let texts: Vec<String> =
            problem.faults().iter().map(|fault| fault.describe(&problem)).collect();
        assert_eq!(
            texts,
            [
                "T: value 10.1 is outside its bounds 0.0..10.0",
                "a: its protection levels reach beyond its bounds, so nothing can protect it",
                "b: a protection level is negative",
                "c: weight NaN is not a cost",
                "equation 0 (of T) does not add up: off by -1.1",
                "equation 1 has no cells",
            ]
        );
    }
}
