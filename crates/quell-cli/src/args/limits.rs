//! How much time, effort and how many threads a sub-command may use.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use quell::{Budget, parse_time};

/// How long a method may search if nobody says: some would go on until they have a proof.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// Limits of a sub-command that works hard.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Threads to use; all of the machine's if not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Stop after this time, such as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
}

impl LimitArguments {
    /// The budget, cancelled by a flag; its time begins now.
    pub fn budget(&self, cancel: &Arc<AtomicBool>) -> Budget {
        let mut budget = Budget::default().with_cancel(Arc::clone(cancel));
        if let Some(threads) = self.threads {
            budget = budget.with_threads(usize::from(threads));
        }
        if let Some(time) = self.time {
            budget = budget.with_time(time);
        }
        budget
    }
}

/// Limits and chance of a sub-command that searches.
#[derive(Debug, Clone, Args)]
pub struct SearchArguments {
    /// Threads and time.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Stop after this much effort: unlike a time, the same on every machine
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub work: Option<u64>,

    /// The seed of all chance [default: 1]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub seed: Option<u64>,
}

impl SearchArguments {
    /// The budget, cancelled by a flag. Its time, if the user gives one, begins now.
    pub fn budget(&self, cancel: &Arc<AtomicBool>) -> Budget {
        let budget = self.limits.budget(cancel).with_seed(self.seed.unwrap_or(1));
        match self.work {
            Some(work) => budget.with_work(work),
            None => budget,
        }
    }

    /// How long a method may search if the user says neither time nor effort: whoever limits the
    /// effort wants the same result on every machine.
    pub fn usual_search_time(&self) -> Option<Duration> {
        Some(USUAL_TIME).filter(|_| self.limits.time.is_none() && self.work.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(time: Option<u64>, work: Option<u64>) -> SearchArguments {
        let limits = LimitArguments { threads: Some(3), time: time.map(Duration::from_secs) };
        SearchArguments { limits, work, seed: None }
    }

    #[test]
    fn the_usual_time_holds_if_nothing_is_said() {
        assert_eq!(arguments(None, None).usual_search_time(), Some(USUAL_TIME));
        assert_eq!(arguments(None, Some(9)).usual_search_time(), None);
        assert_eq!(arguments(Some(5), None).usual_search_time(), None);
    }

    #[test]
    fn the_budget_has_what_the_user_says() {
        let budget = arguments(Some(5), None).budget(&Arc::default());
        assert_eq!((budget.threads(), budget.seed()), (3, 1));
        assert!(budget.time_left().is_some_and(|left| left <= Duration::from_secs(5)));
        assert_eq!(arguments(None, Some(9)).budget(&Arc::default()).time_left(), None);
    }
}
