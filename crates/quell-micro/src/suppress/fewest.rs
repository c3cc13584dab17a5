//! §5: the least total weight of suppressions.
//!
//! The problem falls apart into records, and a record's answer depends on its signature
//! (and on its values, if they have weights of their own), so every different question
//! is solved once. *Guarantee*: optimal, unless the budget is spent: then records that are not
//! decided yet lose a few values more, and the file is still safe. Household variables: see [`crate::household`].

use rayon::prelude::*;

use super::{Importance, Memo, Suppressions, least_hitting_set};
use crate::stop_check::StopCheck;
use crate::{KeySet, Microdata, Minucs};

/// Optimal suppressions; of equal ones those of the first variables.
pub(crate) fn fewest(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    stop: &StopCheck,
) -> Suppressions {
    let all = KeySet::first(data.keys().len());
    if !importance.has_values() {
        let weights: Vec<f64> =
            (0..data.keys().len()).map(|key| importance.value(key, 0)).collect();
        let answers: Vec<KeySet> = (0..minucs.signatures())
            .into_par_iter()
            .map(|signature| {
                let sets: Vec<KeySet> = minucs.sets(signature).collect();
                least_hitting_set(&sets, all, &weights, stop)
            })
            .collect();
        let sets = (0..minucs.records().len())
            .map(|position| answers[minucs.signature_of(position)])
            .collect();
        return Suppressions { records: minucs.records().to_vec(), sets };
    }
    let mut memo: Memo<(usize, Vec<u64>)> = Memo::default();
    let mut weights = vec![0.0; data.keys().len()];
    let mut answers = Vec::with_capacity(minucs.records().len());
    for (position, &record) in minucs.records().iter().enumerate() {
        let signature = minucs.signature_of(position);
        let union = KeySet(minucs.sets(signature).fold(0, |all, set| all | set.0));
        for key in union.iter() {
            weights[key] = importance.value(key, data.keys()[key].codes().get(record as usize));
        }
        let question =
            (signature, union.iter().map(|key| weights[key].to_bits()).collect::<Vec<u64>>());
        let answer = *memo.entry(question).or_insert_with(|| {
            let sets: Vec<KeySet> = minucs.sets(signature).collect();
            least_hitting_set(&sets, all, &weights, stop)
        });
        answers.push(answer);
    }
    Suppressions { records: minucs.records().to_vec(), sets: answers }
}
