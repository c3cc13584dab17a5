//! Releases in the formats of `<WRITETABLE>`.
//!
//! The caller builds an [`OutputTable`] and decides what is in it. **A value that is in it
//! can end up in the file**, also of a suppressed cell: with `AS+`, in SBS and in
//! intermediate files τ-ARGUS writes them. A suppressed cell without a value is an `x`
//! everywhere.
//!
//! Lines end in `\r\n`, numbers have a point.

mod intermediate;
mod matrix;
mod records;

use std::io::Write;
use std::path::Path;

use quell_model::{Decimals, Hierarchy, NodeId, Value};

use super::CellStatus;
use super::arb::{OutputFormat, WriteOptions};
use crate::{Error, write_whole};

pub use intermediate::{Companions, companions};

/// A table to write.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputTable {
    /// The spanning variables, the slowest first.
    pub dimensions: Vec<OutputDimension>,
    /// The response; none for a table of frequencies.
    pub response: Option<String>,
    /// What suppressing a cell cost.
    pub cost: CostName,
    /// Decimals of all amounts.
    pub decimals: Decimals,
    /// What the released values are.
    pub values: Values,
    /// Whether a p% rule was used; SBS files tell it from dominance.
    pub p_percent: bool,
    /// The cells, in any order. What is not here is an empty cell.
    pub cells: Vec<OutputCell>,
}

/// What the cost of a cell is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CostName {
    /// By the response.
    Response,
    /// By another variable.
    Variable(String),
    /// By contributors.
    Frequency,
    /// The same for all.
    Unity,
    /// By distance.
    Distance,
}

/// What the released values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// The true ones, where they are not suppressed.
    Suppressed,
    /// Rounded ones: [`OutputCell::released`].
    Rounded,
    /// Adjusted ones: [`OutputCell::released`].
    Adjusted,
}

/// A spanning variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputDimension {
    /// Its name.
    pub name: String,
    /// Its codes: the total first, each behind the one above it.
    pub codes: Vec<OutputCode>,
    /// Codes for missing.
    pub missing: Vec<String>,
}

/// A code with its depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputCode {
    /// The code.
    pub code: String,
    /// 0 for the total.
    pub level: usize,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputCell {
    /// Where it is: the position of its code in each dimension.
    pub at: Vec<u32>,
    /// Its status.
    pub status: CellStatus,
    /// Its true value; none to keep it out of every file.
    pub value: Option<Value>,
    /// The value to release instead, if values are rounded or adjusted.
    pub released: Option<Value>,
    /// Its number of contributors, or of holdings.
    pub frequency: u32,
    /// What rules looked at.
    pub shadow: Value,
    /// What suppressing it costs.
    pub cost: f64,
    /// The largest contributions, or those of holdings.
    pub tops: Vec<Value>,
    /// The lower protection level.
    pub lower: Value,
    /// The upper protection level.
    pub upper: Value,
    /// What an attacker must think possible.
    pub audit: Option<(Value, Value)>,
}

impl OutputDimension {
    /// The dimension of a hierarchy, and the node of each of its codes. τ-ARGUS knows
    /// trees only: a code with several parents stands below the first.
    pub fn of(name: &str, hierarchy: &Hierarchy) -> (Self, Vec<NodeId>) {
        let mut codes = Vec::with_capacity(hierarchy.len());
        let mut nodes = Vec::with_capacity(hierarchy.len());
        let mut seen = vec![false; hierarchy.len()];
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        if !hierarchy.is_empty() {
            open.push((0, 0));
        }
        while let Some((node, level)) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            codes.push(OutputCode { code: hierarchy.code(node).to_owned(), level });
            nodes.push(node);
            for &sum in hierarchy.total_of(node).iter().rev() {
                let parts = &hierarchy.sums()[sum as usize].parts;
                open.extend(parts.iter().rev().map(|&part| (part, level + 1)));
            }
        }
        (Self { name: name.to_owned(), codes, missing: Vec::new() }, nodes)
    }

    /// Whether it has sub-totals.
    pub fn is_hierarchical(&self) -> bool {
        self.codes.iter().any(|code| code.level > 1)
    }
}

/// Writes a table in a format; `file` is where it goes, for messages.
///
/// # Errors
/// If the table is inconsistent, the format is not one of these five, or `out` fails.
pub fn print(
    out: &mut impl Write,
    file: &Path,
    table: &OutputTable,
    format: OutputFormat,
    options: WriteOptions,
) -> Result<(), Error> {
    let cells = table.sorted()?;
    let printed = match format {
        OutputFormat::Csv => matrix::print(out, table, &cells, options),
        OutputFormat::Pivot => {
            let options = WriteOptions { first_line: true, ..options };
            records::print(out, table, &cells, options)
        }
        OutputFormat::CodeValue => records::print(out, table, &cells, options),
        OutputFormat::Sbs => records::print_sbs(out, table, &cells, options),
        OutputFormat::Intermediate => intermediate::print(out, table, &cells, options),
        OutputFormat::Jj | OutputFormat::CellKey => {
            return Err(Error::Unwritable {
                what: "a table of codes and values".to_owned(),
                format: "JJ or with cell keys",
                advice: "JJ files are written from the problem, not from the released table",
            });
        }
    };
    printed.map_err(|source| Error::write(file, source))
}

/// Writes a table to a file, whole or not at all; an intermediate file with the metadata
/// and hierarchies that it needs to be read again.
///
/// # Errors
/// As [`print()`].
pub fn write(
    path: &Path,
    table: &OutputTable,
    format: OutputFormat,
    options: WriteOptions,
) -> Result<(), Error> {
    // A failure must not leave companions of a table that is not there.
    table.sorted()?;
    if format == OutputFormat::Intermediate {
        companions(path, table, options)?.write()?;
    }
    write_whole(path, |out| print(out, path, table, format, options))
}

impl OutputTable {
    /// The cells in order of their codes.
    fn sorted(&self) -> Result<Vec<&OutputCell>, Error> {
        let wrong = |what: &str| Error::Unwritable {
            what: what.to_owned(),
            format: "a τ-ARGUS release",
            advice: "every cell needs a code of each dimension, once",
        };
        let mut cells: Vec<&OutputCell> = self.cells.iter().collect();
        cells.sort_by(|one, other| one.at.cmp(&other.at));
        let inside = |cell: &&OutputCell| {
            cell.at.len() == self.dimensions.len()
                && cell
                    .at
                    .iter()
                    .zip(&self.dimensions)
                    .all(|(&code, dimension)| (code as usize) < dimension.codes.len())
        };
        if self.dimensions.is_empty() || !cells.iter().all(inside) {
            return Err(wrong("a cell outside the table"));
        }
        if cells.windows(2).any(|pair| pair[0].at == pair[1].at) {
            return Err(wrong("a cell given twice"));
        }
        Ok(cells)
    }

    /// Visits cells in order: those that exist, or all that are possible.
    fn visit<'a, E>(
        &self,
        cells: &[&'a OutputCell],
        only_existing: bool,
        mut visit: impl FnMut(&[u32], Option<&'a OutputCell>) -> Result<(), E>,
    ) -> Result<(), E> {
        if only_existing {
            return cells.iter().try_for_each(|&cell| visit(&cell.at, Some(cell)));
        }
        if self.dimensions.iter().any(|dimension| dimension.codes.is_empty()) {
            return Ok(());
        }
        let mut at = vec![0_u32; self.dimensions.len()];
        let mut rest = cells.iter().copied().peekable();
        loop {
            visit(&at, rest.next_if(|cell| cell.at == at))?;
            // Like an odometer: the last dimension turns fastest.
            let mut dimension = at.len();
            loop {
                if dimension == 0 {
                    return Ok(());
                }
                dimension -= 1;
                at[dimension] += 1;
                if (at[dimension] as usize) < self.dimensions[dimension].codes.len() {
                    break;
                }
                at[dimension] = 0;
            }
        }
    }

    /// A code as files have it.
    fn label(&self, dimension: usize, code: u32, options: WriteOptions) -> String {
        let code = &self.dimensions[dimension].codes[code as usize].code;
        if options.quotes { quoted(code) } else { code.replace('"', "'") }
    }
}

/// A word in quotes; the format has no way to write a quote inside.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "'"))
}
