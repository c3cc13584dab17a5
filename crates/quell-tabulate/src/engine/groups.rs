//! The query that groups records by contributor and finest cell, sorted by contributor.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, AsArray, Int64Array, RecordBatch, UInt8Array, UInt32Array,
};
use datafusion::arrow::datatypes::{
    DataType, Field, Int64Type, Schema, SchemaRef, UInt8Type, UInt32Type,
};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::functions_aggregate::expr_fn::{count, max, min, sum};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::{Expr, col, lit};
use futures::StreamExt;
use quell_model::{NodeId, Value};
use smallvec::SmallVec;

use super::encode::Encoder;
use super::merged::Merged;
use super::numbers::MISSING;
use super::people::Who;
use super::plan::Plan;
use super::records::whole;
use super::scan::Scan;
use crate::{Error, Wish};

/// The variables whose contributions are listed.
pub(super) fn shadows(plan: &Plan) -> Vec<usize> {
    let mut shadows: Vec<usize> = plan.tables.iter().filter_map(|table| table.shadow).collect();
    shadows.sort_unstable();
    shadows.dedup();
    shadows
}

/// The query: groups of one contributor in one finest cell, sorted by contributor.
pub(super) async fn grouped(
    scan: &Scan,
    encoder: &Arc<Encoder>,
    who: Who,
) -> Result<DataFrame, Error> {
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
            schema: Arc::clone(&schema),
        };
        Arc::new(part) as Arc<dyn PartitionStream>
    });
    let table = StreamingTable::try_new(Arc::clone(&schema), parts.collect()).map_err(failed)?;
    let mut keys: Vec<Expr> = vec![col("name")];
    keys.extend((0..plan.axes.len()).map(|axis| col(format!("axis{axis}"))));
    let mut amounts: Vec<Expr> = vec![
        count(lit(1)).alias("count"),
        sum(col("whole")).alias("whole"),
        min(col("weight")).alias("lightest"),
        max(col("weight")).alias("heaviest"),
        max(col("wish")).alias("wish"),
    ];
    for number in 0..shadows.len() {
        amounts.push(sum(col(format!("value{number}"))).alias(format!("value{number}")));
        amounts.push(sum(col(format!("weighted{number}"))).alias(format!("weighted{number}")));
    }
    let frame = scan.context.read_table(Arc::new(table)).map_err(failed)?;
    frame
        .filter(col("name").is_not_null())
        .and_then(|frame| frame.aggregate(keys, amounts))
        .and_then(|frame| frame.sort(vec![col("name").sort(true, false)]))
        .map_err(failed)
}

fn schema(plan: &Plan, shadows: &[usize]) -> SchemaRef {
    let mut fields = vec![Field::new("name", DataType::Utf8View, true)];
    let axes = 0..plan.axes.len();
    fields.extend(axes.map(|axis| Field::new(format!("axis{axis}"), DataType::UInt32, false)));
    fields.push(Field::new("weight", DataType::Int64, false));
    fields.push(Field::new("whole", DataType::Int64, false));
    fields.push(Field::new("wish", DataType::UInt8, false));
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
        let batches = stream.map(move |batch| records(&encoder, &shadows, who, &own, &batch?));
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
    let mut columns: Vec<ArrayRef> = vec![Arc::new(encoder.people(batch, who))];
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
    let mut wishes: Vec<u8> = encoded.wishes.iter().map(|&wish| wish as u8).collect();
    wishes.resize(rows, Wish::None as u8);
    columns.push(Arc::new(UInt8Array::from(wishes)));
    let known = |value: &Value| if *value == MISSING { 0 } else { *value };
    for &number in shadows {
        let values = &encoded.values[number];
        let weighted = encoded.weighted.get(number).unwrap_or(values);
        columns.push(Arc::new(Int64Array::from_iter_values(values.iter().map(known))));
        columns.push(Arc::new(Int64Array::from_iter_values(weighted.iter().map(known))));
    }
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

/// The records of one contributor in one finest cell.
pub(super) struct Group {
    pub(super) nodes: SmallVec<[NodeId; 4]>,
    /// Counts as amounts: for tables of frequencies.
    count: Merged,
    /// For each shadow variable.
    amounts: SmallVec<[Merged; 2]>,
    pub(super) wish: Wish,
}

/// Reads groups out of a batch.
pub(super) struct GroupReader<'a> {
    axes: Vec<&'a [NodeId]>,
    count: &'a [Value],
    whole: &'a [Value],
    lightest: &'a [Value],
    heaviest: &'a [Value],
    wish: &'a [u8],
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
            count: integers(axes + 1),
            whole: integers(axes + 2),
            lightest: integers(axes + 3),
            heaviest: integers(axes + 4),
            wish: batch.column(axes + 5).as_primitive::<UInt8Type>().values(),
            amounts: (0..shadows.len())
                .map(|number| {
                    [&integers(axes + 6 + 2 * number)[..], &integers(axes + 7 + 2 * number)[..]]
                })
                .collect(),
        }
    }

    pub(super) fn group(&self, row: usize) -> Group {
        let (lightest, heaviest) = (self.lightest[row], self.heaviest[row]);
        let merged = |value, weighted| Merged { value, weighted, lightest, heaviest };
        Group {
            nodes: self.axes.iter().map(|nodes| nodes[row]).collect(),
            count: merged(self.count[row], self.whole[row]),
            amounts: self.amounts.iter().map(|[v, w]| merged(v[row], w[row])).collect(),
            wish: Wish::from_number(self.wish[row]),
        }
    }
}

impl Group {
    /// What it comes to in a table with this shadow variable.
    pub(super) fn amount(&self, shadow: Option<usize>) -> &Merged {
        shadow.map_or(&self.count, |shadow| &self.amounts[shadow])
    }
}
