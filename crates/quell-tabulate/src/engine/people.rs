//! Contributions merged by respondent or by holding, exactly, wherever in the file their
//! records are.
//!
//! Records are grouped by contributor and finest cell and then sorted by contributor, on disk
//! if they are many. So all of one contributor comes at once. Who is in one cell only counts
//! there and is rolled up with it. Who is in several cells may have parts that meet in a
//! total, so what they contribute is added to every cell above at once, as one amount a cell.

use std::sync::Arc;

use datafusion::arrow::array::AsArray;
use futures::StreamExt;
use quell_model::{Dimension, NodeId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::encode::Encoder;
use super::groups::{Group, GroupReader, grouped, shadows};
use super::merged::Merged;
use super::plan::{Plan, TablePlan};
use super::records::nobody;
use super::scan::Scan;
use crate::{Contributors, Error, Spec};

/// Whose contributions are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Respondents,
    Holdings,
}

/// The contributors of a table.
#[derive(Default)]
pub(super) struct People {
    /// Those in one cell without parts only, to be rolled up.
    pub(super) single: ByCell,
    /// What those in several cells contribute to every cell, totals included.
    pub(super) spread: ByCell,
}

/// Contributors by the number of their cell.
#[derive(Default)]
pub(super) struct ByCell {
    index: FxHashMap<u64, u32>,
    pub(super) cells: Vec<(u64, Contributors)>,
}

impl ByCell {
    fn at(&mut self, key: u64, nobody: &Contributors) -> &mut Contributors {
        let next = self.cells.len() as u32;
        let slot = *self.index.entry(key).or_insert(next);
        if slot == next {
            self.cells.push((key, nobody.clone()));
        }
        &mut self.cells[slot as usize].1
    }

    /// Takes out the contributors of a cell.
    pub(super) fn take(&mut self, key: u64) -> Option<Contributors> {
        let slot = *self.index.get(&key)? as usize;
        let empty = Contributors::none(0, 1);
        Some(std::mem::replace(&mut self.cells[slot].1, empty))
    }
}

/// Merges the records of a file by contributor.
pub(super) async fn merge(
    spec: &Spec,
    scan: &Scan,
    encoder: &Arc<Encoder>,
    who: Who,
) -> Result<Vec<People>, Error> {
    let failed = |error| scan.error(error);
    let mut stream = grouped(scan, encoder, who).await?.execute_stream().await.map_err(failed)?;
    let plan = encoder.plan();
    let shadows = shadows(plan);
    let mut folding = Folding::new(spec, plan, &shadows);
    let mut current = String::new();
    let mut groups: Vec<Group> = Vec::new();
    while let Some(batch) = stream.next().await {
        if let Some(stop) = scan.budget.stop() {
            return Err(Error::Stopped(stop));
        }
        let batch = batch.map_err(failed)?;
        let names = batch.column(0).as_string_view();
        let reader = GroupReader::new(plan, &shadows, &batch);
        for row in 0..batch.num_rows() {
            if names.value(row) != current {
                folding.contributor(&groups);
                groups.clear();
                current.clear();
                current.push_str(names.value(row));
            }
            groups.push(reader.group(row));
        }
    }
    folding.contributor(&groups);
    Ok(folding.people)
}

/// Puts contributors into the cells of all tables.
struct Folding<'a> {
    plan: &'a Plan,
    /// For each table, its dimensions and which of the amounts is its shadow.
    tables: Vec<(Vec<&'a Dimension>, Option<usize>)>,
    people: Vec<People>,
}

impl<'a> Folding<'a> {
    fn new(spec: &'a Spec, plan: &'a Plan, shadows: &[usize]) -> Self {
        let dimension = |name: &String| {
            let axis = spec.axes.iter().find(|axis| axis.dimension.name == *name);
            axis.map(|axis| &axis.dimension)
        };
        let tables = spec.tables.iter().zip(&plan.tables).map(|(table, plan)| {
            let dimensions = table.dimensions.iter().filter_map(dimension).collect();
            let shadow = plan.shadow.and_then(|own| shadows.iter().position(|&other| other == own));
            (dimensions, shadow)
        });
        let people = plan.tables.iter().map(|_| People::default()).collect();
        Self { plan, tables: tables.collect(), people }
    }

    /// Takes in all groups of one contributor.
    fn contributor(&mut self, groups: &[Group]) {
        let Some(wish) = groups.iter().map(|group| group.wish).max() else { return };
        let unit = self.plan.weight_decimals().scale();
        let plans = self.plan.tables.iter().zip(&self.tables);
        for ((table, (dimensions, shadow)), people) in plans.zip(&mut self.people) {
            let mut cells: SmallVec<[(u64, Merged); 4]> =
                groups.iter().map(|group| (key(table, group), *group.amount(*shadow))).collect();
            add_up(&mut cells);
            let nobody = nobody(self.plan, table);
            if let [(key, merged)] = cells[..] {
                people
                    .single
                    .at(key, &nobody)
                    .add(merged.contribution(unit, wish), merged.weighted);
                continue;
            }
            let mut above = SmallVec::new();
            for &(key, merged) in &cells {
                spread(table, dimensions, key, merged, &mut above);
            }
            add_up(&mut above);
            for &(key, merged) in &above {
                people
                    .spread
                    .at(key, &nobody)
                    .add(merged.contribution(unit, wish), merged.weighted);
            }
        }
    }
}

fn key(table: &TablePlan, group: &Group) -> u64 {
    let steps = table.axes.iter().zip(&table.strides);
    steps.map(|(&axis, &stride)| u64::from(group.nodes[axis]) * stride).sum()
}

/// Adds up amounts of the same cell.
fn add_up(cells: &mut SmallVec<[(u64, Merged); 4]>) {
    cells.sort_unstable_by_key(|&(key, _)| key);
    cells.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1.add(&later.1);
        }
        same
    });
}

/// An amount in a cell and in all cells above it.
fn spread(
    table: &TablePlan,
    dimensions: &[&Dimension],
    key: u64,
    merged: Merged,
    cells: &mut SmallVec<[(u64, Merged); 4]>,
) {
    let start = cells.len();
    cells.push((key, merged));
    for (dimension, &stride) in dimensions.iter().zip(&table.strides) {
        let hierarchy = &dimension.hierarchy;
        for position in start..cells.len() {
            let (key, _) = cells[position];
            let node = key / stride % hierarchy.len() as u64;
            for &above in hierarchy.ancestors(node as NodeId) {
                cells.push((key - node * stride + u64::from(above) * stride, merged));
            }
        }
    }
}
