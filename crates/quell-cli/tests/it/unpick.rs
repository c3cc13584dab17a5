//! `quell unpick` and `quell exposure` on figures 1 and 3 of serpell-2013.

use serde_json::Value;

use crate::cases;
use crate::runner::Folder;

fn json(command: &str) -> Value {
    let folder = Folder::new();
    cases::copy_into(&folder, "");
    serde_json::from_str(&folder.done(&format!("{command} --json"))).unwrap()
}

#[test]
fn cells_fall_in_the_order_of_figure_2() {
    let found = json("unpick serpell-2013-figure-1.jj");
    assert_eq!((&found["exposed"], &found["first_round"]), (&5.into(), &3.into()));
    let first = &found["exposures"][1];
    // B5 can be at most 48, by its column.
    assert_eq!((&first["cell"], &first["direction"]), (&19.into(), &"up".into()));
    assert_eq!((&first["round"], &first["equation"]), (&1.into(), &12.into()));
}

#[test]
fn what_cannot_be_unpicked_is_not_called_safe() {
    let folder = Folder::new();
    cases::copy_into(&folder, "");
    let said = folder.done("unpick cox-2009.csv");
    assert!(said.contains("0 of 9 primaries fall by unpicking"), "{said}");
    assert!(said.contains("That does not make the table safe"), "{said}");
}

#[test]
fn bounds_are_written_on_request() {
    let folder = Folder::new();
    cases::copy_into(&folder, "");
    folder.done("unpick serpell-2013-figure-1.jj --bounds bounds.csv");
    let bounds = folder.read("bounds.csv");
    // A1 8, A5 12 … as in the paper: B5 (19) is 36 to 48, C3 (24) exactly 6.
    assert!(bounds.starts_with("cell,name,value,lower,upper\n"), "{bounds}");
    assert!(bounds.contains("\n19,cell 19,45.0,36.0,48.0\n"), "{bounds}");
    assert!(bounds.contains("\n24,cell 24,6.0,6.0,6.0\n"), "{bounds}");
}

#[test]
fn the_sets_of_figure_1_are_those_of_the_paper() {
    let found = json("exposure serpell-2013-figure-1.jj");
    let sizes: Vec<u64> = ["E", "E_f", "E_p", "E_u", "E_n", "K_1", "K_pl"]
        .iter()
        .map(|name| found["sets"][name].as_u64().unwrap())
        .collect();
    assert_eq!(sizes, [5, 4, 1, 5, 0, 2, 4]);
    let cells: Vec<u64> = found["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate| candidate["cell"].as_u64().unwrap())
        .collect();
    // K = {B2, B5, C3, C6}.
    assert_eq!(cells, [16, 19, 24, 27]);
    assert_eq!(found["saving_percent"], 50.0);
    let found = json("exposure serpell-2013-figure-1.jj --algorithm K1");
    assert_eq!(found["algorithm"], "k1");
}

#[test]
fn figure_3_has_one_candidate_that_unpicking_does_not_find() {
    let found = json("exposure cox-2009.csv --algorithm k5");
    assert_eq!(found["sets"]["E_n"], 1);
    assert_eq!(found["candidates"][0]["name"], "A1");
}

#[test]
fn without_time_what_is_not_settled_counts_as_exposed() {
    let folder = Folder::new();
    cases::copy_into(&folder, "");
    let outcome = folder.quell("exposure cox-2009.csv --time 0s");
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("counts as exposed"), "{}", outcome.err);
}
