//! Reading records in batches, in as many partitions as there are threads.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;
use quell_model::Budget;

use super::fixed;
use crate::error::nearest;
use crate::{Error, Layout, Microdata, Resources, Variable};

/// Records a batch, at most. Larger than usual: what is done a batch costs little.
const BATCH: usize = 16_384;

/// Records a batch, at least: fewer would take for ever.
const FEWEST: usize = 256;

/// Bytes of memory a thread needs for each record of a batch: half of its share is for handing
/// records over, the rest holds several batches of records a few hundred bytes wide, and must
/// be able to sort one.
const MEMORY_A_RECORD: usize = 8_192;

/// A file of records and the means to read it.
pub(super) struct Scan {
    pub(super) data: Microdata,
    pub(super) budget: Budget,
    /// The names of the columns, in the file's order.
    columns: Vec<String>,
    pub(super) context: SessionContext,
    provider: Arc<dyn TableProvider>,
}

impl Scan {
    pub(super) fn new(data: &Microdata, resources: &Resources) -> Result<Self, Error> {
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
        let schema = schema(data)?;
        let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        let provider = provider(data, schema, threads)?;
        Ok(Self {
            data: data.clone(),
            budget: resources.budget.clone(),
            columns,
            context,
            provider,
        })
    }

    /// Threads for the work.
    pub(super) fn runtime(&self) -> Result<tokio::runtime::Runtime, Error> {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.budget.threads())
            .enable_all()
            .build()
            .map_err(|error| Error::Resources(error.to_string()))
    }

    /// The column of a variable; letters may differ in case if that leaves one only.
    pub(super) fn column(&self, name: &str) -> Result<usize, Error> {
        let exact = self.columns.iter().position(|column| column == name);
        let alike = || {
            let same = |column: &&String| column.trim().eq_ignore_ascii_case(name.trim());
            let mut found = self.columns.iter().filter(same);
            let first = found.next().filter(|_| found.next().is_none())?;
            self.columns.iter().position(|column| column == first)
        };
        exact.or_else(alike).ok_or_else(|| Error::UnknownVariable {
            file: self.data.path.clone(),
            name: name.to_owned(),
            suggestion: nearest(name, self.columns.iter().map(String::as_str)),
        })
    }

    /// What the user said of the variable in a column.
    pub(super) fn variable(&self, column: usize) -> Option<&Variable> {
        let name = &self.columns[column];
        let variables = &self.data.variables;
        variables
            .iter()
            .find(|variable| self.column(&variable.name).ok() == Some(column))
            .or_else(|| variables.iter().find(|variable| variable.name == *name))
    }

    /// The plan that reads some columns.
    pub(super) async fn plan(&self, columns: &[usize]) -> Result<Arc<dyn ExecutionPlan>, Error> {
        let state = self.context.state();
        let scanned = self.provider.scan(&state, Some(&columns.to_vec()), &[], None).await;
        let plan = scanned.map_err(|error| self.error(error))?;
        // A file in as many parts as there are threads, if it is large enough to be cut.
        let parts = plan.repartitioned(self.budget.threads(), state.config_options());
        Ok(parts.map_err(|error| self.error(error))?.unwrap_or(plan))
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
            let (path, budget) = (self.data.path.clone(), self.budget.clone());
            tasks.push(tokio::spawn(async move {
                while let Some(batch) = stream.next().await {
                    if let Some(stop) = budget.stop() {
                        return Err(Error::Stopped(stop).into());
                    }
                    step(&mut state, &batch.map_err(|error| read_error(&path, error))?)?;
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
        read_error(&self.data.path, error)
    }
}

/// What went wrong with a file while it was read or sorted.
pub(super) fn read_error(path: &std::path::Path, error: DataFusionError) -> Error {
    if let DataFusionError::ResourcesExhausted(message) = error.find_root() {
        return Error::Resources(message.clone());
    }
    match error {
        DataFusionError::IoError(source) => Error::Unreadable { file: path.to_owned(), source },
        other => Error::Malformed { file: path.to_owned(), message: other.strip_backtrace() },
    }
}

/// A column as texts, whatever its type.
pub(super) fn texts(column: &ArrayRef) -> Option<datafusion::arrow::array::StringViewArray> {
    let texts = cast(column, &DataType::Utf8View).ok()?;
    texts.as_any().downcast_ref().cloned()
}

/// The columns of a file. Those of text files are all texts.
fn schema(data: &Microdata) -> Result<SchemaRef, Error> {
    let unreadable = |source| Error::Unreadable { file: data.path.clone(), source };
    let malformed = |message: String| Error::Malformed { file: data.path.clone(), message };
    let file = File::open(&data.path).map_err(unreadable)?;
    let text = |name: String| Field::new(name, DataType::Utf8, true);
    let declared = || data.variables.iter().map(|variable| variable.name.clone());
    match data.layout {
        Layout::Parquet => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)
                .map_err(|error| malformed(format!("not a Parquet file: {error}")))?;
            let views = builder.schema().fields().iter().map(|field| match field.data_type() {
                DataType::Utf8 | DataType::LargeUtf8 => {
                    Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View))
                }
                _ => Arc::clone(field),
            });
            Ok(Arc::new(Schema::new(views.collect::<Vec<_>>())))
        }
        Layout::Delimited { separator, header: true } => {
            let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(file);
            let header = reader.headers().map_err(|error| malformed(error.to_string()))?;
            let names = header.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned());
            Ok(Arc::new(Schema::new(names.map(text).collect::<Vec<_>>())))
        }
        Layout::Delimited { header: false, .. } | Layout::FixedWidth => {
            Ok(Arc::new(Schema::new(declared().map(text).collect::<Vec<_>>())))
        }
    }
}

fn provider(
    data: &Microdata,
    schema: SchemaRef,
    threads: usize,
) -> Result<Arc<dyn TableProvider>, Error> {
    let malformed = |error: DataFusionError| Error::Malformed {
        file: data.path.clone(),
        message: error.strip_backtrace(),
    };
    let format: Arc<dyn FileFormat> = match data.layout {
        Layout::FixedWidth => {
            let partitions = fixed::partitions(data, &schema, threads)?;
            let table = StreamingTable::try_new(schema, partitions).map_err(malformed)?;
            return Ok(Arc::new(table));
        }
        Layout::Delimited { separator, header } => {
            Arc::new(CsvFormat::default().with_has_header(header).with_delimiter(separator))
        }
        Layout::Parquet => Arc::new(ParquetFormat::default()),
    };
    let path: PathBuf = data
        .path
        .canonicalize()
        .map_err(|source| Error::Unreadable { file: data.path.clone(), source })?;
    // As a URL, so that no character of the path is taken for a pattern.
    let url = url::Url::from_file_path(&path).map_err(|()| Error::Malformed {
        file: data.path.clone(),
        message: "the path is not valid".to_owned(),
    })?;
    let url = ListingTableUrl::try_new(url, None).map_err(malformed)?;
    let options = ListingOptions::new(format).with_file_extension("");
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config).map_err(malformed)?))
}
