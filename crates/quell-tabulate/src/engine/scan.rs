//! Reading records in batches, in as many partitions as there are threads.
//!
//! DataFusion reads Parquet and plain CSV itself, in parallel. All else comes from
//! [`quell_data`], in the parts that it can be cut into.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
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
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::{StreamExt, stream};
use quell_data::{Dialect, Encoding, Origin, Part, Records, texts};
use quell_model::Budget;

use crate::{Error, Resources};

/// Records a batch, at most. Larger than usual: what is done a batch costs little.
const BATCH: usize = 16_384;

/// Records a batch, at least: fewer would take for ever.
const FEWEST: usize = 256;

/// Bytes of memory a thread needs for each record of a batch: half of its share is for handing
/// records over, the rest holds several batches of records a few hundred bytes wide, and must
/// be able to sort one.
const MEMORY_A_RECORD: usize = 8_192;

/// Records and the means to read them.
pub(super) struct Scan {
    pub(super) records: Records,
    pub(super) budget: Budget,
    pub(super) context: SessionContext,
    /// What DataFusion reads itself.
    provider: Option<Arc<dyn TableProvider>>,
}

impl Scan {
    pub(super) fn new(records: &Records, resources: &Resources<'_>) -> Result<Self, Error> {
        let threads = resources.budget.threads().max(1);
        let share = resources.memory / threads;
        let config = SessionConfig::new()
            .with_target_partitions(threads)
            .with_batch_size((share / MEMORY_A_RECORD).clamp(FEWEST, BATCH))
            .with_sort_spill_reservation_bytes(share / 8);
        // Every thread gets its share before it goes to disk; a greedy pool would starve some.
        let environment = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(FairSpillPool::new(resources.memory)))
            .build_arc()
            .map_err(|error| Error::Resources(error.to_string()))?;
        let context = SessionContext::new_with_config_rt(config, environment);
        let provider = provider(records)?;
        Ok(Self { records: records.clone(), budget: resources.budget.clone(), context, provider })
    }

    /// Threads for the work.
    pub(super) fn runtime(&self) -> Result<tokio::runtime::Runtime, Error> {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.budget.threads())
            .enable_all()
            .build()
            .map_err(|error| Error::Resources(error.to_string()))
    }

    /// The column of a variable.
    pub(super) fn column(&self, name: &str) -> Result<usize, Error> {
        Ok(self.records.position(name)?)
    }

    /// The plan that reads some columns.
    pub(super) async fn plan(&self, columns: &[usize]) -> Result<Arc<dyn ExecutionPlan>, Error> {
        let state = self.context.state();
        let scanned = match &self.provider {
            Some(provider) => provider.scan(&state, Some(&columns.to_vec()), &[], None).await,
            None => {
                let partitions = self.parts(columns)?;
                let schema = projected(self.records.schema(), columns);
                match StreamingTable::try_new(schema, partitions) {
                    Ok(table) => table.scan(&state, None, &[], None).await,
                    Err(error) => Err(error),
                }
            }
        };
        let plan = scanned.map_err(|error| self.error(error))?;
        // A file in as many parts as there are threads, if it is large enough to be cut.
        let parts = plan.repartitioned(self.budget.threads(), state.config_options());
        Ok(parts.map_err(|error| self.error(error))?.unwrap_or(plan))
    }

    /// The records in parts that can be read at the same time.
    fn parts(&self, columns: &[usize]) -> Result<Vec<Arc<dyn PartitionStream>>, Error> {
        let schema = projected(self.records.schema(), columns);
        let partition = |part: Part| {
            let (schema, columns) = (Arc::clone(&schema), columns.into());
            Arc::new(Partition { part, schema, columns }) as Arc<dyn PartitionStream>
        };
        let parts = self.records.parts(self.budget.threads())?;
        Ok(parts.into_iter().map(partition).collect())
    }

    /// Some columns in partitions that can be read at the same time.
    pub(super) async fn partitions(
        &self,
        columns: &[usize],
    ) -> Result<Vec<SendableRecordBatchStream>, Error> {
        let plan = self.plan(columns).await?;
        let count = plan.properties().output_partitioning().partition_count();
        (0..count)
            .map(|partition| plan.execute(partition, self.context.task_ctx()))
            .collect::<Result<_, _>>()
            .map_err(|error| self.error(error))
    }

    /// Does the same with every batch of every partition, all partitions at once. Gives what
    /// each partition came to, in order.
    pub(super) async fn each<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        columns: &[usize],
        start: impl Fn() -> T,
        step: impl Fn(&mut T, &RecordBatch) -> Result<(), E> + Clone + Send + 'static,
    ) -> Result<Vec<T>, E> {
        let mut tasks = Vec::new();
        for mut stream in self.partitions(columns).await? {
            let (mut state, step) = (start(), step.clone());
            let (path, budget) = (self.records.source().to_owned(), self.budget.clone());
            tasks.push(tokio::spawn(async move {
                while let Some(batch) = stream.next().await {
                    if let Some(stop) = budget.stop() {
                        return Err(Error::Stopped(stop).into());
                    }
                    let batch = batch.map_err(|error| read_error(&path, error))?;
                    step(&mut state, &batch)?;
                }
                Ok::<T, E>(state)
            }));
        }
        let mut states = Vec::with_capacity(tasks.len());
        for task in tasks {
            states.push(task.await.map_err(|error| Error::Resources(error.to_string()))??);
        }
        Ok(states)
    }

    /// The different texts of some columns, sorted.
    pub(super) async fn distinct(&self, columns: &[usize]) -> Result<Vec<Vec<String>>, Error> {
        let count = columns.len();
        let step = |found: &mut Vec<BTreeSet<String>>, batch: &RecordBatch| {
            for (found, column) in found.iter_mut().zip(batch.columns()) {
                let mut last = None;
                for text in texts(column).iter().flatten().flatten() {
                    // Runs of one code are common in sorted files.
                    if last != Some(text) && !found.contains(text) {
                        found.insert(text.to_owned());
                    }
                    last = Some(text);
                }
            }
            Ok::<(), Error>(())
        };
        let parts = self.each(columns, || vec![BTreeSet::new(); count], step).await?;
        let mut all = vec![BTreeSet::new(); count];
        for part in parts {
            for (all, part) in all.iter_mut().zip(part) {
                all.extend(part);
            }
        }
        Ok(all.into_iter().map(|codes| codes.into_iter().collect()).collect())
    }

    /// What went wrong while reading or merging.
    pub(super) fn error(&self, error: DataFusionError) -> Error {
        read_error(self.records.source(), error)
    }
}

/// What went wrong with records while they were read or sorted.
pub(super) fn read_error(path: &Path, error: DataFusionError) -> Error {
    if let DataFusionError::ResourcesExhausted(message) = error.find_root() {
        return Error::Resources(message.clone());
    }
    let data = match error {
        DataFusionError::IoError(source) => quell_data::Error::read(path, source),
        DataFusionError::External(error) => match error.downcast::<quell_data::Error>() {
            Ok(error) => *error,
            Err(other) => quell_data::Error::malformed(path, other),
        },
        other => quell_data::Error::malformed(path, other.strip_backtrace()),
    };
    Error::Data(data)
}

/// A part of the records, some of its columns.
#[derive(Debug)]
struct Partition {
    part: Part,
    schema: SchemaRef,
    columns: Box<[usize]>,
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let batches = self
            .part
            .stream(&self.columns)
            .map(|batch| batch.map_err(|error| DataFusionError::External(Box::new(error))));
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream::iter(batches)))
    }
}

/// The fields of some columns.
fn projected(schema: &SchemaRef, columns: &[usize]) -> SchemaRef {
    let fields = columns.iter().map(|&column| Arc::clone(&schema.fields()[column]));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
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
