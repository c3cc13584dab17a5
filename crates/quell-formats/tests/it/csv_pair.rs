//! The CSV pair: defaults, names, round trips, mistakes.

use proptest::prelude::*;
use quell_formats::Error;
use quell_formats::csv_pair::{self, Pair};
use quell_model::{
    CellId, Decimals, EquationId, Labels, Problem, Reason, Status, UNBOUNDED_ABOVE, UNBOUNDED_BELOW,
};

use crate::tables::{any_table, cases, csv_texts, numbered, parse_csv, same_table};

const CELLS: &str = "\
Cell,Status,value,upper_bound,lpl,weight,contributors
Total,,10.5,,,,9
\"a, b\",primary:frequency,3,100,0.35,2.5,1
\"c \"\"d\"\"\",protected,7.5,inf,0,,8
";

const EQUATIONS: &str = "\
equation,coefficient,cell,rhs
sum,-1,Total,
one,1,Total,10.5
sum,1,\"a, b\",0
sum,1,\"c \"\"d\"\"\",
";

fn parse(cells: &str, equations: &str) -> Problem {
    parse_csv(cells.as_bytes(), equations.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// File, line, column and what was expected.
fn wrong(cells: &str, equations: &str) -> (String, usize, usize, String) {
    match parse_csv(cells.as_bytes(), equations.as_bytes()) {
        Err(Error::Mistake(m)) => (m.file, m.line, m.column, m.expected),
        other => panic!("no mistake found: {other:?}"),
    }
}

#[test]
fn a_small_pair_is_read_with_its_defaults() {
    let problem = parse(CELLS, EQUATIONS);
    assert_eq!(problem.decimals(), Decimals(2));
    assert_eq!(problem.values(), [1050, 300, 750]);
    assert_eq!([0, 1, 2].map(|c| problem.weight(CellId(c))), [10.5, 2.5, 7.5]);
    assert_eq!(problem.status(CellId(0)), Status::Safe);
    assert_eq!(problem.status(CellId(1)), Status::Primary(Reason::Frequency));
    assert_eq!(problem.status(CellId(2)), Status::Protected);
    assert_eq!([0, 1, 2].map(|c| problem.lower_bound(CellId(c))), [0; 3]);
    assert_eq!(problem.upper_bound(CellId(1)), 10_000);
    assert_eq!(problem.upper_bound(CellId(2)), UNBOUNDED_ABOVE);
    assert_eq!(problem.protection(CellId(1)).lower, 35);
    assert_eq!(problem.contributors(), Some(&[9, 1, 8][..]));
    assert_eq!(problem.cell_name(CellId(1)), "a, b");
    assert_eq!(problem.cell_name(CellId(2)), "c \"d\"");
    let system = problem.system();
    assert_eq!(system.cells_of(EquationId(0)).count(), 3);
    assert_eq!(system.right_hand_side(EquationId(1)), 1050);
    assert_eq!(problem.faults(), []);
}

#[test]
fn without_a_column_values_are_bounded_by_zero_only_if_none_is_negative() {
    let equations = "equation,cell,coefficient\n";
    let problem = parse("cell,value\na,1\nb,0\n", equations);
    assert_eq!(problem.lower_bound(CellId(0)), 0);
    let problem = parse("cell,value\na,1\nb,-1\n", equations);
    assert_eq!(problem.lower_bound(CellId(0)), UNBOUNDED_BELOW);
    let problem = parse("cell,value,lower_bound\na,1,\nb,0,-inf\nc,0,0\n", equations);
    let bounds = [0, 1, 2].map(|c| problem.lower_bound(CellId(c)));
    assert_eq!(bounds, [UNBOUNDED_BELOW, UNBOUNDED_BELOW, 0]);
}

#[test]
fn cells_named_by_their_numbers_are_numbered() {
    let problem = parse("cell,value\n0,1\n1,2\n", "equation,cell,coefficient\n");
    assert_eq!(*problem.labels(), Labels::Numbered);
}

#[test]
fn mistakes_are_found_at_their_place() {
    let cells = "cells.csv";
    let equations = "equations.csv";
    let known = "one of the columns cell, value, weight, status, lower_bound, upper_bound, lpl, upl, spl, contributors";
    let cases = [
        ("Cell,Status", "Cell;Status", cells, 1, 1, known),
        ("Cell,Status", "Cell,State", cells, 1, 6, known),
        ("Cell,Status", "Cell,value", cells, 1, 12, "each column once"),
        ("Cell,Status", "lower_bound,Status", cells, 1, 61, "a column cell"),
        ("Total,,", "Total,", cells, 2, 16, "field 7 of 7"),
        ("Total,,", "Total,,,", cells, 2, 17, "the end of the line"),
        ("Total,,10.5", ",,10.5", cells, 2, 1, "the name of a cell"),
        ("Total,,10.5", "Total,,", cells, 2, 8, "value: a number"),
        ("Total,,10.5", "Total,,1x", cells, 2, 8, "value: a number"),
        (
            "Total,,10.5",
            "Total,?,10.5",
            cells,
            2,
            7,
            "a status: safe, protected, secondary or primary",
        ),
        ("0.35,2.5", "0.35,nan", cells, 3, 37, "weight: a number"),
        ("0.35,2.5", "-,2.5", cells, 3, 32, "lpl: a number"),
        (",100,", ",1oo,", cells, 3, 28, "upper_bound: a number"),
        ("2.5,1", "2.5,", cells, 3, 41, "a number of contributors, a whole number"),
        ("2.5,1", "2.5,-1", cells, 3, 41, "a number of contributors, a whole number"),
        ("\"a, b\",p", "Total,p", cells, 3, 1, "each cell once"),
        ("\"a, b\",p", "\"a, b,p", cells, 4, 2, "a comma after the quoted field"),
        ("8\n", "\"8\n", cells, 4, 32, "a quoted field with its end"),
        ("sum,-1,Total", "sum,-1,Totals", equations, 2, 8, "a cell of the cells file"),
        ("sum,-1", "sum,0", equations, 2, 5, "a coefficient: a whole number other than 0"),
        ("sum,-1", ",-1", equations, 2, 1, "the name of an equation"),
        ("one,1,", "sum,1,", equations, 3, 7, "each cell once in an equation"),
        ("10.5\nsum", "1o.5\nsum", equations, 3, 13, "rhs: a number"),
        ("\"\"\",\n", "\"\"\",1\n", equations, 5, 17, "the same rhs in all its lines"),
        ("equation,c", "c", equations, 1, 21, "a column equation"),
    ];
    let mut differences = Vec::new();
    for (from, to, file, line, column, expected) in cases {
        let (a, b) = if file == cells {
            (CELLS.replacen(from, to, 1), EQUATIONS.to_owned())
        } else {
            (CELLS.to_owned(), EQUATIONS.replacen(from, to, 1))
        };
        assert!(a != CELLS || b != EQUATIONS, "{from}");
        let found = wrong(&a, &b);
        if found != (file.to_owned(), line, column, expected.to_owned()) {
            differences.push(format!("{from} -> {to}: {found:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(wrong("", EQUATIONS).3, "a column cell");
    assert_eq!(wrong("cell,value\n", EQUATIONS).3, "at least one cell");
}

#[test]
fn text_that_is_no_utf_8_is_found() {
    let error = parse_csv(b"cell,value\na\xff,1\n", EQUATIONS.as_bytes()).unwrap_err();
    let mistake = error.mistake().unwrap();
    assert_eq!((mistake.line, mistake.column), (2, 2));
}

#[test]
fn names_that_are_not_unique_cannot_be_written() {
    let problem = parse(CELLS, EQUATIONS).with_labels(Labels::Named(vec![
        "a".into(),
        "b".into(),
        "a".into(),
    ]));
    let error = csv_pair::print_cells(&mut Vec::new(), &problem).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the name \"a\", which two cells have, cannot be written as a CSV pair"
    );
}

#[test]
fn files_are_written_and_read_as_a_pair() {
    let folder = tempfile::tempdir().unwrap();
    let pair = Pair::of(&folder.path().join("T.csv"));
    let problem = parse(CELLS, EQUATIONS);
    csv_pair::write(&pair, &problem).unwrap();
    assert_eq!(csv_pair::read(&pair).unwrap(), problem);
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_table_written_and_read_is_the_same(seed in any::<u64>(), size in 2_usize..60) {
        let problem = any_table(seed, size);
        let (cells, equations) = csv_texts(&problem);
        let read = parse_csv(&cells, &equations).unwrap();
        prop_assert!(same_table(&problem, &read));
        prop_assert_eq!(read.contributors(), problem.contributors());
        for cell in problem.system().cells() {
            prop_assert_eq!(read.status(cell), problem.status(cell));
            if *problem.labels() != Labels::Numbered {
                prop_assert_eq!(read.cell_name(cell), problem.cell_name(cell));
            }
        }
        let (cells, equations) = csv_texts(&read);
        prop_assert_eq!(parse_csv(&cells, &equations).unwrap(), read);
    }

    #[test]
    fn any_names_survive(names in prop::collection::hash_set("\\PC{1,8}|[ ,\"\r\n\t]{1,4}", 2..5)) {
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        let mut cells = any_table(1, 40);
        prop_assume!(cells.cell_count() >= names.len());
        for extra in names.len()..cells.cell_count() {
            names.push(format!("extra {extra}"));
        }
        cells = numbered(cells).with_labels(Labels::Named(names.clone()));
        let (text, equations) = csv_texts(&cells);
        let read = parse_csv(&text, &equations).unwrap();
        for (index, name) in names.iter().enumerate() {
            prop_assert_eq!(&read.cell_name(CellId::from_index(index)), name);
        }
    }
}
