//! What typed files say of their variables.

use std::path::Path;

use quell_data::{Error, Kind, Records, Watch, texts};

use crate::samples::{self, Columns, Values};

/// The texts of some columns, in the order asked for.
fn columns(records: &Records, wanted: &[usize]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new(); wanted.len()];
    let read = records.each_batch(wanted, &Watch::default(), |batch| {
        for (all, column) in all.iter_mut().zip(batch.columns()) {
            let texts = texts(column).unwrap();
            all.extend(texts.iter().map(|text| text.unwrap_or("null").to_owned()));
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
    all
}

#[test]
fn columns_come_in_the_order_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let texts = |texts: &[&str]| Values::Texts(texts.iter().map(|&t| t.to_owned()).collect());
    let persons: Columns = vec![
        ("age".to_owned(), Values::Numbers(vec![Some(30.0), None])),
        ("town".to_owned(), texts(&["A", "Bx"])),
        ("sex".to_owned(), texts(&["m", "f"])),
    ];
    let at = |name: &str| folder.path().join(name);
    samples::parquet(&at("a.parquet"), &persons);
    samples::stata(&at("a.dta"), &persons);
    samples::spss(&at("a.sav"), &persons, 0);
    samples::spss(&at("a.zsav"), &persons, 2);
    for name in ["a.parquet", "a.dta", "a.sav", "a.zsav"] {
        let records = Records::open(&at(name)).unwrap();
        assert_eq!(columns(&records, &[2, 0]), [["m", "f"], ["30", "null"]], "{name}");
        assert_eq!(columns(&records, &[1]), [["A", "Bx"]], "{name}");
    }
}

/// A file of SPSS with everything that may be said of a variable: labels of variables and of
/// values, codes and ranges that are missing, long names, long labels.
fn spss(path: &Path) {
    let mut file = b"$FL2".to_vec();
    file.extend([b' '; 60]);
    let put = |file: &mut Vec<u8>, numbers: &[i32], text: &[u8]| {
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file.extend_from_slice(text);
    };
    put(&mut file, &[2, 3, 0, 0, 1], b"");
    file.extend(100.0_f64.to_le_bytes());
    file.extend([b' '; 84]);
    // A number with a label, a range and a code that are missing; a text of ten letters.
    put(&mut file, &[2, 0, 1, -3, 0, 0], b"V1      ");
    put(&mut file, &[7], b"the age ");
    for number in [97.0_f64, 98.0, -1.0] {
        file.extend(number.to_le_bytes());
    }
    put(&mut file, &[2, 10, 0, 0, 0, 0], b"V2      ");
    put(&mut file, &[2, -1, 0, 0, 0, 0], b"        ");
    put(&mut file, &[2, 0, 0, 0, 0, 0], b"V3      ");
    // Labels of the third variable, whose elements are the first and the fourth.
    put(&mut file, &[3, 2], b"");
    put(&mut file, &[], &1.0_f64.to_le_bytes());
    put(&mut file, &[], b"\x03man    ");
    put(&mut file, &[], &2.0_f64.to_le_bytes());
    put(&mut file, &[], b"\x05woman  ");
    put(&mut file, &[4, 1, 4], b"");
    put(&mut file, &[7, 13, 1, 23], b"V1=age\tV2=town\tV3=sexe\xe9");
    put(&mut file, &[7, 21, 1, 35], b"");
    put(&mut file, &[4], b"town");
    put(&mut file, &[10, 1, 10], b"Bonn      ");
    put(&mut file, &[1], b"B");
    put(&mut file, &[7, 22, 1, 21], b"");
    put(&mut file, &[4], b"town");
    put(&mut file, &[], b"\x01");
    put(&mut file, &[8], b"unknown ");
    put(&mut file, &[999, 0], b"");
    put(&mut file, &[], &97.5_f64.to_le_bytes());
    put(&mut file, &[], b"Bonn            ");
    put(&mut file, &[], &2.0_f64.to_le_bytes());
    std::fs::write(path, file).unwrap();
}

#[test]
fn labels_and_missing_values_of_spss_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sav");
    spss(&path);
    let records = Records::open(&path).unwrap();
    let age = records.variable("age").unwrap();
    assert_eq!((age.kind, age.label.as_deref()), (Kind::Number, Some("the age")));
    assert_eq!(
        (age.missing.codes.as_slice(), age.missing.range),
        (&["-1".into()][..], Some([97.0, 98.0]))
    );
    assert!(age.missing.has("97.5") && age.missing.has(" -1") && !age.missing.has("96"));
    let town = records.variable("town").unwrap();
    assert_eq!((town.kind, town.label_of("Bonn")), (Kind::Code, Some("B")));
    assert!(town.missing.has("unknown"));
    let sex = records.variable("sexeé").unwrap();
    assert_eq!((sex.kind, sex.label_of("2")), (Kind::Code, Some("woman")));
    // A value that is declared missing is still a value.
    assert_eq!(columns(&records, &[0, 1, 2]), [["97.5"], ["Bonn"], ["2"]]);
}

/// SPSS keeps a text of more than 255 bytes in segments of 255, of which the file counts 252.
#[test]
fn very_long_texts_of_spss_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sav");
    let text: String = ('a'..='z').cycle().take(600).collect();
    let mut file = b"$FL2".to_vec();
    file.extend([b' '; 60]);
    let put = |file: &mut Vec<u8>, numbers: &[i32], text: &[u8]| {
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file.extend_from_slice(text);
    };
    put(&mut file, &[2, 96, 0, 0, 1], b"");
    file.extend(100.0_f64.to_le_bytes());
    file.extend([b' '; 84]);
    // 600 letters are counted as 252 + 252 + 96.
    for (name, width) in [(b"T       ", 255), (b"T0      ", 255), (b"T1      ", 96_i32)] {
        put(&mut file, &[2, width, 0, 0, 0, 0], name);
        for _ in 1..(width as u32).div_ceil(8) {
            put(&mut file, &[2, -1, 0, 0, 0, 0], b"        ");
        }
    }
    put(&mut file, &[7, 14, 1, 7], b"T=00600");
    put(&mut file, &[999, 0], b"");
    for segment in [&text[..255], &text[255..510], &text[510..]] {
        let width =
            segment.len().next_multiple_of(8).max(if segment.len() < 255 { 96 } else { 256 });
        file.extend(format!("{segment:<width$}").bytes());
    }
    std::fs::write(&path, file).unwrap();
    let records = Records::open(&path).unwrap();
    assert_eq!(columns(&records, &[0]), [[text]]);
}

#[test]
fn labels_of_stata_are_kept() {
    use dta::stata::dta::byte_order::ByteOrder;
    use dta::stata::dta::dta_writer::DtaWriter;
    use dta::stata::dta::header::Header;
    use dta::stata::dta::release::Release;
    use dta::stata::dta::schema::Schema;
    use dta::stata::dta::value::Value;
    use dta::stata::dta::variable::Variable;
    use dta::stata::dta::variable_type::VariableType;
    use dta::stata::stata_double::StataDouble;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dta");
    let sex = Variable::builder(VariableType::Double, "sex").format("%9.0g");
    let sex = sex.value_label_name("sexes").label("man or woman");
    let schema = Schema::builder().add_variable(sex).build().unwrap();
    let header = Header::builder(Release::V114, ByteOrder::LittleEndian).build();
    let writer = DtaWriter::new().from_path(&path).unwrap();
    let mut writer = writer
        .write_header(header)
        .unwrap()
        .write_schema(schema)
        .unwrap()
        .into_record_writer()
        .unwrap();
    writer.write_record(&[Value::Double(StataDouble::Present(2.0))]).unwrap();
    let writer = writer.into_long_string_writer().unwrap().into_value_label_writer().unwrap();
    writer.finish().unwrap();
    // Behind all else: length, name, count, length of the texts, their starts, values, texts.
    let mut file = std::fs::read(&path).unwrap();
    let put = |file: &mut Vec<u8>, numbers: &[i32]| {
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    };
    put(&mut file, &[8 + 16 + 10]);
    file.extend(b"sexes");
    file.extend([0; 33 + 3 - 5]);
    put(&mut file, &[2, 10, 0, 4, 1, 2]);
    file.extend(b"man\0woman\0");
    std::fs::write(&path, file).unwrap();
    let records = Records::open(&path).unwrap();
    let sex = records.variable("sex").unwrap();
    assert_eq!((sex.kind, sex.label.as_deref()), (Kind::Code, Some("man or woman")));
    assert_eq!(sex.label_of("2"), Some("woman"));
    assert_eq!(columns(&records, &[0]), [["2"]]);
}
