//! MINUCs level by level, as §5 of dewaal-1998 has it: a combination is looked at only
//! where none of its parts is unsafe already.
//!
//! Every combination with MINUCs keeps one bit per record. Small combinations are counted
//! in tables over all records, and their rare cells are struck out where a part is rare.
//! Large ones are counted by hashing over those records only in which no part is unsafe:
//! records with the same values share the same parts, so nothing is miscounted, and in
//! files where large combinations are mostly rare hardly any record is left to count.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::cells::{CellSet, CellTable, CodeSlice, Keys, Numbering};
use crate::count::{self, Group, Limits, Rare};
use crate::minuc::{look_up, strike_out};
use crate::stop_check::StopCheck;
use crate::{Combination, Combinations, KeySet, Result};

/// The MINUCs of all combinations.
pub(crate) struct Levels {
    /// Different MINUCs by combination.
    pub(crate) minucs: Vec<u64>,
    /// Records with one, a bit each; empty if there are none.
    flags: Vec<Vec<u64>>,
}

impl Levels {
    /// Offsets and combinations of the MINUCs of some records; the start a multiple of 64.
    pub(crate) fn hits(&self, start: usize, length: usize) -> Vec<(u32, u32)> {
        let mut hits = Vec::new();
        for (combination, flags) in self.flags.iter().enumerate() {
            if flags.is_empty() {
                continue;
            }
            let words = &flags[start / 64..(start + length).div_ceil(64)];
            for (place, &word) in words.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let offset = place as u32 * 64 + left.trailing_zeros();
                    left &= left - 1;
                    hits.push((offset, combination as u32));
                }
            }
        }
        hits
    }
}

/// Records flagged at once, so that cell numbers stay in the cache.
const BLOCK: usize = 1 << 12;

/// The MINUCs, smaller combinations first.
///
/// # Errors
/// If the budget is spent before.
pub(crate) fn levels(
    keys: &Keys,
    combinations: &Combinations,
    limits: &Limits,
    stop: &StopCheck,
) -> Result<Levels> {
    let list = combinations.as_slice();
    let place: FxHashMap<KeySet, usize> =
        list.iter().enumerate().map(|(place, combination)| (combination.keys, place)).collect();
    let mut rare: Vec<Rare> = Vec::with_capacity(list.len());
    let mut flags: Vec<Vec<u64>> = Vec::with_capacity(list.len());
    while rare.len() < list.len() {
        let start = rare.len();
        let dimension = list[start].keys.len();
        let end = start + list[start..].iter().take_while(|c| c.keys.len() == dimension).count();
        let in_table = |index: usize| count::fits_table(keys, list[index].keys, limits);

        let mut found: Vec<(usize, Rare, Vec<u64>)> = {
            let parts = |index: usize| parts(list, &place, start, index, &rare);
            let groups = count::groups(
                keys,
                list,
                (start..end).filter(|&i| in_table(i)),
                limits.table_bytes,
            );
            let found = groups.par_iter().map(|group| {
                let counted = count::rare_in_tables(keys, group, list, stop)?;
                let own = counted
                    .into_iter()
                    .map(|(index, set, cells)| {
                        let table = keys.product(list[index].keys.iter()).unwrap_or(0);
                        let numbering = Numbering::Dense { cells: table as u32 };
                        let mut own = Rare { numbering, set, cells };
                        let parts = parts(index);
                        if own.cells > 0 && !parts.is_empty() {
                            let set = list[index].keys;
                            strike_out(keys, set, &mut own, list, &rare, &parts, stop)?;
                        }
                        Ok((index, own))
                    })
                    .collect::<Result<Vec<(usize, Rare)>>>()?;
                flag_group(keys, group, own, stop)
            });
            found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()
        };
        let others = (start..end).into_par_iter().filter(|&index| !in_table(index));
        let by_hashing = others.map(|index| {
            let parts = parts(list, &place, start, index, &rare);
            let (cells, own_flags) = by_hashing(keys, list[index], &parts, &flags, stop)?;
            stop.advance(1);
            // Nobody looks cells of such a combination up: its supersets ask the flags.
            let none = CellSet::Hash(CellTable::with_capacity(0));
            Ok((index, Rare { numbering: Numbering::Sparse, set: none, cells }, own_flags))
        });
        found.extend(by_hashing.collect::<Result<Vec<_>>>()?);
        found.sort_unstable_by_key(|&(index, ..)| index);
        for (_, own, own_flags) in found {
            rare.push(own);
            flags.push(own_flags);
        }
    }
    Ok(Levels { minucs: rare.iter().map(|own| own.cells).collect(), flags })
}

/// The checked parts of a combination that have MINUCs.
fn parts(
    list: &[Combination],
    place: &FxHashMap<KeySet, usize>,
    done: usize,
    index: usize,
    rare: &[Rare],
) -> Vec<usize> {
    let set = list[index].keys;
    let mut parts: Vec<usize> = if set.len() < 20 && 1 << set.len() <= done {
        let mut parts = Vec::new();
        let mut part = (set.0 - 1) & set.0;
        while part != 0 {
            parts.extend(place.get(&KeySet(part)).copied());
            part = (part - 1) & set.0;
        }
        parts
    } else {
        (0..done).filter(|&part| list[part].keys.is_subset(set)).collect()
    };
    parts.retain(|&part| rare[part].cells > 0);
    parts.sort_unstable();
    parts
}

/// Flags the records of a group's MINUCs.
fn flag_group(
    keys: &Keys,
    group: &Group,
    own: Vec<(usize, Rare)>,
    stop: &StopCheck,
) -> Result<Vec<(usize, Rare, Vec<u64>)>> {
    let words = keys.records().div_ceil(64);
    let mut found: Vec<(usize, Rare, Vec<u64>)> = own
        .into_iter()
        .map(|(index, rare)| {
            let flags = if rare.cells > 0 { vec![0; words] } else { Vec::new() };
            (index, rare, flags)
        })
        .collect();
    if found.iter().all(|(_, rare, _)| rare.cells == 0) {
        return Ok(found);
    }
    let mut base = Vec::with_capacity(BLOCK);
    let mut buffer = vec![0_u32; BLOCK + 1];
    for start in (0..keys.records()).step_by(BLOCK) {
        stop.check()?;
        let range = start..(start + BLOCK).min(keys.records());
        keys.cells32(&group.prefix, range.clone(), &mut base);
        for ((_, rare, flags), &(last, _)) in found.iter_mut().zip(&group.members) {
            let CellSet::Bits(cells) = &rare.set else { continue };
            if rare.cells == 0 {
                continue;
            }
            let radix = keys.slots(last);
            let count = match keys.slice(last, range.clone()) {
                CodeSlice::Narrow(codes) => look_up(cells, &base, codes, radix, &mut buffer),
                CodeSlice::Medium(codes) => look_up(cells, &base, codes, radix, &mut buffer),
                CodeSlice::Wide(codes) => look_up(cells, &base, codes, radix, &mut buffer),
            };
            for &offset in &buffer[..count] {
                let record = start + offset as usize;
                flags[record / 64] |= 1 << (record % 64);
            }
        }
    }
    Ok(found)
}

/// Counts the records in which no part is unsafe, and flags the rare ones.
fn by_hashing(
    keys: &Keys,
    combination: Combination,
    parts: &[usize],
    flags: &[Vec<u64>],
    stop: &StopCheck,
) -> Result<(u64, Vec<u64>)> {
    let set = combination.keys;
    let words = keys.records().div_ceil(64);
    let mut unsafe_parts = vec![0_u64; words];
    for &part in parts {
        stop.check()?;
        for (all, own) in unsafe_parts.iter_mut().zip(&flags[part]) {
            *all |= own;
        }
    }
    let mut left: Vec<u32> = Vec::new();
    for (word, unsafe_parts) in unsafe_parts.iter().enumerate() {
        let mut open = !unsafe_parts;
        while open != 0 {
            let record = word * 64 + open.trailing_zeros() as usize;
            open &= open - 1;
            if record < keys.records() {
                left.push(record as u32);
            }
        }
    }
    let cells = keys.cells_of(set, &left, stop)?;
    let mut table = CellTable::with_capacity(1024.min(left.len()));
    for (place, (&record, &cell)) in left.iter().zip(&cells).enumerate() {
        stop.check_at(place)?;
        table.add(cell, record, combination.minimum);
    }
    let mut own = vec![0_u64; words];
    let mut minucs = 0;
    for (place, (&record, &cell)) in left.iter().zip(&cells).enumerate() {
        stop.check_at(place)?;
        let Some((count, first)) = table.get_first(cell) else { continue };
        let record = record as usize;
        if count < combination.minimum && !keys.any_missing(set, record) {
            own[record / 64] |= 1 << (record % 64);
            minucs += u64::from(first as usize == record);
        }
    }
    Ok(if minucs == 0 { (0, Vec::new()) } else { (minucs, own) })
}
