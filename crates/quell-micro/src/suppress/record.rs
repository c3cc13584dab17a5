//! One record: suppress values of least weight so that every MINUC loses one.
//!
//! A least hitting set over at most 64 variables. Most records are decided by a rule of
//! thumb that is exact (one MINUC; one variable in all MINUCs that is also the
//! lightest); the others go to the branch and bound on masks.

use crate::KeySet;
use crate::cover::small_hitting_set;
use crate::stop_check::StopCheck;

/// Sums of at most 64 weights in different orders differ by less than this share of them.
const SUM_NOISE: f64 = 1e-9;

/// Whether a set meets all others.
fn hits(set: KeySet, sets: &[KeySet]) -> bool {
    sets.iter().all(|other| other.intersects(set))
}

/// The set without the members it does not need, heaviest first.
pub(crate) fn minimal(mut set: KeySet, sets: &[KeySet], weights: &[f64]) -> KeySet {
    let mut order: Vec<usize> = set.iter().collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    for key in order {
        let without = KeySet(set.0 & !(1 << key));
        if hits(without, sets) {
            set = without;
        }
    }
    set
}

/// A hitting set of least weight; of these one that nothing can be left out of.
/// `weights` by variable; `allowed` are the variables that may be used, and every set
/// must have one of them. Once the budget is spent it is a good one that need not be the least.
pub(crate) fn least_hitting_set(
    sets: &[KeySet],
    allowed: KeySet,
    weights: &[f64],
    stop: &StopCheck,
) -> KeySet {
    let open: Vec<KeySet> = sets.iter().map(|set| KeySet(set.0 & allowed.0)).collect();
    let lightest =
        |set: KeySet| set.iter().min_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(a.cmp(&b)));
    let Some(common) = open.iter().copied().reduce(|all, set| KeySet(all.0 & set.0)) else {
        return KeySet::EMPTY;
    };
    // A variable in all MINUCs suffices; it is best if it is the lightest of some MINUC,
    // for that MINUC must lose a variable of at least its weight.
    if let Some(key) = lightest(common) {
        let is_lightest = |set: &KeySet| set.iter().all(|other| weights[other] >= weights[key]);
        if open.iter().any(is_lightest) {
            return KeySet::of(&[key]);
        }
    }
    let found = small_hitting_set(&open, weights, || stop.reason().is_some())
        .unwrap_or_else(|| quick_hitting_set(&open, weights));
    minimal(found, &open, weights)
}

/// A hitting set by the greedy rule: the variable in most of the sets that are left, for its
/// weight.
fn quick_hitting_set(sets: &[KeySet], weights: &[f64]) -> KeySet {
    let mut found = KeySet::EMPTY;
    let mut left: Vec<KeySet> = sets.to_vec();
    while !left.is_empty() {
        let union = KeySet(left.iter().fold(0, |all, set| all | set.0));
        let worth = |key: usize| {
            let hit = left.iter().filter(|set| set.contains(key)).count() as f64;
            hit / weights[key].max(f64::MIN_POSITIVE)
        };
        let best = union.iter().max_by(|&a, &b| worth(a).total_cmp(&worth(b)).then(b.cmp(&a)));
        let Some(best) = best else { break };
        found = found.with(best);
        left.retain(|set| !set.contains(best));
    }
    found
}

/// All hitting sets of least weight of which no member can be left out, in order; `None`
/// if there are more than `most`, or the budget is spent.
pub(crate) fn all_least(
    sets: &[KeySet],
    weights: &[f64],
    most: usize,
    stop: &StopCheck,
) -> Option<Vec<KeySet>> {
    let union = KeySet(sets.iter().fold(0, |all, set| all | set.0));
    let best = least_hitting_set(sets, union, weights, stop);
    let weight: f64 = best.iter().map(|key| weights[key]).sum();
    let limit = weight + SUM_NOISE * weight.max(1.0);
    let mut found = Vec::new();
    let complete = branch(sets, weights, KeySet::EMPTY, 0, 0.0, limit, most, &mut found, stop);
    found.sort_unstable();
    found.dedup();
    complete.then_some(found)
}

#[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
fn branch(
    sets: &[KeySet],
    weights: &[f64],
    chosen: KeySet,
    barred: u64,
    weight: f64,
    limit: f64,
    most: usize,
    found: &mut Vec<KeySet>,
    stop: &StopCheck,
) -> bool {
    if stop.reason().is_some() {
        return false;
    }
    if weight > limit {
        return true;
    }
    let open = sets.iter().filter(|set| !set.intersects(chosen));
    let Some(set) = open.min_by_key(|set| (set.0 & !barred).count_ones()) else {
        if minimal(chosen, sets, weights) == chosen {
            found.push(chosen);
        }
        return found.len() <= most;
    };
    let mut barred = barred;
    for key in KeySet(set.0 & !barred).iter() {
        let weight = weight + weights[key];
        if !branch(sets, weights, chosen.with(key), barred, weight, limit, most, found, stop) {
            return false;
        }
        barred |= 1 << key;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use quell_model::{Budget, Random};
    use std::time::Duration;

    #[test]
    fn least_hitting_sets_are_those_that_trying_all_finds() {
        let (unlimited, late) = (Budget::default(), Budget::default().with_time(Duration::ZERO));
        let (stop, stopped) = (StopCheck::silent(&unlimited), StopCheck::silent(&late));
        for task in 0..2000 {
            let mut random = Random::new(41, task);
            let keys = 1 + random.below(8);
            let unit = random.chance(0.5);
            let weights: Vec<f64> =
                (0..keys).map(|_| if unit { 1.0 } else { random.below(4) as f64 }).collect();
            let sets: Vec<KeySet> = (0..1 + random.below(8))
                .map(|_| KeySet(1 + random.below((1 << keys) - 1) as u64))
                .collect();
            let weight = |set: KeySet| set.iter().map(|key| weights[key]).sum::<f64>();
            let all: Vec<KeySet> =
                (0..1 << keys).map(KeySet).filter(|&set| hits(set, &sets)).collect();
            let least = all.iter().map(|&set| weight(set)).fold(f64::INFINITY, f64::min);
            let quick = least_hitting_set(&sets, KeySet::first(keys), &weights, &stopped);
            assert!(hits(quick, &sets), "task {task}, without time");
            let found = least_hitting_set(&sets, KeySet::first(keys), &weights, &stop);
            assert!(hits(found, &sets));
            assert!((weight(found) - least).abs() < SUM_NOISE, "task {task}");
            let mut expected: Vec<KeySet> = all
                .into_iter()
                .filter(|&set| (weight(set) - least).abs() < SUM_NOISE)
                .filter(|&set| set.iter().all(|key| !hits(KeySet(set.0 & !(1 << key)), &sets)))
                .collect();
            expected.sort_unstable();
            let listed = all_least(&sets, &weights, 1000, &stop).unwrap();
            assert_eq!(listed, expected, "task {task}");
            if expected.len() > 1 {
                assert_eq!(all_least(&sets, &weights, expected.len() - 1, &stop), None);
            }
        }
        assert!(stopped.has_stopped() && !stop.has_stopped());
    }
}
