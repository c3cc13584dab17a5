//! What only the office may see, as Arrow record batches: tables with all their values, and what an
//! audit has found. The other ways out, [`Release::tables`] and
//! [`ArrowTable::released`](crate::ArrowTable::released), show no hidden value.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::error::ArrowError;
use quell_attack::{Audit, Finding, Verdict};
use quell_model::{CellId, Cube, Problem, Status};

use crate::audit::Audited;
use crate::{Error, JobTables, Protected, Release, ReleasedTable};

impl Release {
    /// The tables with all values, hidden ones included, and what became of each cell: published,
    /// protected, primary or secondary.
    ///
    /// # Errors
    /// If the columns make no table, such as two of one name.
    pub fn confidential(&self) -> Result<Vec<ReleasedTable>, Error> {
        let Some(protected) = self.protected() else { return Ok(Vec::new()) };
        let tables = protected.tables().iter().map(|table| {
            let cells: Vec<CellId> = table.cells().map(|(_, cell)| cell).collect();
            let columns = Columns::default()
                .dimensions(table.cube())
                .values(table.response(), protected.problem(), &cells)
                .texts("status", cells.iter().map(|&cell| word(protected.status(cell))));
            Ok(ReleasedTable { name: table.name().to_owned(), cells: columns.batch()? })
        });
        tables.collect()
    }

    /// The whole of what was hidden, in numbers; none if nothing was hidden because there are no
    /// tables, or values were moved instead.
    pub fn hidden(&self) -> Option<HiddenSummary> {
        let Some(Protected::Suppressed(tables)) = self.protected() else { return None };
        let (problem, counts) = (&tables.problem, tables.audit.counts());
        Some(HiddenSummary {
            method: tables.method.clone(),
            cells: problem.cell_count(),
            primaries: problem.primaries().count(),
            secondaries: tables.pattern.secondaries(problem).count(),
            cost: tables.pattern.cost(problem),
            lower_bound: tables.lower_bound.unwrap_or(0.0),
            safe: counts.safe,
            exposed: counts.exposed_exactly + counts.exposed_within,
            undecided: counts.undecided,
        })
    }
}

/// What is hidden in the tables of a release, what it costs and what is proven.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct HiddenSummary {
    /// The method that chose the secondaries.
    pub method: String,
    /// Cells of all tables, linked.
    pub cells: usize,
    /// The sensitive ones.
    pub primaries: usize,
    /// Those hidden beside them.
    pub secondaries: usize,
    /// What those cost.
    pub cost: f64,
    /// No safe pattern costs less; 0 if nothing is known.
    pub lower_bound: f64,
    /// Primaries that are proven safe.
    pub safe: usize,
    /// Primaries of which more can be worked out than they allow.
    pub exposed: usize,
    /// Primaries of which neither is proven.
    pub undecided: usize,
}

impl JobTables {
    /// The tables before protection: codes, value, contributors, and what the rules say of each cell.
    ///
    /// # Errors
    /// If the columns make no table, such as two of one name.
    pub fn batches(&self) -> Result<Vec<ReleasedTable>, Error> {
        let problem = self.problem();
        let all = self.tables.iter().zip(&self.linked.linked.cell_of);
        let tables = all.map(|(table, cells)| {
            let contributors = table.cells.iter().map(|cell| cell.respondents.count);
            let columns = Columns::default()
                .dimensions(&table.cube)
                .values(table.response.name(), problem, cells)
                .counts("contributors", contributors)
                .texts("status", cells.iter().map(|&cell| word(problem.status(cell))));
            Ok(ReleasedTable { name: table.name.clone(), cells: columns.batch()? })
        });
        tables.collect()
    }
}

impl Release {
    /// The verdict on every primary of all tables, as [`Audited::primaries`]; none if nothing was
    /// hidden.
    ///
    /// # Errors
    /// Never for tables that were audited.
    pub fn primaries(&self) -> Result<Option<RecordBatch>, Error> {
        let Some(Protected::Suppressed(tables)) = self.protected() else { return Ok(None) };
        findings(&tables.audit, &tables.problem, |_| true).map(Some)
    }
}

impl Audited {
    /// The verdict on every primary, with what it needs and what is proven of an attacker's bounds,
    /// as distances from its value; null where nothing is.
    ///
    /// # Errors
    /// Never for a problem that was audited.
    pub fn primaries(&self, problem: &Problem) -> Result<RecordBatch, Error> {
        findings(&self.audit, problem, |_| true)
    }

    /// The same of the primaries that are not proven safe.
    ///
    /// # Errors
    /// Never for a problem that was audited.
    pub fn exposed(&self, problem: &Problem) -> Result<RecordBatch, Error> {
        findings(&self.audit, problem, |finding| finding.verdict != Verdict::Safe)
    }

    /// What an attacker can work out of every hidden cell: null where there is no end; none if the
    /// audit was not asked for it.
    ///
    /// # Errors
    /// Never for a problem that was audited.
    pub fn interval_batch(&self, problem: &Problem) -> Result<Option<RecordBatch>, Error> {
        let Some(intervals) = &self.intervals else { return Ok(None) };
        let value = |cell: CellId| problem.value(cell) as f64;
        let end = |units: f64| units.is_finite().then(|| shown(problem, units));
        let columns = Columns::default()
            .texts("cell", intervals.iter().map(|one| problem.cell_name(one.cell)))
            .texts("status", intervals.iter().map(|one| word(problem.status(one.cell))))
            .numbers("lower", intervals.iter().map(|one| end(value(one.cell) - one.down)))
            .numbers("upper", intervals.iter().map(|one| end(value(one.cell) + one.up)));
        columns.batch().map(Some)
    }
}

fn findings(
    audit: &Audit,
    problem: &Problem,
    which: impl Fn(&Finding) -> bool,
) -> Result<RecordBatch, Error> {
    let found: Vec<&Finding> = audit.primaries.iter().filter(|finding| which(finding)).collect();
    let verdict = |finding: &&Finding| match finding.verdict {
        Verdict::Safe => "safe",
        Verdict::ExposedExactly => "exposed exactly",
        Verdict::ExposedWithin => "exposed within",
        Verdict::Undecided => "undecided",
    };
    let amounts = |of: fn(&Finding) -> i64| -> Vec<Option<f64>> {
        let amount = |units: i64| (units != i64::MAX).then(|| shown(problem, units as f64));
        found.iter().map(|finding| amount(of(finding))).collect()
    };
    Columns::default()
        .texts("cell", found.iter().map(|finding| problem.cell_name(finding.cell)))
        .texts("verdict", found.iter().map(verdict))
        .numbers("needs_down", amounts(|one| one.down.required))
        .numbers("at_least_down", amounts(|one| one.down.at_least))
        .numbers("at_most_down", amounts(|one| one.down.at_most))
        .numbers("needs_up", amounts(|one| one.up.required))
        .numbers("at_least_up", amounts(|one| one.up.at_least))
        .numbers("at_most_up", amounts(|one| one.up.at_most))
        .batch()
}

/// The word for a status.
fn word(status: Status) -> &'static str {
    match status {
        Status::Safe => "published",
        Status::Protected => "protected",
        Status::Primary(_) => "primary",
        Status::Secondary => "secondary",
    }
}

/// Units of a problem as they are shown.
fn shown(problem: &Problem, units: f64) -> f64 {
    units / 10_f64.powi(i32::from(problem.decimals().0))
}

/// Columns of a batch in the making.
#[derive(Default)]
struct Columns {
    columns: Vec<(String, ArrayRef)>,
}

impl Columns {
    fn with(mut self, name: &str, column: ArrayRef) -> Self {
        self.columns.push((name.to_owned(), column));
        self
    }

    /// One column of codes per dimension.
    fn dimensions(mut self, cube: &Cube) -> Self {
        for (position, dimension) in cube.dimensions().iter().enumerate() {
            let code = |place| dimension.hierarchy.code(cube.coordinate(place, position));
            let codes = (0..cube.cell_count()).map(|place| code(CellId::from_index(place)));
            self = self.texts(&dimension.name, codes);
        }
        self
    }

    fn values(self, name: &str, problem: &Problem, cells: &[CellId]) -> Self {
        let value = |&cell: &CellId| Some(shown(problem, problem.value(cell) as f64));
        self.numbers(name, cells.iter().map(value))
    }

    fn texts<T: AsRef<str>>(self, name: &str, values: impl Iterator<Item = T>) -> Self {
        self.with(name, Arc::new(StringArray::from_iter_values(values)))
    }

    fn numbers(self, name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        self.with(name, Arc::new(values.into_iter().collect::<Float64Array>()))
    }

    fn counts(self, name: &str, values: impl Iterator<Item = u64>) -> Self {
        let counts = values.map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        self.with(name, Arc::new(Int64Array::from_iter_values(counts)))
    }

    fn batch(self) -> Result<RecordBatch, Error> {
        RecordBatch::try_from_iter_with_nullable(
            self.columns.into_iter().map(|(name, column)| (name, column, true)),
        )
        .map_err(|error: ArrowError| {
            let message = format!("a table cannot be shown as a record batch: {error}");
            Error::arguments(message, "give dimensions and responses names of their own")
        })
    }
}
