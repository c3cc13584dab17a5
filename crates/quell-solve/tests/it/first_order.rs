//! The first-order method against HiGHS.

use quell_solve::first_order::{Aim, FirstOrder, Found, Program};
use quell_solve::{Model, Outcome, Sense, Solver, Vectors};

use crate::random::Random;

const AIM: Aim = Aim { imbalance: 1e-7, gap: 1e-6, iterations: 20_000 };

/// A random program: sums and their parts, one or two of which must move.
struct Case {
    rows: usize,
    columns: Vectors,
    entries: Vec<Vec<(usize, f64)>>,
    costs: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let rows = random.between(1, 6) as usize;
        let count = random.between(3, 24) as usize;
        let mut columns = Vectors::default();
        let mut entries = Vec::new();
        for _ in 0..count {
            let mut column = Vec::new();
            for row in 0..rows {
                if random.one_in(2) {
                    column.push((row, [1.0, -1.0, 1.0, 2.0][random.below(4)]));
                }
            }
            columns.push(column.clone());
            entries.push(column);
        }
        let costs = (0..count).map(|_| random.between(0, 9) as f64).collect();
        let mut lower: Vec<f64> = (0..count).map(|_| -random.between(0, 20) as f64).collect();
        let mut upper: Vec<f64> = (0..count).map(|_| random.between(0, 40) as f64).collect();
        for _ in 0..random.between(1, 2) {
            let column = random.below(count);
            (lower[column], upper[column]) = match random.one_in(2) {
                true => (3.0, 7.0),
                false => (-7.0, -3.0),
            };
        }
        Self { rows, columns, entries, costs, lower, upper }
    }

    fn program(&self) -> Program<'_> {
        Program { costs: &self.costs, lower: &self.lower, upper: &self.upper }
    }

    fn solve(&self, start: Option<&[f64]>, aim: Aim) -> Found {
        let system = FirstOrder::new(self.rows, self.columns.as_columns());
        system.solve(&self.program(), start, aim, &|| false)
    }

    fn objective(&self, values: &[f64]) -> f64 {
        self.costs.iter().zip(values).map(|(cost, value)| cost * value.abs()).sum()
    }

    /// The largest imbalance of a row.
    fn imbalance(&self, values: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.rows];
        for (column, value) in self.entries.iter().zip(values) {
            column.iter().for_each(|&(row, entry)| sums[row] += entry * value);
        }
        sums.into_iter().fold(0.0, |largest, sum: f64| largest.max(sum.abs()))
    }

    /// The optimum by HiGHS, with columns for rise and fall; `None` if there is no solution.
    fn optimum(&self) -> Option<f64> {
        let mut matrix = Vectors::default();
        let (mut costs, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
        for (number, column) in self.entries.iter().enumerate() {
            for sign in [1.0, -1.0] {
                matrix.push(column.iter().map(|&(row, entry)| (row, sign * entry)));
                costs.push(self.costs[number]);
                let bounds = (sign * self.lower[number], sign * self.upper[number]);
                lower.push(bounds.0.min(bounds.1).max(0.0));
                upper.push(bounds.0.max(bounds.1).max(0.0));
            }
        }
        let zeros = vec![0.0; self.rows];
        let mut solver = Solver::new().unwrap();
        let model = Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &costs,
            lower: &lower,
            upper: &upper,
            kinds: None,
            row_lower: &zeros,
            row_upper: &zeros,
            matrix: matrix.as_columns(),
        };
        solver.pass(&model).unwrap();
        (solver.solve().unwrap() == Outcome::Optimal).then(|| solver.objective())
    }
}

#[test]
fn the_optimum_is_found_where_there_is_one() {
    let (mut solved, mut free, mut impossible) = (0, 0, 0);
    for seed in 0..400 {
        let case = Case::new(seed);
        let found = case.solve(None, AIM);
        for (number, value) in found.values.iter().enumerate() {
            let inside = (case.lower[number]..=case.upper[number]).contains(value);
            assert!(inside, "seed {seed}, column {number}: {value}");
        }
        match case.optimum() {
            Some(optimum) => {
                assert!(found.reached, "seed {seed}: not after {} iterations", found.iterations);
                assert!(case.imbalance(&found.values) < 1e-4, "seed {seed}");
                let objective = case.objective(&found.values);
                let near = 1e-3 * (1.0 + optimum);
                assert!((objective - optimum).abs() < near, "seed {seed}: {objective}, {optimum}");
                solved += 1;
                free += usize::from(optimum == 0.0);
            }
            None => {
                assert!(!found.reached, "seed {seed}: nothing balances");
                impossible += 1;
            }
        }
    }
    assert!(solved > 300 && free > 5 && impossible > 40, "{solved}, {free}, {impossible}");
}

#[test]
fn a_solution_is_where_it_ends_when_it_begins_there() {
    let mut sooner = 0;
    for seed in (0..200).filter(|&seed| Case::new(seed).optimum().is_some()) {
        let case = Case::new(seed);
        let found = case.solve(None, AIM);
        let again = case.solve(Some(&found.values), AIM);
        assert!(again.reached, "seed {seed}");
        let (first, second) = (case.objective(&found.values), case.objective(&again.values));
        assert!((first - second).abs() < 1e-3 * (1.0 + first), "seed {seed}: {first}, {second}");
        sooner += usize::from(again.iterations < found.iterations);
    }
    assert!(sooner > 20, "{sooner}");
}

#[test]
fn it_ends_when_told_to() {
    let case = (0..).map(Case::new).find(|case| case.optimum().is_none()).unwrap();
    let system = FirstOrder::new(case.rows, case.columns.as_columns());
    let found = system.solve(&case.program(), None, AIM, &|| true);
    assert!(!found.reached && found.iterations < 100, "{}", found.iterations);
    let few = Aim { iterations: 10, ..AIM };
    assert_eq!(case.solve(None, few).iterations, 10);
}

/// 100,000 columns lie in several pieces, which threads work on side by side.
#[test]
fn the_number_of_threads_changes_nothing() {
    let side = 320;
    let mut columns = Vectors::default();
    let mut random = Random::new(7);
    for cell in 0..side * side {
        columns.push([(cell / side, 1.0), (side + cell % side, 1.0)]);
    }
    let costs: Vec<f64> = (0..side * side).map(|_| random.between(1, 100) as f64).collect();
    let mut lower: Vec<f64> = costs.iter().map(|cost| -cost).collect();
    let upper = vec![1e4; side * side];
    lower[random.below(side * side)] = 500.0;
    lower[random.below(side * side)] = 900.0;
    let system = FirstOrder::new(2 * side, columns.as_columns());
    let program = Program { costs: &costs, lower: &lower, upper: &upper };
    let aim = Aim { imbalance: 1e-5, gap: 1e-3, iterations: 3_000 };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| system.solve(&program, None, aim, &|| false))
    };
    let alone = with(1);
    assert!(alone.reached, "after {} iterations", alone.iterations);
    assert_eq!(with(2), alone);
    assert_eq!(with(3), alone);
}
