//! The pass over the records: what every cell without parts adds up to.

use std::sync::Arc;

use quell_data::arrow::array::RecordBatch;
use quell_model::Value;
use rustc_hash::FxHashMap;

use super::encode::{Encoded, Encoder};
use super::numbers::MISSING;
use super::people::Who;
use super::plan::{Plan, TablePlan};
use super::running::Rows;
use super::scan::Scan;
use crate::number::rounded;
use crate::watch::Watch;
use crate::{CellSummary, Contribution, ContributorKey, Contributors, Error};

/// The largest total that exact arithmetic allows; as [`quell_model::Decimals::parse`].
const LARGEST: i128 = (Value::MAX / 4) as i128;

/// Why the pass stopped.
pub(super) enum Halt {
    /// A record that cannot be tabulated: look for the first.
    Fault,
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// What some of the records add up to.
pub(super) struct Folded {
    pub(super) records: u64,
    pub(super) tables: Vec<Cells>,
    totals: Totals,
}

/// The cells of a table that have no parts, by number.
#[derive(Default)]
pub(super) struct Cells {
    index: FxHashMap<u64, u32>,
    pub(super) cells: Vec<(u64, CellSummary)>,
}

impl Cells {
    /// The cell of a number, empty at first.
    fn at(&mut self, key: u64, empty: &CellSummary) -> &mut CellSummary {
        let next = self.cells.len() as u32;
        let slot = *self.index.entry(key).or_insert(next);
        if slot == next {
            self.cells.push((key, empty.clone()));
        }
        &mut self.cells[slot as usize].1
    }
}

/// The sizes of everything that is added up, so that no sum of any part of it overflows.
#[derive(Clone)]
struct Totals {
    /// For each number, unweighted and weighted.
    sizes: Vec<[i128; 2]>,
}

impl Totals {
    fn add(&mut self, batch: &Encoded) {
        let size = |values: &Vec<Value>| -> i128 {
            let known = values.iter().filter(|&&value| value != MISSING);
            known.map(|value| i128::from(value.unsigned_abs())).sum()
        };
        for (number, sizes) in self.sizes.iter_mut().enumerate() {
            sizes[0] += size(&batch.values[number]);
            sizes[1] += batch.weighted.get(number).map_or(0, size);
        }
    }

    fn check(&self, plan: &Plan) -> Result<(), Error> {
        match self.sizes.iter().position(|sizes| sizes.iter().any(|&size| size > LARGEST)) {
            Some(number) => Err(Error::TooLarge {
                variable: plan.numbers[number].name.clone(),
                decimals: plan.numbers[number].decimals.0,
            }),
            None => Ok(()),
        }
    }
}

/// Adds up all records of a file.
pub(super) async fn fold(scan: &Scan, encoder: &Arc<Encoder>, rows: &Rows) -> Result<Folded, Halt> {
    let columns = encoder.plan().columns.clone();
    let start = || Folded::new(encoder.plan());
    let encoder = Arc::clone(encoder);
    let (own, rows) = (Arc::clone(&encoder), rows.clone());
    let step = move |folded: &mut Folded, batch: &RecordBatch| {
        rows.add(batch.num_rows());
        folded.batch(&own, batch)
    };
    let parts = scan.each(&columns, start, step).await?;
    let mut whole = parts.into_iter();
    let Some(mut all) = whole.next() else {
        return Err(Error::NoRecords { file: scan.records.source().to_owned() }.into());
    };
    for part in whole {
        all.merge(part, encoder.plan(), &mut Watch::new(&scan.budget))?;
    }
    if all.records == 0 {
        return Err(Error::NoRecords { file: scan.records.source().to_owned() }.into());
    }
    Ok(all)
}

impl Folded {
    fn new(plan: &Plan) -> Self {
        Self {
            records: 0,
            tables: plan.tables.iter().map(|_| Cells::default()).collect(),
            totals: Totals { sizes: vec![[0; 2]; plan.numbers.len()] },
        }
    }

    fn batch(&mut self, encoder: &Encoder, batch: &RecordBatch) -> Result<(), Halt> {
        let plan = encoder.plan();
        let encoded = encoder.encode(batch).map_err(|_| Halt::Fault)?;
        self.totals.add(&encoded);
        self.totals.check(plan)?;
        self.records += encoded.rows as u64;
        let alone = Alone::new(encoder, &encoded, batch);
        for (table, cells) in plan.tables.iter().zip(&mut self.tables) {
            table_batch(plan, table, &encoded, &alone, cells);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self, plan: &Plan, watch: &mut Watch<'_>) -> Result<(), Error> {
        for (own, other) in self.totals.sizes.iter_mut().zip(&other.totals.sizes) {
            own[0] += other[0];
            own[1] += other[1];
        }
        self.totals.check(plan)?;
        self.records += other.records;
        for (table, (own, other)) in
            plan.tables.iter().zip(self.tables.iter_mut().zip(other.tables))
        {
            let empty = empty(plan, table);
            for (key, summary) in other.cells {
                watch.step()?;
                *own.at(key, &empty) += &summary;
            }
        }
        Ok(())
    }

    /// What the log should say.
    pub(super) fn notes(&self, plan: &Plan) -> Vec<String> {
        let mut notes = Vec::new();
        for (table, cells) in plan.tables.iter().zip(&self.tables) {
            let count = |of: fn(&CellSummary) -> u64| -> u64 {
                cells.cells.iter().map(|(_, summary)| of(summary)).sum()
            };
            let name = table.response.map_or("frequency", |number| &plan.numbers[number].name);
            let negatives = count(|summary| summary.negatives);
            if negatives > 0 {
                notes.push(format!(
                    "{name}: {negatives} records are negative; rules look at absolute contributions"
                ));
            }
            let missing = count(|summary| summary.missing);
            if missing > 0 {
                notes.push(format!(
                    "{name}: {missing} records have no value; they count and add nothing"
                ));
            }
        }
        notes.dedup();
        notes
    }
}

/// Which records are from someone without a name: they are contributors of their own. Without
/// names all are.
struct Alone {
    respondents: Option<Vec<bool>>,
    holdings: Option<Vec<bool>>,
    /// Who the records without names are from.
    who: Vec<ContributorKey>,
}

impl Alone {
    fn new(encoder: &Encoder, encoded: &Encoded, batch: &RecordBatch) -> Self {
        let nameless = |who: Who| {
            encoder.names(who).then(|| {
                let names = encoder.people(batch, who);
                names.iter().map(|name| name.is_none()).collect()
            })
        };
        let (respondents, holdings) = (nameless(Who::Respondents), nameless(Who::Holdings));
        let has_holdings = encoder.plan().holding.is_some();
        let some = |alone: &Option<Vec<bool>>| alone.as_ref().is_none_or(|all| all.contains(&true));
        let needed = some(&respondents) || (has_holdings && some(&holdings));
        let who = if needed { encoded.keys() } else { Vec::new() };
        Self { respondents, holdings, who }
    }
}

/// A cell without records.
pub(super) fn empty(plan: &Plan, table: &TablePlan) -> CellSummary {
    let holdings = plan.holding.is_some().then(|| Box::new(nobody(plan, table)));
    CellSummary::empty(nobody(plan, table), holdings)
}

/// No contributors, with a list for as many as the table needs.
pub(super) fn nobody(plan: &Plan, table: &TablePlan) -> Contributors {
    Contributors::none(table.top, plan.weight_decimals().scale())
}

/// A weight as a number of contributors.
pub(super) fn whole(weight: Value, unit: Value) -> Value {
    rounded(i128::from(weight), i128::from(unit)) as Value
}

fn table_batch(plan: &Plan, table: &TablePlan, batch: &Encoded, alone: &Alone, cells: &mut Cells) {
    let empty = empty(plan, table);
    let unit = plan.weight_decimals().scale();
    let weights = plan.weight.map(|weight| &batch.values[weight]);
    let amounts = |number: Option<usize>, row: usize, weight: Value| match number {
        None => (1, weight),
        Some(number) => {
            let value = batch.values[number][row];
            (value, batch.weighted.get(number).map_or(value, |weighted| weighted[row]))
        }
    };
    let mut keys = vec![0_u64; batch.rows];
    for (&axis, &stride) in table.axes.iter().zip(&table.strides) {
        for (key, &node) in keys.iter_mut().zip(&batch.nodes[axis]) {
            *key += u64::from(node) * stride;
        }
    }
    for (row, &key) in keys.iter().enumerate() {
        let cell = cells.at(key, &empty);
        let weight = weights.map_or(unit, |weights| weights[row]);
        cell.records += 1;
        cell.weight += weight;
        if let Some(cost) = table.cost {
            let cost = batch.values[cost][row];
            cell.cost += if cost == MISSING { 0 } else { cost };
        }
        let (value, weighted) = amounts(table.response, row, weight);
        match value {
            MISSING => cell.missing += 1,
            _ => {
                cell.value += value;
                cell.weighted_value += weighted;
                cell.zeros += u64::from(value == 0);
            }
        }
        let (shadow, weighted_shadow) = match (table.shadow, amounts(table.shadow, row, weight)) {
            (_, (MISSING, _)) => (0, 0),
            (None, (one, weight)) => (one, whole(weight, unit)),
            (Some(_), known) => known,
        };
        let negative = shadow < 0 || (value < 0 && value != MISSING);
        cell.negatives += u64::from(negative);
        let request = batch.requests.get(row).copied().unwrap_or_default();
        let shown = match if table.weighted { weighted } else { value } {
            MISSING => 0,
            known => known,
        };
        let who = alone.who.get(row).copied().unwrap_or_default();
        let contribution =
            Contribution { who, shown, value: shadow, weight, weight_rest: 0, request };
        if alone.respondents.as_ref().is_none_or(|alone| alone[row]) {
            cell.respondents.add(contribution, weighted_shadow);
        }
        if let Some(holdings) = &mut cell.holdings
            && alone.holdings.as_ref().is_none_or(|alone| alone[row])
        {
            holdings.add(contribution, weighted_shadow);
        }
    }
}
