//! Contributions merged by respondent or by holding, exactly, wherever in the file their
//! records are.
//!
//! Records are grouped by contributor and finest cell and then sorted by contributor, on disk
//! if they are many. So all of one contributor comes at once. Who is in one cell only counts
//! there and is rolled up with it. Who is in several cells may have parts that meet in a
//! total, so what they contribute is added to every cell above at once, as one amount a cell.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, AsArray, Int64Array, RecordBatch, UInt8Array, UInt32Array,
};
use datafusion::arrow::datatypes::{
    DataType, Field, Int64Type, Schema, SchemaRef, UInt8Type, UInt32Type,
};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::functions_aggregate::expr_fn::{count, max, min, sum};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::{Expr, col, lit};
use futures::StreamExt;
use quell_model::{Dimension, NodeId, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::encode::{Encoder, MISSING};
use super::merged::Merged;
use super::plan::{Plan, TablePlan};
use super::records::{nobody, whole};
use super::scan::Scan;
use crate::{Contributors, Error, Spec, Wish};

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

/// The variables whose contributions are listed.
fn shadows(plan: &Plan) -> Vec<usize> {
    let mut shadows: Vec<usize> = plan.tables.iter().filter_map(|table| table.shadow).collect();
    shadows.sort_unstable();
    shadows.dedup();
    shadows
}

/// The query: groups of one contributor in one finest cell, sorted by contributor.
async fn grouped(
    scan: &Scan,
    encoder: &Arc<Encoder>,
    who: Who,
) -> Result<datafusion::dataframe::DataFrame, Error> {
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
struct Group {
    nodes: SmallVec<[NodeId; 4]>,
    /// Counts as amounts: for tables of frequencies.
    count: Merged,
    /// For each shadow variable.
    amounts: SmallVec<[Merged; 2]>,
    wish: Wish,
}

/// Reads groups out of a batch.
struct GroupReader<'a> {
    axes: Vec<&'a [NodeId]>,
    count: &'a [Value],
    whole: &'a [Value],
    lightest: &'a [Value],
    heaviest: &'a [Value],
    wish: &'a [u8],
    amounts: Vec<[&'a [Value]; 2]>,
}

impl<'a> GroupReader<'a> {
    fn new(plan: &Plan, shadows: &[usize], batch: &'a RecordBatch) -> Self {
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

    fn group(&self, row: usize) -> Group {
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

impl Group {
    fn amount(&self, shadow: Option<usize>) -> &Merged {
        shadow.map_or(&self.count, |shadow| &self.amounts[shadow])
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
