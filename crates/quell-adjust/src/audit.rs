//! The check of an adjusted table, in whole numbers and without a solver.
//!
//! It takes the table, what was asked and the adjusted values, and trusts no method.

use quell_model::{CellId, EquationId, Problem, Value};

use crate::{Distance, Error, Instance, Options};

/// One thing that is wrong with an adjusted table.
#[derive(Debug, Clone, PartialEq)]
pub enum Breach {
    /// An equation does not add up.
    NotAdditive {
        /// Which.
        equation: EquationId,
        /// By how much.
        difference: i128,
    },
    /// A sensitive cell is not at a safe distance.
    NotSafe {
        /// Which.
        cell: CellId,
        /// How far it moved.
        moved: Value,
    },
    /// A cell is outside its limits.
    OutsideLimits {
        /// Which.
        cell: CellId,
        /// How far it moved.
        moved: Value,
        /// How far it might fall.
        down: Value,
        /// How far it might rise.
        up: Value,
    },
    /// A statistic that was to be kept is not, by its position in the options.
    Statistic(usize),
}

/// What the audit found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Audit {
    /// Sensitive cells that were looked at.
    pub sensitive: usize,
    /// Equations that were looked at.
    pub equations: usize,
    /// Everything that is wrong.
    pub breaches: Vec<Breach>,
}

impl Audit {
    /// Whether the table is safe, additive and within its limits.
    pub fn is_safe(&self) -> bool {
        self.breaches.is_empty()
    }
}

/// Checks adjusted values.
///
/// # Errors
/// If the table or the options are faulty, or there is not one value for each cell.
pub fn audit(problem: &Problem, options: &Options, adjusted: &[Value]) -> Result<Audit, Error> {
    if adjusted.len() != problem.cell_count() {
        return Err(Error::Option(format!(
            "{} adjusted values for {} cells",
            adjusted.len(),
            problem.cell_count()
        )));
    }
    let instance = Instance::new(problem, options)?;
    let system = problem.system();
    let mut audit = Audit { equations: system.equation_count(), ..Audit::default() };
    for equation in system.equations() {
        let difference = system.imbalance(equation, adjusted);
        if difference != 0 {
            audit.breaches.push(Breach::NotAdditive { equation, difference });
        }
    }
    let movement: Vec<Value> =
        adjusted.iter().zip(problem.values()).map(|(after, before)| after - before).collect();
    for cell in system.cells() {
        let moved = movement[cell.index()];
        let (down, up) = (instance.down[cell.index()], instance.up[cell.index()]);
        if moved < -down || moved > up {
            audit.breaches.push(Breach::OutsideLimits { cell, moved, down, up });
        }
        let levels = problem.protection(cell);
        if problem.status(cell).is_primary() {
            audit.sensitive += 1;
            let safe = match options.distance {
                Distance::AtLeast => moved >= levels.upper || moved <= -levels.lower,
                Distance::Minimal => moved == levels.upper || moved == -levels.lower,
            };
            if !safe {
                audit.breaches.push(Breach::NotSafe { cell, moved });
            }
        }
    }
    let broken = instance.quality.iter().enumerate().filter(|(_, row)| !row.holds(&movement));
    audit.breaches.extend(broken.map(|(index, _)| Breach::Statistic(index)));
    Ok(audit)
}
