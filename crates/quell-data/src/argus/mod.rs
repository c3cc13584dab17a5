//! The files of τ- and µ-ARGUS that describe records.
//!
//! Syntax only: each module reads or writes one kind of file, with the line of whatever it
//! found, and leaves to its caller what that means for disclosure.
//!
//! | file | module | what |
//! |---|---|---|
//! | `.rda` | [`rda`] | variables of microdata and of tables |
//! | `.grc` | [`grc`] | recodes |
//! | `.cdl` | [`cdl`] | labels of codes |
//!
//! [`locate`](locate()) finds files by the names that other files give them; [`tokens`] has the
//! words of all these files.

pub mod cdl;
pub mod grc;
mod locate;
pub mod rda;
pub mod tokens;

pub use locate::locate;
