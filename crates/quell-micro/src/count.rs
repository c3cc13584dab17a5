//! How often combinations of values occur.
//!
//! Combinations with few possible cells are counted in a table (one saturating byte a
//! cell where thresholds allow, so that tables stay in the cache), the others by
//! hashing; see [`Limits`]. Combinations that share all variables but the last are
//! counted together, so that the common part of the cell number is computed once a
//! block. Groups of combinations are the unit of parallel work, and every count is
//! exact up to the threshold, so neither threads nor layout change any result.
//!
//! Counting a file is `GROUP BY` for every combination with `HAVING COUNT(*) <
//! minimum`, and counts of parts of a file add up: another engine can do it and hand
//! the rare cells to [`crate::Minucs::from_rare_cells`].

use rayon::prelude::*;

use crate::cells::{CellSet, CellTable, CodeSlice, Keys, Numbering};
use crate::stop_check::StopCheck;
use crate::{Combination, Combinations, KeySet, Result};

/// Where tables end and hashing begins, and how much memory counting may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most cells a table may have. Beyond, hashing, whose memory is bounded by
    /// 32 bytes per record (and combination in work).
    pub dense_cells: u32,
    /// Bytes of tables that one thread may hold at once.
    pub table_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { dense_cells: 1 << 26, table_bytes: 1 << 27 }
    }
}

/// Records handled at once: cell numbers of a block stay in the first-level cache.
const BLOCK: usize = 4096;

/// Combinations that differ only in their last variable.
pub(crate) struct Group {
    pub(crate) prefix: Vec<usize>,
    /// Last variable and position in the list of combinations.
    pub(crate) members: Vec<(usize, usize)>,
}

/// Groups the given combinations by all variables but the last; no group holds more
/// table bytes than the limit, as long as it has more than one member.
pub(crate) fn groups(
    keys: &Keys,
    combinations: &[Combination],
    members: impl Iterator<Item = usize>,
    bytes: usize,
) -> Vec<Group> {
    let mut groups: Vec<(Group, usize)> = Vec::new();
    let mut place_of: rustc_hash::FxHashMap<Vec<usize>, usize> = rustc_hash::FxHashMap::default();
    for index in members {
        let mut prefix: Vec<usize> = combinations[index].keys.iter().collect();
        let Some(last) = prefix.pop() else { continue };
        let cells = keys.product(combinations[index].keys.iter()).unwrap_or(u64::MAX);
        let size = usize::try_from(cells).unwrap_or(usize::MAX);
        match place_of.get(&prefix) {
            Some(&place) if groups[place].1.saturating_add(size) <= bytes => {
                groups[place].0.members.push((last, index));
                groups[place].1 += size;
            }
            _ => {
                place_of.insert(prefix.clone(), groups.len());
                groups.push((Group { prefix, members: vec![(last, index)] }, size));
            }
        }
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// The rare cells of one combination: those that occur, but less often than is safe.
pub(crate) struct Rare {
    pub(crate) numbering: Numbering,
    pub(crate) set: CellSet,
    pub(crate) cells: u64,
}

/// Cells a record up to which a table was faster than hashing (1 million × 8 variables,
/// all combinations; 10 million × 10, triples).
const TABLE_WORTH: u64 = 6;

/// Whether a combination is counted in a table.
pub(crate) fn fits_table(keys: &Keys, set: KeySet, limits: &Limits) -> bool {
    // A table pays while it is not far larger than the file: beyond, clearing and reading
    // it costs more than hashing the records that are left.
    let worth = (keys.records() as u64).saturating_mul(TABLE_WORTH).max(1 << 16);
    let most = u64::from(limits.dense_cells).min(worth);
    keys.product(set.iter()).is_some_and(|cells| cells <= most)
}

/// Whether a combination is counted in a table, by hashing, or by ranks.
pub(crate) fn numbering(
    keys: &Keys,
    set: KeySet,
    limits: &Limits,
    stop: &StopCheck,
) -> Result<Numbering> {
    Ok(match keys.product(set.iter()) {
        Some(cells) if fits_table(keys, set, limits) => Numbering::Dense { cells: cells as u32 },
        Some(cells) if cells < u64::MAX => Numbering::Sparse,
        _ => {
            let (ranks, groups) = keys.ranks(set, stop)?;
            Numbering::Ranked { ranks, groups: groups as u32 }
        }
    })
}

/// The rare cells of every combination.
///
/// # Errors
/// If the budget is spent before.
pub(crate) fn rare_cells(
    keys: &Keys,
    combinations: &Combinations,
    limits: &Limits,
    stop: &StopCheck,
) -> Result<Vec<Rare>> {
    let list = combinations.as_slice();
    let numberings = list
        .par_iter()
        .map(|combination| numbering(keys, combination.keys, limits, stop))
        .collect::<Result<Vec<Numbering>>>()?;
    let dense = (0..list.len()).filter(|&i| matches!(numberings[i], Numbering::Dense { .. }));
    let groups = groups(keys, list, dense, limits.table_bytes);
    let mut counted: Vec<(usize, CellSet, u64)> = groups
        .par_iter()
        .map(|group| rare_in_tables(keys, group, list, stop))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect();
    let others: Vec<usize> =
        (0..list.len()).filter(|&i| !matches!(numberings[i], Numbering::Dense { .. })).collect();
    let by_hashing = others.par_iter().map(|&index| {
        let combination = list[index];
        let (set, cells) = match &numberings[index] {
            Numbering::Ranked { ranks, groups } => {
                rare_ranks(keys, combination, ranks, *groups as usize, stop)?
            }
            _ => rare_by_hashing(keys, combination, stop)?,
        };
        stop.advance(1);
        Ok((index, set, cells))
    });
    counted.extend(by_hashing.collect::<Result<Vec<_>>>()?);
    counted.sort_unstable_by_key(|&(index, ..)| index);
    let rare = numberings.into_iter().zip(counted).map(|(numbering, (_, set, cells))| Rare {
        numbering,
        set,
        cells,
    });
    Ok(rare.collect())
}

/// The rare cells of the combinations of a group: position, cells, how many.
///
/// # Errors
/// If the budget is spent before.
pub(crate) fn rare_in_tables(
    keys: &Keys,
    group: &Group,
    list: &[Combination],
    stop: &StopCheck,
) -> Result<Vec<(usize, CellSet, u64)>> {
    let largest = group.members.iter().map(|&(_, i)| list[i].minimum).max().unwrap_or(0);
    let counted = if largest <= u32::from(u8::MAX) {
        count_group::<u8>(keys, group, list, stop)
    } else {
        count_group::<u32>(keys, group, list, stop)
    };
    stop.advance(group.members.len());
    counted
}

/// A counter that stops at its largest value.
trait Counter: Copy + Default {
    fn increment(&mut self);
    fn value(self) -> u32;
}

impl Counter for u8 {
    #[inline]
    fn increment(&mut self) {
        *self = self.saturating_add(1);
    }

    fn value(self) -> u32 {
        self.into()
    }
}

impl Counter for u32 {
    #[inline]
    fn increment(&mut self) {
        *self += 1;
    }

    fn value(self) -> u32 {
        self
    }
}

fn count_codes<T: Counter, C: Copy + Into<u32>>(
    table: &mut [T],
    base: &[u32],
    codes: &[C],
    radix: u32,
) {
    for (&base, &code) in base.iter().zip(codes) {
        if let Some(count) = table.get_mut((base * radix + code.into()) as usize) {
            count.increment();
        }
    }
}

fn count_group<T: Counter>(
    keys: &Keys,
    group: &Group,
    list: &[Combination],
    stop: &StopCheck,
) -> Result<Vec<(usize, CellSet, u64)>> {
    stop.check()?;
    let mut tables: Vec<Vec<T>> = group
        .members
        .iter()
        .map(|&(_, index)| {
            let cells = keys.product(list[index].keys.iter()).unwrap_or(0);
            vec![T::default(); cells as usize]
        })
        .collect();
    let mut base = Vec::with_capacity(BLOCK);
    for start in (0..keys.records()).step_by(BLOCK) {
        stop.check()?;
        let range = start..(start + BLOCK).min(keys.records());
        keys.cells32(&group.prefix, range.clone(), &mut base);
        for (table, &(last, _)) in tables.iter_mut().zip(&group.members) {
            let radix = keys.slots(last);
            match keys.slice(last, range.clone()) {
                CodeSlice::Narrow(codes) => count_codes(table, &base, codes, radix),
                CodeSlice::Medium(codes) => count_codes(table, &base, codes, radix),
                CodeSlice::Wide(codes) => count_codes(table, &base, codes, radix),
            }
        }
    }
    tables
        .iter()
        .zip(&group.members)
        .map(|(table, &(_, index))| {
            stop.check()?;
            let combination = list[index];
            let minimum = combination.minimum;
            let mut words = vec![0_u64; table.len().div_ceil(64)];
            let mut rare = 0;
            for (word, counts) in words.iter_mut().zip(table.chunks(64)) {
                for (bit, count) in counts.iter().enumerate() {
                    let count = count.value();
                    *word |= u64::from(count > 0 && count < minimum) << bit;
                }
            }
            let missing = missing_slots(keys, combination.keys);
            for (place, word) in words.iter_mut().enumerate() {
                if missing && *word != 0 {
                    for bit in 0..64 {
                        let cell = place as u64 * 64 + bit;
                        if *word >> bit & 1 == 1 && has_missing(keys, combination.keys, cell) {
                            *word &= !(1 << bit);
                        }
                    }
                }
                rare += u64::from(word.count_ones());
            }
            Ok((index, CellSet::Bits(words), rare))
        })
        .collect()
}

/// Whether any variable of the set has a slot for missing values.
fn missing_slots(keys: &Keys, set: KeySet) -> bool {
    set.iter().any(|key| keys.is_missing(key, keys.slots(key) - 1))
}

/// Whether a cell has a missing value among its own.
fn has_missing(keys: &Keys, set: KeySet, cell: u64) -> bool {
    let mut found = false;
    decode(keys, set, cell, |key, code| found |= keys.is_missing(key, code));
    found
}

/// Calls `visit` with every variable and code of a mixed-radix cell, last variable first.
pub(crate) fn decode(keys: &Keys, set: KeySet, mut cell: u64, mut visit: impl FnMut(usize, u32)) {
    let mut left = set.0;
    while left != 0 {
        let key = 63 - left.leading_zeros() as usize;
        left &= !(1 << key);
        let radix = u64::from(keys.slots(key));
        visit(key, (cell % radix) as u32);
        cell /= radix;
    }
}

fn rare_by_hashing(
    keys: &Keys,
    combination: Combination,
    stop: &StopCheck,
) -> Result<(CellSet, u64)> {
    let mut table = CellTable::with_capacity(1024);
    let mut cells = Vec::with_capacity(BLOCK);
    for start in (0..keys.records()).step_by(BLOCK) {
        stop.check()?;
        let range = start..(start + BLOCK).min(keys.records());
        keys.cells64(combination.keys, range, &mut cells);
        for (offset, &cell) in cells.iter().enumerate() {
            table.add(cell, (start + offset) as u32, combination.minimum);
        }
    }
    let rare: Vec<(u64, u32, u32)> = table
        .entries()
        .into_iter()
        .filter(|&(_, count, first)| {
            count < combination.minimum && !keys.any_missing(combination.keys, first as usize)
        })
        .collect();
    let mut set = CellTable::with_capacity(rare.len());
    for &(cell, count, first) in &rare {
        set.insert(cell, count, first);
    }
    Ok((CellSet::Hash(set), rare.len() as u64))
}

fn rare_ranks(
    keys: &Keys,
    combination: Combination,
    ranks: &[u32],
    groups: usize,
    stop: &StopCheck,
) -> Result<(CellSet, u64)> {
    let mut counts = vec![0_u32; groups];
    let mut missing = vec![false; groups];
    for (record, &rank) in ranks.iter().enumerate() {
        stop.check_at(record)?;
        if counts[rank as usize] == 0 {
            missing[rank as usize] = keys.any_missing(combination.keys, record);
        }
        counts[rank as usize] += 1;
    }
    let mut words = vec![0_u64; groups.div_ceil(64)];
    let mut rare = 0;
    for (rank, &count) in counts.iter().enumerate() {
        if count < combination.minimum && !missing[rank] {
            words[rank / 64] |= 1 << (rank % 64);
            rare += 1;
        }
    }
    Ok((CellSet::Bits(words), rare))
}
