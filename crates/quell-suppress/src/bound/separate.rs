//! Finding cuts that a point violates.
//!
//! The cut that a point violates most is often a poor one: it runs where many cheap cells
//! are not in use, each of which then satisfies it. So every cell that is a column gets a
//! small capacity besides the point's, which drives the cut to where few cells cross; the
//! least such capacity for which a violated cut is found is zero. On 100×100 tables this
//! brings the linear program to its end in ten rounds instead of some hundreds.

use quell_model::{Budget, CellId, Problem, Requirement};

use super::by_flow::ByFlow;
use super::by_null_space::ByNullSpace;
use super::by_program::ByProgram;
use super::cut::{Cut, Row, Weighing};
use crate::Error;
use crate::search::network::TableNetwork;
use crate::tolerance::CLEARLY_VIOLATED;

/// The small capacities tried, as shares of a cell's own.
const EXTRAS: [f64; 3] = [0.03, 0.005, 0.0005];

/// A question to an attacker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ask<'a> {
    /// Can the requirement be met?
    Requirement(&'a Requirement),
    /// Can the cell move at all, with the company of others, as far as the point's share of
    /// it says?
    Company(CellId),
}

/// The attacker's answer, for a point with a value between 0 and 1 for every cell.
pub(crate) trait Attacker: Send {
    /// The columns are these now.
    fn set_columns(&mut self, columns: &[CellId]) -> Result<(), Error>;

    /// The point is another one now.
    fn set_point(&mut self, point: &[f64]) -> Result<(), Error>;

    /// Multipliers that show that the answer is no, with `extra` capacity for all columns.
    fn refute(&mut self, point: &[f64], ask: Ask, extra: f64) -> Result<Option<Cut>, Error>;
}

/// Finds violated cuts.
pub(crate) struct Separator<'a> {
    problem: &'a Problem,
    attacker: Box<dyn Attacker + 'a>,
    weighing: Weighing,
    point: Vec<f64>,
    /// Whether every question is a linear program, which takes long.
    is_slow: bool,
    /// Whether the last question was answered with a cut.
    was_refuted: bool,
}

/// The separator for a problem, by flows if it is a network.
pub(crate) fn separator<'a>(
    problem: &'a Problem,
    network: Option<&'a TableNetwork>,
    budget: &Budget,
) -> Result<Separator<'a>, Error> {
    let attacker: Box<dyn Attacker + 'a> = match network {
        Some(network) => Box::new(ByFlow::new(problem, network)),
        None => match ByNullSpace::new(problem, budget)? {
            Some(attacker) => Box::new(attacker),
            None => Box::new(ByProgram::new(problem, budget)?),
        },
    };
    let point = vec![0.0; problem.cell_count()];
    Ok(Separator {
        problem,
        attacker,
        weighing: Weighing::new(problem),
        point,
        is_slow: network.is_none(),
        was_refuted: false,
    })
}

impl Separator<'_> {
    /// The columns of the master program.
    pub(crate) fn set_columns(&mut self, columns: &[CellId]) -> Result<(), Error> {
        self.attacker.set_columns(columns)
    }

    /// The point to cut off.
    pub(crate) fn set_point(&mut self, point: &[f64]) -> Result<(), Error> {
        self.point.copy_from_slice(point);
        for cell in self.problem.primaries() {
            self.point[cell.index()] = 1.0;
        }
        self.attacker.set_point(&self.point)
    }

    /// The point that chooses these cells.
    pub(crate) fn set_choice(&mut self, chosen: &[CellId]) -> Result<(), Error> {
        let mut point = vec![0.0; self.problem.cell_count()];
        chosen.iter().for_each(|cell| point[cell.index()] = 1.0);
        self.set_point(&point)
    }

    /// A cut that the point violates because it does not meet a requirement.
    pub(crate) fn requirement(&mut self, requirement: &Requirement) -> Result<Option<Row>, Error> {
        self.strongest(Ask::Requirement(requirement))
    }

    /// A cut that the point violates because a cell lacks company.
    pub(crate) fn company(&mut self, cell: CellId) -> Result<Option<Row>, Error> {
        self.strongest(Ask::Company(cell))
    }

    fn strongest(&mut self, ask: Ask) -> Result<Option<Row>, Error> {
        // Where the last question was answered with a cut, the next one most likely is, too.
        let mut plain = None;
        if !(self.is_slow && self.was_refuted) {
            plain = self.attacker.refute(&self.point, ask, 0.0)?;
            if plain.is_none() {
                return Ok(None);
            }
        }
        for extra in EXTRAS {
            let Some(cut) = self.attacker.refute(&self.point, ask, extra)? else { continue };
            let row = self.weighing.row(self.problem, &cut);
            if let Some(row) = row.filter(|row| row.violation(&self.point) > CLEARLY_VIOLATED) {
                self.was_refuted = true;
                return Ok(Some(row));
            }
        }
        if plain.is_none() {
            plain = self.attacker.refute(&self.point, ask, 0.0)?;
        }
        let row = plain.and_then(|cut| self.weighing.row(self.problem, &cut));
        self.was_refuted = row.is_some();
        Ok(row)
    }
}
