//! Batch files of τ-ARGUS (`.arb`), run as they are.
//!
//! - [`run()`], [`BatchOptions`], [`BatchRun`]: a batch, what it may use, what came of it;
//! - [`FinishedTable`]: tables that τ-ARGUS has written, to be audited;
//! - `batch`: the commands one after the other;
//! - [`classification`]: dimensions from metadata, their groups from recodes ahead;
//! - `rules`: safety rules and costs in our words;
//! - `restrict`: a table with fewer codes, which is what a recode is;
//! - `given`: tables read from a file instead of records;
//! - `hst_entries`: a-priori files in the words of the rules;
//! - `output`: what `<WRITETABLE>` writes;
//! - `log`: the logbook.

mod batch;
pub mod classification;
mod finished;
mod given;
pub(crate) mod hst_entries;
mod log;
mod output;
mod restrict;
mod rules;

pub use batch::{BatchOptions, BatchRun, NotProven, run};
pub use finished::FinishedTable;
