//! §6: the fewest affected categories.
//!
//! Every MINUC must hold a chosen category: set covering with a row a MINUC and a
//! column a category. Then each record suppresses, among chosen categories only, values
//! of least weight that hit its MINUCs.
//!
//! *Guarantee*: the category weight is optimal if `proved`; the suppressions are the
//! fewest *for the chosen categories* (other optimal categories may do with fewer: see
//! [`super::lexicographic::categories_first`]).

use quell_model::Budget;
use rustc_hash::FxHashSet;

use super::types::Types;
use super::{Importance, Memo, Solution, Suppressions, least_hitting_set};
use crate::cover::{self, Cover, Covering};
use crate::stop_check::StopCheck;
use crate::{KeySet, Microdata, Minucs, Result};

/// The covering problem of the categories; columns are category numbers.
///
/// # Errors
/// If the budget is spent before.
pub(super) fn covering(
    types: &Types,
    minucs: &Minucs,
    weights: Vec<f64>,
    stop: &StopCheck,
) -> Result<Covering> {
    let mut rows: FxHashSet<Vec<u32>> = FxHashSet::default();
    for (place, own) in types.list.iter().enumerate() {
        stop.check_at(place)?;
        for set in minucs.sets(own.signature as usize) {
            let row: Vec<u32> = set.iter().map(|key| types.category(own, key)).collect();
            if !rows.contains(&row) {
                rows.insert(row);
            }
        }
    }
    let mut rows: Vec<Vec<u32>> = rows.into_iter().collect();
    rows.sort_unstable();
    Covering::new(weights, rows)
}

/// The least suppressions that touch only chosen categories.
pub(super) fn complete(
    types: &Types,
    minucs: &Minucs,
    keys: usize,
    importance: &Importance,
    chosen: &[bool],
    stop: &StopCheck,
) -> Vec<KeySet> {
    let mut memo: Memo<(u32, KeySet, Vec<u64>)> = Memo::default();
    types
        .list
        .iter()
        .map(|own| {
            let allowed = own
                .union
                .iter()
                .zip(&own.categories)
                .filter(|&(_, &number)| chosen[number as usize])
                .fold(KeySet::EMPTY, |set, (key, _)| set.with(key));
            let weights = types.weights(own, keys, importance);
            let bits = allowed.iter().map(|key| weights[key].to_bits()).collect();
            *memo.entry((own.signature, allowed, bits)).or_insert_with(|| {
                let sets: Vec<KeySet> = minucs.sets(own.signature as usize).collect();
                least_hitting_set(&sets, allowed, &weights, stop)
            })
        })
        .collect()
}

/// Solves the covering problem.
fn cover(
    types: &Types,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
    stop: &StopCheck,
) -> Result<Cover> {
    let covering = covering(types, minucs, types.numbers.weights(importance), stop)?;
    Ok(cover::solve(&covering, budget)?.cover)
}

pub(super) fn fewest_categories(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let stop = StopCheck::silent(budget);
    let types = Types::new(data, minucs, importance, &stop)?;
    let cover = cover(&types, minucs, importance, budget, &stop)?;
    let mut chosen = vec![false; types.numbers.len()];
    for &number in &cover.columns {
        chosen[number as usize] = true;
    }
    let answers = complete(&types, minucs, data.keys().len(), importance, &chosen, &stop);
    let suppressions: Suppressions = types.suppressions(minucs, &answers);
    Ok(Solution {
        weight: suppressions.weight(data, importance),
        category_weight: suppressions.category_weight(data, importance),
        suppressions,
        bound: cover.bound,
        proved: cover.is_optimal(),
    })
}
