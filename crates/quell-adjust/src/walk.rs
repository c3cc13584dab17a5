//! A walk over whole adjusted tables: directions and movements together, by simulated annealing.
//!
//! The state is a whole movement of the base cells; totals follow, so every state is exactly
//! additive and in whole units. A step changes one or two base cells of a line: a sensitive
//! cell flips, another cell moves by the amount that brings a cell it is a part of back to
//! its true value. Cells outside their limits pay a price that no gain makes good.

use quell_model::{Direction, Random, Value};

use crate::Instance;
use crate::base::Base;
use crate::round::keeps;
use crate::tolerance::LEAST_POSITIVE;

/// Steps a cell that can move.
const STEPS: u64 = 60;
/// The first temperature, as a share of the mean cost of a flip, and the last as one of the first.
const HOT: f64 = 0.01;
const COLD: f64 = 0.02;
/// What a unit beyond a limit costs, in multiples of the dearest cell.
const BEYOND: f64 = 20.0;

/// A base cell as a step sees it.
#[derive(Debug, Clone, Copy)]
struct Mover {
    base: u32,
    /// Its position among the sensitive cells, or `u32::MAX`.
    sensitive: u32,
}

/// The walk.
pub(crate) struct Walk<'a> {
    instance: &'a Instance<'a>,
    base: &'a Base,
    /// Base cells that can move, and those that are sensitive.
    movers: Vec<Mover>,
    flippers: Vec<u32>,
    /// Lines: equations whose parts are base cells, as positions in `movers`.
    lines: Vec<Vec<u32>>,
    lines_of: Vec<Vec<u32>>,
    /// The movement of every cell now.
    moved: Vec<Value>,
    /// Cost, limits and direction of each cell, packed for one look.
    cells: Vec<(f64, Value, Value)>,
    penalty: f64,
    log: Vec<(u32, Value)>,
}

impl<'a> Walk<'a> {
    /// A walk from given directions, everything else unmoved.
    pub(crate) fn new(
        instance: &'a Instance<'a>,
        base: &'a Base,
        directions: &[Direction],
    ) -> Self {
        let system = instance.problem.system();
        let mut movers = Vec::new();
        let mut mover_of = vec![u32::MAX; instance.problem.cell_count()];
        let mut flippers = Vec::new();
        for (index, cell) in base.cells.iter().enumerate() {
            let at = cell.index();
            if instance.up[at] == 0 && instance.down[at] == 0 {
                continue;
            }
            let sensitive = instance.position[at];
            let cell = instance.sensitive.get(sensitive as usize);
            if cell.is_some_and(|cell| cell.can_fall && cell.can_rise) {
                flippers.push(movers.len() as u32);
            }
            mover_of[at] = movers.len() as u32;
            movers.push(Mover { base: index as u32, sensitive });
        }
        let mut lines = Vec::new();
        let mut lines_of = vec![Vec::new(); movers.len()];
        for equation in system.equations() {
            let members: Vec<u32> = system
                .cells_of(equation)
                .map(|(cell, _)| mover_of[cell.index()])
                .filter(|&mover| mover != u32::MAX)
                .collect();
            if members.len() > 1 {
                for &member in &members {
                    lines_of[member as usize].push(lines.len() as u32);
                }
                lines.push(members);
            }
        }
        let dearest = instance.costs.iter().copied().fold(0.0, f64::max).max(LEAST_POSITIVE);
        let mut walk = Self {
            instance,
            base,
            movers,
            flippers,
            lines,
            lines_of,
            moved: vec![0; instance.problem.cell_count()],
            cells: (0..instance.problem.cell_count())
                .map(|i| (instance.costs[i], -instance.down[i], instance.up[i]))
                .collect(),
            penalty: BEYOND * dearest,
            log: Vec::new(),
        };
        for (index, cell) in base.cells.iter().enumerate() {
            if let Some(sensitive) = instance.sensitive_at(*cell) {
                let direction = directions[instance.position[cell.index()] as usize];
                let by = instance.least(sensitive, direction);
                walk.shift(index as u32, by);
            }
        }
        walk.log.clear();
        walk
    }

    fn price(&self, cell: usize, by: Value) -> f64 {
        let (cost, low, high) = self.cells[cell];
        let mut price = cost * by.abs() as f64;
        if by < low {
            price += self.penalty * (low - by) as f64;
        } else if by > high {
            price += self.penalty * (by - high) as f64;
        }
        price
    }

    /// Moves a base cell and gives the change of cost.
    fn shift(&mut self, base: u32, by: Value) -> f64 {
        let mut change = 0.0;
        for &(cell, coefficient) in self.base.parts(base as usize) {
            let at = cell as usize;
            let now = self.moved[at];
            let after = now + Value::from(coefficient) * by;
            change += self.price(at, after) - self.price(at, now);
            self.moved[at] = after;
        }
        self.log.push((base, by));
        change
    }

    fn flip(&mut self, mover: Mover) -> f64 {
        let sensitive = self.instance.sensitive[mover.sensitive as usize];
        let now = self.moved[sensitive.cell.index()];
        let to = if now > 0 { -sensitive.fall } else { sensitive.rise };
        self.shift(mover.base, to - now)
    }

    /// The amount that brings one of the cells a base cell is a part of back to its true value.
    fn healing(&self, base: u32, random: &mut Random) -> Value {
        let parts = self.base.parts(base as usize);
        let (cell, coefficient) = parts[random.below(parts.len())];
        -self.moved[cell as usize] / Value::from(coefficient)
    }

    fn neighbour(&self, mover: u32, random: &mut Random) -> Option<u32> {
        let lines = &self.lines_of[mover as usize];
        if lines.is_empty() {
            return None;
        }
        let line = &self.lines[lines[random.below(lines.len())] as usize];
        let other = line[random.below(line.len())];
        (other != mover).then_some(other)
    }

    /// A step; gives the change of cost.
    fn step(&mut self, random: &mut Random) -> f64 {
        self.log.clear();
        if !self.flippers.is_empty() && random.chance(0.3) {
            let first = self.flippers[random.below(self.flippers.len())];
            let mut change = self.flip(self.movers[first as usize]);
            let tries = random.below(4);
            for _ in 0..tries {
                if let Some(other) = self.neighbour(first, random) {
                    change += self.heal(other, random);
                }
            }
            return change;
        }
        let first = random.below(self.movers.len()) as u32;
        let mover = self.movers[first as usize];
        if mover.sensitive != u32::MAX {
            return 0.0;
        }
        let by = self.healing(mover.base, random);
        if by == 0 {
            return 0.0;
        }
        let mut change = self.shift(mover.base, by);
        let other = random.chance(0.5).then(|| self.neighbour(first, random)).flatten();
        let other = other.map(|other| self.movers[other as usize]);
        if let Some(other) = other.filter(|other| other.sensitive == u32::MAX) {
            change += self.shift(other.base, -by);
        }
        change
    }

    /// Flips a sensitive cell, or moves another to heal.
    fn heal(&mut self, mover: u32, random: &mut Random) -> f64 {
        let mover = self.movers[mover as usize];
        if mover.sensitive != u32::MAX {
            let sensitive = self.instance.sensitive[mover.sensitive as usize];
            let open = sensitive.can_fall && sensitive.can_rise;
            return if open { self.flip(mover) } else { 0.0 };
        }
        let by = self.healing(mover.base, random);
        if by == 0 { 0.0 } else { self.shift(mover.base, by) }
    }

    /// Walks while it cools, longer for larger tables.
    pub(crate) fn cool(&mut self, random: &mut Random, stop: &dyn Fn() -> bool) {
        if self.movers.is_empty() {
            return;
        }
        let steps = STEPS * self.movers.len() as u64;
        let flips = self.instance.sensitive.iter().map(|s| (s.rise + s.fall) as f64);
        let mean = flips.sum::<f64>() / self.instance.sensitive.len().max(1) as f64;
        let hot = (HOT * mean * self.penalty / BEYOND).max(LEAST_POSITIVE);
        let cooling = COLD.powf(256.0 / steps as f64);
        let mut temperature = hot;
        for step in 0..steps {
            if step % 256 == 0 {
                temperature *= cooling;
            }
            if step % 65_536 == 65_535 && stop() {
                break;
            }
            let change = self.step(random);
            if change > 0.0 && random.uniform() >= (-change / temperature).exp() {
                self.take_back();
            }
        }
    }

    fn take_back(&mut self) {
        while let Some((base, by)) = self.log.pop() {
            for &(cell, coefficient) in self.base.parts(base as usize) {
                self.moved[cell as usize] -= Value::from(coefficient) * by;
            }
        }
    }

    /// The movement now.
    pub(crate) fn into_movement(self) -> Vec<Value> {
        self.moved
    }
}

/// Walks from directions to a whole movement that keeps everything, if it gets there.
pub(crate) fn walked(
    instance: &Instance,
    base: &Base,
    directions: &[Direction],
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Value>> {
    let mut walk = Walk::new(instance, base, directions);
    walk.cool(random, stop);
    let movement = walk.into_movement();
    let directions: Vec<Direction> = instance
        .sensitive
        .iter()
        .map(|cell| if movement[cell.cell.index()] > 0 { Direction::Up } else { Direction::Down })
        .collect();
    keeps(instance, &directions, &movement).then_some(movement)
}
