//! Every part of `hybrid` on random tables of every shape.

use quell_attack::CandidateAlgorithm;
use quell_gen::{DimensionSize, Ons, Shape, random_problem_of};
use quell_model::{Budget, Problem, Random, Silent};
use quell_suppress::{
    Candidates, Evolution, Extra, Grouping, Hybrid, HybridSettings, MutationChoice, OrderCrossover,
    OrderMutation, Preselection, SurrogateLevels, Task, protect,
};

use crate::attacker::{everything, exposed};

/// Settings that differ in every part.
fn variants() -> Vec<HybridSettings> {
    let short = Evolution { most_calls: 14, ..Evolution::default() };
    let usual = HybridSettings { evolution: short, ..HybridSettings::for_cells(10) };
    let grouped = HybridSettings { evolution: short, ..HybridSettings::for_cells(1_000_000) };
    vec![
        usual,
        grouped,
        HybridSettings { candidates: Candidates::All, preselection: Preselection::None, ..usual },
        HybridSettings {
            grouping: Grouping::RisingLevel,
            groups: 5,
            preselection: Preselection::Margins,
            extra: Extra::All,
            levels: SurrogateLevels::Both,
            ..grouped
        },
        HybridSettings {
            evolution: Evolution {
                mutation: MutationChoice::Fixed(OrderMutation::Scramble),
                crossover: OrderCrossover::Cycle,
                ..short
            },
            groups: 4,
            ..grouped
        },
    ]
}

#[test]
fn no_variant_returns_an_unsafe_pattern() {
    let variants = variants();
    for (number, shape) in Shape::ALL.into_iter().enumerate() {
        for seed in 0..6 {
            let mut random = Random::new(seed, 500 + number as u64);
            let problem = random_problem_of(shape, &mut random, 10 + seed as usize * 7);
            let hopeless = exposed(&problem, &everything(&problem));
            for settings in &variants {
                let method = Hybrid { settings: Some(*settings) };
                let budget = Budget::default().with_work(200).with_seed(seed).with_threads(1);
                let outcome = protect(&method, &problem, &budget, &Silent).unwrap();
                let place = format!("{settings:?} on {shape:?}, seed {seed}");
                let left = exposed(&problem, &outcome.pattern);
                let found: Vec<_> = outcome.unsafe_primaries().map(|found| found.cell).collect();
                assert_eq!(found, left, "{place}: the audit agrees");
                // Also where the first split of a sliding level is one that nothing can meet.
                assert_eq!(left, hopeless, "{place}");
            }
        }
    }
}

/// Every primary is moved by some program where all are protected, so nothing is left to repair.
#[test]
fn with_all_extra_groups_the_pattern_is_safe_before_any_audit() {
    let variants = variants().into_iter().chain([HybridSettings {
        candidates: Candidates::Attacked(CandidateAlgorithm::K5),
        ..variants()[0]
    }]);
    for settings in variants {
        for seed in 1..6 {
            let problem = table(seed);
            let budget = Budget::default().with_work(200).with_threads(1);
            let settings = HybridSettings { extra: Extra::All, ..settings };
            let task = Task::new(&problem, &budget, &Silent);
            let run = Hybrid { settings: Some(settings) }.run(&task).unwrap();
            assert_eq!(exposed(&problem, &run.pattern), [], "{settings:?}, seed {seed}");
            assert!(run.lower_bound <= run.pattern.cost(&problem), "{settings:?}, seed {seed}");
        }
    }
}

/// The search must leave enough of its effort for the order it finds.
#[test]
fn a_limit_of_effort_does_not_lose_the_best_order() {
    let mut gains = 0;
    for seed in 1..8 {
        let problem = table(seed);
        let run = |evolution: Evolution| {
            let budget = Budget::default().with_work(1_000);
            let task = Task::new(&problem, &budget, &Silent);
            let usual = HybridSettings::for_cells(10);
            let method = Hybrid { settings: Some(HybridSettings { evolution, ..usual }) };
            method.run(&task).unwrap()
        };
        // One order: as the groups come.
        let first = run(Evolution { pool: 1, most_calls: 1, ..Evolution::default() });
        let searched = run(Evolution { calls_without_gain: usize::MAX, ..Evolution::default() });
        assert!(searched.trace.len() < 1_000, "seed {seed}: effort ends the search");
        gains += usize::from(searched.pattern.cost(&problem) < first.pattern.cost(&problem));
    }
    assert!(gains > 0, "no order found was protected");
}

fn table(seed: u64) -> Problem {
    let dimensions = vec![DimensionSize::hierarchical(12), DimensionSize::flat(7)];
    Ons { dimensions, ..Ons::default() }.generate(seed).expect("the parameters make a table")
}

#[test]
fn threads_change_nothing() {
    let problem = table(1);
    for settings in variants() {
        let run = |threads: usize| {
            let budget = Budget::default().with_threads(threads).with_seed(7).with_work(2_000);
            let task = Task::new(&problem, &budget, &Silent);
            Hybrid { settings: Some(settings) }.run(&task).unwrap()
        };
        let (one, two) = (run(1), run(2));
        assert_eq!((one.pattern, one.trace, one.programs), (two.pattern, two.trace, two.programs));
    }
}

#[test]
fn the_search_improves_the_order() {
    let gains = (1..6).map(|seed| {
        let problem = table(seed);
        let budget = Budget::default().with_work(20_000);
        let task = Task::new(&problem, &budget, &Silent);
        let run = Hybrid::default().run(&task).unwrap();
        assert!(run.candidates > 3 && run.groups == run.candidates, "every candidate alone");
        run.trace[0] - run.trace[run.trace.len() - 1]
    });
    assert!(gains.sum::<f64>() > 0.0);
}

#[test]
fn without_time_there_is_still_a_safe_pattern() {
    let problem = table(3);
    let budget = Budget::default().with_time(std::time::Duration::ZERO);
    let task = Task::new(&problem, &budget, &Silent);
    for settings in variants() {
        let pattern = Hybrid { settings: Some(settings) }.run(&task).unwrap().pattern;
        assert_eq!(exposed(&problem, &pattern), [], "{settings:?}");
    }
}

#[test]
fn a_table_too_large_for_all_its_columns_is_protected_by_those_that_matter() {
    let dimensions = vec![DimensionSize::flat(150), DimensionSize::flat(140)];
    let table = Ons {
        dimensions,
        contributors: quell_gen::Contributors::PrimaryShare(0.002),
        ..Ons::default()
    };
    let problem = table.generate(1).unwrap();
    assert!(problem.cell_count() > 20_000);
    let settings = HybridSettings::for_cells(problem.cell_count());
    let settings = HybridSettings {
        evolution: Evolution { most_calls: 2, ..settings.evolution },
        groups: 4,
        ..settings
    };
    let method = Hybrid { settings: Some(settings) };
    let outcome = protect(&method, &problem, &Budget::default(), &Silent).unwrap();
    assert!(outcome.audit.is_safe());
    assert!(outcome.secondaries > 0 && outcome.secondaries < 2_000, "{}", outcome.secondaries);
}
