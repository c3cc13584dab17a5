//! SPSS: `.sav`, plain or packed by bytes (the usual), and `.zsav`.
//!
//! After "System File Format" in the manual of PSPP. System-missing values are null; codes that
//! the file declares missing are codes like others, named in [`Variable::missing`]. Dates are the
//! numbers they are stored as. Very long texts are joined from their segments.

mod dictionary;
mod elements;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Builder, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use encoding_rs::Encoding;

use self::dictionary::Dictionary;
use self::elements::{Elements, MISSING};
use super::{BATCH, Head, Take};
use crate::variable::Kind;
use crate::{Error, Variable};

/// Bytes that a segment of a very long text holds, all but the last.
const SEGMENT: usize = 255;

/// Bytes read in one go.
const BUFFER: usize = 1 << 18;

fn open(path: &Path) -> Result<(Dictionary, BufReader<File>), Error> {
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    let mut file = BufReader::with_capacity(BUFFER, file);
    Ok((dictionary::read(path, &mut file)?, file))
}

fn schema(dictionary: &Dictionary) -> SchemaRef {
    let fields = dictionary.variables.iter().map(|one| {
        let kind = if one.is_number() { DataType::Float64 } else { DataType::Utf8 };
        Field::new(&one.name, kind, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

pub(crate) fn head(path: &Path) -> Result<Head, Error> {
    let (dictionary, _) = open(path)?;
    let schema = schema(&dictionary);
    let variables = dictionary.variables.into_iter().map(|one| Variable {
        kind: match one.is_number() {
            _ if !one.labels.is_empty() => Kind::Code,
            true => Kind::Number,
            false => Kind::Text,
        },
        label: one.label,
        missing: one.missing,
        labels: one.labels,
        ..Variable::named(one.name)
    });
    Ok(Head { variables: variables.collect(), schema })
}

/// A column in the making.
enum Column {
    Number(Float64Builder),
    Text(StringBuilder),
}

impl Column {
    fn push(&mut self, variable: &dictionary::Variable, bytes: &[u8], encoding: &'static Encoding) {
        match self {
            Self::Number(column) => {
                let number = bytes.try_into().map_or(MISSING, f64::from_le_bytes);
                column.append_option(Some(number).filter(|&number| number != MISSING));
            }
            Self::Text(column) => {
                let joined = joined(variable, bytes);
                let text = encoding.decode_without_bom_handling(joined.trim_ascii_end()).0;
                column.append_value(text);
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Number(column) => Arc::new(column.finish()),
            Self::Text(column) => Arc::new(column.finish()),
        }
    }
}

/// The segments of a text as one. All but the last are full.
fn joined(variable: &dictionary::Variable, bytes: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(bytes.len());
    let mut start = 0;
    for width in &variable.segments {
        let used = (*width).min(SEGMENT);
        joined.extend_from_slice(&bytes[start..start + used]);
        start += width.div_ceil(8) * 8;
    }
    joined.truncate(variable.length);
    joined
}

/// Reads some columns, which rise.
pub(crate) fn each_batch(path: &Path, columns: &[usize], take: Take) -> Result<(), Error> {
    let (dictionary, file) = open(path)?;
    let schema = super::projected(&schema(&dictionary), columns);
    let mut elements = Elements::new(path, file, dictionary.packing, dictionary.bias)?;
    let mut builders: Vec<Option<Column>> = (0..dictionary.variables.len())
        .map(|place| {
            columns.contains(&place).then(|| match dictionary.variables[place].is_number() {
                true => Column::Number(Float64Builder::new()),
                false => Column::Text(StringBuilder::new()),
            })
        })
        .collect();
    let mut records = 0;
    loop {
        let mut rows = 0;
        while rows < BATCH && record(path, &mut elements, &dictionary, &mut builders)? {
            rows += 1;
        }
        if rows == 0 {
            break;
        }
        records += rows as u64;
        let arrays = builders.iter_mut().flatten().map(Column::finish).collect();
        if take(super::batch(path, &schema, arrays, rows)?).is_break() {
            return Ok(());
        }
    }
    match dictionary.records {
        Some(promised) if promised != records => {
            let message = format!("the SPSS file has {records} of its {promised} records");
            Err(Error::malformed(path, message))
        }
        _ => Ok(()),
    }
}

/// Reads a record; whether there was one.
fn record(
    path: &Path,
    elements: &mut Elements<'_>,
    dictionary: &Dictionary,
    builders: &mut [Option<Column>],
) -> Result<bool, Error> {
    let Some(first) = elements.next()? else { return Ok(false) };
    let mut next = Some(first);
    let mut bytes = Vec::new();
    for (builder, variable) in builders.iter_mut().zip(&dictionary.variables) {
        bytes.clear();
        for _ in 0..variable.elements() {
            let element = match next.take() {
                Some(element) => Some(element),
                None => elements.next()?,
            };
            let cut = || Error::malformed(path, "the SPSS file ends within a record");
            bytes.extend_from_slice(&element.ok_or_else(cut)?);
        }
        if let Some(builder) = builder {
            builder.push(variable, &bytes, dictionary.encoding);
        }
    }
    Ok(true)
}
