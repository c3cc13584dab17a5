//! Movements that prove many primaries at once, for systems too large for simplex.
//!
//! In sparse k-way tables no small movement exists: a random 3-D pattern with 10 % of
//! its cells hidden has no circuits but those of thousands of cells. On the other hand
//! one large movement proves hundreds of primaries. It is found by a primal barrier
//! method: minimise
//!
//! ```text
//! Σ_claims ½·max(0, 1 + margin − y_p/required_p)²  −  μ Σ_cells [ln(y − lower) + ln(upper − y)]
//! ```
//!
//! subject to `M y = 0` by Newton steps, whose equations `M H⁻¹ Mᵀ λ = …` are solved by
//! conjugate gradients without ever forming the matrix. The optimum is not needed: any
//! interior point that moves its primaries far enough will do, so the method stops long
//! before it becomes ill-conditioned. Sequential and in a fixed order, so the result is
//! the same on every run.

use quell_model::Value;

use crate::proof::ledger::Claim;
use crate::tolerance::{CENTRED, SMALLEST_NORM};
use crate::view::View;

/// How far beyond its distance a claim aims, so that rounding to an exact movement does not
/// fall short.
const MARGIN: f64 = 0.02;

/// Barrier weights, falling.
const BARRIER_WEIGHTS: [f64; 9] = [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5];

/// Further weights for the extreme movement of one cell, where limits are wanted too:
/// the multipliers then overestimate it by about the weight times twice the cells.
const EXTREME_WEIGHTS: [f64; 6] = [1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8];

/// Newton steps per barrier weight.
const NEWTON_STEPS: usize = 3;

/// Newton steps for a movement inside the rooms. Most that there are take fewer than the first
/// number; where the rooms leave hardly an inside it may take more.
pub(crate) const CENTRING_STEPS: usize = 24;
pub(crate) const PATIENT_CENTRING_STEPS: usize = 80;

/// How well the equations of a Newton step are solved.
#[derive(Clone, Copy)]
struct Accuracy {
    /// Relative to the right-hand side.
    relative: f64,
    /// Conjugate gradient steps, at most.
    steps: usize,
}

/// For movements that need not be optimal.
const QUICK: Accuracy = Accuracy { relative: 1e-7, steps: 200 };

/// To take out the imbalances that quick steps leave.
const CAREFUL: Accuracy = Accuracy { relative: 1e-9, steps: 200 };

/// For movements that have little to spare.
const FINE: Accuracy = Accuracy { relative: 1e-10, steps: 3_000 };

/// How often imbalances are taken out at the end.
const RESTORATIONS: usize = 2;

/// The share of the way to the boundary that a step may go.
const TO_BOUNDARY: f64 = 0.9;

/// A guess at the boundary is moved off by this share of the room.
const OFF_BOUNDARY: f64 = 0.01;

/// No movement near a guess goes further.
const LARGEST_ROOM: Value = 1 << 60;

/// A room without limit, as a multiple of the largest limited room.
const UNLIMITED: f64 = 1e3;

/// What a run of the method leaves.
pub(crate) struct Interior {
    /// The movement, one number for each cell, in units; it keeps the equations to within rounding.
    pub(crate) movement: Vec<f64>,
    /// The multipliers of the equations.
    pub(crate) multipliers: Vec<f64>,
}

/// A view prepared for the method.
pub(crate) struct Barrier<'a> {
    hidden: &'a View,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl<'a> Barrier<'a> {
    /// Prepares `hidden`. A cell that could move one way only, away from its true value,
    /// stays there: there is no interior around it.
    pub(crate) fn new(hidden: &'a View) -> Self {
        let rooms = hidden.down.iter().chain(&hidden.up).filter(|&&room| room != Value::MAX);
        let unlimited = rooms.max().map_or(1.0, |&room| room as f64) * UNLIMITED;
        let limit = |room: Value| if room == Value::MAX { unlimited } else { room as f64 };
        let bounds = (0..hidden.len()).map(|cell| match (hidden.down[cell], hidden.up[cell]) {
            (0, _) | (_, 0) => (0.0, 0.0),
            (down, up) => (-limit(down), limit(up)),
        });
        let (lower, upper) = bounds.unzip();
        Self { hidden, lower, upper }
    }

    /// Prepares `hidden` for movements near a guess, with the guess as near to it as is inside.
    /// A cell that could move one way only may do so if the guess moves it.
    pub(crate) fn near(hidden: &'a View, guess: &[f64]) -> (Self, Vec<f64>) {
        let mut barrier = Self::new(hidden);
        let mut start = guess.to_vec();
        for (cell, start) in start.iter_mut().enumerate() {
            let (lower, upper) = (&mut barrier.lower[cell], &mut barrier.upper[cell]);
            if *start != 0.0 {
                let limit = |room: Value| room.min(LARGEST_ROOM) as f64;
                (*lower, *upper) = (-limit(hidden.down[cell]), limit(hidden.up[cell]));
            }
            let off = OFF_BOUNDARY * (*upper - *lower);
            *start = start.clamp(*lower + off, *upper - off);
        }
        (barrier, start)
    }

    /// The starting point: the true table where it is inside the bounds, else as near to
    /// it as the middle half of the bounds goes.
    pub(crate) fn start(&self) -> Vec<f64> {
        let bounds = self.lower.iter().zip(&self.upper);
        bounds
            .map(|(lower, upper)| {
                let quarter = (upper - lower) / 4.0;
                if *lower < 0.0 && 0.0 < *upper {
                    0.0
                } else {
                    0.0_f64.clamp(lower + quarter, upper - quarter)
                }
            })
            .collect()
    }

    /// A movement that proves as many of the claims as it can.
    pub(crate) fn prove(&self, claims: &[Claim], cancelled: impl Fn() -> bool) -> Interior {
        let cells = self.hidden.len();
        let mut targets = vec![(0.0, 0.0); cells];
        for claim in claims {
            let distance = claim.requirement.distance as f64;
            let goal = claim.requirement.direction.sign() as f64 * distance * (1.0 + MARGIN);
            targets[claim.place as usize] = (goal, 1.0 / (distance * distance));
        }
        let mut movement = self.start();
        let mut newton = Newton::new(self, Aim::Goals(targets));
        'weights: for weight in BARRIER_WEIGHTS {
            for _ in 0..NEWTON_STEPS {
                if cancelled() {
                    break 'weights;
                }
                if newton.step(&mut movement, weight, QUICK).gain < CENTRED * weight {
                    break;
                }
            }
        }
        movement = newton.restored(&movement, CAREFUL);
        Interior { movement, multipliers: newton.multipliers }
    }

    /// Some movement well inside the rooms, where zero may be outside: plain centring from a
    /// starting point, until full Newton steps have taken every imbalance out, or so many steps
    /// were taken.
    pub(crate) fn inside(
        &self,
        start: Vec<f64>,
        most: usize,
        cancelled: impl Fn() -> bool,
    ) -> Interior {
        let mut movement = start;
        let mut newton = Newton::new(self, Aim::Goals(vec![(0.0, 0.0); self.hidden.len()]));
        let mut full_steps = 0;
        for _ in 0..most {
            if cancelled() || full_steps == 2 {
                break;
            }
            let taken = newton.step(&mut movement, 1.0, FINE);
            full_steps = if taken.length == 1.0 { full_steps + 1 } else { 0 };
        }
        let left = newton.imbalance(&movement);
        let restored = newton.restored(&movement, FINE);
        if size(&newton.imbalance(&restored)) < size(&left) {
            movement = restored;
        }
        Interior { movement, multipliers: newton.multipliers }
    }

    /// The movement that takes one cell as far as its claim, or as far as it goes; then
    /// the multipliers, scaled to the movement of the cell itself, limit it.
    pub(crate) fn extreme(&self, claim: &Claim, cancelled: impl Fn() -> bool) -> Interior {
        let distance = claim.requirement.distance as f64;
        let cell = claim.place as usize;
        let slope = claim.requirement.direction.sign() as f64 / distance;
        let mut movement = self.start();
        let mut newton = Newton::new(self, Aim::Far { cell, slope });
        'weights: for weight in BARRIER_WEIGHTS.into_iter().chain(EXTREME_WEIGHTS) {
            for _ in 0..NEWTON_STEPS {
                if cancelled() || movement[cell] * slope >= 1.0 + MARGIN {
                    break 'weights;
                }
                if newton.step(&mut movement, weight, QUICK).gain < CENTRED * weight {
                    break;
                }
            }
        }
        movement = newton.restored(&movement, CAREFUL);
        let multipliers = newton.multipliers.iter().map(|&value| value * distance).collect();
        Interior { movement, multipliers }
    }
}

/// What a movement is for.
enum Aim {
    /// Per cell: its goal and the weight of missing it.
    Goals(Vec<(f64, f64)>),
    /// One cell as far as possible, worth `slope` a unit.
    Far { cell: usize, slope: f64 },
}

impl Aim {
    /// The slope and curvature of what is still missing at a cell.
    fn missing(&self, cell: usize, movement: f64) -> (f64, f64) {
        match self {
            Self::Goals(goals) => {
                let (goal, miss) = goals[cell];
                let short = goal - movement;
                if miss > 0.0 && short * goal > 0.0 { (miss * short, miss) } else { (0.0, 0.0) }
            }
            Self::Far { cell: far, slope } if *far == cell => (*slope, 0.0),
            Self::Far { .. } => (0.0, 0.0),
        }
    }
}

/// A Newton step that was taken.
struct Step {
    /// How much it promised to gain.
    gain: f64,
    /// Which share of it was taken; 1 removes all imbalance.
    length: f64,
}

/// The Newton iteration with its work space.
struct Newton<'a, 'b> {
    barrier: &'b Barrier<'a>,
    aim: Aim,
    multipliers: Vec<f64>,
    gradient: Vec<f64>,
    inverse_curvature: Vec<f64>,
    step: Vec<f64>,
}

impl<'a, 'b> Newton<'a, 'b> {
    fn new(barrier: &'b Barrier<'a>, aim: Aim) -> Self {
        let (cells, equations) = (barrier.hidden.len(), barrier.hidden.equation_count());
        Self {
            barrier,
            aim,
            multipliers: vec![0.0; equations],
            gradient: vec![0.0; cells],
            inverse_curvature: vec![0.0; cells],
            step: vec![0.0; cells],
        }
    }

    /// One damped Newton step.
    fn step(&mut self, movement: &mut [f64], weight: f64, accuracy: Accuracy) -> Step {
        let Barrier { hidden, lower, upper } = self.barrier;
        for cell in 0..movement.len() {
            if lower[cell] >= upper[cell] {
                continue;
            }
            let (fall, rise) = (movement[cell] - lower[cell], upper[cell] - movement[cell]);
            let mut gradient = weight * (1.0 / rise - 1.0 / fall);
            let mut curvature = weight * (1.0 / (rise * rise) + 1.0 / (fall * fall));
            let (slope, bend) = self.aim.missing(cell, movement[cell]);
            gradient -= slope;
            curvature += bend;
            self.gradient[cell] = gradient;
            self.inverse_curvature[cell] = 1.0 / curvature;
        }
        // M H⁻¹ Mᵀ λ = M (y − H⁻¹ g), then dy = −H⁻¹ (g + Mᵀ λ).
        let mut right = vec![0.0; self.multipliers.len()];
        for (equation, right) in right.iter_mut().enumerate() {
            for &(cell, coefficient) in hidden.cells_of(equation) {
                let cell = cell as usize;
                let wanted = movement[cell] - self.inverse_curvature[cell] * self.gradient[cell];
                *right += f64::from(coefficient) * wanted;
            }
        }
        conjugate_gradients(
            hidden,
            &self.inverse_curvature,
            &right,
            &mut self.multipliers,
            accuracy,
        );
        let mut decrement = 0.0;
        let mut length = 1.0_f64;
        for cell in 0..movement.len() {
            let pull: f64 = hidden
                .equations_of(cell)
                .iter()
                .map(|&(equation, c)| f64::from(c) * self.multipliers[equation as usize])
                .sum();
            let step = -self.inverse_curvature[cell] * (self.gradient[cell] + pull);
            self.step[cell] = step;
            decrement -= step * self.gradient[cell];
            let room = if step > 0.0 {
                upper[cell] - movement[cell]
            } else {
                lower[cell] - movement[cell]
            };
            if step != 0.0 {
                length = length.min(TO_BOUNDARY * room / step);
            }
        }
        for (value, step) in movement.iter_mut().zip(&self.step) {
            *value += length * step;
        }
        Step { gain: decrement, length }
    }

    /// The movement without what inexact steps have left in the equations. A cell takes the
    /// less of it the less room it has.
    fn restored(&self, movement: &[f64], accuracy: Accuracy) -> Vec<f64> {
        let Barrier { hidden, lower, upper } = self.barrier;
        let weights: Vec<f64> = (0..movement.len())
            .map(|cell| {
                let slack = (movement[cell] - lower[cell]).min(upper[cell] - movement[cell]);
                slack.powi(2)
            })
            .collect();
        let mut movement = movement.to_vec();
        for _ in 0..RESTORATIONS {
            let imbalance = self.imbalance(&movement);
            let mut pull = vec![0.0; imbalance.len()];
            conjugate_gradients(hidden, &weights, &imbalance, &mut pull, accuracy);
            for (cell, value) in movement.iter_mut().enumerate() {
                let terms = hidden.equations_of(cell).iter();
                let sum: f64 = terms.map(|&(e, c)| f64::from(c) * pull[e as usize]).sum();
                *value -= weights[cell] * sum;
            }
        }
        movement
    }

    /// What is left in each equation.
    fn imbalance(&self, movement: &[f64]) -> Vec<f64> {
        let hidden = self.barrier.hidden;
        (0..hidden.equation_count())
            .map(|equation| {
                let cells = hidden.cells_of(equation).iter();
                cells.map(|&(cell, c)| f64::from(c) * movement[cell as usize]).sum()
            })
            .collect()
    }
}

/// The largest imbalance.
fn size(imbalance: &[f64]) -> f64 {
    imbalance.iter().fold(0.0, |largest, one| largest.max(one.abs()))
}

/// Solves `M W Mᵀ x = b` from the starting point in `x`, preconditioned by the diagonal.
fn conjugate_gradients(
    hidden: &View,
    weights: &[f64],
    b: &[f64],
    x: &mut [f64],
    accuracy: Accuracy,
) {
    let equations = b.len();
    let mut across = vec![0.0; weights.len()];
    let mut multiply = |x: &[f64], result: &mut [f64]| {
        for (cell, across) in across.iter_mut().enumerate() {
            let terms = hidden.equations_of(cell).iter();
            let sum: f64 = terms.map(|&(e, c)| f64::from(c) * x[e as usize]).sum();
            *across = weights[cell] * sum;
        }
        for (equation, result) in result.iter_mut().enumerate() {
            let terms = hidden.cells_of(equation).iter();
            *result = terms.map(|&(cell, c)| f64::from(c) * across[cell as usize]).sum();
        }
    };
    let inverse_diagonal: Vec<f64> = (0..equations)
        .map(|equation| {
            let terms = hidden.cells_of(equation).iter();
            let sum: f64 = terms.map(|&(cell, c)| f64::from(c * c) * weights[cell as usize]).sum();
            if sum > 0.0 { 1.0 / sum } else { 0.0 }
        })
        .collect();
    let mut image = vec![0.0; equations];
    multiply(x, &mut image);
    let mut residual: Vec<f64> = b.iter().zip(&image).map(|(b, image)| b - image).collect();
    let precondition = |residual: &[f64]| -> Vec<f64> {
        residual.iter().zip(&inverse_diagonal).map(|(r, d)| r * d).collect()
    };
    let mut scaled = precondition(&residual);
    let mut direction = scaled.clone();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut size = dot(&residual, &scaled);
    let enough = accuracy.relative.powi(2) * dot(b, &precondition(b)).max(SMALLEST_NORM);
    for _ in 0..accuracy.steps {
        if size <= enough {
            break;
        }
        multiply(&direction, &mut image);
        let curvature = dot(&direction, &image);
        if curvature <= 0.0 {
            break;
        }
        let length = size / curvature;
        for equation in 0..equations {
            x[equation] += length * direction[equation];
            residual[equation] -= length * image[equation];
        }
        scaled = precondition(&residual);
        let next = dot(&residual, &scaled);
        let ratio = next / size;
        size = next;
        for (direction, scaled) in direction.iter_mut().zip(&scaled) {
            *direction = scaled + ratio * *direction;
        }
    }
}
