//! Whoever cancels a call does not wait for it, whatever it is doing; and what is not proven by
//! then is not called safe.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use quell::adjust::AdjustRequest;
use quell::audit::AuditOptions;
use quell::compare::{CompareOptions, Compared};
use quell::generate::{Cta, Ons, TableClass, generate};
use quell::suppress::SuppressOptions;
use quell::table_file::{self, Check};
use quell::{Budget, Cancel, Context, Error, Pattern, Problem, TableVerdict};

/// How long the call works before it is cancelled.
const WORKING: Duration = Duration::from_millis(300);

/// How long it may take to notice: a second is the promise, the rest is for busy machines and
/// builds that are not optimised.
const PATIENCE: Duration = Duration::from_secs(20);

/// A table of some 100,000 cells, made once.
fn large() -> &'static Problem {
    static TABLE: OnceLock<Problem> = OnceLock::new();
    TABLE.get_or_init(|| {
        let dimensions = ["50", "50", "41"].map(|size| size.parse().unwrap()).to_vec();
        generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1).unwrap()
    })
}

/// Every third cell and all primaries.
fn much_hidden(problem: &Problem) -> Pattern {
    let mut pattern = Pattern::of_primaries(problem);
    problem.system().cells().skip(1).step_by(3).for_each(|cell| pattern.suppress(cell));
    pattern
}

/// Does some work, which is cancelled while it is busy.
fn cancelled<T>(work: impl FnOnce(&Context<'_>) -> T) -> T {
    let cancel = Cancel::default();
    let context = Context::default().cancelled_by(&cancel);
    let begin = Instant::now();
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(WORKING);
            cancel.everything();
        });
        work(&context)
    });
    let late = begin.elapsed().saturating_sub(WORKING);
    assert!(late < PATIENCE, "returned {late:?} after it was cancelled");
    done
}

#[test]
fn a_cancelled_audit_is_not_proven() {
    let problem = large();
    let pattern = much_hidden(problem);
    let options = AuditOptions { contributors: true, intervals: true };
    let audited = cancelled(|context| quell::audit(problem, &pattern, &options, context).unwrap());
    assert_ne!(audited.verdict(), TableVerdict::Safe);
    assert_eq!(audited.intervals, None);
}

#[test]
fn cancelled_unpicking_returns() {
    let problem = large();
    let pattern = much_hidden(problem);
    let unpicked = cancelled(|context| quell::unpick(problem, &pattern, context));
    assert!(!unpicked.rooms.is_empty());
}

#[test]
fn a_cancelled_search_for_exposed_cells_calls_the_rest_exposed() {
    let problem = large();
    let exposed = cancelled(|context| quell::exposure(problem, context).unwrap());
    assert!(!exposed.decided);
}

#[test]
fn a_cancelled_suppression_is_not_proven() {
    let problem = large();
    for method in ["auto", "hypercube", "local-lp", "modular"] {
        let options = SuppressOptions { method: method.to_owned(), ..SuppressOptions::default() };
        let suppressed = cancelled(|context| quell::suppress(problem, &options, context).unwrap());
        assert_ne!(suppressed.verdict(), TableVerdict::Safe, "{method}");
        assert!(!suppressed.summary.safe, "{method}");
    }
}

#[test]
fn a_cancelled_comparison_says_what_was_not_run() {
    let problem = large();
    let compared =
        cancelled(|context| quell::compare(problem, &CompareOptions::default(), context).unwrap());
    assert!(matches!(compared.last(), Some(Compared::NotRun { .. })));
    assert!(compared.iter().all(|row| !matches!(row, Compared::Done(done) if done.safe)));
}

#[test]
fn a_cancelled_adjustment_gives_what_it_has() {
    let class = TableClass::Cta(Cta { sizes: vec![49, 49, 39], ..Cta::default() });
    let problem = generate(&class, 1).unwrap();
    let request = AdjustRequest { attack: true, ..AdjustRequest::default() };
    let adjusted = cancelled(|context| quell::adjust(&problem, &request, context));
    match adjusted {
        // What it has keeps all that is asked: the audit takes no budget.
        Ok(adjusted) => assert!(adjusted.is_safe()),
        Err(error) => assert!(
            matches!(error, Error::Adjust(quell_adjust::Error::NotFound)),
            "another failure: {error}"
        ),
    }
}

/// A budget that somebody has cancelled.
fn over() -> Budget {
    let cancel = Cancel::default();
    cancel.everything();
    Budget::default().with_cancel(cancel.flag().clone())
}

#[test]
fn a_cancelled_reader_leaves_the_rest_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["table.jj", "table.csv"] {
        let file = folder.path().join(name);
        table_file::write(&file, large()).unwrap();
        let read = table_file::read_within(&file, Check::Table, &over());
        assert!(read.unwrap_err().is_stopped(), "{name}");
        let context = Context { budget: over(), ..Context::default() };
        let again = quell::convert(&file, &folder.path().join("again.jj"), Check::Table, &context);
        assert!(again.unwrap_err().is_stopped(), "{name}");
        assert!(!folder.path().join("again.jj").exists());
        // Nobody cancels, nothing is left.
        let read = table_file::read_within(&file, Check::Table, &Budget::default()).unwrap();
        assert_eq!(read.cell_count(), large().cell_count(), "{name}");
    }
}
