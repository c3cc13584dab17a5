use quell_adjust::{Cost, Keep, Limit, Options, Statistic, adjust, audit, method, quality};
use quell_model::{Budget, CellId, Problem, Silent};

use crate::tables;

fn run(problem: &Problem, options: &Options) -> Vec<i64> {
    let budget = Budget::default().with_threads(1);
    let found =
        adjust(method("auto").unwrap().as_ref(), problem, options, &budget, &Silent).unwrap();
    assert!(found.audit.is_safe(), "{:?}", found.audit.breaches);
    found.values
}

#[test]
fn cells_held_fixed_and_limits_in_percent_are_kept() {
    let problem = tables::small(&[5, 5], 0.3, 20.0, 3);
    let options =
        Options { fixed: vec![CellId(0)], limit: Limit::Percent(12.0), ..Options::default() };
    let values = run(&problem, &options);
    assert_eq!(values[0], problem.value(CellId(0)));
    for cell in problem.system().cells().filter(|&cell| !problem.status(cell).is_primary()) {
        let change = (values[cell.index()] - problem.value(cell)).abs();
        assert!(change * 100 <= problem.value(cell) * 12);
    }
}

#[test]
fn amounts_of_single_cells_come_before_the_percentage() {
    let problem = tables::small(&[5, 5], 0.3, 20.0, 3);
    let free = run(&problem, &Options::default());
    let other = |&cell: &CellId| !problem.status(cell).is_primary();
    let moves = |&cell: &CellId| free[cell.index()] != problem.value(cell);
    let still = problem.system().cells().filter(other).find(moves).unwrap();
    let options =
        Options { amounts: vec![(still, 0)], limit: Limit::Percent(20.0), ..Options::default() };
    assert_eq!(run(&problem, &options)[still.index()], problem.value(still));
    let wrong = Options { amounts: vec![(still, -1)], ..Options::default() };
    assert!(audit(&problem, &wrong, &free).is_err());
}

#[test]
fn a_mean_that_is_kept_stays() {
    let problem = tables::small(&[6, 5], 0.3, 20.0, 4);
    let keep = |statistic| Keep { statistic, tolerance: 0.0005, cells: Vec::new() };
    let free = quality(&problem, &run(&problem, &Options::default()));
    let options =
        Options { keep: vec![keep(Statistic::Mean), keep(Statistic::Slope)], ..Options::default() };
    let kept = quality(&problem, &run(&problem, &options));
    assert!((kept.slope - 1.0).abs() <= 0.0006, "{kept:?}");
    assert!(kept.total_percent.abs() <= 0.06, "{kept:?}");
    // Else the test would show nothing.
    assert!((free.slope - 1.0).abs() > 0.0006, "{free:?}");
    let values = problem.values().to_vec();
    assert!(!audit(&problem, &options, &values).unwrap().is_safe());
}

#[test]
fn costs_change_what_moves() {
    let problem = tables::small(&[4, 4], 0.3, 20.0, 6);
    let total = CellId(0);
    let mut costs = vec![1.0; problem.cell_count()];
    costs[0] = 1e4;
    let dear = run(&problem, &Options { cost: Cost::Given(costs), ..Options::default() });
    assert_eq!(dear[0], problem.value(total));
    run(&problem, &Options { cost: Cost::Relative, ..Options::default() });
    let wrong = Options { cost: Cost::Given(vec![1.0]), ..Options::default() };
    assert!(audit(&problem, &wrong, &dear).is_err());
}
