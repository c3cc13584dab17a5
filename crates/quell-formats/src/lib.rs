//! Reading and writing tables.
//!
//! - [`jj`]: the JJ format of cell suppression tools, with the `.frq` file beside it;
//! - [`csv_pair`]: a cells file and an equations file, for people and spreadsheets;
//! - [`argus`]: the files of τ-ARGUS;
//! - [`hierarchy`]: files that say which codes add up to which;
//! - [`write_whole`], [`write_private`], [`PrivateFolder`], [`sweep`]: a file is written whole or not at all,
//!   and what is in the making is nobody else's to read;
//! - [`Error`] and [`Mistake`]: what is wrong with a file, with line, column and advice.
//!
//! Texts, their mistakes and the descriptions of records (`.rda`, `.grc`, `.cdl`) are those of
//! [`quell_data`].
//!
//! Readers check that a file is well formed. Whether its table makes sense (adds up, lies
//! in its bounds) is asked of [`quell_model::Problem::faults`]; [`jj::mistake_of`] and
//! [`csv_pair::mistake_of`] find the line of such a fault.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod argus;
mod atomic;
pub mod csv_pair;
mod cursor;
mod fields;
pub mod hierarchy;
pub mod jj;
mod number;
mod pace;

pub use atomic::{IN_THE_MAKING, PrivateFolder, sweep, write_private, write_whole};
pub use number::Exact;
pub use quell_data::{Error, Mistake, Snippet, Text};
pub(crate) use quell_data::{mistake, suggest, text};
