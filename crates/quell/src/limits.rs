//! How much time and how many threads a sub-command may use.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use quell_model::Budget;

use crate::interrupt;

/// Limits of a sub-command that works hard.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Threads to use; all of the machine's if not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Stop after this time, such as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
}

impl Limits {
    /// The budget, stopped by Ctrl-C. To be called once.
    pub fn budget(&self) -> Budget {
        self.budget_from_now(&interrupt::cancel_flag())
    }

    /// The budget, stopped by a flag; its time begins now.
    pub fn budget_from_now(&self, cancel: &Arc<AtomicBool>) -> Budget {
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
pub struct Search {
    #[command(flatten)]
    limits: Limits,

    /// Stop after this much effort: unlike a time, the same on every machine
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub work: Option<u64>,

    /// The seed of all chance [default: 1]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub seed: Option<u64>,
}

impl Search {
    /// The budget, stopped by a flag, with `usual` for what the command line does not say.
    /// Its time begins now.
    pub fn budget_from_now(&self, usual: &Usual, cancel: &Arc<AtomicBool>) -> Budget {
        // Whoever limits the effort wants the same result on every machine.
        let usual_time = usual.time.filter(|_| self.work.is_none());
        let limits = Limits {
            threads: self.limits.threads.or(usual.threads),
            time: self.limits.time.or(usual_time),
        };
        let budget =
            limits.budget_from_now(cancel).with_seed(self.seed.or(usual.seed).unwrap_or(1));
        match self.work.or(usual.work) {
            Some(work) => budget.with_work(work),
            None => budget,
        }
    }
}

/// How long a method may search if nobody says: some would go on until they have a proof.
pub const USUAL_TIME: Duration = Duration::from_secs(60);

/// Limits that hold if the command line gives none.
#[derive(Debug, Clone)]
pub struct Usual {
    /// Threads.
    pub threads: Option<u16>,
    /// Time.
    pub time: Option<Duration>,
    /// Effort.
    pub work: Option<u64>,
    /// Seed.
    pub seed: Option<u64>,
}

impl Default for Usual {
    fn default() -> Self {
        Self { threads: None, time: Some(USUAL_TIME), work: None, seed: None }
    }
}

/// Reads `90`, `60s`, `1.5m`, `2h` or `500ms`; a bare number is seconds.
///
/// # Errors
/// What is wrong, for the user.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let trimmed = text.trim();
    let digits = trimmed.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &trimmed[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 60s, 5m or 1h".to_owned()),
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: Option<f64> = digits.trim().parse().ok().filter(|_| plain);
    number
        .and_then(|number| Duration::try_from_secs_f64(number * seconds).ok())
        .filter(|time| *time <= Duration::from_secs(366 * 86_400))
        .ok_or_else(|| "expected a time such as 60s, 5m or 1h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        for wrong in ["", "s", "-1s", "1d", "nan", "1e9h", "infs", "1..5s", "99999999999h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
