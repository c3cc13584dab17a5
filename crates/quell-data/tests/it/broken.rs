//! Files that are not what they should be.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quell_data::arrow::array::RecordBatch;
use quell_data::{Error, FileKind, Options, Records, Watch};
use quell_model::{Budget, Silent};

use crate::samples::{self, Columns, Values};

fn persons() -> Columns {
    let texts = |texts: &[&str]| Values::Texts(texts.iter().map(|&t| t.to_owned()).collect());
    vec![
        ("age".to_owned(), Values::Numbers(vec![Some(30.0), None, Some(31.5)])),
        ("town".to_owned(), texts(&["A", "Bx", "A"])),
        ("name".to_owned(), texts(&["somebody with a name", "x", ""])),
    ]
}

fn read(records: &Records) -> Result<Vec<RecordBatch>, Error> {
    let mut batches = Vec::new();
    let all: Vec<usize> = (0..records.variables().len()).collect();
    records.each_batch(&all, &Watch::default(), |batch| {
        batches.push(batch);
        Ok::<(), Error>(())
    })?;
    Ok(batches)
}

#[test]
fn texts_that_are_no_such_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.parquet", "a.dta", "a.sav", "a.zsav", "a.sas7bdat"] {
        let path = folder.path().join(name);
        assert!(FileKind::of_ending(&path).is_some());
        for text in ["", "age,town\n1,A\n"] {
            std::fs::write(&path, text).unwrap();
            let error = Records::open(&path).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
    let error = Records::open(Path::new("nowhere.sas7bdat")).unwrap_err();
    assert!(matches!(error, Error::Read { .. }), "{error}");
    let xlsx = folder.path().join("a.xlsx");
    std::fs::write(&xlsx, "PK").unwrap();
    let error = Records::open(&xlsx).unwrap_err().to_string();
    assert!(error.ends_with("turn it into Parquet or CSV"), "{error}");
}

#[test]
fn a_file_that_is_cut_off_is_never_taken_for_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    for packing in 0..=2 {
        let path = folder.path().join("a.sav");
        samples::spss(&path, &persons(), packing);
        let bytes = std::fs::read(&path).unwrap();
        let whole = Records::open(&path).unwrap();
        assert_eq!(read(&whole).unwrap()[0].num_rows(), 3);
        // The trailer behind the blocks of zlib is not needed.
        let needed = if packing == 2 { bytes.len() - 48 } else { bytes.len() };
        for end in 0..needed {
            std::fs::write(&path, &bytes[..end]).unwrap();
            let opened = Records::open(&path);
            assert!(opened.is_err() || read(&whole).is_err(), "{packing}: {end} bytes");
            let part = &whole.parts(1).unwrap()[0];
            assert!(part.stream(&[0]).any(|batch| batch.is_err()), "{packing}: {end} bytes");
        }
    }
}

#[test]
fn the_line_of_a_wrong_record_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "age,town\n1,\"A\nB\"\n\n2\n").unwrap();
    let error = read(&Records::open(&path).unwrap()).unwrap_err().to_string();
    assert!(error.ends_with("a.csv, line 5: 1 fields, but 2 variables"), "{error}");
}

#[test]
fn places_count_lines_as_editors_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "age,town\r\n1,\"A\nB\"\r\n\r\n2,C\r\n3,D").unwrap();
    let records = Records::open(&path).unwrap();
    let places: Vec<String> = (0..4).map(|row| records.place(row).to_string()).collect();
    assert_eq!(places, ["line 2", "line 5", "line 6", "record 4"]);
}

#[test]
fn names_are_found_whatever_their_case_if_that_leaves_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "a,a,B,b, c \n").unwrap();
    let records = Records::open(&path).unwrap();
    let error = records.position("a").unwrap_err().to_string();
    assert!(error.ends_with("there are 2 variables \"a\"; give them different names"), "{error}");
    assert_eq!(records.position("b").unwrap(), 3);
    assert_eq!(records.position("C").unwrap(), 4);
    let error = records.position("bb").unwrap_err().to_string();
    assert!(error.ends_with("no variable \"bb\"; did you mean \"B\"?"), "{error}");
}

#[test]
fn batches_must_have_the_columns_of_their_schema() {
    let persons = samples::batch(&persons());
    let other = persons.project(&[1, 0, 2]).unwrap();
    let error = Records::batches("persons", persons.schema(), vec![persons, other]).unwrap_err();
    assert_eq!(error.to_string(), "persons: batch 2 has other columns than the schema");
}

#[test]
fn a_raised_flag_stops_every_reader() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    samples::parquet(&at("a.parquet"), &persons());
    samples::stata(&at("a.dta"), &persons());
    samples::spss(&at("a.sav"), &persons(), 1);
    std::fs::write(at("a.csv"), "age,town\n1,A\n").unwrap();
    let budget = Budget::default().with_cancel(Arc::new(AtomicBool::new(true)));
    let watch = Watch::new(&budget, &Silent);
    for name in ["a.parquet", "a.dta", "a.sav", "a.csv"] {
        let records = Records::open(&at(name)).unwrap();
        let batches = records.each_batch(&[0], &watch, |_| Ok::<(), Error>(()));
        assert!(matches!(batches, Err(Error::Stopped(_))), "{name}");
        let rows = records.each_row(&[0], &watch, |_| Ok::<(), Error>(()));
        assert!(matches!(rows, Err(Error::Stopped(_))), "{name}");
    }
}

#[test]
fn what_is_said_of_a_file_goes_before_what_it_looks_like() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "a;b,c\n1;2,3\n").unwrap();
    let options = Options { separator: Some(b','), ..Options::default() };
    let records = Records::open_with(&path, &options).unwrap();
    assert_eq!(records.names().collect::<Vec<_>>(), ["a;b", "c"]);
    let options = Options { kind: Some(FileKind::Parquet), ..Options::default() };
    assert!(Records::open_with(&path, &options).is_err());
    let options = Options { kind: Some(FileKind::Fixed), ..Options::default() };
    let error = Records::open_with(&path, &options).unwrap_err().to_string();
    assert!(error.contains("describe it with an .rda file"), "{error}");
}
