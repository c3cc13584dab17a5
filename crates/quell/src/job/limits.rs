//! What a job may use: time, effort, threads and chance, from its file or from whoever runs it.

use std::time::Duration;

use quell_model::Budget;

use crate::{Context, ContributorAttackers};

/// How long a method may search if nobody says: some would go on until they have a proof.
pub const USUAL_SEARCH_TIME: Duration = Duration::from_secs(60);

/// What a job asks for instead of its file's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The method's name.
    pub method: Option<String>,
    /// Time, effort, seed and threads. Whoever gives an effort but no time means that no time
    /// limits it, whatever the file says: the result is to be the same on every machine.
    pub limits: Limits,
    /// Whether contributors are attackers.
    pub contributors: Option<ContributorAttackers>,
}

/// What a job may use; what is not given has a usual value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// The time from the start of the search to the end of the audit.
    pub time: Option<Duration>,
    /// The effort of the search.
    pub work: Option<u64>,
    /// The seed of all chance.
    pub seed: Option<u64>,
    /// The threads.
    pub threads: Option<usize>,
}

impl Limits {
    /// These limits, and those of the file where these say nothing.
    pub fn or(self, file: Self) -> Self {
        Self {
            time: self.time.or(file.time.filter(|_| self.work.is_none())),
            work: self.work.or(file.work),
            seed: self.seed.or(file.seed),
            threads: self.threads.or(file.threads),
        }
    }

    /// The seed that holds.
    pub fn seed(&self, context: &Context<'_>) -> u64 {
        self.seed.unwrap_or(context.budget.seed())
    }

    /// How long search and audit may take together, or the search alone if nobody says.
    pub fn search_time(&self, context: &Context<'_>) -> Option<Duration> {
        self.time(context).or(self.usual_search_time(context))
    }

    /// How long the search alone may take because nobody says; none if somebody says. The audit
    /// then takes as long as it needs.
    pub fn usual_search_time(&self, context: &Context<'_>) -> Option<Duration> {
        let limited = self.time(context).is_some() || self.work(context).is_some();
        (!limited).then_some(USUAL_SEARCH_TIME)
    }

    /// For what comes before a search: there is nothing to audit yet, so whatever ends the
    /// search ends it.
    pub fn reading<'a>(&self, context: &Context<'a>) -> Context<'a> {
        let mut budget = self.budget(context);
        if let Some(left) = context.budget.time_left() {
            budget = budget.with_time(left);
        }
        let flag = context.search_budget().cancel_flag().clone();
        Context { budget: budget.with_cancel(flag), ..context.clone() }
    }

    /// For a search and its audit, whose time begins now.
    pub fn start<'a>(&self, context: &Context<'a>) -> Context<'a> {
        let mut budget = self.budget(context);
        if let Some(work) = self.work(context) {
            budget = budget.with_work(work);
        }
        if let Some(time) = self.time(context) {
            budget = budget.with_time(time);
        }
        Context { budget, ..context.clone() }
    }

    /// For work that needs no audit of its own, whose time begins now.
    pub fn unaudited(&self, context: &Context<'_>) -> Budget {
        let started = self.start(context);
        let flag = context.search_budget().cancel_flag().clone();
        let budget = started.budget.with_cancel(flag);
        match self.search_time(context) {
            Some(time) => budget.with_time(time),
            None => budget,
        }
    }

    /// A fresh account of effort: every part of a job has its own.
    fn budget(&self, context: &Context<'_>) -> Budget {
        Budget::default()
            .with_threads(self.threads.unwrap_or(context.budget.threads()))
            .with_seed(self.seed(context))
            .with_cancel(context.budget.cancel_flag().clone())
    }

    fn work(&self, context: &Context<'_>) -> Option<u64> {
        self.work.or(context.budget.work_limit())
    }

    /// The earlier end of the job's time and the call's.
    fn time(&self, context: &Context<'_>) -> Option<Duration> {
        [self.time, context.budget.time_left()].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Option<Duration> {
        Some(Duration::from_secs(seconds))
    }

    #[test]
    fn whoever_gives_an_effort_wants_no_time_of_the_file() {
        let file = Limits { time: seconds(5), seed: Some(3), ..Limits::default() };
        assert_eq!(Limits::default().or(file), file);
        let own = Limits { work: Some(9), ..Limits::default() };
        assert_eq!(own.or(file), Limits { time: None, seed: Some(3), ..own });
        let both = Limits { time: seconds(7), ..own };
        assert_eq!(both.or(file).time, seconds(7));
    }

    #[test]
    fn a_time_that_is_given_is_shared_with_the_audit_and_the_usual_one_is_not() {
        let context = Context::default();
        let given = Limits { time: seconds(90), ..Limits::default() };
        let started = given.start(&context);
        assert_eq!(given.usual_search_time(&context), None);
        assert!(started.search_budget().time_left().unwrap() <= Duration::from_secs(60));
        assert!(started.audit_budget().time_left().unwrap() > Duration::from_secs(80));
        let usual = Limits::default();
        assert_eq!(usual.usual_search_time(&context), Some(USUAL_SEARCH_TIME));
        assert_eq!(usual.start(&context).audit_budget().time_left(), None);
    }

    #[test]
    fn an_effort_needs_no_usual_time() {
        let context = Context::default();
        let limits = Limits { work: Some(9), ..Limits::default() };
        assert_eq!(limits.start(&context).search_budget().time_left(), None);
        assert_eq!(limits.usual_search_time(&context), None);
        assert_eq!(limits.search_time(&context), None);
    }

    #[test]
    fn the_earlier_end_counts() {
        let budget = Budget::default().with_time(Duration::from_secs(5));
        let context = Context { budget, ..Context::default() };
        let limits = Limits { time: seconds(90), ..Limits::default() };
        assert!(limits.start(&context).budget.time_left().unwrap() <= Duration::from_secs(5));
    }
}
