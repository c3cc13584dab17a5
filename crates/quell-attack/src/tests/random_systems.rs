//! Verdicts, intervals and certificates on thousands of small random systems of every
//! shape, against the oracle.

use quell_gen::random_problem;
use quell_model::{Budget, Pattern, Problem, Random, Silent};

use super::oracle::{farthest, truth};
use crate::audit::{Audit, Verdict, audit_with};
use crate::prove::SIMPLEX_CELLS;
use crate::{intervals, unpick, verify};

fn budget() -> Budget {
    Budget::default().with_threads(1)
}

fn check(problem: &Problem, pattern: &Pattern, audit: &Audit, case: u64) {
    for certificate in &audit.certificates {
        verify(problem, pattern, certificate).unwrap();
    }
    let primaries: Vec<_> = problem.primaries().collect();
    let audited: Vec<_> = audit.primaries.iter().map(|finding| finding.cell).collect();
    assert_eq!(primaries, audited, "case {case}: every primary has a verdict");
    for finding in &audit.primaries {
        let truth = truth(problem, pattern, finding.cell);
        let expected = match (truth.safe, truth.exact) {
            (true, _) => Verdict::Safe,
            (false, true) => Verdict::ExposedExactly,
            (false, false) => Verdict::ExposedWithin,
        };
        assert_eq!(
            finding.verdict, expected,
            "case {case}, {finding:?}, true ends {:?}",
            truth.ends
        );
    }
}

#[test]
fn verdicts_are_true_on_random_systems() {
    for case in 0..3_000 {
        let problem = random_problem(&mut Random::new(11, case), 40);
        let pattern = Pattern::of_statuses(&problem);
        let audit = audit_with(&problem, &pattern, SIMPLEX_CELLS, &budget(), &Silent).unwrap();
        check(&problem, &pattern, &audit, case);
    }
}

#[test]
fn verdicts_are_true_with_the_methods_for_large_systems() {
    for case in 0..1_500 {
        let problem = random_problem(&mut Random::new(12, case), 50);
        let pattern = Pattern::of_statuses(&problem);
        let audit = audit_with(&problem, &pattern, 0, &budget(), &Silent).unwrap();
        check(&problem, &pattern, &audit, case);
    }
}

#[test]
fn intervals_are_exact_on_random_systems() {
    for case in 0..500 {
        let problem = random_problem(&mut Random::new(13, case), 30);
        let pattern = Pattern::of_statuses(&problem);
        let found = intervals(&problem, &pattern, &budget(), &Silent).unwrap().unwrap();
        assert_eq!(found.len(), pattern.len());
        for interval in found {
            for (direction, end) in [
                (quell_model::Direction::Down, interval.down),
                (quell_model::Direction::Up, interval.up),
            ] {
                let truth = farthest(&problem, &pattern, interval.cell, direction);
                let near = (truth - end).abs() <= 1e-6 * (1.0 + truth.abs());
                assert!(
                    near || truth == end,
                    "case {case} {:?} {direction:?}: {truth} {end}",
                    interval.cell
                );
            }
        }
    }
}

#[test]
fn unpicked_bounds_never_exclude_what_is_possible() {
    for case in 0..500 {
        let problem = random_problem(&mut Random::new(14, case), 30);
        let pattern = Pattern::of_statuses(&problem);
        for (cell, down, up) in unpick(&problem, &pattern).rooms {
            for (direction, room) in
                [(quell_model::Direction::Down, down), (quell_model::Direction::Up, up)]
            {
                let truth = farthest(&problem, &pattern, cell, direction);
                let possible = room == i64::MAX || truth <= room as f64 + 1e-6;
                assert!(possible, "case {case} {cell:?} {direction:?}: {truth} {room}");
            }
        }
    }
}
