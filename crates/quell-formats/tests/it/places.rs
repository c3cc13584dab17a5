//! One wrong character anywhere: the error, or the fault of the table, is shown where the
//! character stands.

use quell_formats::csv_pair::{self, Source};
use quell_formats::{Mistake, jj};
use quell_gen::{Shape, random_problem_of};
use quell_model::{CellId, Fault, Problem, Random};

use crate::tables::{csv_texts, jj_text, numbered, parse_csv};

const WRONG: &[u8] = b"x7-. \n(:,\"";

fn line_of(text: &[u8], at: usize) -> usize {
    text[..at].iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// Cells and equations that a fault is about.
fn cells_of(problem: &Problem, fault: &Fault) -> Vec<CellId> {
    match *fault {
        Fault::NotAdditive { equation, .. } | Fault::EmptyEquation { equation } => {
            problem.system().cells_of(equation).map(|(cell, _)| cell).collect()
        }
        Fault::OutsideBounds { cell, .. }
        | Fault::NegativeLevel { cell }
        | Fault::BeyondBounds { cell }
        | Fault::BadWeight { cell, .. } => vec![cell],
    }
}

fn table(seed: u64) -> Problem {
    numbered(random_problem_of(Shape::Hierarchical, &mut Random::new(seed, 0), 30))
}

#[test]
fn a_wrong_character_in_a_jj_file_is_shown_where_it_stands() {
    let (mut refused, mut faulty, mut harmless) = (0, 0, 0);
    for seed in 0..12 {
        let text = jj_text(&table(seed));
        let cells = table(seed).cell_count();
        for at in 0..text.len() {
            for &wrong in WRONG {
                let mut damaged = text.clone();
                damaged[at] = wrong;
                if damaged == text {
                    continue;
                }
                let line = line_of(&text, at);
                match jj::parse("t.jj", &damaged) {
                    Err(error) => {
                        refused += 1;
                        check_line(error.mistake().unwrap(), line, cells, &damaged, at);
                    }
                    Ok(problem) => {
                        let faults: Vec<Fault> =
                            problem.faults().into_iter().filter(|f| !f.is_warning()).collect();
                        if faults.is_empty() {
                            harmless += 1;
                            continue;
                        }
                        faulty += 1;
                        // In a cell's line, every fault is about that cell; in an
                        // equation's line, about that equation.
                        for fault in &faults {
                            let mistake = jj::mistake_of("t.jj", &damaged, &problem, fault);
                            let about = cells_of(&problem, fault);
                            let cell = (3..3 + cells).contains(&line).then(|| line - 3);
                            let concerned = match cell {
                                Some(cell) => about.contains(&CellId::from_index(cell)),
                                None => mistake.line == line,
                            };
                            assert!(concerned, "{mistake}, changed line {line}");
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 10_000 && faulty > 300 && harmless > 300, "{refused} {faulty} {harmless}");
}

/// The place of a refusal: the changed line, or the next one if the character broke or
/// joined lines, or wherever a changed count is proved wrong.
fn check_line(mistake: &Mistake, line: usize, cells: usize, text: &[u8], at: usize) {
    let is_count = line == 2 || line == 3 + cells;
    // Numbers too precise or large for the rest of the table show up at the others.
    let elsewhere = mistake.expected.contains("exact arithmetic");
    let reach = if text[at] == b'\n' { 2 } else { 1 };
    let near = (line..=line + reach).contains(&mistake.line);
    assert!(near || is_count || elsewhere, "{mistake}, but line {line} was changed");
    if mistake.line == line && text[at] == b'x' {
        let column = at - text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1) + 1;
        let word = mistake.column..=mistake.column + mistake.snippet.wrong.len();
        assert!(word.contains(&column), "{mistake}, but column {column} was changed");
    }
}

#[test]
fn a_wrong_character_in_a_csv_file_is_shown_where_it_stands() {
    let mut refused = 0;
    for seed in 0..6 {
        let (cells, equations) = csv_texts(&table(seed));
        for at in 0..cells.len() {
            let mut damaged = cells.clone();
            damaged[at] = b'?';
            let line = line_of(&cells, at);
            match parse_csv(&damaged, &equations) {
                Err(error) => {
                    refused += 1;
                    let mistake = error.mistake().unwrap();
                    // A changed name is missed where the other file uses it.
                    let renamed = mistake.file == "equations.csv";
                    assert!(mistake.line == line || renamed, "{mistake}, changed {line}");
                }
                Ok(problem) => {
                    let source = Source { file: "cells.csv", text: &damaged };
                    let other = Source { file: "equations.csv", text: &equations };
                    for fault in problem.faults().iter().filter(|fault| !fault.is_warning()) {
                        let mistake = csv_pair::mistake_of(source, other, &problem, fault);
                        assert!(mistake.line > 1);
                    }
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn faults_of_the_table_are_shown_at_their_line() {
    let text = "0\n3\n0 10 10 s 0 9 0 0 0\n\n1 3 -3 u 0 100 -1 0 0\n2 7 7 s 0 100 0 0 0\n\
                2\n0 3 : 0 (-1) 1 (1) 2 (2)\n0 0 :\n";
    let problem = jj::parse("t.jj", text.as_bytes()).unwrap();
    let places: Vec<(usize, usize)> = problem
        .faults()
        .iter()
        .map(|fault| jj::mistake_of("t.jj", text.as_bytes(), &problem, fault))
        .map(|mistake| (mistake.line, mistake.column))
        .collect();
    assert_eq!(places, [(3, 3), (5, 16), (5, 5), (8, 1), (9, 3)]);
}
