//! Whoever waits for tables of a million records may stop waiting, whatever is being done.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quell_model::{Budget, Progress, Silent, Stop};
use quell_tabulate::{
    Error, Frequency, Resources, Rules, Spec, assess_all_within, distinct_codes, tabulate,
};
use tempfile::NamedTempFile;

use crate::survey::{file, spec, table, turnover};

const RECORDS: u64 = 1_000_000;

/// A million records of a quarter as many firms and some thousand groups.
fn records() -> NamedTempFile {
    let mut text = String::from("firm,group,branch,town,turnover,domestic,export,weight\n");
    let (branches, towns) = (["11", "12", "21"], ["N1", "N2", "S1"]);
    for record in 0..RECORDS {
        let firm = record * 7_919 % 250_007;
        let at = |number: u64| (number % 3) as usize;
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "f{firm},g{},{},{},{},1,0,1",
            firm % 5_003,
            branches[at(firm)],
            towns[at(record)],
            firm % 977
        );
    }
    file(&text)
}

fn of(file: &NamedTempFile) -> Spec {
    spec(file.path(), vec![table("turnover", &["branch", "town"], "turnover")])
}

/// Raises the flag at a stage, once so many of its steps are done; remembers what it was told.
struct Raises<'a> {
    budget: &'a Budget,
    stage: &'a str,
    steps: u64,
    seen: Mutex<Vec<(String, u64)>>,
    raised: Mutex<Option<Instant>>,
}

impl<'a> Raises<'a> {
    fn at(budget: &'a Budget, stage: &'a str, steps: u64) -> Self {
        Self { budget, stage, steps, seen: Mutex::default(), raised: Mutex::default() }
    }

    fn look(&self, seen: &[(String, u64)]) {
        if seen.last().is_some_and(|(stage, done)| stage == self.stage && *done >= self.steps) {
            self.budget.cancel_flag().store(true, Ordering::Relaxed);
            self.raised.lock().unwrap().get_or_insert_with(Instant::now);
        }
    }
}

impl Progress for Raises<'_> {
    fn stage(&self, name: &str, _total: Option<u64>) {
        let mut seen = self.seen.lock().unwrap();
        seen.push((name.to_owned(), 0));
        self.look(&seen);
    }

    fn advance(&self, steps: u64) {
        let mut seen = self.seen.lock().unwrap();
        if let Some((_, done)) = seen.last_mut() {
            *done += steps;
        }
        self.look(&seen);
    }
}

#[test]
fn a_million_records_are_left_at_once_at_every_stage() {
    let file = records();
    let stages = [
        ("reading records", 1),
        ("merging records of one respondent", 0),
        ("merging records of one respondent", RECORDS),
        ("merging records of one holding", 1),
        ("adding up totals", 0),
    ];
    for (stage, steps) in stages {
        let budget = Budget::default().with_threads(2);
        let raises = Raises::at(&budget, stage, steps);
        let resources =
            Resources { budget: budget.clone(), progress: &raises, ..Resources::default() };
        let error = tabulate(&of(&file), &resources).unwrap_err();
        assert!(matches!(error, Error::Stopped(Stop::Cancelled)), "{stage}: {error}");
        let raised = raises.raised.lock().unwrap().expect("it was never stopped");
        assert!(raised.elapsed() < Duration::from_secs(30), "{stage}: {:?}", raised.elapsed());
    }
}

/// Adds up what it is told.
#[derive(Default)]
struct Counts(AtomicU64);

impl Progress for Counts {
    fn stage(&self, _name: &str, _total: Option<u64>) {}

    fn advance(&self, steps: u64) {
        self.0.fetch_add(steps, Ordering::Relaxed);
    }
}

#[test]
fn every_record_is_told_once_a_pass() {
    let file = file(crate::survey::FIRMS);
    let counts = Counts::default();
    let resources = Resources { progress: &counts, ..Resources::default() };
    assert_eq!(tabulate(&of(&file), &resources).unwrap().records, 7);
    // Read once, and sorted twice: by firm and by group.
    assert_eq!(counts.0.into_inner(), 3 * 7);
}

#[test]
fn nothing_begins_when_the_flag_is_up() {
    let file = file(crate::survey::FIRMS);
    let budget = Budget::default();
    budget.cancel_flag().store(true, Ordering::Relaxed);
    let resources = Resources { budget: budget.clone(), progress: &Silent, ..Resources::default() };
    let stopped = |error: Error| matches!(error, Error::Stopped(Stop::Cancelled));
    assert!(stopped(tabulate(&of(&file), &resources).unwrap_err()));
    assert!(stopped(distinct_codes(&of(&file).records, &["branch"], &resources).unwrap_err()));
    let rules = Rules::default().with(Frequency { minimum: 3.0, margin: 20.0 });
    assert!(stopped(assess_all_within(&turnover(), &rules, &budget).unwrap_err()));
}
