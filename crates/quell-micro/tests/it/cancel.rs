//! Work on a large file ends soon after the user asks for it, whatever it is doing, and what it
//! gives back then is safe.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quell_micro::recode::choose::{ChoiceRequest, choose};
use quell_micro::recode::loss::Measure;
use quell_micro::recode::tree::Ladder;
use quell_micro::risk::{frequency, suda};
use quell_micro::{
    Column, Combinations, Error, Importance, KeySet, Meaning, Microdata, Objective, Request,
    Result, Suppressions, Threshold, safety, suppress, suppress_within,
};
use quell_model::{Budget, Progress, Random, Silent, Stop};

const RECORDS: usize = 200_000;

/// When the user loses patience.
const AFTER: Duration = Duration::from_millis(300);

/// Far more than it takes: this tells work that does not listen from work that does, and not how busy
/// the machine is.
const BOUND: Duration = Duration::from_secs(60);

fn file(records: usize) -> Microdata {
    let categories = [2, 90, 400, 6, 12, 20, 8, 40];
    let column = |key: usize| {
        let mut random = Random::new(5, key as u64);
        let code = |_| {
            let share = random.uniform();
            (share * share * f64::from(categories[key])) as u32
        };
        let codes = (0..records).map(code).collect();
        Column::from_codes(&format!("v{key}"), codes, categories[key]).unwrap()
    };
    let data = Microdata::new((0..categories.len()).map(column).collect()).unwrap();
    let houses = (0..records as u32).map(|record| record / 3).collect();
    let houses = Column::from_codes("house", houses, records as u32 / 3 + 1).unwrap();
    data.with_household(houses).unwrap()
}

/// What work gives back when it is cancelled, having ended in time.
fn cancelled<T>(what: &str, work: impl FnOnce(&Budget) -> Result<T>) -> Option<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget::default().with_cancel(Arc::clone(&cancel));
    let asked = std::thread::spawn(move || {
        std::thread::sleep(AFTER);
        cancel.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let result = work(&budget);
    let ended = Instant::now();
    let late = ended.saturating_duration_since(asked.join().unwrap());
    assert!(late < BOUND, "{what} ended {late:?} after it was cancelled");
    match result {
        Ok(value) => Some(value),
        Err(Error::Stopped(Stop::Cancelled)) => None,
        Err(error) => panic!("{what}: {error}"),
    }
}

#[test]
fn suppression_ends_soon_with_a_safe_file_or_none() {
    let data = file(RECORDS);
    let combinations = Combinations::up_to(8, 3, Threshold::FewerThan(5)).unwrap();
    for meaning in Meaning::ALL {
        let objectives =
            if meaning == Meaning::Static { &Objective::ALL[..] } else { &Objective::ALL[..1] };
        for &objective in objectives {
            for household in [KeySet::EMPTY, KeySet(0b10)] {
                if meaning == Meaning::IdenticalTuple && !household.is_empty() {
                    continue;
                }
                let request = Request {
                    data: &data,
                    combinations: &combinations,
                    meaning,
                    objective,
                    importance: &Importance::equal(),
                    household,
                };
                let what = format!("{objective:?}, {meaning:?}, {household:?}");
                let found = cancelled(&what, |budget| suppress(&request, budget, &Silent));
                let Some(found) = found else { continue };
                if meaning == Meaning::Static {
                    let budget = Budget::default();
                    let (hidden, meaning) = (&found.suppressions, Meaning::Static);
                    let left =
                        safety::violations(&data, hidden, &combinations, meaning, &budget, &Silent);
                    assert!(left.unwrap().is_empty(), "{what}");
                }
            }
        }
    }
}

fn request<'a>(
    data: &'a Microdata,
    combinations: &'a Combinations,
    ladders: &'a [Ladder],
) -> ChoiceRequest<'a> {
    ChoiceRequest { data, combinations, ladders, measure: &Measure::Entropy, importance: &[] }
}

/// A user who loses patience when a stage begins.
struct StopsAt<'a> {
    stage: &'a str,
    cancel: Arc<AtomicBool>,
}

impl Progress for StopsAt<'_> {
    fn stage(&self, name: &str, _total: Option<u64>) {
        if name == self.stage {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    fn advance(&self, _steps: u64) {}
}

/// A budget that is cancelled when a stage begins, and who does it.
fn cancelled_at(stage: &str) -> (Budget, StopsAt<'_>) {
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget::default().with_cancel(Arc::clone(&cancel));
    (budget, StopsAt { stage, cancel })
}

#[test]
fn a_search_that_is_cancelled_at_once_gives_a_safe_file() {
    let data = file(8_000);
    let combinations = Combinations::up_to(8, 2, Threshold::FewerThan(5)).unwrap();
    for objective in Objective::ALL {
        for (meaning, household) in [
            (Meaning::Static, KeySet::EMPTY),
            (Meaning::Static, KeySet(0b10)),
            (Meaning::Wildcard, KeySet(0b10)),
            (Meaning::IdenticalTuple, KeySet::EMPTY),
        ] {
            let request = Request {
                data: &data,
                combinations: &combinations,
                meaning,
                objective,
                importance: &Importance::equal(),
                household,
            };
            let (budget, user) = cancelled_at("choosing what to suppress");
            let found = suppress(&request, &budget, &user).unwrap();
            let proved = found.proved;
            assert!(!proved || found.weight <= found.bound, "{objective:?}, {meaning:?}");
            let budget = Budget::default();
            let hidden = &found.suppressions;
            let left = safety::violations(&data, hidden, &combinations, meaning, &budget, &Silent);
            assert!(left.unwrap().is_empty(), "{objective:?}, {meaning:?}");
        }
    }
}

#[test]
fn a_search_that_is_ended_has_its_result_verified_with_a_budget_of_its_own() {
    let data = file(8_000);
    let combinations = Combinations::up_to(8, 2, Threshold::FewerThan(5)).unwrap();
    let request = Request {
        data: &data,
        combinations: &combinations,
        meaning: Meaning::Static,
        objective: Objective::Categories,
        importance: &Importance::equal(),
        household: KeySet::EMPTY,
    };
    let (search, user) = cancelled_at("choosing what to suppress");
    assert!(suppress_within(&request, &search, &Budget::default(), &user).is_ok());
    let late = Budget::default().with_time(Duration::ZERO);
    // It takes less than the moment that a spent budget is overrun by.
    assert!(suppress_within(&request, &Budget::default(), &late, &Silent).is_ok());
}

#[test]
fn recoding_that_is_cancelled_after_its_first_choice_gives_that() {
    let data = file(8_000);
    let combinations = Combinations::up_to(8, 2, Threshold::FewerThan(5)).unwrap();
    let ladder = |column: &Column| Ladder::truncating(column).unwrap();
    let ladders: Vec<Ladder> = data.keys().iter().map(ladder).collect();
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget::default().with_cancel(Arc::clone(&cancel));
    // A step of progress is a choice that is counted.
    struct AfterFirst(Arc<AtomicBool>);
    impl Progress for AfterFirst {
        fn stage(&self, _name: &str, _total: Option<u64>) {}

        fn advance(&self, _steps: u64) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let request = request(&data, &combinations, &ladders);
    let user = AfterFirst(cancel);
    let found = choose(&request, &budget, &user).unwrap();
    assert!(!found.proved && found.bound <= found.loss());
    assert_eq!(found.evaluated, 1);
}

#[test]
fn recoding_ends_soon() {
    let data = file(RECORDS);
    let combinations = Combinations::up_to(8, 3, Threshold::FewerThan(5)).unwrap();
    let lines: Vec<Vec<String>> = (0..400)
        .map(|code| [1, 2, 4, 8, 16].iter().map(|by| (code / by).to_string()).collect())
        .collect();
    let ladder = |column: &Column| Ladder::from_lines(lines.clone(), column, "").unwrap();
    let ladders: Vec<Ladder> = data.keys().iter().map(ladder).collect();
    let request = request(&data, &combinations, &ladders);
    cancelled("recoding", |budget| choose(&request, budget, &Silent));
}

#[test]
fn measures_and_verification_end_soon() {
    let data = file(RECORDS);
    let none = Suppressions::default();
    cancelled("suda", |budget| suda::suda(&data, 6, 0.01, budget, &Silent));
    let hides = Suppressions::new(
        (0..RECORDS as u32)
            .map(|record| (record, KeySet(u64::from(record.wrapping_mul(2_654_435_761) >> 24)))),
    );
    cancelled("frequencies", |budget| {
        frequency::frequencies(&data, &hides, Meaning::Wildcard, budget)
    });
    let combinations = Combinations::up_to(8, 4, Threshold::FewerThan(5)).unwrap();
    for meaning in Meaning::ALL {
        for hides in [&none, &hides] {
            cancelled("verification", |budget| {
                safety::violations(&data, hides, &combinations, meaning, budget, &Silent)
            });
        }
    }
}

#[test]
fn a_file_that_is_not_counted_in_time_is_not_called_safe() {
    let data = file(RECORDS);
    let combinations = Combinations::up_to(8, 3, Threshold::FewerThan(5)).unwrap();
    let request = Request {
        data: &data,
        combinations: &combinations,
        meaning: Meaning::Static,
        objective: Objective::Suppressions,
        importance: &Importance::equal(),
        household: KeySet::EMPTY,
    };
    let budget = Budget::default().with_time(Duration::ZERO);
    let error = suppress(&request, &budget, &Silent).unwrap_err();
    assert!(matches!(error, Error::Stopped(Stop::Deadline)), "{error}");
}
