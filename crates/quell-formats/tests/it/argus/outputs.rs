//! Files of releases.

use std::path::Path;

use quell_formats::argus::arb::{OutputFormat, WriteOptions};
use quell_formats::argus::output::{
    self, CostName, OutputCell, OutputCode, OutputDimension, OutputTable, Values,
};
use quell_formats::argus::rda;
use quell_formats::argus::tab::{self, Wanted};
use quell_formats::argus::{CellStatus, hrc};
use quell_formats::{Error, Text};
use quell_model::{Decimals, Hierarchy};

fn dimension(name: &str, codes: &[(&str, usize)]) -> OutputDimension {
    let codes =
        codes.iter().map(|&(code, level)| OutputCode { code: code.to_owned(), level }).collect();
    OutputDimension { name: name.to_owned(), codes, missing: Vec::new() }
}

fn cell(at: &[u32], value: i64, frequency: u32, status: CellStatus) -> OutputCell {
    OutputCell {
        at: at.to_vec(),
        status,
        value: Some(value),
        released: None,
        frequency,
        shadow: value,
        cost: value as f64 / 10.0,
        tops: vec![value / 2, value / 4],
        lower: 0,
        upper: 0,
        audit: None,
    }
}

/// Two regions, one of them split, by two sizes; one decimal.
fn table() -> OutputTable {
    let unsafe_cell = OutputCell {
        lower: 15,
        upper: 20,
        audit: Some((50, 150)),
        ..cell(&[2, 1], 100, 2, CellStatus::UnsafeRule)
    };
    OutputTable {
        dimensions: vec![
            dimension("Region", &[("Total", 0), ("N", 1), (" 1", 2), ("S", 1)]),
            dimension("Size", &[("All", 0), ("a", 1)]),
        ],
        response: Some("Turnover".to_owned()),
        cost: CostName::Response,
        decimals: Decimals(1),
        values: Values::Suppressed,
        p_percent: false,
        cells: vec![
            unsafe_cell,
            cell(&[0, 0], 1005, 9, CellStatus::Safe),
            cell(&[0, 1], 400, 5, CellStatus::Secondary),
            cell(&[3, 1], 300, 3, CellStatus::UnsafeFrequency),
        ],
    }
}

fn print(
    table: &OutputTable,
    format: OutputFormat,
    change: impl FnOnce(&mut WriteOptions),
) -> Result<String, Error> {
    let mut options = WriteOptions::of(format);
    change(&mut options);
    let mut out = Vec::new();
    output::print(&mut out, Path::new("t"), table, format, options)?;
    Ok(String::from_utf8(out).expect("texts go in, texts come out"))
}

#[test]
fn code_value_files_hide_suppressed_values() {
    assert_eq!(
        print(&table(), OutputFormat::CodeValue, |_| {}).unwrap(),
        "\"Total\",\"All\",100.5\r\n\"Total\",\"a\",x\r\n\"N\",\"All\",-\r\n\"N\",\"a\",-\r\n\
         \" 1\",\"All\",-\r\n\" 1\",\"a\",x\r\n\"S\",\"All\",-\r\n\"S\",\"a\",x\r\n"
    );
}

#[test]
fn values_beside_statuses_are_shown_unless_the_caller_keeps_them_out() {
    let mut table = table();
    table.cells[0].value = None;
    let options = |options: &mut WriteOptions| {
        options.status = true;
        options.suppress_empty = true;
        options.quotes = false;
        options.first_line = true;
    };
    assert_eq!(
        print(&table, OutputFormat::CodeValue, options).unwrap(),
        "Region,Size,Turnover,Status\r\nTotal,All,100.5,1\r\nTotal,a,40.0,11\r\n 1,a,x,3\r\n\
         S,a,30.0,5\r\n"
    );
}

#[test]
fn pivot_files_always_have_names_on_the_first_line() {
    let text = print(&table(), OutputFormat::Pivot, |options| options.first_line = false).unwrap();
    assert!(text.starts_with("\"Region\",\"Size\",\"Turnover\"\r\n"), "{text}");
    let counts = OutputTable { response: None, ..table() };
    let text = print(&counts, OutputFormat::Pivot, |_| {}).unwrap();
    assert!(text.starts_with("\"Region\",\"Size\",\"Freq\"\r\n"), "{text}");
}

#[test]
fn rounded_and_adjusted_values_stand_before_the_original() {
    let mut rounded = table();
    rounded.values = Values::Rounded;
    for cell in &mut rounded.cells {
        cell.released = Some(50);
    }
    let with_status = |options: &mut WriteOptions| {
        options.status = true;
        options.suppress_empty = true;
    };
    let text = print(&rounded, OutputFormat::Pivot, with_status).unwrap();
    assert!(text.starts_with("\"Region\",\"Size\",\"Turnover_Round\",\"Turnover_Orig\"\r\n"));
    assert!(text.contains("\" 1\",\"a\",5.0,10.0\r\n"), "{text}");
    let adjusted = OutputTable { values: Values::Adjusted, ..rounded };
    let text = print(&adjusted, OutputFormat::Pivot, with_status).unwrap();
    assert!(text.contains("\"Turnover_CTA\",\"Turnover_Orig\",\"Status\"\r\n"));
    assert!(text.contains("\" 1\",\"a\",5.0,10.0,3\r\n"), "{text}");
}

#[test]
fn csv_files_are_matrices() {
    assert_eq!(
        print(&table(), OutputFormat::Csv, |_| {}).unwrap(),
        ",\"All\",\"a\"\r\n\"Total\",100.5,x\r\n\"N\",-,-\r\n\" 1\",-,x\r\n\"S\",-,x\r\n\r\n"
    );
}

#[test]
fn csv_files_have_a_block_a_layer() {
    let mut cube = table();
    cube.dimensions.insert(0, dimension("Year", &[("T", 0), ("1", 1)]));
    cube.dimensions.truncate(3);
    cube.dimensions[1] = dimension("Region", &[("Total", 0), ("N", 1)]);
    cube.cells = vec![cell(&[1, 1, 0], 10, 1, CellStatus::Safe)];
    assert_eq!(
        print(&cube, OutputFormat::Csv, |options| options.quotes = false).unwrap(),
        "Var 1,T\r\n,All,a\r\nTotal,-,-\r\nN,-,-\r\n\r\nVar 1,1\r\n,All,a\r\nTotal,-,-\r\nN,1.0,-\r\n\r\n"
    );
    let mut line = table();
    line.dimensions.remove(0);
    line.cells = vec![cell(&[1], 10, 1, CellStatus::Safe)];
    assert_eq!(print(&line, OutputFormat::Csv, |_| {}).unwrap(), ",\"All\",\"a\"\r\n,-,1.0\r\n");
}

#[test]
fn sbs_files_have_flags_and_shares() {
    let levels = |options: &mut WriteOptions| options.levels = true;
    assert_eq!(
        print(&table(), OutputFormat::Sbs, levels).unwrap(),
        "\"Total\",0,\"All\",0,100.5,9,V\r\n\"Total\",0,\"a\",0,40.0,5,D\r\n\
         \" 1\",2,\"a\",0,10.0,2,C,75.0\r\n\"S\",1,\"a\",0,30.0,3,A\r\n"
    );
    let p_percent = OutputTable { p_percent: true, ..table() };
    let text = print(&p_percent, OutputFormat::Sbs, |_| {}).unwrap();
    assert!(text.contains("\" 1\",\"a\",10.0,2,F,50.0,25.0\r\n"), "{text}");
}

#[test]
fn intermediate_files_have_everything() {
    let few = |options: &mut WriteOptions| {
        options.suppress_empty = true;
        options.audit = true;
    };
    assert_eq!(
        print(&table(), OutputFormat::Intermediate, few).unwrap(),
        "\"Total\";\"All\";100.5;9;100.5;100.5;50.2;25.1;S;0.0;0.0;100.5;100.5;0.0;0;0;0\r\n\
         \"Total\";\"a\";40.0;5;40.0;40.0;20.0;10.0;M;0.0;0.0;40.0;40.0;0.0;0.00;0.00;0.00\r\n\
         \" 1\";\"a\";10.0;2;10.0;10.0;5.0;2.5;U;1.5;2.0;5.0;15.0;10.0;50.00;50.00;100.00\r\n\
         \"S\";\"a\";30.0;3;30.0;30.0;15.0;7.5;U;0.0;0.0;30.0;30.0;0.0;0.00;0.00;0.00\r\n"
    );
    let status_only = |options: &mut WriteOptions| {
        options.suppress_empty = true;
        options.status_only = true;
    };
    let text = print(&table(), OutputFormat::Intermediate, status_only).unwrap();
    assert!(text.starts_with("\"Total\";\"All\";100.5;9;100.5;S;0.0;0.0\r\n"), "{text}");
    let counts = OutputTable { response: None, ..table() };
    let text = print(&counts, OutputFormat::Intermediate, status_only).unwrap();
    assert!(text.starts_with("\"Total\";\"All\";100.5;100.5;S;0.0;0.0\r\n"), "{text}");
}

#[test]
fn an_intermediate_file_is_read_back_through_its_companions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.tab");
    let options = WriteOptions { audit: true, ..WriteOptions::of(OutputFormat::Intermediate) };
    output::write(&path, &table(), OutputFormat::Intermediate, options).unwrap();
    let read = |name: &str| Text::read(&folder.path().join(name)).unwrap();
    let metadata = rda::parse_table(&read("out.rda")).unwrap();
    let wanted = Wanted { response: Some("Turnover"), ..Wanted::default() };
    let again = tab::parse(&read("out.tab"), &metadata, wanted).unwrap();
    assert_eq!(again.rows.len(), 8);
    let unsafe_row = again.rows.iter().find(|row| row.codes == [" 1", "a"]).unwrap();
    assert_eq!(unsafe_row.status, Some(CellStatus::UnsafeManual));
    assert_eq!(unsafe_row.lower.and_then(|level| level.units(Decimals(1))), Some(15));
    let tree = hrc::parse(&read("out_1.hrc"), "@").unwrap();
    assert_eq!(tree.to_hierarchy("Total").unwrap().codes(), ["Total", "N", " 1", "S"]);
    assert!(!folder.path().join("out_2.hrc").exists());
}

#[test]
fn dimensions_come_from_hierarchies_in_the_order_of_files() {
    let codes = ["T", "a1", "b", "a"].map(String::from).to_vec();
    let hierarchy = Hierarchy::from_parents(codes, &[None, Some(3), Some(0), Some(0)]).unwrap();
    let (dimension, nodes) = OutputDimension::of("D", &hierarchy);
    assert_eq!(nodes, [0, 2, 3, 1]);
    let levels: Vec<usize> = dimension.codes.iter().map(|code| code.level).collect();
    assert_eq!(levels, [0, 1, 1, 2]);
    assert!(dimension.is_hierarchical());
}

#[test]
fn inconsistent_tables_and_other_formats_are_refused() {
    let mut outside = table();
    outside.cells[0].at = vec![9, 0];
    assert!(print(&outside, OutputFormat::CodeValue, |_| {}).is_err());
    let mut twice = table();
    twice.cells[0].at = vec![0, 0];
    assert!(print(&twice, OutputFormat::CodeValue, |_| {}).is_err());
    let none = OutputTable { dimensions: Vec::new(), cells: Vec::new(), ..table() };
    assert!(print(&none, OutputFormat::Csv, |_| {}).is_err());
    assert!(print(&table(), OutputFormat::Jj, |_| {}).is_err());
    let mut flat = table();
    flat.dimensions[1].codes.clear();
    flat.cells.clear();
    assert_eq!(print(&flat, OutputFormat::CodeValue, |_| {}).unwrap(), "");
}

#[test]
fn a_table_that_cannot_be_written_leaves_no_companions() {
    let folder = tempfile::tempdir().unwrap();
    let mut twice = table();
    twice.cells[0].at = vec![0, 0];
    let options = WriteOptions::of(OutputFormat::Intermediate);
    let path = folder.path().join("out.tab");
    assert!(output::write(&path, &twice, OutputFormat::Intermediate, options).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
