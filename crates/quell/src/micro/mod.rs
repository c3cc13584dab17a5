//! Files of persons, households or firms instead of tables.
//!
//! - [`RecordsSource`], [`KeyedRecords`]: where the records are, and what was read of them;
//! - [`Check`]: which combinations of values must not be rare;
//! - [`risk()`], [`suppress()`], [`recode()`], [`verify()`]: one call each, values out;
//! - [`ReleasedRecords`]: what comes of it, in memory or as a file;
//! - [`Request`], [`Outcome`]: one of the first three, for those who are told which;
//! - [`summary`]: those values; [`text`]: what they say to people; [`report`]: as a page;
//! - [`job`]: the same, asked for in a job file.
//!
//! ```
//! use quell::Context;
//! use quell::micro::{self, Check, KeyedRecords, SuppressRequest};
//! use quell_micro::{Column, Microdata, Threshold, Thresholds};
//!
//! let town = Column::from_labels("town", ["A", "A", "B", "B", "B"], &[]);
//! let job = Column::from_labels("job", ["clerk", "clerk", "clerk", "clerk", "mayor"], &[]);
//! let records = KeyedRecords::from(Microdata::new(vec![town, job])?);
//! let thresholds = Some(Thresholds::Same(Threshold::FewerThan(2)));
//! let check = Check { thresholds, ..Check::default() };
//! let request = SuppressRequest { check: check.clone(), ..SuppressRequest::default() };
//! let context = Context::default();
//! let suppressed = micro::suppress(&records, &request, &context)?;
//! // There is one mayor: the job is hidden, and that is the least.
//! assert_eq!(suppressed.suppression.suppressions, 1);
//! let released = suppressed.released(&records, Some("?")).keys_only()?;
//! assert_eq!(released.keys()[1].label(4), "?");
//! assert!(micro::verify(&records, &released, &check, &context)?.safe);
//! # Ok::<(), quell::Error>(())
//! ```

mod check;
pub mod job;
mod recode;
mod records;
mod released;
pub mod report;
mod request;
mod risk;
pub mod summary;
mod suppress;
pub mod text;
mod verify;

pub use check::{Check, Scope};
pub use recode::{Joining, LossMeasure, RecodeRequest, Recoded, Tree, recode};
pub use records::{
    KeyedRecords, MissingCode, OfVariable, RecordsPlace, RecordsSource, read_released,
};
pub use released::ReleasedRecords;
pub use request::{Outcome, Request};
pub use risk::{Risk, RiskRequest, SAMPLING_FRACTION, frequencies, risk, sampling_fraction};
pub use suppress::{SuppressRequest, Suppressed, suppress};
pub use verify::{UnsafePlace, Verdict, verify};

use std::sync::Arc;

use quell_data::Watch;
use quell_micro::Result;
use quell_model::{Budget, Stop};

use crate::{Context, Error};

/// What may stop the writing of what was found: only a cancel that comes meanwhile. What was found
/// before one, or when the time was over, is worth being written.
fn while_writing<'a>(context: &Context<'a>) -> Watch<'a> {
    context.progress.stage("writing", None);
    let mut budget = Budget::default();
    if context.budget.stop() != Some(Stop::Cancelled) {
        budget = budget.with_cancel(Arc::clone(context.budget.cancel_flag()));
    }
    Watch::new(&budget, context.progress)
}

/// Does work on as many threads as the context allows.
fn on_threads<T: Send>(
    context: &Context<'_>,
    work: impl FnOnce() -> Result<T> + Send,
) -> std::result::Result<T, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(context.budget.threads()).build();
    let done = match pool {
        Ok(pool) => pool.install(work),
        // Without threads of our own the common ones do.
        Err(_) => work(),
    };
    Ok(done?)
}
