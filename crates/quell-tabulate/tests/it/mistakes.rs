//! What is wrong is said with its place.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quell_model::{Budget, Decimals};
use quell_tabulate::{Error, Resources, Spec, distinct_codes, tabulate};

use crate::survey::{FIRMS, NUMBERS, csv, file, spec, table};

fn both() -> Vec<quell_tabulate::TableSpec> {
    vec![table("both", &["branch", "town"], "turnover")]
}

fn message(text: &str, change: impl Fn(&mut Spec)) -> String {
    let file = file(text);
    let mut spec = spec(file.path(), both());
    change(&mut spec);
    let error = tabulate(&spec, &Resources::default()).unwrap_err();
    error.to_string()
}

#[test]
fn unknown_names_come_with_a_suggestion() {
    let found = message(FIRMS, |spec| spec.weight = Some("wieght".to_owned()));
    assert!(found.contains("there is no variable \"wieght\"; did you mean \"weight\"?"), "{found}");
    let found = message(FIRMS, |spec| spec.tables[0].dimensions[0] = "brunch".to_owned());
    assert!(found.contains("did you mean \"branch\"?"), "{found}");
    let found = message(FIRMS, |spec| spec.tables[0].dimensions[0] = "town".to_owned());
    assert!(found.contains("names the dimension \"town\" twice"), "{found}");
}

#[test]
fn an_unknown_code_has_its_line_and_how_many_records_have_it() {
    let text = FIRMS.replace("12,", "13,");
    let found = message(&text, |_| ());
    assert!(found.contains("line 4: found code \"13\" of branch"), "{found}");
    assert!(found.contains("(2 records have it); did you mean \"11\"?"), "{found}");
    let found = message(&FIRMS.replace(",S1,", ",S,"), |_| ());
    assert!(found.contains("line 5") && found.contains("a code without parts"), "{found}");
}

#[test]
fn what_is_no_number_has_its_line() {
    let found = message(&FIRMS.replace("30,10,20", "3O,10,20"), |_| ());
    assert!(found.contains("line 4: found \"3O\" in turnover, expected a number"), "{found}");
    let found = message(&FIRMS.replace(",2.5\n", ",-2.5\n"), |_| ());
    assert!(found.contains("line 3: found \"-2.5\" in weight, expected a weight"), "{found}");
}

#[test]
fn totals_beyond_exact_arithmetic_are_refused() {
    let large = "200000000000000000,";
    let text = FIRMS.replace("100.5,60.5,", large).replace(",30,10,", &format!(",{large}"));
    let text = text.replace(&format!("{large}40"), &format!("{large}60.5,40"));
    let text = text.replace(&format!("{large}20,1"), &format!("{large}10,20,1"));
    assert!(message(&text, |_| ()).contains("total of turnover is too large"));
    let found = message(FIRMS, |spec| {
        for name in NUMBERS {
            spec.records.variable_mut(name).unwrap().decimals = Some(Decimals(200));
        }
    });
    assert!(found.contains("200 decimals are too many"), "{found}");
}

#[test]
fn broken_files_are_errors() {
    let header = FIRMS.lines().next().unwrap();
    assert!(message(header, |_| ()).contains("there are no records"));
    let longer = message(&FIRMS.replace("f3,,12", "f3,,12,x,y,z"), |_| ());
    assert!(longer.contains("incorrect number of fields for line 4"), "{longer}");
    let gone = spec(file(FIRMS).path(), both());
    assert!(matches!(
        tabulate(&gone, &Resources::default()),
        Err(Error::Data(quell_data::Error::Read { .. }))
    ));
}

#[test]
fn a_raised_flag_stops_the_work() {
    let file = file(FIRMS);
    let flag = Arc::new(AtomicBool::new(true));
    let budget = Budget::default().with_cancel(flag);
    let resources = Resources { budget, ..Resources::default() };
    let stopped = tabulate(&spec(file.path(), both()), &resources);
    assert!(matches!(stopped, Err(Error::Stopped(_))));
}

#[test]
fn codes_that_occur_are_found_sorted() {
    let file = file(FIRMS);
    let codes =
        distinct_codes(&csv(file.path()), &["town", "group"], &Resources::default()).unwrap();
    assert_eq!(codes[0], ["N1", "N2", "S1"]);
    assert_eq!(codes[1], ["g1", "g2"]);
}
