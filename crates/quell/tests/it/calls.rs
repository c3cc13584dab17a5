//! The calls for single tables.

use std::time::Duration;

use quell::audit::AuditOptions;
use quell::compare::{CompareOptions, Compared};
use quell::generate::{Ons, TableClass, generate};
use quell::suppress::SuppressOptions;
use quell::{Budget, Cancel, CheckpointPlace, Context, Error, Pattern, Problem, TableVerdict};

/// A table of three dimensions that every method treats quickly.
fn small() -> Problem {
    let dimensions = ["7", "6", "5"].map(|size| size.parse().unwrap()).to_vec();
    generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1).unwrap()
}

#[test]
fn an_audit_without_time_proves_nothing() {
    let problem = small();
    let suppressed =
        quell::suppress(&problem, &SuppressOptions::default(), &Context::default()).unwrap();
    let budget = Budget::default().with_time(Duration::ZERO);
    let context = Context { budget, ..Context::default() };
    let audited =
        quell::audit(&problem, suppressed.pattern(), &AuditOptions::default(), &context).unwrap();
    assert_eq!(audited.verdict(), TableVerdict::NotProven);
}

#[test]
fn a_suppression_without_time_is_not_proven() {
    let problem = small();
    let budget = Budget::default().with_time(Duration::ZERO);
    let context = Context { budget, ..Context::default() };
    let options = SuppressOptions { method: "hypercube".to_owned(), ..SuppressOptions::default() };
    let suppressed = quell::suppress(&problem, &options, &context).unwrap();
    assert_eq!(suppressed.verdict(), TableVerdict::NotProven);
    assert_eq!((suppressed.summary.safe, suppressed.summary.verdict), (false, "not-proven"));
}

#[test]
fn a_search_that_was_ended_is_still_audited() {
    let problem = small();
    let cancel = Cancel::default();
    cancel.search();
    let context = Context::default().cancelled_by(&cancel);
    let options = SuppressOptions { method: "hypercube".to_owned(), ..SuppressOptions::default() };
    let suppressed = quell::suppress(&problem, &options, &context).unwrap();
    assert_eq!(suppressed.verdict(), TableVerdict::Safe);
}

#[test]
fn a_comparison_goes_on_after_a_method_that_declines() {
    let problem = small();
    let methods = ["gensup", "hypercube", "heurgene"].map(str::to_owned).to_vec();
    let options = CompareOptions { methods, ..CompareOptions::default() };
    let compared = quell::compare(&problem, &options, &Context::default()).unwrap();
    let [Compared::Declined { declined, .. }, Compared::Done(done), Compared::Declined { .. }] =
        compared.as_slice()
    else {
        panic!("{compared:?}");
    };
    assert!(declined.contains("two-way"), "{declined}");
    assert!(done.safe && !compared[0].is_open());
}

#[test]
fn a_method_without_checkpoints_refuses_a_place_for_them() {
    let problem = small();
    let folder = tempfile::tempdir().unwrap();
    let place = CheckpointPlace { file: folder.path().join("state"), resume: false };
    let context = Context { checkpoints: Some(place), ..Context::default() };
    let options = SuppressOptions { method: "hypercube".to_owned(), ..SuppressOptions::default() };
    let error = quell::suppress(&problem, &options, &context).unwrap_err();
    assert!(
        matches!(&error, Error::Arguments { message, .. } if message.contains("no checkpoints"))
    );
}

#[test]
fn contributors_that_are_not_known_cannot_be_audited() {
    let class = TableClass::Random { size: 30, shape: None };
    let problem = generate(&class, 1).unwrap();
    let options = AuditOptions { contributors: true, ..AuditOptions::default() };
    let pattern = Pattern::of_primaries(&problem);
    let result = quell::audit(&problem, &pattern, &options, &Context::default());
    match problem.contributors() {
        None => assert!(result.unwrap_err().to_string().contains("how many contributed")),
        Some(_) => assert!(result.is_ok()),
    }
}
