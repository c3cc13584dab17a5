//! The same records in other layouts give the same tables.

use std::fs::File;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use quell_model::Decimals;
use quell_tabulate::{CodeMatch, Field, Layout, Spec, Variable};

use crate::survey::{FIRMS, file, made, spec, table};

fn both(path: &std::path::Path) -> Spec {
    spec(path, vec![table("turnover", &["branch", "town"], "turnover")])
}

fn columns() -> Vec<(String, Vec<String>)> {
    let mut lines = FIRMS.lines().map(|line| line.split(','));
    let names = lines.next().unwrap();
    let mut columns: Vec<(String, Vec<String>)> =
        names.map(|name| (name.to_owned(), Vec::new())).collect();
    for line in lines {
        for ((_, column), field) in columns.iter_mut().zip(line) {
            column.push(field.to_owned());
        }
    }
    columns
}

#[test]
fn semicolons_and_no_header_change_nothing() {
    let wanted = made(&both(file(FIRMS).path()));
    let other = FIRMS.replace(',', ";").replace('\n', "\r\n");
    let body = file(other.split_once('\n').unwrap().1);
    let mut spec = both(body.path());
    spec.data.layout = Layout::Delimited { separator: b';', header: false };
    let declared = std::mem::take(&mut spec.data.variables);
    spec.data.variables = columns()
        .into_iter()
        .map(|(name, _)| {
            let known = declared.iter().find(|variable| variable.name == name);
            known.cloned().unwrap_or_else(|| Variable::named(name))
        })
        .collect();
    assert_eq!(made(&spec), wanted);
}

#[test]
fn fixed_width_codes_keep_their_blanks() {
    let wanted = made(&both(file(FIRMS).path()));
    // Every field eight wide, numbers and codes to the right.
    let rows = columns()[0].1.len();
    let lines = (0..rows).map(|row| {
        let fields = columns().into_iter().map(|(_, values)| format!("{:>8}", values[row]));
        fields.collect::<String>() + "\n"
    });
    let fixed = file(&lines.collect::<String>());
    let mut spec = both(fixed.path());
    spec.data.layout = Layout::FixedWidth;
    spec.data.variables = columns()
        .into_iter()
        .enumerate()
        .map(|(position, (name, _))| Variable {
            field: Some(Field { start: 8 * position + 1, length: 8 }),
            decimals: Some(Decimals(1)),
            ..Variable::named(name)
        })
        .collect();
    assert_eq!(made(&spec), wanted);
    spec.axes[0].codes = CodeMatch::Exact;
    let error = quell_tabulate::tabulate(&spec, &quell_tabulate::Resources::default()).unwrap_err();
    assert!(error.to_string().contains("line 1: found code \"      11\""), "{error}");
}

#[test]
fn parquet_with_floats_and_texts_gives_the_same() {
    let wanted = made(&both(file(FIRMS).path()));
    let folder = tempfile::tempdir().unwrap();
    // A name full of pattern characters is still a name.
    let path = folder.path().join("firms [*?] ä.parquet");
    let arrays = columns().into_iter().map(|(name, values)| {
        let array: ArrayRef = match name.as_str() {
            "turnover" | "domestic" | "export" | "weight" => {
                Arc::new(Float64Array::from_iter_values(
                    values.iter().map(|value| value.parse::<f64>().unwrap()),
                ))
            }
            _ => Arc::new(StringArray::from(values)),
        };
        (name, array)
    });
    let batch = RecordBatch::try_from_iter(arrays).unwrap();
    let mut writer =
        ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut spec = both(&path);
    spec.data.layout = Layout::Parquet;
    assert_eq!(made(&spec), wanted);
    spec.data.variables.clear();
    assert_eq!(made(&spec), wanted);
}

#[test]
fn codes_are_cut_or_padded_to_fit() {
    let wanted = made(&both(file(FIRMS).path()));
    let longer = file(&FIRMS.replace(",11,", ",1199,").replace(",12,", ",12xx,"));
    let mut spec = both(longer.path());
    spec.axes[0].codes = CodeMatch::Digits(2);
    assert_eq!(made(&spec), wanted);
}
