//! A small invented survey: seven firms in two branches and three towns.

use std::io::Write;
use std::path::Path;

use quell_data::Records;
use quell_model::{Decimals, Dimension, Hierarchy};
use quell_tabulate::{
    Axis, CodeMatch, Resources, Response, Spec, Table, TableSpec, Tabulated, tabulate,
};
use tempfile::NamedTempFile;

/// Firm, group, branch, town, turnover, domestic, export, weight.
pub const FIRMS: &str = "\
firm,group,branch,town,turnover,domestic,export,weight
f1,g1,11,N1,100.5,60.5,40,1
f2,g1,11,N1,20,20,0,2.5
f3,,12,N2,30,10,20,1
f4,,12,S1,7,7,0,1.5
f5,g2,21,S1,50,25,25,2
f6,g2,21,S1,0,0,0,1
f1,g1,21,N1,9.5,9.5,0,1
";

pub fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.flush().unwrap();
    file
}

/// A tree from `code<parent` pairs under "Total".
pub fn tree(pairs: &[(&str, &str)]) -> Hierarchy {
    let mut codes = vec!["Total".to_owned()];
    codes.extend(pairs.iter().map(|(code, _)| (*code).to_owned()));
    let parent = |name: &str| codes.iter().position(|code| code == name).map(|at| at as u32);
    let mut parents = vec![None];
    parents.extend(pairs.iter().map(|(_, above)| parent(above)));
    Hierarchy::from_parents(codes.clone(), &parents).unwrap()
}

pub fn branches() -> Dimension {
    let pairs = [("1", "Total"), ("11", "1"), ("12", "1"), ("2", "Total"), ("21", "2")];
    Dimension::new("branch", tree(&pairs))
}

pub fn towns() -> Dimension {
    let pairs = [("N", "Total"), ("N1", "N"), ("N2", "N"), ("S", "Total"), ("S1", "S")];
    Dimension::new("town", tree(&pairs))
}

pub fn axis(dimension: Dimension) -> Axis {
    Axis { variable: dimension.name.clone(), dimension, codes: CodeMatch::Trimmed }
}

/// The numbers of the survey, which have one decimal.
pub const NUMBERS: [&str; 4] = ["turnover", "domestic", "export", "weight"];

pub fn csv(path: &Path) -> Records {
    with_decimals(Records::open(path).unwrap())
}

/// Declares the decimals of the numbers that are there.
pub fn with_decimals(mut records: Records) -> Records {
    for name in NUMBERS {
        if let Ok(number) = records.variable_mut(name) {
            number.decimals = Some(Decimals(1));
        }
    }
    records
}

pub fn table(name: &str, dimensions: &[&str], response: &str) -> TableSpec {
    TableSpec {
        name: name.to_owned(),
        dimensions: dimensions.iter().map(|&name| name.to_owned()).collect(),
        response: Response::Variable(response.to_owned()),
        shadow: None,
        cost: None,
        weighted: false,
        top: 3,
    }
}

pub fn spec(path: &Path, tables: Vec<TableSpec>) -> Spec {
    Spec {
        records: csv(path),
        axes: vec![axis(branches()), axis(towns())],
        tables,
        respondent: Some("firm".to_owned()),
        holding: Some("group".to_owned()),
        request: None,
        waiver: None,
        weight: Some("weight".to_owned()),
    }
}

pub fn made(spec: &Spec) -> Tabulated {
    tabulate(spec, &Resources::default()).unwrap()
}

/// Branch × town of turnover.
pub fn turnover() -> Table {
    let file = file(FIRMS);
    let spec = spec(file.path(), vec![table("turnover", &["branch", "town"], "turnover")]);
    made(&spec).tables.remove(0)
}

pub fn sizes(contributors: &quell_tabulate::Contributors) -> Vec<i64> {
    contributors.top.entries().iter().map(|entry| entry.value).collect()
}

#[test]
fn records_of_one_firm_and_of_one_group_count_as_one_wherever_they_meet() {
    let table = turnover();
    let cell = |codes: &[&str]| table.summary(table.find(codes).unwrap());
    let total = cell(&["", ""]);
    assert_eq!((total.value, total.records, total.zeros), (2_170, 7, 1));
    // f1 has records in two branches: one contributor of 110 in the total.
    assert_eq!(total.respondents.count, 6);
    assert_eq!(sizes(&total.respondents), [1_100, 500, 300]);
    // Groups g1 and g2, and two firms without a group.
    let holdings = total.holdings.as_ref().unwrap();
    assert_eq!((holdings.count, sizes(holdings)), (4, vec![1_300, 500, 300]));
    let north = cell(&["", "N"]);
    assert_eq!((north.value, north.respondents.count), (1_600, 3));
    assert_eq!(sizes(cell(&["1", "N1"]).holdings.as_ref().unwrap()), [1_205]);
    assert_eq!(cell(&["2", "N1"]).value, 95);
    assert!(table.find(&["2", "N2"]).is_none());
}

#[test]
fn weighted_totals_add_up_and_weights_are_counted() {
    let table = turnover();
    let total = table.summary(table.find(&["", ""]).unwrap());
    assert_eq!(total.weighted_value, 1_005 + 500 + 300 + 105 + 1_000 + 95);
    assert_eq!(total.weight, 100);
}

#[test]
fn blanks_around_a_name_are_no_part_of_it() {
    let padded = FIRMS.replacen("f1,g1,21", " f1 ,g1,21", 1);
    assert_ne!(padded, FIRMS);
    let [plain, padded] = [FIRMS, &padded].map(|text| {
        let file = file(text);
        made(&spec(file.path(), vec![table("turnover", &["branch", "town"], "turnover")])).tables
    });
    assert_eq!(plain, padded);
}
