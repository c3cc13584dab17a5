//! A progress bar on the standard error: only on a terminal, only for stages that take
//! longer than a second.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar as Bar, ProgressStyle};
use quell::{Progress, Standing};

/// How long a stage may take before it is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// Shows progress until dropped.
///
/// Workers only count; a thread of its own looks at it now and then.
pub struct ProgressBar {
    shared: Arc<Shared>,
    watcher: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    stage: Mutex<Stage>,
    done: AtomicU64,
    ended: Condvar,
}

#[derive(Default)]
struct Stage {
    name: String,
    total: Option<u64>,
    began: Option<Instant>,
    standing: Option<Standing>,
    number: u64,
    over: bool,
}

impl Shared {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProgressBar {
    /// A bar on the standard error, or nothing if that is no terminal.
    pub fn new() -> Self {
        let shared = Arc::new(Shared::default());
        let watcher = std::io::stderr().is_terminal().then(|| {
            let shared = Arc::clone(&shared);
            // Without room for a thread there is no bar.
            std::thread::Builder::new().spawn(move || watch(&shared)).ok()
        });
        Self { shared, watcher: watcher.flatten() }
    }
}

impl Default for ProgressBar {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress for ProgressBar {
    fn stage(&self, name: &str, total: Option<u64>) {
        let mut stage = self.shared.stage();
        self.shared.done.store(0, Ordering::Relaxed);
        stage.name = name.to_owned();
        stage.total = total;
        stage.began = Some(Instant::now());
        stage.standing = None;
        stage.number += 1;
    }

    fn advance(&self, steps: u64) {
        self.shared.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn standing(&self, standing: &Standing) {
        self.shared.stage().standing = Some(*standing);
    }
}

impl Stage {
    /// What the bar says: the stage, its steps if no bar shows them, and how far a search is.
    fn message(&self, done: u64) -> String {
        let mut message = self.name.clone();
        if self.total.is_none() && done > 0 {
            message += &format!(" {done}");
        }
        if let Some(Standing { cost, exposed, bound }) = self.standing {
            message += &format!(", cost {cost:.0}");
            if exposed > 0 {
                message += &format!(", {exposed} exposed");
            }
            if bound > 0.0 {
                message += &format!(", at least {bound:.0}");
            }
        }
        message
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.shared.stage().over = true;
        self.shared.ended.notify_all();
        if let Some(watcher) = self.watcher.take() {
            // A bar that fails to draw is no reason to fail.
            let _ = watcher.join();
        }
    }
}

fn watch(shared: &Shared) {
    let mut shown: Option<(u64, Bar)> = None;
    let mut stage = shared.stage();
    while !stage.over {
        if let Some((number, bar)) = &shown {
            if *number == stage.number {
                let done = shared.done.load(Ordering::Relaxed);
                bar.set_position(done);
                bar.set_message(stage.message(done));
                bar.tick();
            } else {
                bar.finish_and_clear();
                shown = None;
            }
        } else if stage.began.is_some_and(|began| began.elapsed() >= PATIENCE) {
            shown = Some((stage.number, bar(&stage)));
        }
        stage = match shared.ended.wait_timeout(stage, TICK) {
            Ok((stage, _)) => stage,
            Err(poisoned) => poisoned.into_inner().0,
        };
    }
    if let Some((_, bar)) = shown {
        bar.finish_and_clear();
    }
}

fn bar(stage: &Stage) -> Bar {
    let (bar, template) = match stage.total {
        Some(total) => (Bar::new(total), "{msg} {wide_bar} {human_pos}/{human_len} {eta}"),
        None => (Bar::new_spinner(), "{spinner} {msg} {elapsed}"),
    };
    let bar = bar.with_elapsed(stage.began.map_or(PATIENCE, |began| began.elapsed()));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(stage.name.clone());
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_without_terminal_takes_everything_and_ends() {
        let bar = ProgressBar::new();
        bar.stage("reading", Some(10));
        bar.advance(3);
        bar.advance(4);
        assert_eq!(bar.shared.done.load(Ordering::Relaxed), 7);
        bar.stage("working", None);
        assert_eq!(bar.shared.done.load(Ordering::Relaxed), 0);
        drop(bar);
    }

    #[test]
    fn a_search_tells_its_cost_what_is_exposed_and_its_bound() {
        let bar = ProgressBar::new();
        bar.stage("improving", None);
        assert_eq!(bar.shared.stage().message(0), "improving");
        bar.standing(&Standing { cost: 1234.6, exposed: 7, bound: 1000.0 });
        let message = bar.shared.stage().message(3);
        assert_eq!(message, "improving 3, cost 1235, 7 exposed, at least 1000");
        bar.standing(&Standing { cost: 1234.6, ..Standing::default() });
        assert_eq!(bar.shared.stage().message(0), "improving, cost 1235");
        bar.stage("auditing", Some(5));
        assert_eq!(bar.shared.stage().message(4), "auditing");
    }

    #[test]
    fn the_watcher_ends_with_its_bar() {
        let shared = Arc::new(Shared::default());
        let thread = {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || watch(&shared))
        };
        shared.stage().over = true;
        shared.ended.notify_all();
        assert!(thread.join().is_ok());
    }
}
