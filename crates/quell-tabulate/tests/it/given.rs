//! Tables made by someone else.

use quell_model::Decimals;
use quell_tabulate::{Additivity, GivenError, GivenRow, GivenTable, Place, Response, linked};

use crate::survey::{sizes, towns};

fn row(line: u64, code: &str, value: i64) -> GivenRow {
    GivenRow {
        place: Place::Line(line),
        codes: vec![code.to_owned()],
        value: Some(value),
        ..GivenRow::default()
    }
}

fn table(rows: Vec<GivenRow>) -> GivenTable {
    GivenTable {
        name: "given".to_owned(),
        dimensions: vec![towns()],
        response: Response::Variable("turnover".to_owned()),
        decimals: Decimals(0),
        cost_decimals: Decimals(0),
        rows,
    }
}

fn rows() -> Vec<GivenRow> {
    vec![row(2, "", 60), row(3, "N", 30), row(4, "N1", 10), row(5, "N2", 20), row(6, "S1", 30)]
}

#[test]
fn totals_that_are_left_out_are_computed_and_rows_are_remembered() {
    let (table, rows) = table(rows()).build(Additivity::Check).unwrap();
    assert_eq!(table.value(table.find(&["S"]).unwrap()), 30);
    assert_eq!(rows[table.find(&["S"]).unwrap().index()], None);
    assert_eq!(rows[table.find(&["N2"]).unwrap().index()], Some(3));
}

#[test]
fn what_does_not_add_up_is_refused_recomputed_or_kept() {
    let mut wrong = rows();
    wrong[1].value = Some(31);
    let wrong = table(wrong);
    let error = wrong.build(Additivity::Check).unwrap_err().to_string();
    assert!(error.contains("N in line 3: found 31, expected 30"), "{error}");
    let (recomputed, _) = wrong.build(Additivity::Recompute).unwrap();
    assert_eq!(recomputed.value(recomputed.find(&["N"]).unwrap()), 30);
    let (kept, _) = wrong.build(Additivity::Allow).unwrap();
    let cell = kept.find(&["N"]).unwrap();
    assert_eq!(kept.value(cell), 31);
    let linked = linked(std::slice::from_ref(&kept), &[]).unwrap();
    let values: Vec<_> =
        (0..kept.cells.len()).map(|at| kept.value(quell_model::CellId::from_index(at))).collect();
    assert!(
        linked.system.equations().all(|equation| linked.system.imbalance(equation, &values) == 0)
    );
}

#[test]
fn frequencies_and_largest_contributions_of_totals_are_believed() {
    let mut given = rows();
    given[0].top = vec![25, 9];
    given[0].frequency = Some(4);
    given[4].top = vec![21];
    given[4].frequency = Some(3);
    let (table, _) = table(given).build(Additivity::Check).unwrap();
    let total = &table.summary(table.find(&[""]).unwrap()).respondents;
    assert_eq!((total.count, sizes(total)), (4, vec![25, 9]));
    let south = &table.summary(table.find(&["S"]).unwrap()).respondents;
    assert_eq!((south.count, sizes(south)), (3, vec![21]));
}

#[test]
fn mistakes_in_rows_have_their_line() {
    let with = |extra: GivenRow| {
        let mut all = rows();
        all.push(extra);
        table(all).build(Additivity::Check).unwrap_err()
    };
    assert!(matches!(with(row(9, "N1", 10)), GivenError::Repeated { .. }));
    let unknown = with(row(9, "N3", 10)).to_string();
    assert!(unknown.contains("line 9") && unknown.contains("did you mean \"N\""), "{unknown}");
    let mut two = row(9, "N1", 1);
    two.codes.push("x".to_owned());
    assert!(matches!(with(two), GivenError::WrongCodes { found: 2, expected: 1, .. }));
    let alone = table(vec![row(2, "N", 5)]).build(Additivity::Check).unwrap_err();
    assert!(matches!(alone, GivenError::NoParts { .. }));
    let large = table(vec![row(2, "N1", i64::MAX)]).build(Additivity::Check).unwrap_err();
    assert!(matches!(large, GivenError::TooLarge { .. }));
}
