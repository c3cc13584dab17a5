//! The sparse elimination publishes what the plain definition publishes.

use quell_gen::{Shape, random_problem_of};
use quell_model::{Budget, CellId, Pattern, Problem, Random, Silent, Status};
use quell_suppress::{Gauss, Method, Task};

const PRIME: i128 = 1_000_000_007;

/// The rank of a dense matrix modulo a prime.
fn rank(mut rows: Vec<Vec<i128>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let above = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let (own, taken) = (above[column], row[column]);
            for (entry, &other) in row.iter_mut().zip(&above) {
                *entry = (*entry * own - other * taken).rem_euclid(PRIME);
            }
        }
        rank += 1;
    }
    rank
}

/// Whether a cell can be computed from the equations and all that is not hidden.
fn is_known(problem: &Problem, pattern: &Pattern, cell: CellId) -> bool {
    let hidden: Vec<CellId> = pattern.suppressed().collect();
    let mut rows: Vec<Vec<i128>> = problem
        .system()
        .equations()
        .map(|equation| {
            let of = |cell: CellId| problem.system().cells_of(equation).find(|one| one.0 == cell);
            let entry =
                |&cell: &CellId| of(cell).map_or(0, |(_, c)| i128::from(c).rem_euclid(PRIME));
            hidden.iter().map(entry).collect()
        })
        .collect();
    let before = rank(rows.clone());
    rows.push(hidden.iter().map(|&other| i128::from(other == cell)).collect());
    rank(rows) == before
}

/// Publishes one cell after the other, the dearest first.
fn plainly(problem: &Problem) -> Pattern {
    let mut pattern = Pattern::of_primaries(problem);
    let mut cells: Vec<CellId> = problem
        .system()
        .cells()
        .filter(|&cell| matches!(problem.status(cell), Status::Safe | Status::Secondary))
        .collect();
    cells.iter().for_each(|&cell| pattern.suppress(cell));
    cells.sort_by(|&a, &b| problem.weight(b).total_cmp(&problem.weight(a)).then(a.cmp(&b)));
    let hopeless: Vec<CellId> =
        problem.primaries().filter(|&cell| is_known(problem, &pattern, cell)).collect();
    for cell in cells {
        pattern.publish(cell);
        let mut others = problem.primaries().filter(|cell| !hopeless.contains(cell));
        if others.any(|primary| is_known(problem, &pattern, primary)) {
            pattern.suppress(cell);
        }
    }
    pattern
}

#[test]
fn gauss_publishes_what_trying_cell_by_cell_publishes() {
    let mut secondaries = 0;
    for (number, shape) in Shape::ALL.into_iter().enumerate() {
        for seed in 0..40 {
            let mut random = Random::new(seed, 300 + number as u64);
            let problem = random_problem_of(shape, &mut random, 6 + seed as usize % 30);
            let budget = Budget::default().with_threads(1);
            let task = Task::new(&problem, &budget, &Silent);
            let found = Gauss { widen: false }.suppress(&task).unwrap().pattern;
            assert_eq!(found, plainly(&problem), "{shape:?}, seed {seed}");
            secondaries += found.secondaries(&problem).count();
        }
    }
    assert!(secondaries > 100, "enough to hide: {secondaries}");
}
