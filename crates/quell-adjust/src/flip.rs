//! Sign-flip local search on the linear programs themselves.
//!
//! The duals of the last linear program say at least how much a flip will cost: the cost
//! is convex in the imbalances. So most flips are refused without a solve; for the others
//! the dual simplex goes on from the last basis and stops as soon as the cost is too high.

use quell_model::Random;

use crate::judge::Judge;
use crate::{Error, Instance, Task, Way};

/// Linear programs without gain, a multiple of the sensitive cells, until the search ends.
const PATIENCE: usize = 4;

/// Improves `ways` of known cost by flips, alone and in pairs that share an equation, until
/// `enough` says so, the budget ends or nothing was gained for long. Flips that cost up to
/// about `temperature` are accepted now and then.
pub(crate) fn flips(
    task: &Task,
    judge: &mut Judge,
    ways: &mut [Way],
    cost: &mut f64,
    temperature: f64,
    random: &mut Random,
    enough: &dyn Fn(f64) -> bool,
) -> Result<(), Error> {
    let instance = task.instance;
    let open: Vec<usize> = (0..ways.len())
        .filter(|&index| instance.sensitive[index].can_fall && instance.sensitive[index].can_rise)
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut duals = Vec::new();
    if judge.judge(ways)?.is_none() {
        return Ok(());
    }
    judge.duals(&mut duals)?;
    let (mut fruitless, mut refused) = (0, 0);
    let mut least = *cost;
    while fruitless < PATIENCE * open.len() && refused < 100 * open.len() {
        let first = open[random.below(open.len())];
        let second = random.chance(0.5).then(|| neighbour(instance, first, random)).flatten();
        let flipped = [Some(first), second];
        let flipped = || flipped.iter().flatten().copied();
        let least_change: f64 = flipped().map(|index| change(instance, ways, index, &duals)).sum();
        let allowed = -temperature * random.uniform().max(1e-300).ln();
        if least_change >= allowed {
            refused += 1;
            continue;
        }
        if task.budget.stop().is_some() || enough(judge.best_cost()) {
            return Ok(());
        }
        refused = 0;
        fruitless += 1;
        flipped().for_each(|index| ways[index] = ways[index].other());
        task.budget.spend(1);
        match judge.judge_below(ways, Some(*cost + allowed))? {
            Some(found) if found <= *cost + allowed => {
                *cost = found;
                judge.duals(&mut duals)?;
                if found < least - 1e-7 {
                    (least, fruitless) = (found, 0);
                }
            }
            _ => flipped().for_each(|index| ways[index] = ways[index].other()),
        }
    }
    Ok(())
}

/// The least by which a flip changes the cost, by the duals.
fn change(instance: &Instance, ways: &[Way], index: usize, duals: &[f64]) -> f64 {
    let sensitive = &instance.sensitive[index];
    let span = (sensitive.rise + sensitive.fall) as f64;
    let own = instance.costs[sensitive.cell.index()] * (sensitive.rise - sensitive.fall) as f64;
    let (by, own) = match ways[index] {
        Way::Rise => (-span, -own),
        Way::Fall => (span, own),
    };
    let equations = instance.problem.system().equations_of(sensitive.cell);
    own - equations.map(|(e, c)| f64::from(c) * by * duals[e.index()]).sum::<f64>()
}

/// Another sensitive cell in an equation of a cell.
fn neighbour(instance: &Instance, index: usize, random: &mut Random) -> Option<usize> {
    let system = instance.problem.system();
    let cell = instance.sensitive[index].cell;
    let equations: Vec<_> = system.equations_of(cell).map(|(equation, _)| equation).collect();
    let equation = equations[random.below(equations.len().max(1))];
    let members: Vec<usize> = system
        .cells_of(equation)
        .filter(|&(other, _)| other != cell)
        .filter_map(|(other, _)| {
            instance.sensitive_at(other).filter(|s| s.can_fall && s.can_rise)?;
            Some(instance.position[other.index()] as usize)
        })
        .collect();
    (!members.is_empty()).then(|| members[random.below(members.len())])
}
