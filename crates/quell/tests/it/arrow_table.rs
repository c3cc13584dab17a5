//! Tables from record batches.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Decimal128Array, DictionaryArray, Float64Array, Int64Array,
    RecordBatch, StringArray,
};
use arrow::datatypes::{Decimal128Type, Int32Type, Int64Type};
use quell::adjust::AdjustRequest;
use quell::audit::AuditOptions;
use quell::suppress::SuppressOptions;
use quell::{ArrowTable, Context, Hierarchy, Status, TableColumns, TableVerdict};

fn text(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn whole(values: &[Option<i64>]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

/// 3 × 3 cells of one table, without totals.
fn nine(values: ArrayRef, statuses: &[&str]) -> RecordBatch {
    batch(vec![
        ("region", text(&["N", "N", "N", "S", "S", "S", "W", "W", "W"])),
        ("size", text(&["a", "b", "c", "a", "b", "c", "a", "b", "c"])),
        ("turnover", values),
        ("status", text(statuses)),
    ])
}

fn columns() -> TableColumns {
    TableColumns::new(["region", "size"], "turnover").status("status")
}

const VALUES: [Option<i64>; 9] =
    [Some(20), Some(50), Some(10), Some(8), Some(19), Some(22), Some(17), Some(32), Some(12)];

const STATUSES: [&str; 9] = ["safe", "", "s", "s", "primary", "s", "published", "s", "s"];

fn refused(batches: &[RecordBatch], columns: &TableColumns) -> String {
    ArrowTable::from_batches(batches, columns).unwrap_err().to_string()
}

#[test]
fn a_table_is_protected_and_given_back_with_its_hidden_cells_null() {
    let table = ArrowTable::from_batches(&[nine(whole(&VALUES), &STATUSES)], &columns()).unwrap();
    assert_eq!(table.problem().cell_count(), 16);
    let total = table.find(&["", ""]).unwrap();
    assert_eq!(table.problem().value(total), 190);
    let primary = table.find(&["S", "b"]).unwrap();
    assert!(table.problem().status(primary).is_primary());
    let context = Context::default();
    let suppressed =
        quell::suppress(table.problem(), &SuppressOptions::default(), &context).unwrap();
    assert_eq!(suppressed.verdict(), TableVerdict::Safe);
    let released = table.released(suppressed.pattern());
    let schema = released.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["region", "size", "turnover", "status"]);
    let values = released.column(2).as_primitive::<Int64Type>();
    let statuses = released.column(3).as_string::<i32>();
    for row in 0..released.num_rows() {
        assert_eq!(values.is_null(row), statuses.value(row) != "published", "{row}");
    }
    assert_eq!(values.null_count(), 1 + suppressed.summary.secondaries);
    // The auditor reads the release as it reads any other table.
    let again = ArrowTable::from_batches(&[nine(whole(&VALUES), &STATUSES)], &columns()).unwrap();
    let options = AuditOptions::default();
    let audited = quell::audit(again.problem(), suppressed.pattern(), &options, &context).unwrap();
    assert_eq!(audited.verdict(), TableVerdict::Safe);
    let exposed = quell::audit(again.problem(), &again.pattern(), &options, &context).unwrap();
    assert_eq!(exposed.verdict(), TableVerdict::NotSafe);
}

#[test]
fn a_table_is_adjusted() {
    let table = ArrowTable::from_batches(&[nine(whole(&VALUES), &STATUSES)], &columns()).unwrap();
    let adjusted =
        quell::adjust(table.problem(), &AdjustRequest::default(), &Context::default()).unwrap();
    let released = table.adjusted(&adjusted.values).unwrap();
    assert_eq!(released.column(2).null_count(), 0);
    assert!(table.adjusted(&[1]).is_err());
}

#[test]
fn batches_of_one_table_are_read_one_after_the_other() {
    let whole_table = nine(whole(&VALUES), &STATUSES);
    let parts = [whole_table.slice(0, 4), whole_table.slice(4, 5)];
    let one = ArrowTable::from_batches(&[whole_table], &columns()).unwrap();
    let two = ArrowTable::from_batches(&parts, &columns()).unwrap();
    assert_eq!(one.problem(), two.problem());
}

#[test]
fn everything_a_cell_may_have_is_read() {
    let table = batch(vec![
        ("place", text(&["a", "b", "c"])),
        ("value", Arc::new(Float64Array::from(vec![10.5, 20.0, 30.25]))),
        ("status", text(&["u", "m", "z"])),
        ("firms", whole(&[Some(1), Some(9), None])),
        ("lost", whole(&[None, Some(7), None])),
        (
            "down",
            Arc::new(
                Decimal128Array::from(vec![Some(150), None, None])
                    .with_precision_and_scale(10, 2)
                    .unwrap(),
            ),
        ),
        ("up", whole(&[Some(2), None, None])),
        ("wide", whole(&[Some(4), None, None])),
        ("least", whole(&[Some(5), None, None])),
        ("most", whole(&[Some(50), None, None])),
    ]);
    let columns = TableColumns {
        sliding_level: Some("wide".to_owned()),
        ..TableColumns::new(["place"], "value")
    };
    let columns = columns
        .status("status")
        .contributors("firms")
        .cost("lost")
        .levels("down", "up")
        .bounds("least", "most");
    let table = ArrowTable::from_batches(&[table], &columns).unwrap();
    let problem = table.problem();
    assert_eq!(problem.decimals().0, 2);
    let [a, b, c] = ["a", "b", "c"].map(|code| problem.cell(table.find(&[code]).unwrap()));
    assert_eq!((a.value, b.value, c.value), (1050, 2000, 3025));
    let levels = (a.protection.lower, a.protection.upper, a.protection.sliding);
    assert_eq!(levels, (150, 200, 400));
    assert_eq!((a.lower_bound, a.upper_bound), (500, 5000));
    assert_eq!(b.lower_bound, 0, "values are not negative");
    assert_eq!((b.weight, c.weight), (7.0, 30.25));
    assert_eq!((b.status, c.status), (Status::Secondary, Status::Protected));
    let contributors = problem.contributors().unwrap();
    assert_eq!(contributors[table.find(&["b"]).unwrap().index()], 9);
}

#[test]
fn hierarchies_totals_and_dictionaries() {
    let codes = ["all", "A", "A1", "A2", "B"].map(str::to_owned).to_vec();
    let parents = [None, Some(0), Some(1), Some(1), Some(0)];
    let hierarchy = Hierarchy::from_parents(codes, &parents).unwrap();
    let keys: DictionaryArray<Int32Type> =
        [Some("A1"), Some("A2"), Some("B"), None].into_iter().collect();
    let rows = |total: i64| {
        batch(vec![
            ("industry", Arc::new(keys.clone()) as ArrayRef),
            ("turnover", whole(&[Some(1), Some(2), Some(3), Some(total)])),
            ("status", text(&["primary", "", "", ""])),
        ])
    };
    let columns =
        TableColumns::new([], "turnover").hierarchy("industry", hierarchy).status("status");
    let table = ArrowTable::from_batches(&[rows(6)], &columns).unwrap();
    assert_eq!(table.problem().value(table.find(&["A"]).unwrap()), 3);
    let error = refused(&[rows(7)], &columns);
    assert!(error.contains("in record 4: found 7, expected 6"), "{error}");
}

#[test]
fn values_with_decimals_come_back_as_decimals() {
    let mut values = VALUES.map(|value| value.map(|value| value as f64 / 10.0));
    values[0] = Some(0.1 + 0.2);
    let table = nine(Arc::new(Float64Array::from(values.to_vec())), &STATUSES);
    let error = refused(std::slice::from_ref(&table), &columns());
    assert!(error.contains("column \"turnover\", record 1: found 0.30000000000000004"), "{error}");
    let table = ArrowTable::from_batches(&[table], &columns().decimals(1)).unwrap();
    let released = table.released(&table.pattern());
    let values = released.column(2).as_primitive::<Decimal128Type>();
    assert_eq!((values.scale(), values.value(0)), (1, 173));
}

#[test]
fn mistakes_name_the_column_and_the_record() {
    let good = nine(whole(&VALUES), &STATUSES);
    let no_statuses = TableColumns::new(["region", "size"], "turnover");
    for (batches, columns, says) in [
        (
            vec![good.clone()],
            TableColumns::new(["region", "town"], "turnover").status("status"),
            "no column \"town\"",
        ),
        (
            vec![good.clone()],
            TableColumns::new(["region", "size"], "size").status("status"),
            "column \"size\" holds values of type Utf8, expected numbers",
        ),
        (vec![good.clone()], no_statuses.clone(), "nothing says which cells are sensitive"),
        (
            vec![good.clone(), good.clone()],
            columns(),
            "record 10: the cell N × a stands in record 1 already",
        ),
        (vec![], columns(), "no rows"),
        (vec![good.clone()], TableColumns::new([], "turnover").status("status"), "no dimension"),
        (
            vec![nine(whole(&VALUES), &["", "", "", "", "x", "", "", "", ""])],
            columns(),
            "column \"status\", record 5: found \"x\"",
        ),
        (
            vec![nine(Arc::new(Float64Array::from(vec![f64::NAN; 9])), &STATUSES)],
            columns(),
            "column \"turnover\", record 1: found NaN",
        ),
        (vec![good.clone()], columns().levels("turnover", "size"), "column \"size\" holds"),
        (
            vec![nine(whole(&[Some(-1); 9]), &STATUSES)],
            columns().cost("turnover"),
            "column \"turnover\", record 1: found a negative number",
        ),
        (vec![nine(whole(&[Some(i64::MAX / 2); 9]), &STATUSES)], columns(), "too large"),
        (vec![good.clone()], columns().bounds("turnover", "status"), "column \"status\" holds"),
    ] {
        let error = refused(&batches, &columns);
        assert!(error.contains(says), "{error} without {says}");
    }
}

#[test]
fn a_value_too_large_for_the_decimals_of_others_is_not_lost() {
    let mut values = VALUES.map(|value| value.map(|value| value as f64));
    (values[0], values[1]) = (Some(2e18), Some(0.125));
    let error =
        refused(&[nine(Arc::new(Float64Array::from(values.to_vec())), &STATUSES)], &columns());
    assert!(error.contains("record 1: a value is too large"), "{error}");
}

#[test]
fn rules_decide_in_place_of_statuses() {
    let table = batch(vec![
        ("region", text(&["N", "S"])),
        ("turnover", whole(&[Some(100), Some(100)])),
        ("firms", whole(&[Some(2), Some(20)])),
        ("first", whole(&[Some(60), Some(10)])),
        ("second", whole(&[Some(40), Some(9)])),
    ]);
    let rules = quell::Rules::default().with(quell::Frequency { minimum: 3.0, margin: 20.0 });
    let columns = TableColumns::new(["region"], "turnover")
        .rules(rules)
        .contributors("firms")
        .largest(["first", "second"]);
    let read = ArrowTable::from_batches(std::slice::from_ref(&table), &columns).unwrap();
    let status = |code: &str| read.problem().status(read.find(&[code]).unwrap());
    assert!(status("N").is_primary() && !status("S").is_primary());
    let falling = TableColumns { largest: vec!["second".into(), "first".into()], ..columns };
    let error = refused(&[table], &falling);
    assert!(error.contains("column \"first\", record 1"), "{error}");
}
