//! Whoever cancels a job is obeyed, whatever it is doing.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use quell::job::file::{DimensionPart, GivenPart, TablePart, TotalsChoice};
use quell::{Budget, Cancel, Context, Error, Job, Progress, TableVerdict};
use quell_tabulate::{LinkError, linked, linked_within};

/// Codes of each of three dimensions: with their totals there are some 100,000 cells.
const CODES: usize = 45;

/// Generous, for a busy machine and code that is not optimised.
const SOON: Duration = Duration::from_secs(30);

/// Cancels a little after a stage begins.
struct CancelIn {
    stage: &'static str,
    after: Duration,
    cancel: Cancel,
    cancelled: Arc<Mutex<Option<Instant>>>,
}

impl CancelIn {
    fn new(stage: &'static str, after: Duration) -> Self {
        Self { stage, after, cancel: Cancel::default(), cancelled: Arc::default() }
    }

    /// How long ago it cancelled.
    fn elapsed(&self) -> Duration {
        let cancelled = *self.cancelled.lock().unwrap();
        cancelled.expect("the stage was never reached").elapsed()
    }
}

impl Progress for CancelIn {
    fn stage(&self, name: &str, _total: Option<u64>) {
        if name != self.stage {
            return;
        }
        let (cancel, cancelled, after) =
            (self.cancel.clone(), Arc::clone(&self.cancelled), self.after);
        std::thread::spawn(move || {
            std::thread::sleep(after);
            cancelled.lock().unwrap().get_or_insert_with(Instant::now);
            cancel.everything();
        });
    }

    fn advance(&self, _steps: u64) {}
}

/// A large table in memory.
fn job() -> Job {
    let all = CODES * CODES * CODES;
    let code = |cell: usize, dimension: u32| format!("{}", cell / CODES.pow(dimension) % CODES);
    let codes = |dimension: u32| {
        let codes = (0..all).map(|cell| code(cell, dimension));
        Arc::new(StringArray::from_iter_values(codes)) as ArrayRef
    };
    let value = |cell: usize| (cell * 7919 % 997 + 3) as i64;
    let status = |cell: usize| if value(cell) < 60 { "U" } else { "S" };
    let cells = RecordBatch::try_from_iter([
        ("a", codes(0)),
        ("b", codes(1)),
        ("c", codes(2)),
        ("value", Arc::new(Int64Array::from_iter_values((0..all).map(value))) as ArrayRef),
        ("status", Arc::new(StringArray::from_iter_values((0..all).map(status))) as ArrayRef),
    ])
    .unwrap();
    let given = GivenPart::of("cells").status("status").totals(TotalsChoice::Recompute);
    Job::builder()
        .dimension(DimensionPart::flat("a"))
        .dimension(DimensionPart::flat("b"))
        .dimension(DimensionPart::flat("c"))
        .table(TablePart::adding("Large", "value", ["a", "b", "c"]).given(given))
        .build(".")
        .unwrap()
        .with_records("cells", vec![cells])
}

#[test]
fn a_job_cancelled_before_there_is_a_table_ends_without_one() {
    let progress = CancelIn::new("applying the rules", Duration::ZERO);
    let context = Context { progress: &progress, ..Context::default() };
    let result = quell::run(&job(), &context.cancelled_by(&progress.cancel));
    assert!(progress.elapsed() < SOON, "{:?}", progress.elapsed());
    match result {
        Err(error) => assert!(error.is_stopped(), "{error}"),
        Ok(release) => assert_ne!(release.verdict(), TableVerdict::Safe),
    }
}

#[test]
fn a_job_cancelled_while_it_searches_is_not_proven() {
    for after in [Duration::ZERO, Duration::from_millis(700)] {
        let progress = CancelIn::new("protecting", after);
        let context = Context { progress: &progress, ..Context::default() };
        let release = quell::run(&job(), &context.cancelled_by(&progress.cancel)).unwrap();
        assert!(progress.elapsed() < SOON, "{:?}", progress.elapsed());
        assert_ne!(release.verdict(), TableVerdict::Safe);
        let place = tempfile::tempdir().unwrap();
        let refused = release.write(place.path().join("out"));
        assert!(matches!(refused, Err(Error::NotSafe(_))), "{refused:?}");
    }
}

#[test]
fn cancelled_linking_leaves_the_rest_of_the_cells() {
    let tables = quell::tabulate(&job(), &Context::default()).unwrap().tables;
    let cancel = Cancel::default();
    cancel.everything();
    let budget = Budget::default().with_cancel(Arc::clone(cancel.flag()));
    let stopped = linked_within(&tables, &[], &budget);
    assert!(matches!(stopped, Err(LinkError::Stopped(_))), "{stopped:?}");
    assert!(Error::from(stopped.unwrap_err()).is_stopped());
    assert_eq!(linked_within(&tables, &[], &Budget::default()), linked(&tables, &[]));
}
