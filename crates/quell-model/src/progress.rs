//! What long work tells while it runs.

/// Receives progress. Implemented by the command's progress bars; [`Silent`] ignores it.
pub trait Progress: Sync {
    /// A stage begins; `total` is its number of steps if known.
    fn stage(&self, name: &str, total: Option<u64>);

    /// So many more steps of the current stage are done. Workers on several threads may
    /// say so, in any order.
    fn advance(&self, steps: u64);

    /// A search for a pattern has come so far.
    fn standing(&self, _standing: &Standing) {}
}

/// How far a search for a pattern has come.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Standing {
    /// What the secondaries of its best pattern cost.
    pub cost: f64,
    /// How many requirements of primaries that pattern does not meet yet.
    pub exposed: usize,
    /// No safe pattern costs less; zero if nothing is known.
    pub bound: f64,
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _total: Option<u64>) {}

    fn advance(&self, _steps: u64) {}
}
