//! `.tab` files.

use quell_formats::argus::CellStatus;
use quell_formats::argus::rda::{self, Metadata};
use quell_formats::argus::tab::{self, Row, Table, Wanted};
use quell_formats::{Error, Exact};

use super::metadata::TABLE;
use super::{text, wrong};

pub const CELLS: &str = "\
Total;Total;700,5;9;700;700;300;120;V;;\r\n\"Total\";\"S 1\";-;;;;;;E;;\r\n\
// a comment\r\n R1 ;\" S2\";200.5;;200;1;100;99,5;N;10;20,5\r\nR1;;0;0;;;;;V;0;0\r\n\
R2;Total;500;7;500;500;300;;m;;;1;2;3;4;5;6\r\n";

fn metadata() -> Metadata {
    rda::parse_table(&text(TABLE)).expect("good metadata")
}

fn read(content: &str) -> Result<Table, Error> {
    tab::parse(&text(content), &metadata(), Wanted { response: Some("turn"), ..Wanted::default() })
}

fn exact(digits: i64, decimals: u8) -> Exact {
    Exact { digits, decimals }
}

#[test]
fn cells_are_read_as_files_have_them() {
    let table = read(CELLS).unwrap();
    assert_eq!(table.dimensions, ["Reg", "Sec"]);
    assert_eq!(table.rows.len(), 5);
    assert_eq!(table.rows[0].value, Some(exact(7005, 1)));
    assert_eq!((table.rows[1].value, table.rows[1].status), (None, Some(CellStatus::Empty)));
    assert_eq!(
        table.rows[2],
        Row {
            line: 4,
            codes: vec!["R1".into(), " S2".into()],
            value: Some(exact(2005, 1)),
            frequency: Some(1),
            frequency_imputed: true,
            shadow: Some(exact(200, 0)),
            cost: Some(1.0),
            tops: vec![exact(100, 0), exact(995, 1)],
            status: Some(CellStatus::UnsafeManual),
            lower: Some(exact(10, 0)),
            upper: Some(exact(205, 1)),
        }
    );
    // Nothing is the total; zero without contributors is empty.
    assert_eq!(table.rows[3].codes, ["R1", "Total"]);
    assert_eq!((table.rows[3].value, table.rows[3].status), (None, Some(CellStatus::Empty)));
    assert_eq!(table.rows[4].status, Some(CellStatus::Secondary));
}

#[test]
fn the_frequency_may_be_the_response_and_any_column_the_cost() {
    let wanted = Wanted { cost: Some("turn"), ..Wanted::default() };
    let table = tab::parse(&text("a;b;-5;3;;;;;V;;"), &metadata(), wanted).unwrap();
    assert_eq!(table.rows[0].value, Some(exact(3, 0)));
    assert_eq!(table.rows[0].cost, Some(5.0));
}

#[test]
fn an_unknown_response_is_named() {
    let wanted = Wanted { response: Some("Turm"), ..Wanted::default() };
    let error = tab::parse(&text(""), &metadata(), wanted).unwrap_err();
    assert_eq!(error.mistake().unwrap().advice, "did you mean Turn?");
}

#[test]
fn what_cannot_be_true_of_a_cell_is_refused_with_its_line() {
    let refused = |content: &str| wrong(read(content));
    let expect = |line, column, expected: &str| (line, column, expected.to_owned());
    assert_eq!(refused("a;b;x;1;;;;;V;;"), expect(1, 5, "a number"));
    assert_eq!(refused("a;b;1.000,5;1;;;;;V;;"), expect(1, 5, "a number"));
    assert_eq!(refused("a;b;5;0;;;;;V;;"), expect(1, 7, "a number of contributors above 0"));
    assert_eq!(refused("a;b;5;1.5;;;;;V;;"), expect(1, 7, "a number of contributors"));
    assert_eq!(refused("a;b;-;3;;;;;E;;"), expect(1, 5, "a value"));
    assert_eq!(refused("a;b;-;;;;;;N;;"), expect(1, 12, "E, the status of an empty cell"));
    assert_eq!(refused("a;b;5;1;;;;;E;;"), expect(1, 13, "a status other than empty"));
    assert_eq!(refused("a;b;5;1;;;;;Q;;"), expect(1, 13, "V, N, Z, M, E or nothing"));
    assert_eq!(refused("a;b;5;2;;-1;;;V;;"), expect(1, 10, "a cost of at least 0"));
    assert_eq!(refused("a;b;5;2;;;;;N;-1;"), expect(1, 15, "a level of at least 0"));
    assert_eq!(
        refused("a;b;5;2;;;1;2;V;;"),
        expect(1, 13, "a contribution no larger than the one before")
    );
    assert_eq!(
        refused("a;b;5;2;;;4;2;V;;"),
        expect(1, 11, "contributions that are together no larger than the value")
    );
    assert_eq!(
        refused("a;b;5;1;;;;;V;;\na;b;5;1;;;;;V;;"),
        expect(2, 1, "a cell not given before; line 1 has it")
    );
    assert_eq!(
        refused("a;b;5;1"),
        expect(1, 1, "11 fields, one field per variable of the metadata")
    );
    assert_eq!(refused("a;b;5;1;;;;;V;;;more").0, 1);
}

#[test]
fn contributions_to_negative_values_are_not_compared_with_them() {
    assert!(read("a;b;-5;2;;;3;1;V;;").is_ok());
}
