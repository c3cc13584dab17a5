//! Rebuilding: a large part of the pattern is built anew by Kelly's programs at other prices and in
//! another order, and what turns out superfluous is published again.
//!
//! Which cells Kelly's programs hide depends on chance more than on the table: patterns of the same
//! method at slightly other prices differ by a tenth of their cost and more, once they are cleaned
//! up, and the first is hardly ever the best. So is what a local change can come to. Parts that are
//! kept, noise, and the point of the bound's linear program make patterns that differ from the best
//! and have what is good in it.

use quell_model::{CellId, Random, Requirement, Silent};
use rustc_hash::FxHashSet;

use super::rework::{Given, Trial, chance, pick};
use crate::search::incremental::{Incremental, REWEIGHTINGS};
use crate::{Error, Task};

/// Which share of the secondaries is taken out.
const SHARES: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// How much prices and the order of the requirements vary at most, as a share.
const NOISE: [f64; 4] = [0.1, 0.3, 1.0, 3.0];

/// How much of a cell's price its value in the linear program of the bound takes away.
const GUIDANCE: [f64; 4] = [0.0, 0.0, 0.5, 0.9];

/// Builds a part of the pattern anew. `None` if the time is over before all requirements are met.
///
/// # Errors
/// If the solver fails.
pub(super) fn rebuild(given: &Given, random: &mut Random) -> Result<Option<Trial>, Error> {
    let Given { problem, store, point, budget, .. } = *given;
    let share = SHARES[random.below(SHARES.len())];
    let noise = NOISE[random.below(NOISE.len())];
    let guidance = GUIDANCE[random.below(GUIDANCE.len())];
    let out = taken_out(given, share, random);
    let salt = random.below(usize::MAX) as u64;
    let factor = |cell: CellId| {
        let guided = point.map_or(0.0, |point| guidance * point[cell.index()]);
        (1.0 - guided) * (1.0 + noise * chance(salt, cell))
    };
    let mut order: Vec<(f64, Requirement)> = (store.requirements().iter())
        .map(|one| (one.distance as f64 * (1.0 + noise * random.uniform()), *one))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let requirements = order.into_iter().map(|(_, requirement)| requirement).collect();
    let task = Task::new(problem, budget, &Silent);
    let mut pattern = Incremental::new(&task, requirements)?;
    pattern.set_factors(problem.system().cells().map(factor).collect());
    let stays = |cell: CellId| !out.contains(&cell);
    let kept = store.movements().filter(|one| one.cells().all(stays)).cloned();
    pattern.begin_with_proofs(&kept.collect::<Vec<_>>());
    pattern.protect(REWEIGHTINGS)?;
    pattern.clean_up()?;
    let (_, rebuilt) = pattern.into_parts();
    if rebuilt.open().next().is_some() {
        return Ok(None);
    }
    let opened = (0..store.requirements().len()).collect();
    Ok(Some(Trial { opened, movements: rebuilt.movements().cloned().collect() }))
}

/// The secondaries taken out: a share of them, dear ones rather than others.
fn taken_out(given: &Given, share: f64, random: &mut Random) -> FxHashSet<CellId> {
    let all = given.secondaries.iter().copied();
    if share >= 1.0 {
        return all.collect();
    }
    let most = (share * given.secondaries.len() as f64).ceil() as usize;
    (0..most).map(|_| pick(given, random)).collect()
}
