//! A search over the directions alone, by simulated annealing
//! (kirkpatrick-1983) on a substitute for the cost.
//!
//! Given directions, the sensitive cells leave every equation e with an imbalance n(e), and the
//! other cells must balance it. With a price w(e) for every equation such that no cell's
//! prices add up to more than its cost, Σ w(e)·|n(e)| is a lower bound on what that costs;
//! in a two-way table with room to move the best prices make it exact (the larger of the
//! sums of absolute row and column imbalances). A flip changes it in a few operations
//! where a linear program takes thousands, so millions are tried a second. Prices are
//! weighed by classes of equations that share no cell, such as the rows and the columns of
//! each slice, and within a slice the weights follow the class that is worst off.

use quell_model::{Direction, EquationId, Random, Value};

use crate::Instance;
use crate::block::{blocks as blocks_of, classes as classes_of};
use crate::tolerance::GAIN;

/// How eagerly weights follow.
const SHIFT: f64 = 0.3;

/// The equations with sensitive cells, as the search sees them.
pub(crate) struct Landscape {
    /// The equations of each sensitive cell with its coefficient.
    lines: Vec<Vec<(u32, Value)>>,
    /// The sensitive cells of each equation that may go both ways.
    members: Vec<Vec<u32>>,
    /// Fall and rise of each sensitive cell.
    amounts: Vec<(Value, Value)>,
    /// Cost of a sensitive cell's rise beyond that of its fall.
    preference: Vec<f64>,
    free: Vec<u32>,
    /// The price of imbalance, an equation each: its dearness times its class's weight.
    prices: Vec<f64>,
    dearness: Vec<f64>,
    /// The group of each equation: its class within its block.
    group_of: Vec<usize>,
    groups: Vec<Group>,
}

/// The equations of one class in one block.
#[derive(Debug, Clone)]
struct Group {
    block: usize,
    /// What all groups of the block weigh together.
    share: f64,
    weight: f64,
    /// Whether these are the equations between the blocks.
    left_out: bool,
}

/// Directions with their imbalances.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) directions: Vec<Direction>,
    nets: Vec<Value>,
    pub(crate) cost: f64,
}

impl Landscape {
    /// The landscape of an instance, with prices that share a cell's cost evenly.
    pub(crate) fn new(instance: &Instance) -> Self {
        let system = instance.problem.system();
        let mut members = vec![Vec::new(); system.equation_count()];
        let mut lines = Vec::with_capacity(instance.sensitive.len());
        let mut free = Vec::new();
        for (position, sensitive) in instance.sensitive.iter().enumerate() {
            let open = sensitive.can_fall && sensitive.can_rise;
            if open {
                free.push(position as u32);
            }
            let equations = system.equations_of(sensitive.cell);
            lines.push(equations.map(|(e, c)| (e.0, Value::from(c))).collect::<Vec<_>>());
            for (equation, _) in system.equations_of(sensitive.cell).filter(|_| open) {
                members[equation.index()].push(position as u32);
            }
        }
        let mut dearness = vec![0.0; system.equation_count()];
        // Where nothing can balance, imbalance must vanish.
        let forbidden = 10.0 * instance.costs.iter().copied().fold(1.0, f64::max);
        for equation in system.equations().filter(|e| !members[e.index()].is_empty()) {
            let others = system.cells_of(equation).map(|(cell, _)| cell.index()).filter(|&cell| {
                let moves = instance.up[cell] > 0 || instance.down[cell] > 0;
                moves && instance.position[cell] == u32::MAX
            });
            let costs: Vec<f64> = others.map(|cell| instance.costs[cell]).collect();
            let mean = costs.iter().sum::<f64>() / costs.len() as f64;
            dearness[equation.index()] = if costs.is_empty() { forbidden } else { mean };
        }
        let (group_of, groups) = groups(instance, &dearness);
        let preference = instance.sensitive.iter().map(|sensitive| {
            instance.costs[sensitive.cell.index()] * (sensitive.rise - sensitive.fall) as f64
        });
        let mut landscape = Self {
            lines,
            members,
            amounts: instance.sensitive.iter().map(|s| (s.fall, s.rise)).collect(),
            preference: preference.collect(),
            free,
            prices: dearness.clone(),
            dearness,
            group_of,
            groups,
        };
        landscape.even_weights();
        landscape
    }

    /// Whether no cell has a choice.
    pub(crate) fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Gives all groups of a block the same weight.
    pub(crate) fn even_weights(&mut self) {
        self.groups.iter_mut().for_each(|group| group.weight = 1.0);
        self.normalise();
    }

    /// Moves weight to the groups of a block that are worst off: the block costs at least as
    /// much as any one of them.
    pub(crate) fn shift_weights(&mut self, state: &State) {
        let sums = self.sums(state);
        let blocks = self.groups.iter().map(|group| group.block + 1).max().unwrap_or(0);
        let mut means = vec![(0.0, 0.0); blocks];
        for (group, sum) in self.groups.iter().zip(&sums) {
            means[group.block].0 += sum;
            means[group.block].1 += 1.0;
        }
        for (group, sum) in self.groups.iter_mut().zip(&sums) {
            let (total, count) = means[group.block];
            if total > 0.0 {
                group.weight *= (sum * count / total).max(0.01).powf(SHIFT);
            }
        }
        self.normalise();
    }

    fn normalise(&mut self) {
        let blocks = self.groups.iter().map(|group| group.block + 1).max().unwrap_or(0);
        let mut totals = vec![0.0; blocks];
        self.groups.iter().for_each(|group| totals[group.block] += group.weight);
        for group in &mut self.groups {
            group.weight *= group.share / totals[group.block];
        }
        self.set_prices();
    }

    fn set_prices(&mut self) {
        for (line, price) in self.prices.iter_mut().enumerate() {
            *price = match self.dearness[line] > 0.0 {
                true => self.dearness[line] * self.groups[self.group_of[line]].weight,
                false => 0.0,
            };
        }
    }

    /// The state of given directions.
    pub(crate) fn state(&self, directions: &[Direction]) -> State {
        let mut nets = vec![0; self.prices.len()];
        let mut cost = 0.0;
        for (position, direction) in directions.iter().enumerate() {
            let (fall, rise) = self.amounts[position];
            let by = if *direction == Direction::Up { rise } else { -fall };
            self.lines[position].iter().for_each(|&(line, c)| nets[line as usize] += c * by);
            cost += if *direction == Direction::Up { self.preference[position] } else { 0.0 };
        }
        cost += nets.iter().zip(&self.prices).map(|(n, p)| n.abs() as f64 * p).sum::<f64>();
        State { directions: directions.to_vec(), nets, cost }
    }

    /// What the imbalances of a state cost at least: of every block its worst group. What is
    /// left out is no block of its own: the same movements may balance it.
    pub(crate) fn least(&self, state: &State) -> f64 {
        let mut worst = Vec::new();
        let groups = self.groups.iter().zip(self.sums(state));
        for (group, sum) in groups.filter(|(group, _)| !group.left_out) {
            worst.resize(worst.len().max(group.block + 1), 0.0_f64);
            worst[group.block] = worst[group.block].max(sum);
        }
        worst.iter().sum()
    }

    /// The imbalances of each group, before weighing.
    fn sums(&self, state: &State) -> Vec<f64> {
        let mut sums = vec![0.0; self.groups.len()];
        for (line, net) in state.nets.iter().enumerate() {
            if self.dearness[line] > 0.0 {
                sums[self.group_of[line]] += self.dearness[line] * net.abs() as f64;
            }
        }
        sums
    }

    /// Flips a cell and gives the change of cost.
    fn flip(&self, state: &mut State, position: u32) -> f64 {
        let index = position as usize;
        let (fall, rise) = self.amounts[index];
        let (by, mut change) = match state.directions[index] {
            Direction::Up => (-(fall + rise), -self.preference[index]),
            Direction::Down => (fall + rise, self.preference[index]),
        };
        for &(line, coefficient) in &self.lines[index] {
            let net = &mut state.nets[line as usize];
            let after = *net + coefficient * by;
            change += self.prices[line as usize] * (after.abs() - net.abs()) as f64;
            *net = after;
        }
        state.directions[index] = state.directions[index].opposite();
        change
    }

    /// Anneals from one temperature down to another in so many moves; gives the best state
    /// met.
    pub(crate) fn anneal(
        &self,
        state: &mut State,
        random: &mut Random,
        (hot, cold): (f64, f64),
        moves: u64,
        stop: &dyn Fn() -> bool,
    ) -> State {
        let mut best = state.clone();
        if self.free.is_empty() {
            return best;
        }
        let cooling = (cold / hot).powf(1.0 / (moves as f64 / 256.0).max(1.0));
        let mut temperature = hot;
        for step in 0..moves {
            if step % 256 == 0 {
                temperature *= cooling;
            }
            if step % 65_536 == 65_535 && stop() {
                break;
            }
            let first = self.free[random.below(self.free.len())];
            let mut change = self.flip(state, first);
            // Half of the moves flip a neighbour as well: most flips alone only shift imbalance.
            let lines = &self.lines[first as usize];
            let second = (!lines.is_empty() && random.chance(0.5)).then(|| {
                let members = &self.members[lines[random.below(lines.len())].0 as usize];
                members[random.below(members.len())]
            });
            let second = second.filter(|&other| other != first);
            if let Some(other) = second {
                change += self.flip(state, other);
            }
            if change <= 0.0 || random.uniform() < (-change / temperature).exp() {
                state.cost += change;
                if state.cost < best.cost - GAIN {
                    best.clone_from(state);
                }
            } else {
                self.flip(state, first);
                if let Some(other) = second {
                    self.flip(state, other);
                }
            }
        }
        best
    }

    /// The mean amount of a flip: a measure for temperatures.
    pub(crate) fn scale(&self) -> f64 {
        let of = |&position: &u32| {
            let (fall, rise) = self.amounts[position as usize];
            let lines = &self.lines[position as usize];
            let price: f64 = lines.iter().map(|&(line, _)| self.prices[line as usize]).sum();
            (fall + rise) as f64 * price
        };
        self.free.iter().map(of).sum::<f64>() / self.free.len().max(1) as f64
    }
}

/// Groups of equations: without the smallest class (if there are more than two) a table
/// falls into blocks, and a group is a class within a block. What is left out weighs as much
/// as its share of all equations: a direction well chosen gains as much on any of them.
fn groups(instance: &Instance, dearness: &[f64]) -> (Vec<usize>, Vec<Group>) {
    let mut classes = classes_of(instance.problem);
    classes.retain(|class| class.iter().any(|equation| dearness[equation.index()] > 0.0));
    classes.sort_by_key(|class| std::cmp::Reverse(class.len()));
    let mut class_of = vec![usize::MAX; dearness.len()];
    for (number, class) in classes.iter().enumerate() {
        class.iter().for_each(|equation| class_of[equation.index()] = number);
    }
    let left_out = (classes.len() > 2).then(|| classes.len() - 1);
    let without: Vec<bool> = class_of.iter().map(|&class| Some(class) == left_out).collect();
    let blocks = blocks_of(instance.problem, &without);
    let mut group_of = vec![0; dearness.len()];
    let mut groups = Vec::new();
    let count = |class: &Vec<EquationId>| {
        class.iter().filter(|equation| dearness[equation.index()] > 0.0).count() as f64
    };
    let all = classes.iter().map(count).sum::<f64>().max(1.0);
    let weight_left_out = left_out.map_or(0.0, |class| count(&classes[class]) / all);
    let share = 1.0 - weight_left_out;
    let mut number = 0;
    for block in blocks {
        let mut here: Vec<(usize, usize)> = Vec::new();
        for equation in block.iter().filter(|equation| dearness[equation.index()] > 0.0) {
            let class = class_of[equation.index()];
            let known = here.iter().find(|known| known.0 == class).map(|known| known.1);
            let group = known.unwrap_or_else(|| {
                here.push((class, groups.len()));
                groups.push(Group { block: number, share, weight: 1.0, left_out: false });
                groups.len() - 1
            });
            group_of[equation.index()] = group;
        }
        number += usize::from(!here.is_empty());
    }
    if left_out.is_some() {
        let share = weight_left_out;
        groups.push(Group { block: number, share, weight: 1.0, left_out: true });
        for (equation, _) in without.iter().enumerate().filter(|(_, left)| **left) {
            group_of[equation] = groups.len() - 1;
        }
    }
    (group_of, groups)
}
