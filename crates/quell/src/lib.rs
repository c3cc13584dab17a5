//! The library behind every face of Quell.
//!
//! - [`protect`], [`tabulate`], [`job`]: whole jobs, from records to a release;
//! - [`argus`]: batch files of τ-ARGUS;
//! - [`adjust`]: controlled tabular adjustment, of tables and jobs;
//! - [`suppress`], [`compare`], [`audit`], [`unpick`], [`exposure`], [`generate`],
//!   [`convert`]: the sub-commands for tables; [`micro`]: those for microdata;
//! - [`prepare`]: the tables of a job with what rules and people say of them;
//! - [`pipeline`]: from tables to an audited release, for jobs and batch files alike;
//! - [`release`], [`report`]: protected tables as files, and what was done to them;
//! - [`table_file`]: reading and writing tables by file name, with all faults shown;
//! - [`attacked_table`], [`csv_file`]: a table with what is hidden of it, results as CSV files;
//! - [`given`]: tables that someone else made;
//! - [`columns`], [`rda_microdata`], [`hst_entries`]: data files and what describes them;
//! - [`Error`], [`exit`]: what goes wrong, what the caller learns;
//! - [`interrupt`], [`limits`], [`progress_bar`]: stopping, budgets, and what is told meanwhile;
//! - [`checkpoint_file`]: the state of a long search, so that it survives a reboot;
//! - [`output`], [`together`]: results on the standard output, files that appear together.

pub mod adjust;
pub mod argus;
pub mod attacked_table;
pub mod audit;
pub mod checkpoint_file;
pub mod columns;
pub mod compare;
pub mod convert;
pub mod csv_file;
mod error;
pub mod exit;
pub mod exposure;
pub mod generate;
pub mod given;
pub mod hst_entries;
pub mod interrupt;
pub mod job;
pub mod limits;
pub mod micro;
pub mod output;
pub mod pipeline;
pub mod prepare;
pub mod progress_bar;
pub mod protect;
pub mod rda_microdata;
pub mod release;
pub mod report;
pub mod suppress;
pub mod table_file;
pub mod tabulate;
pub mod together;
pub mod unpick;

pub use error::Error;
