//! Tables, `.tab`: one line per cell, its fields in the order of the metadata.
//!
//! Numbers may have a decimal point or, where it does not separate fields, a decimal
//! comma: τ-ARGUS writes what the computer's region says. `-` and nothing are no number.

mod read;

use crate::Exact;
use crate::argus::CellStatus;

pub use read::parse;

/// Which columns of a table file to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The response; without it, the frequency is the response.
    pub response: Option<&'a str>,
    /// The shadow variable; without it, the one that the metadata call so, if any.
    pub shadow: Option<&'a str>,
    /// The cost variable; without it, the one that the metadata call so, if any.
    pub cost: Option<&'a str>,
    /// Whether the first line names the columns. Files of τ-ARGUS have no such line.
    pub header: bool,
}

/// A table file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The names of the spanning variables, in the order of their columns.
    pub dimensions: Vec<String>,
    /// The cells, in the order of the file.
    pub rows: Vec<Row>,
}

/// A line of a table file.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The line, from 1.
    pub line: usize,
    /// A code a dimension; the total by the code that the metadata give it.
    pub codes: Vec<String>,
    /// The response; none for an empty cell.
    pub value: Option<Exact>,
    /// The number of contributors; none if the file does not have it.
    pub frequency: Option<u32>,
    /// Whether the frequency is a guess: the file has a column of them, and nothing in it
    /// for this cell, which is not empty. It then counts as 1.
    pub frequency_imputed: bool,
    /// What rules look at instead of the response.
    pub shadow: Option<Exact>,
    /// What suppressing the cell costs, at least 0.
    pub cost: Option<f64>,
    /// The largest contributions, falling; as many as the metadata have.
    pub tops: Vec<Exact>,
    /// The status: safe, unsafe, protected, secondary or empty. None if the file has no
    /// column of statuses and the cell is not empty.
    pub status: Option<CellStatus>,
    /// The lower protection level, at least 0.
    pub lower: Option<Exact>,
    /// The upper protection level, at least 0.
    pub upper: Option<Exact>,
}
