//! Which records have which MINUCs, block by block.

use rustc_hash::FxHashMap;

use crate::cells::{CellSet, CodeSlice, Keys, Numbering};
use crate::count::{self, Group, Limits, Rare};
use crate::stop_check::StopCheck;
use crate::{Combination, Result};

/// Records flagged at once, by one thread.
pub(super) const FLAG_BLOCK: usize = 1 << 15;

/// Looks every record's combinations up among the MINUCs.
pub(super) struct Flagger<'a> {
    keys: &'a Keys<'a>,
    list: &'a [Combination],
    minucs: &'a [Rare],
    groups: Vec<Group>,
    others: Vec<usize>,
}

/// Risky records of one block.
pub(super) struct Flagged {
    pub(super) records: Vec<u32>,
    pub(super) signature_of: Vec<u32>,
    pub(super) signatures: Vec<Box<[u32]>>,
}

impl<'a> Flagger<'a> {
    pub(super) fn new(
        keys: &'a Keys<'a>,
        list: &'a [Combination],
        minucs: &'a [Rare],
        limits: &Limits,
    ) -> Self {
        let is_dense = |i: usize| matches!(minucs[i].numbering, Numbering::Dense { .. });
        let risky: Vec<usize> = (0..list.len()).filter(|&i| minucs[i].cells > 0).collect();
        let dense = risky.iter().copied().filter(|&i| is_dense(i));
        let groups = count::groups(keys, list, dense, limits.table_bytes.saturating_mul(8));
        let others = risky.iter().copied().filter(|&i| !is_dense(i)).collect();
        Self { keys, list, minucs, groups, others }
    }

    /// The risky records of a block.
    ///
    /// # Errors
    /// If the budget is spent before.
    pub(super) fn block(&self, start: usize, stop: &StopCheck) -> Result<Flagged> {
        let range = start..(start + FLAG_BLOCK).min(self.keys.records());
        let length = range.len();
        let mut hits: Vec<(u32, u32)> = Vec::new();
        let mut base = Vec::new();
        let mut buffer = vec![0_u32; length + 1];
        for group in &self.groups {
            stop.check()?;
            self.keys.cells32(&group.prefix, range.clone(), &mut base);
            for &(last, index) in &group.members {
                let CellSet::Bits(words) = &self.minucs[index].set else { continue };
                let radix = self.keys.slots(last);
                let count = match self.keys.slice(last, range.clone()) {
                    CodeSlice::Narrow(codes) => look_up(words, &base, codes, radix, &mut buffer),
                    CodeSlice::Medium(codes) => look_up(words, &base, codes, radix, &mut buffer),
                    CodeSlice::Wide(codes) => look_up(words, &base, codes, radix, &mut buffer),
                };
                hits.extend(buffer[..count].iter().map(|&offset| (offset, index as u32)));
            }
        }
        let mut cells = Vec::new();
        for &index in &self.others {
            stop.check()?;
            let rare = &self.minucs[index];
            if let Numbering::Ranked { ranks, .. } = &rare.numbering {
                for (offset, &rank) in ranks[range.clone()].iter().enumerate() {
                    if rare.set.contains(rank.into()) {
                        hits.push((offset as u32, index as u32));
                    }
                }
            } else {
                self.keys.cells64(self.list[index].keys, range.clone(), &mut cells);
                for (offset, &cell) in cells.iter().enumerate() {
                    if rare.set.contains(cell) {
                        hits.push((offset as u32, index as u32));
                    }
                }
            }
        }
        Ok(collect(start, length, &hits))
    }
}

/// Offsets of the records whose cell is in the set, without a branch per record.
pub(crate) fn look_up<C: Copy + Into<u32>>(
    words: &[u64],
    base: &[u32],
    codes: &[C],
    radix: u32,
    buffer: &mut [u32],
) -> usize {
    let mut count = 0;
    for (offset, (&base, &code)) in base.iter().zip(codes).enumerate() {
        let cell = base * radix + code.into();
        buffer[count] = offset as u32;
        count += (words[(cell >> 6) as usize] >> (cell & 63) & 1) as usize;
    }
    count
}

/// Sorts hits by record and numbers the signatures.
pub(super) fn collect(start: usize, length: usize, hits: &[(u32, u32)]) -> Flagged {
    let mut starts = vec![0_u32; length + 1];
    for &(offset, _) in hits {
        starts[offset as usize + 1] += 1;
    }
    for place in 0..length {
        starts[place + 1] += starts[place];
    }
    let mut fill = starts.clone();
    let mut sorted = vec![0_u32; hits.len()];
    for &(offset, index) in hits {
        let place = &mut fill[offset as usize];
        sorted[*place as usize] = index;
        *place += 1;
    }
    let mut flagged =
        Flagged { records: Vec::new(), signature_of: Vec::new(), signatures: Vec::new() };
    let mut number: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
    for offset in 0..length {
        let own = &mut sorted[starts[offset] as usize..starts[offset + 1] as usize];
        if own.is_empty() {
            continue;
        }
        own.sort_unstable();
        let own: &[u32] = own;
        let signature = match number.get(own) {
            Some(&signature) => signature,
            None => {
                let new = number.len() as u32;
                flagged.signatures.push(own.into());
                number.insert(own.into(), new);
                new
            }
        };
        flagged.records.push((start + offset) as u32);
        flagged.signature_of.push(signature);
    }
    flagged
}
