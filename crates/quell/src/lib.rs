//! The library behind every face of Quell.
//!
//! - [`Job`], [`run()`], [`Release`]: whole jobs, from records to a release; [`tabulate()`] stops
//!   before protection;
//! - [`ContributorAttackers`]: whether contributors are attackers beside the outsider;
//! - [`argus`]: batch files of τ-ARGUS;
//! - [`adjust()`]: controlled tabular adjustment;
//! - [`suppress()`], [`compare()`], [`audit()`], [`unpick()`], [`exposure()`], [`generate()`],
//!   [`convert()`]: each part alone, for tables; [`micro`]: those for microdata;
//! - [`release`], [`report`]: protected tables as files, and what was done to them;
//! - [`table_file`]: reading and writing tables by file name, with all faults shown;
//! - [`attacked_table`], [`csv_file`]: a table with what is hidden of it, results as CSV files;
//! - [`tables`]: tables in memory, from Arrow record batches ([`ArrowTable`]);
//! - [`text`]: results as text, CSV and JSON;
//! - [`office`]: tables with all values and the findings of audits, as Arrow record batches;
//! - [`attended`](mod@attended): a call that is listened to for interrupts, for other languages;
//! - [`Context`], [`Cancel`]: what a call may use, whom it tells, and who stops it;
//! - [`Error`]: what goes wrong, where, and what to do about it;
//! - [`checkpoint_file`]: the state of a long search, so that it survives a reboot.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod adjust;
pub mod argus;
pub mod attacked_table;
pub mod attackers;
pub mod attended;
pub mod audit;
pub mod checkpoint_file;
pub mod compare;
mod context;
pub mod convert;
pub mod csv_file;
mod duration;
mod error;
pub mod exposure;
pub mod generate;
mod given;
pub mod job;
pub mod micro;
pub mod office;
mod pipeline;
mod previous;
pub mod release;
pub mod report;
mod run;
pub mod suppress;
pub mod table_file;
pub mod tables;
mod tabulate;
pub mod text;
pub mod unpick;

pub use adjust::adjust;
pub use attackers::{ContributorAttackers, tested_against};
pub use audit::audit;
pub use compare::compare;
pub use context::{Cancel, CheckpointPlace, Context, TemporaryFolders};
pub use convert::convert;
pub use duration::parse_time;
pub use error::Error;
pub use exposure::exposure;
pub use generate::{generate, generate_survey};
pub use job::{Job, JobBuilder, Limits, Overrides};
pub use micro::job::MicroRelease;
pub use quell_attack::TableVerdict;
pub use quell_model::{
    Budget, CellId, Hierarchy, Pattern, Problem, Progress, Silent, Standing, Status,
};
pub use quell_tabulate::{
    Dominance, Frequency, OnRequest, PriorPosterior, Rules, SumsBy, ZeroUnsafe,
};
pub use release::{Format, Protected, Release, ReleasedTable, WhenUnsafe};
pub use report::Audience;
pub use run::run;
pub use suppress::suppress;
pub use tables::{ArrowTable, TableColumns, TableDimension};
pub use tabulate::{JobTables, tabulate};
pub use unpick::unpick;
