//! Tables in memory, from Arrow record batches: to be suppressed, adjusted, audited, and given
//! back as record batches. No file is touched.
//!
//! - [`TableColumns`]: which columns are what;
//! - [`ArrowTable`]: the table, with totals that were missing, as a [`Problem`].

mod columns;
mod read;
mod values;

use arrow::array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use std::path::Path;
use std::sync::Arc;

use quell_model::{
    CellId, Decimals, Dimension, Hierarchy, HierarchyError, Pattern, Problem, Status, Value,
};
use quell_tabulate::{
    Assessment, Cost, Place, Prepared, Response, Rules, SMALLEST_COST, Table, linked, problem,
};

pub use columns::{TableColumns, TableDimension};
use read::Rows;

use crate::Error;
use crate::given::{Given, GivenCells, codes};

/// Digits that any value fits in.
const DIGITS: u8 = 19;

/// What a table is called in messages.
const NAME: &str = "table";

/// A table from Arrow record batches.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use quell::suppress::SuppressOptions;
/// use quell::{ArrowTable, Context, TableColumns, TableVerdict, suppress};
///
/// let text = |values: [&str; 6]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
/// let batch = RecordBatch::try_from_iter([
///     ("region", text(["N", "N", "N", "S", "S", "S"])),
///     ("size", text(["a", "b", "c", "a", "b", "c"])),
///     ("turnover", Arc::new(Int64Array::from(vec![20, 50, 10, 8, 19, 22])) as ArrayRef),
///     ("status", text(["primary", "safe", "safe", "safe", "safe", "safe"])),
/// ])?;
/// let columns = TableColumns::new(["region", "size"], "turnover").status("status");
/// let table = ArrowTable::from_batches(&[batch], &columns)?;
/// let suppressed = suppress(table.problem(), &SuppressOptions::default(), &Context::default())?;
/// assert_eq!(suppressed.verdict(), TableVerdict::Safe);
/// let released = table.released(suppressed.pattern());
/// assert_eq!(released.num_rows(), 12); // six cells and their totals
/// assert_eq!(released.column_by_name("turnover").unwrap().null_count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArrowTable {
    table: Table,
    problem: Problem,
    /// The cell of the problem for each cell of the table.
    cells: Vec<CellId>,
}

impl ArrowTable {
    /// The table in some batches, which must have the same columns.
    ///
    /// A row is a cell: its codes, its value and what else `columns` names. Totals may be left
    /// out: they are computed. A null in a column of codes means the total.
    ///
    /// # Errors
    /// If a column is missing or holds something else than it should, a cell stands twice, or
    /// the table does not add up. Messages name the column and the record, from 1.
    pub fn from_batches(batches: &[RecordBatch], columns: &TableColumns) -> Result<Self, Error> {
        let rows = read::rows(batches, columns)?;
        let decides = columns.decides()?;
        let standard = Rules::default();
        let cells = Given {
            file: Path::new(NAME),
            place: Place::Record,
            rows: &rows.table,
            name: NAME,
            dimensions: dimensions(columns, &rows)?,
            response: match &columns.value {
                Some(value) => Response::Variable(value.clone()),
                None => Response::Frequency,
            },
            decimals: columns.decimals.map(Decimals),
            additivity: columns.totals,
            advice: "correct the rows; TableColumns says which columns are read and how",
            decides,
        }
        .build(columns.rules.as_ref().unwrap_or(&standard))?;
        Self::of_cells(cells, &rows, columns)
    }

    fn of_cells(given: GivenCells, rows: &Rows, columns: &TableColumns) -> Result<Self, Error> {
        let GivenCells { table, mut assessments, costs: own_costs, from } = given;
        let mut costs = Cost::default().of(&table);
        for (cost, own) in costs.iter_mut().zip(own_costs) {
            *cost = own.map_or(*cost, |own| own.max(SMALLEST_COST));
        }
        set_sliding(&mut assessments, &from, rows, table.decimals);
        let mut bounds = columns.attacker.of(&table, &assessments);
        for ((lower, upper), row) in bounds.iter_mut().zip(&from) {
            let Some(row) = *row else { continue };
            *lower = rows.lower_bound(row, table.decimals).unwrap_or(*lower);
            *upper = rows.upper_bound(row, table.decimals).unwrap_or(*upper);
        }
        let linked = linked(std::slice::from_ref(&table), &[])?;
        let prepared =
            Prepared { table: &table, assessments: &assessments, costs: &costs, bounds: &bounds };
        let problem = problem(&linked, &[prepared])?;
        refuse_faults(&problem)?;
        let cells = linked.cell_of.into_iter().next().unwrap_or_default();
        Ok(Self { table, problem, cells })
    }

    /// The table as every method and attacker sees it.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The cell of the problem at these codes, one per dimension; an empty code is the total.
    pub fn find(&self, codes: &[&str]) -> Option<CellId> {
        self.table.find(codes).map(|cell| self.cells[cell.index()])
    }

    /// The hidden cells as the table's own statuses say: its primaries and secondaries.
    pub fn pattern(&self) -> Pattern {
        Pattern::of_statuses(&self.problem)
    }

    /// The table with the cells of a pattern hidden: one column of codes per dimension, the
    /// value, null where it is hidden, and the column `status`: published, primary or secondary.
    pub fn released(&self, pattern: &Pattern) -> RecordBatch {
        let statuses = pattern.statuses(&self.problem);
        let hidden = |cell: &CellId| pattern.is_suppressed(*cell);
        let values =
            self.cells.iter().map(|cell| (!hidden(cell)).then(|| self.problem.value(*cell)));
        let words = self.cells.iter().map(|cell| status_word(statuses[cell.index()]));
        self.batch(values, words)
    }

    /// The table with adjusted values: all of them are published.
    ///
    /// # Errors
    /// If there is not one value per cell of the problem.
    pub fn adjusted(&self, values: &[Value]) -> Result<RecordBatch, Error> {
        if values.len() != self.problem.cell_count() {
            return Err(Error::arguments(
                format!("{} values for {} cells", values.len(), self.problem.cell_count()),
                "give one value per cell, in the order of the problem",
            ));
        }
        let values = self.cells.iter().map(|cell| Some(values[cell.index()]));
        Ok(self.batch(values, self.cells.iter().map(|_| status_word(Status::Safe))))
    }

    fn batch<'a>(
        &self,
        values: impl Iterator<Item = Option<Value>>,
        statuses: impl Iterator<Item = &'a str>,
    ) -> RecordBatch {
        let cube = &self.table.cube;
        let mut fields = Vec::new();
        let mut columns: Vec<ArrayRef> = Vec::new();
        for (position, dimension) in cube.dimensions().iter().enumerate() {
            let places = (0..self.cells.len()).map(CellId::from_index);
            let codes =
                places.map(|place| dimension.hierarchy.code(cube.coordinate(place, position)));
            fields.push(Field::new(&dimension.name, DataType::Utf8, false));
            columns.push(Arc::new(StringArray::from_iter_values(codes)));
        }
        let (kind, values) = value_column(values, self.table.decimals);
        fields.push(Field::new(self.table.response.name(), kind, true));
        columns.push(values);
        fields.push(Field::new("status", DataType::Utf8, false));
        columns.push(Arc::new(StringArray::from_iter_values(statuses)));
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
            .expect("columns of one length and of the schema's types")
    }
}

/// Whole numbers as 64-bit integers, others as decimals: never floats.
fn value_column(
    values: impl Iterator<Item = Option<Value>>,
    decimals: Decimals,
) -> (DataType, ArrayRef) {
    match decimals.0 {
        0 => (DataType::Int64, Arc::new(values.collect::<Int64Array>())),
        scale => {
            let kind = DataType::Decimal128(DIGITS, scale as i8);
            let values = values.map(|value| value.map(i128::from));
            let values = values.collect::<Decimal128Array>().with_data_type(kind.clone());
            (kind, Arc::new(values))
        }
    }
}

/// The word for a status after protection.
fn status_word(status: Status) -> &'static str {
    match status {
        Status::Safe | Status::Protected => "published",
        Status::Primary(_) => "primary",
        Status::Secondary => "secondary",
    }
}

/// The dimensions, each with the column of its codes.
fn dimensions(columns: &TableColumns, rows: &Rows) -> Result<Vec<(Dimension, String)>, Error> {
    let make = |dimension: &TableDimension| {
        let hierarchy = match &dimension.hierarchy {
            Some(hierarchy) => hierarchy.clone(),
            None => flat(&dimension.total, codes(&rows.table, &dimension.column, &dimension.total))
                .map_err(|error| {
                    let message = format!("column \"{}\": {error}", dimension.column);
                    Error::arguments(message, "give the dimension a hierarchy")
                })?,
        };
        Ok((Dimension::new(&dimension.column, hierarchy), dimension.column.clone()))
    };
    columns.dimensions.iter().map(make).collect()
}

/// A total over all codes.
fn flat(total: &str, codes: Vec<String>) -> Result<Hierarchy, HierarchyError> {
    let parents: Vec<_> = std::iter::once(None).chain(codes.iter().map(|_| Some(0))).collect();
    let codes = std::iter::once(total.to_owned()).chain(codes).collect();
    Hierarchy::from_parents(codes, &parents)
}

/// Sliding levels, which files of tables do not have.
fn set_sliding(
    assessments: &mut [Assessment],
    from: &[Option<usize>],
    rows: &Rows,
    decimals: Decimals,
) {
    for (assessment, row) in assessments.iter_mut().zip(from) {
        let sliding = row.and_then(|row| rows.sliding(row, decimals));
        if let (Some(sliding), true) = (sliding, assessment.status.is_primary()) {
            assessment.protection.sliding = sliding;
        }
    }
}

/// A table that lies outside the attacker's bounds cannot be protected.
fn refuse_faults(problem: &Problem) -> Result<(), Error> {
    match problem.faults().into_iter().find(|fault| !fault.is_warning()) {
        None => Ok(()),
        Some(fault) => {
            let advice = "correct the values, or the bounds that the attacker is said to know";
            Err(Error::arguments(fault.describe(problem), advice))
        }
    }
}
