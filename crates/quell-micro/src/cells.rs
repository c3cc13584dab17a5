//! Cells of a combination: one number for one tuple of values.
//!
//! The values of a combination of variables are numbered in mixed radix, the last
//! variable fastest. All missing codes of a variable share one slot after its
//! categories; a cell with such a slot is no combination of characteristics and is
//! never unsafe. Where the product of the slots does not fit into 64 bits, tuples are
//! numbered in order of first appearance instead ([`Numbering::Ranked`]).

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::stop_check::StopCheck;
use crate::{Codes, KeySet, Microdata, Result};

/// A slice of codes of whatever width.
#[derive(Clone, Copy)]
pub(crate) enum CodeSlice<'a> {
    Narrow(&'a [u8]),
    Medium(&'a [u16]),
    Wide(&'a [u32]),
}

/// The identifying variables, ready for counting.
pub(crate) struct Keys<'a> {
    columns: Vec<Cow<'a, Codes>>,
    categories: Vec<u32>,
    slots: Vec<u32>,
    records: usize,
}

impl<'a> Keys<'a> {
    pub(crate) fn new(data: &'a Microdata) -> Self {
        let mut keys = Self {
            columns: Vec::new(),
            categories: Vec::new(),
            slots: Vec::new(),
            records: data.records(),
        };
        for column in data.keys() {
            let categories = column.categories();
            let labels = column.labels().len() as u32;
            let codes = if labels <= categories + 1 {
                Cow::Borrowed(column.codes())
            } else {
                let map: Vec<u32> = (0..labels).map(|code| code.min(categories)).collect();
                Cow::Owned(column.codes().mapped(&map, categories as usize + 1))
            };
            keys.columns.push(codes);
            keys.categories.push(categories);
            keys.slots.push(labels.min(categories + 1).max(1));
        }
        keys
    }

    pub(crate) fn records(&self) -> usize {
        self.records
    }

    /// Slots of a variable: its categories, and one more if a value is missing.
    pub(crate) fn slots(&self, key: usize) -> u32 {
        self.slots[key]
    }

    pub(crate) fn code(&self, key: usize, record: usize) -> u32 {
        self.columns[key].get(record)
    }

    pub(crate) fn is_missing(&self, key: usize, code: u32) -> bool {
        code >= self.categories[key]
    }

    pub(crate) fn slice(&self, key: usize, range: Range<usize>) -> CodeSlice<'_> {
        match self.columns[key].as_ref() {
            Codes::Narrow(codes) => CodeSlice::Narrow(&codes[range]),
            Codes::Medium(codes) => CodeSlice::Medium(&codes[range]),
            Codes::Wide(codes) => CodeSlice::Wide(&codes[range]),
        }
    }

    /// Product of the slots, if it fits.
    pub(crate) fn product(&self, keys: impl Iterator<Item = usize>) -> Option<u64> {
        keys.map(|key| u64::from(self.slots[key])).try_fold(1_u64, u64::checked_mul)
    }

    /// Whether a record has a missing value among the variables.
    pub(crate) fn any_missing(&self, keys: KeySet, record: usize) -> bool {
        keys.iter().any(|key| self.is_missing(key, self.code(key, record)))
    }

    /// Cells of a block of records, 32 bits; the caller knows that they fit.
    pub(crate) fn cells32(&self, keys: &[usize], range: Range<usize>, out: &mut Vec<u32>) {
        out.clear();
        out.resize(range.len(), 0);
        for &key in keys {
            let radix = self.slots[key];
            match self.slice(key, range.clone()) {
                CodeSlice::Narrow(codes) => extend(out, codes, radix),
                CodeSlice::Medium(codes) => extend(out, codes, radix),
                CodeSlice::Wide(codes) => extend(out, codes, radix),
            }
        }
    }

    /// Cells of a block of records, 64 bits; the caller knows that they fit.
    pub(crate) fn cells64(&self, keys: KeySet, range: Range<usize>, out: &mut Vec<u64>) {
        out.clear();
        out.resize(range.len(), 0);
        for key in keys.iter() {
            let radix = u64::from(self.slots[key]);
            match self.slice(key, range.clone()) {
                CodeSlice::Narrow(codes) => extend(out, codes, radix),
                CodeSlice::Medium(codes) => extend(out, codes, radix),
                CodeSlice::Wide(codes) => extend(out, codes, radix),
            }
        }
    }

    /// Cells of some records: mixed radix where it fits into 64 bits; where not, the
    /// number so far is replaced by its rank among these records and goes on from there.
    ///
    /// # Errors
    /// If the budget is spent before.
    pub(crate) fn cells_of(
        &self,
        keys: KeySet,
        records: &[u32],
        stop: &StopCheck,
    ) -> Result<Vec<u64>> {
        let mut cells = vec![0_u64; records.len()];
        // One below the largest number, which open addressing keeps for "empty".
        let mut room = 1_u64;
        for key in keys.iter() {
            stop.check()?;
            let slots = u64::from(self.slots[key]);
            room = match room.checked_mul(slots).filter(|&room| room < u64::MAX) {
                Some(room) => room,
                None => {
                    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
                    for cell in &mut cells {
                        let next = seen.len() as u64;
                        *cell = *seen.entry(*cell).or_insert(next);
                    }
                    seen.len() as u64 * slots
                }
            };
            for (cell, &record) in cells.iter_mut().zip(records) {
                *cell = *cell * slots + u64::from(self.code(key, record as usize));
            }
        }
        Ok(cells)
    }

    /// Every record's tuple numbered by first appearance, and how many tuples there are.
    /// Exact for any number of variables: one variable after another refines the groups.
    ///
    /// # Errors
    /// If the budget is spent before.
    pub(crate) fn ranks(&self, keys: KeySet, stop: &StopCheck) -> Result<(Vec<u32>, usize)> {
        let mut ranks = vec![0_u32; self.records];
        let mut groups = 1;
        for key in keys.iter() {
            let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
            for (record, rank) in ranks.iter_mut().enumerate() {
                stop.check_at(record)?;
                let refined = u64::from(*rank) << 32 | u64::from(self.code(key, record));
                let next = seen.len() as u32;
                *rank = *seen.entry(refined).or_insert(next);
            }
            groups = seen.len();
        }
        Ok((ranks, groups))
    }
}

fn extend<N, C>(cells: &mut [N], codes: &[C], radix: N)
where
    N: Copy + std::ops::Mul<Output = N> + std::ops::Add<Output = N> + From<C>,
    C: Copy,
{
    for (cell, &code) in cells.iter_mut().zip(codes) {
        *cell = *cell * radix + N::from(code);
    }
}

/// How the tuples of one combination are numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Mixed radix, few enough cells for a table.
    Dense { cells: u32 },
    /// Mixed radix in 64 bits, too many cells for a table.
    Sparse,
    /// By first appearance; the rank of every record.
    Ranked { ranks: Vec<u32>, groups: u32 },
}

/// A set of cells of one combination.
#[derive(Debug, Clone)]
pub(crate) enum CellSet {
    /// One bit per cell.
    Bits(Vec<u64>),
    /// Open addressing.
    Hash(CellTable),
}

impl CellSet {
    #[inline]
    pub(crate) fn contains(&self, cell: u64) -> bool {
        match self {
            Self::Bits(words) => words[(cell >> 6) as usize] >> (cell & 63) & 1 == 1,
            Self::Hash(table) => table.get(cell).is_some(),
        }
    }
}

const EMPTY: u64 = u64::MAX;

/// A map from cells to counts, by open addressing with linear probing. The cell
/// `u64::MAX` cannot be held; no product of slots that fits reaches it.
#[derive(Debug, Clone)]
pub(crate) struct CellTable {
    cells: Vec<u64>,
    values: Vec<u32>,
    /// First record with the cell.
    first: Vec<u32>,
    used: usize,
    shift: u32,
}

impl CellTable {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let size = (capacity * 2).next_power_of_two().max(16);
        Self {
            cells: vec![EMPTY; size],
            values: vec![0; size],
            first: vec![0; size],
            used: 0,
            shift: 64 - size.trailing_zeros(),
        }
    }

    #[inline]
    fn place(&self, cell: u64) -> usize {
        // Fibonacci hashing after folding: mixed-radix cells are far from random.
        let mixed = (cell ^ cell >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mask = self.cells.len() - 1;
        let mut place = (mixed >> self.shift) as usize & mask;
        while self.cells[place] != cell && self.cells[place] != EMPTY {
            place = (place + 1) & mask;
        }
        place
    }

    /// Counts one more record, up to `limit`.
    #[inline]
    pub(crate) fn add(&mut self, cell: u64, record: u32, limit: u32) {
        let place = self.place(cell);
        if self.cells[place] == EMPTY {
            self.cells[place] = cell;
            self.first[place] = record;
            self.values[place] = 1;
            self.used += 1;
            if self.used * 2 > self.cells.len() {
                self.grow();
            }
        } else if self.values[place] < limit {
            self.values[place] += 1;
        }
    }

    /// Puts a cell in with a value.
    pub(crate) fn insert(&mut self, cell: u64, value: u32, first: u32) {
        let place = self.place(cell);
        if self.cells[place] == EMPTY {
            self.used += 1;
        }
        self.cells[place] = cell;
        self.values[place] = value;
        self.first[place] = first;
        if self.used * 2 > self.cells.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let mut larger = Self::with_capacity(self.cells.len());
        for (place, &cell) in self.cells.iter().enumerate() {
            if cell != EMPTY {
                larger.insert(cell, self.values[place], self.first[place]);
            }
        }
        *self = larger;
    }

    #[inline]
    pub(crate) fn get(&self, cell: u64) -> Option<u32> {
        let place = self.place(cell);
        (self.cells[place] == cell).then(|| self.values[place])
    }

    /// Value and first record of a cell.
    #[inline]
    pub(crate) fn get_first(&self, cell: u64) -> Option<(u32, u32)> {
        let place = self.place(cell);
        (self.cells[place] == cell).then(|| (self.values[place], self.first[place]))
    }

    /// Cell, value and first record of all entries, in order of first record.
    pub(crate) fn entries(&self) -> Vec<(u64, u32, u32)> {
        let mut entries: Vec<(u64, u32, u32)> = (0..self.cells.len())
            .filter(|&place| self.cells[place] != EMPTY)
            .map(|place| (self.cells[place], self.values[place], self.first[place]))
            .collect();
        entries.sort_unstable_by_key(|&(cell, _, first)| (first, cell));
        entries
    }

    pub(crate) fn len(&self) -> usize {
        self.used
    }
}
