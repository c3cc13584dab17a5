//! Reading and writing tables.
//!
//! - [`jj`]: the JJ format of cell suppression tools, with the `.frq` file beside it;
//! - [`csv_pair`]: a cells file and an equations file, for people and spreadsheets;
//! - [`write_whole`]: a file is written whole or not at all;
//! - [`Error`] and [`Mistake`]: what is wrong with a file, with line, column and advice.
//!
//! Readers check that a file is well formed. Whether its table makes sense (adds up, lies
//! in its bounds) is asked of [`quell_model::Problem::faults`]; [`jj::mistake_of`] and
//! [`csv_pair::mistake_of`] find the line of such a fault.

mod atomic;
pub mod csv_pair;
mod cursor;
mod error;
pub mod jj;
mod mistake;
mod number;

pub use atomic::write_whole;
pub use error::Error;
pub use mistake::{Mistake, Snippet};
