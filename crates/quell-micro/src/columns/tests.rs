//! The same three persons in every format: read, protected, released, read back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow::datatypes::DataType;

use super::{Format, schema};
use crate::release::Released;
use crate::{KeySet, Layout, Selection, Suppressions, Variable, read, release};

const AGES: [Option<f64>; 3] = [Some(30.0), None, Some(31.5)];
const TOWNS: [&str; 3] = ["A", "Bx", "A"];

fn parquet(path: &Path) {
    let ages: ArrayRef = Arc::new(Float64Array::from(AGES.to_vec()));
    let towns: ArrayRef = Arc::new(StringArray::from(TOWNS.to_vec()));
    let batch = RecordBatch::try_from_iter([("age", ages), ("town", towns)]).unwrap();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ::parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// A header, two variables with labels and all, and the records, compressed or not.
fn spss(path: &Path, compressed: bool) {
    let mut file = b"$FL2".to_vec();
    file.extend([b' '; 60]);
    for number in [2_i32, 2, i32::from(compressed), 0, AGES.len() as i32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(100.0_f64.to_le_bytes());
    file.extend([b' '; 84]);
    let mut put = |numbers: &[i32], text: &[u8]| {
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file.extend_from_slice(text);
    };
    // A variable with a label and a missing code; a text; its value labels; names; encoding.
    put(&[2, 0, 1, 1, 0, 0], b"V1      ");
    put(&[8], b"the age ");
    put(&[], &99.0_f64.to_le_bytes());
    put(&[2, 4, 0, 0, 0, 0], b"TOWN    ");
    put(&[3, 1], &30.0_f64.to_le_bytes());
    put(&[], b"\x06thirty ");
    put(&[4, 1, 1], b"");
    put(&[7, 13, 1, 16], b"V1=age\tTOWN=town");
    put(&[7, 20, 1, 5], b"UTF-8");
    put(&[999, 0], b"");
    for (age, town) in AGES.into_iter().zip(TOWNS) {
        let padded = format!("{town:<8}");
        match (compressed, age) {
            (false, age) => put(&[], &age.unwrap_or(-f64::MAX).to_le_bytes()),
            // 130 − 100 is 30; 255 is missing; 253 is a number or text written out.
            (true, Some(30.0)) => put(&[], &[130, 253, 0, 0, 0, 0, 0, 0]),
            (true, None) => put(&[], &[255, 253, 0, 0, 0, 0, 0, 0]),
            (true, Some(age)) => {
                put(&[], &[253, 253, 0, 0, 0, 0, 0, 0]);
                put(&[], &age.to_le_bytes());
            }
        }
        put(&[], padded.as_bytes());
    }
    std::fs::write(path, file).unwrap();
}

fn spss_plain(path: &Path) {
    spss(path, false);
}

fn spss_compressed(path: &Path) {
    spss(path, true);
}

fn stata(path: &Path) {
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
    let schema = Schema::builder()
        .add_variable(Variable::builder(VariableType::Double, "age").format("%9.0g"))
        .add_variable(Variable::builder(VariableType::FixedString(4), "town").format("%4s"))
        .build()
        .unwrap();
    let header = Header::builder(Release::V118, ByteOrder::LittleEndian).build();
    let writer = DtaWriter::new().from_path(path).unwrap();
    let writer = writer.write_header(header).unwrap().write_schema(schema).unwrap();
    let mut writer = writer.into_record_writer().unwrap();
    for (age, town) in AGES.into_iter().zip(TOWNS) {
        // The letter after the dot says why a value is missing.
        let age = age.map_or(StataDouble::Missing(MissingValue::A), StataDouble::Present);
        writer.write_record(&[Value::Double(age), Value::string(town)]).unwrap();
    }
    let writer = writer.into_long_string_writer().unwrap();
    writer.into_value_label_writer().unwrap().finish().unwrap();
}

fn selection() -> Selection {
    let keys = vec![Variable::named("town"), Variable::named("age")];
    Selection { keys, ..Selection::default() }
}

#[test]
fn every_format_is_read_and_released() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    type Make = fn(&Path);
    let formats: [(&str, Make); 4] = [
        ("in.parquet", parquet),
        ("in.dta", stata),
        ("plain.sav", spss_plain),
        ("in.sav", spss_compressed),
    ];
    for (name, make) in formats {
        let input = at(name);
        make(&input);
        let layout = Layout::of_file(&input, None).unwrap();
        assert_eq!(layout.names(), ["age", "town"], "{name}");
        let data = read(&input, &layout, &selection()).unwrap();
        assert_eq!(data.keys()[0].labels(), ["A", "Bx"], "{name}");
        assert_eq!(data.keys()[1].labels(), ["30", "31.5", ""], "{name}");
        assert_eq!(data.keys()[1].label(1), "", "{name}");
        let keys: Vec<Released> = data
            .keys()
            .iter()
            .map(|original| Released { original, recoded: None, missing: "" })
            .collect();
        let hidden = Suppressions::new([(2, KeySet::of(&[0, 1]))]);
        for output in [at("out.parquet"), at("out.csv")] {
            release::write(&input, &layout, &output, &keys, &hidden).unwrap();
            let released = Layout::of_file(&output, None).unwrap();
            let again = read(&output, &released, &selection()).unwrap();
            assert_eq!(release::hidden(&data, &again).unwrap(), hidden, "{name}");
        }
        assert_eq!(schema(&at("out.parquet")).unwrap().field(0).data_type(), &DataType::Float64);
        assert_eq!(std::fs::read_to_string(at("out.csv")).unwrap(), "age,town\n30,A\n,Bx\n,\n");
        let error = release::write(&input, &layout, &at("out.xlsx"), &keys, &hidden).unwrap_err();
        assert!(error.to_string().ends_with("released as .parquet or .csv"), "{error}");
        assert!(!at("out.xlsx").exists());
    }
}

#[test]
fn texts_that_are_no_such_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.parquet", "a.dta", "a.sav"] {
        let path = folder.path().join(name);
        assert!(Format::of(&path).is_some());
        for text in ["", "age,town\n1,A\n"] {
            std::fs::write(&path, text).unwrap();
            let error = Layout::of_file(&path, None).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}

#[test]
fn an_spss_file_that_is_cut_off_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sav");
    spss_compressed(&path);
    let bytes = std::fs::read(&path).unwrap();
    let layout = Layout::of_file(&path, None).unwrap();
    for end in 0..bytes.len() {
        std::fs::write(&path, &bytes[..end]).unwrap();
        let names = Layout::of_file(&path, None);
        assert!(names.is_err() || read(&path, &layout, &selection()).is_err(), "{end} bytes");
    }
}
