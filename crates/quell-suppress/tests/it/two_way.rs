//! The heuristics for two-way tables, and boxes in tables of more ways.

use quell_gen::{DimensionSize, Herrington, Ons, Primaries};
use quell_model::{Budget, Labels, Problem, Silent};
use quell_suppress::{
    Error, GenSup, HeurGene, Hypercube, Method, Replacement, Selection, Strategy, Task,
    Termination, method, protect,
};

const OF_TWO_WAY_TABLES: [&str; 6] =
    ["hypercube", "shortest-path", "parallel-bound-and-path", "gensup", "gapn", "heurgene"];

fn table(seed: u64) -> Problem {
    let class = Herrington {
        rows: 25,
        columns: 20,
        primaries: Primaries::Count(15),
        ..Herrington::default()
    };
    class.generate(seed).expect("the parameters make a table")
}

fn cost(method: &dyn Method, problem: &Problem, budget: &Budget) -> f64 {
    let outcome = protect(method, problem, budget, &Silent).expect("the method treats the table");
    assert!(outcome.audit.is_safe(), "{}", method.name());
    assert_eq!(outcome.repaired, 0, "{}: flows are exact, nothing is to repair", method.name());
    outcome.cost
}

#[test]
fn two_way_tables_are_safe_without_repair_and_threads_change_nothing() {
    let problem = table(1);
    for name in OF_TWO_WAY_TABLES {
        let chosen = method(name).unwrap();
        let pattern = |threads: usize| {
            let budget = Budget::default().with_threads(threads).with_seed(7).with_work(20_000);
            cost(chosen.as_ref(), &problem, &budget);
            let budget = Budget::default().with_threads(threads).with_seed(7).with_work(20_000);
            let task = Task::new(&problem, &budget, &Silent);
            chosen.suppress(&task).unwrap().pattern
        };
        assert_eq!(pattern(1), pattern(3), "{name}");
    }
}

#[test]
fn a_table_without_labels_is_recognised_by_its_equations() {
    let problem = table(2);
    let bare = problem.clone().with_labels(Labels::Numbered);
    for name in OF_TWO_WAY_TABLES {
        let chosen = method(name).unwrap();
        let budget = || Budget::default().with_work(5_000);
        assert_eq!(
            cost(chosen.as_ref(), &problem, &budget()),
            cost(chosen.as_ref(), &bare, &budget()),
            "{name}"
        );
    }
}

#[test]
fn a_budget_that_is_over_still_gives_a_safe_pattern() {
    let problem = table(3);
    for name in OF_TWO_WAY_TABLES {
        let over = Budget::default().with_work(0);
        cost(method(name).unwrap().as_ref(), &problem, &over);
    }
}

#[test]
fn evolution_improves_on_its_seeds_whatever_the_strategy() {
    let problem = table(4);
    let budget = Budget::default;
    let none = Termination::Generations { most: 0, without_gain: 1 };
    let seeds = cost(&HeurGene { termination: none, ..HeurGene::default() }, &problem, &budget());
    let strategies = [
        Strategy::Fixed(Selection::Elite, Replacement::Elite),
        Strategy::Fixed(Selection::Roulette, Replacement::KillTournament),
        Strategy::Fixed(Selection::Roulette, Replacement::Similar),
        Strategy::Fixed(Selection::Tournament, Replacement::KillTournament),
        Strategy::Fixed(Selection::Tournament, Replacement::Similar),
        Strategy::Probabilistic,
    ];
    let all: Vec<f64> = strategies
        .into_iter()
        .map(|strategy| cost(&HeurGene { strategy, ..HeurGene::default() }, &problem, &budget()))
        .collect();
    assert!(all.iter().all(|&cost| cost <= seeds), "{all:?} from {seeds}");
    assert!(all.iter().any(|&cost| cost < seeds), "{all:?} from {seeds}");
    let thesis = GenSup::of_thesis();
    let first = cost(&GenSup { termination: none, ..thesis }, &problem, &budget());
    let stop = Termination::CostBenefit { window: 20, least_gain: 0.01 };
    assert!(cost(&GenSup { termination: stop, ..thesis }, &problem, &budget()) < first);
}

fn three_way(dimensions: Vec<DimensionSize>) -> Problem {
    Ons { dimensions, ..Ons::default() }.generate(1).expect("the parameters make a table")
}

#[test]
fn evolution_refuses_tables_of_three_ways_and_says_what_to_use() {
    let problem = three_way(vec![DimensionSize::flat(5); 3]);
    let budget = Budget::default();
    let task = Task::new(&problem, &budget, &Silent);
    for name in ["gensup", "gapn", "heurgene", "parallel-bound-and-path"] {
        let error = method(name).unwrap().suppress(&task).unwrap_err();
        assert!(matches!(&error, Error::NotForThisTable { .. }), "{error}");
        assert!(error.to_string().contains("use hypercube or kelly-lp"), "{error}");
    }
}

#[test]
fn a_two_way_table_with_sub_totals_in_one_dimension_is_a_network() {
    let problem = three_way(vec![DimensionSize::hierarchical(14), DimensionSize::flat(9)]);
    for name in OF_TWO_WAY_TABLES {
        cost(method(name).unwrap().as_ref(), &problem, &Budget::default().with_work(5_000));
    }
}

#[test]
fn boxes_protect_flat_three_way_tables_by_themselves() {
    let problem = three_way(vec![DimensionSize::flat(9); 3]);
    cost(&Hypercube, &problem, &Budget::default());
}

#[test]
fn boxes_protect_sub_tables_and_the_rest_is_repaired() {
    let problem = three_way(vec![
        DimensionSize::hierarchical(9),
        DimensionSize::flat(5),
        DimensionSize::hierarchical(8),
    ]);
    let outcome = protect(&Hypercube, &problem, &Budget::default(), &Silent).unwrap();
    assert!(outcome.audit.is_safe());
    assert!(outcome.secondaries > 0);
}
