//! Small files of every kind, written here: the same columns in each. Other crates' tests use
//! them, too.

#![allow(dead_code, reason = "each of the crates needs some of it")]

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use quell_data::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};

/// Columns by name.
pub type Columns = Vec<(String, Values)>;

/// A column.
#[derive(Debug, Clone)]
pub enum Values {
    Numbers(Vec<Option<f64>>),
    Texts(Vec<String>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    fn number(&self, row: usize) -> Option<f64> {
        match self {
            Self::Numbers(numbers) => numbers[row],
            Self::Texts(_) => None,
        }
    }

    fn text(&self, row: usize) -> &str {
        match self {
            Self::Numbers(_) => "",
            Self::Texts(texts) => &texts[row],
        }
    }

    /// Bytes of its longest text; 0 for numbers.
    fn width(&self) -> usize {
        match self {
            Self::Numbers(_) => 0,
            Self::Texts(texts) => texts.iter().map(String::len).max().unwrap_or(0).max(1),
        }
    }

    /// A column of its first value over and over.
    pub fn first_repeated(&self, count: usize) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(vec![numbers[0]; count]),
            Self::Texts(texts) => Self::Texts(vec![texts[0].clone(); count]),
        }
    }
}

fn rows(columns: &Columns) -> usize {
    columns.first().map_or(0, |(_, values)| values.len())
}

/// The columns as an Arrow batch.
pub fn batch(columns: &Columns) -> RecordBatch {
    let arrays = columns.iter().map(|(name, values)| {
        let array: ArrayRef = match values {
            Values::Numbers(numbers) => Arc::new(Float64Array::from(numbers.clone())),
            Values::Texts(texts) => Arc::new(StringArray::from(texts.clone())),
        };
        (name.clone(), array)
    });
    RecordBatch::try_from_iter(arrays).unwrap()
}

/// Apache Parquet.
pub fn parquet(path: &Path, columns: &Columns) {
    let batch = batch(columns);
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// Stata, release 118: numbers as doubles, missing ones as `.a`.
pub fn stata(path: &Path, columns: &Columns) {
    use dta::stata::dta::byte_order::ByteOrder;
    use dta::stata::dta::dta_writer::DtaWriter;
    use dta::stata::dta::header::Header;
    use dta::stata::dta::release::Release;
    use dta::stata::dta::schema::Schema;
    use dta::stata::dta::value::Value;
    use dta::stata::dta::variable::Variable;
    use dta::stata::dta::variable_type::VariableType;
    use dta::stata::missing_value::MissingValue;
    use dta::stata::stata_double::StataDouble;
    let mut schema = Schema::builder();
    for (name, values) in columns {
        let variable = match values {
            Values::Numbers(_) => Variable::builder(VariableType::Double, name).format("%9.0g"),
            Values::Texts(_) => {
                let width = values.width() as u16;
                let variable = Variable::builder(VariableType::FixedString(width), name);
                variable.format(format!("%{width}s"))
            }
        };
        schema = schema.add_variable(variable);
    }
    let header = Header::builder(Release::V118, ByteOrder::LittleEndian).build();
    let writer = DtaWriter::new().from_path(path).unwrap();
    let writer = writer.write_header(header).unwrap();
    let writer = writer.write_schema(schema.build().unwrap()).unwrap();
    let mut writer = writer.into_record_writer().unwrap();
    for row in 0..rows(columns) {
        let value = |values: &'_ Values| match values.number(row) {
            Some(number) => StataDouble::Present(number),
            // The letter after the dot says why a value is missing.
            None => StataDouble::Missing(MissingValue::A),
        };
        let record: Vec<Value> = columns
            .iter()
            .map(|(_, values)| match values {
                Values::Numbers(_) => Value::Double(value(values)),
                Values::Texts(_) => Value::string(values.text(row)),
            })
            .collect();
        writer.write_record(&record).unwrap();
    }
    let writer = writer.into_long_string_writer().unwrap();
    writer.into_value_label_writer().unwrap().finish().unwrap();
}

/// SPSS: plain (0), packed by bytes (1), or that in blocks of zlib (2).
pub fn spss(path: &Path, columns: &Columns, packing: i32) {
    write_spss(path, columns, packing, "", &[], None);
}

/// SPSS with codes or a range that mean "missing" of one variable.
pub fn spss_with_missing(
    path: &Path,
    columns: &Columns,
    variable: &str,
    codes: &[f64],
    range: Option<[f64; 2]>,
) {
    write_spss(path, columns, 1, variable, codes, range);
}

/// The value of a number that is missing.
const MISSING: f64 = -f64::MAX;

/// Bytes in a block of zlib: few, so that there are several.
const BLOCK: usize = 300;

fn write_spss(
    path: &Path,
    columns: &Columns,
    packing: i32,
    missing_of: &str,
    codes: &[f64],
    range: Option<[f64; 2]>,
) {
    let mut file: Vec<u8> = if packing == 2 { b"$FL3".to_vec() } else { b"$FL2".to_vec() };
    file.extend([b' '; 60]);
    put(&mut file, &[2, 0, packing, 0, rows(columns) as i32]);
    file.extend(100.0_f64.to_le_bytes());
    file.extend([b' '; 84]);
    let mut long_names = Vec::new();
    for (number, (name, values)) in columns.iter().enumerate() {
        let width = values.width();
        let mut missing: Vec<f64> = Vec::new();
        let mut kind = 0;
        if name == missing_of {
            missing.extend(range.iter().flatten());
            missing.extend(codes);
            kind = if range.is_some() { -(missing.len() as i32) } else { missing.len() as i32 };
        }
        let short = format!("V{number}");
        put(&mut file, &[2, width as i32, 0, kind, 0, 0]);
        file.extend(format!("{short:<8}").bytes());
        file.extend(missing.iter().flat_map(|number| number.to_le_bytes()));
        for _ in 1..width.div_ceil(8) {
            put(&mut file, &[2, -1, 0, 0, 0, 0]);
            file.extend([b' '; 8]);
        }
        long_names.push(format!("{short}={name}"));
    }
    let names = long_names.join("\t");
    put(&mut file, &[7, 13, 1, names.len() as i32]);
    file.extend(names.bytes());
    put(&mut file, &[7, 20, 1, 5]);
    file.extend(b"UTF-8");
    put(&mut file, &[999, 0]);
    let records = spss_records(columns, packing > 0);
    match packing {
        2 => zipped(&mut file, &records),
        _ => file.extend(records),
    }
    std::fs::write(path, file).unwrap();
}

fn put(file: &mut Vec<u8>, numbers: &[i32]) {
    file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// The records as elements of eight bytes, packed or not.
fn spss_records(columns: &Columns, packed: bool) -> Vec<u8> {
    let mut elements: Vec<[u8; 8]> = Vec::new();
    for row in 0..rows(columns) {
        for (_, values) in columns {
            match values {
                Values::Numbers(_) => {
                    elements.push(values.number(row).unwrap_or(MISSING).to_le_bytes());
                }
                Values::Texts(_) => {
                    let width = values.width().next_multiple_of(8);
                    let padded = format!("{:<width$}", values.text(row));
                    elements.extend(padded.as_bytes().chunks_exact(8).map(|chunk| {
                        let mut element = [0; 8];
                        element.copy_from_slice(chunk);
                        element
                    }));
                }
            }
        }
    }
    if !packed {
        return elements.concat();
    }
    let mut out = Vec::new();
    for eight in elements.chunks(8) {
        let mut commands = [0; 8];
        let mut whole = Vec::<u8>::new();
        for (command, element) in commands.iter_mut().zip(eight) {
            let number = f64::from_le_bytes(*element);
            *command = match number {
                _ if *element == [b' '; 8] => 254,
                MISSING => 255,
                number if number.fract() == 0.0 && (-99.0..=151.0).contains(&number) => {
                    (number + 100.0) as u8
                }
                _ => {
                    whole.extend(element);
                    253
                }
            };
        }
        out.extend(commands);
        out.extend(whole);
    }
    out
}

/// Blocks of zlib between a head and a trailer.
fn zipped(file: &mut Vec<u8>, records: &[u8]) {
    let start = file.len() as i64;
    let mut blocks = Vec::new();
    let mut body = Vec::new();
    for block in records.chunks(BLOCK) {
        let mut encoder =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(block).unwrap();
        let packed = encoder.finish().unwrap();
        blocks.push((block.len() as i32, packed.len() as i32));
        body.extend(packed);
    }
    let end = start + 24 + body.len() as i64;
    let trailer = 24 + 24 * blocks.len() as i64;
    for number in [start, end, trailer] {
        file.extend(number.to_le_bytes());
    }
    file.extend(body);
    for number in [-100_i64, 0] {
        file.extend(number.to_le_bytes());
    }
    put(file, &[BLOCK as i32, blocks.len() as i32]);
    let (mut unpacked_at, mut packed_at) = (start, start + 24);
    for (unpacked, packed) in blocks {
        file.extend(unpacked_at.to_le_bytes());
        file.extend(packed_at.to_le_bytes());
        put(file, &[unpacked, packed]);
        unpacked_at += i64::from(unpacked);
        packed_at += i64::from(packed);
    }
}
