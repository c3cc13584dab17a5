//! The files of τ-ARGUS, as its users have them.
//!
//! Syntax only: each module reads or writes one kind of file, with the line of whatever
//! it found, and leaves to its caller what that means for disclosure.
//!
//! | file | module | what |
//! |---|---|---|
//! | `.rda` | [`rda`] | variables of microdata and of tables |
//! | `.hrc` | [`hrc`] | hierarchies |
//! | `.cdl` | [`cdl`] | labels of codes |
//! | `.grc` | [`grc`] | recodes |
//! | `.hst` | [`hst`] | a-priori statuses, costs and levels |
//! | `.tab` | [`tab`] | tables, one line per cell |
//! | `.sbs` | [`sbs`] | tables for structural business statistics |
//! | `.arb` | [`arb`] | batches of commands |
//! | releases | [`output`] | CSV, pivot, code-value, SBS and intermediate files |
//!
//! [`locate`](locate()) finds files by the names that other files give them.

pub mod arb;
pub mod hrc;
pub mod hst;
pub mod output;
pub mod sbs;
mod status;
pub mod tab;

pub(crate) use quell_data::argus::tokens;
pub use quell_data::argus::{cdl, grc, locate, rda};
pub use status::CellStatus;
