//! Rare cells that are minimum: no checked part of them is rare.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::cells::{CellSet, CellTable, Keys, Numbering};
use crate::count::{self, Limits, Rare, decode};
use crate::stop_check::StopCheck;
use crate::{Combination, Error, KeySet, Result};

/// The rare cells of one combination, given as tuples.
pub(super) fn rare_from_tuples(
    keys: &Keys,
    set: KeySet,
    tuples: &[Vec<u32>],
    limits: &Limits,
    stop: &StopCheck,
) -> Result<Rare> {
    stop.check()?;
    let numbering = count::numbering(keys, set, limits, stop)?;
    if matches!(numbering, Numbering::Ranked { .. }) {
        return Err(Error::TooLarge(format!(
            "a combination of {} variables with more than 2⁶⁴ cells",
            set.len()
        )));
    }
    let mut table = CellTable::with_capacity(tuples.len());
    for tuple in tuples {
        let fits = tuple.len() == set.len()
            && tuple.iter().zip(set.iter()).all(|(&code, key)| code < keys.slots(key));
        if !fits {
            return Err(Error::Request(format!(
                "the tuple {tuple:?} is no cell of its combination"
            )));
        }
        if !tuple.iter().zip(set.iter()).any(|(&code, key)| keys.is_missing(key, code)) {
            let cell = tuple
                .iter()
                .zip(set.iter())
                .fold(0, |cell, (&code, key)| cell * u64::from(keys.slots(key)) + u64::from(code));
            table.insert(cell, 0, 0);
        }
    }
    let cells = table.len() as u64;
    let set = match numbering {
        Numbering::Dense { cells } => {
            let mut words = vec![0_u64; cells.div_ceil(64) as usize];
            for (cell, ..) in table.entries() {
                words[(cell / 64) as usize] |= 1 << (cell % 64);
            }
            CellSet::Bits(words)
        }
        _ => CellSet::Hash(table),
    };
    Ok(Rare { numbering, set, cells })
}

/// Strikes out rare cells of which a checked part is rare too.
///
/// # Errors
/// If the budget is spent before.
pub(super) fn keep_minimum(
    keys: &Keys,
    list: &[Combination],
    mut rare: Vec<Rare>,
    stop: &StopCheck,
) -> Result<Vec<Rare>> {
    let place: FxHashMap<KeySet, usize> =
        list.iter().enumerate().map(|(place, combination)| (combination.keys, place)).collect();
    let mut start = 0;
    while start < list.len() {
        let dimension = list[start].keys.len();
        let end = start + list[start..].iter().take_while(|c| c.keys.len() == dimension).count();
        let (done, current) = rare.split_at_mut(start);
        let done: &[Rare] = done;
        current[..end - start].par_iter_mut().enumerate().try_for_each(|(offset, own)| {
            if own.cells == 0 {
                return Ok(());
            }
            let set = list[start + offset].keys;
            let parts: Vec<usize> = if dimension < 20 && 1 << dimension <= start {
                let mut parts = Vec::new();
                let mut part = (set.0 - 1) & set.0;
                while part != 0 {
                    parts.extend(place.get(&KeySet(part)).copied());
                    part = (part - 1) & set.0;
                }
                parts.sort_unstable();
                parts
            } else {
                (0..start).filter(|&part| list[part].keys.is_subset(set)).collect()
            };
            let parts: Vec<usize> =
                parts.into_iter().filter(|&part| done[part].cells > 0).collect();
            if parts.is_empty() {
                return Ok(());
            }
            strike_out(keys, set, own, list, done, &parts, stop)
        })?;
        start = end;
    }
    Ok(rare)
}

/// Strikes out the rare cells of a combination of which one of the given parts is rare.
///
/// # Errors
/// If the budget is spent before.
pub(crate) fn strike_out(
    keys: &Keys,
    set: KeySet,
    own: &mut Rare,
    list: &[Combination],
    done: &[Rare],
    parts: &[usize],
    stop: &StopCheck,
) -> Result<()> {
    // A mixed-radix part needs the codes only; a ranked one needs a record with them.
    let covered = |codes: &[u32; 64], record: Option<u32>| {
        parts.iter().any(|&part| {
            let cell = match (&done[part].numbering, record) {
                (Numbering::Ranked { ranks, .. }, Some(record)) => ranks[record as usize].into(),
                (Numbering::Ranked { .. }, None) => return false,
                _ => list[part]
                    .keys
                    .iter()
                    .fold(0, |cell, key| cell * u64::from(keys.slots(key)) + u64::from(codes[key])),
            };
            done[part].set.contains(cell)
        })
    };
    let mut codes = [0; 64];
    match (&own.numbering, &mut own.set) {
        (Numbering::Ranked { ranks, groups }, CellSet::Bits(words)) => {
            let mut seen = vec![false; *groups as usize];
            for (record, &rank) in ranks.iter().enumerate() {
                stop.check_at(record)?;
                let (word, bit) = (rank as usize / 64, rank % 64);
                if !std::mem::replace(&mut seen[rank as usize], true) && words[word] >> bit & 1 == 1
                {
                    for key in set.iter() {
                        codes[key] = keys.code(key, record);
                    }
                    if covered(&codes, Some(record as u32)) {
                        words[word] &= !(1 << bit);
                        own.cells -= 1;
                    }
                }
            }
        }
        (_, CellSet::Bits(words)) => {
            for (place, word) in words.iter_mut().enumerate() {
                stop.check_at(place)?;
                let mut left = *word;
                while left != 0 {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    let cell = place as u64 * 64 + u64::from(bit);
                    decode(keys, set, cell, |key, code| codes[key] = code);
                    if covered(&codes, None) {
                        *word &= !(1 << bit);
                        own.cells -= 1;
                    }
                }
            }
        }
        (_, CellSet::Hash(table)) => {
            let mut kept = CellTable::with_capacity(64);
            for (place, (cell, count, first)) in table.entries().into_iter().enumerate() {
                stop.check_at(place)?;
                decode(keys, set, cell, |key, code| codes[key] = code);
                if !covered(&codes, Some(first)) {
                    kept.insert(cell, count, first);
                }
            }
            own.cells = kept.len() as u64;
            *table = kept;
        }
    }
    Ok(())
}
