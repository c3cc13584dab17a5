//! Released tables as Arrow record batches: codes, value or null, status.

use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use quell_model::{CellId, Decimals, Value};

use super::rows::{Row, rows, status_word};
use super::{Marking, Protected, ProtectedTable};

/// Digits that any value fits in.
const DIGITS: u8 = 19;

/// The columns of a released table: a text for each dimension, the value, the status, and a note
/// if the release is not proven safe. Whole numbers are 64-bit integers, others decimals: never
/// floats.
pub fn schema(table: &ProtectedTable, marking: Marking) -> Arc<Schema> {
    let dimensions = table.cube().dimensions().iter();
    let mut fields: Vec<Field> = dimensions.map(|dimension| text(&dimension.name)).collect();
    fields.push(Field::new(table.response(), value_type(table.decimals()), true));
    fields.push(text("status"));
    fields.extend(marking.note().map(|_| text("note")));
    Arc::new(Schema::new(fields))
}

/// Some rows of a released table.
///
/// # Errors
/// If a value does not fit in its column.
pub fn batch(
    schema: &Arc<Schema>,
    table: &ProtectedTable,
    rows: &[Row],
    marking: Marking,
) -> Result<RecordBatch, ArrowError> {
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (position, dimension) in table.cube().dimensions().iter().enumerate() {
        let codes = rows
            .iter()
            .map(|row| dimension.hierarchy.code(table.cube().coordinate(row.place, position)));
        columns.push(Arc::new(StringArray::from_iter_values(codes)));
    }
    columns.push(values(rows.iter().map(|row| row.value), table.decimals())?);
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
    marking: Marking,
) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<Row> = rows(protected, table).collect();
    batch(&schema(table, marking), table, &rows, marking)
}

/// The cells of a system that has no tables: name, value or null, status.
///
/// # Errors
/// If a value does not fit in its column.
pub fn system(protected: &Protected, marking: Marking) -> Result<RecordBatch, ArrowError> {
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
    let statuses = cells.iter().map(|&cell| status_word(protected.status(cell)));
    push_status(&mut columns, statuses, marking);
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
