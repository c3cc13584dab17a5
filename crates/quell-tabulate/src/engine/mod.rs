//! Tables from records: one pass over the records, and one more for respondents and for
//! holdings if they have names.
//!
//! Sums are integers, so neither the order of the records nor the number of threads changes
//! a result. What is kept in memory is cells, never records.

mod assemble;
mod codes;
#[cfg(feature = "datafusion")]
mod datafusion;
mod encode;
mod fault;
mod groups;
#[cfg(any(test, not(feature = "datafusion")))]
#[cfg_attr(
    feature = "datafusion",
    allow(dead_code, reason = "beside DataFusion only its tests run")
)]
mod in_memory;
mod merged;
mod numbers;
mod people;
mod plan;
mod records;
mod running;
mod scan;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use quell_data::Records;
use quell_model::{Budget, Progress, Silent};

use self::encode::Encoder;
use self::people::{People, Who};
use self::plan::Plan;
use self::records::Halt;
use self::running::Rows;
use self::scan::Scan;
use crate::{Error, Spec, Tabulated};

/// What tabulation may use, and whom it tells.
#[derive(Clone)]
pub struct Resources<'a> {
    /// Threads, and the flag that stops the work.
    pub budget: Budget,
    /// Bytes that merging records by respondent may hold before it goes to disk.
    pub memory: usize,
    /// The folder that it goes to, which should be private: whole records lie there for a while.
    /// The system's folder for temporary files if there is none.
    pub spill: Option<PathBuf>,
    /// Is told how many records are done.
    pub progress: &'a dyn Progress,
}

impl Default for Resources<'_> {
    /// All processors and two gibibytes; nobody is told.
    fn default() -> Self {
        Self { budget: Budget::default(), memory: 2 << 30, spill: None, progress: &Silent }
    }
}

impl fmt::Debug for Resources<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { budget, memory, spill, progress: _ } = self;
        f.debug_struct("Resources")
            .field("budget", budget)
            .field("memory", memory)
            .field("spill", spill)
            .finish_non_exhaustive()
    }
}

/// Makes the tables of a specification.
///
/// # Errors
/// See [`Error`]; there are all tables or none.
pub fn tabulate(spec: &Spec, resources: &Resources<'_>) -> Result<Tabulated, Error> {
    whatever_encoding(&spec.records, |records| tabulated(spec, records, resources))
}

/// Does some work on records. Text that was taken for UTF-8 from its start, and shows further
/// on that it is not, is read once more.
fn whatever_encoding<T>(
    records: &Records,
    work: impl Fn(&Records) -> Result<T, Error>,
) -> Result<T, Error> {
    match work(records) {
        Err(error @ Error::Data(quell_data::Error::Malformed { .. })) => {
            match records.in_windows_1252()? {
                Some(records) => work(&records),
                None => Err(error),
            }
        }
        done => done,
    }
}

fn tabulated(
    spec: &Spec,
    records: &Records,
    resources: &Resources<'_>,
) -> Result<Tabulated, Error> {
    let scan = Scan::new(records, resources)?;
    let rows = Rows::default();
    let progress = resources.progress;
    let work = async {
        let mut plan = Plan::new(spec, &scan)?;
        progress.stage("reading records", None);
        let notes = plan.detect_decimals(&scan).await?;
        let encoder = Arc::new(Encoder::new(plan));
        let folded = match records::fold(&scan, &encoder, &rows).await {
            Ok(folded) => folded,
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::Fault) => return Err(fault::first(&scan, &encoder).await),
        };
        let mut people: Vec<(Who, Vec<People>)> = Vec::new();
        let mut spilled = 0;
        for who in [Who::Respondents, Who::Holdings] {
            if encoder.names(who) {
                rows.tell(progress);
                progress.stage(people::stage(who), Some(folded.records));
                let merged = people::merge(spec, &scan, &encoder, who, &rows).await?;
                people.push((who, merged.people));
                spilled += merged.spilled;
            }
        }
        Ok((folded, people, encoder, notes, spilled))
    };
    let runtime = scan.runtime()?;
    let (folded, people, plan, mut notes, spilled) = running::run(runtime, resources, &rows, work)?;
    let records = folded.records;
    notes.extend(folded.notes(plan.plan()));
    progress.stage("adding up totals", None);
    let tables = assemble::tables(spec, plan.plan(), folded, people, &resources.budget)?;
    Ok(Tabulated { tables, records, notes, spilled })
}

/// The different codes of variables, each list sorted: for classifications that are not
/// written down anywhere. Missing codes are among them; blanks at the ends are kept.
///
/// # Errors
/// If the file cannot be read or has no such variable.
pub fn distinct_codes(
    records: &Records,
    variables: &[&str],
    resources: &Resources<'_>,
) -> Result<Vec<Vec<String>>, Error> {
    whatever_encoding(records, |records| {
        let scan = Scan::new(records, resources)?;
        let columns = variables
            .iter()
            .map(|name| scan.column(name))
            .collect::<Result<Vec<usize>, Error>>()?;
        running::run(scan.runtime()?, resources, &Rows::default(), scan.distinct(&columns))
    })
}
