//! Stata: `.dta`, all releases. Its missing values (`.`, `.a` to `.z`) are null.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float32Builder, Float64Builder, Int8Builder, Int16Builder, Int32Builder, RecordBatch,
    StringBuilder,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use dta::stata::dta::dta_reader::DtaReader;
use dta::stata::dta::long_string_table::LongStringTable;
use dta::stata::dta::record_reader::RecordReader;
use dta::stata::dta::value::Value;
use dta::stata::dta::variable_type::VariableType;

use super::{Take, failed};
use crate::{Error, Result};

/// Records of one batch.
const BATCH: usize = 8192;

fn open(path: &Path) -> Result<RecordReader<BufReader<File>>> {
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    let reader = DtaReader::new()
        .from_file(file)
        .read_header()
        .and_then(|reader| reader.read_schema())
        .and_then(|mut reader| {
            reader.skip_to_end()?;
            reader.into_record_reader()
        });
    reader.map_err(|error| failed(path, error))
}

fn fields(reader: &RecordReader<BufReader<File>>) -> Vec<Field> {
    let kind = |variable| match variable {
        VariableType::Byte => DataType::Int8,
        VariableType::Int => DataType::Int16,
        VariableType::Long => DataType::Int32,
        VariableType::Float => DataType::Float32,
        VariableType::Double => DataType::Float64,
        VariableType::FixedString(_) | VariableType::LongString => DataType::Utf8,
    };
    let variables = reader.schema().variables().iter();
    variables.map(|one| Field::new(one.name(), kind(one.variable_type()), true)).collect()
}

pub(super) fn schema(path: &Path) -> Result<SchemaRef> {
    Ok(Arc::new(Schema::new(fields(&open(path)?))))
}

/// A column in the making.
enum Column {
    Byte(Int8Builder),
    Int(Int16Builder),
    Long(Int32Builder),
    Float(Float32Builder),
    Double(Float64Builder),
    Text(StringBuilder),
}

impl Column {
    fn new(kind: &DataType) -> Self {
        match kind {
            DataType::Int8 => Self::Byte(Int8Builder::new()),
            DataType::Int16 => Self::Int(Int16Builder::new()),
            DataType::Int32 => Self::Long(Int32Builder::new()),
            DataType::Float32 => Self::Float(Float32Builder::new()),
            DataType::Float64 => Self::Double(Float64Builder::new()),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Adds a value; `None` if it is not of the column's type.
    fn push(&mut self, value: Value, long: &LongTexts) -> Option<()> {
        match (self, value) {
            (Self::Byte(column), Value::Byte(value)) => column.append_option(value.present()),
            (Self::Int(column), Value::Int(value)) => column.append_option(value.present()),
            (Self::Long(column), Value::Long(value)) => column.append_option(value.present()),
            (Self::Float(column), Value::Float(value)) => column.append_option(value.present()),
            (Self::Double(column), Value::Double(value)) => column.append_option(value.present()),
            (Self::Text(column), Value::String(text)) => column.append_value(text),
            (Self::Text(column), Value::LongStringRef(place)) => {
                let found = long.table.get(&place);
                let text = found.as_ref().and_then(|long_one| long_one.data_str(long.encoding));
                column.append_value(text.unwrap_or_default());
            }
            _ => return None,
        }
        Some(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Byte(column) => Arc::new(column.finish()),
            Self::Int(column) => Arc::new(column.finish()),
            Self::Long(column) => Arc::new(column.finish()),
            Self::Float(column) => Arc::new(column.finish()),
            Self::Double(column) => Arc::new(column.finish()),
            Self::Text(column) => Arc::new(column.finish()),
        }
    }
}

/// Texts that stand behind the records (`strL`).
struct LongTexts {
    table: LongStringTable,
    encoding: &'static encoding_rs::Encoding,
}

impl LongTexts {
    fn read(path: &Path) -> Result<Self> {
        let reader = open(path)?;
        let encoding = reader.encoding();
        let mut table = LongStringTable::for_reading();
        let variables = reader.schema().variables().iter();
        let mut kinds = variables.map(|variable| variable.variable_type());
        if kinds.any(|kind| kind == VariableType::LongString) {
            reader
                .seek_long_strings()
                .and_then(|mut reader| reader.read_remaining_into(&mut table))
                .map_err(|error| failed(path, error))?;
        }
        Ok(Self { table, encoding })
    }
}

pub(super) fn each_batch(path: &Path, wanted: Option<&[usize]>, take: Take) -> Result<()> {
    let long = LongTexts::read(path)?;
    let mut reader = open(path)?;
    let fields = fields(&reader);
    let places: Vec<usize> = wanted.map_or_else(|| (0..fields.len()).collect(), <[usize]>::to_vec);
    let fields: Vec<Field> = places.iter().map(|&place| fields[place].clone()).collect();
    let mut columns: Vec<Column> =
        fields.iter().map(|field| Column::new(field.data_type())).collect();
    let schema = Arc::new(Schema::new(fields));
    let broken = |error: &dyn std::fmt::Display| failed(path, error);
    let mut rows = 0;
    loop {
        let record = reader.read_lazy_record().map_err(|error| broken(&error))?;
        let ended = record.is_none();
        if let Some(record) = record {
            for (column, &place) in columns.iter_mut().zip(&places) {
                let value = record.value(place).map_err(|error| broken(&error))?;
                column.push(value, &long).ok_or_else(|| broken(&"a value of another type"))?;
            }
            rows += 1;
        }
        if rows == BATCH || (ended && rows > 0) {
            let arrays = columns.iter_mut().map(Column::finish).collect();
            let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
            take(batch.map_err(|error| broken(&error))?)?;
            rows = 0;
        }
        if ended {
            return Ok(());
        }
    }
}
