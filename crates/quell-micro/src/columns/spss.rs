//! SPSS: `.sav`, plain or compressed by bytes (the usual; `.zsav` is not read).
//!
//! After "System File Format" in the manual of PSPP. System-missing values are null; codes that
//! the file declares missing are codes like others, and dates are the numbers they are stored
//! as. Very long texts are joined from their segments.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use encoding_rs::Encoding;

use super::{Take, failed};
use crate::{Error, Result};

/// Records of one batch.
const BATCH: usize = 8192;

/// The system-missing value.
const MISSING: f64 = -f64::MAX;

/// Bytes of a segment of a very long text that are used.
const SEGMENT: usize = 252;

/// A variable: a number, or a text in segments of so many bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    name: String,
    segments: Vec<usize>,
}

impl Variable {
    fn is_number(&self) -> bool {
        self.segments.is_empty()
    }

    /// Elements of eight bytes that a record has of it.
    fn elements(&self) -> usize {
        if self.is_number() { 1 } else { self.segments.iter().map(|width| width.div_ceil(8)).sum() }
    }
}

/// An open file, its dictionary read.
struct Reader<'a> {
    path: &'a Path,
    file: BufReader<File>,
    variables: Vec<Variable>,
    encoding: &'static Encoding,
    /// How many records the header promises.
    records: Option<u64>,
    /// What is taken off a compressed number; none if the file is not compressed.
    bias: Option<f64>,
    /// Commands of the compression that are still to be carried out, last first.
    commands: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn open(path: &'a Path) -> Result<Self> {
        let file = File::open(path).map_err(|source| Error::io(path, source))?;
        let mut reader = Self {
            path,
            file: BufReader::with_capacity(1 << 18, file),
            variables: Vec::new(),
            encoding: encoding_rs::WINDOWS_1252,
            records: None,
            bias: None,
            commands: Vec::new(),
        };
        reader.header()?;
        reader.dictionary()?;
        Ok(reader)
    }

    fn broken(&self, message: &str) -> Error {
        failed(self.path, message)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file
            .read_exact(&mut bytes)
            .map_err(|_| self.broken("the SPSS file ends too early"))?;
        Ok(bytes)
    }

    fn whole(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.bytes()?))
    }

    /// A count that cannot be negative.
    fn count(&mut self) -> Result<usize> {
        usize::try_from(self.whole()?)
            .map_err(|_| self.broken("the SPSS file has a negative length"))
    }

    /// So many bytes; a wrong length ends with the file, not with the memory.
    fn long(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(length as u64).read_to_end(&mut bytes);
        match read {
            Ok(read) if read == length => Ok(bytes),
            _ => Err(self.broken("the SPSS file ends too early")),
        }
    }

    fn header(&mut self) -> Result<()> {
        let kind: [u8; 4] = self.bytes()?;
        if kind != *b"$FL2" {
            let zipped = kind == *b"$FL3";
            return Err(self.broken(match zipped {
                true => "a .zsav file: save it as .sav, or turn it into Parquet",
                false => "not an SPSS file",
            }));
        }
        let _product: [u8; 60] = self.bytes()?;
        if !matches!(self.whole()?, 2 | 3) {
            return Err(self.broken("an SPSS file of a big-endian machine: save it anew"));
        }
        let _case_size = self.whole()?;
        let compression = self.whole()?;
        let _weight = self.whole()?;
        self.records = u64::try_from(self.whole()?).ok();
        let bias = f64::from_le_bytes(self.bytes()?);
        self.bias = match compression {
            0 => None,
            1 => Some(bias),
            _ => return Err(self.broken("an SPSS file of an unknown compression")),
        };
        let _date_and_label: [u8; 84] = self.bytes()?;
        Ok(())
    }

    fn dictionary(&mut self) -> Result<()> {
        let mut raw: Vec<(Vec<u8>, usize)> = Vec::new();
        let (mut long_names, mut lengths) = (Vec::new(), Vec::new());
        let mut code_page = None;
        let mut encoding = None;
        loop {
            match self.whole()? {
                2 => raw.extend(self.variable()?),
                3 => {
                    for _ in 0..self.count()? {
                        let [.., length]: [u8; 9] = self.bytes()?;
                        self.long((1 + usize::from(length)).next_multiple_of(8) - 1)?;
                    }
                }
                4 => {
                    let count = self.count()?;
                    self.long(4 * count)?;
                }
                6 => {
                    let lines = self.count()?;
                    self.long(80 * lines)?;
                }
                7 => {
                    let kind = self.whole()?;
                    let (size, count) = (self.count()?, self.count()?);
                    let data = self.long(size.saturating_mul(count))?;
                    match kind {
                        3 => code_page = data.get(28..32).and_then(|bytes| bytes.try_into().ok()),
                        13 => long_names = data,
                        14 => lengths = data,
                        20 => encoding = Encoding::for_label(&data),
                        _ => {}
                    }
                }
                999 => {
                    self.whole()?;
                    break;
                }
                other => {
                    return Err(self.broken(&format!("the SPSS file has a record of type {other}")));
                }
            }
        }
        self.encoding = encoding
            .or_else(|| match i32::from_le_bytes(code_page?) {
                65001 => Some(encoding_rs::UTF_8),
                page => Encoding::for_label(format!("windows-{page}").as_bytes()),
            })
            .unwrap_or(encoding_rs::WINDOWS_1252);
        self.variables = variables(&raw, &self.pairs(&long_names), &self.pairs(&lengths), |name| {
            self.encoding.decode_without_bom_handling(name).0.trim_end().to_owned()
        })
        .ok_or_else(|| self.broken("the SPSS file has a text without all its segments"))?;
        Ok(())
    }

    /// Name and width of a variable, 0 for numbers; none if it continues the one before.
    fn variable(&mut self) -> Result<Option<(Vec<u8>, usize)>> {
        let width = self.whole()?;
        let has_label = self.whole()? != 0;
        let missing = self.whole()?.unsigned_abs() as usize;
        let _formats: [u8; 8] = self.bytes()?;
        let name: [u8; 8] = self.bytes()?;
        if has_label {
            let length = self.count()?;
            self.long(length.next_multiple_of(4))?;
        }
        self.long(8 * missing)?;
        Ok(usize::try_from(width).ok().map(|width| (name.trim_ascii_end().to_vec(), width)))
    }

    /// `NAME=text` between tabs.
    fn pairs(&self, data: &[u8]) -> BTreeMap<Vec<u8>, String> {
        let pair = |part: &[u8]| {
            let middle = part.iter().position(|&byte| byte == b'=')?;
            let text = self.encoding.decode_without_bom_handling(&part[middle + 1..]).0;
            Some((part[..middle].to_ascii_uppercase(), text.trim_matches(['\0', ' ']).to_owned()))
        };
        data.split(|&byte| byte == b'\t').filter_map(pair).collect()
    }

    /// The next eight bytes of the records; none at their end.
    fn element(&mut self) -> Result<Option<[u8; 8]>> {
        let Some(bias) = self.bias else {
            let mut bytes = Vec::with_capacity(8);
            let read = (&mut self.file).take(8).read_to_end(&mut bytes);
            read.map_err(|source| Error::io(self.path, source))?;
            return match bytes.try_into() {
                Ok(bytes) => Ok(Some(bytes)),
                Err(short) if short.is_empty() => Ok(None),
                Err(_) => Err(self.broken("the SPSS file ends too early")),
            };
        };
        loop {
            let Some(command) = self.commands.pop() else {
                let mut commands = Vec::with_capacity(8);
                let read = (&mut self.file).take(8).read_to_end(&mut commands);
                read.map_err(|source| Error::io(self.path, source))?;
                if commands.is_empty() {
                    return Ok(None);
                }
                commands.reverse();
                self.commands = commands;
                continue;
            };
            return match command {
                0 => continue,
                252 => Ok(None),
                253 => self.bytes().map(Some),
                254 => Ok(Some([b' '; 8])),
                255 => Ok(Some(MISSING.to_le_bytes())),
                number => Ok(Some((f64::from(number) - bias).to_le_bytes())),
            };
        }
    }
}

/// Variables with their long names, the segments of very long texts together; none if some of
/// those are not there.
fn variables(
    raw: &[(Vec<u8>, usize)],
    long_names: &BTreeMap<Vec<u8>, String>,
    lengths: &BTreeMap<Vec<u8>, String>,
    text: impl Fn(&[u8]) -> String,
) -> Option<Vec<Variable>> {
    let mut all = Vec::new();
    let mut rest = raw;
    while let Some(((name, width), mut others)) = rest.split_first() {
        let key = name.to_ascii_uppercase();
        let mut segments: Vec<usize> = (*width > 0).then_some(*width).into_iter().collect();
        let length: Option<usize> = lengths.get(&key).and_then(|text| text.parse().ok());
        if let Some(more) = length.map(|length| length.div_ceil(SEGMENT).saturating_sub(1)) {
            segments.extend(others.get(..more)?.iter().map(|(_, width)| *width));
            others = &others[more..];
        }
        rest = others;
        let name = long_names.get(&key).cloned().unwrap_or_else(|| text(name));
        all.push(Variable { name, segments });
    }
    Some(all)
}

fn fields(variables: &[Variable]) -> Vec<Field> {
    let kind = |one: &Variable| if one.is_number() { DataType::Float64 } else { DataType::Utf8 };
    variables.iter().map(|one| Field::new(&one.name, kind(one), true)).collect()
}

pub(super) fn schema(path: &Path) -> Result<SchemaRef> {
    Ok(Arc::new(Schema::new(fields(&Reader::open(path)?.variables))))
}

/// A column in the making.
enum Column {
    Number(Float64Builder),
    Text(StringBuilder),
}

impl Column {
    fn push(&mut self, variable: &Variable, bytes: &[u8], encoding: &'static Encoding) {
        match self {
            Self::Number(column) => {
                let number = bytes.try_into().map_or(MISSING, f64::from_le_bytes);
                column.append_option(Some(number).filter(|&number| number != MISSING));
            }
            Self::Text(column) => {
                let mut joined = Vec::with_capacity(bytes.len());
                let mut start = 0;
                let last = variable.segments.len().saturating_sub(1);
                for (place, width) in variable.segments.iter().enumerate() {
                    let used = if place < last { SEGMENT } else { *width };
                    joined.extend_from_slice(&bytes[start..start + used]);
                    start += width.div_ceil(8) * 8;
                }
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

pub(super) fn each_batch(path: &Path, wanted: Option<&[usize]>, take: Take) -> Result<()> {
    let mut reader = Reader::open(path)?;
    let variables = reader.variables.clone();
    let is_wanted = |place: &usize| wanted.is_none_or(|wanted| wanted.contains(place));
    let fields = fields(&variables).into_iter().enumerate();
    let fields: Vec<Field> =
        fields.filter(|(place, _)| is_wanted(place)).map(|(_, field)| field).collect();
    let mut columns: Vec<Option<Column>> = (0..variables.len())
        .map(|place| {
            is_wanted(&place).then(|| match variables[place].is_number() {
                true => Column::Number(Float64Builder::new()),
                false => Column::Text(StringBuilder::new()),
            })
        })
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let (mut rows, mut records) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        let mut next = reader.element()?;
        let ended = next.is_none();
        if !ended {
            for (column, variable) in columns.iter_mut().zip(&variables) {
                bytes.clear();
                for _ in 0..variable.elements() {
                    let element = match next.take() {
                        Some(element) => Some(element),
                        None => reader.element()?,
                    };
                    let cut = || failed(path, "the SPSS file ends within a record");
                    bytes.extend_from_slice(&element.ok_or_else(cut)?);
                }
                if let Some(column) = column {
                    column.push(variable, &bytes, reader.encoding);
                }
            }
            rows += 1;
            records += 1;
        }
        if rows == BATCH || (ended && rows > 0) {
            let arrays = columns.iter_mut().flatten().map(Column::finish).collect();
            let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
            take(batch.map_err(|error| failed(path, error))?)?;
            rows = 0;
        }
        if ended {
            break;
        }
    }
    match reader.records {
        Some(promised) if promised != records => {
            Err(failed(path, format!("the SPSS file has {records} of its {promised} records")))
        }
        _ => Ok(()),
    }
}
