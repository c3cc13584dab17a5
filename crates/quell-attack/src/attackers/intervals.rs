//! Exact intervals: how far every hidden cell can move, by equations (3) of serpell-2013.
//!
//! Two linear programs for each cell, most of which need not be solved: where some earlier
//! solution takes a cell to the bound that unpicking gives, that bound is attained and
//! the end is settled. The rest are warm-started from one another.

use quell_model::{Budget, CellId, Direction, Pattern, Problem, Progress, Value};
use quell_solve::Error;
use rayon::prelude::*;

use crate::proof::exact;
use crate::proof::flow::{FlowAttack, Reached};
use crate::proof::ledger::SCALE;
use crate::proof::lp::{AttackerLp, Farthest};
use crate::tolerance::ATTAINED;
use crate::view::{Start, View, tighten};

/// A bound of a cell that was seen to be attained up to rounding is attained, if rounding is less than
/// this, in units.
const ATTAINED_UNITS: f64 = 1e-3;

/// Cells whose programs are chained; chunks run in parallel.
const CHUNK: usize = 512;

/// How far an attacker can push a hidden cell from its true value, in units of the
/// table; infinite without limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The cell.
    pub cell: CellId,
    /// Down to the true value minus this.
    pub down: f64,
    /// Up to the true value plus this.
    pub up: f64,
}

/// The exact intervals of all hidden cells, in order. `None` where the budget ended first.
///
/// # Errors
/// If the solver fails.
pub fn intervals(
    problem: &Problem,
    pattern: &Pattern,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Option<Vec<Interval>>, Error> {
    let mut hidden = View::new(problem, pattern);
    tighten(&mut hidden, Start::Everywhere, |_, _| ());
    progress.stage("intervals", Some(hidden.len() as u64));
    let components = hidden.components();
    let pieces: Vec<(&View, usize)> = components
        .iter()
        .flat_map(|component| {
            (0..component.len()).step_by(CHUNK).map(move |start| (component, start))
        })
        .collect();
    let run = |&(component, start): &(&View, usize)| {
        let cells = start..component.len().min(start + CHUNK);
        let found = ends(component, cells.clone(), budget);
        progress.advance(cells.len() as u64);
        found
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(budget.threads()).build();
    let found: Result<Vec<Option<Vec<Interval>>>, Error> = match pool {
        Ok(pool) => pool.install(|| pieces.par_iter().map(run).collect()),
        Err(_) => pieces.iter().map(run).collect(),
    };
    let mut all: Vec<Interval> =
        hidden.cells().iter().map(|&cell| Interval { cell, down: 0.0, up: 0.0 }).collect();
    for piece in found? {
        let Some(piece) = piece else { return Ok(None) };
        for interval in piece {
            if let Ok(position) = all.binary_search_by_key(&interval.cell, |known| known.cell) {
                all[position] = interval;
            }
        }
    }
    Ok(Some(all))
}

/// The end of the last answer of a program without its rounding: where a movement and a limit meet,
/// or, in small components, by fractions.
fn exactly(
    program: &AttackerLp<'_>,
    (cell, direction): (usize, Direction),
    budget: &Budget,
) -> Option<f64> {
    let hidden = program.hidden();
    let (certificate, limit) = program.exactly(cell, direction);
    if let (Some(certificate), Some(limit)) = (certificate, limit) {
        let amount = certificate.amount(hidden.cell(cell)).abs();
        let denominator = i128::from(certificate.denominator);
        // Limits are rounded up.
        let reach = amount.checked_mul(SCALE)?;
        if reach + denominator > limit.checked_mul(denominator)? {
            return Some(amount as f64 / denominator as f64);
        }
    }
    if !exact::is_small(hidden) {
        return None;
    }
    match exact::farthest_in(hidden, cell, direction, budget) {
        exact::Farthest::At(value, _) => value.to_f64(),
        _ => None,
    }
}

/// The intervals of some cells of a component.
fn ends(
    hidden: &View,
    cells: std::ops::Range<usize>,
    budget: &Budget,
) -> Result<Option<Vec<Interval>>, Error> {
    let interval = |cell: usize, ends: [f64; 2]| Interval {
        cell: hidden.cell(cell),
        down: ends[Direction::Down as usize],
        up: ends[Direction::Up as usize],
    };
    if let Some(mut network) = FlowAttack::new(hidden)? {
        let mut found = Vec::with_capacity(cells.len());
        for cell in cells {
            if budget.stop().is_some() {
                return Ok(None);
            }
            let mut ends = [0.0; 2];
            for direction in Direction::BOTH {
                ends[direction as usize] = match network.farthest(cell, direction, Value::MAX)?.1 {
                    Reached::Limit(limit) if limit < quell_solve::network::MAX_CAPACITY => {
                        limit as f64
                    }
                    _ => f64::INFINITY,
                };
            }
            found.push(interval(cell, ends));
        }
        return Ok(Some(found));
    }
    if budget.stop().is_some() {
        return Ok(None);
    }
    let mut program = AttackerLp::new(hidden, budget)?;
    // How far each cell was seen to move in any solution.
    let mut seen = vec![[0.0_f64; 2]; hidden.len()];
    let mut found = Vec::with_capacity(cells.len());
    for cell in cells {
        let mut ends = [0.0; 2];
        for direction in Direction::BOTH {
            let room = match direction {
                Direction::Down => hidden.down[cell],
                Direction::Up => hidden.up[cell],
            };
            let bound = if room == Value::MAX { f64::INFINITY } else { room as f64 };
            let is_seen = seen[cell][direction as usize] >= bound * (1.0 - ATTAINED);
            if is_seen && (bound * ATTAINED < ATTAINED_UNITS || !exact::is_small(hidden)) {
                ends[direction as usize] = bound;
                continue;
            }
            if budget.stop().is_some() {
                return Ok(None);
            }
            ends[direction as usize] = match program.farthest(cell, direction)? {
                Farthest::At(amount) => {
                    exactly(&program, (cell, direction), budget).unwrap_or(amount).clamp(0.0, bound)
                }
                Farthest::Unlimited => f64::INFINITY,
                Farthest::Unknown => return Ok(None),
            };
            if ends[direction as usize].is_finite() {
                for (seen, &amount) in seen.iter_mut().zip(program.point()) {
                    seen[0] = seen[0].max(-amount);
                    seen[1] = seen[1].max(amount);
                }
            }
        }
        found.push(interval(cell, ends));
    }
    Ok(Some(found))
}
