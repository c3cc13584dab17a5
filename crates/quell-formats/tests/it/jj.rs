//! JJ: quirks of files in use, round trips, mistakes.

use proptest::prelude::*;
use quell_formats::{Error, jj};
use quell_model::{
    CellId, Decimals, EquationId, Pattern, Reason, Status, UNBOUNDED_ABOVE, UNBOUNDED_BELOW,
};

use crate::tables::{any_table, cases, jj_text, same_table};

const SMALL: &str = "\
0
4
0 10.5 10 s 0 100 0 0 0
1 3 3 u 0 100 0.3 0.35 0
2 7.5 7 m 0 100 0 0 0.5
3 0 0 z 0 0 0 0 0
2
0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)
10.5 1 : 0 (1)
";

fn parse(text: &str) -> quell_model::Problem {
    jj::parse("t.jj", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// Line, column and what was expected.
fn wrong(text: &str) -> (usize, usize, String) {
    match jj::parse("t.jj", text.as_bytes()) {
        Err(Error::Mistake(mistake)) => (mistake.line, mistake.column, mistake.expected),
        other => panic!("no mistake found: {other:?}"),
    }
}

#[test]
fn a_small_file_is_read_exactly() {
    let problem = parse(SMALL);
    assert_eq!(problem.decimals(), Decimals(2));
    assert_eq!(problem.values(), [1050, 300, 750, 0]);
    assert_eq!(problem.status(CellId(1)), Status::Primary(Reason::Given));
    assert_eq!(problem.status(CellId(2)), Status::Secondary);
    assert_eq!(problem.status(CellId(3)), Status::Protected);
    assert_eq!(problem.protection(CellId(1)).upper, 35);
    assert_eq!(problem.protection(CellId(2)).sliding, 50);
    assert_eq!(problem.weight(CellId(2)), 7.0);
    assert_eq!(problem.system().right_hand_side(EquationId(1)), 1050);
    assert_eq!(problem.faults(), []);
}

#[test]
fn every_quirk_of_files_in_use_is_read() {
    let quirky = "\u{feff}  0 \r\n\r\n\t4\r\n\
        \x20 0   10.50 10 S 0.0 100.000 0 0 0\r\n\
        \n\
        1 3. 3 U 0 1e2 .3 0.35 -0\r\n\
        2 +7.5 7.0 M 0 100 0 0 5e-1  \r\n\
        3\t0\t0\tZ\t0\t0\t0\t0\t0\r\n\
        \x20 2\n\
        0.0 4 : 0 ( -1 ) 1 (1) 2( 1 )3(1)\r\n\
        \t10.5  1:0(+1)";
    assert_eq!(parse(quirky), parse(SMALL));
}

#[test]
fn cells_of_an_equation_keep_their_order() {
    let text = SMALL.replace("0 (-1) 1 (1) 2 (1) 3 (1)", "3 (1) 1 (1) 0 (-1) 2 (1)");
    let problem = parse(&text);
    let order: Vec<u32> =
        problem.system().cells_of(EquationId(0)).map(|(cell, _)| cell.0).collect();
    assert_eq!(order, [3, 1, 0, 2]);
    assert_eq!(parse(&String::from_utf8(jj_text(&problem)).unwrap()), problem);
}

#[test]
fn primaries_that_cost_nothing_are_read() {
    let problem = parse(&SMALL.replace("1 3 3 u", "1 3 0 u"));
    assert_eq!(problem.weight(CellId(1)), 0.0);
}

#[test]
fn bounds_beyond_exact_arithmetic_are_no_bounds() {
    let text = SMALL.replace("1 3 3 u 0 100", "1 3 3 u -1e30 99999999999999999999");
    let problem = parse(&text);
    assert_eq!(problem.lower_bound(CellId(1)), UNBOUNDED_BELOW);
    assert_eq!(problem.upper_bound(CellId(1)), UNBOUNDED_ABOVE);
    let again = String::from_utf8(jj_text(&problem)).unwrap();
    assert!(again.contains(" u -1e30 1e30 "), "{again}");
    assert_eq!(parse(&again), problem);
}

#[test]
fn a_pattern_is_written_as_statuses() {
    let problem = parse(SMALL);
    let mut pattern = Pattern::of_primaries(&problem);
    pattern.suppress(CellId(0));
    let statuses = pattern.statuses(&problem);
    let text = String::from_utf8(jj_text(&problem.with_statuses(statuses))).unwrap();
    let letters: Vec<&str> =
        text.lines().skip(2).take(4).map(|line| line.split(' ').nth(3).unwrap()).collect();
    assert_eq!(letters, ["m", "u", "s", "z"]);
}

#[test]
fn the_text_written_is_plain() {
    assert_eq!(
        String::from_utf8(jj_text(&parse(SMALL))).unwrap(),
        "0\n4\n\
         0 10.50 10 s 0 100.00 0 0 0\n\
         1 3.00 3 u 0 100.00 0.30 0.35 0\n\
         2 7.50 7 m 0 100.00 0 0 0.50\n\
         3 0 0 z 0 0 0 0 0\n\
         2\n\
         0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)\n\
         10.50 1 : 0 (1)\n"
    );
}

#[test]
fn mistakes_are_found_at_their_place() {
    let cases = [
        ("0\n4", "1\n4", 1, 1, "0"),
        ("0\n4", "0 7\n4", 1, 3, "the end of the line after 0"),
        ("0\n4", "0\nfour", 2, 1, "the number of cells"),
        ("0\n4", "0\n4 4", 2, 3, "the end of the line after the number of cells"),
        ("0\n4", "0\n0", 2, 1, "at least one cell"),
        ("0\n4", "0\n5", 7, 1, "cell number 4"),
        ("0\n4", "0\n3", 6, 3, "the end of the line after the number of equations"),
        ("0\n4", "0\n99999999999", 2, 1, "the number of cells"),
        ("\n1 3 3", "\n2 3 3", 4, 1, "cell number 1"),
        ("\n1 3 3", "\n0 3 3", 4, 1, "cell number 1"),
        ("\n1 3 3", "\nx 3 3", 4, 1, "cell number 1"),
        ("1 3 3 u", "1 3,0 3 u", 4, 3, "its value, a number"),
        ("1 3 3 u", "1 3 3x u", 4, 5, "its cost, a number"),
        ("1 3 3 u", "1 3 3 q", 4, 7, "a status: u, s, z or m"),
        ("1 3 3 u 0", "1 3 3 u -", 4, 9, "its lower bound, a number"),
        ("0.3 0.35 0\n", "0.3 0.35\n", 4, 23, "its sliding protection level"),
        (
            "0.3 0.35 0\n",
            "0.3 0.35 0 1\n",
            4,
            26,
            "the end of the line after the nine fields of a cell",
        ),
        (
            "0.35 0\n",
            "0.3500000000000000001 0\n",
            4,
            19,
            "its upper protection level, a number with at most 15 decimals",
        ),
        ("\n2\n0 4", "\n2.5\n0 4", 7, 1, "the number of equations"),
        ("\n2\n0 4", "\n3\n0 4", 10, 1, "equation 3 of 3"),
        ("\n2\n0 4", "\n1\n0 4", 9, 1, "the end of the file after 1 equations"),
        ("0 4 : 0", "0 x : 0", 8, 3, "the number of cells in the equation"),
        ("0 4 : 0", "zero 4 : 0", 8, 1, "the equation's constant, a number"),
        ("0 4 : 0", "0 4 ; 0", 8, 5, "a colon"),
        ("0 4 : 0", "0 4 0", 8, 5, "a colon"),
        (
            "0 4 : 0",
            "0 3 : 0",
            8,
            26,
            "the end of the line after the 3 cells that the line announces",
        ),
        ("0 4 : 0", "0 5 : 0", 8, 31, "cell 5 of 5 of the equation"),
        ("0 (-1) 1 (1)", "0 (-1) 4 (1)", 8, 14, "a cell number between 0 and 3"),
        ("0 (-1) 1 (1)", "0 (-1) 0 (1)", 8, 14, "a cell that the equation does not have yet"),
        ("0 (-1) 1 (1)", "0 (-1) 1 1", 8, 16, "an opening parenthesis"),
        ("0 (-1) 1 (1)", "0 (-1) 1 (1", 8, 19, "a closing parenthesis"),
        ("0 (-1) 1 (1)", "0 (-1) 1 (0)", 8, 17, "a coefficient: a whole number other than 0"),
        ("0 (-1) 1 (1)", "0 (-1) 1 (1.5)", 8, 17, "a coefficient: a whole number other than 0"),
        ("0 (-1) 1 (1)", "0 (-1) 1 ()", 8, 17, "a coefficient: a whole number other than 0"),
        ("0 (1)\n", "0 (1)\nmore\n", 10, 1, "the end of the file after 2 equations"),
    ];
    for (from, to, line, column, expected) in cases {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        assert_eq!(wrong(&text), (line, column, expected.to_owned()), "{from} -> {to}");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused_with_a_place() {
    // Without its last line end it is still whole; cut in the last number it may be, too.
    for length in 0..SMALL.len() - 2 {
        let (line, column, _) = wrong(&SMALL[..length]);
        let lines = SMALL[..length].lines().count().max(1);
        assert!(line <= lines + 1 && column >= 1, "cut at {length}: line {line}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_found_again() {
    let text = SMALL.replace("3 0 0 z 0 0 0 0 0", "3 0 0 z 0 0 0 0 1000000000000000.001");
    let large = text.replace("2 7.5 7", "2 1000000000000000000 7");
    assert_eq!(
        wrong(&large),
        (5, 3, "a number that exact arithmetic can hold with 3 decimals".to_owned())
    );
    let constant = text.replace("10.5 1 :", "1000000000000000000 1 :");
    assert_eq!(wrong(&constant).0, 9);
}

#[test]
fn an_absurd_count_reserves_no_memory() {
    assert_eq!(wrong("0\n4000000000\n0 1 1 s 0 1 0 0 0\n").0, 4);
    assert_eq!(wrong("0\n1\n0 1 1 s 0 1 0 0 0\n1\n0 4000000000 : 0 (1)\n").0, 5);
}

#[test]
fn contributors_stand_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("T.jj");
    let problem = parse(SMALL).with_contributors(vec![9, 2, 7, 0]);
    jj::write(&path, &problem).unwrap();
    assert_eq!(
        std::fs::read_to_string(folder.path().join("T.frq")).unwrap(),
        "9 9\n2 2\n7 7\n0 0\n"
    );
    assert_eq!(jj::read(&path).unwrap(), problem);
    // A table without contributors must not get those of the one before.
    jj::write(&path, &parse(SMALL)).unwrap();
    assert_eq!(jj::read(&path).unwrap(), parse(SMALL));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = jj::read(std::path::Path::new("no/such.jj")).unwrap_err();
    assert_eq!(error.to_string(), "cannot read no/such.jj");
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_table_written_and_read_is_the_same(seed in any::<u64>(), size in 2_usize..80) {
        let problem = any_table(seed, size);
        let read = jj::parse("t.jj", &jj_text(&problem)).unwrap();
        prop_assert!(same_table(&problem, &read));
        // What was read once stays as it is, to the byte and to the last field.
        let text = jj_text(&read);
        let again = jj::parse("t.jj", &text).unwrap();
        prop_assert_eq!(&again, &read);
        prop_assert_eq!(jj_text(&again), text);
    }
}
