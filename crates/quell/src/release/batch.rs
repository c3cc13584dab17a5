//! Released tables as Arrow record batches: codes, value or null, status.

use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use quell_model::{CellId, Cube, Decimals, Value};

use super::rows::{Row, rows};
use super::{Marking, Protected, ProtectedTable, Statuses};

/// Digits that any value fits in.
const DIGITS: u8 = 19;

/// What the columns of a table are.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// Its dimensions.
    pub cube: &'a Cube,
    /// What it shows.
    pub response: &'a str,
    /// The decimals of its values.
    pub decimals: Decimals,
}

impl<'a> From<&'a ProtectedTable> for Layout<'a> {
    fn from(table: &'a ProtectedTable) -> Self {
        Self { cube: table.cube(), response: table.response(), decimals: table.decimals() }
    }
}

/// The columns of a released table: a text for each dimension, the value, the status, and a note
/// if the release is not proven safe. Whole numbers are 64-bit integers, others decimals: never
/// floats.
pub fn schema<'a>(table: impl Into<Layout<'a>>, marking: Marking) -> Arc<Schema> {
    let Layout { cube, response, decimals } = table.into();
    let dimensions = cube.dimensions().iter();
    let mut fields: Vec<Field> = dimensions.map(|dimension| text(&dimension.name)).collect();
    fields.push(Field::new(response, value_type(decimals), true));
    fields.push(text("status"));
    fields.extend(marking.note().map(|_| text("note")));
    Arc::new(Schema::new(fields))
}

/// Some rows of a released table.
///
/// # Errors
/// If a value does not fit in its column.
pub fn batch<'a>(
    schema: &Arc<Schema>,
    table: impl Into<Layout<'a>>,
    rows: &[Row],
    marking: Marking,
) -> Result<RecordBatch, ArrowError> {
    let Layout { cube, decimals, .. } = table.into();
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (position, dimension) in cube.dimensions().iter().enumerate() {
        let codes =
            rows.iter().map(|row| dimension.hierarchy.code(cube.coordinate(row.place, position)));
        columns.push(Arc::new(StringArray::from_iter_values(codes)));
    }
    columns.push(values(rows.iter().map(|row| row.value), decimals)?);
    let statuses = rows.iter().map(|row| row.status);
    push_status(&mut columns, statuses, marking);
    RecordBatch::try_new(Arc::clone(schema), columns)
}

/// A whole released table.
///
/// # Errors
/// If a value does not fit in its column.
pub fn whole(
    protected: &Protected,
    table: &ProtectedTable,
    statuses: Statuses,
    marking: Marking,
) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<Row> = rows(protected, table, statuses).collect();
    batch(&schema(table, marking), table, &rows, marking)
}

/// The cells of a system that has no tables: name, value or null, status.
///
/// # Errors
/// If a value does not fit in its column.
pub fn system(
    protected: &Protected,
    statuses: Statuses,
    marking: Marking,
) -> Result<RecordBatch, ArrowError> {
    let problem = protected.problem();
    let cells: Vec<CellId> = problem.system().cells().collect();
    let value = Field::new("value", value_type(problem.decimals()), true);
    let mut fields = vec![text("cell"), value, text("status")];
    fields.extend(marking.note().map(|_| text("note")));
    let names = cells.iter().map(|&cell| problem.cell_name(cell));
    let mut columns: Vec<ArrayRef> = vec![Arc::new(StringArray::from_iter_values(names))];
    let shown = cells.iter().map(|&cell| {
        let hidden = protected.status(cell).is_suppressed();
        (!hidden).then(|| problem.value(cell))
    });
    columns.push(values(shown, problem.decimals())?);
    let words = cells.iter().map(|&cell| statuses.word(protected.status(cell)));
    push_status(&mut columns, words, marking);
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

fn value_type(decimals: Decimals) -> DataType {
    match decimals.0 {
        0 => DataType::Int64,
        decimals => DataType::Decimal128(DIGITS, decimals as i8),
    }
}

fn values(
    values: impl Iterator<Item = Option<Value>>,
    decimals: Decimals,
) -> Result<ArrayRef, ArrowError> {
    Ok(match decimals.0 {
        0 => Arc::new(values.collect::<Int64Array>()),
        decimals => {
            let values = values.map(|value| value.map(i128::from));
            let values = values.collect::<Decimal128Array>();
            Arc::new(values.with_precision_and_scale(DIGITS, decimals as i8)?)
        }
    })
}

fn push_status<'a>(
    columns: &mut Vec<ArrayRef>,
    statuses: impl ExactSizeIterator<Item = &'a str>,
    marking: Marking,
) {
    let count = statuses.len();
    columns.push(Arc::new(StringArray::from_iter_values(statuses)));
    if let Some(note) = marking.note() {
        columns.push(Arc::new(StringArray::from_iter_values(std::iter::repeat_n(note, count))));
    }
}
