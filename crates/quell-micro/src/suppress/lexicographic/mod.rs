//! §7: optima of one objective that are best for the other.
//!
//! **A remark of the paper does not hold.** It says that with the affected categories
//! at their minimum, the fewest suppressions "equal the number of MINUCs", and that any
//! superfluous values may be re-opened MINUC by MINUC. One suppressed value may hit
//! several MINUCs of its record (the paper's own example has 16 MINUCs and 12
//! suppressions), a MINUC that occurs in two records needs two suppressions, re-opening
//! for one MINUC may expose another, and different optimal choices of categories need
//! different numbers of suppressions. What holds: with the categories *given*, the
//! problem falls apart into records; and the optimum is at most the number of
//! (record, MINUC) pairs. The choice of categories has to be part of the model.

mod categories_first;
mod fewest_categories;
mod most_categories;

pub(super) use categories_first::categories_first;
pub(super) use fewest_categories::fewest_categories;
pub(super) use most_categories::most_categories;

use rustc_hash::FxHashMap;

use super::Importance;
use super::record::all_least;
use super::types::Types;
use crate::stop_check::StopCheck;
use crate::{KeySet, Microdata, Minucs, Result};

/// More optimal answers of one record than this are not listed but modelled.
const LISTED: usize = 2000;

/// Weights that differ by less than this share are equal: far above the noise of sums and of
/// the solver's bounds (about 1e-9), far below any weight that somebody would give.
const EQUAL: f64 = 1e-6;

/// The optimal answers of one type of record, as sets of variables.
struct Answers {
    /// All of them, or `None` if too many.
    listed: Option<Vec<KeySet>>,
    weights: Vec<f64>,
    least: f64,
}

/// The answers of all types.
///
/// # Errors
/// If the budget is spent before: answers that are cut off are no optima.
fn answers(
    data: &Microdata,
    minucs: &Minucs,
    types: &Types,
    importance: &Importance,
    stop: &StopCheck,
) -> Result<Vec<Answers>> {
    let mut memo: FxHashMap<(u32, Vec<u64>), Option<Vec<KeySet>>> = FxHashMap::default();
    types
        .list
        .iter()
        .map(|own| {
            let weights = types.weights(own, data.keys().len(), importance);
            let sets: Vec<KeySet> = minucs.sets(own.signature as usize).collect();
            let bits = weights.iter().map(|weight| weight.to_bits()).collect();
            let listed = memo
                .entry((own.signature, bits))
                .or_insert_with(|| all_least(&sets, &weights, LISTED, stop))
                .clone();
            let one = match &listed {
                Some(listed) => listed.first().copied().unwrap_or_default(),
                None => super::least_hitting_set(&sets, own.union, &weights, stop),
            };
            stop.check()?;
            let least = one.iter().map(|key| weights[key]).sum();
            Ok(Answers { listed, weights, least })
        })
        .collect()
}
