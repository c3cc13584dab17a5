//! Files that an `.rda` file describes.

use std::path::Path;

use quell_data::argus::rda;
use quell_data::{Error, Kind, Records, Text, Watch};
use quell_model::Decimals;

use crate::samples::{self, Values};

fn metadata(text: &str) -> rda::Metadata {
    rda::parse_micro(&Text::new("t.rda", text.as_bytes())).unwrap()
}

fn fields(records: &Records) -> Vec<Vec<String>> {
    let all: Vec<usize> = (0..records.variables().len()).collect();
    let mut rows = Vec::new();
    let read = records.each_row(&all, &Watch::default(), |row| {
        rows.push(all.iter().map(|&at| row.text(at).unwrap_or_default().into_owned()).collect());
        Ok::<(), Error>(())
    });
    read.unwrap();
    rows
}

#[test]
fn fixed_width_files_keep_their_blanks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.asc");
    std::fs::write(&path, b" 1m12,5\r\n\r\n12f\xe9\r\n").unwrap();
    let records = Records::described(
        &path,
        &metadata("age 1 2 \"99\"\n <RECODABLE>\nsex 3 1\nturn 4 4\n <NUMERIC>\n <DECIMALS> 1\n"),
    )
    .unwrap();
    let age = records.variable("AGE").unwrap();
    assert_eq!((age.kind, age.missing.codes.as_slice()), (Kind::Code, &["99".to_owned()][..]));
    assert_eq!(records.variable("turn").unwrap().decimals, Some(Decimals(1)));
    assert_eq!(records.place(1).to_string(), "line 3");
    // In batches what a short line lacks is cut; record by record it is missed.
    let mut batches = records.parts(4).unwrap()[0].stream(&[2, 0]);
    let batch = batches.next().unwrap().unwrap();
    let texts = quell_data::texts(batch.column(0)).unwrap();
    assert_eq!(texts.iter().flatten().collect::<Vec<_>>(), ["12,5", "é"]);
    assert!(batches.next().is_none());
    assert_eq!(fields(&records), [[" 1", "m", "12,5"], ["12", "f", ""]]);
}

#[test]
fn free_format_has_a_separator_and_no_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.asc");
    std::fs::write(&path, "1;12,5\n2;7\n").unwrap();
    let described =
        metadata("<SEPARATOR> \";\"\nREGION 4 9999\n <RECODABLE>\nTURN 6\n <NUMERIC>\n");
    let records = Records::described(&path, &described).unwrap();
    assert_eq!(fields(&records), [["1", "12,5"], ["2", "7"]]);
    assert!(records.variable("turn").unwrap().decimal_comma);
    assert_eq!(records.variable("region").unwrap().missing.codes, ["9999"]);
    let two = metadata("<SEPARATOR> \"::\"\na 1\n");
    let error = Records::described(Path::new("x"), &two).unwrap_err().to_string();
    assert!(error.contains("\"::\" does not separate"), "{error}");
}

#[test]
fn an_spss_file_has_its_variables_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sav");
    let ages = Values::Numbers(vec![Some(30.0), Some(99.0)]);
    samples::spss(&path, &vec![("age".to_owned(), ages)], 1);
    let records =
        Records::described(&path, &metadata("<SPSS>\nAGE 1 8 99\n <NUMERIC>\n <DECIMALS> 1\n"));
    let records = records.unwrap();
    let age = records.variable("age").unwrap();
    assert_eq!(
        (age.decimals, age.missing.codes.as_slice()),
        (Some(Decimals(1)), &["99".into()][..])
    );
    assert_eq!(fields(&records), [["30"], ["99"]]);
    let lacking = Records::described(&path, &metadata("<SPSS>\nsex 1 8\n")).unwrap_err();
    assert!(lacking.to_string().contains("no variable \"sex\""), "{lacking}");
}
