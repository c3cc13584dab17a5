use quell_adjust::{Distance, Error, Instance, METHODS, Options, adjust, method};
use quell_model::{Budget, Problem, Silent};

use crate::brute_force::optimum;
use crate::tables;

fn budget() -> Budget {
    Budget::default().with_threads(1)
}

fn check_all(problem: &Problem, options: &Options) {
    let instance = Instance::new(problem, options).unwrap();
    let truth = optimum(&instance);
    METHODS.iter().for_each(|name| check(problem, options, name, truth));
}

fn check(problem: &Problem, options: &Options, name: &str, truth: Option<f64>) {
    let found = adjust(method(name).unwrap().as_ref(), problem, options, &budget(), &Silent);
    match (truth, found) {
        (Some(truth), Ok(found)) => {
            assert!(found.audit.is_safe(), "{name}: {:?}", found.audit.breaches);
            assert!(found.cost >= truth - 1e-6, "{name}: {} is better than {truth}", found.cost);
            assert!(found.lower_bound <= truth + 1e-6, "{name}: bound {}", found.lower_bound);
            if name == "exact" || name == "auto" {
                assert!((found.cost - truth).abs() < 1e-6, "{} is not {truth}", found.cost);
                assert!((found.lower_bound - truth).abs() < 1e-5, "{}", found.lower_bound);
            }
        }
        (None, Err(Error::Infeasible(_))) => {}
        (truth, found) => panic!("{name}: brute force {truth:?}, found {found:?}"),
    }
}

#[test]
fn no_method_beats_brute_force_and_exact_and_auto_equal_it() {
    for problem in tables::all() {
        check_all(&problem, &Options::default());
    }
}

#[test]
fn the_same_holds_at_least_distances() {
    let options = Options { distance: Distance::AtLeast, ..Options::default() };
    for problem in tables::all().iter().take(3) {
        check_all(problem, &options);
    }
}

#[test]
fn the_same_seed_gives_the_same_table_with_any_number_of_threads() {
    // Too large for `auto` to leave it to `exact`.
    let problem = tables::small(&[8, 8], 0.4, 20.0, 5);
    let run = |name: &str, threads: usize| {
        let budget = Budget::default().with_threads(threads).with_work(500);
        let options = Options::default();
        adjust(method(name).unwrap().as_ref(), &problem, &options, &budget, &Silent).unwrap().values
    };
    for name in ["auto", "scatter", "learning"] {
        assert_eq!(run(name, 1), run(name, 2), "{name}");
    }
}

#[test]
fn unknown_methods_are_refused_with_the_known_ones() {
    let error = method("best").err().unwrap().to_string();
    assert!(error.contains("best") && error.contains("hybrid-swaps"), "{error}");
}
