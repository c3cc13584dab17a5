//! What long work tells while it runs.

/// Receives progress. Implemented by the command's progress bars; [`Silent`] ignores it.
pub trait Progress: Sync {
    /// A stage begins; `total` is its number of steps if known.
    fn stage(&self, name: &str, total: Option<u64>);

    /// So many more steps of the current stage are done. Workers on several threads may
    /// say so, in any order.
    fn advance(&self, steps: u64);
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _total: Option<u64>) {}

    fn advance(&self, _steps: u64) {}
}
