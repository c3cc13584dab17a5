//! Stata: `.dta`, all releases. Its missing values (`.`, `.a` to `.z`) are null.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float32Builder, Float64Builder, Int8Builder, Int16Builder, Int32Builder,
    StringBuilder,
};
use arrow::datatypes::{DataType, Field, Schema};
use dta::stata::dta::dta_reader::DtaReader;
use dta::stata::dta::long_string_table::LongStringTable;
use dta::stata::dta::record_reader::RecordReader;
use dta::stata::dta::value::Value;
use dta::stata::dta::value_label::ValueLabelSet;
use dta::stata::dta::value_label_table::ValueLabelTable;
use dta::stata::dta::variable_type::VariableType;

use super::{BATCH, Head, Take};
use crate::variable::Kind;
use crate::{Error, Variable};

fn failed(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::malformed(path, format!("not a Stata file as it should be: {error}"))
}

fn open(path: &Path) -> Result<RecordReader<BufReader<File>>, Error> {
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
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

pub(crate) fn head(path: &Path) -> Result<Head, Error> {
    let reader = open(path)?;
    let fields = fields(&reader);
    let described = reader.schema().clone();
    let labels = value_labels(path, reader)?;
    let variables = described.variables().iter().zip(&fields).map(|(one, field)| {
        let labels = labels.get(one.value_label_name()).map_or_else(Vec::new, labels_of);
        Variable {
            kind: if labels.is_empty() { Kind::of(field.data_type()) } else { Kind::Code },
            label: Some(one.label().to_owned()).filter(|label| !label.is_empty()),
            labels,
            ..Variable::named(one.name())
        }
    });
    Ok(Head { variables: variables.collect(), schema: Arc::new(Schema::new(fields)) })
}

/// The sets of labels of a file, which stand behind its records.
fn value_labels(
    path: &Path,
    reader: RecordReader<BufReader<File>>,
) -> Result<ValueLabelTable, Error> {
    let mut table = ValueLabelTable::new();
    let named = reader.schema().variables().iter().any(|one| !one.value_label_name().is_empty());
    if named {
        reader
            .seek_value_labels()
            .and_then(|mut reader| reader.read_remaining_into(&mut table))
            .map_err(|error| failed(path, error))?;
    }
    Ok(table)
}

fn labels_of(set: &ValueLabelSet) -> Vec<(String, String)> {
    let entries = set.entries().iter();
    entries.map(|entry| (entry.value().to_string(), entry.label().to_owned())).collect()
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
    fn read(path: &Path) -> Result<Self, Error> {
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

/// Reads some columns.
pub(crate) fn each_batch(path: &Path, columns: &[usize], take: Take) -> Result<(), Error> {
    let long = LongTexts::read(path)?;
    let mut reader = open(path)?;
    let schema = super::projected(&Arc::new(Schema::new(fields(&reader))), columns);
    let mut builders: Vec<Column> =
        schema.fields().iter().map(|field| Column::new(field.data_type())).collect();
    loop {
        let mut rows = 0;
        while rows < BATCH
            && let Some(record) = reader.read_lazy_record().map_err(|error| failed(path, error))?
        {
            for (builder, &column) in builders.iter_mut().zip(columns) {
                let value = record.value(column).map_err(|error| failed(path, error))?;
                let taken = builder.push(value, &long);
                taken.ok_or_else(|| failed(path, "a value of another type"))?;
            }
            rows += 1;
        }
        if rows == 0 {
            return Ok(());
        }
        let arrays = builders.iter_mut().map(Column::finish).collect();
        if take(super::batch(path, &schema, arrays, rows)?).is_break() {
            return Ok(());
        }
    }
}
