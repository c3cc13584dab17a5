//! Making a set-covering problem smaller without changing its optimum.
//!
//! Until nothing changes: a row with one column forces it; a row that contains another
//! is covered with it; a column whose rows are all rows of a column that weighs no more
//! is not needed. What is left falls into components without common columns.

use fixedbitset::FixedBitSet;
use quell_model::Budget;
use rustc_hash::FxHashSet;

use super::Covering;

/// A part of the problem that stands alone.
pub(super) struct Component {
    /// Columns in the numbering of the whole problem.
    pub(super) columns: Vec<u32>,
    /// The part, with its own numbering.
    pub(super) covering: Covering,
}

/// What is left after reduction.
pub(super) struct Reduced {
    /// Columns that every search may take.
    pub(super) forced: Vec<u32>,
    pub(super) components: Vec<Component>,
}

/// Reduces the problem; out of budget it is left as large as it is then.
pub(super) fn reduce(covering: &Covering, budget: &Budget) -> Reduced {
    let mut rows: Vec<Vec<u32>> = covering.iter().map(<[u32]>::to_vec).collect();
    let mut forced: Vec<u32> = Vec::new();
    loop {
        let before = (rows.len(), rows.iter().map(Vec::len).sum::<usize>());
        take_single(&mut rows, &mut forced);
        drop_containing_rows(&mut rows, budget);
        drop_dominated_columns(&mut rows, covering.weights(), budget);
        let after = (rows.len(), rows.iter().map(Vec::len).sum::<usize>());
        if before == after || budget.stop().is_some() {
            break;
        }
    }
    forced.sort_unstable();
    Reduced { forced, components: components(rows, covering.weights()) }
}

fn take_single(rows: &mut Vec<Vec<u32>>, forced: &mut Vec<u32>) {
    let new: FxHashSet<u32> = rows.iter().filter(|row| row.len() == 1).map(|row| row[0]).collect();
    if new.is_empty() {
        return;
    }
    let mut sorted: Vec<u32> = rows.iter().filter(|row| row.len() == 1).map(|row| row[0]).collect();
    sorted.sort_unstable();
    sorted.dedup();
    forced.extend(sorted);
    rows.retain(|row| !row.iter().any(|column| new.contains(column)));
}

/// Rows handled between two looks at the budget.
const ROWS_PER_LOOK: usize = 256;

/// The longest row whose parts are all looked up rather than compared.
const LOOKED_UP: usize = 8;

fn drop_containing_rows(rows: &mut Vec<Vec<u32>>, budget: &Budget) {
    rows.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    rows.dedup();
    let mut known: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut kept: Vec<Vec<u32>> = Vec::new();
    let mut part = Vec::new();
    let mut stopped = false;
    for (place, row) in rows.drain(..).enumerate() {
        stopped = stopped || (place.is_multiple_of(ROWS_PER_LOOK) && budget.stop().is_some());
        let contains = if stopped {
            false
        } else if row.len() <= LOOKED_UP {
            (1..(1_u32 << row.len()) - 1).any(|mask| {
                part.clear();
                part.extend((0..row.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| row[bit]));
                known.contains(&part)
            })
        } else {
            kept.iter().any(|other| {
                other.len() < row.len()
                    && other.iter().all(|column| row.binary_search(column).is_ok())
            })
        };
        if !contains {
            known.insert(row.clone());
            kept.push(row);
        }
    }
    *rows = kept;
}

fn drop_dominated_columns(rows: &mut [Vec<u32>], weights: &[f64], budget: &Budget) {
    if budget.stop().is_some() {
        return;
    }
    let mut bits: Vec<Option<FixedBitSet>> = vec![None; weights.len()];
    for (index, row) in rows.iter().enumerate() {
        for &column in row {
            bits[column as usize]
                .get_or_insert_with(|| FixedBitSet::with_capacity(rows.len()))
                .insert(index);
        }
    }
    let mut dropped = vec![false; weights.len()];
    for column in 0..weights.len() {
        if budget.stop().is_some() {
            break;
        }
        let Some(own) = &bits[column] else { continue };
        // A dominating column is in every row of this one: look at its first row only.
        let Some(first) = own.ones().next() else { continue };
        dropped[column] = rows[first].iter().any(|&other| {
            let other = other as usize;
            other != column
                && !dropped[other]
                && weights[other] <= weights[column]
                && bits[other].as_ref().is_some_and(|bits| {
                    own.is_subset(bits)
                        // Of two equal columns the first stays.
                        && (weights[other] < weights[column]
                            || other < column
                            || !bits.is_subset(own))
                })
        });
    }
    for row in rows {
        row.retain(|&column| !dropped[column as usize]);
    }
}

fn components(rows: Vec<Vec<u32>>, weights: &[f64]) -> Vec<Component> {
    let mut parent: Vec<u32> = (0..weights.len() as u32).collect();
    fn root(parent: &mut [u32], mut column: u32) -> u32 {
        while parent[column as usize] != column {
            let up = parent[parent[column as usize] as usize];
            parent[column as usize] = up;
            column = up;
        }
        column
    }
    for row in &rows {
        let first = root(&mut parent, row[0]);
        for &column in &row[1..] {
            let other = root(&mut parent, column);
            parent[other as usize] = first;
        }
    }
    let mut used = vec![false; weights.len()];
    for &column in rows.iter().flatten() {
        used[column as usize] = true;
    }
    let mut component_of = vec![usize::MAX; weights.len()];
    let mut place = vec![0_u32; weights.len()];
    let mut columns: Vec<Vec<u32>> = Vec::new();
    for column in (0..weights.len() as u32).filter(|&column| used[column as usize]) {
        let root = root(&mut parent, column) as usize;
        if component_of[root] == usize::MAX {
            component_of[root] = columns.len();
            columns.push(Vec::new());
        }
        let component = component_of[root];
        component_of[column as usize] = component;
        place[column as usize] = columns[component].len() as u32;
        columns[component].push(column);
    }
    let mut parts: Vec<Component> = columns
        .into_iter()
        .map(|columns| Component {
            covering: Covering {
                weights: columns.iter().map(|&column| weights[column as usize]).collect(),
                starts: vec![0],
                columns: Vec::new(),
            },
            columns,
        })
        .collect();
    for row in rows {
        let part = &mut parts[component_of[row[0] as usize]].covering;
        part.columns.extend(row.iter().map(|&column| place[column as usize]));
        part.starts.push(part.columns.len());
    }
    parts
}
