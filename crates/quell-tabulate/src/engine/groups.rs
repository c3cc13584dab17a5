//! The query that sorts records by contributor.
//!
//! It only sorts, because a sort goes to disk in any amount of memory. A hash aggregate
//! before it would save little where most contributors have one record per cell, and runs out
//! of memory while it spills. Records of one cell are added up as they come out.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, AsArray, Int64Array, RecordBatch, UInt8Array, UInt32Array,
};
use datafusion::arrow::compute::{cast, filter_record_batch, is_not_null};
use datafusion::arrow::datatypes::{
    DataType, Field, Int64Type, Schema, SchemaRef, UInt8Type, UInt32Type,
};
use datafusion::catalog::TableProvider;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::col as column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::physical_plan::{ExecutionPlan, Partitioning};
use futures::StreamExt;
use quell_model::{Budget, NodeId, Value};
use smallvec::SmallVec;

use super::encode::Encoder;
use super::merged::Merged;
use super::numbers::MISSING;
use super::people::Who;
use super::plan::Plan;
use super::records::whole;
use super::running::Rows;
use super::scan::Scan;
use crate::{Error, ProtectionRequest};

/// The variables whose contributions are listed.
pub(super) fn shadows(plan: &Plan) -> Vec<usize> {
    let mut shadows: Vec<usize> = plan.tables.iter().filter_map(|table| table.shadow).collect();
    shadows.sort_unstable();
    shadows.dedup();
    shadows
}

/// The query: the records that have a contributor, sorted by contributor, in as many
/// partitions as there are threads. All of one contributor is in one partition.
pub(super) async fn sorted(
    scan: &Scan,
    encoder: &Arc<Encoder>,
    who: Who,
    rows: &Rows,
) -> Result<Arc<dyn ExecutionPlan>, Error> {
    let failed = |error: DataFusionError| scan.error(error);
    let plan = encoder.plan();
    let shadows = shadows(plan);
    let source = scan.plan(&plan.columns).await?;
    let schema = schema(plan, &shadows);
    let count_parts = source.properties().output_partitioning().partition_count();
    let parts = (0..count_parts).map(|partition| {
        let part = Part {
            source: Arc::clone(&source),
            partition,
            encoder: Arc::clone(encoder),
            shadows: shadows.clone(),
            who,
            rows: rows.clone(),
            budget: scan.budget.clone(),
            schema: Arc::clone(&schema),
        };
        Arc::new(part) as Arc<dyn PartitionStream>
    });
    let table = StreamingTable::try_new(Arc::clone(&schema), parts.collect()).map_err(failed)?;
    let records = table.scan(&scan.context.state(), None, &[], None).await.map_err(failed)?;
    let name = column("name", &schema).map_err(failed)?;
    let threads = Partitioning::Hash(vec![Arc::clone(&name)], scan.budget.threads());
    let parts = RepartitionExec::try_new(records, threads).map_err(failed)?;
    let order = LexOrdering::from([PhysicalSortExpr::new_default(name)]);
    Ok(Arc::new(SortExec::new(order, Arc::new(parts)).with_preserve_partitioning(true)))
}

fn schema(plan: &Plan, shadows: &[usize]) -> SchemaRef {
    let mut fields = vec![Field::new("name", DataType::Utf8, true)];
    let axes = 0..plan.axes.len();
    fields.extend(axes.map(|axis| Field::new(format!("axis{axis}"), DataType::UInt32, false)));
    fields.push(Field::new("weight", DataType::Int64, false));
    fields.push(Field::new("whole", DataType::Int64, false));
    fields.push(Field::new("request", DataType::UInt8, false));
    for number in 0..shadows.len() {
        fields.push(Field::new(format!("value{number}"), DataType::Int64, false));
        fields.push(Field::new(format!("weighted{number}"), DataType::Int64, false));
    }
    Arc::new(Schema::new(fields))
}

/// The records of one partition as integers, for the query.
struct Part {
    source: Arc<dyn ExecutionPlan>,
    partition: usize,
    encoder: Arc<Encoder>,
    shadows: Vec<usize>,
    who: Who,
    /// Counts records as they go into the query.
    rows: Rows,
    budget: Budget,
    schema: SchemaRef,
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "records of partition {}", self.partition)
    }
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (encoder, shadows, who) = (Arc::clone(&self.encoder), self.shadows.clone(), self.who);
        let schema = Arc::clone(&self.schema);
        let stream = match self.source.execute(self.partition, context) {
            Ok(stream) => stream,
            Err(error) => {
                let failed = futures::stream::iter([Err(error)]);
                return Box::pin(RecordBatchStreamAdapter::new(schema, failed));
            }
        };
        let own = Arc::clone(&schema);
        let (rows, budget) = (self.rows.clone(), self.budget.clone());
        let batches = stream.map(move |batch| {
            // Whoever waits for the sorted records says why there are none.
            if let Some(stop) = budget.stop() {
                return Err(DataFusionError::Execution(format!("stopped ({stop:?})")));
            }
            let batch = batch?;
            rows.add(batch.num_rows());
            records(&encoder, &shadows, who, &own, &batch)
        });
        Box::pin(RecordBatchStreamAdapter::new(schema, batches))
    }
}

fn records(
    encoder: &Encoder,
    shadows: &[usize],
    who: Who,
    schema: &SchemaRef,
    batch: &RecordBatch,
) -> Result<RecordBatch, DataFusionError> {
    let encoded = encoder.encode(batch).map_err(|fault| {
        DataFusionError::Execution(format!("the file changed: \"{}\" was not there", fault.found))
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
    for &number in shadows {
        let values = &encoded.values[number];
        let weighted = encoded.weighted.get(number).unwrap_or(values);
        columns.push(Arc::new(Int64Array::from_iter_values(values.iter().map(known))));
        columns.push(Arc::new(Int64Array::from_iter_values(weighted.iter().map(known))));
    }
    // Who has no name is counted with the records.
    let named = is_not_null(&columns[0])?;
    Ok(filter_record_batch(&RecordBatch::try_new(Arc::clone(schema), columns)?, &named)?)
}

/// The records of one contributor in one finest cell.
pub(super) struct Group {
    pub(super) nodes: SmallVec<[NodeId; 4]>,
    /// Counts as amounts: for tables of frequencies.
    count: Merged,
    /// For each shadow variable.
    amounts: SmallVec<[Merged; 2]>,
    pub(super) request: ProtectionRequest,
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
    pub(super) fn new(plan: &Plan, shadows: &[usize], batch: &'a RecordBatch) -> Self {
        let axes = plan.axes.len();
        let integers = |column: usize| batch.column(column).as_primitive::<Int64Type>().values();
        Self {
            axes: (1..=axes)
                .map(|axis| &batch.column(axis).as_primitive::<UInt32Type>().values()[..])
                .collect(),
            weight: integers(axes + 1),
            whole: integers(axes + 2),
            request: batch.column(axes + 3).as_primitive::<UInt8Type>().values(),
            amounts: (0..shadows.len())
                .map(|number| {
                    [&integers(axes + 4 + 2 * number)[..], &integers(axes + 5 + 2 * number)[..]]
                })
                .collect(),
        }
    }

    /// A record as a group of one.
    pub(super) fn record(&self, row: usize) -> Group {
        let weight = self.weight[row];
        let merged =
            |value, weighted| Merged { value, weighted, lightest: weight, heaviest: weight };
        Group {
            nodes: self.axes.iter().map(|nodes| nodes[row]).collect(),
            count: merged(1, self.whole[row]),
            amounts: self.amounts.iter().map(|[v, w]| merged(v[row], w[row])).collect(),
            request: ProtectionRequest::from_number(self.request[row]),
        }
    }
}

impl Group {
    /// What it comes to in a table with this shadow variable.
    pub(super) fn amount(&self, shadow: Option<usize>) -> &Merged {
        shadow.map_or(&self.count, |shadow| &self.amounts[shadow])
    }

    fn add(&mut self, other: &Self) {
        self.count.add(&other.count);
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
