//! The records of contributors, sorted by contributor.
//!
//! Records of one cell are added up as they come out.

use std::sync::Arc;

use futures::StreamExt;
use quell_data::arrow::array::{
    ArrayRef, AsArray, Int64Array, RecordBatch, UInt8Array, UInt32Array,
};
use quell_data::arrow::compute::{cast, filter_record_batch, is_not_null};
use quell_data::arrow::datatypes::{
    DataType, Field, Int64Type, Schema, SchemaRef, UInt8Type, UInt32Type,
};
use quell_data::arrow::error::ArrowError;
use quell_model::{NodeId, Value};
use smallvec::SmallVec;

#[cfg(feature = "datafusion")]
use super::datafusion::Sorted;
use super::encode::Encoder;
#[cfg(not(feature = "datafusion"))]
use super::in_memory::Sorted;
use super::merged::Merged;
use super::numbers::MISSING;
use super::people::Who;
use super::plan::{Plan, TablePlan};
use super::records::whole;
use super::running::Rows;
use super::scan::{Batches, Scan};
use crate::{Error, ProtectionRequest};

/// The column of the contributor's name, the first.
pub(super) const NAME: &str = "name";

/// The variables whose contributions are listed: what rules look at, and what tables show.
pub(super) fn listed(plan: &Plan) -> Vec<usize> {
    let of_table = |table: &TablePlan| [table.shadow, table.response];
    let mut listed: Vec<usize> = plan.tables.iter().flat_map(of_table).flatten().collect();
    listed.sort_unstable();
    listed.dedup();
    listed
}

/// The records that have a contributor, sorted by contributor, in as many partitions as there are
/// threads. All of one contributor is in one partition.
pub(super) async fn sorted(
    scan: &Scan,
    encoder: &Arc<Encoder>,
    who: Who,
    rows: &Rows,
) -> Result<Sorted, Error> {
    let plan = encoder.plan();
    let schema = schema(plan, &listed(plan));
    let partitions = scan.partitions(&plan.columns).await?;
    let parts = partitions.into_iter().map(|batches| {
        let (encoder, schema) = (Arc::clone(encoder), Arc::clone(&schema));
        let (rows, budget) = (rows.clone(), scan.budget.clone());
        let file = scan.records.source().to_owned();
        let listed = listed(encoder.plan());
        let batches = batches.map(move |batch| {
            // Whoever waits for the sorted records says why there are none.
            if let Some(stop) = budget.stop() {
                return Err(Error::Stopped(stop));
            }
            let batch = batch?;
            rows.add(batch.num_rows());
            records(&encoder, &listed, who, &schema, &batch)
                .map_err(|error| quell_data::Error::malformed(&file, error).into())
        });
        Box::pin(batches) as Batches
    });
    scan.engine.sorted(&scan.records, parts.collect(), &schema, scan.budget.threads()).await
}

fn schema(plan: &Plan, listed: &[usize]) -> SchemaRef {
    let mut fields = vec![Field::new(NAME, DataType::Utf8, true)];
    let axes = 0..plan.axes.len();
    fields.extend(axes.map(|axis| Field::new(format!("axis{axis}"), DataType::UInt32, false)));
    fields.push(Field::new("weight", DataType::Int64, false));
    fields.push(Field::new("whole", DataType::Int64, false));
    fields.push(Field::new("request", DataType::UInt8, false));
    for number in 0..listed.len() {
        fields.push(Field::new(format!("value{number}"), DataType::Int64, false));
        fields.push(Field::new(format!("weighted{number}"), DataType::Int64, false));
    }
    Arc::new(Schema::new(fields))
}

/// The records of a batch as integers.
fn records(
    encoder: &Encoder,
    listed: &[usize],
    who: Who,
    schema: &SchemaRef,
    batch: &RecordBatch,
) -> Result<RecordBatch, ArrowError> {
    let encoded = encoder.encode(batch).map_err(|fault| {
        ArrowError::ComputeError(format!("the file changed: \"{}\" was not there", fault.found))
    })?;
    let (plan, rows) = (encoder.plan(), encoded.rows);
    // Not as views: those would keep alive, and count, the texts of whole batches.
    let names: ArrayRef = Arc::new(encoder.people(batch, who));
    let mut columns: Vec<ArrayRef> = vec![cast(&names, &DataType::Utf8)?];
    for nodes in encoded.nodes {
        columns.push(Arc::new(UInt32Array::from(nodes)));
    }
    let unit = plan.weight_decimals().scale();
    let weights = match plan.weight {
        Some(weight) => encoded.values[weight].clone(),
        None => vec![unit; rows],
    };
    let wholes = weights.iter().map(|&weight| whole(weight, unit));
    let wholes = Int64Array::from_iter_values(wholes);
    columns.push(Arc::new(Int64Array::from(weights)));
    columns.push(Arc::new(wholes));
    let mut requests: Vec<u8> = encoded.requests.iter().map(|&request| request as u8).collect();
    requests.resize(rows, ProtectionRequest::None as u8);
    columns.push(Arc::new(UInt8Array::from(requests)));
    let known = |value: &Value| if *value == MISSING { 0 } else { *value };
    for &number in listed {
        let values = &encoded.values[number];
        let weighted = encoded.weighted.get(number).unwrap_or(values);
        columns.push(Arc::new(Int64Array::from_iter_values(values.iter().map(known))));
        columns.push(Arc::new(Int64Array::from_iter_values(weighted.iter().map(known))));
    }
    // Who has no name is counted with the records.
    let named = is_not_null(&columns[0])?;
    filter_record_batch(&RecordBatch::try_new(Arc::clone(schema), columns)?, &named)
}

/// The records of one contributor in one finest cell.
pub(super) struct Group {
    pub(super) nodes: SmallVec<[NodeId; 4]>,
    /// Counts as amounts: for tables of frequencies.
    count: Merged,
    /// The weights of the records.
    weight: Value,
    /// For each listed variable.
    amounts: SmallVec<[Merged; 2]>,
    pub(super) request: ProtectionRequest,
}

/// What a table shows of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Which of the listed variables; none for counts.
    pub(super) response: Option<usize>,
    pub(super) weighted: bool,
}

/// Reads records out of a batch.
pub(super) struct GroupReader<'a> {
    axes: Vec<&'a [NodeId]>,
    weight: &'a [Value],
    whole: &'a [Value],
    request: &'a [u8],
    amounts: Vec<[&'a [Value]; 2]>,
}

impl<'a> GroupReader<'a> {
    pub(super) fn new(plan: &Plan, listed: &[usize], batch: &'a RecordBatch) -> Self {
        let axes = plan.axes.len();
        let integers = |column: usize| batch.column(column).as_primitive::<Int64Type>().values();
        Self {
            axes: (1..=axes)
                .map(|axis| &batch.column(axis).as_primitive::<UInt32Type>().values()[..])
                .collect(),
            weight: integers(axes + 1),
            whole: integers(axes + 2),
            request: batch.column(axes + 3).as_primitive::<UInt8Type>().values(),
            amounts: (0..listed.len())
                .map(|number| {
                    [&integers(axes + 4 + 2 * number)[..], &integers(axes + 5 + 2 * number)[..]]
                })
                .collect(),
        }
    }

    /// A record as a group of one.
    pub(super) fn record(&self, row: usize) -> Group {
        let weight = self.weight[row];
        let merged = |value, weighted| {
            // What it shows depends on the table.
            Merged { value, weighted, lightest: weight, heaviest: weight, shown: 0 }
        };
        Group {
            nodes: self.axes.iter().map(|nodes| nodes[row]).collect(),
            count: merged(1, self.whole[row]),
            weight,
            amounts: self.amounts.iter().map(|[v, w]| merged(v[row], w[row])).collect(),
            request: ProtectionRequest::from_number(self.request[row]),
        }
    }
}

impl Group {
    /// What it comes to in a table that shows this, with this shadow variable; positions are
    /// those among the listed variables, none stands for counting.
    pub(super) fn amount(&self, shadow: Option<usize>, shown: Shown) -> Merged {
        let of = |variable: Option<usize>| variable.map_or(&self.count, |own| &self.amounts[own]);
        let shown = match (shown.response, shown.weighted) {
            (None, true) => self.weight,
            (response, false) => of(response).value,
            (response, true) => of(response).weighted,
        };
        Merged { shown, ..*of(shadow) }
    }

    fn add(&mut self, other: &Self) {
        self.count.add(&other.count);
        self.weight += other.weight;
        for (own, other) in self.amounts.iter_mut().zip(&other.amounts) {
            own.add(other);
        }
        self.request = self.request.max(other.request);
    }
}

/// The groups of one contributor, each cell once: someone with millions of records takes no
/// more memory than their cells.
#[derive(Default)]
pub(super) struct Groups {
    list: Vec<Group>,
    /// How long the list may grow before records of one cell are added up.
    limit: usize,
}

impl Groups {
    /// The shortest list worth adding up.
    const FEW: usize = 64;

    pub(super) fn push(&mut self, record: Group) {
        if self.list.len() >= self.limit.max(Self::FEW) {
            self.list.sort_by(|one, other| one.nodes.cmp(&other.nodes));
            self.list.dedup_by(|later, earlier| {
                let same = later.nodes == earlier.nodes;
                if same {
                    earlier.add(later);
                }
                same
            });
            self.limit = 2 * self.list.len();
        }
        self.list.push(record);
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.limit = 0;
    }

    pub(super) fn as_slice(&self) -> &[Group] {
        &self.list
    }
}
