//! One table in memory: audited, suppressed, adjusted, unpicked, compared.

use std::path::PathBuf;

use arrow::array::RecordBatch;
use pyo3::prelude::*;
use quell::adjust::{AdjustRequest, options::AdjustOptions};
use quell::audit::{AuditOptions, Audited};
use quell::compare::CompareOptions;
use quell::job::classification::read_tree;
use quell::job::file::RulesPart;
use quell::job::rules::rules;
use quell::suppress::{SuppressOptions, Suppressed};
use quell::text::UnpickReport;
use quell::{
    ArrowTable, Context, ContributorAttackers, Error, Pattern, Problem, TableColumns,
    TableDimension, TableVerdict,
};
use quell_formats::hierarchy::{CodeTree, merge};

use crate::call::{Limits, call};
use crate::errors::{json, misuse, raised};
use crate::frames::{ArrowFrame, batches};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyArrowTable>()?;
    module.add_class::<PyAudit>()?;
    module.add_class::<PySuppressed>()
}

/// A dimension as Python says it: the column of its codes, the code of the total, and the files
/// of its hierarchies.
#[derive(FromPyObject)]
struct DimensionOf {
    column: String,
    total: String,
    hierarchies: Vec<PathBuf>,
}

impl DimensionOf {
    fn library(self) -> Result<TableDimension, Error> {
        let Self { column, total, hierarchies } = self;
        let trees = hierarchies.iter().map(|file| read_tree(file, "@"));
        let trees = trees.collect::<Result<Vec<CodeTree>, Error>>()?;
        let hierarchy = match trees.as_slice() {
            [] => None,
            [only] => Some(only.to_hierarchy(&total)?),
            several => Some(merge(several, &total)?),
        };
        Ok(TableDimension { column, hierarchy, total })
    }
}

/// Which columns are what.
#[derive(FromPyObject)]
struct ColumnsOf {
    dimensions: Vec<DimensionOf>,
    value: Option<String>,
    status: Option<String>,
    frequency: Option<String>,
    top: Vec<String>,
    cost: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    bounds: Option<(String, String)>,
    decimals: Option<u8>,
    rules: Option<String>,
    contributors: Option<bool>,
}

impl ColumnsOf {
    fn library(self, py: Python<'_>) -> PyResult<TableColumns> {
        let dimensions = self.dimensions.into_iter().map(DimensionOf::library);
        let dimensions: Result<_, Error> = dimensions.collect();
        let dimensions = dimensions.map_err(|error| raised(py, &error))?;
        let rules = self.rules.map(|text| {
            let part: RulesPart = serde_json::from_str(&text)
                .map_err(|error| misuse(py, error.to_string(), "docs/rules.md lists every rule"))?;
            Ok::<_, PyErr>(rules(&part, false))
        });
        let (lower_bound, upper_bound) = self.bounds.unzip();
        Ok(TableColumns {
            dimensions,
            value: self.value,
            status: self.status,
            contributors: self.frequency,
            cost: self.cost,
            largest: self.top,
            lower_level: self.lower,
            upper_level: self.upper,
            lower_bound,
            upper_bound,
            decimals: self.decimals,
            rules: rules.transpose()?,
            contributor_attackers: ContributorAttackers::of(self.contributors),
            ..TableColumns::default()
        })
    }
}

/// A table.
#[pyclass(name = "ArrowTable", module = "quell._quell", frozen)]
struct PyArrowTable {
    table: ArrowTable,
}

impl PyArrowTable {
    fn problem(&self) -> &Problem {
        self.table.problem()
    }
}

#[pymethods]
impl PyArrowTable {
    #[new]
    fn new(py: Python<'_>, frame: &Bound<'_, PyAny>, columns: ColumnsOf) -> PyResult<Self> {
        let columns = columns.library(py)?;
        let batches = batches(frame)?;
        let made = py.detach(|| ArrowTable::from_batches(&batches, &columns));
        Ok(Self { table: made.map_err(|error| raised(py, &error))? })
    }

    /// Cells, equations and primaries.
    fn counts(&self) -> (usize, usize, usize) {
        let problem = self.problem();
        let equations = problem.system().equation_count();
        (problem.cell_count(), equations, problem.primaries().count())
    }

    /// The table with its own statuses, hidden values null.
    fn published(&self) -> ArrowFrame {
        self.table.released(&self.table.pattern()).into()
    }

    /// The table with all its values: for the office only.
    fn confidential(&self) -> ArrowFrame {
        self.table.released(&Pattern::none(self.problem())).into()
    }

    #[pyo3(signature = (limits, contributors, intervals, progress=None))]
    fn audit(
        &self,
        py: Python<'_>,
        limits: Limits,
        contributors: bool,
        intervals: bool,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyAudit> {
        let pattern = self.table.pattern();
        self.audited(py, pattern, &limits, AuditOptions { contributors, intervals }, progress)
    }

    #[pyo3(signature = (limits, method, progress=None))]
    fn suppress(
        &self,
        py: Python<'_>,
        limits: Limits,
        method: String,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(PySuppressed, bool)> {
        let search_time = limits.are_open().then_some(quell::job::USUAL_SEARCH_TIME);
        let options = SuppressOptions { method, search_time };
        let done = call(py, &limits, progress.as_ref(), |context| {
            quell::suppress(self.problem(), &options, context)
        })?;
        let suppressed = done.value;
        let released = self.table.released(suppressed.pattern());
        Ok((PySuppressed { suppressed, released }, done.interrupted))
    }

    /// Moves values; the answer is the adjusted table, whether it is safe, and what came of it.
    #[pyo3(signature = (limits, method, options, progress=None))]
    fn adjust(
        &self,
        py: Python<'_>,
        limits: Limits,
        method: String,
        options: &str,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(ArrowFrame, bool, String)> {
        let wanted: AdjustOptions = serde_json::from_str(options)
            .map_err(|error| misuse(py, error.to_string(), "docs/adjust.md lists the options"))?;
        let options = wanted.options(self.problem()).map_err(|error| raised(py, &error))?;
        let search_time = limits.are_open().then_some(quell::job::USUAL_SEARCH_TIME);
        let request = AdjustRequest { method, options, attack: false, search_time };
        let done = call(py, &limits, progress.as_ref(), |context| {
            quell::adjust(self.problem(), &request, context)
        })?;
        let adjusted = done.value;
        let batch = self.table.adjusted(&adjusted.values).map_err(|error| raised(py, &error))?;
        Ok((batch.into(), adjusted.is_safe(), json(py, &adjusted.summary)?))
    }

    #[pyo3(signature = (limits, methods, progress=None))]
    fn compare(
        &self,
        py: Python<'_>,
        limits: Limits,
        methods: Vec<String>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let search_time = limits.are_open().then_some(quell::job::USUAL_SEARCH_TIME);
        let options =
            CompareOptions { methods, time: limits.time(py)?, search_time, work: limits.work() };
        let done = crate::call::run(py, limits.without_time(), progress.as_ref(), |context| {
            quell::compare(self.problem(), &options, context)
        })?;
        json(py, &done.value)
    }

    /// What falls by subtraction alone, as text.
    fn unpick(&self, py: Python<'_>) -> String {
        let (problem, pattern) = (self.problem(), self.table.pattern());
        py.detach(|| {
            let unpicked = quell::unpick(problem, &pattern, &Context::default());
            UnpickReport::new(problem, &pattern, &unpicked).text()
        })
    }

    /// The table as a JJ file or a pair of CSV files.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = quell::table_file::write(&path, self.problem());
        written.map(|_| ()).map_err(|error| raised(py, &error))
    }
}

impl PyArrowTable {
    fn audited(
        &self,
        py: Python<'_>,
        pattern: Pattern,
        limits: &Limits,
        options: AuditOptions,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyAudit> {
        let problem = self.problem();
        let done = call(py, limits, progress.as_ref(), |context| {
            quell::audit(problem, &pattern, &options, context)
        })?;
        Ok(PyAudit { problem: problem.clone(), pattern, audited: done.value })
    }
}

/// What an audit has found: for the office.
#[pyclass(name = "Audit", module = "quell._quell", frozen)]
struct PyAudit {
    problem: Problem,
    pattern: Pattern,
    audited: Audited,
}

impl PyAudit {
    fn frame(py: Python<'_>, found: Result<RecordBatch, Error>) -> PyResult<ArrowFrame> {
        found.map(ArrowFrame::from).map_err(|error| raised(py, &error))
    }
}

#[pymethods]
impl PyAudit {
    #[getter]
    fn verdict(&self) -> &'static str {
        self.audited.verdict().word()
    }

    #[getter]
    fn safe(&self) -> bool {
        self.audited.verdict() == TableVerdict::Safe
    }

    /// Primaries that are safe, exposed exactly, exposed within, and undecided.
    fn counts(&self) -> (usize, usize, usize, usize) {
        let counts = self.audited.audit.counts();
        (counts.safe, counts.exposed_exactly, counts.exposed_within, counts.undecided)
    }

    /// Contributors that learn too much, and sums that tell too much.
    fn insiders(&self) -> (usize, usize) {
        let attack = self.audited.contributors.as_ref();
        attack.map_or((0, 0), |attack| (attack.unsafe_pairs.len(), attack.unsafe_sums.len()))
    }

    /// Every primary with its verdict.
    fn primaries(&self, py: Python<'_>) -> PyResult<ArrowFrame> {
        Self::frame(py, self.audited.primaries(&self.problem))
    }

    /// Those that are not proven safe.
    fn exposed(&self, py: Python<'_>) -> PyResult<ArrowFrame> {
        Self::frame(py, self.audited.exposed(&self.problem))
    }

    /// What an attacker can work out of every hidden cell; none if it was not asked for.
    fn intervals(&self, py: Python<'_>) -> PyResult<Option<ArrowFrame>> {
        let found = self.audited.interval_batch(&self.problem).transpose();
        found.map(|found| Self::frame(py, found)).transpose()
    }

    /// The verdict in words.
    fn text(&self) -> String {
        self.audited.report(&self.problem, &self.pattern).text()
    }
}

/// A protected table.
#[pyclass(name = "Suppressed", module = "quell._quell", frozen)]
struct PySuppressed {
    suppressed: Suppressed,
    released: RecordBatch,
}

#[pymethods]
impl PySuppressed {
    #[getter]
    fn verdict(&self) -> &'static str {
        self.suppressed.verdict().word()
    }

    #[getter]
    fn safe(&self) -> bool {
        self.suppressed.verdict() == TableVerdict::Safe
    }

    /// What came of it, as JSON.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        json(py, &self.suppressed.summary)
    }

    /// The table with hidden values null.
    fn table(&self) -> ArrowFrame {
        self.released.clone().into()
    }
}
