//! Minimum unsafe combinations (MINUCs), dewaal-1998 §5.
//!
//! A combination of values is unsafe if its variables are checked together and it
//! occurs less often than is safe; it is *minimum* unsafe if no checked part of it is
//! unsafe already. A record is safe once every one of its MINUCs has lost a value.
//!
//! Records share few sets of MINUC variables: a set is kept once as a *signature*, and
//! every risky record points to its own. What is solved for a signature is solved for
//! all its records.
//!
//! *Guarantee*: exact. *Complexity*: records × combinations for counting and again for
//! flagging, both with a small constant; rare cells × checked parts for minimality.
//! *Memory*: one bit per possible cell of a table, one bit per record and combination with
//! MINUCs, eight bytes a risky record.

mod flag;
mod minimum;

use quell_model::{Budget, Progress};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::cells::Keys;
use crate::count::{self, Limits, Rare};
use crate::stop_check::StopCheck;
use crate::{Combination, Combinations, Error, KeySet, Microdata, Result};
pub(crate) use flag::look_up;
use flag::{FLAG_BLOCK, Flagged, Flagger, collect};
pub(crate) use minimum::strike_out;
use minimum::{keep_minimum, rare_from_tuples};

/// What was found for one combination of variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CombinationRisk {
    /// The variables and the minimum safe frequency.
    pub combination: Combination,
    /// Different minimum unsafe combinations of values.
    pub minucs: u64,
    /// Records with a MINUC of these variables.
    pub records: u64,
}

/// The minimum unsafe combinations of a file.
#[derive(Debug, Clone)]
pub struct Minucs {
    total_records: usize,
    combinations: Vec<CombinationRisk>,
    records: Vec<u32>,
    signature_of: Vec<u32>,
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Minucs {
    /// Counts the file and finds its MINUCs.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the budget's flag is raised, or its time over, before all is
    /// counted.
    pub fn find(
        data: &Microdata,
        combinations: &Combinations,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        Self::find_within(data, combinations, &Limits::default(), budget, progress)
    }

    /// [`Minucs::find`] with limits of one's own.
    ///
    /// # Errors
    /// As [`Minucs::find`].
    pub fn find_within(
        data: &Microdata,
        combinations: &Combinations,
        limits: &Limits,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let stop = StopCheck::new(budget, progress);
        stop.stage("counting combinations", combinations.as_slice().len());
        Self::find_as_step(data, combinations, limits, &stop)
    }

    /// [`Minucs::find_within`] as a step of something larger.
    pub(crate) fn find_as_step(
        data: &Microdata,
        combinations: &Combinations,
        limits: &Limits,
        stop: &StopCheck,
    ) -> Result<Self> {
        let keys = Keys::new(data);
        let levels = crate::level::levels(&keys, combinations, limits, stop)?;
        let blocks: Vec<usize> = (0..keys.records()).step_by(FLAG_BLOCK).collect();
        let flagged = blocks
            .par_iter()
            .map(|&start| {
                stop.check()?;
                let length = FLAG_BLOCK.min(keys.records() - start);
                Ok(collect(start, length, &levels.hits(start, length)))
            })
            .collect::<Result<_>>()?;
        Ok(Self::assemble(keys.records(), combinations, &levels.minucs, flagged))
    }

    /// All unsafe combinations, minimum or not: what a verifier looks at.
    pub(crate) fn find_all_unsafe(
        data: &Microdata,
        combinations: &Combinations,
        limits: &Limits,
        stop: &StopCheck,
    ) -> Result<Self> {
        let keys = Keys::new(data);
        let rare = count::rare_cells(&keys, combinations, limits, stop)?;
        Self::flag(&keys, combinations, &rare, limits, stop)
    }

    /// Finds the MINUCs from counts that another engine made: for every combination the
    /// tuples of codes (positions in the variables' labels, variables rising) that occur
    /// less often than is safe.
    ///
    /// # Errors
    /// If the tuples do not fit the combinations, or as [`Minucs::find`].
    pub fn from_rare_cells(
        data: &Microdata,
        combinations: &Combinations,
        rare: &[Vec<Vec<u32>>],
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Self> {
        let stop = StopCheck::silent(budget);
        let keys = Keys::new(data);
        let list = combinations.as_slice();
        if rare.len() != list.len() {
            return Err(Error::Request(format!(
                "rare cells of {} combinations were given, {} are checked",
                rare.len(),
                list.len()
            )));
        }
        let rare = list
            .iter()
            .zip(rare)
            .map(|(combination, tuples)| {
                rare_from_tuples(&keys, combination.keys, tuples, limits, &stop)
            })
            .collect::<Result<Vec<Rare>>>()?;
        let minucs = keep_minimum(&keys, list, rare, &stop)?;
        Self::flag(&keys, combinations, &minucs, limits, &stop)
    }

    fn flag(
        keys: &Keys,
        combinations: &Combinations,
        minucs: &[Rare],
        limits: &Limits,
        stop: &StopCheck,
    ) -> Result<Self> {
        let flagger = Flagger::new(keys, combinations.as_slice(), minucs, limits);
        let blocks: Vec<usize> = (0..keys.records()).step_by(FLAG_BLOCK).collect();
        let flagged =
            blocks.par_iter().map(|&start| flagger.block(start, stop)).collect::<Result<_>>()?;
        let cells: Vec<u64> = minucs.iter().map(|minuc| minuc.cells).collect();
        Ok(Self::assemble(keys.records(), combinations, &cells, flagged))
    }

    /// Puts the flagged blocks together, in order.
    fn assemble(
        total_records: usize,
        combinations: &Combinations,
        minucs: &[u64],
        flagged: Vec<Flagged>,
    ) -> Self {
        let mut found = Self {
            total_records,
            combinations: combinations
                .as_slice()
                .iter()
                .zip(minucs)
                .map(|(&combination, &minucs)| CombinationRisk { combination, minucs, records: 0 })
                .collect(),
            records: Vec::new(),
            signature_of: Vec::new(),
            starts: vec![0],
            members: Vec::new(),
        };
        let mut number: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut uses: Vec<u64> = Vec::new();
        for block in flagged {
            let numbers: Vec<u32> = block
                .signatures
                .into_iter()
                .map(|signature| match number.get(&signature) {
                    Some(&known) => known,
                    None => {
                        let new = number.len() as u32;
                        found.members.extend_from_slice(&signature);
                        found.starts.push(found.members.len());
                        uses.push(0);
                        number.insert(signature, new);
                        new
                    }
                })
                .collect();
            found.records.extend(&block.records);
            found.signature_of.extend(block.signature_of.iter().map(|&local| {
                let global = numbers[local as usize];
                uses[global as usize] += 1;
                global
            }));
        }
        for (signature, &uses) in uses.iter().enumerate() {
            for &combination in &found.members[found.starts[signature]..found.starts[signature + 1]]
            {
                found.combinations[combination as usize].records += uses;
            }
        }
        found
    }

    /// MINUCs given by hand: for every risky record its sets of variables.
    ///
    /// # Errors
    /// If the records do not rise or lie beyond the file, or a set is empty.
    pub fn from_sets(total_records: usize, records: &[(u32, Vec<KeySet>)]) -> Result<Self> {
        let mut sets: Vec<KeySet> =
            records.iter().flat_map(|(_, sets)| sets.iter().copied()).collect();
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.iter().cmp(b.iter())));
        sets.dedup();
        if sets.iter().any(|set| set.is_empty()) {
            return Err(Error::Request("an unsafe combination of no variables".into()));
        }
        let mut found = Self {
            total_records,
            combinations: sets
                .iter()
                .map(|&keys| CombinationRisk {
                    combination: Combination { keys, minimum: 0 },
                    minucs: 0,
                    records: 0,
                })
                .collect(),
            records: Vec::new(),
            signature_of: Vec::new(),
            starts: vec![0],
            members: Vec::new(),
        };
        let place: FxHashMap<KeySet, u32> =
            sets.iter().enumerate().map(|(place, &set)| (set, place as u32)).collect();
        let mut number: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for (record, sets) in records {
            if *record as usize >= total_records
                || found.records.last().is_some_and(|last| last >= record)
            {
                return Err(Error::Request("the records must rise and lie in the file".into()));
            }
            let mut members: Vec<u32> = sets.iter().map(|set| place[set]).collect();
            members.sort_unstable();
            members.dedup();
            for &member in &members {
                found.combinations[member as usize].records += 1;
            }
            let next = number.len() as u32;
            let signature = *number.entry(members.clone()).or_insert_with(|| {
                found.members.extend(&members);
                found.starts.push(found.members.len());
                next
            });
            found.records.push(*record);
            found.signature_of.push(signature);
        }
        Ok(found)
    }

    /// Number of records in the file.
    pub fn total_records(&self) -> usize {
        self.total_records
    }

    /// What was found for every combination of variables.
    pub fn combinations(&self) -> &[CombinationRisk] {
        &self.combinations
    }

    /// The records with at least one MINUC, rising.
    pub fn records(&self) -> &[u32] {
        &self.records
    }

    /// Number of different signatures.
    pub fn signatures(&self) -> usize {
        self.starts.len() - 1
    }

    /// The signature of a risky record, by position in [`Minucs::records`].
    pub fn signature_of(&self, position: usize) -> usize {
        self.signature_of[position] as usize
    }

    /// The combinations (positions in [`Minucs::combinations`]) of a signature.
    pub fn members(&self, signature: usize) -> &[u32] {
        &self.members[self.starts[signature]..self.starts[signature + 1]]
    }

    /// The sets of variables of a signature's MINUCs.
    pub fn sets(&self, signature: usize) -> impl Iterator<Item = KeySet> + Clone {
        self.members(signature)
            .iter()
            .map(|&member| self.combinations[member as usize].combination.keys)
    }

    /// Every risky record with its MINUCs' sets of variables.
    pub fn iter(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = KeySet> + Clone)> {
        self.records
            .iter()
            .zip(&self.signature_of)
            .map(|(&record, &signature)| (record as usize, self.sets(signature as usize)))
    }

    /// Number of MINUCs over all records (one that occurs in two records counts twice).
    pub fn occurrences(&self) -> u64 {
        self.combinations.iter().map(|risk| risk.records).sum()
    }
}

#[cfg(test)]
mod tests;
