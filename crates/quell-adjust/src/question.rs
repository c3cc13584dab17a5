//! The mixed integer program, equations (1) to (8), whole or in part: directions may be given,
//! and cells may share one binary variable.

use quell_model::{Budget, CellId, Direction, Value};
use quell_solve::{Index, Kind, Limits, Outcome, PointStatus, Solver};

use crate::line::LineCut;
use crate::matrix::Columns;
use crate::program::unit;
use crate::{Distance, Error, Instance, Sensitive};

/// What is asked of the solver.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) instance: &'a Instance<'a>,
    /// The group of each sensitive cell: those of one group go the same direction.
    pub(crate) groups: Option<&'a [u32]>,
    /// Directions that are given.
    pub(crate) fixed: &'a [Option<Direction>],
    /// Inequalities that every adjusted table satisfies.
    pub(crate) cuts: &'a [LineCut],
    /// Directions to start from.
    pub(crate) start: Option<&'a [Direction]>,
    /// The most nodes.
    pub(crate) nodes: Option<u32>,
    /// Time that may be taken, besides the budget's.
    pub(crate) seconds: Option<f64>,
    /// Share of the effort that goes into the solver's heuristics.
    pub(crate) heuristics: f64,
    /// Whether movements must be in whole units; not where units are too fine for the solver.
    pub(crate) whole: bool,
    /// Whether the first solution is enough.
    pub(crate) first: bool,
    /// What may be used.
    pub(crate) budget: &'a Budget,
}

/// What came of it.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The best directions found and what they cost before rounding.
    pub(crate) directions: Option<(Vec<Direction>, f64)>,
    /// The movement, if whole units were asked for.
    pub(crate) movement: Option<Vec<Value>>,
    /// No directions (among those open) cost less; infinite if there are none.
    pub(crate) bound: f64,
    /// Whether the search came to its end.
    pub(crate) finished: bool,
}

impl<'a> Question<'a> {
    /// The whole program.
    pub(crate) fn whole(instance: &'a Instance<'a>, budget: &'a Budget) -> Self {
        Self {
            instance,
            groups: None,
            fixed: &[],
            cuts: &[],
            start: None,
            nodes: None,
            seconds: None,
            heuristics: 0.05,
            whole: false,
            first: false,
            budget,
        }
    }

    fn direction(&self, position: usize, sensitive: &Sensitive) -> Option<Direction> {
        match (sensitive.can_fall, sensitive.can_rise) {
            (true, true) => self.fixed.get(position).copied().flatten(),
            (false, _) => Some(Direction::Up),
            (true, false) => Some(Direction::Down),
        }
    }

    /// The columns of the program: binary variables first, then rise and fall of each cell.
    pub(crate) fn written(&self) -> Written {
        let instance = self.instance;
        let system = instance.problem.system();
        let unit = unit(instance);
        let scaled = |amount: Value| amount as f64 / unit;
        let equations = system.equation_count();
        let mut row_lower = vec![0.0; equations];
        let mut row_upper = vec![0.0; equations];
        let mut extra: Vec<Vec<(usize, f64)>> = vec![Vec::new(); instance.problem.cell_count()];
        for row in &instance.quality {
            for &(cell, coefficient) in &row.entries {
                extra[cell.index()].push((row_lower.len(), coefficient));
            }
            row_lower.push(-row.most / unit);
            row_upper.push(row.most / unit);
        }
        let mut in_cuts: Vec<Vec<(usize, f64)>> = vec![Vec::new(); instance.problem.cell_count()];
        for cut in self.cuts {
            for &(cell, coefficient) in &cut.entries {
                in_cuts[cell.index()].push((row_lower.len(), coefficient));
            }
            row_lower.push(scaled(cut.least));
            row_upper.push(f64::INFINITY);
        }
        let at_least = instance.distance == Distance::AtLeast;
        // Rows that tie rise and fall to the binary variable, four a sensitive cell.
        let links = row_lower.len();
        if at_least {
            for sensitive in &instance.sensitive {
                let index = sensitive.cell.index();
                for (low, high) in [
                    (0.0, f64::INFINITY),
                    (f64::NEG_INFINITY, 0.0),
                    (scaled(sensitive.fall), f64::INFINITY),
                    (f64::NEG_INFINITY, scaled(instance.down[index])),
                ] {
                    row_lower.push(low);
                    row_upper.push(high);
                }
            }
        }
        // Binary variables: their entries, costs and bounds, by group.
        let mut binaries = Binaries::new(self);
        let mut offset = 0.0;
        for (position, sensitive) in instance.sensitive.iter().enumerate() {
            let index = sensitive.cell.index();
            let direction = self.direction(position, sensitive);
            let binary = binaries.of(position, direction);
            let rows = || {
                let rows = system.equations_of(sensitive.cell);
                let rows = rows.map(|(equation, c)| (equation.index(), f64::from(c)));
                rows.chain(extra[index].iter().copied())
            };
            if at_least {
                let link = links + 4 * position;
                binaries.entries[binary].extend([
                    (link, -scaled(sensitive.rise)),
                    (link + 1, -scaled(instance.up[index])),
                    (link + 2, scaled(sensitive.fall)),
                    (link + 3, scaled(instance.down[index])),
                ]);
                for &(row, coefficient) in &in_cuts[index] {
                    // Only what exceeds the least distance counts in a cut.
                    let more = scaled(sensitive.fall - sensitive.rise);
                    binaries.entries[binary].push((row, coefficient * more));
                    row_lower[row] += coefficient * scaled(sensitive.fall);
                }
            } else {
                let cost = instance.costs[index] * unit;
                offset += cost * scaled(sensitive.fall);
                binaries.costs[binary] += cost * scaled(sensitive.rise - sensitive.fall);
                let span = scaled(sensitive.rise + sensitive.fall);
                for (row, coefficient) in rows() {
                    binaries.entries[binary].push((row, coefficient * span));
                    row_lower[row] += coefficient * scaled(sensitive.fall);
                    row_upper[row] += coefficient * scaled(sensitive.fall);
                }
            }
        }
        let mut columns = Columns::new(row_lower, row_upper);
        columns.offset = offset;
        binaries.add_to(&mut columns);
        let kind = if self.whole && unit == 1.0 { Kind::Integer } else { Kind::Continuous };
        let mut cells = Vec::new();
        for cell in system.cells() {
            let index = cell.index();
            let sensitive = instance.sensitive_at(cell);
            let (down, up) = (instance.down[index], instance.up[index]);
            if (down == 0 && up == 0) || (sensitive.is_some() && !at_least) {
                continue;
            }
            cells.push(cell);
            for (side, (most, sign)) in [(up, 1.0), (down, -1.0)].into_iter().enumerate() {
                let rows = system.equations_of(cell);
                let rows = rows.map(|(equation, c)| (equation.index(), f64::from(c)));
                let rows = rows.chain(extra[index].iter().copied());
                let entries = rows.map(|(row, value)| (row, sign * value));
                let links = sensitive.map(|_| {
                    let link = links + 4 * instance.position[index] as usize + 2 * side;
                    [(link, 1.0), (link + 1, 1.0)]
                });
                columns.add(
                    instance.costs[index] * unit,
                    (0.0, scaled(most)),
                    kind,
                    entries
                        .chain(in_cuts[index].iter().copied())
                        .chain(links.into_iter().flatten()),
                );
            }
        }
        Written { columns, variables: binaries.group, count: binaries.costs.len(), cells }
    }

    /// Solves the program.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn answer(&self) -> Result<Answer, Error> {
        let written = self.written();
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(self.budget.over()))?;
        let left = self.budget.time_left().map(|left| left.as_secs_f64());
        let seconds = match (left, self.seconds) {
            (Some(left), Some(seconds)) => Some(left.min(seconds)),
            (left, seconds) => left.or(seconds),
        };
        let improving_solutions = self.first.then_some(1);
        let nodes = self.nodes;
        solver.set_limits(&Limits { nodes, seconds, improving_solutions, ..Limits::default() })?;
        solver.set_mip_heuristic_effort(self.heuristics)?;
        written.columns.pass(&mut solver)?;
        if let Some(start) = self.start {
            let mut values = vec![0.0; written.count];
            for (position, direction) in start.iter().enumerate() {
                values[written.variables[position] as usize] =
                    f64::from(u8::from(*direction == Direction::Up));
            }
            let numbers: Vec<Index> = (0..values.len() as Index).collect();
            solver.set_start_sparse(&numbers, &values)?;
        }
        let outcome = solver.solve()?;
        let (mut directions, mut movement) = (None, None);
        if solver.primal_status() == PointStatus::Feasible {
            let mut values = Vec::new();
            solver.column_values(&mut values)?;
            let found = written.directions(&values);
            movement = self.whole.then(|| written.movement(self.instance, &values, &found));
            directions = Some((found, solver.objective()));
        }
        let bound = match outcome {
            Outcome::Infeasible | Outcome::InfeasibleOrUnbounded => f64::INFINITY,
            Outcome::Trouble => 0.0,
            _ if written.count == 0 => directions.as_ref().map_or(0.0, |(_, cost)| *cost),
            _ => solver.mip_bound(),
        };
        // Before its first relaxation the solver knows no bound.
        let bound = if bound == f64::NEG_INFINITY || bound.is_nan() { 0.0 } else { bound };
        Ok(Answer { directions, movement, bound, finished: !outcome.is_limit() })
    }
}

/// A program with what its columns mean.
pub(crate) struct Written {
    pub(crate) columns: Columns,
    /// The binary variable of each sensitive cell.
    pub(crate) variables: Vec<u32>,
    /// How many binary variables there are.
    pub(crate) count: usize,
    /// The cells with columns for rise and fall, in order.
    cells: Vec<CellId>,
}

impl Written {
    /// The directions that the values of the columns mean.
    pub(crate) fn directions(&self, values: &[f64]) -> Vec<Direction> {
        let direction = |&variable: &u32| match values[variable as usize] > 0.5 {
            true => Direction::Up,
            false => Direction::Down,
        };
        self.variables.iter().map(direction).collect()
    }

    /// The movement that the values of the columns mean, units as the solver's.
    fn movement(
        &self,
        instance: &Instance,
        values: &[f64],
        directions: &[Direction],
    ) -> Vec<Value> {
        let mut movement = vec![0; instance.problem.cell_count()];
        for (sensitive, &direction) in instance.sensitive.iter().zip(directions) {
            movement[sensitive.cell.index()] = instance.least(sensitive, direction);
        }
        for (number, cell) in self.cells.iter().enumerate() {
            let rise = self.count + 2 * number;
            movement[cell.index()] = (values[rise] - values[rise + 1]).round() as Value;
        }
        movement
    }
}

/// The binary variables: the first columns of the program.
struct Binaries {
    /// The variable of each sensitive cell.
    group: Vec<u32>,
    costs: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    entries: Vec<Vec<(usize, f64)>>,
    /// The variable of each group that has one.
    of_group: Vec<Option<u32>>,
    groups: Vec<u32>,
}

impl Binaries {
    fn new(question: &Question) -> Self {
        let count = question.instance.sensitive.len();
        let groups = match question.groups {
            Some(groups) => groups.to_vec(),
            None => (0..count as u32).collect(),
        };
        let most = groups.iter().max().map_or(0, |&most| most as usize + 1);
        Self {
            group: vec![u32::MAX; count],
            costs: Vec::new(),
            bounds: Vec::new(),
            entries: Vec::new(),
            of_group: vec![None; most],
            groups,
        }
    }

    /// The variable of a sensitive cell; one whose direction is given has a variable of its own.
    fn of(&mut self, position: usize, direction: Option<Direction>) -> usize {
        let group = self.groups[position] as usize;
        let known = self.of_group[group].filter(|_| direction.is_none());
        let variable = known.unwrap_or_else(|| {
            self.costs.push(0.0);
            self.entries.push(Vec::new());
            self.bounds.push(match direction {
                None => (0.0, 1.0),
                Some(Direction::Down) => (0.0, 0.0),
                Some(Direction::Up) => (1.0, 1.0),
            });
            let variable = self.costs.len() as u32 - 1;
            if direction.is_none() {
                self.of_group[group] = Some(variable);
            }
            variable
        });
        self.group[position] = variable;
        variable as usize
    }

    fn add_to(&self, columns: &mut Columns) {
        for ((cost, &bounds), entries) in self.costs.iter().zip(&self.bounds).zip(&self.entries) {
            let mut entries = entries.clone();
            entries.sort_unstable_by_key(|entry| entry.0);
            entries.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
            columns.add(*cost, bounds, Kind::Integer, entries);
        }
    }
}
