//! Why there is no adjusted table, and what would make one possible.
//!
//! Every limit is made elastic: going beyond it costs, nothing else does. The cheapest way
//! then shows which limits stand in the way, and with them the equations and sensitive
//! cells that conflict. Safe distances are elastic too, but dear: only where nothing else
//! helps, as in an equation whose cells are all sensitive, is it they that conflict.

use std::fmt;
use std::time::Duration;

use quell_model::{Budget, CellId, EquationId, Value};
use quell_solve::{Kind, Limits, PointStatus, Solver};

use crate::program::unit;
use crate::question::Question;
use crate::tolerance::INTEGRAL;
use crate::{Distance, Error, Instance};

/// How long an explanation may be looked for.
const TIME: Duration = Duration::from_secs(30);
/// What a unit beyond a safe distance costs, where one beyond a limit costs 1.
const DEAR: f64 = 100.0;
/// So many cells and equations are named.
const NAMED: usize = 5;

/// A limit that stands in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Widen {
    /// The cell.
    pub cell: CellId,
    /// How much farther it would have to move: below zero if down. If it is sensitive: how
    /// far beside its safe distance.
    pub by: Value,
}

/// What keeps a table from being adjusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conflict {
    /// Sensitive cells whose own limits leave no safe value.
    pub hopeless: Vec<CellId>,
    /// Limits that would have to be wider, together.
    pub widen: Vec<Widen>,
    /// The equations of those cells.
    pub equations: Vec<EquationId>,
    /// The sensitive cells in those equations.
    pub sensitive: Vec<CellId>,
    /// Whether at-least distances would make it feasible.
    pub at_least_helps: bool,
    text: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Conflict {
    /// Looks for what stands in the way.
    pub(crate) fn find(instance: &Instance, budget: &Budget) -> Result<Self, Error> {
        let hopeless = instance.sensitive.iter().filter(|cell| !cell.can_fall && !cell.can_rise);
        let mut conflict =
            Self { hopeless: hopeless.map(|cell| cell.cell).collect(), ..Self::default() };
        if conflict.hopeless.is_empty() {
            let budget =
                Budget::default().with_cancel(budget.cancel_flag().clone()).with_time(TIME);
            if instance.distance == Distance::Minimal {
                let mut relaxed = instance.clone();
                relaxed.distance = Distance::AtLeast;
                let question = Question { first: true, ..Question::whole(&relaxed, &budget) };
                conflict.at_least_helps = question.answer()?.directions.is_some();
            }
            conflict.stretch(instance, &budget)?;
        }
        conflict.text = conflict.describe(instance);
        Ok(conflict)
    }

    /// Finds the limits to widen.
    fn stretch(&mut self, instance: &Instance, budget: &Budget) -> Result<(), Error> {
        let system = instance.problem.system();
        let unit = unit(instance);
        let mut written = Question::whole(instance, budget).written();
        let columns = &mut written.columns;
        columns.costs.iter_mut().for_each(|cost| *cost = 0.0);
        columns.offset = 0.0;
        let first = columns.costs.len();
        for cell in system.cells() {
            let cost = if instance.sensitive_at(cell).is_some() { DEAR } else { 1.0 };
            for sign in [1.0, -1.0] {
                let entries =
                    system.equations_of(cell).map(|(e, c)| (e.index(), sign * f64::from(c)));
                let entries: Vec<_> = entries.collect();
                columns.add(cost, (0.0, f64::INFINITY), Kind::Continuous, entries);
            }
        }
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        let seconds = budget.time_left().map(|left| left.as_secs_f64());
        solver.set_limits(&Limits { seconds, ..Limits::default() })?;
        columns.pass(&mut solver)?;
        solver.solve()?;
        if solver.primal_status() != PointStatus::Feasible {
            return Ok(());
        }
        let mut values = Vec::new();
        solver.column_values(&mut values)?;
        for (index, cell) in system.cells().enumerate() {
            let beyond = (values[first + 2 * index] - values[first + 2 * index + 1]) * unit;
            let by =
                if beyond > 0.0 { (beyond - INTEGRAL).ceil() } else { (beyond + INTEGRAL).floor() };
            if by != 0.0 {
                self.widen.push(Widen { cell, by: by as Value });
                self.equations.extend(system.equations_of(cell).map(|(equation, _)| equation));
            }
        }
        self.equations.sort_unstable();
        self.equations.dedup();
        let cells = self.equations.iter().flat_map(|&e| system.cells_of(e).map(|(cell, _)| cell));
        self.sensitive = cells.filter(|&cell| instance.sensitive_at(cell).is_some()).collect();
        self.sensitive.sort_unstable();
        self.sensitive.dedup();
        Ok(())
    }

    fn describe(&self, instance: &Instance) -> String {
        let problem = instance.problem;
        let decimals = problem.decimals();
        let names = |cells: &[CellId]| {
            let mut names: Vec<String> =
                cells.iter().take(NAMED).map(|&cell| problem.cell_name(cell)).collect();
            if cells.len() > NAMED {
                names.push(format!("{} more", cells.len() - NAMED));
            }
            names.join(", ")
        };
        if !self.hopeless.is_empty() {
            return format!(
                "{} sensitive cell(s) have no safe value within their own limits: {}; widen \
                 their bounds or lower their protection levels",
                self.hopeless.len(),
                names(&self.hopeless)
            );
        }
        let system = problem.system();
        let (mut text, mut possible) = (String::new(), Vec::new());
        if self.widen.is_empty() {
            text += "the statistics to be kept, or the movements in whole units, stand in the way";
            possible.push("a larger tolerance were allowed".to_owned());
        } else {
            let total = |&equation: &EquationId| system.cells_of(equation).find(|cell| cell.1 < 0);
            let totals: Vec<CellId> =
                self.equations.iter().filter_map(total).map(|cell| cell.0).collect();
            let (sensitive, totals) = (names(&self.sensitive), names(&totals));
            text += &format!(
                "the sensitive cells {sensitive} cannot all move in the equations of {totals}"
            );
            let widen = self.widen.iter().take(NAMED).map(|widen| {
                let name = problem.cell_name(widen.cell);
                let by = decimals.format(widen.by.abs());
                match (instance.sensitive_at(widen.cell), widen.by > 0) {
                    (Some(_), _) => format!("the safe distance of {name} were another by {by}"),
                    (None, true) => format!("{name} may rise by {by} more"),
                    (None, false) => format!("{name} may fall by {by} more"),
                }
            });
            let mut widen = widen.collect::<Vec<_>>().join(", ");
            if self.widen.len() > NAMED {
                widen += &format!(" and {} more limits were wider", self.widen.len() - NAMED);
            }
            possible.push(widen);
        }
        if self.at_least_helps {
            let farther = "sensitive cells may move farther than their safe distance (at-least)";
            possible.push(farther.to_owned());
        }
        format!("{text}; it would be possible if {}", possible.join(", or if "))
    }
}
