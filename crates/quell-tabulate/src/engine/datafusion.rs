//! Reading and sorting with DataFusion: it reads Parquet and plain CSV itself, in parallel, and sorts
//! any number of records in a given amount of memory, the rest on disk.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::catalog::TableProvider;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::col as column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::physical_plan::{ExecutionPlan, Partitioning};
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::{StreamExt, stream};
use quell_data::arrow::datatypes::{DataType, Schema, SchemaRef};
use quell_data::{Dialect, Encoding, Origin, Records};

use super::groups::NAME;
use super::scan::{Batches, parts};
use crate::{Error, Resources};

/// Records a batch, at most. Larger than usual: what is done a batch costs little.
const BATCH: usize = 16_384;

/// Records a batch, at least: fewer would take for ever.
const FEWEST: usize = 256;

/// Bytes of memory a thread needs for each record of a batch: half of its share is for handing
/// records over, the rest holds several batches of records a few hundred bytes wide, and must
/// be able to sort one.
const MEMORY_A_RECORD: usize = 8_192;

/// DataFusion with the memory it may use.
pub(super) struct Engine {
    context: SessionContext,
    /// What it reads itself.
    provider: Option<Arc<dyn TableProvider>>,
}

impl Engine {
    pub(super) fn new(records: &Records, resources: &Resources<'_>) -> Result<Self, Error> {
        let threads = resources.budget.threads().max(1);
        let share = resources.memory / threads;
        let config = SessionConfig::new()
            .with_target_partitions(threads)
            .with_batch_size((share / MEMORY_A_RECORD).clamp(FEWEST, BATCH))
            .with_sort_spill_reservation_bytes(share / 8);
        // Every thread gets its share before it goes to disk; a greedy pool would starve some.
        let environment = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(FairSpillPool::new(resources.memory)));
        let environment = match &resources.spill {
            Some(folder) => environment.with_temp_file_path(folder),
            None => environment,
        };
        let environment =
            environment.build_arc().map_err(|error| Error::Resources(error.to_string()))?;
        let context = SessionContext::new_with_config_rt(config, environment);
        Ok(Self { context, provider: provider(records)? })
    }

    /// Some columns in partitions that can be read at the same time.
    pub(super) async fn partitions(
        &self,
        records: &Records,
        columns: &[usize],
        threads: usize,
    ) -> Result<Vec<Batches>, Error> {
        let Some(provider) = &self.provider else { return parts(records, columns, threads) };
        let file = records.source();
        let failed = |error: DataFusionError| read_error(file, error);
        let state = self.context.state();
        let scanned = provider.scan(&state, Some(&columns.to_vec()), &[], None).await;
        let plan = scanned.map_err(failed)?;
        // A file in as many parts as there are threads, if it is large enough to be cut.
        let cut = plan.repartitioned(threads, state.config_options()).map_err(failed)?;
        self.streams(&cut.unwrap_or(plan), file)
    }

    /// Records sorted by their name ([`NAME`]), in as many partitions as there are threads; all of
    /// one name are in one partition. It only sorts, because a sort goes to disk in any amount of
    /// memory. A hash aggregate before it would save little where most contributors have one record
    /// per cell, and runs out of memory while it spills.
    pub(super) async fn sorted(
        &self,
        records: &Records,
        batches: Vec<Batches>,
        schema: &SchemaRef,
        threads: usize,
    ) -> Result<Sorted, Error> {
        let failed = |error: DataFusionError| read_error(records.source(), error);
        let parts = batches.into_iter().map(|batches| {
            let (batches, schema) = (Mutex::new(Some(batches)), Arc::clone(schema));
            Arc::new(Unsorted { batches, schema }) as Arc<dyn PartitionStream>
        });
        let table = StreamingTable::try_new(Arc::clone(schema), parts.collect()).map_err(failed)?;
        let scanned = table.scan(&self.context.state(), None, &[], None).await.map_err(failed)?;
        let name = column(NAME, schema).map_err(failed)?;
        let threads = Partitioning::Hash(vec![Arc::clone(&name)], threads);
        let parts = RepartitionExec::try_new(scanned, threads).map_err(failed)?;
        let order = LexOrdering::from([PhysicalSortExpr::new_default(name)]);
        let plan: Arc<dyn ExecutionPlan> =
            Arc::new(SortExec::new(order, Arc::new(parts)).with_preserve_partitioning(true));
        let partitions = self.streams(&plan, records.source())?;
        Ok(Sorted { partitions, plan })
    }

    fn streams(&self, plan: &Arc<dyn ExecutionPlan>, file: &Path) -> Result<Vec<Batches>, Error> {
        let count = plan.properties().output_partitioning().partition_count();
        let streams = (0..count).map(|partition| {
            let stream = plan.execute(partition, self.context.task_ctx());
            let file = file.to_owned();
            let stream = stream.map_err(|error| read_error(&file, error))?;
            let batches = stream.map(move |batch| batch.map_err(|error| read_error(&file, error)));
            Ok(Box::pin(batches) as Batches)
        });
        streams.collect()
    }
}

/// Sorted records.
pub(super) struct Sorted {
    pub(super) partitions: Vec<Batches>,
    plan: Arc<dyn ExecutionPlan>,
}

impl Sorted {
    /// Takes the partitions out.
    pub(super) fn take(&mut self) -> Vec<Batches> {
        std::mem::take(&mut self.partitions)
    }

    /// Bytes that went to disk.
    pub(super) fn spilled(&self) -> u64 {
        spilled(self.plan.as_ref())
    }
}

fn spilled(plan: &dyn ExecutionPlan) -> u64 {
    let own = plan.metrics().and_then(|metrics| metrics.spilled_bytes()).unwrap_or(0) as u64;
    own + plan.children().into_iter().map(|part| spilled(part.as_ref())).sum::<u64>()
}

/// A partition of records to be sorted.
struct Unsorted {
    /// None once they are taken: they come only once.
    batches: Mutex<Option<Batches>>,
    schema: SchemaRef,
}

impl fmt::Debug for Unsorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unsorted").finish_non_exhaustive()
    }
}

impl PartitionStream for Unsorted {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let taken = self.batches.lock().unwrap_or_else(PoisonError::into_inner).take();
        let batches: Batches = taken.unwrap_or_else(|| {
            let twice = Error::Resources("records were to be sorted twice".to_owned());
            Box::pin(stream::iter([Err(twice)]))
        });
        let external = |error: Error| DataFusionError::External(Box::new(error));
        let batches = batches.map(move |batch| batch.map_err(external));
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches))
    }
}

/// What went wrong with records while they were read or sorted.
fn read_error(path: &Path, error: DataFusionError) -> Error {
    if let DataFusionError::ResourcesExhausted(message) = error.find_root() {
        return Error::Resources(message.clone());
    }
    let data = match error {
        DataFusionError::IoError(source) => quell_data::Error::read(path, source),
        DataFusionError::External(error) => match error.downcast::<Error>() {
            Ok(error) => return *error,
            Err(other) => quell_data::Error::malformed(path, other),
        },
        other => quell_data::Error::malformed(path, other.strip_backtrace()),
    };
    Error::Data(data)
}

/// The columns of a Parquet file, texts as views.
fn with_views(schema: &SchemaRef) -> SchemaRef {
    let views = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => {
            Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View))
        }
        _ => Arc::clone(field),
    });
    Arc::new(Schema::new(views.collect::<Vec<_>>()))
}

/// What DataFusion reads itself: Parquet, and text in UTF-8. It would take a byte order mark
/// for a part of the first record where no header stands before it.
fn provider(records: &Records) -> Result<Option<Arc<dyn TableProvider>>, Error> {
    let (format, schema): (Arc<dyn FileFormat>, _) = match *records.origin() {
        Origin::Parquet => (Arc::new(ParquetFormat::default()), with_views(records.schema())),
        Origin::Delimited(Dialect { separator, header, encoding, byte_order_mark })
            if encoding == Encoding::Utf8 && (header || !byte_order_mark) =>
        {
            let format = CsvFormat::default().with_has_header(header).with_delimiter(separator);
            (Arc::new(format), Arc::clone(records.schema()))
        }
        _ => return Ok(None),
    };
    let file = records.source();
    let malformed =
        |error: DataFusionError| quell_data::Error::malformed(file, error.strip_backtrace());
    let path: PathBuf =
        file.canonicalize().map_err(|source| quell_data::Error::read(file, source))?;
    // As a URL, so that no character of the path is taken for a pattern.
    let url = url::Url::from_file_path(&path)
        .map_err(|()| quell_data::Error::malformed(file, "the path is not valid"))?;
    let url = ListingTableUrl::try_new(url, None).map_err(malformed)?;
    let options = ListingOptions::new(format).with_file_extension("");
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(schema);
    Ok(Some(Arc::new(ListingTable::try_new(config).map_err(malformed)?)))
}
