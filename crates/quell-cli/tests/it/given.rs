//! `quell protect` on tables that are made already: CSV, Parquet, `.tab` with `.rda`, JJ.

use crate::job::refused;
use crate::runner::Folder;

/// One row per cell, totals among them.
pub const CELLS: &str = "\
sector,region,turnover,firms,first,second
A1,N,920,2,900,20
A1,S,890,3,310,300
A2,N,480,3,170,160
A2,S,390,3,140,130
B1,N,1230,3,420,410
B1,S,1530,3,520,510
Total,Total,5440,17,900,520
A,Total,2680,11,900,310
";

pub const JOB: &str = "\
[[dimension]]
name = \"sector\"
hierarchy = \"sector.hrc\"

[[dimension]]
name = \"region\"

[[table]]
name = \"Turnover\"
dimensions = [\"sector\", \"region\"]
response = \"turnover\"
given = { file = \"cells.csv\", frequency = \"firms\", top = [\"first\", \"second\"] }

[rules]
frequency = { minimum = 3 }
p-percent = { p = 10 }

[release]
folder = \"out\"
formats = [\"csv\", \"parquet\", \"intermediate\", \"jj\"]
";

pub fn given(job: &str, cells: &str) -> Folder {
    let folder = Folder::new();
    folder.write("sector.hrc", "A\n@A1\n@A2\nB\n@B1\n");
    folder.write("cells.csv", cells);
    folder.write("job.toml", job);
    folder
}

#[test]
fn a_table_in_csv_is_protected_with_its_totals_computed() {
    let folder = given(JOB, CELLS);
    let out = folder.done("protect job.toml");
    assert!(out.starts_with("1 table, 18 cells"), "{out}");
    assert!(out.contains("SAFE: the only"), "{out}");
    let csv = folder.read("out/turnover.csv");
    assert!(csv.contains("A1,N,x,hidden\n"), "{csv}");
    // The file has no row for it.
    assert!(csv.contains("Total,N,2630,"), "{csv}");
    let report = folder.read("out-office/report.html");
    assert!(report.contains("cells.csv") && !report.contains("1\u{202f}230"), "{report}");
}

#[test]
fn what_was_released_as_parquet_or_tab_is_read_again() {
    let folder = given(JOB, CELLS);
    folder.done("protect job.toml");
    // The intermediate format has all: hierarchies, statuses, levels.
    let again = "\
[[table]]
name = \"Again\"
dimensions = [\"sector\", \"region\"]
response = \"turnover\"
given = { file = \"out-office/turnover.tab\", metadata = \"out-office/turnover.rda\" }

[release]
folder = \"again\"
";
    folder.write("again.toml", again);
    folder.done("protect again.toml");
    assert_eq!(folder.read("again/again.csv"), folder.read("out/turnover.csv"));
    // Parquet: what is not hidden, without totals but for the largest.
    let parquet = JOB
        .replace("file = \"cells.csv\", frequency = \"firms\", top = [\"first\", \"second\"]", {
            "file = \"whole.parquet\", status = \"status\""
        })
        .replace("folder = \"out\"", "folder = \"third\"");
    write_parquet(&folder, "whole.parquet");
    folder.write("third.toml", &parquet);
    folder.done("protect third.toml");
    let csv = folder.read("third/turnover.csv");
    assert!(csv.contains("A1,N,x,hidden\n") && csv.contains("Total,Total,5440,"), "{csv}");
}

/// The cells without parts as Parquet, with statuses.
fn write_parquet(folder: &Folder, name: &str) {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;

    let rows: Vec<Vec<&str>> =
        CELLS.lines().skip(1).take(6).map(|line| line.split(',').collect()).collect();
    let text = |at: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| Some(row[at])).collect::<StringArray>())
    };
    let values: Float64Array = rows.iter().map(|row| row[2].parse().ok()).collect();
    let status: StringArray =
        rows.iter().map(|row| Some(if row[2] == "920" { "U" } else { "S" })).collect();
    let columns: [(&str, ArrayRef); 4] = [
        ("sector", text(0)),
        ("region", text(1)),
        ("turnover", Arc::new(values)),
        ("status", Arc::new(status)),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = std::fs::File::create(folder.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn totals_that_do_not_add_up_are_named_with_their_cells() {
    let wrong = CELLS.replace("A,Total,2680", "A,Total,2690").replace("5440", "5441");
    let folder = given(JOB, &wrong);
    refused(
        &folder,
        &[
            "2 totals of table \"Turnover\" are not the sums of their parts",
            "Total × Total in line 8: found 5441, expected 5440",
            "A × Total in line 9: found 2690, expected 2680",
            "recompute",
        ],
    );
    folder.write("job.toml", &JOB.replace("given = {", "given = { totals = \"recompute\","));
    folder.done("protect job.toml");
    assert!(folder.read("out/turnover.csv").contains("Total,Total,5440,published"));
    // Kept as they are, they bind an attacker who knows the difference.
    folder.write("job.toml", &JOB.replace("given = {", "given = { totals = \"allow\","));
    folder.done("protect job.toml");
    assert!(folder.read("out/turnover.csv").contains("Total,Total,5441,published"));
}

#[test]
fn noise_behind_the_decimals_is_rounded_away() {
    let noisy = CELLS.replace("A1,S,890,", "A1,S,890.00000000000011,");
    let rounded = JOB.replace("given = {", "given = { decimals = 1,");
    let folder = given(&rounded, &noisy);
    folder.done("protect job.toml");
    assert!(folder.read("out/turnover.csv").contains("Total,Total,5440.0,published"));
    refused(&given(JOB, &noisy), &["not the sums of their parts", "decimals"]);
}

#[test]
fn rules_that_look_at_what_is_not_there_are_refused() {
    let without = JOB.replace(", top = [\"first\", \"second\"]", "");
    refused(&given(&without, CELLS), &["look at the 2 largest contributions", "cells.csv"]);
    // One column need not be a list.
    let one = JOB
        .replace("top = [\"first\", \"second\"]", "top = \"first\"")
        .replace("p-percent = { p = 10 }", "dominance = { n = 1, k = 90 }");
    given(&one, CELLS).done("protect job.toml");
    let without = JOB.replace("frequency = \"firms\", ", "");
    refused(&given(&without, CELLS), &["look at the number of contributors"]);
}

#[test]
fn mistakes_in_a_given_table_are_shown_where_they_stand() {
    for (from, to, words) in [
        ("A1,N,920", "A9,N,920", "\"A9\""),
        ("A1,N,920", "A1,N,many", "\"many\""),
        ("A1,S,890", "A1,N,890", "a cell not given before"),
        ("A2,N,480,3,170,160", "A2,N,480,3,170", "5 fields"),
        ("A2,N,480,3,170,160", "A2,N,480,3,160,170", "no larger than the one before"),
        ("A2,N,480,3,170,160", "A2,N,480,-3,170,160", "a number of contributors"),
        ("sector,region", "sektor,region", "there is no column \"sector\""),
    ] {
        refused(&given(JOB, &CELLS.replace(from, to)), &[words]);
    }
    for (from, to, words) in [
        ("cells.csv", "cell.csv", "there is no file"),
        ("\"firms\"", "\"frims\"", "did you mean \"firms\"?"),
        ("response = \"turnover\"\n", "response = \"turnover\"\nweighted = true\n", "its file"),
        ("given = {", "# given = {", "the job has none"),
        ("given = {", "given = { metadata = \"t.rda\", ", "the metadata say already"),
    ] {
        refused(&given(&JOB.replace(from, to), CELLS), &[words]);
    }
    refused(&given(JOB, CELLS.lines().next().unwrap()), &["has no rows"]);
}

#[test]
fn given_tables_and_records_are_protected_as_one_and_may_not_contradict() {
    let data = "firm,region,turnover\na,N,900\nb,N,20\nc,N,1710\nd,S,310\ne,S,300\nf,S,2200\n";
    let both = format!(
        "[data]\nfile = \"data.csv\"\n{JOB}\n[[table]]\nname = \"By region\"\n\
         dimensions = [\"region\"]\nresponse = \"turnover\"\n"
    );
    let folder = given(&both, CELLS);
    folder.write("data.csv", data);
    let out = folder.done("protect job.toml");
    assert!(out.starts_with("6 records, 2 tables"), "{out}");
    let value = |file: &str, codes: &str| {
        let text = folder.read(file);
        let line = text.lines().find(|line| line.starts_with(codes)).unwrap_or_default().to_owned();
        line[codes.len()..].to_owned()
    };
    assert_eq!(value("out/turnover.csv", "Total,N,"), value("out/by-region.csv", "N,"));
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    folder.write("data.csv", &data.replace("1710", "1711"));
    refused(&folder, &["is 5440 in table \"Turnover\" and 5441 in table \"By region\""]);
}

#[test]
fn a_jj_file_is_a_whole_system() {
    let folder = given(JOB, CELLS);
    folder.done("tabulate job.toml --out system.jj");
    folder.done("tabulate job.toml --out named.csv");
    for file in ["system.jj", "named.csv"] {
        let job = format!(
            "[system]\nfile = \"{file}\"\n[release]\nfolder = \"out\"\nformats = [\"csv\", \"jj\"]\n"
        );
        folder.write("job.toml", &job);
        let out = folder.done("protect job.toml");
        assert!(out.starts_with("18 cells, ") && out.contains("SAFE: the only"), "{out}");
        folder.done("audit out-office/system.jj");
        let csv = folder.read("out/cells.csv");
        assert!(csv.starts_with("cell,value,status\n") && csv.contains(",x,hidden\n"), "{csv}");
        assert!(!csv.contains(",920,") && csv.contains(",5440,published\n"), "{csv}");
        assert!(folder.read("out-office/report.html").contains("system.jj") || file != "system.jj");
        std::fs::remove_dir_all(folder.path("out")).unwrap();
    }
    folder.write("job.toml", "[system]\nfile = \"system.jj\"\n[rules]\nzero = 1\n");
    refused(&folder, &["a system has its cells, equations, statuses"]);
    folder.write("job.toml", "[system]\nfile = \"system.jj\"\n[release]\nformats = [\"xlsx\"]\n");
    refused(&folder, &["no dimensions to make tables of"]);
}
