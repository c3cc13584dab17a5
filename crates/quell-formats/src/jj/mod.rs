//! The JJ format (`.jj`, `.csp`, `JJ.IN`), in which cell suppression tools exchange
//! problems: τ-ARGUS, sdcTable, CSPLIB, SUMiT.
//!
//! ```text
//! 0
//! n
//! i  value  cost  status  lb  ub  LPL  UPL  SPL      n lines, i = 0..n-1
//! m
//! rhs  k  :  i1 (c1)  i2 (c2)  …  ik (ck)            m lines
//! ```
//!
//! Read as files in use have it: any blanks and tabs, `\r\n`, empty lines, no last line
//! end, a byte order mark, `0.0` for `0`, constants other than zero, cells of an equation
//! in any order, `( -1 )`, primaries that cost nothing. Statuses are `u` primary, `s`
//! safe, `z` protected and `m` secondary, in either case.
//!
//! Values, bounds, levels and constants are exact; the table has as many decimals as the
//! most precise of them needs. JJ has no infinity: a bound too large for exact
//! arithmetic is read as no bound, and no bound is written as ±1e30.
//!
//! What JJ cannot say is lost on writing: why a cell is primary and what cells are
//! called. Numbers of contributors go into a file beside it, see [`frequencies`].

pub mod frequencies;
mod read;
mod write;

use std::path::Path;

pub use read::{mistake_of, parse, parse_within};
pub use write::{print, write};

use crate::Error;
use quell_model::{Budget, Problem};

/// Reads a JJ file, and the contributors from the `.frq` file beside it if there is one.
///
/// # Errors
/// If a file cannot be read or has a mistake.
pub fn read(path: &Path) -> Result<Problem, Error> {
    let text = std::fs::read(path).map_err(|source| Error::read(path, source))?;
    let problem = parse(&path.display().to_string(), &text)?;
    drop(text);
    match frequencies::read_beside(path, problem.cell_count(), &Budget::default())? {
        Some(contributors) => Ok(problem.with_contributors(contributors)),
        None => Ok(problem),
    }
}
