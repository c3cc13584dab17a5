//! Contributions merged by respondent or by holding, exactly, wherever in the file their
//! records are.
//!
//! Records are split by contributor and sorted by contributor, on disk if they are many. So all of one contributor comes at once. Who is in one cell only counts
//! there and is rolled up with it. Who is in several cells may have parts that meet in a
//! total, so what they contribute is added to every cell above at once, as one amount a cell.

use std::sync::Arc;

use futures::StreamExt;
use quell_data::arrow::array::AsArray;
use quell_model::{Budget, Dimension, NodeId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::encode::Encoder;
use super::groups::{Group, GroupReader, Groups, Shown, listed, sorted};
use super::merged::Merged;
use super::plan::{Plan, TablePlan};
use super::records::nobody;
use super::running::Rows;
use super::scan::{Batches, Scan};
pub(super) use crate::Who;
use crate::watch::Watch;
use crate::{ContributorKey, Contributors, Error, Spec};

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

    /// Adds the contributors of another part of the records, who are others.
    fn absorb(&mut self, other: Self, watch: &mut Watch<'_>) -> Result<(), Error> {
        for (key, contributors) in other.cells {
            watch.step()?;
            let next = self.cells.len() as u32;
            let slot = *self.index.entry(key).or_insert(next);
            match self.cells.get_mut(slot as usize) {
                Some((_, own)) => *own += &contributors,
                None => self.cells.push((key, contributors)),
            }
        }
        Ok(())
    }

    /// Takes out the contributors of a cell.
    pub(super) fn take(&mut self, key: u64) -> Option<Contributors> {
        let slot = *self.index.get(&key)? as usize;
        let empty = Contributors::none(0, 1);
        Some(std::mem::replace(&mut self.cells[slot].1, empty))
    }
}

/// What merging came to.
pub(super) struct MergedPeople {
    /// The contributors of each table.
    pub(super) people: Vec<People>,
    /// Bytes that went to disk meanwhile.
    pub(super) spilled: u64,
}

/// What merging is called while it runs.
pub(super) fn stage(who: Who) -> &'static str {
    match who {
        Who::Respondents => "merging records of one respondent",
        Who::Holdings => "merging records of one holding",
    }
}

/// Merges the records of a file by contributor.
pub(super) async fn merge(
    spec: &Spec,
    scan: &Scan,
    encoder: &Arc<Encoder>,
    who: Who,
    rows: &Rows,
) -> Result<MergedPeople, Error> {
    let mut sorted = sorted(scan, encoder, who, rows).await?;
    let tables = Arc::new(FoldedTable::all(spec, encoder.plan()));
    let mut tasks = Vec::new();
    for batches in sorted.take() {
        let folding = Folding::new(Arc::clone(encoder), Arc::clone(&tables));
        tasks.push(tokio::spawn(folding.all(batches, scan.budget.clone())));
    }
    let mut watch = Watch::new(&scan.budget);
    let mut people: Vec<People> = Vec::new();
    for task in tasks {
        let part = task.await.map_err(|error| Error::Resources(error.to_string()))??;
        if people.is_empty() {
            people = part;
            continue;
        }
        for (own, part) in people.iter_mut().zip(part) {
            own.single.absorb(part.single, &mut watch)?;
            own.spread.absorb(part.spread, &mut watch)?;
        }
    }
    Ok(MergedPeople { people, spilled: sorted.spilled() })
}

/// A table that contributors are put into.
struct FoldedTable {
    dimensions: Vec<Dimension>,
    /// Which of the amounts is its shadow.
    shadow: Option<usize>,
    shown: Shown,
}

impl FoldedTable {
    fn all(spec: &Spec, plan: &Plan) -> Vec<Self> {
        let listed = listed(plan);
        let position = |variable: Option<usize>| {
            variable.and_then(|own| listed.iter().position(|&other| other == own))
        };
        let dimension = |name: &String| {
            let axis = spec.axes.iter().find(|axis| axis.dimension.name == *name);
            axis.map(|axis| axis.dimension.clone())
        };
        let tables = spec.tables.iter().zip(&plan.tables).map(|(table, plan)| Self {
            dimensions: table.dimensions.iter().filter_map(dimension).collect(),
            shadow: position(plan.shadow),
            shown: Shown { response: position(plan.response), weighted: plan.weighted },
        });
        tables.collect()
    }
}

/// Puts the contributors of one partition into the cells of all tables.
struct Folding {
    encoder: Arc<Encoder>,
    tables: Arc<Vec<FoldedTable>>,
    people: Vec<People>,
}

impl Folding {
    fn new(encoder: Arc<Encoder>, tables: Arc<Vec<FoldedTable>>) -> Self {
        let people = tables.iter().map(|_| People::default()).collect();
        Self { encoder, tables, people }
    }

    /// Takes in all records of a partition, which are sorted by contributor.
    async fn all(mut self, mut batches: Batches, budget: Budget) -> Result<Vec<People>, Error> {
        let listed = listed(self.encoder.plan());
        let mut current = String::new();
        let mut groups = Groups::default();
        while let Some(batch) = batches.next().await {
            // Also why there may be no batch.
            if let Some(stop) = budget.stop() {
                return Err(Error::Stopped(stop));
            }
            let batch = batch?;
            let names = batch.column(0).as_string::<i32>();
            let reader = GroupReader::new(self.encoder.plan(), &listed, &batch);
            for row in 0..batch.num_rows() {
                if names.value(row) != current {
                    self.contributor(&current, groups.as_slice());
                    groups.clear();
                    current.clear();
                    current.push_str(names.value(row));
                }
                groups.push(reader.record(row));
            }
        }
        self.contributor(&current, groups.as_slice());
        Ok(self.people)
    }

    /// Takes in all groups of one contributor.
    fn contributor(&mut self, name: &str, groups: &[Group]) {
        let Some(request) = groups.iter().map(|group| group.request).max() else { return };
        let who = ContributorKey::of_name(name);
        let plan = self.encoder.plan();
        let unit = plan.weight_decimals().scale();
        let tables = plan.tables.iter().zip(self.tables.iter());
        for ((table, folded), people) in tables.zip(&mut self.people) {
            let amount =
                |group: &Group| (key(table, group), group.amount(folded.shadow, folded.shown));
            let mut cells: SmallVec<[(u64, Merged); 4]> = groups.iter().map(amount).collect();
            add_up(&mut cells);
            let nobody = nobody(plan, table);
            if let [(key, merged)] = cells[..] {
                people
                    .single
                    .at(key, &nobody)
                    .add(merged.contribution(who, unit, request), merged.weighted);
                continue;
            }
            let mut above = SmallVec::new();
            for &(key, merged) in &cells {
                spread(table, &folded.dimensions, key, merged, &mut above);
            }
            add_up(&mut above);
            for &(key, merged) in &above {
                people
                    .spread
                    .at(key, &nobody)
                    .add(merged.contribution(who, unit, request), merged.weighted);
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
    dimensions: &[Dimension],
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
