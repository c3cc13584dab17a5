use quell_adjust::{Breach, Options, adjust, attack, audit, method, quality};
use quell_model::{Budget, Silent};

use crate::tables;

#[test]
fn the_audit_sees_every_kind_of_breach() {
    let problem = tables::small(&[4, 4], 0.4, 20.0, 2);
    let options = Options::default();
    let budget = Budget::default().with_threads(1);
    let found =
        adjust(method("ordering").unwrap().as_ref(), &problem, &options, &budget, &Silent).unwrap();
    assert!(audit(&problem, &options, &found.values).unwrap().is_safe());
    // Untouched values are additive but not safe.
    let untouched = audit(&problem, &options, problem.values()).unwrap();
    assert!(untouched.breaches.iter().all(|breach| matches!(breach, Breach::NotSafe { .. })));
    assert!(!untouched.is_safe());
    // One unit off: no longer additive.
    let mut wrong = found.values.clone();
    wrong[0] += 1;
    let breaches = audit(&problem, &options, &wrong).unwrap().breaches;
    assert!(breaches.iter().any(|breach| matches!(breach, Breach::NotAdditive { .. })));
    // Far away: outside its limits.
    wrong[0] += 1_000_000;
    let breaches = audit(&problem, &options, &wrong).unwrap().breaches;
    assert!(breaches.iter().any(|breach| matches!(breach, Breach::OutsideLimits { .. })));
    assert!(audit(&problem, &options, &wrong[1..]).is_err());
}

#[test]
fn a_lone_sensitive_cell_between_fixed_ones_is_certain_to_nobody() {
    let problem = tables::small(&[6, 6], 0.3, 20.0, 1);
    let options = Options::default();
    let budget = Budget::default().with_threads(1);
    let found =
        adjust(method("auto").unwrap().as_ref(), &problem, &options, &budget, &Silent).unwrap();
    let attack = attack(&problem, &options, &found.values, &budget, &Silent).unwrap();
    assert_eq!(attack.not_attacked, 0);
    assert!(!attack.inferences.is_empty());
    assert!(attack.certain() < attack.inferences.len());
    assert!((0.0..=1.0).contains(&attack.right()));
}

#[test]
fn quality_of_an_untouched_table_is_perfect() {
    let problem = tables::small(&[4, 3], 0.4, 20.0, 2);
    let same = quality(&problem, problem.values());
    assert_eq!(same.levels.len(), 3);
    assert!(same.levels.iter().all(|level| level.changed == 0 && level.absolute == 0.0));
    assert!((same.correlation - 1.0).abs() < 1e-12 && (same.slope - 1.0).abs() < 1e-12);
    let mut other = problem.values().to_vec();
    other[0] += 10;
    let changed = quality(&problem, &other);
    assert_eq!(changed.levels[2].changed, 1);
    assert!(changed.total_percent > 0.0);
}
