//! The instance of controlled tabular adjustment that a table and options make.
//!
//! A cell moves by a whole number of the table's units, so that the adjusted table is as
//! exact as the original. The table's bounds are what the adjusted values must keep;
//! protected cells stay as they are. Sliding levels have no meaning here and are not used.

use quell_model::{CellId, Direction, Problem, Status, Value};

use crate::quality_row::QualityRow;
use crate::tolerance::SAME_COST_SHARE;
use crate::{Cost, Distance, Error, Limit, Options};

/// No cell moves farther than this, so that sums of movements stay exact in `f64`.
const FARTHEST: Value = 1 << 40;

/// A sensitive cell and its two ways to safety.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sensitive {
    /// The cell.
    pub cell: CellId,
    /// The least it must fall if it falls: `L` of equation (6).
    pub fall: Value,
    /// The least it must rise if it rises: `U` of equation (5).
    pub rise: Value,
    /// Whether its bounds allow it to fall so far.
    pub can_fall: bool,
    /// Whether its bounds allow it to rise so far.
    pub can_rise: bool,
}

/// A table with all that an adjusted one must keep.
#[derive(Debug, Clone)]
pub struct Instance<'a> {
    /// The table.
    pub problem: &'a Problem,
    /// The cost of a unit of change, for each cell.
    pub costs: Vec<f64>,
    /// How far each cell may fall.
    pub down: Vec<Value>,
    /// How far each cell may rise.
    pub up: Vec<Value>,
    /// The sensitive cells that are not safe where they are.
    pub sensitive: Vec<Sensitive>,
    /// How far sensitive cells must move.
    pub distance: Distance,
    /// The position in `sensitive` of each cell, or `u32::MAX`.
    pub position: Vec<u32>,
    pub(crate) quality: Vec<QualityRow>,
}

impl<'a> Instance<'a> {
    /// The instance of a table and options.
    ///
    /// # Errors
    /// If the table has faults, or an option makes no sense for it.
    pub fn new(problem: &'a Problem, options: &Options) -> Result<Self, Error> {
        let faults: Vec<_> =
            problem.faults().into_iter().filter(|fault| !fault.is_warning()).collect();
        if !faults.is_empty() {
            return Err(Error::Faulty(faults));
        }
        let mut instance = Self {
            problem,
            costs: costs(problem, &options.cost)?,
            down: problem.system().cells().map(|c| problem.room_down(c).min(FARTHEST)).collect(),
            up: problem.system().cells().map(|c| problem.room_up(c).min(FARTHEST)).collect(),
            sensitive: Vec::new(),
            distance: options.distance,
            position: vec![u32::MAX; problem.cell_count()],
            quality: Vec::new(),
        };
        instance.limit(options.limit, &options.amounts)?;
        instance.hold(&options.fixed)?;
        instance.find_sensitive();
        instance.quality = QualityRow::all(problem, &options.keep)?;
        Ok(instance)
    }

    /// Limits of change of the cells that are not sensitive: those of single cells, or else
    /// the one of all.
    fn limit(&mut self, limit: Limit, amounts: &[(CellId, Value)]) -> Result<(), Error> {
        let problem = self.problem;
        let mut most: Vec<Value> = match limit {
            Limit::Bounds => vec![Value::MAX; problem.cell_count()],
            Limit::Percent(percent) if percent >= 0.0 && percent.is_finite() => {
                let of = |value: &Value| {
                    (value.unsigned_abs() as f64 * percent / 100.0 + f64::EPSILON).floor() as Value
                };
                problem.values().iter().map(of).collect()
            }
            Limit::Percent(percent) => {
                return Err(Error::Option(format!("{percent} % is no limit of change")));
            }
        };
        for &(cell, amount) in amounts {
            let of_cell = most.get_mut(cell.index()).filter(|_| amount >= 0).ok_or_else(|| {
                Error::Option(format!("{cell} does not exist or has a limit of change below 0"))
            })?;
            *of_cell = amount;
        }
        for cell in problem.system().cells().filter(|&cell| !problem.status(cell).is_primary()) {
            let index = cell.index();
            self.down[index] = self.down[index].min(most[index]);
            self.up[index] = self.up[index].min(most[index]);
        }
        Ok(())
    }

    fn hold(&mut self, fixed: &[CellId]) -> Result<(), Error> {
        let protected =
            self.problem.system().cells().filter(|&c| self.problem.status(c) == Status::Protected);
        for cell in protected.chain(fixed.iter().copied()) {
            let index = cell.index();
            if index >= self.down.len() {
                return Err(Error::Option(format!("{cell} to be held fixed does not exist")));
            }
            (self.down[index], self.up[index]) = (0, 0);
        }
        Ok(())
    }

    /// A cell with a level of zero is safe where it is: a movement by zero is safe.
    fn find_sensitive(&mut self) {
        for cell in self.problem.primaries() {
            let levels = self.problem.protection(cell);
            let index = cell.index();
            if levels.lower > 0 && levels.upper > 0 {
                self.position[index] = self.sensitive.len() as u32;
                self.sensitive.push(Sensitive {
                    cell,
                    fall: levels.lower,
                    rise: levels.upper,
                    can_fall: levels.lower <= self.down[index],
                    can_rise: levels.upper <= self.up[index],
                });
            } else if self.distance == Distance::Minimal {
                (self.down[index], self.up[index]) = (0, 0);
            }
        }
    }

    /// The instance with all movements left out that alone cost more than a known adjusted table: the
    /// least cost is the same. In the whole program limits of movement are multiplied by binary
    /// variables, and with limits far beyond what any good table needs a solver's tolerances let
    /// cells move both ways.
    pub fn no_dearer_than(&self, cost: f64) -> Self {
        let mut near = self.clone();
        for (index, &price) in self.costs.iter().enumerate() {
            let most = cost * (1.0 + SAME_COST_SHARE) / price;
            if price > 0.0 && most < FARTHEST as f64 {
                let most = most.ceil() as Value;
                near.down[index] = near.down[index].min(most);
                near.up[index] = near.up[index].min(most);
            }
        }
        near
    }

    /// The instance with no movement farther than this.
    pub(crate) fn no_farther_than(&self, most: Value) -> Self {
        let mut near = self.clone();
        near.down.iter_mut().chain(&mut near.up).for_each(|limit| *limit = (*limit).min(most));
        near
    }

    /// The sensitive cell that a cell is, if any.
    pub fn sensitive_at(&self, cell: CellId) -> Option<&Sensitive> {
        self.sensitive.get(self.position[cell.index()] as usize)
    }

    /// How far a sensitive cell moves if it goes in a direction and no farther than it must.
    pub fn least(&self, sensitive: &Sensitive, direction: Direction) -> Value {
        match direction {
            Direction::Up => sensitive.rise,
            Direction::Down => -sensitive.fall,
        }
    }

    /// The least and the most a sensitive cell moves if it goes in a direction.
    pub fn range(&self, sensitive: &Sensitive, direction: Direction) -> (Value, Value) {
        let index = sensitive.cell.index();
        match (direction, self.distance) {
            (Direction::Up, Distance::Minimal) => (sensitive.rise, sensitive.rise),
            (Direction::Down, Distance::Minimal) => (-sensitive.fall, -sensitive.fall),
            (Direction::Up, Distance::AtLeast) => (sensitive.rise, self.up[index]),
            (Direction::Down, Distance::AtLeast) => (-self.down[index], -sensitive.fall),
        }
    }

    /// Whether a sensitive cell may go in a direction at all.
    pub fn may(&self, sensitive: &Sensitive, direction: Direction) -> bool {
        match direction {
            Direction::Up => sensitive.can_rise,
            Direction::Down => sensitive.can_fall,
        }
    }

    /// What a movement of all cells costs: equation (1).
    pub fn cost(&self, movement: &[Value]) -> f64 {
        self.costs.iter().zip(movement).map(|(cost, by)| cost * by.unsigned_abs() as f64).sum()
    }

    /// What the movements of the sensitive cells cost if each goes in its cheaper direction and no
    /// farther than it must: the simplest lower bound.
    pub fn least_cost(&self) -> f64 {
        let least = |sensitive: &Sensitive| {
            let cost = self.costs[sensitive.cell.index()];
            let directions =
                [(sensitive.can_fall, sensitive.fall), (sensitive.can_rise, sensitive.rise)];
            let open =
                directions.into_iter().filter(|direction| direction.0).map(|direction| direction.1);
            cost * open.min().unwrap_or(0) as f64
        };
        self.sensitive.iter().map(least).sum()
    }
}

fn costs(problem: &Problem, cost: &Cost) -> Result<Vec<f64>, Error> {
    let cells = problem.system().cells();
    let costs: Vec<f64> = match cost {
        Cost::Weight => cells.map(|cell| problem.weight(cell)).collect(),
        Cost::One => vec![1.0; problem.cell_count()],
        Cost::Relative => {
            let scale = problem.decimals().scale() as f64;
            cells.map(|c| scale / (problem.value(c).unsigned_abs() as f64).max(scale)).collect()
        }
        Cost::Given(costs) => costs.clone(),
    };
    let usable = costs.iter().all(|cost| *cost >= 0.0 && cost.is_finite());
    if costs.len() != problem.cell_count() || !usable {
        let message = "there must be a cost of at least 0 for every cell";
        return Err(Error::Option(message.to_owned()));
    }
    Ok(costs)
}
