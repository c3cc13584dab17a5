//! Tables to read and write.

use proptest::prelude::ProptestConfig;
use quell_formats::csv_pair::{self, Source};
use quell_formats::{Error, jj};
use quell_gen::random_problem;
use quell_model::{Labels, Pattern, Problem, Random};

/// So many random cases, unless the environment asks for another number.
pub fn cases(usual: u32) -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(usual),
    }
}

/// Any small table without what JJ cannot say: its decimals are those it needs.
pub fn any_table(seed: u64, size: usize) -> Problem {
    random_problem(&mut Random::new(seed, 0), size)
}

pub fn jj_text(problem: &Problem) -> Vec<u8> {
    let mut text = Vec::new();
    jj::print(&mut text, problem).expect("memory does not fail");
    text
}

pub fn csv_texts(problem: &Problem) -> (Vec<u8>, Vec<u8>) {
    let (mut cells, mut equations) = (Vec::new(), Vec::new());
    csv_pair::print_cells(&mut cells, problem).expect("memory does not fail");
    csv_pair::print_equations(&mut equations, problem).expect("memory does not fail");
    (cells, equations)
}

pub fn parse_csv(cells: &[u8], equations: &[u8]) -> Result<Problem, Error> {
    csv_pair::parse(
        Source { file: "cells.csv", text: cells },
        Source { file: "equations.csv", text: equations },
    )
}

/// Whether two problems have the same cells and equations, names and reasons aside, with
/// amounts compared as amounts: decimals that are all zero do not count.
pub fn same_table(one: &Problem, other: &Problem) -> bool {
    let amount = |problem: &Problem, units: i64| match units {
        i64::MIN | i64::MAX => i128::from(units) * 1_000_000_000_000_000_000,
        _ => i128::from(units) * 10_i128.pow(18 - u32::from(problem.decimals().0)),
    };
    let cells = |problem: &Problem| -> Vec<_> {
        let cell = |id| {
            let cell = problem.cell(id);
            let levels = cell.protection;
            let amounts = [
                cell.value,
                cell.lower_bound,
                cell.upper_bound,
                levels.lower,
                levels.upper,
                levels.sliding,
            ];
            let hidden = (cell.status.is_primary(), cell.status.is_suppressed());
            (amounts.map(|units| amount(problem, units)), cell.weight.to_bits(), hidden)
        };
        problem.system().cells().map(cell).collect()
    };
    let equations = |problem: &Problem| -> Vec<_> {
        let system = problem.system();
        let equation = |id| {
            let entries: Vec<_> = system.cells_of(id).collect();
            (entries, amount(problem, system.right_hand_side(id)))
        };
        system.equations().map(equation).collect()
    };
    cells(one) == cells(other)
        && equations(one) == equations(other)
        && Pattern::of_statuses(one) == Pattern::of_statuses(other)
}

/// The problem with its cells only numbered.
pub fn numbered(problem: Problem) -> Problem {
    problem.with_labels(Labels::Numbered)
}
