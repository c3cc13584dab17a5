//! Tables from records: one pass over the records, and one more for respondents and for
//! holdings if they have names.
//!
//! Sums are integers, so neither the order of the records nor the number of threads changes
//! a result. What is kept in memory is cells, never records.

mod assemble;
mod codes;
mod encode;
mod fault;
mod fixed;
mod groups;
mod merged;
mod numbers;
mod people;
mod plan;
mod records;
mod scan;

use std::sync::Arc;

use quell_model::Budget;

use self::encode::Encoder;
use self::people::{People, Who};
use self::plan::Plan;
use self::records::Halt;
use self::scan::Scan;
use crate::{Error, Microdata, Spec, Tabulated};

/// What tabulation may use.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Threads, and the flag that stops the work.
    pub budget: Budget,
    /// Bytes that merging records by respondent may hold before it goes to disk, to the
    /// system's folder for temporary files.
    pub memory: usize,
}

impl Default for Resources {
    /// All processors and two gibibytes.
    fn default() -> Self {
        Self { budget: Budget::default(), memory: 2 << 30 }
    }
}

/// Makes the tables of a specification.
///
/// # Errors
/// See [`Error`]; there are all tables or none.
pub fn tabulate(spec: &Spec, resources: &Resources) -> Result<Tabulated, Error> {
    let scan = Scan::new(&spec.data, resources)?;
    let runtime = scan.runtime()?;
    let (folded, people, plan, mut notes, spilled) = runtime.block_on(async {
        let mut plan = Plan::new(spec, &scan)?;
        let notes = plan.detect_decimals(&scan).await?;
        let encoder = Arc::new(Encoder::new(plan));
        let folded = match records::fold(&scan, &encoder).await {
            Ok(folded) => folded,
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::Fault) => return Err(fault::first(&scan, &encoder).await),
        };
        let mut people: Vec<(Who, Vec<People>)> = Vec::new();
        let mut spilled = 0;
        for who in [Who::Respondents, Who::Holdings] {
            if encoder.names(who) {
                let merged = people::merge(spec, &scan, &encoder, who).await?;
                people.push((who, merged.people));
                spilled += merged.spilled;
            }
        }
        Ok((folded, people, encoder, notes, spilled))
    })?;
    let records = folded.records;
    notes.extend(folded.notes(plan.plan()));
    let tables = assemble::tables(spec, plan.plan(), folded, people)?;
    Ok(Tabulated { tables, records, notes, spilled })
}

/// The different codes of variables, each list sorted: for classifications that are not
/// written down anywhere. Missing codes are among them; blanks at the ends are kept.
///
/// # Errors
/// If the file cannot be read or has no such variable.
pub fn distinct_codes(
    data: &Microdata,
    variables: &[&str],
    resources: &Resources,
) -> Result<Vec<Vec<String>>, Error> {
    let scan = Scan::new(data, resources)?;
    let columns =
        variables.iter().map(|name| scan.column(name)).collect::<Result<Vec<usize>, Error>>()?;
    scan.runtime()?.block_on(scan.distinct(&columns))
}
