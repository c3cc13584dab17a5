use quell_adjust::{Distance, Error, Options, adjust, method};
use quell_model::{
    Budget, Cell, CellId, Decimals, Labels, Problem, Protection, Reason, Silent, Status,
    SystemBuilder,
};

/// a + b = T, where T and b may hardly move and a must move by 10.
fn stuck(limit_of_b: i64) -> Problem {
    table([2, 20, limit_of_b], [0, 10, 0])
}

/// a + b = T; how far T, a and b may move, and how far they must.
fn table(rooms: [i64; 3], levels: [i64; 3]) -> Problem {
    let mut builder = SystemBuilder::new(3);
    builder.equation([(CellId(0), -1), (CellId(1), 1), (CellId(2), 1)], 0);
    let cell = |value: i64, room: i64, level: i64| Cell {
        value,
        weight: 1.0,
        status: if level > 0 { Status::Primary(Reason::Given) } else { Status::Safe },
        lower_bound: value - room,
        upper_bound: value + room,
        protection: Protection { lower: level, upper: level, sliding: 0 },
    };
    let cells = [0, 1, 2].map(|index| cell([100, 40, 60][index], rooms[index], levels[index]));
    let names = ["T", "a", "b"].map(String::from).to_vec();
    Problem::new(builder.build(), Decimals(0), cells).with_labels(Labels::Named(names))
}

fn run(problem: &Problem) -> Result<quell_adjust::Outcome, Error> {
    let budget = Budget::default().with_threads(1);
    adjust(method("auto").unwrap().as_ref(), problem, &Options::default(), &budget, &Silent)
}

#[test]
fn an_infeasible_table_says_what_would_make_it_feasible() {
    let Err(Error::Infeasible(conflict)) = run(&stuck(3)) else { panic!("feasible") };
    assert_eq!(conflict.sensitive, [CellId(1)]);
    assert_eq!(conflict.equations.len(), 1);
    // 10 must be balanced by 2 + 3: 5 more are needed in all.
    let missing: i64 = conflict.widen.iter().map(|widen| widen.by.abs()).sum();
    assert_eq!(missing, 5);
    assert!(!conflict.at_least_helps);
    let text = conflict.to_string();
    assert!(text.contains("sensitive cells a") && text.contains("by 5 more"), "{text}");
    assert!(run(&stuck(8)).is_ok());
}

#[test]
fn sensitive_cells_that_cannot_balance_each_other_are_named() {
    let Err(Error::Infeasible(conflict)) = run(&table([20; 3], [2, 10, 3])) else {
        panic!("feasible")
    };
    assert_eq!(conflict.sensitive, [CellId(0), CellId(1), CellId(2)]);
    // ±10 ± 3 is never ±2: 5 beside.
    assert!(conflict.to_string().contains("another by 5"), "{conflict}");
    assert!(conflict.to_string().contains("the equations of T"), "{conflict}");
}

#[test]
fn a_cell_without_a_safe_value_is_named() {
    let problem = stuck(8);
    let options =
        Options { distance: Distance::AtLeast, fixed: vec![CellId(1)], ..Options::default() };
    let budget = Budget::default().with_threads(1);
    let found = adjust(method("exact").unwrap().as_ref(), &problem, &options, &budget, &Silent);
    let Err(Error::Infeasible(conflict)) = found else { panic!("feasible") };
    assert_eq!(conflict.hopeless, [CellId(1)]);
    assert!(conflict.to_string().contains("no safe value"), "{conflict}");
}
