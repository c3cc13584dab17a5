//! Reading and writing tables.
//!
//! - [`jj`]: the JJ format of cell suppression tools, with the `.frq` file beside it;
//! - [`csv_pair`]: a cells file and an equations file, for people and spreadsheets;
//! - [`argus`]: the files of τ-ARGUS;
//! - [`hierarchy`]: files that say which codes add up to which;
//! - [`write_whole`]: a file is written whole or not at all;
//! - [`Error`] and [`Mistake`]: what is wrong with a file, with line, column and advice.
//!
//! Readers check that a file is well formed. Whether its table makes sense (adds up, lies
//! in its bounds) is asked of [`quell_model::Problem::faults`]; [`jj::mistake_of`] and
//! [`csv_pair::mistake_of`] find the line of such a fault.

pub mod argus;
mod atomic;
pub mod csv_pair;
mod cursor;
mod error;
mod fields;
pub mod hierarchy;
pub mod jj;
mod mistake;
mod number;
mod suggest;
mod text;

pub use atomic::write_whole;
pub use error::Error;
pub use mistake::{Mistake, Snippet};
pub use number::Exact;
pub use text::Text;
