//! Sign-flip local search on the linear programs themselves.
//!
//! The duals of the last linear program say at least how much flips will change the cost:
//! the cost is convex in the imbalances. How much more it will be grows with how far the
//! imbalances go from where the program was solved. So chains of flips are built greedily
//! that promise a gain by the duals and leave most equations nearly as they were; only the
//! most promising chain is judged by its linear program, from the last basis.

use quell_model::{Direction, Random};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::judge::Judge;
use crate::tolerance::{LEAST_CHANCE, PROGRAM_GAIN};
use crate::{Error, Instance, Task};

/// Linear programs without gain until the search ends: a fresh start soon finds more.
const PATIENCE: usize = 20;
/// Chains that are built for each that is judged.
const CHAINS: usize = 64;
/// Flips in a chain at most.
const LONGEST: usize = 6;
/// What a unit of changed imbalance is thought to cost beyond what duals say, as a share of
/// the cost of a cell: drawn anew for each chain.
const DISTURBANCE: (f64, f64) = (0.02, 0.4);

/// Improves `directions` of known cost by chains of flips until `enough` says so, the budget ends
/// or nothing was gained for long. Chains that cost up to about `temperature` are accepted
/// now and then.
pub(crate) fn flips(
    task: &Task,
    judge: &mut Judge,
    directions: &mut [Direction],
    cost: &mut f64,
    temperature: f64,
    random: &mut Random,
    enough: &dyn Fn(f64) -> bool,
) -> Result<(), Error> {
    let instance = task.instance;
    let open: Vec<usize> = (0..directions.len())
        .filter(|&index| instance.sensitive[index].can_fall && instance.sensitive[index].can_rise)
        .collect();
    if open.is_empty() || judge.judge(directions)?.is_none() {
        return Ok(());
    }
    let neighbours = Neighbours::new(instance);
    let mut duals = Vec::new();
    judge.duals(&mut duals)?;
    let mut tried: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut fruitless = 0;
    let mut least = *cost;
    while fruitless < PATIENCE {
        if task.budget.stop().is_some() || enough(judge.best_cost()) {
            return Ok(());
        }
        let changes: Vec<f64> = (0..directions.len())
            .map(|index| change(instance, directions, index, &duals))
            .collect();
        let chains = (0..CHAINS).map(|_| {
            let first = open[random.below(open.len())] as u32;
            neighbours.chain(instance, directions, &changes, first, random)
        });
        let best = chains
            .filter(|(_, chain)| !tried.contains(chain))
            .min_by(|left, right| left.0.total_cmp(&right.0));
        fruitless += 1;
        task.budget.spend(1);
        let Some((_, chain)) = best else { continue };
        let allowed = -temperature * random.uniform().max(LEAST_CHANCE).ln();
        let flip = |directions: &mut [Direction]| {
            chain.iter().for_each(|&index| {
                directions[index as usize] = directions[index as usize].opposite()
            });
        };
        flip(directions);
        match judge.judge_below(directions, Some(*cost + allowed))? {
            Some(found) if found <= *cost + allowed => {
                *cost = found;
                judge.duals(&mut duals)?;
                tried.clear();
                if found < least - PROGRAM_GAIN {
                    (least, fruitless) = (found, 0);
                }
            }
            _ => {
                flip(directions);
                tried.insert(chain);
            }
        }
    }
    Ok(())
}

/// The least by which a flip changes the cost, by the duals.
fn change(instance: &Instance, directions: &[Direction], index: usize, duals: &[f64]) -> f64 {
    let sensitive = &instance.sensitive[index];
    let own = instance.costs[sensitive.cell.index()] * (sensitive.rise - sensitive.fall) as f64;
    let (by, own) = match directions[index] {
        Direction::Up => (-span(instance, index), -own),
        Direction::Down => (span(instance, index), own),
    };
    let equations = instance.problem.system().equations_of(sensitive.cell);
    own - equations.map(|(e, c)| f64::from(c) * by * duals[e.index()]).sum::<f64>()
}

fn span(instance: &Instance, index: usize) -> f64 {
    (instance.sensitive[index].rise + instance.sensitive[index].fall) as f64
}

/// The equations of every sensitive cell, and the open ones of every equation.
struct Neighbours {
    lines: Vec<Vec<(u32, f64)>>,
    members: Vec<Vec<u32>>,
    /// The mean cost of a cell.
    dearness: f64,
}

impl Neighbours {
    fn new(instance: &Instance) -> Self {
        let system = instance.problem.system();
        let mut members = vec![Vec::new(); system.equation_count()];
        let mut lines = Vec::new();
        for (index, sensitive) in instance.sensitive.iter().enumerate() {
            let equations = system.equations_of(sensitive.cell);
            let here: Vec<_> = equations.map(|(e, c)| (e.0, f64::from(c))).collect();
            if sensitive.can_fall && sensitive.can_rise {
                here.iter().for_each(|&(line, _)| members[line as usize].push(index as u32));
            }
            lines.push(here);
        }
        let dearness = instance.costs.iter().sum::<f64>() / instance.costs.len().max(1) as f64;
        Self { lines, members, dearness }
    }

    /// A chain from a first flip, each next one the best by its score; with the score.
    fn chain(
        &self,
        instance: &Instance,
        directions: &[Direction],
        changes: &[f64],
        first: u32,
        random: &mut Random,
    ) -> (f64, Vec<u32>) {
        let (low, high) = DISTURBANCE;
        let price = self.dearness * (low + (high - low) * random.uniform());
        let mut moved: FxHashMap<u32, f64> = FxHashMap::default();
        let score = |moved: &FxHashMap<u32, f64>, index: u32| {
            let span = span(instance, index as usize);
            let by = if directions[index as usize] == Direction::Up { -span } else { span };
            let disturbed = self.lines[index as usize].iter().map(|&(line, c)| {
                let now = moved.get(&line).copied().unwrap_or(0.0);
                (now + c * by).abs() - now.abs()
            });
            (changes[index as usize] + price * disturbed.sum::<f64>(), by)
        };
        let (mut sum, mut chain, mut next) = (0.0, Vec::new(), Some(first));
        while let Some(index) = next {
            let (by_score, by) = score(&moved, index);
            sum += by_score;
            for &(line, c) in &self.lines[index as usize] {
                *moved.entry(line).or_default() += c * by;
            }
            chain.push(index);
            if chain.len() == LONGEST {
                break;
            }
            let near = chain.iter().flat_map(|&index| &self.lines[index as usize]);
            let near = near.flat_map(|&(line, _)| &self.members[line as usize]);
            let best = near
                .filter(|other| !chain.contains(other))
                .map(|&other| (score(&moved, other).0, other))
                .min_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
            next = best.filter(|best| best.0 < 0.0).map(|best| best.1);
        }
        chain.sort_unstable();
        (sum, chain)
    }
}
