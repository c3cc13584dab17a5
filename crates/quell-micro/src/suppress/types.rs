//! Types of risky records: records with the same MINUCs, values and all.
//!
//! What §6 and §7 ask of a record depends on its type alone, so the models have one
//! block a type, with the number of its records.

use rustc_hash::FxHashMap;

use super::{CategoryNumbers, Importance, Suppressions};
use crate::stop_check::StopCheck;
use crate::{KeySet, Microdata, Minucs, Result};

pub(super) struct RecordType {
    pub(super) signature: u32,
    /// Category number by variable, for the variables of its MINUCs.
    pub(super) categories: Vec<u32>,
    /// The variables of its MINUCs.
    pub(super) union: KeySet,
    /// Number of records.
    pub(super) count: u32,
    /// Total weight of the records.
    pub(super) weight: f64,
}

pub(super) struct Types {
    pub(super) list: Vec<RecordType>,
    /// Type of a risky record, by position.
    type_of: Vec<u32>,
    pub(super) numbers: CategoryNumbers,
}

impl Types {
    /// The types of a file's risky records.
    ///
    /// # Errors
    /// If the budget is spent before.
    pub(super) fn new(
        data: &Microdata,
        minucs: &Minucs,
        importance: &Importance,
        stop: &StopCheck,
    ) -> Result<Self> {
        let numbers = CategoryNumbers::new(data);
        let unions: Vec<KeySet> = (0..minucs.signatures())
            .map(|signature| KeySet(minucs.sets(signature).fold(0, |all, set| all | set.0)))
            .collect();
        let mut known: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let mut list: Vec<RecordType> = Vec::new();
        let mut type_of = Vec::with_capacity(minucs.records().len());
        for (position, &record) in minucs.records().iter().enumerate() {
            stop.check_at(position)?;
            let signature = minucs.signature_of(position) as u32;
            let union = unions[signature as usize];
            let categories: Vec<u32> = union
                .iter()
                .map(|key| numbers.number(key, data.keys()[key].codes().get(record as usize)))
                .collect();
            let next = list.len() as u32;
            let number =
                *known.entry((signature, categories)).or_insert_with_key(|(_, categories)| {
                    list.push(RecordType {
                        signature,
                        categories: categories.clone(),
                        union,
                        count: 0,
                        weight: 0.0,
                    });
                    next
                });
            list[number as usize].count += 1;
            list[number as usize].weight += importance.record(record as usize);
            type_of.push(number);
        }
        Ok(Self { list, type_of, numbers })
    }

    /// The category number of a type's variable.
    pub(super) fn category(&self, own: &RecordType, key: usize) -> u32 {
        let place = (own.union.0 & ((1 << key) - 1)).count_ones() as usize;
        own.categories[place]
    }

    /// The weights of a type's values, by variable, without the records' own.
    pub(super) fn weights(
        &self,
        own: &RecordType,
        keys: usize,
        importance: &Importance,
    ) -> Vec<f64> {
        let mut weights = vec![0.0; keys];
        for (key, &number) in own.union.iter().zip(&own.categories) {
            weights[key] = importance.value(key, self.numbers.parts(number).1);
        }
        weights
    }

    /// Suppressions, one set a type.
    pub(super) fn suppressions(&self, minucs: &Minucs, answers: &[KeySet]) -> Suppressions {
        Suppressions::new(
            minucs
                .records()
                .iter()
                .zip(&self.type_of)
                .map(|(&record, &own)| (record, answers[own as usize])),
        )
    }

    /// Suppressions where records of one type may differ: `answers[type]` lists sets with
    /// how many records take each.
    pub(super) fn split_suppressions(
        &self,
        minucs: &Minucs,
        answers: &[Vec<(KeySet, u32)>],
    ) -> Suppressions {
        let mut taken = vec![(0_usize, 0_u32); answers.len()];
        Suppressions::new(minucs.records().iter().zip(&self.type_of).map(|(&record, &own)| {
            let own = own as usize;
            let (place, used) = &mut taken[own];
            while *place + 1 < answers[own].len() && *used >= answers[own][*place].1 {
                *place += 1;
                *used = 0;
            }
            *used += 1;
            (record, answers[own].get(*place).map_or(KeySet::EMPTY, |&(set, _)| set))
        }))
    }
}
