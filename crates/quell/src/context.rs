//! What a call of the library may use, whom it tells how far it is, and where it keeps its state.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quell_formats::{PrivateFolder, sweep};
use quell_model::{Budget, Problem, Progress, Silent, Stop};
use quell_suppress::time_for_audit;

use crate::Error;

/// The share of the time that the search leaves to the audit: without a verdict its work is lost.
const AUDIT_SHARE: f64 = 1.0 / 3.0;

/// What the names of folders begin with that hold what does not fit into memory.
const SPILL: &str = "quell-spill-";

/// What a call may use and whom it tells.
///
/// The default has no limits, tells nobody and keeps nothing:
///
/// ```
/// use std::time::Duration;
///
/// use quell::{Budget, Cancel, Context};
///
/// let budget = Budget::default().with_time(Duration::from_secs(60));
/// let cancel = Cancel::default();
/// let context = Context { budget, ..Context::default() }.cancelled_by(&cancel);
/// assert_eq!(context.budget.stop(), None);
/// // On another thread, while a call is busy:
/// cancel.everything();
/// assert!(context.budget.stop().is_some());
/// ```
#[derive(Clone)]
pub struct Context<'a> {
    /// Time, effort, threads and chance, and the flag that cancels the call. It reaches
    /// everything: reading, tabulation, the search, every audit.
    pub budget: Budget,
    /// Ends the search alone when raised: what it has found by then is still audited. Only
    /// [`Cancel`] should raise it, because cancelling the call must raise it too.
    pub end_of_search: Option<Arc<AtomicBool>>,
    /// Who is told how far the call is.
    pub progress: &'a dyn Progress,
    /// Where a long search keeps its state, if anywhere.
    pub checkpoints: Option<CheckpointPlace>,
    /// Who is told of temporary folders, if anybody.
    pub temporary: Option<&'a dyn TemporaryFolders>,
}

/// Where a long search keeps its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointPlace {
    /// The file; it tells how far cells can move, so it stays in the office.
    pub file: PathBuf,
    /// Whether to go on from what an earlier search left there; otherwise a file that exists is
    /// refused, so that hours of work are not overwritten.
    pub resume: bool,
}

/// Is told of every temporary folder, so that whoever ends the program at once can remove
/// what would stay behind.
pub trait TemporaryFolders: Sync {
    /// A folder was made. It may be gone again when the program ends.
    fn made(&self, folder: &Path);

    /// It must stay from now on: it tells the next run what is to be finished.
    fn settled(&self, folder: &Path);
}

/// Cancels a call from another thread. Clones cancel the same call.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    search: Arc<AtomicBool>,
    everything: Arc<AtomicBool>,
}

impl Cancel {
    /// Ends the search; the best it has found is still audited.
    pub fn search(&self) {
        self.search.store(true, Ordering::Relaxed);
    }

    /// Ends the call, its audit included: what is not proven by then is *not proven*.
    pub fn everything(&self) {
        self.search();
        self.everything.store(true, Ordering::Relaxed);
    }

    /// Whether the search was ended, alone or with everything.
    pub fn is_search_ended(&self) -> bool {
        self.search.load(Ordering::Relaxed)
    }

    /// The flag that ends the call, for a [`Budget`] of its own.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.everything
    }
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self {
            budget: Budget::default(),
            end_of_search: None,
            progress: &Silent,
            checkpoints: None,
            temporary: None,
        }
    }
}

impl Context<'_> {
    /// The same context, cancelled by `cancel` alone.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.budget = self.budget.with_cancel(Arc::clone(&cancel.everything));
        self.end_of_search = Some(Arc::clone(&cancel.search));
        self
    }

    /// What a search may use: all but the share of the time that is kept for the audit.
    pub fn search_budget(&self) -> Budget {
        let left = self.budget.time_left().unwrap_or_default();
        self.until_search_ends(self.budget.keeping_back(left.mul_f64(AUDIT_SHARE), 0))
    }

    /// The same where the table is known: the audit of a small one takes less than its share.
    pub fn search_budget_for(&self, problem: &Problem) -> Budget {
        let left = self.budget.time_left().unwrap_or_default();
        let audit = time_for_audit(problem).min(left.mul_f64(AUDIT_SHARE));
        self.until_search_ends(self.budget.keeping_back(audit, 0))
    }

    /// What a search may use if judging its result takes no time worth speaking of.
    pub fn whole_search_budget(&self) -> Budget {
        self.until_search_ends(self.budget.clone())
    }

    fn until_search_ends(&self, budget: Budget) -> Budget {
        match &self.end_of_search {
            Some(flag) => budget.with_cancel(Arc::clone(flag)),
            None => budget,
        }
    }

    /// What an audit may use: the time that is left, and whatever effort it takes. A limit of
    /// effort is the search's: a release must not depend on what its audit had to do.
    pub fn audit_budget(&self) -> Budget {
        let budget = Budget::default()
            .with_threads(self.budget.threads())
            .with_seed(self.budget.seed())
            .with_cancel(Arc::clone(self.budget.cancel_flag()));
        match self.budget.time_left() {
            Some(left) => budget.with_time(left),
            None => budget,
        }
    }

    /// Asked between the steps of work that cannot be cancelled within.
    ///
    /// # Errors
    /// If the call is cancelled ([`Error::Stopped`]).
    pub fn go_on(&self) -> Result<(), Error> {
        match self.budget.stop() {
            Some(Stop::Cancelled) => Err(Error::Stopped),
            _ => Ok(()),
        }
    }

    /// Removes what dead processes left in the system's folder for temporary files.
    pub(crate) fn clean_up() {
        sweep(&std::env::temp_dir(), SPILL);
    }

    /// A private folder for what does not fit into memory, in the system's folder for temporary
    /// files; none if it cannot be made there.
    pub(crate) fn spill_folder(&self) -> Option<PrivateFolder> {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), SPILL).ok()?;
        self.made_temporary(folder.path());
        Some(folder)
    }

    /// Tells that a temporary folder was made.
    pub fn made_temporary(&self, folder: &Path) {
        if let Some(temporary) = self.temporary {
            temporary.made(folder);
        }
    }

    /// Tells that a temporary folder must stay.
    pub fn settled(&self, folder: &Path) {
        if let Some(temporary) = self.temporary {
            temporary.settled(folder);
        }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("budget", &self.budget)
            .field("checkpoints", &self.checkpoints)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_search_leaves_time_to_the_audit() {
        let budget = Budget::default().with_time(Duration::from_secs(90)).with_work(5);
        let context = Context { budget, ..Context::default() };
        let search = context.search_budget().time_left().unwrap();
        assert!((50..=60).contains(&search.as_secs()), "{search:?}");
        let audit = context.audit_budget();
        assert!(audit.time_left().unwrap() > Duration::from_secs(80));
        context.budget.spend(5);
        assert_eq!(context.search_budget().stop(), Some(Stop::Work));
        assert_eq!(audit.stop(), None);
    }

    #[test]
    fn ending_the_search_lets_the_audit_go_on() {
        let cancel = Cancel::default();
        let context = Context::default().cancelled_by(&cancel);
        cancel.search();
        assert_eq!(context.search_budget().stop(), Some(Stop::Cancelled));
        assert_eq!(context.audit_budget().stop(), None);
        cancel.everything();
        assert_eq!(context.audit_budget().stop(), Some(Stop::Cancelled));
        assert_eq!(context.budget.stop(), Some(Stop::Cancelled));
    }

    #[test]
    fn one_flag_is_enough_to_cancel_everything() {
        let context = Context::default();
        context.budget.cancel_flag().store(true, Ordering::Relaxed);
        assert_eq!(context.search_budget().stop(), Some(Stop::Cancelled));
        assert_eq!(context.audit_budget().stop(), Some(Stop::Cancelled));
    }
}
