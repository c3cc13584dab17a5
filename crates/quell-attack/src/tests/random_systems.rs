//! Verdicts, intervals and certificates on thousands of small random systems of every
//! shape, against the oracle.

use std::time::Duration;

use quell_gen::random_problem;
use quell_model::{Budget, Certificate, Contributions, Pattern, Problem, Random, Silent};

use super::oracle::{farthest, truth};
use crate::audit::{Audit, Verdict, audit, audit_with};
use crate::proof::cheapest::{Answer, CheapestMovement};
use crate::proof::ledger::{Ledger, SCALE};
use crate::proof::prove::Thoroughness;
use crate::view::View;
use crate::{contributor_attack, intervals, unpick, verify};

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
        let audit =
            audit_with(&problem, &pattern, Vec::new(), Thoroughness::FULL, &budget(), &Silent)
                .unwrap();
        check(&problem, &pattern, &audit, case);
    }
}

#[test]
fn verdicts_are_true_with_the_methods_for_large_systems() {
    for case in 0..1_500 {
        let problem = random_problem(&mut Random::new(12, case), 50);
        let pattern = Pattern::of_statuses(&problem);
        let full = Thoroughness { simplex_cells: 0, ..Thoroughness::FULL };
        let audit = audit_with(&problem, &pattern, Vec::new(), full, &budget(), &Silent).unwrap();
        check(&problem, &pattern, &audit, case);
        let quick = Thoroughness { simplex_cells: 0, ..Thoroughness::QUICK };
        let looked = audit_with(&problem, &pattern, Vec::new(), quick, &budget(), &Silent).unwrap();
        for (look, finding) in looked.primaries.iter().zip(&audit.primaries) {
            let agrees = match look.verdict {
                Verdict::Undecided => true,
                Verdict::Safe => finding.verdict == Verdict::Safe,
                Verdict::ExposedWithin | Verdict::ExposedExactly => {
                    matches!(finding.verdict, Verdict::ExposedWithin | Verdict::ExposedExactly)
                }
            };
            assert!(agrees, "case {case}: {look:?}, {finding:?}");
        }
    }
}

/// What was proven is proven without any further work after more was hidden; and where less is
/// hidden, movements that no longer hold change no verdict.
#[test]
fn verdicts_are_true_with_what_was_known_before() {
    let stopped = budget().with_time(Duration::ZERO);
    let [mut kept, mut found] = [0, 0];
    for case in 0..800 {
        let problem = random_problem(&mut Random::new(19, case), 40);
        let less = Pattern::of_statuses(&problem);
        let mut more = less.clone();
        let published = problem.system().cells().filter(|&cell| !less.is_suppressed(cell));
        published.step_by(3).for_each(|cell| more.suppress(cell));
        let audit = |pattern: &Pattern, known: &[Certificate], budget: &Budget| {
            audit_with(&problem, pattern, known.to_vec(), Thoroughness::FULL, budget, &Silent)
                .unwrap()
        };
        let before = audit(&less, &[], &budget());
        let again = audit(&more, &before.certificates, &stopped);
        for (finding, again) in before.primaries.iter().zip(&again.primaries) {
            if finding.verdict == Verdict::Safe {
                assert_eq!(again.verdict, Verdict::Safe, "case {case}: {finding:?}");
                kept += 1;
            }
        }
        found += audit(&more, &[], &stopped).counts().safe;
        let wrong = audit(&more, &[], &budget()).certificates;
        check(&problem, &less, &audit(&less, &wrong, &budget()), case);
    }
    assert!(kept > 2 * found, "{kept} kept, {found} found without what is known");
}

/// A claim is proven exactly where the oracle says that the cell moves so far, and what limits
/// it otherwise is true. (Rounding may leave a claim without an answer.)
#[test]
fn cheapest_movements_are_what_the_oracle_says() {
    let (mut proven, mut limited, mut unknown) = (0, 0, 0);
    for case in 0..600 {
        let problem = random_problem(&mut Random::new(17, case), 40);
        let pattern = Pattern::of_statuses(&problem);
        for hidden in View::new(&problem, &pattern).components() {
            let mut program = CheapestMovement::new(&hidden, 1_000, &budget()).unwrap();
            for claim in Ledger::new(&problem, &hidden, &|_| true).open() {
                let cell = hidden.cell(claim.place as usize);
                let truth = farthest(&problem, &pattern, cell, claim.requirement.direction);
                match program.prove(&claim).unwrap() {
                    Answer::Proven(certificate) => {
                        verify(&problem, &pattern, &certificate).unwrap();
                        assert!(claim.reach(&hidden, &certificate) >= claim.goal(), "case {case}");
                        proven += 1;
                    }
                    Answer::Limited(limit) => {
                        let limit = limit as f64 / SCALE as f64;
                        assert!(truth <= limit + 1e-6, "case {case}: {truth} {limit}");
                        assert!(
                            truth < claim.requirement.distance as f64,
                            "case {case}: {truth} {claim:?}"
                        );
                        limited += 1;
                    }
                    Answer::Unknown => unknown += 1,
                }
            }
        }
    }
    assert!(proven > 500 && limited > 500, "{proven} {limited}");
    assert!(unknown * 50 < proven + limited, "{unknown} of {proven} and {limited}");
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

/// Every pair of a contributor and a primary, by the oracle with all cells published of which he is
/// the only contributor.
#[test]
fn contributors_learn_what_the_oracle_says() {
    let (mut pairs, mut in_several) = (0, 0);
    for case in 0..800 {
        let mut random = Random::new(15, case);
        let problem = random_problem(&mut random, 30);
        let counts: Vec<u32> =
            (0..problem.cell_count()).map(|_| 1 + random.below(3) as u32).collect();
        let owners = owners(&problem, &counts);
        let contributions = Contributions::of_counts(problem.system(), &counts, problem.values());
        let problem = problem.with_contributors(counts).with_contributions(contributions);
        let pattern = Pattern::of_statuses(&problem);
        let outside = audit(&problem, &pattern, &budget(), &Silent).unwrap();
        let attack = contributor_attack(&problem, &pattern, &outside, &budget(), &Silent).unwrap();
        let mut expected = Vec::new();
        for owner in problem.system().cells() {
            let own: Vec<_> = pattern
                .suppressed()
                .filter(|cell| owners[cell.index()] == Some(owner.index()))
                .collect();
            let Some(&first) = own.first() else { continue };
            in_several += usize::from(own.len() > 1);
            let mut seen = pattern.clone();
            own.iter().for_each(|&cell| seen.publish(cell));
            for victim in &outside.primaries {
                if own.contains(&victim.cell) || victim.verdict != Verdict::Safe {
                    continue;
                }
                pairs += 1;
                let truth = truth(&problem, &seen, victim.cell);
                if !truth.safe {
                    let verdict = match truth.exact {
                        true => Verdict::ExposedExactly,
                        false => Verdict::ExposedWithin,
                    };
                    expected.push((first, victim.cell, verdict));
                }
            }
        }
        let found: Vec<_> = attack
            .unsafe_pairs
            .iter()
            .map(|pair| (pair.own_cell, pair.finding.cell, pair.finding.verdict))
            .collect();
        assert_eq!(found, expected, "case {case}");
    }
    assert!(pairs > 1_000, "only {pairs} pairs were tried");
    assert!(in_several > 100, "only {in_several} know several cells");
}

/// For cells with one contributor the first cell that must have the same: a total and its parts do
/// if all of them have one only, and so on.
fn owners(problem: &Problem, counts: &[u32]) -> Vec<Option<usize>> {
    let system = problem.system();
    let mut owners: Vec<Option<usize>> =
        counts.iter().enumerate().map(|(cell, &count)| (count == 1).then_some(cell)).collect();
    // A name goes on by at most one equation a round.
    for _ in 0..problem.cell_count() {
        for equation in system.equations() {
            for sign in [1, -1] {
                let cells = || system.cells_of(equation);
                let mut side = cells().filter(|cell| cell.1 * sign > 0);
                let (Some((total, _)), None) = (side.next(), side.next()) else { continue };
                let is_sum = system.right_hand_side(equation) == 0 && cells().count() > 1;
                if !is_sum || counts[total.index()] != 1 {
                    continue;
                }
                let same = cells().filter_map(|cell| owners[cell.0.index()]).min();
                for (cell, _) in cells().filter(|cell| counts[cell.0.index()] == 1) {
                    owners[cell.index()] = same;
                }
            }
        }
    }
    owners
}

#[test]
fn a_published_primary_is_exposed_whatever_its_levels() {
    for case in 0..50 {
        let problem = random_problem(&mut Random::new(16, case), 20);
        let mut pattern = Pattern::of_statuses(&problem);
        let Some(published) = problem.primaries().next() else { continue };
        pattern.publish(published);
        let audit = audit(&problem, &pattern, &budget(), &Silent).unwrap();
        assert_eq!(audit.primaries[0].cell, published);
        assert_eq!(audit.primaries[0].verdict, Verdict::ExposedExactly, "case {case}");
    }
}
