//! The least weighted sum of absolute values that keeps a system balanced, for systems too large
//! for the simplex and interior-point methods:
//!
//! ```text
//! minimise  Σ costᵢ·|xᵢ|   subject to   A x = 0,   lower ≤ x ≤ upper
//! ```
//!
//! A first-order method: the primal-dual hybrid gradient of chambolle-2011 with the
//! diagonal steps of pock-2011, its reflected Halpern iteration with restarts (lu-2024) and the
//! balance of primal and dual steps set anew at each restart (lu-2025). It multiplies by the matrix
//! and adds up, no more: with 100,000 columns an iteration takes a millisecond, and thousands of
//! iterations give three or four digits, where a simplex method would take as many pivots as there
//! are rows several times over. Costs of absolute values need no columns for both signs: their
//! proximal step is a shrinkage, which leaves most columns at exactly zero.
//!
//! Columns at zero whose price is far from their cost are passed over and looked at again from
//! time to time, as in column generation. Columns lie in pieces that depend on the program alone,
//! each with sums of its own that are added in order, so the number of threads changes nothing.

use rayon::prelude::*;

use crate::{Order, SparseMatrix};

/// Iterations between two looks at how far it has come and at the columns passed over.
const CHECKED: u32 = 64;

/// Steps as a share of the longest that is known to converge.
const STEP: f64 = 0.998;

/// A restart when what an iteration moves has fallen to this share of what it was after the last
/// one, to this one and is rising again, or after this share of all iterations.
const RESTART_SUFFICIENT: f64 = 0.2;
const RESTART_NECESSARY: f64 = 0.8;
const RESTART_LONG: f64 = 0.36;

/// How far the balance of primal and dual steps goes, at a restart, to what the last one asks for.
const REBALANCED: f64 = 0.99;

/// A column at zero is passed over while its price is below the first share of its cost, and
/// taken in again when it is above the second.
const PASSED_OVER: f64 = 0.7;
const TAKEN_IN: f64 = 0.95;

/// What columns that cannot be at zero cost at this share of the mean cost is next to nothing.
const LITTLE: f64 = 1e-3;

/// Columns that one thread works on at a time.
const PIECE: usize = 32_768;

/// The columns of a system, ready for programs with other costs and bounds.
#[derive(Debug, Clone)]
pub struct FirstOrder<'a> {
    rows: usize,
    columns: SparseMatrix<'a>,
    /// The longest steps: one over the sum of absolute entries.
    column_steps: Vec<f64>,
    row_steps: Vec<f64>,
}

/// What is asked of a system: cost and bounds of every column. Costs are not negative and bounds
/// are finite.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// What the absolute value of a column costs.
    pub costs: &'a [f64],
    /// The least value of a column.
    pub lower: &'a [f64],
    /// The greatest value of a column.
    pub upper: &'a [f64],
}

/// When it is enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// The imbalance `|A x|`, as a share of that with all columns as near to zero as their bounds
    /// allow.
    pub imbalance: f64,
    /// The gap between the objective and what the multipliers prove, as a share of both, or of
    /// what the columns that cannot be at zero would cost at a thousandth of the mean cost: the
    /// optimum may be zero.
    pub gap: f64,
    /// Iterations at most.
    pub iterations: u32,
}

/// Where it came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The values of the columns, inside their bounds.
    pub values: Vec<f64>,
    /// The multipliers of the rows.
    pub multipliers: Vec<f64>,
    /// Whether the aim was reached.
    pub reached: bool,
    /// Iterations.
    pub iterations: u32,
}

impl<'a> FirstOrder<'a> {
    /// Prepares a matrix given by columns.
    ///
    /// # Panics
    /// If it is given by rows, or has entries outside of `rows`.
    pub fn new(rows: usize, columns: SparseMatrix<'a>) -> Self {
        assert!(columns.order == Order::Columns, "a matrix by columns");
        let count = columns.starts.len() - 1;
        let mut row_sums = vec![0.0; rows];
        let column_sums = (0..count).map(|column| {
            let entries = entries(&columns, column);
            entries
                .map(|(row, value)| {
                    row_sums[row] += value.abs();
                    value.abs()
                })
                .sum::<f64>()
        });
        // A column without entries goes where its cost takes it.
        let column_steps = column_sums.map(|sum| if sum > 0.0 { 1.0 / sum } else { 1.0 }).collect();
        let row_steps = row_sums.into_iter().map(inverse).collect();
        Self { rows, columns, column_steps, row_steps }
    }

    /// Solves a program from a starting point, or from zero, as far as the aim asks or until
    /// `stopped`.
    pub fn solve(
        &self,
        program: &Program,
        start: Option<&[f64]>,
        aim: Aim,
        stopped: &dyn Fn() -> bool,
    ) -> Found {
        Run::new(self, program, start).to(aim, stopped)
    }

    fn column_count(&self) -> usize {
        self.column_steps.len()
    }

    /// `A x`.
    fn product(&self, values: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.rows];
        for (column, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            entries(&self.columns, column).for_each(|(row, entry)| product[row] += entry * value);
        }
        product
    }

    /// `Aᵀ λ` of one column.
    fn price(&self, column: usize, multipliers: &[f64]) -> f64 {
        entries(&self.columns, column).map(|(row, entry)| entry * multipliers[row]).sum()
    }
}

fn entries<'m>(
    columns: &SparseMatrix<'m>,
    column: usize,
) -> impl Iterator<Item = (usize, f64)> + use<'m> {
    let range = columns.starts[column] as usize..columns.starts[column + 1] as usize;
    let rows = columns.indices[range.clone()].iter().map(|&row| row as usize);
    rows.zip(columns.values[range].iter().copied())
}

fn inverse(sum: f64) -> f64 {
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}

/// The value inside bounds that is nearest to another.
fn inside(value: f64, lower: f64, upper: f64) -> f64 {
    value.max(lower).min(upper)
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// The Halpern iteration of one program.
struct Run<'a> {
    system: &'a FirstOrder<'a>,
    program: Program<'a>,
    pieces: Vec<Piece>,
    /// Whether a column is in a piece; of the others all values are zero.
    taken: Vec<bool>,
    multipliers: Track,
    /// `A x`, of every point that multipliers are kept of.
    product: Track,
    /// What primal steps are divided by and dual ones multiplied with.
    balance: f64,
    /// The imbalance with all columns as near to zero as their bounds allow.
    scale: f64,
    /// An objective that is next to nothing.
    little: f64,
}

/// A vector at the present point, at the point it was last restarted from, and at the image of
/// the present point.
struct Track {
    present: Vec<f64>,
    anchor: Vec<f64>,
    image: Vec<f64>,
}

impl Track {
    fn new(present: Vec<f64>) -> Self {
        Self { anchor: present.clone(), image: present.clone(), present }
    }

    /// To the reflected image, and a little back to the anchor.
    fn advance(&mut self, forward: f64) {
        let (images, anchors) = (self.image.iter(), self.anchor.iter());
        for ((present, image), anchor) in self.present.iter_mut().zip(images).zip(anchors) {
            *present = halpern(*present, *image, *anchor, forward);
        }
    }

    fn restart(&mut self) {
        self.present.copy_from_slice(&self.image);
        self.anchor.copy_from_slice(&self.image);
    }
}

/// The next point of the reflected Halpern iteration.
fn halpern(present: f64, image: f64, anchor: f64, forward: f64) -> f64 {
    forward * (2.0 * image - present) + (1.0 - forward) * anchor
}

/// Some columns, one after the other in memory, with sums of their own.
#[derive(Default)]
struct Piece {
    columns: Vec<u32>,
    starts: Vec<u32>,
    rows: Vec<u32>,
    entries: Vec<f64>,
    costs: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    steps: Vec<f64>,
    present: Vec<f64>,
    anchor: Vec<f64>,
    image: Vec<f64>,
    /// `A x` of the images.
    sums: Vec<f64>,
    /// The square of what the last iteration moved, in the norm of the steps.
    moved: f64,
}

impl Piece {
    fn push(&mut self, system: &FirstOrder, program: &Program, column: usize, value: [f64; 3]) {
        for (row, entry) in entries(&system.columns, column) {
            self.rows.push(row as u32);
            self.entries.push(entry);
        }
        self.columns.push(column as u32);
        self.starts.push(self.rows.len() as u32);
        self.costs.push(program.costs[column]);
        self.lower.push(program.lower[column]);
        self.upper.push(program.upper[column]);
        self.steps.push(system.column_steps[column]);
        let [present, anchor, image] = value;
        self.present.push(present);
        self.anchor.push(anchor);
        self.image.push(image);
    }

    /// The image of the present point, after an advance if there is one to be made.
    fn step(&mut self, forward: Option<f64>, multipliers: &[f64], length: f64) {
        self.sums.fill(0.0);
        self.moved = 0.0;
        let mut first = 0;
        for place in 0..self.columns.len() {
            let last = self.starts[place] as usize;
            let (rows, entries) = (&self.rows[first..last], &self.entries[first..last]);
            first = last;
            let mut present = self.present[place];
            if let Some(forward) = forward {
                present = halpern(present, self.image[place], self.anchor[place], forward);
                self.present[place] = present;
            }
            let mut price = 0.0;
            for (&row, entry) in rows.iter().zip(entries) {
                price += entry * multipliers[row as usize];
            }
            let step = length * self.steps[place];
            let image = shrunk(present - step * price, step * self.costs[place]);
            let image = inside(image, self.lower[place], self.upper[place]);
            self.image[place] = image;
            let change = image - present;
            self.moved += change * change / self.steps[place];
            if image != 0.0 {
                for (&row, entry) in rows.iter().zip(entries) {
                    self.sums[row as usize] += entry * image;
                }
            }
        }
    }

    fn restart(&mut self) {
        self.present.copy_from_slice(&self.image);
        self.anchor.copy_from_slice(&self.image);
    }
}

/// A value moved towards zero.
fn shrunk(value: f64, by: f64) -> f64 {
    if value > by {
        value - by
    } else if value < -by {
        value + by
    } else {
        0.0
    }
}

/// How far a point is from the aim.
struct Standing {
    imbalance: f64,
    gap: f64,
}

impl<'a> Run<'a> {
    fn new(system: &'a FirstOrder<'a>, program: &Program<'a>, start: Option<&[f64]>) -> Self {
        let count = system.column_count();
        let rest: Vec<f64> = (0..count)
            .map(|column| inside(0.0, program.lower[column], program.upper[column]))
            .collect();
        let values: Vec<f64> = match start {
            Some(start) => (0..count)
                .map(|column| inside(start[column], program.lower[column], program.upper[column]))
                .collect(),
            None => rest.clone(),
        };
        let by_steps = |sum: f64, column: usize, value: f64| -> f64 {
            sum + value * value / system.column_steps[column]
        };
        let asked =
            rest.iter().enumerate().fold(0.0, |sum, (column, &value)| by_steps(sum, column, value));
        let costs = (program.costs.iter().enumerate())
            .fold(0.0, |sum, (column, cost)| sum + cost * cost * system.column_steps[column]);
        let balance = if asked > 0.0 && costs > 0.0 { (costs / asked).sqrt() } else { 1.0 };
        let mean = program.costs.iter().sum::<f64>() / count.max(1) as f64;
        let mut run = Self {
            system,
            program: *program,
            pieces: Vec::new(),
            taken: vec![false; count],
            multipliers: Track::new(vec![0.0; system.rows]),
            product: Track::new(system.product(&values)),
            balance,
            scale: norm(&system.product(&rest)),
            little: LITTLE * mean * rest.iter().map(|value| value.abs()).sum::<f64>(),
        };
        let can_move = |column: usize| program.lower[column] < program.upper[column];
        let wanted = |column: usize| {
            values[column] != 0.0 || (program.costs[column] == 0.0 && can_move(column))
        };
        let wanted: Vec<usize> = (0..count).filter(|&column| wanted(column)).collect();
        run.lay_out(wanted.into_iter().map(|column| (column, [values[column]; 3])).collect());
        run
    }

    /// Lays these columns, with their values at the present point, the anchor and the image, out
    /// in pieces.
    fn lay_out(&mut self, columns: Vec<(usize, [f64; 3])>) {
        self.taken.fill(false);
        columns.iter().for_each(|&(column, _)| self.taken[column] = true);
        let piece = |columns: &[(usize, [f64; 3])]| {
            let mut piece = Piece { sums: vec![0.0; self.system.rows], ..Piece::default() };
            for &(column, values) in columns {
                piece.push(self.system, &self.program, column, values);
            }
            piece
        };
        self.pieces = columns.chunks(PIECE).map(piece).collect();
    }

    /// Iterates as far as the aim asks.
    fn to(mut self, aim: Aim, stopped: &dyn Fn() -> bool) -> Found {
        let (mut since, mut first, mut before) = (0_u32, 0.0, f64::INFINITY);
        let mut forward = None;
        let mut iterations = 0;
        let mut reached = self.scale == 0.0;
        while !reached && iterations < aim.iterations {
            let moved = self.iterate(forward);
            iterations += 1;
            if since == 0 {
                first = moved;
            }
            let is_long = f64::from(since) >= RESTART_LONG * f64::from(iterations);
            let is_restart = since > 0
                && (moved <= RESTART_SUFFICIENT * first
                    || (moved <= RESTART_NECESSARY * first && moved > before)
                    || is_long);
            if is_restart || iterations.is_multiple_of(CHECKED) {
                let standing = self.check(is_restart);
                reached = standing.imbalance <= aim.imbalance && standing.gap <= aim.gap;
                if stopped() {
                    break;
                }
            }
            if is_restart && !reached {
                self.restart();
                (since, before, forward) = (0, f64::INFINITY, None);
            } else {
                let weight = f64::from(since + 1) / f64::from(since + 2);
                self.multipliers.advance(weight);
                self.product.advance(weight);
                (since, before, forward) = (since + 1, moved, Some(weight));
            }
        }
        let mut values = vec![0.0; self.system.column_count()];
        for piece in &self.pieces {
            for (&column, &value) in piece.columns.iter().zip(&piece.image) {
                values[column as usize] = value;
            }
        }
        Found { values, multipliers: self.multipliers.image, reached, iterations }
    }

    /// The image of the present point; says how far that is, in the norm in which the iteration
    /// does not expand.
    fn iterate(&mut self, forward: Option<f64>) -> f64 {
        let (multipliers, length) = (&self.multipliers.present, STEP / self.balance);
        self.pieces.par_iter_mut().for_each(|piece| piece.step(forward, multipliers, length));
        self.product.image.fill(0.0);
        for piece in &self.pieces {
            for (sum, part) in self.product.image.iter_mut().zip(&piece.sums) {
                *sum += part;
            }
        }
        let (mut dual, mut across) = (0.0, 0.0);
        let rows = self.system.row_steps.iter().zip(&self.product.image).zip(&self.product.present);
        let multipliers = self.multipliers.image.iter_mut().zip(&self.multipliers.present);
        for (((&step, image), present), (next, now)) in rows.zip(multipliers) {
            let change = STEP * self.balance * step * (2.0 * image - present);
            *next = now + change;
            if step > 0.0 {
                dual += change * change / step;
            }
            across += change * (image - present);
        }
        let primal: f64 = self.pieces.iter().map(|piece| piece.moved).sum();
        let square = primal * self.balance / STEP + dual / (self.balance * STEP) - 2.0 * across;
        square.max(0.0).sqrt()
    }

    /// How far the image is from the aim. Takes columns in that have become worth it and, before
    /// a restart, leaves those out that are not.
    fn check(&mut self, is_restart: bool) -> Standing {
        let (system, program) = (self.system, &self.program);
        let multipliers = &self.multipliers.image;
        // The objective, and the least that any point has at these multipliers.
        let (mut objective, mut least) = (0.0, 0.0);
        let mut columns: Vec<(usize, [f64; 3])> = Vec::new();
        let mut left_out = 0;
        for piece in &self.pieces {
            for (place, &column) in piece.columns.iter().enumerate() {
                let column = column as usize;
                let price = system.price(column, multipliers);
                let values = [piece.present[place], piece.anchor[place], piece.image[place]];
                objective += program.costs[column] * values[2].abs();
                least += least_of(program, column, price);
                let is_idle = values[2] == 0.0 && price.abs() < PASSED_OVER * program.costs[column];
                match is_restart && is_idle {
                    true => left_out += 1,
                    false => columns.push((column, values)),
                }
            }
        }
        let known = columns.len();
        let others = (0..system.column_count()).into_par_iter().filter_map(|column| {
            let can_move = program.lower[column] < program.upper[column];
            let is_new = !self.taken[column] && can_move && {
                let price = system.price(column, multipliers);
                price.abs() > TAKEN_IN * program.costs[column]
            };
            is_new.then_some(column)
        });
        let others: Vec<usize> = others.collect();
        for column in others {
            least += least_of(program, column, system.price(column, multipliers));
            columns.push((column, [0.0; 3]));
        }
        if columns.len() > known || left_out > known / 8 {
            columns.sort_unstable_by_key(|&(column, _)| column);
            self.lay_out(columns);
        }
        let of = (objective.abs() + least.abs()).max(self.little).max(f64::MIN_POSITIVE);
        let gap = (objective - least).abs() / of;
        Standing { imbalance: norm(&self.product.image) / self.scale, gap }
    }

    /// Goes on from the image, with primal and dual steps balanced by how far each has come.
    fn restart(&mut self) {
        let steps = &self.system.row_steps;
        let (mut primal, mut dual) = (0.0, 0.0);
        for piece in &self.pieces {
            for (place, image) in piece.image.iter().enumerate() {
                primal += (image - piece.anchor[place]).powi(2) / piece.steps[place];
            }
        }
        let track = &self.multipliers;
        for ((step, image), anchor) in steps.iter().zip(&track.image).zip(&track.anchor) {
            if *step > 0.0 {
                dual += (image - anchor).powi(2) / step;
            }
        }
        if primal > 0.0 && dual > 0.0 {
            let wanted = (dual / primal).sqrt();
            self.balance *= (wanted / self.balance).powf(REBALANCED);
        }
        self.multipliers.restart();
        self.product.restart();
        self.pieces.iter_mut().for_each(Piece::restart);
    }
}

/// The least of `cost·|x| + price·x` between the bounds of a column.
fn least_of(program: &Program, column: usize, price: f64) -> f64 {
    let (cost, lower, upper) =
        (program.costs[column], program.lower[column], program.upper[column]);
    let at = |value: f64| cost * value.abs() + price * value;
    let rest = at(inside(0.0, lower, upper));
    match price {
        price if price > cost => at(lower).min(rest),
        price if price < -cost => at(upper).min(rest),
        _ => rest,
    }
}
