//! Ruin and recreate (schrimpf-2000, shaw-1998): some secondaries of a pattern are taken out with
//! all proofs that use them, and the requirements met anew, the largest first, at prices that see
//! what the other proofs hide as free.

use quell_model::{Budget, CellId, Pattern, Problem, Random};
use rustc_hash::{FxHashMap, FxHashSet};

use super::neighbourhoods::{Neighbourhoods, is_met};
use crate::search::incremental::reweighted;
use crate::search::kelly_program::KellyProgram;
use crate::search::mover::{FORBIDDEN, Mover, PRICE_OF_HIDDEN};
use crate::{Error, Movement, Store};

/// The most secondaries taken out at once.
const MOST_OUT: usize = 8;

/// The most requirements opened by one step: more take too long.
const MOST_OPENED: usize = 6000;

/// How often a program is solved again at prices by what moved.
const REWEIGHTINGS: usize = 2;

/// New cells that cost more than those taken out by this factor are not looked at any further:
/// doing without some of them will not make up for it.
const HOPELESS: f64 = 1.3;

/// The most programs solved to do without cells that are new.
const THINNING: usize = 12;

/// How much weights vary from step to step at most, as a share.
const NOISE: [f64; 4] = [0.0, 0.1, 0.4, 1.0];

/// What a cell that does not move in the old proof is taken to move, as a share of the requirement,
/// when it is priced by the unit.
const LITTLE: [f64; 3] = [0.01, 0.05, 0.3];

/// How much of a cell's weight its value in the linear program of the bound takes away.
const GUIDANCE: [f64; 3] = [0.0, 0.5, 0.9];

/// The pattern to rework.
#[derive(Clone, Copy)]
pub(super) struct Given<'g> {
    pub(super) problem: &'g Problem,
    /// What stays hidden whatever comes.
    pub(super) fixed: &'g Pattern,
    pub(super) store: &'g Store,
    /// The secondaries that are not fixed, rising.
    pub(super) secondaries: &'g [CellId],
    /// What they cost.
    pub(super) cost: f64,
    /// The point of the bound's linear program, if there is one.
    pub(super) point: Option<&'g [f64]>,
    pub(super) budget: &'g Budget,
}

/// Proofs to put in the place of those of some requirements.
pub(super) struct Trial {
    pub(super) opened: Vec<usize>,
    pub(super) movements: Vec<Movement>,
}

/// Secondaries to do without, for now or for good.
struct Ruin {
    out: FxHashSet<CellId>,
    /// Whether they may come back.
    may_return: bool,
}

/// What reworks patterns: one for each that is done side by side.
pub(super) struct Reworker<'a> {
    pub(super) program: KellyProgram<'a>,
    pub(super) neighbourhoods: Neighbourhoods<'a>,
}

impl<'a> Reworker<'a> {
    /// # Errors
    /// If the solver fails.
    pub(super) fn new(problem: &'a Problem, budget: &Budget) -> Result<Self, Error> {
        Ok(Self {
            program: KellyProgram::new(problem, budget)?,
            neighbourhoods: Neighbourhoods::new(problem, budget)?,
        })
    }

    /// Takes out some secondaries by chance and looks for other proofs. `None` if that leads to
    /// nothing that could be cheaper, or the time is over.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn rework(
        &mut self,
        given: &Given,
        random: &mut Random,
    ) -> Result<Option<Trial>, Error> {
        let Some(ruin) = ruin(given, random) else { return Ok(None) };
        self.recreate(given, &ruin, random)
    }

    fn recreate(
        &mut self,
        given: &Given,
        ruin: &Ruin,
        random: &mut Random,
    ) -> Result<Option<Trial>, Error> {
        let Given { problem, fixed, store, point, budget, .. } = *given;
        let (opened, fewer) = opened(store, &ruin.out);
        if opened.is_empty() || opened.len() > MOST_OPENED {
            return Ok(None);
        }
        let left = |cell: CellId| store.uses(cell) - fewer.get(&cell).copied().unwrap_or(0);
        let gone = |&cell: &CellId| left(cell) == 0 && !fixed.is_suppressed(cell);
        let mut freed: Vec<CellId> = fewer.keys().copied().filter(gone).collect();
        freed.sort_unstable();
        let saved: f64 = freed.iter().map(|&cell| problem.weight(cell)).sum();
        let (noise, guidance) =
            (NOISE[random.below(NOISE.len())], GUIDANCE[random.below(GUIDANCE.len())]);
        let salt = random.below(usize::MAX) as u64;
        let little = LITTLE[random.below(LITTLE.len())];
        let mut new: FxHashSet<CellId> = FxHashSet::default();
        let mut spent = 0.0;
        let mut movements: Vec<(usize, Movement)> = Vec::new();
        for &index in &opened {
            let requirement = &store.requirements()[index];
            let is_met = |(_, one): &(usize, Movement)| {
                one.meets(problem, requirement)
                    || one.reversed(problem).is_some_and(|back| back.meets(problem, requirement))
            };
            if movements.iter().any(is_met) {
                continue;
            }
            if budget.is_over() {
                return Ok(None);
            }
            let price = |cell: CellId| match fixed.is_suppressed(cell)
                || left(cell) > 0
                || new.contains(&cell)
            {
                true => 0.0,
                false if !ruin.may_return && ruin.out.contains(&cell) => FORBIDDEN,
                false => problem.weight(cell).max(f64::MIN_POSITIVE),
            };
            let (old, distance) = (store.proof(index), requirement.distance as f64);
            let by_unit = |cell: CellId| match price(cell) {
                0.0 if problem.status(cell).is_primary() => 0.0,
                0.0 => PRICE_OF_HIDDEN * problem.weight(cell),
                price => {
                    let moved = old.map_or(0.0, |old| old.amount(cell).abs() / distance);
                    let price = price / (moved.min(1.0) + little);
                    let guided = point.map_or(0.0, |point| guidance * point[cell.index()]);
                    price * (1.0 - guided) * (1.0 + noise * chance(salt, cell))
                }
            };
            let program = &mut self.program;
            let found = reweighted(program, requirement, &price, &by_unit, REWEIGHTINGS)?;
            let Some(movement) = found else { return Ok(None) };
            for cell in movement.cells().filter(|&cell| price(cell) > 0.0) {
                spent += problem.weight(cell);
            }
            let added: Vec<CellId> = movement.cells().filter(|&cell| price(cell) > 0.0).collect();
            new.extend(added);
            movements.push((index, movement));
            if spent > HOPELESS * saved {
                return Ok(None);
            }
        }
        self.thin_out(given, (&opened, &fewer), new, &mut movements)?;
        let movements = movements.into_iter().map(|(_, movement)| movement).collect();
        Ok(Some(Trial { opened, movements }))
    }

    /// Does without cells that were new to movements, the dearest first, where those that use them
    /// can do with the others.
    fn thin_out(
        &mut self,
        given: &Given,
        (opened, fewer): (&[usize], &FxHashMap<CellId, usize>),
        new: FxHashSet<CellId>,
        movements: &mut [(usize, Movement)],
    ) -> Result<(), Error> {
        let Given { problem, fixed, store, budget, .. } = *given;
        let mut programs = 0;
        let mut hidden = new.clone();
        let mut dearest: Vec<CellId> = new.into_iter().collect();
        dearest.sort_by(|&a, &b| problem.weight(b).total_cmp(&problem.weight(a)).then(a.cmp(&b)));
        for out in dearest {
            let users: Vec<usize> = (0..movements.len())
                .filter(|&place| movements[place].1.amount(out) != 0.0)
                .collect();
            // One movement alone was looked for at the least cost.
            programs += users.len();
            if movements.len() < 2 || programs > THINNING || budget.is_over() {
                return Ok(());
            }
            hidden.remove(&out);
            let mut others: Vec<Movement> = Vec::new();
            for &place in &users {
                let requirement = &store.requirements()[movements[place].0];
                let cost = |cell: CellId| {
                    let left = store.uses(cell) - fewer.get(&cell).copied().unwrap_or(0);
                    match left > 0 || fixed.is_suppressed(cell) || hidden.contains(&cell) {
                        true if problem.status(cell).is_primary() => 0.0,
                        true => problem.weight(cell),
                        false => FORBIDDEN,
                    }
                };
                match self.program.cheapest(requirement, &cost)? {
                    Some(movement) => others.push(movement),
                    None => break,
                }
            }
            let mut changed = movements.to_vec();
            let is_complete = others.len() == users.len();
            for (place, movement) in users.into_iter().zip(others) {
                changed[place].1 = movement;
            }
            let all_met = |changed: &[(usize, Movement)]| {
                let movements: Vec<Movement> =
                    changed.iter().map(|(_, movement)| movement.clone()).collect();
                opened.iter().all(|&index| is_met(given, &movements, &store.requirements()[index]))
            };
            if is_complete && all_met(&changed) {
                movements.clone_from_slice(&changed);
            } else {
                hidden.insert(out);
            }
        }
        Ok(())
    }
}

/// The requirements whose proofs use some of these cells, rising, and how many of the proofs that
/// use a cell are among theirs.
fn opened(store: &Store, out: &FxHashSet<CellId>) -> (Vec<usize>, FxHashMap<CellId, usize>) {
    let mut sorted: Vec<CellId> = out.iter().copied().collect();
    sorted.sort_unstable();
    let mut opened: Vec<usize> = Vec::new();
    let mut fewer: FxHashMap<CellId, usize> = FxHashMap::default();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    for cell in sorted {
        for (movement, requirements) in store.proofs_using(cell) {
            if !seen.insert(requirements[0]) {
                continue;
            }
            opened.extend(requirements.iter().map(|&requirement| requirement as usize));
            for cell in movement.cells() {
                *fewer.entry(cell).or_default() += 1;
            }
        }
    }
    opened.sort_unstable();
    (opened, fewer)
}

/// Which secondaries to take out.
fn ruin(given: &Given, random: &mut Random) -> Option<Ruin> {
    let Given { problem, store, secondaries, .. } = *given;
    if secondaries.is_empty() {
        return None;
    }
    let centre = pick(given, random);
    if random.chance(0.4) {
        return Some(Ruin { out: FxHashSet::from_iter([centre]), may_return: false });
    }
    let wanted = 2 + random.below(MOST_OUT - 1);
    let mut out = vec![centre];
    if random.chance(0.5) {
        // Those that its proofs use beside it.
        let mut near: Vec<CellId> = store
            .proofs_using(centre)
            .flat_map(|(movement, _)| movement.cells())
            .filter(|cell| secondaries.binary_search(cell).is_ok())
            .collect();
        near.sort_unstable();
        near.dedup();
        random.shuffle(&mut near);
        out.extend(near);
    } else {
        // Those that share equations with it.
        let system = problem.system();
        let mut next = 0;
        while next < out.len() && out.len() < 4 * wanted {
            let mut near: Vec<CellId> = system
                .equations_of(out[next])
                .flat_map(|(equation, _)| system.cells_of(equation).map(|(cell, _)| cell))
                .filter(|cell| secondaries.binary_search(cell).is_ok() && !out.contains(cell))
                .collect();
            near.sort_unstable();
            near.dedup();
            random.shuffle(&mut near);
            out.extend(near);
            next += 1;
        }
    }
    out.truncate(wanted);
    Some(Ruin { out: out.into_iter().collect(), may_return: random.chance(0.7) })
}

/// A random secondary: half of the time by what they cost, because a few large ones often make up
/// most of it, else any.
pub(super) fn pick(given: &Given, random: &mut Random) -> CellId {
    let any = given.secondaries[random.below(given.secondaries.len())];
    if random.chance(0.5) {
        return any;
    }
    let mut left = random.uniform() * given.cost;
    let drawn = given.secondaries.iter().find(|&&cell| {
        left -= given.problem.weight(cell);
        left <= 0.0
    });
    drawn.copied().unwrap_or(any)
}

/// A number between zero and one for a cell that differs from step to step.
pub(super) fn chance(salt: u64, cell: CellId) -> f64 {
    let mut bits = (u64::from(cell.0) ^ salt.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}
